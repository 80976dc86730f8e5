# SPDX-License-Identifier: GPL-3.0-or-later
"""One undo step for each operator, whoever calls it. The scenario, with its draws, is in run_undo.py."""

from __future__ import annotations

from tests.drawing import IS_DEEP
from tests.gui.launch import LIMIT, ROOT, played

DEEP = 10 * LIMIT
"""Seconds for all draws."""


def test_what_an_operator_does_is_one_undo_step():
    limit = DEEP if IS_DEEP else LIMIT
    result = played("run_undo.py", ROOT / "build" / "gui_undo", limit, is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert result["steps"]
    assert all(step["done"] for step in result["steps"])
