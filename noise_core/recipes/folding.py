# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise layers and groups become one noise where they can.

A noise is known at any point, so as much as possible is folded into one: all noise layers and groups
up to the first that needs a grid. That is a modifier, a mask that reads the ground, or a mask that
was painted. Layers above are laid over the finished field: `evaluation.py`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ..base.arrays import Field, Points
from ..base.declared import declared_type
from ..base.derivatives import Slopes
from ..base.errors import ParameterError, format_value
from ..base.grid import SIZE, Axes
from ..base.params import integer, number, optional_mask
from ..base.plans import RowPlan
from ..base.torus import Torus
from ..masks.bases.mask import Mask, MaskContext, NamedNoises, SeededNoise
from ..modifiers.bases.layer import Layer
from ..noises.bases.noise import Noise
from ..noises.bases.pointwise import Pointwise
from ..noises.blend import Blend
from ..noises.constant import Constant
from . import chains
from .layers import BlendedLayer, Group, NoiseLayer, number_layers

_MOST_SCALE = 1000.0
"""Layers whose heights differ more are not folded: the largest `Constant`."""

_LINEAR = ("mix", "add", "subtract")
"""Modes in which the height scales the upper layer alone; `multiply` has no use for one."""

_SCALED = 5
"""Noises that blending two puts around them if their heights differ: `Blend`, and what scales."""


@dataclasses.dataclass(frozen=True)
class Scope:
    """Surroundings of layers: a recipe or a group.

    Attributes
    ----------
    seed : int
        Unsigned, 32 bits.
    height : float
        Meters that a noise of 1 stands for.
    noises : mapping of str to SeededNoise
        The noises of the recipe, for masks.
    size : float
        Width of a tile in meters.
    painted : mapping of int to ndarray of shape (rows, columns), float32
        Masks that are not part of the recipe, by the numbers of layers; see `number_layers`.
    """

    seed: int
    height: float
    noises: NamedNoises = dataclasses.field(default_factory=dict)
    size: float = SIZE
    painted: Mapping[int, Field] = dataclasses.field(default_factory=dict)

    def enter(self, group: Group) -> Scope:
        """Return the scope of the layers in a group."""
        seed, height = group.seed_in(self.seed), group.height or self.height
        return dataclasses.replace(self, seed=seed, height=height)

    def mask_context(self, layer: BlendedLayer, evolution: tuple[float, ...] = ()) -> MaskContext:
        """Return the surroundings that the mask of a layer may read."""
        return MaskContext(self.noises, self.seed, layer.mask_seed_in(self.seed), evolution)

    def scale(self, layer: BlendedLayer) -> float:
        """Return the height of a layer as a multiple of the scope's, 0 if there is none."""
        if layer.height in (0.0, self.height):
            return 1.0
        return layer.height / self.height if self.height else 0.0


# --- one noise -----------------------------------------------------------------------------------


def fold(layers: Sequence[Layer], scope: Scope, start: int = 0) -> tuple[Noise | None, int]:
    """Return layers from the first on as one noise, and how many of them that are.

    Muted layers are counted and left out.

    Parameters
    ----------
    layers : sequence of Layer
    scope : Scope
    start : int
        Number of the first of them.

    Returns
    -------
    noise : Noise or None
        In units of the scope's height, for its seed; None if no layer takes part.
    count : int

    Raises
    ------
    ParameterError
        If a mask names a layer that is not there.
    """
    folded: Noise | None = None
    for place, (layer_number, layer) in enumerate(number_layers(layers, start)):
        if layer.muted:
            continue
        joined = (
            _join(folded, layer, scope, layer_number) if isinstance(layer, BlendedLayer) else None
        )
        if joined is None:
            return folded, place
        folded = joined
    return folded, len(layers)


def layer_noise(layer: BlendedLayer, scope: Scope, number: int) -> Noise | None:
    """Return the noise of a layer without height, opacity and mask; None if it needs a grid."""
    if isinstance(layer, NoiseLayer):
        noise = layer.noise
        if noise.counts_meters:
            return noise.in_meters(layer.height or scope.height, scope.size)
        return noise
    assert isinstance(layer, Group)
    inner, count = fold(layer.layers, scope.enter(layer), number + 1)
    if count < len(layer.layers):
        return None
    noise = Constant(value=0.0) if inner is None else inner
    has_room = Noise.can_join([noise], len(layer.chain))
    return chains.add_filters(noise, layer.chain) if has_room else None


