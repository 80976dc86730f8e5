# SPDX-License-Identifier: GPL-3.0-or-later
"""A heightmap comes in through the file browser. The scenario, with all that must be true in it, is in run_import.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_a_heightmap_is_imported_through_the_file_browser():
    result = played("run_import.py", ROOT / "build" / "gui_import", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 7
    assert all(step["done"] for step in result["steps"])
