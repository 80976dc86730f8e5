# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask that is the product of two."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from ..base.grid import Grid
from ..base.params import optional_mask
from .bases.mask import Mask, MaskContext, limits_choice, mask_type


@mask_type("product", "Both of Two")
class ProductMask(Mask):
    """Combines two masks (multiply).

    Examples
    --------
    >>> from noise_core.maps import Height, Slope
    >>> from noise_core.masks import MapMask, ProductMask
    >>> from noise_core.modifiers import Snow

    Snow on ground that is high and not too steep:

    >>> high = MapMask(map=Height(), low=1800.0, falloff=200.0)
    >>> gentle = MapMask(map=Slope(), limits="below", high=45.0)
    >>> snow = Snow(depth=1.0, mask=ProductMask(first=high, second=gentle))
    >>> sorted(snow.mask.inner_masks)
    ['first', 'second']
    """

    limits: str = limits_choice("values")

    first: Mask | None = optional_mask(help="One mask; without it the other counts")
    second: Mask | None = optional_mask(help="The other mask")

    def values(self, height: Field, grid: Grid, context: MaskContext) -> Field:
        """See `Mask.values`."""
        product: Field = np.ones(grid.shape, np.float32)
        for factor in (self.first, self.second):
            if factor is not None:
                product *= factor.share(height, grid, context)
        return product
