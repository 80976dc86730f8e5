# SPDX-License-Identifier: GPL-3.0-or-later
"""Domain warping: a noise whose domain is displaced by another noise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import domain_warp, fractals
from ..base.arrays import Field, Points
from ..base.grid import Axes
from ..base.params import choice, integer, noise, number, vector
from ..base.plans import POINTS_PER_BLOCK, run_in_blocks
from ..lattice import seed_shifts
from .bases import moved_noise
from .bases.displacing_noise import DisplacedNoise, DisplacingNoise, displace
from .bases.noise import Noise, noise_type
from .fractal import Fractal
from .perlin import Perlin

if TYPE_CHECKING:
    from ..base.derivatives import Slopes
    from ..base.plans import RowPlan
    from ..base.torus import Torus
    from ..lattice.affine import Offset

_LOOKED_UP_POINTS = POINTS_PER_BLOCK * 11 // 16
"""A lookup holds more arrays of a block than other noises. One thread would be fastest with
half of a block's points; several wait less for each other with more (measured from a quarter on)."""

_VALUE_TOLERANCE = 5e-5
"""Of a looked up value, by the noise's span: what a lookup adds by rendering fewer samples."""

_SHIFT_TOLERANCE = 1.0 / 32.0
"""The same of a looked up displacement, in samples of the grid."""

Copies = Sequence[tuple[Noise, Sequence[int]]]
"""Noises, each with the seeds of its copies."""

Bent = Callable[[int, Field], Field]
"""Called with the first row and the displacement's copies, of shape (copies, rows, columns), for
some rows of a grid: the noise there."""

COPIES = {
    "seeds": "Each copy has its own seed",
    "shifts": "One noise with constant shifts, as in the Book of Shaders",
}
"""What copies of a displacement may be; see `moved_copies`."""

_FIRST_COPY = 0x200
"""Children from here on are the displacement's copies: a fractal's octaves are the first ones."""


