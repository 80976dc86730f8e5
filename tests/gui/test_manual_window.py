# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual opens from a real window. The scenario, with all that must be true in it, is in run_manual.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_the_manual_opens_where_it_was_asked_for():
    result = played("run_manual.py", ROOT / "build" / "gui_manual", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 4
    assert all(step["done"] for step in result["steps"])
