# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that show renders say what they were made with: the engine, its samples, and the vertices."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
HERO = "hero_landscape.jpg"
RENDER = re.compile(
    r"images/(render_\w+|hero_\w+|motion|first_terrain_rendered|curves_\w+|footprints_\w+|stamps|brushes)\.(jpg|webp)"
)
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / "tools" / "docs").rglob("gallery.md"),
]
SHOWING = [
    page
    for page in PAGES
    if page.name == "gallery.md" or RENDER.search(page.read_text(encoding="utf-8"))
]


def test_some_pages_show_renders():
    assert {page.name for page in SHOWING} >= {"README.md", "index.md", "gallery.md", "planets.md"}


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: page.stem)
def test_a_page_says_what_its_renders_were_made_with(page):
    text = page.read_text(encoding="utf-8")
    assert "Cycles" in text
    if page.name != "first_terrain.md":  # the walk's own, with the settings on its page
        assert re.search(r"Cycles\W+\(\d+ samples", text), page
        assert re.search(r"\d+ (vertices|faces)", text), page


def caption(name: str) -> str:
    """Return how a landscape was rendered: as its file says, else as the tool renders it and as large as it is."""
    with Image.open(IMAGES / name) as picture:
        width, height = picture.size
        comment = picture.info.get("comment", b"").decode("utf-8")
    constant = "HERO" if name == HERO else "LANDSCAPE"
    tool = (ROOT / "tools" / "environments" / "pictures.py").read_text(encoding="utf-8")
    line = re.search(rf"^{constant} = .*", tool, re.MULTILINE)[0]
    options = dict(re.findall(r"--(resolution|pixels|samples) (\d+)", line))
    size = f"{width} x {height} pixels"
    made = (
        f"Cycles ({options['samples']} samples, {size}) at {options['resolution']} vertices a side"
    )
    assert not comment or size in comment, name
    return comment or made


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "tools/docs/templates/gallery.md"])
def test_captions_are_what_the_files_say(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    shown = re.findall(rf"images/(render_\w+\.jpg|{HERO})", text)
    shown += [path.name for path in IMAGES.glob("render_*.jpg")] if page.endswith("y.md") else []
    assert len(shown) >= 3
    assert {name: caption(name) for name in shown if caption(name) not in text} == {}


def test_the_wide_picture_is_wide_small_and_says_how_it_was_made():
    with Image.open(IMAGES / HERO) as picture:
        assert picture.size == (1920, 1080)
        assert picture.info["comment"].startswith(b"Cycles (")
    assert (IMAGES / HERO).stat().st_size < 300_000
