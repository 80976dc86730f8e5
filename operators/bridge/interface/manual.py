# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual that comes with the extension: paths of its pages, and their anchors.

MkDocs builds it from the Markdown in docs/ and from the declarations: tools/docs. In a checkout without a manual
the pages of docs/ are used.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path, PurePath, PureWindowsPath
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "manual"
SOURCES = ROOT / "docs"

PLACES = "at"
"""Folder of the manual with a redirecting page for each anchor: at/noise_perlin/fade.html."""

INDEX = "index"
REFERENCE = "reference/index"


def page(name: str, anchor: str = "") -> Path | None:
    """Return the file of a page ("layers") or a subject of the reference ("noise_perlin"), None if missing.

    The anchor is a heading of the page, or a parameter; without a manual it is ignored.
    """
    places = FOLDER / PLACES
    candidates = (
        *((places / name / f"{anchor}.html",) if anchor else ()),
        places / f"{name}.html",
        FOLDER / f"{name}.html",
        SOURCES / f"{name}.md",
        SOURCES / f"{INDEX}.md",
    )
    return next((path for path in candidates if path.is_file()), None)


@functools.cache
def anchors() -> dict[str, frozenset[str]]:
    """Return the anchors by page or subject; empty without a manual."""
    path = FOLDER / "anchors.json"
    if not path.is_file():
        return {}
    listed = json.loads(path.read_text(encoding="utf-8"))
    return {name: frozenset(names) for name, names in listed.items()}


def address(path: PurePath) -> str:
    """Return the address of a file for a browser: "file:///home/me/manual/layers.html".

    It contains no #: Windows and macOS drop the part after it when they open a file. Windows decodes
    %C3%BC in such an address as two letters of the machine's code page, so letters beyond ASCII are
    not encoded there (Microsoft, "File URIs in Windows", 2006).
    """
    if isinstance(path, PureWindowsPath):
        start = "file:" if path.drive.startswith("\\\\") else "file:///"
        ascii_only = re.compile(r"[\x00-\x7f]+")
        return start + ascii_only.sub(lambda part: quote(part[0], safe="/:"), path.as_posix())
    return f"file://{quote(bytes(path))}"
