# SPDX-License-Identifier: GPL-3.0-or-later
"""One run in a real window. The scenario is in run_pictures.py; here stands what must be true after it."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_pictures_are_seen_and_clicked():
    result = played("run_pictures.py", ROOT / "build" / "gui_pictures")
    assert result["error"] is None, result["error"]
    assert result["steps"] and all(step["done"] for step in result["steps"])
