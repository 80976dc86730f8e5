# SPDX-License-Identifier: GPL-3.0-or-later
"""One run in a real window. The scenario is in run_gui.py; the assertions on its results stand here."""

from __future__ import annotations

import pytest
from PIL import Image

from tests.gui.launch import ROOT, SCREEN, played

SCREENSHOTS = ROOT / "build" / "gui"


@pytest.fixture(scope="module")
def result() -> dict:
    """Return the results of the run in the window."""
    return played("run_gui.py", SCREENSHOTS, is_drawn_little=True)


def test_every_step_succeeded(result):
    assert result["error"] is None, result["error"]
    assert result["steps"]
    assert all(step["done"] for step in result["steps"])


def test_the_screenshots_show_something(result):
    pictures = sorted(SCREENSHOTS.glob("*.png"))
    assert len(pictures) >= 2
    for path in pictures:
        with Image.open(path) as picture:
            assert f"{picture.width}x{picture.height}" == SCREEN
            colors = picture.convert("RGB").getcolors(maxcolors=1 << 24)
            largest = max(count for count, _ in colors) / (picture.width * picture.height)
        assert len(colors) > 200, f"{path.name} is almost empty"
        assert largest < 0.9, f"{path.name} is mostly one color"


def test_the_terrain_is_seen(result):
    """A terrain beyond the end of the view would be made, selected and invisible."""
    with Image.open(SCREENSHOTS / "viewport_terrain.png") as picture:
        middle = picture.convert("L").crop((60, 200, 530, 700))
    shades = [count for count in middle.histogram() if count > 50]
    assert len(shades) > 60, "the middle of the viewport is empty, or shows the grid only"
