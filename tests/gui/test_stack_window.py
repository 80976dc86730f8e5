# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of layers by the mouse. The scenario, with all that must be true in it, is in run_stack.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_layers_are_added_moved_muted_and_shown_alone():
    result = played("run_stack.py", ROOT / "build" / "gui_stack", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 6
    assert all(step["done"] for step in result["steps"])
