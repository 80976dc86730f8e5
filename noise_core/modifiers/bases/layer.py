# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of all layers of a recipe: noise layers, groups and modifiers."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.declared import declared_type
from ...base.grid import Grid
from ...base.params import Declared, boolean, integer, number, optional_mask, text
from ...masks.bases.mask import Mask, MaskContext


@declared_type
class Layer(Declared):
    """Base of the entries in the list of a recipe, from bottom to top.

    Examples
    --------
    >>> from noise_core import Layer, NoiseLayer
    >>> from noise_core.modifiers import Blur
    >>> from noise_core.noises import Perlin
    >>> isinstance(Blur(), Layer), isinstance(NoiseLayer(noise=Perlin()), Layer)
    (True, True)

    A muted layer stays in the list and takes no part:

    >>> Blur(name="Soften", opacity=0.5, muted=True).muted
    True
    """

    name: str = text("", help="Name in lists and masks; empty uses the name of its type")
    muted: bool = boolean(False, help="Mute the layer")
    opacity: float = number(
        1.0,
        help="Amount of the change; 0 changes nothing",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    mask: Mask | None = optional_mask(
        help="Where it acts: on slopes, above a height, by a noise or another layer"
    )
    seed_offset: int = integer(
        0,
        help="Added to the seed so that layers differ; equal offsets share a pattern",
        minimum=0,
        maximum=100_000,
        soft_maximum=32,
        advanced=True,
    )

    @property
    def needs_neighbors(self) -> bool:
        """Whether its effect at a point depends on the ground around: by its mask, or as a modifier."""
        return self.mask is not None and self.mask.reads_ground

    def seed_in(self, parent: int) -> int:
        """Return the seed of the layer in a recipe or group of a seed.

        Parameters
        ----------
        parent : int
            Unsigned, 32 bits.
        """
        raise NotImplementedError(f"{type(self).__name__} has no seed_in()")


def layer_share(
    layer: Layer, height: Field, grid: Grid, context: MaskContext, painted: Field | None = None
) -> Field | None:
    """Return the share by which the change of a layer is multiplied; None for all of it.

    Parameters
    ----------
    layer : Layer
    height, grid, context
        See `Mask.values`.
    painted : ndarray of shape (rows, columns), float32, optional
        A mask that is not part of the recipe.
    """
    share = painted
    if layer.mask is not None:
        inside = layer.mask.share(height, grid, context)
        share = inside if share is None else share * inside
    if layer.opacity == 1.0:
        return share
    opacity = np.float32(layer.opacity)
    return np.full(grid.shape, opacity, np.float32) if share is None else opacity * share
