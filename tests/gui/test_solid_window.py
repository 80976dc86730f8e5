# SPDX-License-Identifier: GPL-3.0-or-later
"""Solid view is as bright as the pictures. The scenario, with all that must be true in it, is in run_solid.py."""

from __future__ import annotations

from tests.gui.launch import LOW_SCREEN, ROOT, played


def test_solid_view_is_as_bright_as_the_pictures():
    result = played("run_solid.py", ROOT / "build" / "gui_solid", screen=LOW_SCREEN)
    assert result["error"] is None, result["error"]
    assert all(step["done"] for step in result["steps"])
