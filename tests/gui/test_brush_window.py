# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain brush in a window. The scenario, with all that must be true in it, is in run_brush.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_strokes_are_drawn_by_the_mouse():
    result = played("run_brush.py", ROOT / "build" / "gui_brush")
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 5
    assert all(step["done"] for step in result["steps"])
