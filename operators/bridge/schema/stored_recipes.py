# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes that Blender's files hold as text: each text is read once, whether that succeeds or not.

Panels and polls ask at every redraw, and a file may hold whatever somebody wrote into it.
"""

from __future__ import annotations

import functools

from ....noise_core.base.errors import RecipeError, TerraneError
from ....noise_core.io.migrations import SIZE
from ....noise_core.recipe import Recipe


def recipe_of(text: str, size: float = SIZE) -> Recipe:
    """Return the recipe that a text holds.

    Parameters
    ----------
    text : str
    size : float
        Width in meters if it has none; see `Recipe.from_json`.

    Raises
    ------
    RecipeError
        If it cannot be read, now or when it was read first.
    """
    outcome = _outcome(text, size)
    if isinstance(outcome, RecipeError):
        raise RecipeError(outcome.message)  # a new one, for each keeps where it was raised
    return outcome


@functools.lru_cache(maxsize=128)
def _outcome(text: str, size: float) -> Recipe | RecipeError:
    """Return the recipe, or else why there is none."""
    try:
        return Recipe.from_json(text, size=size)
    except TerraneError as error:
        return RecipeError(error.message)
    except MemoryError:
        return RecipeError("Recipe: it takes more memory than there is")
    except RecursionError:
        return RecipeError("Recipe: nested too deeply")
