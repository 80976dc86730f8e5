# SPDX-License-Identifier: GPL-3.0-or-later
"""The site has every page, and every link in it leads somewhere. The manual in the zip: tests/packaging."""

from __future__ import annotations

import html
import json
import posixpath
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from tools.make_shipped import CONFIGURATION, build

ROOT = Path(__file__).resolve().parents[2]


class Page(HTMLParser):
    """The anchors and the links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note the anchor and the links of a tag."""
        given = {key: value or "" for key, value in attrs}
        self.anchors.add(given.get("id", ""))
        self.links += [given[key] for key in ("href", "src") if key in given]


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Return the pages by their addresses in the site; the one about missing pages stands nowhere."""
    found = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    del found["404.html"]
    return {name: Page(path.read_text(encoding="utf-8")) for name, path in found.items()}


def test_every_page_of_docs_is_in(pages):
    sources = (path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md"))
    assert {source.with_suffix(".html").as_posix() for source in sources} - set(pages) == set()


def test_every_link_leads_somewhere(pages, site):
    count = 0
    lost = set()
    for name, page in pages.items():
        for address in page.links:
            if re.match(r"[a-z]+:", address):
                continue
            path, _, anchor = address.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            target = target if path else name
            count += 1
            is_there = (site / target).is_file()
            if not is_there or (anchor and anchor not in pages[target].anchors):
                lost.add((name, address))
    assert count > 2000
    assert lost == set()


def test_one_address_leads_to_a_place_in_the_site_and_in_the_manual(pages, tmp_path):
    # The operators' addresses are made of the manual's pages: operators/bridge/interface/manual.py.
    build(CONFIGURATION, tmp_path)
    manual = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.html")}
    assert set(manual) - set(pages) == set()
    anchors = {
        (name, anchor)
        for name, path in manual.items()
        for anchor in Page(path.read_text(encoding="utf-8")).anchors - {"", "contents"}
    }
    assert len(anchors) > 1500
    assert {(name, one) for name, one in anchors if one not in pages[name].anchors} == set()


def test_the_contents_have_six_groups_of_pages_for_users():
    class Loader(yaml.SafeLoader):
        """Reads nothing of Python that the settings may name."""

    contents = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)["nav"]
    (use,) = (entry["Use"] for entry in contents if "Use" in entry)
    assert [isinstance(group, dict) for group in use] == [True] * 6


def test_a_search_for_slow_finds_the_page_on_speed(site):
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    titled = {
        entry["location"].partition("#")[0]
        for entry in index["docs"]
        if "slow" in entry["title"].lower().split()
    }
    assert "speed.html" in titled


def test_pictures_open_at_full_size_and_code_can_be_copied(site):
    text = (site / "layers.html").read_text(encoding="utf-8")
    assert "content.code.copy" in text and "<pre>" in text
    page = (site / "index.html").read_text(encoding="utf-8")
    assert re.search(r'<a href="images/hero_landscape\.jpg"[^>]*><img ', page)


def test_pages_load_nothing_from_other_places(pages):
    addresses = {link for page in pages.values() for link in page.links}
    outside = {address for address in addresses if re.match(r"[a-z]+:|//", address)}
    assert {one for one in outside if re.search(r"\.(js|css|png|jpg|woff2?)\b", one)} == set()


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("[lakes](lakes.md)", "a link 'lakes.md', but the target is not found"),
        ("[masks](layers.md#mask)", "does not contain an anchor '#mask'"),
        ("[grid](../noise_core/base/grid.py)", "is not found"),
    ],
)
def test_a_broken_link_is_refused(tmp_path, text, complaint):
    assert complaint in _warnings(tmp_path, {"relief.md": f"# Relief\n\n{text}\n"})


def test_a_page_without_a_place_in_the_contents_is_refused(tmp_path):
    assert 'not included in the "nav"' in _warnings(tmp_path, {"lakes.md": "# Lakes\n"})


def test_a_small_site_without_mistakes_is_built(tmp_path):
    assert _warnings(tmp_path, {"relief.md": "# Relief\n\n[masks](layers.md#masks)\n"}) == ""


def _warnings(folder: Path, pages: dict[str, str]) -> str:
    """Return the messages of MkDocs for a small site with the project's settings; empty if it builds."""
    docs = folder / "docs"
    docs.mkdir()
    for name, text in {"layers.md": "# Layers\n\n## Masks\n", **pages}.items():
        (docs / name).write_text(text, encoding="utf-8")
    contents = "".join(
        f"  - {name}\n"
        for name in ("layers.md", "relief.md")
        if name in pages or name == "layers.md"
    )
    settings = folder / "mkdocs.yml"
    settings.write_text(
        f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: {docs}\nhooks: []\nplugins: []\nextra_css: []\n"
        f"theme:\n  name: mkdocs\n  custom_dir: {docs}\nnav:\n{contents}",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(settings)]
    command += ["--site-dir", str(folder / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def test_the_site_names_the_holders_of_what_it_carries(site):
    told = html.unescape((site / "licenses.html").read_text(encoding="utf-8"))
    for holder in ("Martin Donath", "Timothée Mazzucotelli", "Oliver Nightingale", "Google, Inc."):
        assert holder in told
    assert not (site / "assets" / "javascripts" / "lunr").exists()  # of other holders; unused
