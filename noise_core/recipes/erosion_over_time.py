# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes whose erosion has done only a share of its work, for pictures of it over time."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

from ..base.errors import ParameterError
from ..modifiers.bases.modifier import Modifier
from .recipe import Recipe

GROWING = ("steps", "passes", "events", "strength", "depth")
"""Parameters that say how long or how far a modifier works; of several, the first counts."""


def growing_parameter(modifier: Modifier) -> str | None:
    """Return the name of the parameter by which a modifier grows, None if it does not work over time.

    Examples
    --------
    >>> from noise_core.modifiers import StreamErosion
    >>> from noise_core.recipes.erosion_over_time import growing_parameter
    >>> growing_parameter(StreamErosion())
    'strength'
    """
    names = {
        parameter.name
        for parameter in modifier.parameters()
        if parameter.kind in ("integer", "number")
    }
    return next((name for name in GROWING if name in names), None)


def at_share(recipe: Recipe, share: float) -> Recipe:
    """Return a recipe with a share of its erosion.

    Parameters
    ----------
    recipe : Recipe
    share : float
        From 0, where modifiers that work over time are muted, to 1, which is the recipe itself.

    Returns
    -------
    Recipe
        Counts (steps, passes, events) are rounded to whole ones, strengths and depths grow steadily.

    Raises
    ------
    ParameterError

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.modifiers import ThermalErosion
    >>> from noise_core.noises import Fractal
    >>> from noise_core.recipes.erosion_over_time import at_share
    >>> recipe = Recipe(layers=(Fractal(), ThermalErosion(passes=40)))
    >>> at_share(recipe, 1.0) == recipe
    True
    """
    if not 0.0 <= share <= 1.0:
        raise ParameterError("share must be in [0, 1]", got=share)
    if share == 1.0:
        return recipe
    layers = tuple(
        _grow(layer, share) if isinstance(layer, Modifier) and not layer.muted else layer
        for layer in recipe.layers
    )
    return dataclasses.replace(recipe, layers=layers)


def _grow(modifier: Modifier, share: float) -> Modifier:
    """Return a modifier that has done a share of its work; muted if that is none."""
    name = growing_parameter(modifier)
    if name is None:
        return modifier
    whole: Any = getattr(modifier, name)
    if not isinstance(whole, (int, float)):
        return modifier
    part = round(whole * share) if isinstance(whole, int) else whole * share
    least = next(parameter.minimum for parameter in modifier.parameters() if parameter.name == name)
    if part == 0 or part < least:
        return dataclasses.replace(modifier, muted=True)
    grown: Any = modifier.with_values(**{name: part})
    return cast(Modifier, grown)
