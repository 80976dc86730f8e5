# SPDX-License-Identifier: GPL-3.0-or-later
"""Old recipes stay readable: one function per step from a format to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .errors import RecipeError

FORMAT = 1
"""The format that `Recipe.to_json` writes."""

Step = Callable[[dict[str, object]], dict[str, object]]

STEPS: Mapping[int, Step] = {}
"""For each old format, the function that makes the next one out of it."""


def migrated(
    plain: dict[str, object], steps: Mapping[int, Step] = STEPS, newest: int = FORMAT
) -> dict[str, object]:
    """Return a recipe's plain data in the newest format.

    Raises
    ------
    RecipeError
        If the format is missing, unknown, or newer than this Terrane.
    """
    version = plain.get("format")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise RecipeError(f"Recipe: format must be a number from 1 to {newest}; got {version!r}")
    if version > newest:
        raise RecipeError(
            f"Recipe: format {version} is newer than this Terrane reads ({newest}); update Terrane"
        )
    while version < newest:
        if version not in steps:
            raise RecipeError(f"Recipe: format {version} can no longer be read")
        plain = {**steps[version](plain), "format": version + 1}
        version += 1
    return plain
