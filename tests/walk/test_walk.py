# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/first_terrain.md tells, in a real window. The scenario is in tests/gui/run_walk.py.

It needs brushes, which Debian's Blender 4.3 comes without: ``nox -s walk`` takes the newest.
"""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from tests.gui.launch import ROOT, played

SCREENSHOTS = ROOT / "build" / "gui_walk"
KEPT = sorted((ROOT / "docs" / "images").glob("panel_*_*.png"))

UNLIKE = 48
"""Of 255, in any channel: what few colours and another processor change is less."""

TOLERANCE = 0.0005
"""Share of such pixels: fewer than another word has."""


@pytest.fixture(scope="module")
def result() -> dict:
    """Return what the run in the window left behind."""
    return played("run_walk.py", SCREENSHOTS)


def test_every_step_succeeded(result):
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 8
    assert all(step["done"] for step in result["steps"])


def test_every_state_of_the_panel_is_kept_in_both_themes(result):
    kept = [path.name for path in KEPT]
    assert kept == sorted(path.name for path in SCREENSHOTS.glob("panel_*.png"))
    states = {name.rsplit("_", 1)[0] for name in kept}
    assert sorted(f"{state}_{theme}.png" for state in states for theme in ("dark", "light")) == kept


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_panel_looks_as_it_did(result, path):
    """If it should not: look at both, then ``python tools/shrink_pictures.py build`` keeps the new one."""
    with Image.open(path) as kept, Image.open(SCREENSHOTS / path.name) as shown:
        drawn_by = kept.info["Blender"]
        if drawn_by != result["version"]:
            pytest.skip(f"{path.name} was drawn by Blender {drawn_by}, this is {result['version']}")
        assert kept.size == shown.size
        apart = ImageChops.difference(kept.convert("RGB"), shown.convert("RGB"))
        red, green, blue = apart.split()
        largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        count = sum(largest.histogram()[UNLIKE:])
    share = count / (largest.width * largest.height)
    assert share <= TOLERANCE, f"{share:.4%} of {path.name} look different"
