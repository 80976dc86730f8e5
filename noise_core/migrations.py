# SPDX-License-Identifier: GPL-3.0-or-later
"""Old recipes stay readable: one function per step from a format to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .errors import RecipeError, format_value

FORMAT = 5
"""The format that `Recipe.to_json` writes."""

SIZE = 100.0
"""Width in meters of what does not say its own."""

Step = Callable[[dict[str, object]], dict[str, object]]


def _with_names_and_masks(plain: dict[str, object]) -> dict[str, object]:
    """1 to 2: modifiers have a name, and a mask of the recipe's own."""
    stack = plain.get("modifiers", [])
    if not isinstance(stack, list):
        return plain  # for the reader to refuse
    added: dict[str, object] = {"where": None, "name": ""}
    modifiers = [{**added, **one} if isinstance(one, dict) else one for one in stack]
    return {**plain, "modifiers": modifiers}


def _with_a_switch_of_the_noise(plain: dict[str, object]) -> dict[str, object]:
    """2 to 3: the noise can be muted as modifiers can."""
    return {"noise_muted": False, **plain}


def _add_size(plain: dict[str, object]) -> dict[str, object]:
    """3 to 4: the width in meters is the recipe's; before, it was that of a preset, object or image."""
    return {"size": SIZE, **plain}


_BRITISH = {"base_colour": "base_color", "centre": "center", "normalise": "normalize"}
"""Keys, and names of types and options, as they were spelled before 0.1.0."""


def use_american_keys(plain: dict[str, object]) -> dict[str, object]:
    """Return plain data with American spelling in all keys, types and options, at any depth."""

    def spell(value: object) -> object:
        if isinstance(value, dict):
            return {_BRITISH.get(key, key): spell(one) for key, one in value.items()}
        if isinstance(value, list):
            return [spell(one) for one in value]
        return _BRITISH.get(value, value) if isinstance(value, str) else value

    return {_BRITISH.get(key, key): spell(value) for key, value in plain.items()}


STEPS: Mapping[int, Step] = {
    1: _with_names_and_masks,
    2: _with_a_switch_of_the_noise,
    3: _add_size,
    4: use_american_keys,
}
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
        raise RecipeError(
            "Recipe: format must be a number from 1 to {}; got {}", newest, format_value(version)
        )
    if version > newest:
        raise RecipeError(
            "Recipe: format {} is newer than this Terrane reads ({}); update Terrane",
            version,
            newest,
        )
    while version < newest:
        if version not in steps:
            raise RecipeError("Recipe: format {} can no longer be read", version)
        plain = {**steps[version](plain), "format": version + 1}
        version += 1
    return plain
