# SPDX-License-Identifier: GPL-3.0-or-later
"""The mask of a layer over the ground, in a real window. The scenario is in run_mask.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_every_step_succeeded():
    result = played("run_mask.py", ROOT / "build" / "gui_mask", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert result["steps"] and all(step["done"] for step in result["steps"])
