# SPDX-License-Identifier: GPL-3.0-or-later
"""The mask of one layer of a recipe as a field, to be looked at."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Field, check_field
from ..base.blocks import Cancel, cancellable
from ..base.errors import ParameterError
from ..base.grid import Grid
from ..modifiers.bases.layer import layer_share
from ..modifiers.bases.modifier import Modifier, check_mask
from .layers import BlendedLayer, Group, flatten, number_layers

if TYPE_CHECKING:
    from .recipe import Recipe


def place_below(recipe: Recipe, number: int) -> int:
    """Return the number of the layer in which a layer stands, or its own if it is in no group.

    The layers before that number are below the mask of the layer: a mask in a group reads the ground below the group.

    Parameters
    ----------
    recipe : Recipe
    number : int
        Of the layer; see `flatten`.

    Raises
    ------
    ParameterError
        If there is no such layer.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.modifiers import Blur
    >>> from noise_core.noises import Perlin
    >>> from noise_core.recipes.mask_values import place_below
    >>> place_below(Recipe(layers=(Perlin(), Blur())), 1)
    1
    """
    count = sum(1 for _ in flatten(recipe.layers))
    if number not in range(count):
        raise ParameterError(
            "Recipe: layers have numbers in [0, {}]", max(count - 1, 0), got=number
        )
    return max(start for start, _ in number_layers(recipe.layers) if start <= number)


def mask_values(
    recipe: Recipe,
    number: int,
    height: Field,
    grid: Grid,
    painted: Field | None = None,
    *,
    cancel: Cancel | None = None,
) -> Field:
    """Return where a layer acts, from 0 (not at all) to 1, whatever its opacity, even if it is muted.

    Parameters
    ----------
    recipe : Recipe
    number : int
        Of the layer; see `flatten`.
    height : ndarray of shape (rows, columns), float32
        The ground below it, in meters; see `place_below`.
    grid : Grid
        Of that shape, with meters.
    painted : ndarray of shape (rows, columns), float32, optional
        A mask that is not part of the recipe.
    cancel : callable, optional
        See `blocks.Cancel`.

    Returns
    -------
    ndarray of shape (rows, columns), float32

    Raises
    ------
    ParameterError, Cancelled

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Recipe
    >>> from noise_core.maps import Slope
    >>> from noise_core.masks import MapMask
    >>> from noise_core.modifiers import Blur
    >>> from noise_core.noises import Perlin
    >>> from noise_core.recipes.mask_values import mask_values
    >>> gentle = MapMask(map=Slope(), limits="below", high=25.0, falloff=5.0)
    >>> recipe = Recipe(layers=(Perlin(), Blur(mask=gentle)), size=200.0)
    >>> height = np.zeros((3, 3), np.float32)
    >>> height[:, 2] = 200.0  # a cliff at the end of a plain
    >>> print(mask_values(recipe, 1, height, recipe.grid(3)))
    [[1. 0. 0.]
     [1. 0. 0.]
     [1. 0. 0.]]
    """
    place_below(recipe, number)
    ground = check_field(height, grid.shape, "mask_values: height")
    if painted is not None:
        painted = check_mask(painted, grid, "mask_values: painted")
    layer, start, layers, scope = None, 0, recipe.bound_layers, recipe.scope
    while True:  # from group to group
        start, layer = max(
            (pair for pair in number_layers(layers, start) if pair[0] <= number),
            key=lambda pair: pair[0],
        )
        if start == number:
            break
        assert isinstance(layer, Group)
        scope, layers, start = scope.enter(layer), layer.layers, start + 1
    if isinstance(layer, Modifier):
        context = layer.mask_context(layer.seed_in(scope.seed), scope.noises)
    else:
        assert isinstance(layer, BlendedLayer)
        context = scope.mask_context(layer)
    opaque = dataclasses.replace(layer, opacity=1.0)
    with cancellable(cancel):
        share = layer_share(opaque, ground, grid, context, painted)
    return np.ones(grid.shape, np.float32) if share is None else share
