# SPDX-License-Identifier: GPL-3.0-or-later
"""Cache of recipes that Blender's files store as text, including those that cannot be read.

Panels and polls read them at every redraw, and a file may contain any text.
"""

from __future__ import annotations

import functools

from ....noise_core.base.errors import RecipeError, TerraneError
from ....noise_core.io.migrations import SIZE
from ....noise_core.recipe import Recipe


def recipe_of(text: str, size: float = SIZE) -> Recipe:
    """Return the recipe in a text.

    Parameters
    ----------
    text : str
    size : float
        Width in meters if it has none; see `Recipe.from_json`.

    Raises
    ------
    RecipeError
        If it cannot be read; the outcome of the first attempt is kept.
    """
    outcome = _outcome(text, size)
    if isinstance(outcome, RecipeError):
        raise RecipeError(outcome.message)  # a new one: an error keeps its traceback
    return outcome


@functools.lru_cache(maxsize=128)
def _outcome(text: str, size: float) -> Recipe | RecipeError:
    """Return the recipe, or the error if it cannot be read."""
    try:
        return Recipe.from_json(text, size=size)
    except TerraneError as error:
        return RecipeError(error.message)
    except MemoryError:
        return RecipeError("Recipe: it takes more memory than there is")
    except RecursionError:
        return RecipeError("Recipe: nested too deeply")
