# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of layers in a real window. The scenario is in run_layers.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played

SCREENSHOTS = ROOT / "build" / "gui_layers"


def test_every_step_succeeded():
    result = played("run_layers.py", SCREENSHOTS, is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert result["steps"] and all(step["done"] for step in result["steps"])
