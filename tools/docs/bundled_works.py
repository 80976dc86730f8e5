# SPDX-License-Identifier: GPL-3.0-or-later
"""Works of others that the site carries, with their holders and licenses: the page `licenses.md`.

The scripts of the theme hardly name the works they contain: the list is that of the theme's build dependencies, as
far as they go into the shipped files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

LICENSES = Path(__file__).parent / "licenses"
"""Texts of works that no installed package brings along, as their authors publish them."""


@dataclass(frozen=True)
class Work:
    """A work of others.

    Attributes
    ----------
    name, use : str
        Its name and its purpose.
    holders : tuple of str
    license : str
        SPDX identifier, or a few words.
    text : str
        Of the license, with the notice of copyright.
    """

    name: str
    use: str
    holders: tuple[str, ...]
    license: str
    text: str


def works() -> Sequence[Work]:
    """Return all works, in the order in which the page lists them."""
    icons = "material/templates/.icons"
    theme = "mkdocs-material"
    scripts = "Scripts of the site"
    return (
        Work(
            *("Material for MkDocs", "Theme of the site", ("Martin Donath",), "MIT"),
            _installed(theme, "licenses/LICENSE"),
        ),
        Work(
            *("mkdocstrings", "Style sheet of the site", ("Timothée Mazzucotelli",), "ISC"),
            _installed("mkdocstrings-python", "licenses/LICENSE"),
        ),
        Work(
            *("Material Design Icons", "Icons of the site"),
            *(("Pictogrammers", "Google LLC"), "Apache-2.0"),
            _installed(theme, f"{icons}/material/LICENSE"),
        ),
        Work(
            *("Font Awesome Free", "Icons of the site", ("Fonticons, Inc.",), "CC-BY-4.0"),
            _installed(theme, f"{icons}/fontawesome/LICENSE.txt"),
        ),
        Work("clipboard.js", scripts, ("Zeno Rocha",), "MIT", _kept("clipboard")),
        Work(
            *("escape-html", scripts),
            ("TJ Holowaychuk", "Andreas Lubbe", 'Tiancheng "Timothy" Gu'),
            *("MIT", _kept("escape-html")),
        ),
        Work(
            *("focus-visible", scripts, ("World Wide Web Consortium",), "W3C-20150513"),
            _kept("focus-visible"),
        ),
        Work("Lunr", scripts, ("Oliver Nightingale",), "MIT", _kept("lunr")),
        Work(
            *("RxJS", scripts),
            ("Google, Inc.", "Netflix, Inc.", "Microsoft Corp."),
            *("Apache-2.0", _kept("rxjs")),
        ),
        Work("tslib", scripts, ("Microsoft Corporation",), "0BSD", _kept("tslib")),
    )


def _installed(package: str, ending: str) -> str:
    """Return the text of a file that an installed package has brought along."""
    files = metadata.files(package) or []
    path = next(path for path in files if path.as_posix().endswith(ending))
    return path.read_text(encoding="utf-8").strip()


def _kept(name: str) -> str:
    return (LICENSES / f"{name}.txt").read_text(encoding="utf-8").strip()