@noise_type("warp", "Warp", family="domain")
class Warp(DisplacingNoise):
    """Distorts the noise like marbled paper: folds, canyons, eroded flanks.

    Notes
    -----
    With f the source, q and r copies of the displacement (one per moved axis, all with seeds of
    their own) and a the strength, one level is f(p + a q(p)) and two are
    f(p + a r(p + a q(p))). The first three coordinates are moved, each by its `scale`; an axis
    with scale 0 stays. The source keeps the seed, so that strength 0 is the source to the bit.
    The seed shifts the copies of a level together, so that no place is like another for all seeds
    (`noise_core.lattice.seed_shifts`); fractals do so themselves. A displacement with a stored picture in it,
    which is the same for every seed, is moved aside from copy to copy, but for the first. A repeating noise
    still repeats.

    Where copies are shifts, all of them are one noise with the seed of the source, moved aside by a times
    (0, 0) and (1, 1) for q, by a times (1.7, 9.2) and (8.3, 2.8) for r, and r in addition by 0.15 and 0.126
    of the time along both axes: with a displacement in [0, 1] these are the numbers of the Book of Shaders.
    (Along z, which it has not, they are (5.2, 1.3), (3.1, 6.4) and 0.138.) The seed does not shift them; one other
    than 0 moves a picture.

    The lookup renders source and second displacement once, as far apart as they are smooth, at most
    at the grid's own spacing, and reads them between the samples (see `lookup`). Its error against
    the exact way is 2e-4 for two levels on 1024 x 1024 samples with Perlin noise of 4 cells as
    source or 5 octaves of it, ten times as much where the finest cells are two samples wide, and
    more where the source has creases; `docs/bounds.md` has it for each basis and size. It holds
    one table of at most 4 bytes a sample for one level and three for two, with a margin of the
    strength all around if the grid does not wrap. Points, grids that do not lie along the axes, a displaced z and
    margins of more than 4096 samples are computed exactly.

    References
    ----------
    Inigo Quilez (2002). Domain warping. https://iquilezles.org/articles/warp/
    Patricio Gonzalez Vivo, Jen Lowe (2015). The book of shaders, chapter 13.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Constant, Perlin, Warp
    >>> marbled = Warp(source=Perlin(frequency=4.0), displacement=Perlin(frequency=2.0), strength=0.1)
    >>> field = marbled.sample_grid(Grid(65, 65), seed=3)

    A warp moves values about; it makes no new ones:

    >>> marbled.bounds() == Perlin(frequency=4.0).bounds()
    True

    A displacement of 0 leaves the noise as it is:

    >>> still = Warp(source=Perlin(frequency=4.0), displacement=Constant(value=0.0))
    >>> plain = Perlin(frequency=4.0).sample_grid(Grid(65, 65), seed=3)
    >>> bool(np.abs(still.sample_grid(Grid(65, 65), seed=3) - plain).max() < 1e-5)
    True
    """

    source: Noise = noise(Fractal, help="The noise to bend")
    displacement: Noise = noise(
        lambda: Fractal(source=Perlin(frequency=4.0), octaves=5.0),
        help="The noise that bends it; its own frequency and octaves set the shape of the folds",
    )
    strength: float = number(
        0.1,
        help="Distance that a displacement of 1 moves a point, in tiles; 0 changes nothing",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=0.5,
    )
    scale: tuple[float, ...] = vector(
        (1.0, 1.0, 1.0),
        help="Strength per axis; 0 keeps that axis unwarped",
        minimum=-10.0,
        maximum=10.0,
        advanced=True,
        visible_when=("strength", 0.0),
    )
    levels: int = integer(
        1,
        help="Warp once, or warp the warp too: more intricate",
        minimum=1,
        maximum=2,
        advanced=True,
        visible_when=("strength", 0.0),
    )
    copies: str = choice(
        "seeds",
        help="Noise copies of the displacement, one per axis and level",
        options=COPIES,
        classic=("shifts",),
        advanced=True,
        visible_when=("strength", 0.0),
    )
    time: float = number(
        0.0,
        help="Drift of the second bend: shifts its copies by 0.15 and 0.126 times this",
        minimum=-500.0,
        maximum=500.0,
        soft_minimum=0.0,
        soft_maximum=10.0,
        advanced=True,
        visible_when=("copies", ("shifts",)),
    )
    method: str = choice(
        "exact",
        help="Computation on grids; single points are always exact",
        options={
            "exact": "Evaluate the noise at every warped point",
            "lookup": "Evaluate once and interpolate warped points: several times faster",
        },
        advanced=True,
        visible_when=("strength", 0.0),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        factors = self._factors(3).values()
        farthest = max((abs(factor) for factor in factors), default=0.0)
        farthest *= max(abs(bound) for bound in self.displacement.bounds())
        domain_warp.reach.check_reach(farthest, self.source, "Warp.strength")
        if self.copies == "shifts":
            farthest += 1.0 + max(abs(self.copy_offset(1, axis)[1]) for axis in (0, 1, 2))
        if self.levels == 2 or self.copies == "shifts":
            domain_warp.reach.check_reach(farthest, self.displacement, "Warp.strength")

    def bounds(self) -> tuple[float, float]:
        """Return those of the source: bending moves values, it does not change them."""
        return self.source.bounds()

    def finest(self) -> float:
        """Return the frequency of the source's finest cells, as they are before they are bent."""
        return self.source.finest()

    def coarsest_in_place(self) -> float:
        """See `Noise.coarsest_in_place`: those of the source; the copies are shifted."""
        return self.source.coarsest_in_place()

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        moved, factors = points, self._factors(len(points))
        for level in range(self.levels if factors else 0):
            copies = self._copies(seed, level, factors)
            moved = self._displace(points, _sample(copies, moved, torus))
        return self.source.values(moved, seed, torus)

    def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
        """See `Noise.slopes`: exact, also where a grid's values are looked up."""
        factors = self._factors(len(points))
        moved = points
        pushes: Mapping[int, Slopes] = {}
        for level in range(self.levels if factors else 0):
            copies = [
                noise.slopes(moved, copy_seed, torus)
                for noise, seeds in self._copies(seed, level, factors)
                for copy_seed in seeds
            ]
            pushes = {
                axis: domain_warp.bends.bent_slopes(slopes, pushes, factors)
                for axis, (_, slopes) in zip(factors, copies)
            }
            moved = self._displace(points, [value for value, _ in copies])
        value, slopes = self.source.slopes(moved, seed, torus)
        return value, domain_warp.bends.bent_slopes(slopes, pushes, factors)

    def displaced_noise(self, seed: int) -> DisplacedNoise | None:
        """See `DisplacingNoise.displaced_noise`: none where bent points are looked up."""
        factors = self._factors(2)
        if self.method != "exact" or not factors:
            return None
        levels = tuple(
            tuple(
                (noise, copy_seed)
                for noise, seeds in self._copies(seed, level, factors)
                for copy_seed in seeds
            )
            for level in range(self.levels)
        )
        return DisplacedNoise(self.source, levels, tuple(factors.items()))

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: the first displacement lies on the grid and has its own fast way."""
        factors = self._factors(2 + len(axes.rest))
        if not factors:
            return self.source.plan(axes, seed)
        plan = domain_warp.bends.copies_plan(self._copies(seed, 0, factors), axes)
        tables = self._tables(axes, seed)
        if tables:
            bent = self._table_lookup(axes, tables)
            points = _LOOKED_UP_POINTS
        else:
            bent = self._exact_lookup(axes, seed)
            points = POINTS_PER_BLOCK

        def rows(start: int, stop: int, out: Field) -> None:
            shifts = np.empty((len(factors), *out.shape), np.float32)
            plan(start, stop, shifts)

            def work(part: slice) -> None:
                out[part] = bent(start + part.start, shifts[:, part])

            run_in_blocks(len(out), out.shape[1], work, points)

        return rows

    def _exact_lookup(self, axes: Axes, seed: int) -> Bent:
        """Return the exact way to go on from the first displacement."""
        second = self._copies(seed, 1, self._factors(2 + len(axes.rest)))

        def bent(first: int, copies: Field) -> Field:
            points = axes.points(first, first + copies.shape[1])
            moved = self._displace(points, copies)
            if self.levels == 2:
                moved = self._displace(points, _sample(second, moved, axes.torus))
            return self.source.values(moved, seed, axes.torus)

        return bent

    def _tables(self, axes: Axes, seed: int) -> list[domain_warp.lookup.NoiseTable]:
        """Return the noises to look up one after the other, if that is asked for and possible."""
        factors = self._factors(2 + len(axes.rest))
        if self.method != "lookup" or not set(factors) <= {0, 1}:
            return []
        scales = (factors.get(0, 0.0), factors.get(1, 0.0))
        ends = [[scale * bound for bound in self.displacement.bounds()] for scale in scales]
        box = ((min(ends[0]), max(ends[0])), (min(ends[1]), max(ends[1])))
        if not domain_warp.extent.can_serve(axes, box):
            return []
        tables = []
        if self.levels == 2:
            tolerance = _SHIFT_TOLERANCE * axes.step / max(map(abs, scales))
            tables.append(
                domain_warp.lookup.NoiseTable(self._copies(seed, 1, factors), axes, box, tolerance)
            )
        low, high = self.source.bounds()
        tolerance = _VALUE_TOLERANCE * (high - low)
        return [
            *tables,
            domain_warp.lookup.NoiseTable([(self.source, (seed,))], axes, box, tolerance),
        ]

    def _table_lookup(self, axes: Axes, tables: Sequence[domain_warp.lookup.NoiseTable]) -> Bent:
        """Return the fast way to go on from the first displacement."""
        factors = self._factors(2 + len(axes.rest))
        scales = (factors.get(0, 0.0), factors.get(1, 0.0))
        limits = [self.displacement.bounds()] * (len(tables) - 1) + [self.source.bounds()]

        def bent(first: int, copies: Field) -> Field:
            for table, bounds in zip(tables, limits):
                copies = table.look_up(
                    first, domain_warp.bends.plane_shifts(copies, factors), scales
                )
                # The spline overshoots at sharp edges; a table ends where bounds let points come.
                np.clip(copies, *bounds, out=copies)
            field: Field = copies[0]
            return field

        return bent

    def _factors(self, dimension: int) -> Mapping[int, float]:
        """Return by how much the displacement counts along each axis that is moved."""
        factors = {axis: self.strength * scale for axis, scale in enumerate(self.scale[:dimension])}
        return {axis: factor for axis, factor in factors.items() if factor != 0.0}

    def _copies(self, seed: int, level: int, axes: Iterable[int]) -> list[tuple[Noise, list[int]]]:
        """Return the displacement's copies of one level: a noise, with the seeds of its copies."""
        copies: list[tuple[Noise, list[int]]] = []
        offsets: list[Offset] = []
        for axis in axes:
            offset = self._shift_of(level, axis, seed)
            if offset not in offsets[-1:]:
                copies.append((moved_noise.MovedNoise.wrap(self.displacement, offset), []))
                offsets.append(offset)
            copies[-1][1].append(seed if self._has_one_seed else _copy_seed(seed, level, axis))
        return copies

    @property
    def _has_one_seed(self) -> bool:
        return self.copies == "shifts"

    def _shift_of(self, level: int, axis: int, seed: int) -> Offset:
        """Return how far the displacement's copy for one level and axis is moved, in tiles."""
        x, y, z = self.copy_offset(level, axis)
        if not self._has_one_seed:
            by_seed = seed_shifts.seed_shift(seed, level, self.displacement.seed_span)
            return (x + by_seed[0], y + by_seed[1], z + by_seed[2], by_seed[3])
        if self.displacement.has_picture:
            across, along = domain_warp.moved_copies.picture_shift(seed)
            return (x + across, y + along, z, 0.0)
        return (x, y, z, 0.0)

    def copy_offset(self, level: int, axis: int) -> tuple[float, float, float]:
        """Return the part of a copy's shift that is the same for every seed, in tiles.

        Of copies with seeds of their own only pictures have one.
        """
        if self.copies == "shifts":
            x, y = domain_warp.moved_copies.copy_shift(level, axis, self.strength, (self.time,))
        else:
            number = 3 * level + axis if self.displacement.has_picture else 0
            x, y = (number * step % 1.0 for step in fractals.sums.SHIFTS[:2])
        return (x, y, 0.0)

    def _displace(self, points: Points, copies: Iterable[Field]) -> Points:
        """Return points moved by the displacement's copies, in their own dtype."""
        return displace(points, tuple(self._factors(len(points)).items()), copies)


def _copy_seed(seed: int, level: int, axis: int) -> int:
    """Return the seed of the displacement's copy for one level and axis."""
    return seed_shifts.copy_seed(seed, _FIRST_COPY + 3 * level + axis)


def _sample(copies: Copies, points: Points, torus: Torus | None) -> list[Field]:
    """Return copies of a displacement at points."""
    return [field for noise, seeds in copies for field in noise.sample_seeds(points, seeds, torus)]
