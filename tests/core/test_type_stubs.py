# SPDX-License-Identifier: GPL-3.0-or-later
"""Type checkers see the registered types of the folders of types."""

from __future__ import annotations

import pytest

from tools.type_stubs import stubs

pytestmark = pytest.mark.newest


def test_the_stubs_are_those_of_the_registered_types():
    stale = [str(path) for path, text in stubs().items() if path.read_text() != text]
    assert stale == [], "run python tools/type_stubs.py"
