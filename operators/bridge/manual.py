# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual that the extension brings along: where its pages lie on disk, and what stands on them.

It is of the version that is installed, and there without a network. tools/make_manual.py makes it of the
Markdown in docs/, where pages lead to as long as Terrane runs from a checkout without one.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path, PurePath, PureWindowsPath
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "manual"
SOURCES = ROOT / "docs"

PLACES = "at"
"""In the manual, the folder with a page for each anchor of each page, which leads there."""

INDEX = "index"
REFERENCE = "reference"


def page(name: str, anchor: str = "") -> Path | None:
    """Return the file of a page by its name; None where there is neither a manual nor what it is made of.

    With an anchor it is the one that leads there, if there is one.
    """
    there = FOLDER / PLACES / name / f"{anchor}.html"
    own = SOURCES / f"{name}.md"
    whole = ROOT / "README.md" if name == INDEX else SOURCES / f"{REFERENCE}.md"
    return next(
        (path for path in (there, FOLDER / f"{name}.html", own, whole) if path.is_file()), None
    )


@functools.cache
def anchors() -> dict[str, frozenset[str]]:
    """Return what can be led to on each page, by the page's name; nothing without a manual."""
    path = FOLDER / "anchors.json"
    if not path.is_file():
        return {}
    listed = json.loads(path.read_text(encoding="utf-8"))
    return {name: frozenset(names) for name, names in listed.items()}


def address(path: PurePath) -> str:
    """Return the address of a file for a browser: "file:///home/me/manual/layers.html".

    There is no # in it: Windows and macOS leave out what stands behind it when they open a file. And Windows
    reads %C3%BC in such an address as two letters of the machine's own code page, so there letters beyond
    ASCII stay as they are (Microsoft, "File URIs in Windows", 2006).
    """
    if isinstance(path, PureWindowsPath):
        start = "file:" if path.drive.startswith("\\\\") else "file:///"
        ascii_only = re.compile(r"[\x00-\x7f]+")
        return start + ascii_only.sub(lambda part: quote(part[0], safe="/:"), path.as_posix())
    return f"file://{quote(bytes(path))}"
