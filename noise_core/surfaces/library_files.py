# SPDX-License-Identifier: GPL-3.0-or-later
"""The shipped surfaces: files in `library/`, found by listing the folder.

The name of a file is for ever, because it stands in saved files and in scripts.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from ..errors import RecipeError
from .surface import Surface

FOLDER = Path(__file__).parent / "library"

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def surface_names() -> tuple[str, ...]:
    """Return the names of all shipped surfaces, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json") if _NAME.fullmatch(path.stem)))


def surface(name: str, **exposed: object) -> Surface:
    """Return a shipped surface.

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
    if name not in surface_names():
        raise RecipeError(f"surface must be one of {', '.join(surface_names())}; got {name!r}")
    shipped = _shipped(name)
    return shipped.with_values(**exposed) if exposed else shipped


@functools.lru_cache(maxsize=64)
def _shipped(name: str) -> Surface:
    try:
        return Surface.from_json((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, RecipeError) as error:
        raise RecipeError(f"surface {name!r}: {error}") from error
