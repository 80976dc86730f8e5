# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures on pages: how large the site shows them, and the few small ones that the manual holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from PIL import Image

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"

WIDEST = 840
"""Pixels of a picture that stands alone: the column of text."""

WIDEST_ABREAST = {1: WIDEST, 2: 448}
WIDEST_OF_MANY = 288
"""The same for pictures that share a row, by how many there are."""

WIDEST_IN_REFERENCE = 440
LARGEST = 1 << 16
"""Wider than any picture."""

PANELS = "panel_"
"""Begins the names of pictures that are letters for the most part; they keep their pixels."""

KEPT = "first_terrain_"
"""Begins the names of the pictures that the manual has: the steps of the first hour."""

WIDEST_KEPT = 480
QUALITY_KEPT = 42
"""Of WebP, from 0 to 100."""


class PictureSizes(Extension):
    """Gives pictures their size, so that the text stays in place while they load, and opens the larger ones."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
        """See `markdown.extensions.Extension`."""
        md.treeprocessors.register(_SizeProcessor(md), "picture_sizes", priority=3)


class _SizeProcessor(Treeprocessor):
    def run(self, root: Element) -> None:
        """Size all pictures of a page, and let those shown smaller lead to their file; leave out empty table heads."""
        widest = dict(_widest_in_tables(root))
        parents = {child: parent for parent in root.iter() for child in parent}
        for image in list(root.iter("img")):
            name = _name(image)
            if (IMAGES / name).is_file():
                limit = widest.get(image, WIDEST)
                if "reference" in image.get("class", ""):
                    limit = WIDEST_IN_REFERENCE
                _set_size(image, *shown_size(name, limit))
                if int(image.get("width", "0")) < shown_size(name, LARGEST)[0]:
                    _link_to_file(image, parents[image])


def _link_to_file(image: Element, parent: Element) -> None:
    """Put a link to the file of a picture around it, unless it leads somewhere already."""
    if parent.tag == "a":
        return
    link = Element("a", {"href": image.get("src", ""), "title": "Full size"})
    link.tail, image.tail = image.tail, None
    place = list(parent).index(image)
    parent.remove(image)
    parent.insert(place, link)
    link.append(image)


def _set_size(image: Element, width: int, height: int) -> None:
    image.set("width", str(width))
    image.set("height", str(height))
    image.set("loading", "lazy")


def _widest_in_tables(root: Element) -> Iterator[tuple[Element, int]]:
    for table in root.iter("table"):
        _remove_empty_head(table)
        row = table.find(".//tr")
        columns = 0 if row is None else len(row)
        if any(True for _ in table.iter("img")):
            table.set("class", "pictures")
        for image in table.iter("img"):
            yield image, WIDEST_ABREAST.get(columns, WIDEST_OF_MANY)


def _remove_empty_head(table: Element) -> None:
    head = table.find("thead")
    if head is not None and not any("".join(cell.itertext()).strip() for cell in head.iter("th")):
        table.remove(head)


def shown_size(name: str, widest: int) -> tuple[int, int]:
    """Return width and height in pixels at which a picture is shown."""
    with Image.open(IMAGES / name) as picture:
        width, height = picture.size
    share = 1.0 if name.startswith(PANELS) else min(1.0, widest / width)
    return round(width * share), round(height * share)


class FewPictures(Extension):
    """Keeps few pictures, as small copies; the others become the words that stand for them.

    Attributes
    ----------
    shown : set of str
        File names of the pictures that pages show.
    """

    def __init__(self) -> None:
        """Begin without pictures."""
        super().__init__()
        self.shown: set[str] = set()

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
        """See `markdown.extensions.Extension`."""
        md.treeprocessors.register(
            _FewProcessor(md, self.shown), "few_pictures", priority=-1
        )  # after MkDocs has looked for the files


class _FewProcessor(Treeprocessor):
    def __init__(self, md: Markdown, shown: set[str]) -> None:
        super().__init__(md)
        self.shown = shown

    def run(self, root: Element) -> None:
        """Show the small copies, and turn other pictures into their words, but tables of them into nothing."""
        parents = {child: parent for parent in root.iter() for child in parent}
        for table in list(root.iter("table")):
            names = {_name(image) for image in table.iter("img")}
            if names and not any(name.startswith(KEPT) for name in names):
                parents[table].remove(table)
            _remove_empty_head(table)
        for image in list(root.iter("img")):
            if _name(image).startswith(KEPT):
                self._show_copy(image)
            else:
                words, tail = image.get("alt", ""), image.tail
                image.clear()
                image.tag, image.text, image.tail = "em" if words else "span", words, tail

    def _show_copy(self, image: Element) -> None:
        name = _name(image)
        self.shown.add(name)
        image.set("src", image.get("src", "").replace(name, _copy_of(name)))
        _set_size(image, *shown_size(name, WIDEST_KEPT))


def _name(image: Element) -> str:
    return Path(image.get("src", "")).name


def _copy_of(name: str) -> str:
    return f"{Path(name).stem}.webp"


def save_copies(folder: Path, names: set[str]) -> None:
    """Write small copies of pictures, as WebP, in place of everything else in a folder."""
    for path in folder.iterdir():
        path.unlink()
    for name in names:
        with Image.open(IMAGES / name) as opened:
            picture = opened.convert("RGB")
        small = picture.resize(shown_size(name, WIDEST_KEPT), Image.Resampling.LANCZOS)
        small.save(folder / _copy_of(name), quality=QUALITY_KEPT, method=6)
