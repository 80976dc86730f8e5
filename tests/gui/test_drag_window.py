# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of any size, dragged. The scenario, with all that must be true in it, is in run_drag.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_numbers_of_any_size_can_be_dragged():
    result = played("run_drag.py", ROOT / "build" / "gui_drag", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 3
    assert all(step["done"] for step in result["steps"])
