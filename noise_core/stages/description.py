# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages as data: work on a part of a level, and how far around that part it reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..rasters import pyramid
from ..rasters.level import Level


@dataclass(frozen=True, eq=False)
class Raster:
    """A field on a level, as stages pass it on: only a runner looks into it.

    Attributes
    ----------
    level : Level
        A whole one.
    values : object
        The values as the runner keeps them: an array in memory, files of tiles elsewhere.
    """

    level: Level
    values: Any


@dataclass(frozen=True)
class StagedRelief:
    """Result of the stages of a modifier.

    Attributes
    ----------
    height : Raster
        In meters.
    maps : mapping of str to Raster
        By the names of `Modifier.makes`.
    """

    height: Raster
    maps: Mapping[str, Raster] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Part:
    """Values on a level, or on a part of one.

    Attributes
    ----------
    values : ndarray of shape level.shape
        Not to be written to.
    level : Level
    """

    values: Field
    level: Level


Mask = npt.NDArray[np.bool_]

Work = Callable[[Level, Sequence[Part], Progress], Field | tuple[Field, ...]]
"""Takes the level that is worked on, or a part of it, and the parts it reads; returns new fields.

They cover that level, or all of the first part, whose margin is then cut off. Picklable: a function
of a module, a method of a frozen dataclass, or a `functools.partial` of one.
"""

Reach = int | Callable[[Level], Level]
"""How far around a sample work reads: a number of samples, or a function from a part of a level to the part
of it that the work needs."""


@dataclass(frozen=True)
class Local:
    """Stage of kind *local*: values depend on the samples around them, up to some distance.

    With no reach it is *solved as a whole*, which only levels of a bounded size can be.

    Attributes
    ----------
    name : str
    work : callable
        See `Work`.
    reach : int, callable or None
        Into sources on the level that is worked on; see `Reach`.
    across : callable
        Takes the whole level of another source and the part that is worked on; returns the part of that
        level which the work needs. The need of resampling by default.
    makes : tuple of str
        Names of the fields that the work returns.
    held : float
        Bytes of memory that the work takes for each sample of the widest part, besides its inputs
        and its results.
    in_cache : float
        Bytes that the work takes besides, however many samples there are.
    is_lazy : bool
        Whether the values, cheap and of one field, may be worked out each time they are read.
    """

    name: str
    work: Work
    reach: Reach | None = 0
    across: Callable[[Level, Level], Level] = pyramid.source_part
    makes: tuple[str, ...] = ("height",)
    held: float = 8.0
    in_cache: float = 0.0
    is_lazy: bool = False


@dataclass(frozen=True)
class Connected:
    """Stage of kind *connected*: parts of a mask that hang together, however far they go, are told apart.

    Attributes
    ----------
    name : str
    find : callable
        Takes the values of the sources, sample by sample; returns a mask, and which samples are marked:
        two arrays of bool. Picklable.
    """

    name: str
    find: Callable[..., tuple[Mask, Mask]]


RoundsWork = Callable[[Level, Sequence[Part], Sequence[int]], tuple[Field, ...]]
"""Takes a level or a part of one, the state on it, and the sizes of some rounds; returns the state after
these, which is true except near edges that are no borders. Picklable."""


@dataclass(frozen=True)
class Rounds:
    """Stage of kind *levelled*: steps on one level, each with a small reach.

    Attributes
    ----------
    name : str
    work : callable
        See `RoundsWork`.
    sizes : tuple of int
        How much each round does, such as its number of steps.
    reach : callable
        Gives how far a round of a size carries anything, in samples. Picklable.
    makes : tuple of str
        Names of the fields of the state that change: the first ones.
    at_once : int
        Rounds over a tile before the next one's turn; each needs its reach around the tile.
    held, in_cache : float
        See `Local`.
    """

    name: str
    work: RoundsWork
    sizes: tuple[int, ...]
    reach: Callable[[int], int]
    makes: tuple[str, ...] = ("height",)
    at_once: int = 8
    held: float = 8.0
    in_cache: float = 0.0


def as_tuple(result: Field | tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields that work has returned."""
    return result if isinstance(result, tuple) else (result,)


def grid_of(grid: Grid, target: Level) -> Grid:
    """Return the grid of a part of a land, for noises, of that of the whole land."""
    return grid if target.whole is None else grid.window(*target.begin, *target.shape)


def whole_source(source: Level, target: Level) -> Level:
    """Return all of a level: for `Local.across`, where each part of a land reads a small field as a whole."""
    return source
