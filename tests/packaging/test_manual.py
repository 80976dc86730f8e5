# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual in the zip is whole: every link leads somewhere, nothing lies there unused."""

from __future__ import annotations

import json
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
PLACES = "manual/at/"


class Page(HTMLParser):
    """What a page has and what it asks for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.pictures: list[dict[str, str]] = []
        self.tags: Counter[str] = Counter()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Keep what matters of a tag."""
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
    """Return every page of the manual by its name in the zip, but for those that only lead to anchors."""
    with zipfile.ZipFile(extension_zip) as package:
        found = [name for name in package.namelist() if name.startswith(FOLDER)]
        assert f"{FOLDER}index.html" in found, "python tools/make_manual.py makes the manual"
        html = [one for one in found if one.endswith(".html") and not one.startswith(PLACES)]
        return {name: Page(package.read(name).decode("utf-8")) for name in html}


def asked(pages: dict[str, Page]) -> Iterator[tuple[str, str, str, str]]:
    """Yield each link: the page, the address, and the file and the anchor that it leads to."""
    for name, page in pages.items():
        for address in page.links:
            path, _, anchor = address.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            yield name, address, target if path else name, anchor


def test_every_page_of_the_documentation_is_in(pages):
    sources = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert {f"{FOLDER}{name}.html" for name in sources} - set(pages) == set()


def test_every_link_leads_to_a_file_of_the_manual(pages, names):
    lost = {
        (name, address)
        for name, address, target, _ in asked(pages)
        if target not in names or not target.startswith(FOLDER)
    }
    assert lost == set()


def test_every_anchor_that_a_link_names_is_there(pages):
    named = [one for one in asked(pages) if one[3]]
    assert len(named) > 50
    lost = {one[:2] for one in named if one[3] not in pages[one[2]].ids}
    assert lost == set()


def test_every_page_and_picture_is_led_to(pages, names):
    used = {target for _, _, target, _ in asked(pages)} | {f"{FOLDER}anchors.json"}
    there = {name for name in names if name.startswith(FOLDER) and not name.endswith("/")}
    there -= {name for name in there if name.startswith(PLACES)}
    assert there - used == set()


def test_anchors_are_unique_on_their_page(pages):
    twice = {
        (name, one) for name, page in pages.items() for one in page.ids if page.ids.count(one) > 1
    }
    assert twice == set()


def test_the_list_of_anchors_is_that_of_the_pages(pages, extension_zip):
    with zipfile.ZipFile(extension_zip) as package:
        listed = json.loads(package.read(f"{FOLDER}anchors.json"))
    there = {Path(name).stem: page.ids for name, page in pages.items()}
    del there["index"]
    assert listed == there


def test_every_anchor_has_a_page_that_leads_there_and_no_other_has(pages, extension_zip):
    wanted = {
        f"{PLACES}{Path(name).stem}/{anchor}.html": f"../../{Path(name).name}#{anchor}"
        for name, page in pages.items()
        for anchor in page.ids
        if anchor.isascii() and name != f"{FOLDER}index.html"
    }
    with zipfile.ZipFile(extension_zip) as package:
        found = [one for one in package.namelist() if one.startswith(PLACES) and one[-1] != "/"]
        texts = {name: package.read(name).decode("utf-8") for name in found}
    assert len(wanted) > 500 and set(texts) == set(wanted)
    for name, target in wanted.items():
        assert Page(texts[name]).links == [target]
        assert f'content="0; url={target}"' in texts[name]
        assert f'location.replace("{target}")' in texts[name]


def test_no_two_files_differ_in_upper_case_alone(names):
    # Windows and macOS would keep one of them.
    assert len({name.casefold() for name in names}) == len(names)


def test_every_page_has_one_title_and_the_style(pages):
    for name, page in pages.items():
        assert (page.tags["h1"], page.tags["title"]) == (1, 1), name
        assert "style.css" in page.links, name


def test_pictures_say_how_large_they_are(pages, extension_zip):
    # Without it the text moves while they load, away from the anchor that was asked for.
    for name, page in pages.items():
        for picture in page.pictures:
            assert int(picture["width"]) > 0 and int(picture["height"]) > 0, (name, picture)


def test_it_needs_no_network(pages, extension_zip):
    loaded = [one for page in pages.values() for one in page.links if re.match(r"[a-z]+:|//", one)]
    assert loaded == []
    with zipfile.ZipFile(extension_zip) as package:
        style = package.read(f"{FOLDER}style.css").decode("utf-8")
    assert "url(" not in style and "@import" not in style


def test_the_first_terrain_has_its_pictures(pages):
    shown = {Path(one["src"]).stem for one in pages[f"{FOLDER}first_terrain.html"].pictures}
    drawn = {path.stem for path in (ROOT / "docs" / "images").glob("first_terrain_*")}
    assert shown == drawn and len(shown) > 5
