# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of exported files in the programs that read them: `nox -s clients` has all of these.

By hand a client that is not installed is skipped, and the summary names it. In the session, which sets
TERRANE_CLIENTS, such a skip is a failure, but for the programs that it says the archive cannot give.
"""

from __future__ import annotations

import os

import pytest

MISSING = ("NOT TESTED", "NOT COMPARED")
"""How the reason of a skip begins when there is no such client."""


def _refuse(report) -> None:
    """Make a failure of a skip for a missing client, if all clients have to be there."""
    if not report.skipped or "TERRANE_CLIENTS" not in os.environ:
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    without = os.environ.get("TERRANE_WITHOUT", "").split()
    is_missing = any(word in reason for word in MISSING)
    if is_missing and not any(name in reason for name in without):
        report.outcome, report.longrepr = "failed", f"{reason}, but nox -s clients has to have it"


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    _refuse(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    _refuse(report)
    return report


@pytest.fixture(scope="module")
def height(request):
    """Return the heights of the test file's `LAND` on its `ROWS` and `COLUMNS`."""
    file = request.module
    return file.LAND.evaluate(file.LAND.grid((file.ROWS, file.COLUMNS))).height
