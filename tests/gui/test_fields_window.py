# SPDX-License-Identifier: GPL-3.0-or-later
"""The five fields of noise on the first screen. The scenario is in run_fields.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played

SCREEN = "1600x900"


def test_the_fields_of_noise_are_on_the_first_screen_for_every_preset():
    folder = ROOT / "build" / "gui_fields"
    result = played("run_fields.py", folder, screen=SCREEN, is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 4
    assert all(step["done"] for step in result["steps"])
