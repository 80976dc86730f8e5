# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise nodes in a real window. The scenario, with all that must be true in it, is in run_nodes.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, WIDE_SCREEN, played


def test_noise_nodes_lie_apart():
    result = played(
        "run_nodes.py", ROOT / "build" / "gui_nodes", screen=WIDE_SCREEN, is_drawn_little=True
    )
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 7
    assert all(step["done"] for step in result["steps"])
