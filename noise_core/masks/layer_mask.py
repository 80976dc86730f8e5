# SPDX-License-Identifier: GPL-3.0-or-later
"""Where another layer's noise says so."""

from __future__ import annotations

from ..arrays import Field
from ..errors import ParameterError, format_value
from ..grid import Grid
from ..mask import Layers, Mask, mask_type
from ..params import text


@mask_type("layer", "Another Layer")
class LayerMask(Mask):
    """Lets a modifier act where the noise of another layer of the recipe is within limits.

    It is the layer's noise itself, mostly from -1 to 1, without its height, opacity and mask; a
    muted layer serves as well, and so does one that comes later.
    """

    layer: str = text(
        "", help="Name of a noise layer of the recipe; if empty, the noise that it begins with"
    )

    def values(self, height: Field, grid: Grid, layers: Layers) -> Field:
        """See `Mask.values`."""
        if self.layer not in layers:
            known = ", ".join(repr(name) for name in layers) or "none, outside of a recipe"
            raise ParameterError(
                "LayerMask.layer must name a layer of the recipe ({}); got {}",
                known,
                format_value(self.layer),
            )
        layer = layers[self.layer]
        return layer.noise.sample_grid(grid, layer.seed)
