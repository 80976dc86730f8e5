# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of presets: their folders, their names, and the recipe that each one holds."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from ..base.errors import RecipeError, format_value
from ..base.file_names import is_key
from ..base.grid import SIZE
from ..base.json_texts import json_value, text_of

FOLDER = Path(__file__).parent / "presets"

ANT_FOLDER = FOLDER / "from_ant"
"""Presets of A.N.T. Landscape; `tools/ant_presets.py` writes them."""

PLAIN = "none"
"""Stands for no preset: a plain fractal with the declared defaults. No file may have this name."""

_PLAIN_RECIPE = {
    "format": 1,
    "size": SIZE,
    "height": 20.0,
    "layers": [{"type": "noise", "chain": [{"type": "fractal"}]}],
}

_ENTRIES = {"label", "description", "recipe"}
_OPTIONAL = {"group", "look"}

_own_folders: tuple[Path, ...] = ()


@functools.lru_cache(maxsize=1)
def shipped_names() -> tuple[str, ...]:
    """Return the names of all shipped presets, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json") if is_key(path.stem)))


@functools.lru_cache(maxsize=1)
def ant_names() -> tuple[str, ...]:
    """Return the names of the presets of A.N.T. Landscape, sorted; `shipped_names` leaves them out."""
    return tuple(sorted(path.stem for path in ANT_FOLDER.glob("*.json")))


def ant_label(name: str) -> str:
    """Return the label of a preset in menus, without reading its file."""
    return name.removeprefix("ant_").replace("_", " ").title()


def is_preset_name(name: str) -> bool:
    """Return whether a preset may have this name: lower case letters, digits and underscores."""
    return is_key(name) and name != PLAIN


def use_folders(*folders: Path) -> None:
    """Look for a user's own presets in these folders from now on; they need not exist."""
    global _own_folders
    _own_folders = folders


def own_paths() -> tuple[Path, ...]:
    """Return all files in a user's own folders, presets or not."""
    return tuple(path for folder in _own_folders for path in sorted(folder.glob("*.json")))


def path_of(name: str, suffixes: Sequence[str] = (".json",)) -> Path | None:
    """Return the file of a preset that ends so, the first there is; None if it has none."""
    folders = (FOLDER,) if name in shipped_names() or name == PLAIN else _own_folders
    folders = (ANT_FOLDER,) if name in ant_names() else folders
    files = (folder / f"{name}{suffix}" for folder in folders for suffix in suffixes)
    return next((file for file in files if file.is_file()), None)


def entries(text: str) -> dict[str, object]:
    """Return the entries of a preset's file by their names.

    Raises
    ------
    RecipeError
        If some are missing, or unknown.
    """
    try:
        plain = json_value(text)
    except ValueError as error:
        raise RecipeError("not JSON: {}", error) from error
    if not isinstance(plain, dict) or set(plain) - _OPTIONAL != _ENTRIES:
        came = ", ".join(sorted(plain)) if isinstance(plain, dict) else type(plain).__name__
        raise RecipeError(
            "must be an object with {}, and may have {}",
            ", ".join(sorted(_ENTRIES)),
            ", ".join(sorted(_OPTIONAL)),
            got=came,
        )
    return plain


def recipe_of(name: str) -> object:
    """Return the recipe of a preset as plain data.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.
    """
    is_text = isinstance(name, str)
    if is_text and name == PLAIN:
        return _PLAIN_RECIPE
    path = path_of(name) if is_text and is_preset_name(name) else None
    if path is None:
        available = sorted({path.stem for path in own_paths() if is_preset_name(path.stem)})
        raise RecipeError(
            "preset must be one of {}",
            ", ".join((*shipped_names(), *ant_names(), *available)),
            got=format_value(name),
        )
    try:
        return entries(text_of(path))["recipe"]
    except RecipeError as error:
        raise RecipeError("preset {}: {}", format_value(name), error) from error
