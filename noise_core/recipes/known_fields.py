# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise on grids that is asked for again and again, with other numbers in some of its layers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Union

import numpy as np

from ..base import blocks
from ..base.arrays import Field, Points, check_seed
from ..base.blocks import Cancel, Progress
from ..base.grid import Grid
from ..base.plans import RowPlan, run_in_blocks, run_on_rows
from ..noises.bases.displacing_noise import DisplacedNoise, DisplacingNoise, Factors, displace
from ..noises.bases.noise import Noise

_SAMPLES = 1 << 24
"""Most samples of all fields that are kept: 64 MB."""


@dataclass(frozen=True)
class _MovedGrid:
    """Places that a noise moves others to.

    Attributes
    ----------
    start : Place
        Noise that is moved.
    asked : Place
        Where the displacements are taken.
    copies, factors
        See `DisplacedNoise`.
    """

    start: Place
    asked: Place
    copies: tuple[tuple[Noise, int], ...]
    factors: Factors


Place = Union[Grid, _MovedGrid]

Key = tuple[Noise, int, Place]
"""A noise, its seed, and where it is taken."""


class KnownFields:
    """Fields of the layers of a noise, kept for the next one that has the same layer.

    Layers are the parts of blends, the sources of filters of values, displacements, and noises taken
    at moved places. Any thread may ask.
    """

    def __init__(self) -> None:
        self._fields: dict[Key, Field] = {}

    def sample(
        self,
        noise: Noise,
        seed: int,
        grid: Grid,
        *,
        progress: Progress = blocks.unheard,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return a noise on a grid, as a new array with the bits of `Noise.sample_grid`.

        Parameters
        ----------
        noise : Noise
        seed : int
        grid : Grid
        progress, cancel : callable, optional
            See `blocks.Progress` and `blocks.Cancel`.

        Raises
        ------
        ParameterError, Cancelled
        """
        seed = check_seed(seed, "KnownFields.sample")
        leaves = list(dict.fromkeys(_leaves(noise, seed, grid)))
        if len(leaves) * grid.rows * grid.columns > _SAMPLES:  # they could not be kept
            leaves = [(noise, seed, grid)]
        fields = self._fields
        kept = {leaf: fields[leaf] for leaf in leaves if leaf in fields}
        missing = list(_copies(leaf for leaf in leaves if leaf not in kept))
        parts = _FieldParts(kept, grid)
        for number, some in enumerate(missing):

            def report(share: float, done: int = number) -> None:
                progress((done + share) / len(missing))

            kept.update(zip(some, parts.compute(some, report, cancel)))
        self._keep({leaf: kept[leaf] for leaf in leaves})
        return parts.join(noise, seed, grid)

    def _keep(self, values: Mapping[Key, Field]) -> None:
        """Keep fields, the newest last; the oldest go where there are too many."""
        fields = {key: field for key, field in self._fields.items() if key not in values}
        fields.update(values)
        total = sum(field.size for field in fields.values())
        for key in list(fields):
            if total <= _SAMPLES:
                break
            total -= fields.pop(key).size
        self._fields = fields  # at once: another thread may read it


class _FieldParts:
    """Parts of a noise on a grid: fields of its leaves, and fields made of them.

    Parameters
    ----------
    found : mapping of Key to ndarray of shape (rows, columns), float32
        It may grow.
    grid : Grid
    """

    def __init__(self, fields: Mapping[Key, Field], grid: Grid) -> None:
        self._found, self._grid, self._axes = fields, grid, grid.axes()
        self._shifts: dict[_MovedGrid, list[Field]] = {}

    def compute(
        self, copies: Sequence[Key], progress: Progress, cancel: Cancel | None
    ) -> Sequence[Field]:
        """Return the fields of leaves that differ in their seed alone; those of all leaves before are found."""
        noise, _, place = copies[0]
        seeds = [seed for _, seed, _ in copies]
        out = np.empty((len(seeds), *self._grid.shape), np.float32)
        if isinstance(place, Grid):
            noise.check_axes(self._axes, f"{type(noise).__name__}.sample_grid")
            plan, short = noise.seeds_plan(self._axes, seeds), noise.has_short_calls
        else:
            plan, short = self._moved_plan(noise, seeds, place), False
        run_on_rows(plan, out, None, progress, cancel, in_short_calls=short)
        return list(out)

    def _moved_plan(self, noise: Noise, seeds: Sequence[int], place: _MovedGrid) -> RowPlan:
        """Return the plan of copies of a noise at moved places."""
        self._prepare(place)

        def rows(start: int, stop: int, out: Field) -> None:
            def work(part: slice) -> None:
                points = self._points(place, start + part.start, start + part.stop)
                moved = noise.sample_seeds(points, seeds, self._axes.torus)
                for field, values in zip(out, moved):
                    field[part] = values

            run_in_blocks(stop - start, self._grid.columns, work)

        return rows

    def join(self, noise: Noise, seed: int, place: Place) -> Field:
        """Return a noise at places, as a new array; its leaves are found."""
        if (field := self._found.get((noise, seed, place))) is not None:
            return field.copy()
        if displaced := _displaced_noise(noise, seed):
            return self.join(displaced.source, seed, _places(displaced, place)[-1])
        fields = [self.join(part, part_seed, place) for part, part_seed in noise.parts(seed)]
        noise.join(fields)
        return fields[0]

    def _prepare(self, place: Place) -> None:
        """Have the displacements ready that move places."""
        if isinstance(place, Grid) or place in self._shifts:
            return
        self._prepare(place.start)
        self._shifts[place] = [
            self.join(noise, noise_seed, place.asked) for noise, noise_seed in place.copies
        ]

    def _points(self, place: Place, start: int, stop: int) -> Points:
        """Return the points of some rows."""
        if isinstance(place, Grid):
            return self._axes.points(start, stop)
        shifts = [field[start:stop] for field in self._shifts[place]]
        return displace(self._points(place.start, start, stop), place.factors, shifts)


def _copies(leaves: Iterable[Key]) -> Iterator[list[Key]]:
    """Yield leaves, together those that follow each other and differ in their seed alone."""
    for _, some in itertools.groupby(leaves, key=lambda leaf: (leaf[0], leaf[2])):
        yield list(some)


def _leaves(noise: Noise, seed: int, place: Place) -> Iterator[Key]:
    """Yield the noises that a noise is made of place by place, after those that make their places."""
    if displaced := _displaced_noise(noise, seed):
        places = _places(displaced, place)
        for asked, moved in zip(places, places[1:]):
            assert isinstance(moved, _MovedGrid)
            for copy, inner_seed in moved.copies:
                yield from _leaves(copy, inner_seed, asked)
        yield from _leaves(displaced.source, seed, places[-1])
        return
    parts = noise.parts(seed)
    if not parts:
        yield noise, seed, place
    for part, inner_seed in parts:
        yield from _leaves(part, inner_seed, place)


def _displaced_noise(noise: Noise, seed: int) -> DisplacedNoise | None:
    return noise.displaced_noise(seed) if isinstance(noise, DisplacingNoise) else None


def _places(displaced: DisplacedNoise, place: Place) -> list[Place]:
    """Return places, and where each level of a displaced noise moves them."""
    places = [place]
    for copies in displaced.levels:
        places.append(_MovedGrid(place, places[-1], copies, displaced.factors))
    return places
