# SPDX-License-Identifier: GPL-3.0-or-later
"""Mask by a noise."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Field
from ..base.params import chain, choice, integer
from ..lattice.hash import child_seed
from ..noises.bases.noise import Noise
from ..noises.fractal import Fractal
from .bases.mask import Mask, MaskContext, SeededNoise, limits_choice, mask_type


@mask_type("noise", "Noise")
class NoiseMask(Mask):
    """Masks a layer by a noise: patches, belts, a shore drawn by a gradient.

    Examples
    --------
    >>> from noise_core import Recipe
    >>> from noise_core.masks import NoiseMask
    >>> from noise_core.modifiers import Blur
    >>> from noise_core.noises import Fractal, Perlin

    Smooth ground in patches:

    >>> patches = NoiseMask(noise=Perlin(frequency=3.0), span="positive")
    >>> recipe = Recipe(
    ...     layers=(Fractal(), Blur(radius=40.0, mask=patches)), height=100.0, size=1000.0, seed=4
    ... )
    >>> plain = Recipe(layers=(Fractal(),), height=100.0, size=1000.0, seed=4)
    >>> grid = recipe.grid(65)
    >>> changed = recipe.evaluate(grid).height != plain.evaluate(grid).height
    >>> bool(0.2 < changed.mean() < 0.8)
    True
    """

    limits: str = limits_choice("values")

    noise: Noise = chain(Fractal, help="The noise and its filters")
    span: str = choice(
        "signed",
        help="Noise values that become 0 and 1 in the mask",
        options={
            "signed": "-1 to 1: on average half of the ground passes",
            "positive": "0 to 1: ground below 0 is blocked",
        },
    )
    seed_offset: int = integer(
        0,
        help="Added to the seed of the mask's noise; 0 follows the layer",
        minimum=0,
        maximum=100_000,
        soft_maximum=32,
        advanced=True,
    )

    def noise_in(self, context: MaskContext) -> SeededNoise:
        """See `Mask.noise_in`."""
        if self.seed_offset:
            return SeededNoise(self.noise, child_seed(context.parent_seed, self.seed_offset))
        return SeededNoise(self.noise, context.own_seed)

    @property
    def follows_layer(self) -> bool:
        """See `Mask.follows_layer`."""
        return self.seed_offset == 0

    def factor(self) -> Noise | None:
        """See `Mask.factor`: a blend takes -1 to 1 for 0 to 1."""
        is_plain = self.limits == "values" and not self.inverted and self.span == "signed"
        return self.noise if is_plain and self.follows_layer else None

    def read(self, noise: Field) -> Field:
        """See `Mask.read`: from 0 to 1."""
        if self.span == "signed":
            noise += np.float32(1.0)
            noise *= np.float32(0.5)
        return noise
