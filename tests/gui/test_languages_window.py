# SPDX-License-Identifier: GPL-3.0-or-later
"""Every language in a real window. The scenario, with all that must be true in it, is in run_languages.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_the_interface_speaks_every_language():
    result = played("run_languages.py", ROOT / "build" / "gui_languages", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) >= 5
    assert all(step["done"] for step in result["steps"])
