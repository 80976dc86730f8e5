# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks in recipes: where a layer acts, read when its turn comes."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import TypeVar, dataclass_transform

import numpy as np

from ...base.arrays import Field
from ...base.checks import register_base
from ...base.declared import declared_type
from ...base.grid import Grid
from ...base.params import Declared, boolean, choice, number
from ...base.registry import Registry
from ...maps.bases.map import check_limits, ramp
from ...noises.bases.noise import Noise


@dataclasses.dataclass(frozen=True)
class SeededNoise:
    """A noise with the seed that it has in a recipe.

    Attributes
    ----------
    noise : Noise
        In units, not in meters.
    seed : int
        Unsigned, 32 bits.
    """

    noise: Noise
    seed: int


NamedNoises = Mapping[str, SeededNoise]
"""The noises of the layers of a recipe by name; that of the first layer has the empty name too."""


@dataclasses.dataclass(frozen=True)
class MaskContext:
    """The surroundings of a mask: the recipe that it stands in.

    Attributes
    ----------
    noises : mapping of str to SeededNoise
        The noises of the recipe.
    parent_seed : int
        Seed of the recipe or group that the masked layer is in; for a modifier the modifier's own.
    own_seed : int
        Seed of a noise of the mask that has no seed offset.
    evolution : tuple of up to two floats
        See `Noise.sample_grid`.
    """

    noises: NamedNoises = dataclasses.field(default_factory=dict)
    parent_seed: int = 0
    own_seed: int = 0
    evolution: tuple[float, ...] = ()


def limits_choice(default: str) -> str:
    """Declare which values a mask lets through."""
    return choice(
        default,
        help="Range of values that the mask passes",
        options={
            "above": "From `low` up",
            "below": "Up to `high`",
            "between": "Values between `low` and `high`",
            "values": "The value itself: blocked at 0 and below, fully applied at 1 and above",
        },
    )


@declared_type
class Mask(Declared):
    """Base of all masks in recipes; a type in `masks/` writes `noise_in`, or `values`.

    Limits and falloff are in the unit of these values. As with a map's mask the falloff lies
    outside the limits and is smooth (`Map.mask`).

    Examples
    --------
    >>> from noise_core import Mask, mask_types
    >>> steep = mask_types()["map"](low=30.0, falloff=5.0)
    >>> isinstance(steep, Mask), steep.reads_ground
    (True, True)

    The opposite: all ground that is not steep.

    >>> steep.with_values(inverted=True).inverted
    True
    """

    limits: str = limits_choice("above")
    low: float = number(
        0.0,
        help="Lower limit of the mask, in map units",
        visible_when=("limits", ("above", "between")),
    )
    high: float = number(
        1.0,
        help="Upper limit of the mask, in map units",
        visible_when=("limits", ("below", "between")),
    )
    falloff: float = number(
        0.0,
        help="Falloff beyond the limits, in map units; 0 is a hard edge",
        minimum=0.0,
        visible_when=("limits", ("above", "below", "between")),
    )
    inverted: bool = boolean(False, help="Invert the mask")

    @property
    def reads_ground(self) -> bool:
        """Whether it, or a mask in it, needs the heights; otherwise it is known at any point."""
        return any(inner.reads_ground for inner in self.inner_masks.values())

    @property
    def inner_masks(self) -> dict[str, Mask]:
        """The masks that are parameters of the mask, by name."""
        values = {parameter.name: getattr(self, parameter.name) for parameter in self.parameters()}
        return {name: value for name, value in values.items() if isinstance(value, Mask)}

    def noise_in(self, context: MaskContext) -> SeededNoise | None:
        """Return the noise that the mask reads; None if it reads the ground, or other masks.

        Parameters
        ----------
        context : MaskContext
            The recipe around the mask.

        Raises
        ------
        ParameterError
            If the noise is not there.
        """
        return None

    @property
    def follows_layer(self) -> bool:
        """Whether its noise has the seed that the masked layer has for it."""
        return False

    def factor(self) -> Noise | None:
        """Return a noise that is all of the mask as the factor of a `Blend`; None if there is none."""
        return None

    def read(self, noise: Field) -> Field:
        """Return the values that samples of its noise stand for; may change them in place."""
        return noise

    def values(self, height: Field, grid: Grid, context: MaskContext) -> Field:
        """Return the values that the limits are about.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters, as it is when the layer's turn comes. Not to be written to.
        grid : Grid
            Of the same shape.
        context : MaskContext

        Returns
        -------
        ndarray of shape (rows, columns), float32
            A new one.

        Raises
        ------
        ParameterError
            If it needs a noise or a size that is not there.
        """
        source = self.noise_in(context)
        if source is None:
            raise NotImplementedError(f"{type(self).__name__} has no values()")
        noise = source.noise.sample_grid(grid, source.seed, evolution=context.evolution)
        return self.read(noise)

    def apply_ramp(self, values: Field, low: float, high: float, falloff: float) -> Field:
        """Return 1 within the limits and a ramp beyond; values that go round override this."""
        return ramp(np.maximum(low - values, values - high), falloff)

    def share(self, height: Field, grid: Grid, context: MaskContext) -> Field:
        """Return how much of a change is let through, from 0 to 1; see `values`."""
        return self.limit(self.values(height, grid, context))

    def limit(self, values: Field) -> Field:
        """Return how much of a change values let through, from 0 to 1; may change them in place.

        Parameters
        ----------
        values : ndarray of shape (rows, columns), float32
            In the unit of `low` and `high`.
        """
        if self.limits == "values":
            share = np.clip(values, np.float32(0.0), np.float32(1.0), out=values)
        else:
            limits = check_limits(*self._ends(), self.falloff, type(self).__name__)
            share = self.apply_ramp(values, *limits)
        return np.subtract(np.float32(1.0), share, out=share) if self.inverted else share

    def _ends(self) -> tuple[float, float]:
        """Return the least and the largest value that is let through."""
        if self.limits == "above":
            return self.low, math.inf
        if self.limits == "below":
            return -math.inf, self.high
        return min(self.low, self.high), max(self.low, self.high)


register_base("mask", Mask)

MaskType = TypeVar("MaskType", bound=type[Mask])

_REGISTRY: Registry[Mask] = Registry("masks")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def mask_type(key: str, label: str) -> Callable[[MaskType], MaskType]:
    """Make a class a mask type: a frozen keyword-only dataclass, registered under `key`.

    Parameters
    ----------
    key : str
        Lower case; stands in saved files, so it never changes.
    label : str
        Label in menus.

    Examples
    --------
    >>> from noise_core import mask_types
    >>> from noise_core.masks import NoiseMask

    The decorator registers a class under the key that stands in saved files:

    >>> mask_types()["noise"] is NoiseMask
    True
    """
    return _REGISTRY.declare(key, label)


def mask_types() -> Mapping[str, type[Mask]]:
    """Return every mask type by its key.

    Examples
    --------
    >>> from noise_core import mask_types
    >>> sorted(mask_types())
    ['layer', 'map', 'noise', 'product']
    """
    return _REGISTRY.all()
