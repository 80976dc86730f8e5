# SPDX-License-Identifier: GPL-3.0-or-later
"""What a modifier is: it needs neighbors, so it works on a finished grid."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import ClassVar, TypeVar, dataclass_transform

import numpy as np

from . import blocks
from .arrays import Field, check_field, check_height, check_seed
from .blocks import Cancel, Progress
from .errors import ParameterError
from .grid import Grid, check_grid
from .lattice import child_seed
from .mask import Layer, Layers, Mask
from .noise import Noise
from .params import Declared, boolean, number_or_noise, optional_mask, text
from .registry import Registry

_INFLUENCE = 0x1F
"""Tells the seed of the influence from those that a modifier makes itself."""


@dataclasses.dataclass(frozen=True)
class Relief:
    """A height field with the maps that belong to it.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    maps : mapping of str to ndarray of shape (rows, columns), float32
        What was made on the way, by name.
    """

    height: Field
    maps: Mapping[str, Field] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Modifier(Declared):
    """Base of all modifiers; a type in `modifiers/` writes `relief`.

    Parameters
    ----------
    influence : float or Noise
        What the change is multiplied by; a noise is a mask, taken as 0 where it is below 0.
    where : Mask or None
        A mask, read off the ground or another layer, that it is multiplied by too.
    muted : bool
        A recipe leaves the modifier out.
    name : str
        What lists call it, and masks that stand for a layer; nothing depends on it otherwise.
    """

    makes: ClassVar[Mapping[str, str]] = {}
    """The maps that it makes, by name, with one line of help each that says the unit."""
    amounts: ClassVar[frozenset[str]] = frozenset()
    """Which of these say how much the height has changed: a mask scales them too."""

    influence: float | Noise = number_or_noise(
        1.0,
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        help="How much of the change is kept; 0 changes nothing",
    )
    where: Mask | None = optional_mask(help="Where it acts: on slopes, above a height, by a layer")
    muted: bool = boolean(False, help="Leave this modifier out")
    name: str = text("", help="What lists and masks call it; the name of its type if empty")

    def relief(self, height: Field, grid: Grid, seed: int, progress: Progress) -> Relief:
        """Return the modified height and the maps that came of it.

        Long work calls `blocks.checkpoint` every few milliseconds, which ends it if the caller
        has cancelled, and `progress` with the finished share.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters, finite. Not to be written to.
        grid : Grid
            Spacing, and whether edges wrap.
        seed : int
            Unsigned, 32 bits.
        progress : callable
            See `blocks.Progress`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no relief()")

    def layer(self, seed: int) -> Layer | None:
        """Return the noise that the modifier brings into a recipe of some seed, if it brings one."""
        return None

    def seed_in(self, seed: int, place: int) -> int:
        """Return the seed that it has in a recipe of some seed, as the place-th modifier from 0."""
        return child_seed(seed, place + 1)

    def moved_on(self, evolution: tuple[float, ...]) -> Modifier:
        """Return it as it is at a point of further dimensions; see `Noise.sample_grid`.

        What is done to the ground does not change with time; only noises do.
        """
        return self

    def apply(
        self,
        height: Field,
        grid: Grid,
        seed: int = 0,
        mask: Field | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        layers: Layers | None = None,
    ) -> Relief:
        """Return the modified height, with the maps, where `mask` lets it act.

        Parameters
        ----------
        height : array_like of shape (rows, columns)
            In meters.
        grid : Grid
            Of the same shape.
        seed : int
            Any integer of 32 bits.
        mask : array_like of shape (rows, columns), optional
            From 0 (stays as it was) to 1 (modified).
        progress, cancel : callable, optional
            See `blocks.Progress` and `blocks.Cancel`.
        layers : mapping of str to Layer, optional
            The noises of the recipe, for a mask that stands for one of them.

        Raises
        ------
        ParameterError
            If a shape differs from the grid's, a height is not finite or beyond 1e12, the mask
            not in [0, 1], or the layer not there that `where` stands for.
        Cancelled
            If `cancel` said yes.
        """
        who = f"{type(self).__name__}.apply"
        checked = check_height(height, check_grid(grid, who).shape, f"{who}: height")
        own_seed = check_seed(seed, who)
        given = None if mask is None else _checked_mask(mask, grid, f"{who}: mask")
        with blocks.cancellable(cancel):
            blocks.checkpoint()
            share = self._share(
                _product(given, self._inside(checked, grid, layers)), grid, own_seed
            )
            relief = self.relief(checked, grid, own_seed, progress or blocks.unheard)
            return relief if share is None else self._mixed(checked, relief, share)

    def _inside(self, height: Field, grid: Grid, layers: Layers | None) -> Field | None:
        """Return what the mask of the recipe lets through, None if all."""
        return None if self.where is None else self.where.share(height, grid, layers or {})

    def _share(self, mask: Field | None, grid: Grid, seed: int) -> Field | None:
        """Return what the change is to be multiplied by, None if by 1."""
        if isinstance(self.influence, (int, float)):
            if self.influence == 1.0:
                return mask
            own = np.full(grid.shape, self.influence, np.float32)
        else:
            own = self.influence.sample_grid(grid, child_seed(seed, _INFLUENCE))
            np.clip(own, 0.0, 1.0, out=own)
        return _product(own, mask)

    def _mixed(self, before: Field, relief: Relief, share: Field) -> Relief:
        maps = {
            name: values * share if name in self.amounts else values
            for name, values in relief.maps.items()
        }
        return Relief(before + (relief.height - before) * share, maps)


ModifierType = TypeVar("ModifierType", bound=type[Modifier])

_REGISTRY: Registry[Modifier] = Registry(f"{__package__}.modifiers")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def modifier_type(key: str, label: str) -> Callable[[ModifierType], ModifierType]:
    """Make a class a modifier type: a frozen keyword-only dataclass, registered under `key`."""

    def decorate(cls: ModifierType) -> ModifierType:
        cls.key, cls.label = key, label
        dataclasses.dataclass(frozen=True, kw_only=True, eq=False)(cls)
        _REGISTRY.add(cls)
        return cls

    return decorate


def modifier_types() -> Mapping[str, type[Modifier]]:
    """Return every modifier type by its key."""
    return _REGISTRY.all()


def _checked_mask(mask: Field, grid: Grid, who: str) -> Field:
    share = check_field(mask, grid.shape, who)
    if share.min() < 0.0 or share.max() > 1.0:
        raise ParameterError(
            "{} must be in [0, 1]; got {:g} to {:g}", who, share.min(), share.max()
        )
    return share


def _product(first: Field | None, second: Field | None) -> Field | None:
    """Return the product of two fields; None is 1 everywhere."""
    if first is None or second is None:
        return second if first is None else first
    return first * second
