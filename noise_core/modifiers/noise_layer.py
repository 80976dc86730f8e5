# SPDX-License-Identifier: GPL-3.0-or-later
"""One noise more, laid over the ground."""

from __future__ import annotations

from .. import blending
from ..arrays import Field
from ..blocks import Progress
from ..grid import Grid
from ..lattice import child_seed
from ..mask import Layer
from ..modifier import Modifier, Relief, modifier_type
from ..noise import Noise
from ..noises.fractal import Fractal
from ..params import choice, integer, noise, number

_OWN = 0x401
"""Tells the seed of a layer with a seed offset of 1 from those of fractals, blends and modifiers."""


@modifier_type("noise_layer", "Noise Layer")
class NoiseLayer(Modifier):
    """Lays another noise over the ground: added, mixed, the higher of the two, and other modes.

    Notes
    -----
    The modes are those of the noise `Blend`, and `influence` is the opacity. All are measured in
    units of `height`: ground as high as that is a noise of 1. So a layer does to ground of
    `height` times a noise what `Blend` does to the two noises, times `height`. In most modes that
    means that the layer is `height` meters high and the smoothness a share of it. Two modes need to
    know what 1 is: `multiply` takes the ground times the plain noise, whatever the height, and
    `screen` takes `height` for white, which nothing exceeds that lies below it.

    A layer has the seed of its recipe, wherever it stands in the list, so that it keeps its shape
    when it is moved; the seed offset tells layers apart.

    References
    ----------
    Thomas Porter, Tom Duff (1984). Compositing digital images. SIGGRAPH (opacity)
    """

    noise: Noise = noise(Fractal, help="What is laid over the ground")
    mode: str = choice(
        "add", help="How it is put together with the ground", options=blending.OPTIONS
    )
    height: float = number(
        20.0,
        help="Meters that a noise of 1 stands for",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=2000.0,
        unit="length",
        visible_when=("mode", tuple(one for one in blending.OPTIONS if one != "multiply")),
    )
    smoothness: float = number(
        0.2,
        help="How close the two must be for their meeting to be rounded, as a share of the height",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        visible_when=("mode", blending.ROUNDED),
    )
    seed_offset: int = integer(
        1,
        help="Tells layers of the same noise apart; 0 gives it the seed of the recipe itself",
        minimum=0,
        maximum=10000,
        soft_maximum=16,
    )

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the ground with the noise laid over it."""
        layer = self.layer(seed)
        upper = layer.noise.sample_grid(grid, layer.seed, progress=progress)
        return Relief(blending.blend(self.mode, height, upper, self.smoothness, self.height))

    def layer(self, seed: int) -> Layer:
        """See `Modifier.layer`."""
        offset = self.seed_offset
        return Layer(self.noise, child_seed(seed, _OWN + offset - 1) if offset else seed)

    def seed_in(self, seed: int, place: int) -> int:
        """See `Modifier.seed_in`: the recipe's own, at any place."""
        return seed

    def moved_on(self, evolution: tuple[float, ...]) -> NoiseLayer:
        """See `Modifier.moved_on`: its noise moves on as the recipe's does."""
        if not evolution:
            return self
        values = {one.name: getattr(self, one.name) for one in self.parameters()}
        return NoiseLayer(**{**values, "noise": self.noise.at_time(evolution)})
