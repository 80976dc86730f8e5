# SPDX-License-Identifier: GPL-3.0-or-later
"""Places for robots: on flat ground, far from each other, the same for the same seed.

References
----------
T. F. Gonzalez (1985). Clustering to minimize the maximum intercluster distance. Theoretical Computer
Science 38. (each place is the one farthest from those before)
Y. Eldar, M. Lindenbaum, M. Porat, Y. Y. Zeevi (1997). The farthest point strategy for progressive image
sampling. IEEE Transactions on Image Processing 6.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field, Hash
from ...base.errors import ParameterError
from ...lattice.hash import hash_indices
from ...rasters.distance_field import distance_transform
from ...rasters.steepness import rise_over_run
from ..targets.bases.target import SpawnPoint, SpawnRules, Target
from .lazy_heights import HELD, Heights

MOST_CANDIDATES = 1 << 16
"""Samples of flat ground among which places are chosen; chance takes these out of more."""


@dataclass(frozen=True)
class SpawnPlaces:
    """Samples of a land where robots may be put down.

    Attributes
    ----------
    places : tuple of pairs of ints
        Row and column of each.
    points : tuple of SpawnPoint
        The same, in meters.
    shape : tuple of two ints
        Rows and columns of the land.
    shares_borders : bool
        Whether neighboring tiles both have the samples between them.
    """

    places: tuple[tuple[int, int], ...]
    points: tuple[SpawnPoint, ...]
    shape: tuple[int, int]
    shares_borders: bool

    @classmethod
    def find(cls, height: Heights, spacing: float, target: Target) -> SpawnPlaces:
        """Return the places that a target asks for.

        Parameters
        ----------
        height : ndarray or LazyHeights of shape (rows, columns), float32
            In meters.
        spacing : float
            Meters between neighbors.
        target : Target
            Its `spawn_rules` say how many, and how flat the ground has to be.

        Raises
        ------
        ParameterError
            If the land has no such places, or too few that do not overlap.
        """
        rules, (rows, columns) = target.spawn_rules, height.shape
        if not rules or not rules.count:
            return cls((), (), (rows, columns), target.shares_borders)
        flat, chosen = _find_places(height, spacing, rules, target.label)
        places = tuple((int(flat.row[place]), int(flat.column[place])) for place in chosen)
        points = tuple(
            SpawnPoint(
                f"spawn_{number}",
                (column - 0.5 * (columns - 1)) * spacing,
                (row - 0.5 * (rows - 1)) * spacing,
                float(flat.height[place]),
            )
            for number, ((row, column), place) in enumerate(zip(places, chosen))
        )
        return cls(places, points, (rows, columns), target.shares_borders)

    def within(self, rows: slice, columns: slice) -> tuple[SpawnPoint, ...]:
        """Return the places within a tile; one on a border belongs to the tile beyond it."""
        # The last samples of a tile are the next one's first, unless nothing lies beyond.
        north, east = (
            part.stop - (self.shares_borders and part.stop < count)
            for part, count in zip((rows, columns), self.shape)
        )
        return tuple(
            point
            for point, (row, column) in zip(self.points, self.places)
            if rows.start <= row < north and columns.start <= column < east
        )


def _find_places(
    height: Heights, spacing: float, rules: SpawnRules, label: str
) -> tuple[_SpawnCandidates, list[int]]:
    """Return samples on flat ground, and which of them are chosen."""
    flat = _find_candidates(height, spacing, rules)
    if not len(flat.row):
        raise ParameterError(
            "{} needs ground below {:g} degrees within {:g} m for {} spawn points; the terrain has none",
            label,
            rules.steepest,
            rules.radius,
            rules.count,
        )
    chosen = _choose_far_apart(flat.row, flat.column, rules, spacing)
    if len(chosen) < rules.count:
        raise ParameterError(
            "{} needs {} spawn points with {:g} m of flat ground each; the terrain has room for {}",
            label,
            rules.count,
            rules.radius,
            len(chosen),
        )
    return flat, chosen


@dataclass(frozen=True, eq=False)
class _SpawnCandidates:
    """Samples on flat ground, in the order in which chance puts them: at most `MOST_CANDIDATES`."""

    chance: Hash
    row: npt.NDArray[np.intp]
    column: npt.NDArray[np.intp]
    height: Field

    def join(self, further: _SpawnCandidates) -> _SpawnCandidates:
        """Return both together; where chance has put two in one place, these are first."""
        chance, row, column, height = (
            np.concatenate([getattr(candidates, field.name) for candidates in (self, further)])
            for field in fields(self)
        )
        order = np.argsort(chance, kind="stable")[:MOST_CANDIDATES]
        return _SpawnCandidates(chance[order], row[order], column[order], height[order])


def _find_candidates(height: Heights, spacing: float, rules: SpawnRules) -> _SpawnCandidates:
    """Return flat samples of a land that is looked at a few rows at a time."""
    border = int(np.ceil(rules.radius / spacing))
    rows, columns = height.shape
    places = np.empty(0, np.intp)
    candidates = _SpawnCandidates(np.empty(0, np.uint32), places, places, np.empty(0, np.float32))
    step = max(HELD // columns, border + 1)
    for start in range(0, rows, step):
        stop = min(start + step, rows)
        # Ground beyond the radius does not matter.
        top, bottom = max(start - border - 1, 0), min(stop + border + 1, rows)
        part: Field = np.asarray(height[top:bottom])
        is_flat = _is_flat(part, spacing, rules)[start - top : stop - top]
        is_flat[: max(border - start, 0)] = is_flat[max(rows - border - start, 0) :] = False
        row, column = np.nonzero(is_flat)
        values = part[start - top : stop - top][row, column]
        row += start
        places_of_samples = (column.astype(np.int32), row.astype(np.int32))
        chance = hash_indices(places_of_samples, rules.seed)
        candidates = candidates.join(_SpawnCandidates(chance, row, column, values))
    return candidates


def _is_flat(height: Field, spacing: float, rules: SpawnRules) -> npt.NDArray[np.bool_]:
    """Return at which samples of some rows all ground within the radius is on them and below the limit."""
    is_steep = np.zeros(height.shape, np.bool_)
    steep = _steep_cells(height, rise_over_run(rules.steepest) * spacing)
    # The point of a cell that is nearest to a sample is a corner: distances to corners are exact.
    for rows in (slice(None, -1), slice(1, None)):
        for columns in (slice(None, -1), slice(1, None)):
            is_steep[rows, columns] |= steep
    reach = rules.radius / spacing
    is_flat: npt.NDArray[np.bool_] = distance_transform(is_steep, False) > reach
    border = int(np.ceil(reach))
    if border:
        is_flat[:, :border] = is_flat[:, -border:] = False
    return is_flat


def _steep_cells(height: Field, limit: float) -> npt.NDArray[np.bool_]:
    """Return which cells between four samples may rise by more than a limit over their width.

    Whichever way a cell is cut, each triangle has one of the rises along x and one of those along y.
    """
    along = np.square(np.diff(height, axis=1))
    across = np.square(np.diff(height, axis=0))
    worst = np.maximum(along[:-1], along[1:])
    worst += np.maximum(across[:, :-1], across[:, 1:])
    steep: npt.NDArray[np.bool_] = worst > np.float32(limit * limit)
    return steep


def _choose_far_apart(
    row: npt.NDArray[np.intp], column: npt.NDArray[np.intp], rules: SpawnRules, spacing: float
) -> list[int]:
    """Return which candidates are chosen: the first one, and then the farthest from all before."""
    nearest = np.full(len(row), np.inf)
    least = (2.0 * rules.radius / spacing) ** 2
    chosen: list[int] = []
    place = 0
    while len(chosen) < rules.count and nearest[place] >= max(least, 1.0):
        blocks.checkpoint()
        chosen.append(place)
        square = (row - row[place]) ** 2 + (column - column[place]) ** 2
        np.minimum(nearest, square, out=nearest)
        place = int(np.argmax(nearest))
    return chosen
