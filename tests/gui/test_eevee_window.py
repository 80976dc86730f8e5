# SPDX-License-Identifier: GPL-3.0-or-later
"""Landscapes in EEVEE, which renders in a window only. The assertions are in run_eevee.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_eevee_shows_the_light_of_cycles():
    result = played("run_eevee.py", ROOT / "build" / "gui_eevee", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert "GPU_material_compile" not in result["printed"], "a material was not compiled"
    assert len(result["steps"]) == 4
    assert all(step["done"] for step in result["steps"])
