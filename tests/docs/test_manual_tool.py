# SPDX-License-Identifier: GPL-3.0-or-later
"""What the maker of the manual makes of Markdown, and what it refuses. The manual itself: tests/packaging."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tool():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        yield importlib.import_module("manual_pages")
    finally:
        sys.path.remove(str(ROOT / "tools"))


@pytest.fixture
def read(tool, tmp_path):
    """Return a function that reads a text as a page does its file."""

    def read(text):
        path = tmp_path / "page.md"
        path.write_text(text, encoding="utf-8")
        return tool.read(path)

    return read


def test_a_page_without_a_place_in_the_contents_is_refused(tool, tmp_path):
    for name in (*(one for names in tool.CONTENTS.values() for one in names), "lakes"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nText.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"\['lakes'\]"):
        tool.pages(tmp_path)


def test_a_link_to_what_is_not_in_the_manual_is_refused(tool, read):
    known = {"layers": "layers.html", "layers#masks": "layers.html#masks"}
    for address in ("../noise_core/grid.py", "lakes.md", "layers.md#lakes"):
        with pytest.raises(ValueError, match="docs/relief.md links to"):
            tool.link(read(f"[this]({address})"), "relief", known)


def test_links_lead_to_pages_and_their_anchors(tool, read):
    known = {"layers": "layers.html", "layers#masks": "layers.html#masks", "relief#a": "relief.html#a"}  # fmt: skip
    tokens = read("[one](layers.md) [two](layers.md#masks) [three](#a) [four](https://a.b/c.md)")
    tool.link(tokens, "relief", known)
    found = [one.attrGet("href") for one in tool.children(tokens) if one.type == "link_open"]
    assert found == ["layers.html", "layers.html#masks", "relief.html#a", "https://a.b/c.md"]


def test_parameters_get_anchors_and_other_tables_none(tool, read):
    tokens = read("| parameter | x |\n| --- | --- |\n| `depth` | 1 |\n\n| mode | x |\n| --- | --- |\n| mix | 1 |\n")  # fmt: skip
    tool.name_rows(tokens)
    text = tool.rendered(tokens)
    assert '<tr id="depth">' in text and text.count("id=") == 1


def test_two_things_of_one_name_are_refused(tool, read):
    with pytest.raises(ValueError, match=r"\['depth'\]"):
        tool.name_rows(read("# Depth\n\n| parameter | x |\n| --- | --- |\n| `depth` | 1 |\n"))


def test_heads_without_a_word_are_left_out_and_others_stay(tool, read):
    empty = tool.rendered(read("| | |\n| --- | --- |\n| one | two |\n"))
    assert "<th" not in empty and "<td>one</td>" in empty
    half = tool.rendered(read("| | a |\n| --- | --- |\n| one | two |\n"))
    assert half.count("<th>") == 2


def test_each_type_of_the_reference_becomes_a_page(tool):
    listed = {page.name: page for page in tool.pages(ROOT / "docs")}
    below = {page.name: page for page in listed["reference"].children}
    assert {"noise_perlin", "modifier_blur", "map_slope", "mask_layer", "coloring_marble"} < set(below)  # fmt: skip
    assert {"surface_marble", "operator_terrain_add", "preferences"} < set(below)
    assert below["noise_perlin"].title == "Perlin"
    text = tool.rendered(below["noise_perlin"].tokens)
    assert 0 < text.index("<table") < text.index("<strong>Notes.</strong>")
    known = tool.targets(list(listed.values()))
    assert known["reference#surfaces"] == "reference.html#surfaces"
    assert known["reference#perlin-perlin-key-perlin"] == "noise_perlin.html"


def test_a_headings_anchor_is_that_of_code_forges(tool):
    assert tool.slug("4. Change the `seed`, twice") == "4-change-the-seed-twice"
