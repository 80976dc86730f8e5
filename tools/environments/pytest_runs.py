# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of pytest in sessions: their arguments, reports and temporary folders."""

from __future__ import annotations

import re

import nox

from .project import BUILD, ROOT, report_path

RANDOM_DRAWS = re.compile(r"^from tests(\.drawing import | import .*\bdrawing\b)", re.MULTILINE)
"""Import of the helper for random draws in a test file."""


def pytest_arguments(session: nox.Session, folder: str, marks: str = "") -> list[str]:
    """Return the arguments of pytest for a folder of tests with some marks, or for the files after ``--``.

    Each session has its own folder of temporary files: sessions that end at the same time would empty a common one.
    """
    report = report_path(session, "xml")
    (BUILD / "tests").mkdir(parents=True, exist_ok=True)
    arguments = [f"--junitxml={report}", f"--basetemp={BUILD / 'tests' / report.stem}"]
    arguments += session.posargs
    if any((ROOT / argument.split("::")[0]).is_file() for argument in session.posargs):
        return arguments
    return [*(("-m", marks) if marks else ()), folder, *arguments]


def run_pytest(
    session: nox.Session, folder: str, *options: str, marks: str = "", **env: str
) -> None:
    """Run the tests of a folder, those with some marks, under the session's Python.

    Sessions run in parallel, and the threads of the matrix library would wait for each other: on a busy machine
    that takes many times as long. In `blender_app` the library has its threads, as for users.
    """
    arguments = pytest_arguments(session, folder, marks)
    run = ("python", "-m", "pytest", *options, *arguments)
    session.run(*run, env={"OPENBLAS_NUM_THREADS": "1", **env})


def files_with_random_draws(folder: str) -> list[str]:
    """Return the test files of a folder whose cases are drawn at random."""
    files = sorted((ROOT / "tests" / folder).rglob("test_*.py"))
    drawn = [path for path in files if RANDOM_DRAWS.search(path.read_text(encoding="utf-8"))]
    return [str(path.relative_to(ROOT)) for path in drawn]
