# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual in the zip is whole: every link leads somewhere, nothing lies there unused."""

from __future__ import annotations

import html
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

NOTICE = re.compile(
    r"Copyright ?(?:\(c\) ?)?(?:\d{4}(?:-\d{4})? )?(?:by )?([\w\"', -]+?)(?= and |\.|\*|<|-->|\n|$)",
    re.IGNORECASE,
)
"""Notice of a copyright in a script, a style sheet or an icon, and its holder."""

TRACES = {
    "md-typeset": "Martin Donath",
    "clipboard.js": "Zeno Rocha",
    "js-focus-visible": "World Wide Web Consortium",
    "ObjectUnsubscribedError": "Google, Inc.",
    "Fonticons": "Fonticons, Inc.",
}
"""What works leave in minified scripts and style sheets, and their holders."""


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
    """Return the pages of the manual by their names in the zip, without those that only lead to anchors."""
    with zipfile.ZipFile(extension_zip) as package:
        results = [name for name in package.namelist() if name.startswith(FOLDER)]
        assert f"{FOLDER}index.html" in results, "python tools/make_manual.py makes the manual"
        listed = [one for one in results if one.endswith(".html") and not one.startswith(PLACES)]
        return {name: Page(package.read(name).decode("utf-8")) for name in listed}


def links(pages: dict[str, Page]) -> Iterator[tuple[str, str, str, str]]:
    """Yield each link: the page, the address, and the file and the anchor that it leads to."""
    for name, page in pages.items():
        for address in page.links:
            path, _, anchor = address.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            yield name, address, target if path else name, anchor


def anchors_of(page: Page) -> set[str]:
    """Return the anchors of a page's text, without those of the theme."""
    return {one for one in page.ids if one.isascii() and not one.startswith("__")}


def test_every_page_for_users_is_in_and_none_for_developers(pages):
    docs = ROOT / "docs"
    found = (*docs.glob("*.md"), *docs.glob("targets/*.md"))
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
    unused = there - used - {name for name in there if name.startswith(PLACES)}
    by_scripts = r"manual/(anchors\.json|search/search_index\.js|assets/javascripts/workers/search\.\w+\.min\.js)"
    assert {name for name in unused if not re.fullmatch(by_scripts, name)} == set()


def test_anchors_are_unique_on_their_page(pages):
    twice = {
        (name, one) for name, page in pages.items() for one in page.ids if page.ids.count(one) > 1
    }
    assert twice == set()


@pytest.fixture(scope="module")
def anchors(extension_zip: Path) -> dict[str, list[str]]:
    """Return the list of anchors that the extension reads."""
    with zipfile.ZipFile(extension_zip) as package:
        return json.loads(package.read(f"{FOLDER}anchors.json"))


def place_of(page: str, anchor: str, anchors: dict[str, list[str]]) -> str:
    """Return the page below at/ that leads to an anchor."""
    subject, _, name = anchor.partition(".")
    if subject in anchors and page.startswith("reference/"):
        return f"{PLACES}{subject}/{name}.html" if name else f"{PLACES}{subject}.html"
    return f"{PLACES}{page.removesuffix('.html')}/{anchor}.html"


def test_every_anchor_has_a_page_that_leads_there_and_no_other_has(pages, anchors, extension_zip):
    expected = {}
    for name, page in pages.items():
        own = name.removeprefix(FOLDER)
        for anchor in anchors_of(page):
            if not own.startswith("reference/") or anchor.partition(".")[0] in anchors:
                place = place_of(own, anchor, anchors)
                up = "../" * (place.count("/") - 1)
                expected[place] = f"{up}{own}#{anchor}"
    with zipfile.ZipFile(extension_zip) as package:
        results = [one for one in package.namelist() if one.startswith(PLACES) and one[-1] != "/"]
        texts = {name: package.read(name).decode("utf-8") for name in results}
    assert len(expected) > 500 and set(texts) == set(expected)
    for name, target in expected.items():
        assert Page(texts[name]).links == [target]
        assert f'content="0; url={target}"' in texts[name]


