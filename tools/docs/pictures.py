# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures on pages: how large they are shown, and the small copies that the manual holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from PIL import Image

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"

WIDEST = 840
"""Pixels of a picture that stands alone: the column of text, and a zip below 8 MB."""

WIDEST_ABREAST = {1: WIDEST, 2: 448}
WIDEST_OF_MANY = 288
"""The same for pictures that share a row, by how many there are."""

WIDEST_IN_REFERENCE = 440

QUALITY = 62
"""Of WebP, from 0 to 100. Tried on the gallery: below 65 rock and grass lose their grain."""

QUALITY_OF_LETTERS = 80
PANELS = "panel_"
"""Begins the names of pictures that are letters for the most part; they keep their pixels."""


class PictureSizes(Extension):
    """Gives pictures their size, so that the text stays in place while they load.

    Attributes
    ----------
    widths : dict
        The largest width that any page asks for, by the picture's file name.
    """

    def __init__(self) -> None:
        """Begin without pictures."""
        super().__init__()
        self.widths: dict[str, int] = {}

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (Python-Markdown's name)
        """See `markdown.extensions.Extension`."""
        md.treeprocessors.register(_SizeProcessor(md, self.widths), "picture_sizes", priority=3)


class _SizeProcessor(Treeprocessor):
    def __init__(self, md: Markdown, widths: dict[str, int]) -> None:
        super().__init__(md)
        self.widths = widths

    def run(self, root: Element) -> None:
        """Size all pictures of a page; leave out table heads without a word."""
        widest = dict(_widest_in_tables(root))
        for image in root.iter("img"):
            name = Path(image.get("src", "")).name
            if (IMAGES / name).is_file():
                limit = widest.get(image, WIDEST)
                if "reference" in image.get("class", ""):
                    limit = WIDEST_IN_REFERENCE
                self.widths[name] = max(limit, self.widths.get(name, 0))
                width, height = shown_size(name, limit)
                image.set("width", str(width))
                image.set("height", str(height))
                image.set("loading", "lazy")


def _widest_in_tables(root: Element) -> Iterator[tuple[Element, int]]:
    for table in root.iter("table"):
        head = table.find("thead")
        if head is not None and not any(
            "".join(cell.itertext()).strip() for cell in head.iter("th")
        ):
            table.remove(head)
        row = table.find(".//tr")
        columns = 0 if row is None else len(row)
        if any(True for _ in table.iter("img")):
            table.set("class", "pictures")
        for image in table.iter("img"):
            yield image, WIDEST_ABREAST.get(columns, WIDEST_OF_MANY)


def shown_size(name: str, widest: int) -> tuple[int, int]:
    """Return width and height in pixels at which a picture is shown."""
    with Image.open(IMAGES / name) as picture:
        width, height = picture.size
    share = 1.0 if name.startswith(PANELS) else min(1.0, widest / width)
    return round(width * share), round(height * share)


def use_copies(html: str) -> str:
    """Return a page that shows the manual's small copies."""
    return re.sub(r'(<img[^>]* src="[^":]*images/[^":]+)\.(?:png|jpg)"', r'\1.webp"', html)


def save_copies(folder: Path, widths: dict[str, int]) -> None:
    """Write the copies that pages ask for, as WebP, in place of everything else in a folder."""
    for path in folder.iterdir():
        path.unlink()
    for name, widest in widths.items():
        with Image.open(IMAGES / name) as opened:
            picture = opened.convert("RGB")
        is_panel = name.startswith(PANELS)
        if picture.width > widest and not is_panel:
            height = round(picture.height * widest / picture.width)
            picture = picture.resize((widest, height), Image.Resampling.LANCZOS)
        quality = QUALITY_OF_LETTERS if is_panel else QUALITY
        target = folder / f"{Path(name).stem}.webp"
        picture.save(target, quality=quality, method=6, use_sharp_yuv=is_panel)
