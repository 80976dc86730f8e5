# SPDX-License-Identifier: GPL-3.0-or-later
"""Random craters: sizes, places and times of impact.

Craters come in classes of size, each half as large as the one before. A class has its own square
lattice, with at most one crater in each cell.

References
----------
Neukum, Ivanov, Hartmann (2001). Cratering records in the inner solar system. (cumulative size
    distributions with exponents of -2 to -3)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Hash, Index
from ..base.elementary import power, power_of
from ..base.gathering import gather
from ..base.torus import Lattice, Torus, inverse, square_lattice
from ..lattice.hash import child_seed, hash_indices

Numbers = npt.NDArray[np.intp]
Positions = npt.NDArray[np.float64]

MOST_CLASSES = 16
"""More classes than any noise has; so many take turns in an epoch."""

REACH = 2.48
"""Radius around a crater beyond which its ejecta never come, in radii of the crater."""

LARGEST_RADIUS = 0.4
"""Radius of the largest crater of a class, in cells: with its ejecta it stays within a neighboring cell."""

EPOCHS = 8
"""Spans of time in which the classes take turns, the largest first. So craters that overlap can be drawn
class by class; with so many the turns do not show."""

_SIZE, _TIME, _LOBES = 0x3D, 0x8B, (0x11F, 0x1C5)
"""Tell a crater's random words from one another."""

_TIME_BITS = 25
"""Of a time of impact, the lowest bits are random; those above are the class, then the epoch."""

_HALF_WORD = np.uint32(0xFFFF)
_HALF, _STEP = np.float32(0.5), np.float32(2.0**-16)


@dataclass(frozen=True, eq=False)
class Impacts:
    """Craters of one class before their shape is known.

    Attributes
    ----------
    i, j : ndarray of shape (n,), int32
        The cell of each.
    x, y : ndarray of shape (n,), float64
        Centers, in cells of the class's lattice.
    radius : ndarray of shape (n,), float32
        In cells.
    time : ndarray of shape (n,), uint32
        Order of all impacts; a larger number is a younger crater.
    lobes : ndarray of shape (4, n), float32
        Independent random numbers within (-1, 1), for the outline.
    """

    i: Index
    j: Index
    x: Positions
    y: Positions
    radius: Field
    time: Hash
    lobes: Field

    @property
    def size(self) -> int:
        """Number of craters."""
        return self.radius.size

    def take(self, chosen: Numbers) -> Impacts:
        """Return some of them."""
        return Impacts(
            gather(self.i, chosen),
            gather(self.j, chosen),
            gather(self.x, chosen),
            gather(self.y, chosen),
            gather(self.radius, chosen),
            gather(self.time, chosen),
            self.lobes.take(chosen, axis=1),
        )


@dataclass(frozen=True, eq=False)
class SizeClass:
    """Craters of one class of size.

    Attributes
    ----------
    number : int
        0 for the largest; each class is half as large as the one before.
    lattice : Lattice
    seed : int
    chance : float
        Probability of a crater in each cell.
    exponent : float
        Number of craters larger than D, as D to the power of minus this.
    """

    number: int
    lattice: Lattice
    seed: int
    chance: float
    exponent: float

    def is_hit(self, i: Index, j: Index) -> npt.NDArray[np.bool_]:
        """Return which cells have a crater."""
        chance = self._hash(i, j, _SIZE) >> np.uint32(16)
        is_there: npt.NDArray[np.bool_] = chance < np.uint32(round(self.chance * 65536.0))
        return is_there

    def impacts(self, i: Index, j: Index) -> Impacts:
        """Return the craters of cells that have one: arrays of shape (n,)."""
        place = self._hash(i, j, 0)
        x, y = ((word.astype(np.float64) + 0.5) * 2.0**-16 for word in _halves(place))
        x += i
        y += j
        return Impacts(i, j, x, y, self._radius(i, j), self._time(i, j), self._lobes(i, j))

    def _lobes(self, i: Index, j: Index) -> Field:
        words = [half for word in _LOBES for half in _halves(self._hash(i, j, word))]
        lobes = np.stack(words).astype(np.float32)
        lobes += _HALF
        lobes *= np.float32(2.0) * _STEP
        lobes -= np.float32(1.0)
        return lobes

    def _radius(self, i: Index, j: Index) -> Field:
        """Return radii by the inverse of their cumulative distribution."""
        share = (self._hash(i, j, _SIZE) & _HALF_WORD).astype(np.float32)
        share += _HALF
        share *= _STEP * np.float32(1.0 - power_of(2.0, -self.exponent))
        smaller = power(np.float32(1.0) - share, 1.0 / self.exponent)
        radius: Field = np.float32(0.5 * LARGEST_RADIUS) / smaller
        return radius

    def _time(self, i: Index, j: Index) -> Hash:
        bits = self._hash(i, j, _TIME)
        # The highest three bits are the epoch.
        slot = (bits >> np.uint32(29)) * np.uint32(MOST_CLASSES) + np.uint32(self.number)
        time: Hash = slot << np.uint32(_TIME_BITS)
        time |= bits & np.uint32((1 << _TIME_BITS) - 1)
        return time

    def _hash(self, i: Index, j: Index, word: int) -> Hash:
        return hash_indices(self.lattice.wrap(i, j), self.seed ^ word)

    def cells(self, x: Positions, y: Positions) -> tuple[Positions, Positions]:
        """Return points in tiles in cells of this class."""
        column, row = self.lattice.coordinates((x, y))
        return column.astype(np.float64, copy=False), row.astype(np.float64, copy=False)

    def tiles(self, column: Positions, row: Positions) -> tuple[Positions, Positions]:
        """Return points in cells of this class in tiles."""
        (a, b), (c, d) = inverse(self.lattice.matrix)
        return column * a + row * b, column * c + row * d


def epoch_of(time: Hash) -> Numbers:
    """Return the epoch of each impact, 0 for the oldest."""
    return (time >> np.uint32(_TIME_BITS)).astype(np.intp) // MOST_CLASSES


def age_of(time: Hash) -> Field:
    """Return ages in [0, 1]: 1 for the oldest."""
    within = (time & np.uint32((1 << _TIME_BITS) - 1)).astype(np.float32)
    within *= np.float32(2.0**-_TIME_BITS)
    within += epoch_of(time).astype(np.float32)
    age: Field = np.float32(1.0) - within * np.float32(1.0 / EPOCHS)
    return age


def size_classes(
    frequency: float, sizes: int, density: float, exponent: float, seed: int, torus: Torus | None
) -> Sequence[SizeClass]:
    """Return the classes of craters, the largest first.

    Parameters
    ----------
    frequency : float
        CellSelection per tile of the largest class.
    sizes : int
    density : float
        Probability of a crater in a cell of the largest class. Each smaller class has more, by
        2 to the power of `exponent` - 2, until all of its cells have one.
    exponent : float
        See `SizeClass`.
    seed : int
    torus : Torus or None
    """
    growth = power_of(2.0, exponent - 2.0)
    return [
        SizeClass(
            number,
            square_lattice(frequency * 2.0**number, torus),
            child_seed(seed, number),
            min(1.0, density * power_of(growth, float(number))),
            exponent,
        )
        for number in range(sizes)
    ]


def _halves(bits: Hash) -> tuple[Hash, Hash]:
    return bits >> np.uint32(16), bits & _HALF_WORD
