# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole session in a real window. The scenario, with all that must be true in it, is in run_session.py."""

from __future__ import annotations

from tests.gui.launch import LOW_SCREEN, ROOT, played


def test_twenty_changes_an_erosion_and_a_file():
    result = played("run_session.py", ROOT / "build" / "gui_session", screen=LOW_SCREEN)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 6
    assert all(step["done"] for step in result["steps"])