def test_the_list_of_anchors_is_that_of_the_places(anchors, names):
    listed = {
        f"{PLACES}{subject}/{name}.html" for subject, found in anchors.items() for name in found
    }
    there = {name for name in names if name.startswith(PLACES) and name[-1] != "/"}
    whole = {name for name in there if name.count("/") == 2}
    assert there - whole == listed
    assert {f"{PLACES}noise_perlin.html", f"{PLACES}operator_terrain_add.html"} < whole


def test_the_reference_has_everything_that_the_core_registers(anchors):
    folders = {"noises": "noise", "modifiers": "modifier", "materials/colorings": "coloring"}
    for folder, kind in folders.items():
        modules = {path.stem for path in (ROOT / "noise_core" / folder).glob("[!_]*.py")}
        told = {
            anchor.removeprefix(f"{kind}_") for anchor in anchors if anchor.startswith(f"{kind}_")
        }
        assert len(modules) > 5 and modules == told


def test_no_two_files_differ_in_upper_case_alone(names):
    # Windows and macOS would keep one of them.
    assert len({name.casefold() for name in names}) == len(names)


def test_every_page_has_one_title_and_the_style(pages):
    for name, page in pages.items():
        assert (page.tags["h1"], page.tags["title"]) == (1, 1), name
        assert any(link.endswith("assets/terrane.css") for link in page.links), name


def test_pictures_say_how_large_they_are(pages, extension_zip):
    # Without it the text moves while they load, away from the anchor that was asked for.
    for name, page in pages.items():
        for picture in page.pictures:
            assert int(picture["width"]) > 0 and int(picture["height"]) > 0, (name, picture)


def test_it_needs_no_network(pages, extension_zip):
    loaded = [
        link for page in pages.values() for link in page.links if re.match(r"[a-z]+:|//", link)
    ]
    assert loaded == []
    with zipfile.ZipFile(extension_zip) as package:
        styles = [name for name in package.namelist() if re.match(r"manual/.*\.css$", name)]
        texts = [package.read(name).decode("utf-8") for name in styles]
    assert len(texts) > 2
    for text in texts:
        assert re.findall(r"url\((?!['\"]?data:)[^)]*\)|@import[^;]*", text) == []


def test_the_search_works_from_disk(pages, extension_zip):
    # A browser neither fetches files from disk nor runs workers there: the index is a script, and so is the
    # stand-in for workers, before the theme's own script.
    with zipfile.ZipFile(extension_zip) as package:
        text = package.read(f"{FOLDER}search/search_index.js").decode("utf-8")
    index = json.loads(text.removeprefix("var __index = "))
    found = {one["location"] for one in index["docs"]}
    assert {"reference/noises_basic.html#noise_perlin", "layers.html#masks"} < found
    for page in pages.values():
        scripts = [link for link in page.links if link.endswith(".js")]
        assert [Path(script).name.partition(".")[0] for script in scripts] == [
            "iframe-worker",
            "bundle",
        ]


def test_the_first_terrain_has_its_pictures(pages):
    shown = {Path(picture["src"]).stem for picture in pages[f"{FOLDER}first_terrain.html"].pictures}
    drawn = {path.stem for path in (ROOT / "docs" / "images").glob("first_terrain_*")}
    assert shown == drawn and len(shown) > 5


def test_the_manual_names_the_holders_of_everything_in_it(extension_zip: Path):
    with zipfile.ZipFile(extension_zip) as package:
        texts = {
            name: package.read(name).decode("utf-8")
            for name in package.namelist()
            if name.startswith(f"{FOLDER}assets/") and name.endswith((".js", ".css"))
        }
        told = html.unescape(package.read(f"{FOLDER}licenses.html").decode("utf-8"))
        license_text = package.read("LICENSE").decode("utf-8")
    assert "GNU GENERAL PUBLIC LICENSE" in license_text and "Terrane contributors" in told
    assert "Oil & Gas Producers" in " ".join(told.split())  # of facts in noise_core
    holders = {match[1].strip(" .,") for text in texts.values() for match in NOTICE.finditer(text)}
    assert holders >= {"Oliver Nightingale", "TJ Holowaychuk", "Andreas Lubbe"}
    assert {holder for holder in holders if holder not in told} == set()
    scripts = "".join(texts.values())
    for trace, holder in TRACES.items():
        assert trace in scripts and holder in told, holder
