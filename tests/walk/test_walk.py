# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of docs/first_terrain.md and the panels of docs/panels.md, in a real window.

The scenarios are in tests/gui/run_walk.py and run_panels.py. The walk needs brushes, which Debian's Blender 4.3 comes without: ``nox -s walk`` takes the newest.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.gui.launch import ROOT, played

SCENARIOS = {"walk": 10, "panels": 11}
"""What is played, and its steps; what comes of it is found in build/gui_<name>/."""

SCREENS = {"walk": "1200x900", "panels": "1600x900"}
"""Pixels of the virtual screens. What lies behind the sidebar is in the pictures of panels too."""

KEPT = sorted((ROOT / "docs" / "images").glob("panel_*_*.png"))

UNLIKE = 48
"""Of 255, in any channel: what few colors and another processor change is less, but for a few pixels."""

TILE = 24
"""Pixels along a side; any word fills the better part of such a square."""

TOLERANCE = 25
"""Pixels of a tile that may be unlike: half as many as the shortest word has, twice those of a preview
in few colors."""


WORD = (272, 8, 286, 40)
"""Where every picture has the word Item, or Tool, on the first of the sidebar's tabs."""


@functools.cache
def _result(name: str) -> dict:
    """Return the results of a run in the window; the first test that needs it plays it."""
    return played(f"run_{name}.py", _folder(name), screen=SCREENS[name])


def _folder(name: str) -> Path:
    return ROOT / "build" / f"gui_{name}"


def _shown() -> dict[str, Path]:
    """Return the pictures of panels that were taken now, by name."""
    for name in SCENARIOS:
        _result(name)
    return {path.name: path for name in SCENARIOS for path in _folder(name).glob("panel_*.png")}


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_step_succeeded(name):
    result = _result(name)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == SCENARIOS[name]
    assert all(step["done"] for step in result["steps"])


def test_every_state_of_the_panel_is_kept_in_both_themes():
    kept = [path.name for path in KEPT]
    assert kept == sorted(_shown())
    states = {name.rsplit("_", 1)[0] for name in kept}
    assert sorted(f"{state}_{theme}.png" for state in states for theme in ("dark", "light")) == kept


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_panel_looks_as_it_did(path):
    """If it should not: look at both, then ``python tools/shrink_pictures.py build`` keeps the new one."""
    with Image.open(path) as kept, Image.open(_shown()[path.name]) as shown:
        drawn_by, version = kept.info["Blender"], _result("walk")["version"]
        if _series(drawn_by) != _series(version):
            pytest.skip(f"{path.name} was drawn by Blender {drawn_by}, this is {version}")
        assert kept.size == shown.size
        count = _largest_change(kept.convert("RGB"), shown.convert("RGB"))
    assert count <= TOLERANCE, f"{path.name} looks different: {count} pixels in a tile"


def _series(version: str) -> list[str]:
    """Return the two numbers of a version that panels look the same in: 5.2 of 5.2.2 LTS."""
    return version.split(".")[:2]


def test_a_word_that_is_gone_would_be_seen():
    for path in KEPT:
        with Image.open(path) as kept:
            whole = kept.convert("RGB")
        cut = whole.copy()
        left, top, right, bottom = WORD
        cut.paste(whole.getpixel((left, top)), (left, top, right, bottom))
        assert _largest_change(whole, cut) > TOLERANCE, path.name


def _largest_change(first: Image.Image, second: Image.Image) -> int:
    """Return how many pixels are unlike in that tile where most are."""
    red, green, blue = ImageChops.difference(first, second).split()
    largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    unlike = largest.point([255 if value >= UNLIKE else 0 for value in range(256)])
    step = TILE // 2
    return max(
        unlike.crop((x, y, x + TILE, y + TILE)).histogram()[255]
        for y in range(0, unlike.height, step)
        for x in range(0, unlike.width, step)
    )
