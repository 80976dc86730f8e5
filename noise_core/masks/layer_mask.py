# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by the noise of another layer."""

from __future__ import annotations

from ..base.errors import ParameterError, format_value
from ..base.params import text
from .bases.mask import Mask, MaskContext, SeededNoise, mask_type


@mask_type("layer", "Another Layer")
class LayerMask(Mask):
    """Masks a layer by the values of another layer.

    It is the layer's noise itself, mostly from -1 to 1, without its height, opacity and mask; a
    muted layer serves as well, and so does one that comes later.

    Examples
    --------
    >>> from noise_core import NoiseLayer, Recipe
    >>> from noise_core.masks import LayerMask
    >>> from noise_core.noises import Fractal, Gradient

    Mountains where the layer called "Island" is above 0:

    >>> island = NoiseLayer(name="Island", noise=Gradient(shape="radial"))
    >>> mountains = NoiseLayer(
    ...     noise=Fractal(kind="ridged"),
    ...     mode="add",
    ...     seed_offset=1,
    ...     mask=LayerMask(layer="Island", low=0.0, falloff=0.2),
    ... )
    >>> recipe = Recipe(layers=(island, mountains), height=300.0, size=5000.0)
    >>> recipe.evaluate(recipe.grid(33)).height.shape
    (33, 33)
    """

    layer: str = text(
        "", help="Name of a noise layer or group of the recipe; if empty, the first layer"
    )

    def noise_in(self, context: MaskContext) -> SeededNoise:
        """See `Mask.noise_in`."""
        noises = context.noises
        if self.layer not in noises:
            available = ", ".join(repr(name) for name in noises) or "none, outside of a recipe"
            raise ParameterError(
                "LayerMask.layer must name a layer of the recipe ({})",
                available,
                got=format_value(self.layer),
            )
        return noises[self.layer]
