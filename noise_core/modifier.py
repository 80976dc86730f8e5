# SPDX-License-Identifier: GPL-3.0-or-later
"""What a modifier is: it needs neighbours, so it works on a finished grid."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TypeVar, dataclass_transform

import numpy as np

from .arrays import Field, checked_seed
from .blocks import Cancel, Progress
from .errors import ParameterError
from .grid import Grid
from .params import Declared
from .registry import Registry


@dataclasses.dataclass(frozen=True)
class Relief:
    """A height field with the maps that belong to it.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In metres.
    maps : mapping of str to ndarray of shape (rows, columns), float32
        What was made on the way, by name.
    """

    height: Field
    maps: Mapping[str, Field] = dataclasses.field(default_factory=dict)


class Modifier(Declared):
    """Base of all modifiers; a type in `modifiers/` writes `relief`."""

    def relief(
        self,
        height: Field,
        grid: Grid,
        seed: int,
        progress: Progress | None,
        cancel: Cancel | None,
    ) -> Relief:
        """Return the modified height and the maps that came of it.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In metres. Not to be written to.
        grid : Grid
            Spacing, and whether edges wrap.
        seed : int
            Unsigned, 32 bits.
        progress, cancel : callable or None
            See `blocks.run`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no relief()")

    def apply(
        self,
        height: Field,
        grid: Grid,
        seed: int = 0,
        mask: Field | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Relief:
        """Return the modified height, with the maps, where `mask` lets it act.

        Parameters
        ----------
        height : array_like of shape (rows, columns)
            In metres.
        grid : Grid
            Of the same shape.
        seed : int
            Any integer of 32 bits.
        mask : array_like of shape (rows, columns), optional
            From 0 (stays as it was) to 1 (modified).
        progress, cancel : callable, optional
            See `blocks.run`.

        Raises
        ------
        ParameterError
            If a shape differs from the grid's, or a height is not finite.
        Cancelled
            If `cancel` said yes.
        """
        who = f"{type(self).__name__}.apply"
        checked = _checked_field(height, grid, f"{who}: height")
        relief = self.relief(checked, grid, checked_seed(seed, who), progress, cancel)
        if mask is None:
            return relief
        share = _checked_field(mask, grid, f"{who}: mask")
        if share.min() < 0.0 or share.max() > 1.0:
            raise ParameterError(
                f"{who}: mask must be in [0, 1]; got {share.min():g} to {share.max():g}"
            )
        mixed = checked + (relief.height - checked) * share
        return Relief(mixed, relief.maps)


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


def _checked_field(field: Field, grid: Grid, who: str) -> Field:
    array = np.asarray(field, np.float32)
    if array.shape != grid.shape:
        raise ParameterError(f"{who} must have the grid's shape {grid.shape}; got {array.shape}")
    if not np.isfinite(array).all():
        raise ParameterError(f"{who} must be finite; got nan or inf")
    return array
