# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves drawn on a terrain by the mouse. The scenario, with all that must be true in it, is in run_draw.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_curves_are_drawn_chosen_and_moved():
    result = played("run_draw.py", ROOT / "build" / "gui_draw", screen="1280x900")
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 5
    assert all(step["done"] for step in result["steps"])
