# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual's pictures: those of docs/images, as large as they are shown and no larger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from manual_pages import children, columns, tables
from markdown_it.token import Token
from PIL import Image

WIDEST = 1024
"""Pixels of a picture that stands alone: a little more than the column of text."""

WIDEST_ABREAST = {1: WIDEST, 2: 480}
WIDEST_OF_MANY = 288
"""The same for pictures that share a row, by how many there are."""

QUALITY = 72
"""Of WebP, from 0 to 100. Tried on the gallery: below 65 rock and grass lose their grain."""

QUALITY_OF_LETTERS = 80
PANELS = "panel_"
"""Begins the names of pictures that are letters for the most part; they keep their pixels."""

FOLDER = "images"


class Pictures:
    """Every picture that a page asks for, and how large it has to be at most."""

    def __init__(self, images: Path) -> None:
        """Take them from a folder."""
        self.images = images
        self.widths: dict[str, int] = {}

    def take(self, tokens: Sequence[Token]) -> None:
        """Let the pictures of a page lead to the manual's own."""
        widest = {
            id(child): WIDEST_ABREAST.get(columns(table), WIDEST_OF_MANY)
            for table in tables(tokens)
            for child in children(table)
        }
        for child in children(tokens):
            if child.type == "image":
                name = Path(str(child.attrGet("src"))).name
                address, width, height = self.ask(name, widest.get(id(child), WIDEST))
                child.attrSet("src", address)
                child.attrSet("width", str(width))
                child.attrSet("height", str(height))
                child.attrSet("loading", "lazy")

    def html(self, name: str, widest: int) -> str:
        """Return a picture that stands on its page alone."""
        address, width, height = self.ask(name, widest)
        return f'<p><img src="{address}" width="{width}" height="{height}" alt=""></p>'

    def ask(self, name: str, widest: int) -> tuple[str, int, int]:
        """Ask for a picture of docs/images; return its address in the manual, width and height.

        The size is that of the first page that asks, in proportion right for all.
        """
        self.widths[name] = max(widest, self.widths.get(name, 0))
        with Image.open(self.images / name) as picture:
            width, height = picture.size
        share = 1.0 if name.startswith(PANELS) else min(1.0, widest / width)
        return f"{FOLDER}/{Path(name).stem}.webp", round(width * share), round(height * share)

    def save(self, folder: Path) -> None:
        """Write all that were asked for, as WebP."""
        (folder / FOLDER).mkdir()
        for name, widest in self.widths.items():
            target = folder / FOLDER / f"{Path(name).stem}.webp"
            with Image.open(self.images / name) as picture:
                is_panel = name.startswith(PANELS)
                picture = picture.convert("RGB")
                if picture.width > widest and not is_panel:
                    height = round(picture.height * widest / picture.width)
                    picture = picture.resize((widest, height), Image.Resampling.LANCZOS)
                quality = QUALITY_OF_LETTERS if is_panel else QUALITY
                picture.save(target, quality=quality, method=6, use_sharp_yuv=is_panel)
