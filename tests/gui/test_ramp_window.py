# SPDX-License-Identifier: GPL-3.0-or-later
"""Ramps of colors in Blender's own widget. The scenario, with all that must be true in it, is in run_ramp.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_stops_are_dragged():
    result = played("run_ramp.py", ROOT / "build" / "gui_ramp", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 9
    assert all(step["done"] for step in result["steps"])
