# SPDX-License-Identifier: GPL-3.0-or-later
"""A moving terrain that a window exports and renders. The scenario, with all that must be true in it, is in run_moving_exports.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_exports_and_renders_of_a_moving_terrain():
    """Exports are played where Blender has the exporters; see also test_moving_exports.py, which lets one work in a thread."""
    folder = ROOT / "build" / "gui_moving_exports"
    result = played("run_moving_exports.py", folder, is_drawn_little=True)
    assert result["error"] is None, result["error"]
    titles = [step["title"] for step in result["steps"]]
    for name in ("alembic", "usd"):
        is_built_in = name in result["printed"].partition("gui: exporters:")[2].partition("]")[0]
        assert is_built_in == any(f"to {name}" in title for title in titles)
    assert len([title for title in titles if "export it" not in title]) == 3
    assert all(step["done"] for step in result["steps"])
    # Reports of a window are printed too.
    assert result["printed"].count("stand still: they share a mesh") == 1, result["printed"]