def _join(lower: Noise | None, layer: BlendedLayer, scope: Scope, number: int) -> Noise | None:
    """Return the noise of a layer over the noise below it; None if that needs a grid."""
    if number in scope.painted:
        return None
    upper, factor = layer_noise(layer, scope, number), _factor(layer, scope)
    scale = scope.scale(layer)
    if upper is None or factor is None or not 1.0 / _MOST_SCALE <= abs(scale) <= _MOST_SCALE:
        return None
    is_plain = factor == 1.0 and scale == 1.0 and not layer.seed_offset
    if lower is None and is_plain and layer.mode in ("mix", "add"):
        return upper
    below = Constant(value=0.0) if lower is None else lower
    parts = [noise for noise in (below, upper, factor) if isinstance(noise, Noise)]
    if not Noise.can_join(parts, 1 if scale == 1.0 else _SCALED):
        return None
    is_scaled = layer.mode not in (*_LINEAR, "multiply")
    blended = Blend(
        first=_scale(below, 1.0 / scale) if is_scaled else below,
        second=_scale(upper, scale) if layer.mode in _LINEAR else upper,
        mode=layer.mode,
        factor=factor,
        smoothness=layer.smoothness,
        seed_offset=layer.seed_offset,
    )
    return _scale(blended, scale) if is_scaled else blended


def _scale(noise: Noise, scale: float) -> Noise:
    if scale == 1.0:
        return noise
    constant = Constant(value=scale)
    return Blend(first=noise, second=constant, mode="multiply", factor=1.0, seed_offset=0)


def _factor(layer: BlendedLayer, scope: Scope) -> float | Noise | None:
    """Return opacity and mask of a layer as the factor of a blend; None if the mask needs a grid."""
    mask = layer.mask
    if mask is None:
        return layer.opacity
    factor = mask.factor()
    if factor is not None and layer.opacity == 1.0:
        return factor
    context = scope.mask_context(layer)
    source = mask.noise_in(context)
    if source is None:
        return None
    follows = mask.follows_layer
    return ShareNoise(
        source=source.noise,
        mask=mask,
        opacity=layer.opacity,
        fixed_seed=-1 if follows else source.seed,
    )


@declared_type
class ShareNoise(Pointwise):
    """The share that a mask lets through, as a factor of `Blend`: from -1 (nothing) to 1 (all).

    Not a registered type: it is part of folded noises alone.
    """

    key = "share"
    label = "Share"
    family = "combine"

    mask: Mask | None = optional_mask(help="Reads the source")
    opacity: float = number(1.0, help="What the share is multiply by", minimum=0.0, maximum=1.0)
    fixed_seed: int = integer(
        -1, help="Seed of the source; -1 for that of the factor", minimum=-1, maximum=(1 << 32) - 1
    )

    def change(self, field: Field) -> None:
        """Map the values of a mask to its share."""
        assert self.mask is not None
        share = self.mask.limit(self.mask.read(field))
        np.multiply(share, np.float32(2.0 * self.opacity), out=field)
        field -= np.float32(1.0)

    def bounds(self) -> tuple[float, float]:
        """Return all that a share can be."""
        return (-1.0, 2.0 * self.opacity - 1.0)

    def parts(self, seed: int) -> Sequence[tuple[Noise, int]]:
        """See `Noise.parts`."""
        return super().parts(self._seed(seed))

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return super().values(points, self._seed(seed), torus)

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`."""
        return super().plan(axes, self._seed(seed))

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: by differences, since the limits of a mask may be hard."""
        return Noise.slopes(self, points, seed, torus)

    def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.gradient_plan`."""
        return Noise.gradient_plan(self, axes, seed)

    def _seed(self, seed: int) -> int:
        return seed if self.fixed_seed < 0 else self.fixed_seed


class LayerNoises(Mapping[str, SeededNoise]):
    """The noises of all noise layers and groups of a recipe by name, for masks.

    Of two layers of one name the first counts. The empty name is that of the first layer.

    Parameters
    ----------
    layers : sequence of Layer
    seed, height, size
        Those of the recipe.
    """

    def __init__(
        self, layers: Sequence[Layer], seed: int, height: float, size: float = SIZE
    ) -> None:
        self._found: dict[str, tuple[BlendedLayer, Scope]] = {}
        self._entered: list[str] = []
        self._add(layers, Scope(seed, height, self, size))

    def _add(self, layers: Sequence[Layer], scope: Scope) -> None:
        for layer in layers:
            if isinstance(layer, BlendedLayer):
                self._found.setdefault("", (layer, scope))
                self._found.setdefault(layer.name, (layer, scope))
                if isinstance(layer, Group):
                    self._add(layer.layers, scope.enter(layer))

    def __getitem__(self, name: str) -> SeededNoise:
        layer, scope = self._found[name]
        if name in self._entered:
            raise ParameterError(
                "LayerMask.layer must not name a group that the mask is part of",
                got=format_value(name),
            )
        self._entered.append(name)
        try:
            noise = layer_noise(layer, scope, -1)
        finally:
            self._entered.pop()
        if noise is None:
            raise ParameterError(
                "LayerMask.layer must name a group in which no mask reads the ground",
                got=format_value(name),
            )
        return SeededNoise(noise, layer.seed_in(scope.seed))

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, name: object) -> bool:
        return name in self._found
