# SPDX-License-Identifier: GPL-3.0-or-later
"""Library of surfaces: the shipped files in `library/`, and those in the user's folders.

The folders are listed once. A user's file that cannot be read is left out and named by
`broken_surfaces`, so that one mistake does not hide the other files. Shipped files are valid, which a
test ensures; their fields are read on first use. The name of a shipped file never
changes, because saved files and scripts refer to it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ...base.arguments import check_kind
from ...base.errors import Message, RecipeError, format_value
from ...base.file_names import PICTURES, is_key
from ...base.json_texts import text_of
from .surface_type import Surface

FOLDER = Path(__file__).parent / "library"

MAX_FILE_SIZE = 1 << 20
"""Bytes of a surface's file; shipped ones have up to 9000."""


@dataclass(frozen=True)
class _SurfaceLibrary:
    surfaces: Mapping[str, Surface]
    broken: Mapping[str, Message]


def surface_names() -> tuple[str, ...]:
    """Return the names of all surfaces that can be read, sorted.

    Examples
    --------
    >>> from noise_core.materials.surfaces import surface_names
    >>> len(surface_names()) > 20, "granite" in surface_names()
    (True, True)
    """
    return tuple(sorted(_library().surfaces))


def broken_surfaces() -> Mapping[str, Message]:
    """Return the errors of the files that were left out, by file name, sorted.

    Examples
    --------
    >>> from noise_core.materials.surfaces import broken_surfaces
    >>> len(broken_surfaces())
    0
    """
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

    Examples
    --------
    >>> from noise_core.materials.surfaces import surface
    >>> surface("granite", scale=24).label
    'Granite'
    """
    library = _library()
    check_kind(name, str, "surface: name", "the name of a surface")
    if name in library.broken:
        raise RecipeError("surface {}: {}", format_value(name), library.broken[name])
    if name not in library.surfaces:
        raise RecipeError(
            "surface must be one of {}", ", ".join(surface_names()), got=format_value(name)
        )
    chosen = library.surfaces[name]
    return chosen.with_values(**exposed) if exposed else chosen


def picture_of(name: str) -> Path | None:
    """Return the file with the picture of a surface, an image of its name; None if it has none.

    Parameters
    ----------
    name : str
        One of `surface_names`.

    Examples
    --------
    >>> from noise_core.materials.surfaces import picture_of
    >>> picture_of("granite").name
    'granite.webp'
    """
    folders = (FOLDER, *_own_folders)
    paths = (folder / f"{name}{suffix}" for folder in folders for suffix in PICTURES)
    return next((path for path in paths if path.is_file()), None) if is_key(name) else None


def look_again(*folders: Path) -> None:
    """Reload all files, those in the user's folders too; a folder need not exist.

    Shipped surfaces keep their names: a user's file of the same name is left out.

    Parameters
    ----------
    *folders : Path
        Folders with a user's own surfaces.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core.materials.surfaces import look_again, surface, surface_names
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "my_granite.json").write_text(surface("granite").to_json(), "utf-8")
    ...     look_again(Path(folder))
    ...     print("my_granite" in surface_names())
    True
    >>> look_again()
    >>> "my_granite" in surface_names()
    False
    """
    global _own_folders
    _own_folders = folders
    _library.cache_clear()


_own_folders: tuple[Path, ...] = ()


@functools.lru_cache(maxsize=1)
def _library() -> _SurfaceLibrary:
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
    return _SurfaceLibrary(surfaces, broken)


def _read(path: Path, *, is_checked: bool) -> Surface:
    if not is_key(path.stem):
        raise RecipeError(
            "the name of the file must be lower_case, and not that of a device on Windows"
        )
    try:
        return Surface.from_json(text_of(path, MAX_FILE_SIZE), is_checked=is_checked)
    except RecursionError:
        raise RecipeError("its fields need each other in too long a row") from None
