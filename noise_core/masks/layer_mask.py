# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by the noise of another layer."""

from __future__ import annotations

from ..base.errors import ParameterError, format_value
from ..base.params import text
from .bases.mask import Mask, MaskContext, SeededNoise, mask_type


@mask_type("layer", "Another Layer")
class LayerMask(Mask):
    """Lets a layer act where the noise of another layer of the recipe is within limits.

    It is the layer's noise itself, mostly from -1 to 1, without its height, opacity and mask; a
    muted layer serves as well, and so does one that comes later.
    """

    layer: str = text(
        "", help="Name of a noise layer or group of the recipe; if empty, the first layer"
    )

    def noise_in(self, context: MaskContext) -> SeededNoise:
        """See `Mask.noise_in`."""
        noises = context.noises
        if self.layer not in noises:
            known = ", ".join(repr(name) for name in noises) or "none, outside of a recipe"
            raise ParameterError(
                "LayerMask.layer must name a layer of the recipe ({}); got {}",
                known,
                format_value(self.layer),
            )
        return noises[self.layer]
