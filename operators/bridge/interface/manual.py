# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses in the manual: online on the project's site, or in the folder of plain pages that comes with the extension.

Both are made of the Markdown in docs/ and of the declarations (tools/docs), with the same names of pages and
anchors. The site is used where the manifest names it and the user allows online access; nothing is ever sent or
loaded by Terrane itself. A checkout in which no manual was made has the sources in docs/.
"""

from __future__ import annotations

import functools
import html
import re
from pathlib import Path, PurePath, PureWindowsPath
from urllib.parse import quote

import bpy

from ....noise_core.base import atomic_files
from ....noise_core.base.errors import TerraneError
from . import user_files

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "manual"
SOURCES = ROOT / "docs"

INDEX = "index"
REFERENCE = "reference/index"

LEADING_PAGE = "manual.html"
"""File in the user's folder of the extension: it leads to the place that was asked for last."""

_LEADING = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Terrane</title>
<meta http-equiv="refresh" content="0; url={0}"><a href="{0}">Terrane</a></html>
"""

_ANCHOR = re.compile(r'\sid="([^"]+)"')


@functools.cache
def website() -> str:
    """Return the address of the project's site as the manifest has it, without a stroke at its end; empty if it has none."""
    import tomllib  # here, since it takes time and few ask for the manual

    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    return str(manifest.get("website", "")).rstrip("/")


@functools.cache
def places() -> dict[str, str]:
    """Return where each place of the manual is, below the beginning of all addresses.

    Places are pages, "layers", their headings, "layers#masks", subjects of the reference, "noise_perlin", and
    their parameters, "noise_perlin#fade", which is at "reference/noises_basic.html#noise_perlin.fade".
    """
    found: dict[str, str] = {}
    for path in sorted(FOLDER.rglob("*.html"), key=lambda path: "reference" in path.parts):
        page = path.relative_to(FOLDER).as_posix()
        name = page.removesuffix(".html")
        found[name] = page
        for anchor in _ANCHOR.findall(path.read_text(encoding="utf-8")):
            subject, _, parameter = anchor.partition(".")
            if not name.startswith("reference/"):
                found[f"{name}#{anchor}"] = f"{page}#{anchor}"
            else:
                found.setdefault(
                    f"{subject}#{parameter}" if parameter else subject, f"{page}#{anchor}"
                )
    return found or {
        path.relative_to(SOURCES).with_suffix("").as_posix(): path.relative_to(SOURCES).as_posix()
        for path in sorted(SOURCES.rglob("*.md"))
    }


def _folder() -> Path:
    """Return the folder of the manual's pages, or of their sources."""
    return FOLDER if (FOLDER / f"{INDEX}.html").is_file() else SOURCES


def find(place: str) -> str:
    """Return where a place is, or else its page; empty if there is neither."""
    return places().get(place) or places().get(place.partition("#")[0], "")


def beginning() -> str:
    """Return the beginning of all addresses, to which `find` gives the rest."""
    if website() and bpy.app.online_access:
        return f"{website()}/"
    return _Beginning(f"{address(_folder())}/")


class _Beginning(str):
    """Beginning of addresses of files: an anchor that is added to it is led to by a page that is written for it.

    Windows and macOS leave out what stands behind a # when they open a file in a browser, but a page may lead to an
    anchor. Blender adds the two parts of an address when it has found the place, and so one page is enough.
    """

    __slots__ = ()

    def __add__(self, rest: str) -> str:
        """Return the address of a page, or of the page that leads to its anchor."""
        page, _, anchor = rest.partition("#")
        leading = _write_leading_page(f"{self}{rest}") if anchor else None
        return f"{self}{page}" if leading is None else address(leading)


def _write_leading_page(target: str) -> Path | None:
    """Write the page that leads to an address, and return it; None if it cannot be written."""
    try:
        folder = user_files.user_folder("", create=True)
        if folder is None:
            return None
        file = folder / LEADING_PAGE
        atomic_files.write(file, _LEADING.format(html.escape(target)).encode("utf-8"))
    except (OSError, TerraneError):  # as on a full disk
        return None
    return file


def address(path: PurePath) -> str:
    """Return the address of a file for a browser: "file:///home/me/manual/layers.html".

    Windows decodes %C3%BC in such an address as two letters of the machine's code page, so letters beyond ASCII
    are not encoded there (Microsoft, "File URIs in Windows", 2006).
    """
    if isinstance(path, PureWindowsPath):
        start = "file:" if path.drive.startswith("\\\\") else "file:///"
        ascii_only = re.compile(r"[\x00-\x7f]+")
        return start + ascii_only.sub(lambda part: quote(part[0], safe="/:"), path.as_posix())
    return f"file://{quote(bytes(path))}"
