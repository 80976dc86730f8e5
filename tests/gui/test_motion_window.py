# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain that moves, in a window. The scenario, with all that must be true in it, is in run_motion.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_a_terrain_plays_and_a_bake_ends():
    result = played("run_motion.py", ROOT / "build" / "gui_motion", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 6
    assert all(step["done"] for step in result["steps"])
