# SPDX-License-Identifier: GPL-3.0-or-later
"""A moving terrain that a window exports and renders. The scenario, with all that must be true in it, is in run_moving_exports.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_exports_in_the_background_carry_the_motion():
    folder = ROOT / "build" / "gui_moving_exports"
    result = played("run_moving_exports.py", folder, is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 5
    assert all(step["done"] for step in result["steps"])
    # Reports of a window are printed too.
    assert result["printed"].count("stand still: they share a mesh") == 1, result["printed"]
