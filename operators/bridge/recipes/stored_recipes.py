# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes that Blender's files hold as text: each text is read once, whether that succeeds or not.

Panels and polls ask at every redraw, and a file may hold whatever somebody wrote into it.
"""

from __future__ import annotations

import functools

from ....noise_core.errors import RecipeError, TerraneError
from ....noise_core.recipe import Recipe


def recipe_of(text: str) -> Recipe:
    """Return the recipe that a text holds.

    Raises
    ------
    RecipeError
        If it cannot be read, now or when it was read first.
    """
    outcome = _outcome(text)
    if isinstance(outcome, str):
        raise RecipeError(outcome)
    return outcome


@functools.lru_cache(maxsize=128)
def _outcome(text: str) -> Recipe | str:
    """Return the recipe, or else why there is none."""
    try:
        return Recipe.from_json(text)
    except TerraneError as error:
        return str(error)
    except MemoryError:
        return "Recipe: it takes more memory than there is"
    except RecursionError:
        return "Recipe: nested too deeply"
