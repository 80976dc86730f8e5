# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels at 100 % and 200 % scale, in both themes. The scenario is in run_scales.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_panels_at_both_scales_and_in_both_themes():
    result = played("run_scales.py", ROOT / "build" / "gui_scales", screen="1600x1100")
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 6
    assert all(step["done"] for step in result["steps"])
