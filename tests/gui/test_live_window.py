# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update in a real window. The scenario, with all that must be true in it, is in run_live.py."""

from __future__ import annotations

from tests.gui.launch import LOW_SCREEN, ROOT, played


def test_terrains_follow_their_sliders_through_undo_and_long_work():
    result = played("run_live.py", ROOT / "build" / "gui_live", screen=LOW_SCREEN)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) >= 14
    assert all(step["done"] for step in result["steps"])
