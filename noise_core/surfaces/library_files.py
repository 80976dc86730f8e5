# SPDX-License-Identifier: GPL-3.0-or-later
"""The surfaces that are there: shipped files in `library/`, and a user's own in folders of his.

They are found by listing the folders, once. A user's file that cannot be read is left out and named by
`broken_surfaces`, so that one slip of a pen takes nothing else away; shipped ones are whole, as a test
knows, and what they are made of is read when it is first needed. The name of a shipped file is
for ever, because it stands in saved files and in scripts.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ..errors import Message, RecipeError, shown
from ..file_names import is_key
from ..json_texts import text_of
from .surface import Surface

FOLDER = Path(__file__).parent / "library"

LARGEST_FILE = 1 << 20
"""Bytes of a surface's file; shipped ones have up to 9000."""


@dataclass(frozen=True)
class _Library:
    surfaces: Mapping[str, Surface]
    broken: Mapping[str, Message]


def surface_names() -> tuple[str, ...]:
    """Return the names of all surfaces that can be read, sorted."""
    return tuple(sorted(_library().surfaces))


def broken_surfaces() -> Mapping[str, Message]:
    """Return what is wrong with the files that were left out, by their names, sorted."""
    return MappingProxyType(dict(sorted(_library().broken.items())))


def surface(name: str, **exposed: object) -> Surface:
    """Return a surface.

    Parameters
    ----------
    name : str
        One of `surface_names()`.
    **exposed
        Values of its exposed parameters; the others have their default.

    Raises
    ------
    RecipeError
        If there is no such surface, or its file cannot be read.
    ParameterError
        If there is no such parameter, or a value is not allowed.
    """
    library = _library()
    if name in library.broken:
        raise RecipeError("surface {}: {}", shown(name), library.broken[name])
    if name not in library.surfaces:
        raise RecipeError(
            "surface must be one of {}; got {}", ", ".join(surface_names()), shown(name)
        )
    found = library.surfaces[name]
    return found.with_values(**exposed) if exposed else found


def look_again(*folders: Path) -> None:
    """Read all files anew, those in a user's own folders too; a folder need not exist.

    Shipped surfaces keep their names: a user's file of the same name is left out.
    """
    global _own_folders
    _own_folders = folders
    _library.cache_clear()


_own_folders: tuple[Path, ...] = ()


@functools.lru_cache(maxsize=1)
def _library() -> _Library:
    surfaces: dict[str, Surface] = {}
    broken: dict[str, Message] = {}
    for folder in (FOLDER, *_own_folders):
        for path in sorted(folder.glob("*.json")):
            name = path.stem
            is_taken = name in surfaces or name in broken
            try:
                if is_taken:
                    raise RecipeError("there is a surface of this name already")
                surfaces[name] = _read(path, is_checked=folder != FOLDER)
            except RecipeError as error:
                broken[f"{name} in {folder}" if is_taken else name] = error.message
    return _Library(surfaces, broken)


def _read(path: Path, *, is_checked: bool) -> Surface:
    if not is_key(path.stem):
        raise RecipeError(
            "the name of the file must be lower_case, and not that of a device on Windows"
        )
    try:
        return Surface.from_json(text_of(path, LARGEST_FILE), is_checked=is_checked)
    except RecursionError:
        raise RecipeError("its fields need each other in too long a row") from None
