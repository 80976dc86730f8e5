# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual in the zip is whole: every link leads somewhere, nothing lies there unused."""

from __future__ import annotations

import html
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "manual/"
LARGEST = 600_000
"""Bytes that the manual may take in the zip."""


class Page(HTMLParser):
    """The anchors, links and pictures of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.pictures: list[dict[str, str]] = []
        self.tags: Counter[str] = Counter()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note the tag, its anchor and its links."""
        given = {key: value or "" for key, value in attrs}
        self.tags[tag] += 1
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "img":
            self.pictures.append(given)
        self.links += [given[key] for key in ("href", "src") if key in given]


@pytest.fixture(scope="module")
def names(extension_zip: Path) -> set[str]:
    """Return the names of all files of the zip."""
    with zipfile.ZipFile(extension_zip) as package:
        return set(package.namelist())


@pytest.fixture(scope="module")
def pages(extension_zip: Path) -> dict[str, Page]:
    """Return the pages of the manual by their names in the zip."""
    with zipfile.ZipFile(extension_zip) as package:
        results = [name for name in package.namelist() if name.startswith(FOLDER)]
        assert f"{FOLDER}index.html" in results, "python tools/make_shipped.py makes the manual"
        listed = [one for one in results if one.endswith(".html")]
        return {name: Page(package.read(name).decode("utf-8")) for name in listed}


def links(pages: dict[str, Page]) -> Iterator[tuple[str, str, str, str]]:
    """Yield each link: the page, the address, and the file and the anchor that it leads to."""
    for name, page in pages.items():
        for address in page.links:
            path, _, anchor = address.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            yield name, address, target if path else name, anchor


NUMBERS = ("bounds.md", "comparison.md", "recipes_by_programs.md")
"""Pages with proofs and sources, and one for programs, which the site alone has."""


def test_every_page_for_users_is_in_and_none_for_developers(pages):
    docs = ROOT / "docs"
    found = {*docs.glob("*.md"), *docs.glob("targets/*.md")} - {docs / name for name in NUMBERS}
    sources = {path.relative_to(docs).with_suffix(".html").as_posix() for path in found}
    assert len(sources) > 20
    assert {f"{FOLDER}{name}" for name in sources} - set(pages) == set()
    folders = {name.removeprefix(FOLDER).rpartition("/")[0] for name in pages}
    assert folders == {"", "reference", "targets"}


def test_every_link_leads_to_a_file_of_the_manual(pages, names):
    lost = {
        (name, address)
        for name, address, target, _ in links(pages)
        if target not in names or not target.startswith(FOLDER)
    }
    assert lost == set()


def test_every_anchor_that_a_link_names_is_there(pages):
    named = [link for link in links(pages) if link[3]]
    assert len(named) > 50
    lost = {one[:2] for one in named if one[3] not in pages[one[2]].ids}
    assert lost == set()


def test_every_page_and_picture_is_led_to(pages, names):
    used = {target for _, _, target, _ in links(pages)}
    there = {name for name in names if name.startswith(FOLDER) and not name.endswith("/")}
    assert there - used == set()


def test_anchors_are_unique_on_their_page(pages):
    twice = {
        (name, one) for name, page in pages.items() for one in page.ids if page.ids.count(one) > 1
    }
    assert twice == set()


def test_the_reference_has_everything_that_the_core_registers(pages):
    anchors = {one for name, page in pages.items() if "/reference/" in name for one in page.ids}
    folders = {"noises": "noise", "modifiers": "modifier", "materials/colorings": "coloring"}
    for folder, kind in folders.items():
        modules = {path.stem for path in (ROOT / "noise_core" / folder).glob("[!_]*.py")}
        told = {
            one.removeprefix(f"{kind}_")
            for one in anchors
            if one.startswith(f"{kind}_") and "." not in one
        }
        assert len(modules) > 5 and modules == told


def test_no_two_files_differ_in_upper_case_alone(names):
    # Windows and macOS would keep one of them.
    assert len({name.casefold() for name in names}) == len(names)


def test_every_page_has_one_title_and_the_style(pages):
    for name, page in pages.items():
        assert (page.tags["h1"], page.tags["title"]) == (1, 1), name
        assert any(link.endswith("manual.css") for link in page.links), name


def test_pictures_say_how_large_they_are(pages, extension_zip):
    # Without it the text moves while they load, away from the anchor that was asked for.
    for name, page in pages.items():
        for picture in page.pictures:
            assert int(picture["width"]) > 0 and int(picture["height"]) > 0, (name, picture)


def test_it_needs_neither_network_nor_scripts(pages, extension_zip):
    loaded = [
        link for page in pages.values() for link in page.links if re.match(r"[a-z]+:|//", link)
    ]
    assert loaded == []
    assert [name for name, page in pages.items() if {"script", "iframe"} & set(page.tags)] == []
    with zipfile.ZipFile(extension_zip) as package:
        style = package.read(f"{FOLDER}manual.css").decode("utf-8")
    assert "url(" not in style and "@import" not in style


def test_it_is_small(extension_zip):
    with zipfile.ZipFile(extension_zip) as package:
        results = [one for one in package.infolist() if one.filename.startswith(FOLDER)]
    assert 0 < sum(one.compress_size for one in results) <= LARGEST
    pictures = [one for one in results if one.filename.endswith(".webp")]
    assert len(pictures) < 20 and all(one.file_size < 20_000 for one in pictures)


def test_the_first_terrain_has_its_pictures(pages):
    shown = {Path(picture["src"]).stem for picture in pages[f"{FOLDER}first_terrain.html"].pictures}
    drawn = {path.stem for path in (ROOT / "docs" / "images").glob("first_terrain_*")}
    assert shown == drawn and len(shown) > 5


def test_the_manual_names_the_holders_of_facts_in_the_zip(extension_zip: Path):
    with zipfile.ZipFile(extension_zip) as package:
        told = html.unescape(package.read(f"{FOLDER}licenses.html").decode("utf-8"))
        license_text = package.read("LICENSE").decode("utf-8")
    assert "GNU GENERAL PUBLIC LICENSE" in license_text and "Terrane contributors" in told
    assert "Oil & Gas Producers" in " ".join(told.split())
    assert "Jimmy Hazevoet" in told
    assert "United States Geological Survey" in " ".join(told.split())
