# SPDX-License-Identifier: GPL-3.0-or-later
"""A landscape by the mouse. The scenario, with all that must be true in it, is in run_landscape.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_a_stranger_gets_a_landscape():
    result = played("run_landscape.py", ROOT / "build" / "gui_landscape")
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 6
    assert all(step["done"] for step in result["steps"])
