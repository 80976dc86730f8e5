# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of presets: where they lie, what they are called, and the recipe that each one holds."""

from __future__ import annotations

import functools
import json
import math
import re
from pathlib import Path

from .errors import RecipeError
from .json_texts import json_value
from .migrations import SIZE

FOLDER = Path(__file__).parent / "presets"

PLAIN = "none"
"""Stands for no preset: a plain fractal with the declared defaults. No file may have this name."""

_PLAIN_RECIPE = '{"format": 4, "size": 100.0, "noise": {"type": "fractal"}, "height": 20.0}'

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_ENTRIES = {"label", "description", "recipe"}
_OPTIONAL = {"look", "size"}

_own_folders: tuple[Path, ...] = ()


@functools.lru_cache(maxsize=1)
def shipped_names() -> tuple[str, ...]:
    """Return the names of all shipped presets, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json") if _NAME.fullmatch(path.stem)))


def is_preset_name(name: str) -> bool:
    """Return whether a preset may have this name: lower case letters, digits and underscores."""
    return _NAME.fullmatch(name) is not None and name != PLAIN


def use_folders(*folders: Path) -> None:
    """Look for a user's own presets in these folders from now on; they need not exist."""
    global _own_folders
    _own_folders = folders


def own_paths() -> tuple[Path, ...]:
    """Return the files in a user's own folders, whatever is in them."""
    return tuple(path for folder in _own_folders for path in sorted(folder.glob("*.json")))


def path_of(name: str, suffix: str = ".json") -> Path | None:
    """Return the file of a preset that ends so; None if it has none."""
    folders = (FOLDER,) if name in shipped_names() or name == PLAIN else _own_folders
    files = (folder / f"{name}{suffix}" for folder in folders)
    return next((file for file in files if file.is_file()), None)


def read(path: Path) -> str:
    """Return the text of a file.

    Raises
    ------
    RecipeError
        If it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"cannot be read: {error}") from error


def entries(text: str) -> dict[str, object]:
    """Return what the text of a preset's file holds, by the names of its entries.

    Raises
    ------
    RecipeError
        If some are missing, or unknown.
    """
    try:
        plain = json_value(text)
    except ValueError as error:
        raise RecipeError(f"not JSON: {error}") from error
    if not isinstance(plain, dict) or set(plain) - _OPTIONAL != _ENTRIES:
        came = ", ".join(sorted(plain)) if isinstance(plain, dict) else type(plain).__name__
        raise RecipeError(
            f"must be an object with {', '.join(sorted(_ENTRIES))}, and may have "
            f"{', '.join(sorted(_OPTIONAL))}; got {came}"
        )
    return plain


def recipe_in(plain: dict[str, object]) -> tuple[str, float]:
    """Return the recipe in a preset's file as JSON, and the width in metres if that has none.

    Parameters
    ----------
    plain : dict
        See `entries`. Until recipes had a size, it stood beside them.

    Raises
    ------
    RecipeError
        If the size is none, or stands in both places.
    """
    recipe, size = plain["recipe"], plain.get("size", SIZE)
    if "size" in plain and isinstance(recipe, dict) and "size" in recipe:
        raise RecipeError(f"size must stand in the recipe alone; got {size!r} beside it")
    is_number = isinstance(size, (int, float)) and not isinstance(size, bool)
    if not is_number or not (size > 0 and math.isfinite(size)):  # type: ignore[operator,arg-type]
        raise RecipeError(f"size must be a number of meters above 0; got {size!r}")
    return json.dumps(recipe), float(size)  # type: ignore[arg-type]


def recipe_of(name: str) -> tuple[str, float]:
    """Return the recipe of a preset as JSON, and the width in metres if that has none.

    Raises
    ------
    RecipeError
        If there is no such preset, or its file cannot be read.
    """
    if name == PLAIN:
        return _PLAIN_RECIPE, SIZE
    path = path_of(name) if isinstance(name, str) and is_preset_name(name) else None
    if path is None:
        known = sorted({one.stem for one in own_paths() if is_preset_name(one.stem)})
        raise RecipeError(
            f"preset must be one of {', '.join((*shipped_names(), *known))}; got {name!r}"
        )
    try:
        return recipe_in(entries(read(path)))
    except RecipeError as error:
        raise RecipeError(f"preset {name!r}: {error}") from error
