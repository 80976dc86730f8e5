# SPDX-License-Identifier: GPL-3.0-or-later
"""A planet in a real window. The assertions are in run_planet.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_a_planet_is_one_step_and_is_rendered():
    result = played("run_planet.py", ROOT / "build" / "gui_planet", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 3
    assert all(step["done"] for step in result["steps"])
