# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that show renders say what they were made with: the engine, its samples, and the vertices."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


def test_the_numbers_are_those_of_the_tools():
    tool = (ROOT / "tools" / "environments" / "pictures.py").read_text(encoding="utf-8")
    options = dict(
        re.findall(r"--(resolution|pixels|samples) (\d+)", re.search(r"LANDSCAPE = .*", tool)[0])
    )
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    width = int(options["pixels"])
    said = f"({options['samples']} samples, {width} x {width * 9 // 16} pixels) at {options['resolution']} vertices"
    assert said in " ".join(text.split())
