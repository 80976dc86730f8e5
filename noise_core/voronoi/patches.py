# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches of lattice cells and the feature points that matter in them: the fast way on a grid.

Each lattice cell is divided into patches of about twelve by sixteen samples. Let c be the middle of a
patch and r its radius. By the triangle inequality a point k is at least d_k(c) - r away from any
place in the patch, and the n-th nearest point at most F_n(c) + r. So
only the points with ``d_k(c) <= F_n(c) + 2 r`` can be among the n nearest anywhere in the patch:
in most patches no more than n. The search is cheap, because patches are few; the samples then
compare these points only.

This holds for any metric. Patches belong to the lattice, not to the samples: a window of a grid
has the same patches, and each sample the same value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field, Index
from ..base.grid import Axes
from ..lattice.lattice_cells import split_cells
from .distances import Metric
from .feature_points import FeaturePoints
from .nearest_points import insert
from .surroundings import CellSurroundings

Numbers = npt.NDArray[np.intp]

_SLACK = np.float32(1e-5)
"""Upper bound on the rounding error of a distance."""

_PATCH_COLUMNS, _PATCH_ROWS = 12.0, 16.0
_MAX_PATCHES = 64

_MEASURES_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Layout:
    """Positions of a grid's samples in cells and patches.

    Attributes
    ----------
    across, along : float32 arrays of shape (columns,) and (rows,)
        Positions within the cell.
    from_middle_x, from_middle_y : float32 arrays of the same shapes
        Positions from the middle of the patch.
    patch_of_column : ndarray of shape (columns,)
        Patches are counted from the left one of the leftmost cell.
    band_of_row : ndarray of shape (rows,)
        A band is a row of patches, counted from lattice row 0; does not fall.
    columns, rows : int
        How many patches a cell has along x and along y.
    first_cell, cells : int
        The leftmost cell, and how many there are side by side.
    rest, beyond : tuple
        Cell and position within it along the third and fourth axis.
    """

    across: Field
    along: Field
    from_middle_x: Field
    from_middle_y: Field
    patch_of_column: Numbers
    band_of_row: Numbers
    columns: int
    rows: int
    first_cell: int
    cells: int
    rest: tuple[Index, ...]
    beyond: tuple[Field, ...]

    def radius(self, metric: Metric) -> float:
        """Return the distance from the middle of a patch to its corners, in cells."""
        return metric.norm((0.5 / self.columns, 0.5 / self.rows))


def layout(axes: Axes, scale: tuple[float, float], frequency: float) -> Layout:
    """Return the layout of a grid for a lattice with `scale` cells per tile along x and y."""
    (cell, row), (across, along) = split_cells((axes.x * scale[0], axes.y * scale[1]))
    fixed, beyond = split_cells(tuple(np.full(1, value * frequency) for value in axes.rest))
    columns = _patches_per_cell(axes.step * abs(scale[0]), _PATCH_COLUMNS)
    rows = _patches_per_cell(axes.step * abs(scale[1]), _PATCH_ROWS)
    patch_across, from_middle_x = _patch(across, columns)
    patch_along, from_middle_y = _patch(along, rows)
    first = int(cell.min())
    return Layout(
        across,
        along,
        from_middle_x,
        from_middle_y,
        (cell - first).astype(np.intp) * columns + patch_across,
        row.astype(np.intp) * rows + patch_along,
        columns,
        rows,
        first,
        int(cell.max()) + 1 - first,
        fixed,
        beyond,
    )


def _patches_per_cell(step: float, samples: float) -> int:
    return min(max(round(1.0 / (step * samples)), 1), _MAX_PATCHES)


def _patch(offset: Field, count: int) -> tuple[Numbers, Field]:
    """Return each position's patch in its cell, and the position relative to the patch's middle."""
    patch = np.minimum((offset * np.float32(count)).astype(np.intp), count - 1)
    return patch, (offset - (patch + 0.5) / count).astype(np.float32)


def middles(
    points: FeaturePoints, metric: Metric, where: Layout, bands: Numbers, reach: float
) -> CellSurroundings:
    """Return the feature points around the middles of all patches of some bands."""
    across = np.arange(where.cells * where.columns, dtype=np.intp)
    shape = (bands.size, across.size)
    cells = (where.first_cell + across // where.columns, bands[:, np.newaxis] // where.rows)
    places = (
        (across % where.columns + 0.5) / where.columns,
        (bands[:, np.newaxis] % where.rows + 0.5) / where.rows,
    )
    index = [axis.astype(np.int32) for axis in cells] + list(where.rest)
    offset = [axis.astype(np.float32) for axis in places] + list(where.beyond)
    return CellSurroundings(
        points,
        metric,
        [np.broadcast_to(axis, shape).ravel() for axis in index],
        [np.broadcast_to(axis, shape).ravel() for axis in offset],
        reach,
    )


@dataclass(frozen=True)
class Members:
    """The feature points that matter in each patch.

    Attributes
    ----------
    count : ndarray
        Of each patch how many.
    patches, slots, numbers : ndarrays
        For each pair of a patch and a point that matters there: the patch, the point's place
        among those of the patch, and the number of its cell in `CellSurroundings.steps`.
    """

    count: Numbers
    patches: Numbers
    slots: Numbers
    numbers: Numbers

    def to_tables(self, fields: Sequence[Field], absent: np.float32) -> list[Field]:
        """Return values per pair as tables of shape (most, patches)."""
        shape = (int(self.count.max()), self.count.size)
        place = self.slots * self.count.size + self.patches
        tables = [np.full(shape, absent, np.float32) for _ in fields]
        for table, field in zip(tables, fields):
            table.ravel()[place] = field
        return tables


def members(pairs: Iterable[tuple[int, Numbers]], patches: int) -> Members:
    """Return the members for pairs (number, patches that it matters in)."""
    count = np.zeros(patches, np.intp)
    parts = []
    for number, chosen in pairs:
        slot = count.take(chosen)
        parts.append((chosen, slot, np.full(chosen.size, number, np.intp)))
        slot = slot + 1
        count[chosen] = slot
    chosen, slots, numbers = (np.concatenate(part) for part in zip(*parts))
    return Members(count, chosen, slots, numbers)


def nearest_members(neighbors: CellSurroundings, where: Layout, rank: int, width: float) -> Members:
    """Return all points that can be among the `rank` nearest, or within `width` of the nearest.

    See the head of this file for why.

    Parameters
    ----------
    neighbors : CellSurroundings
        Of the middles of patches.
    """
    slack = np.float32(2.0 * where.radius(neighbors.metric) + width) + _SLACK
    limit, levels = _limits(neighbors, rank, slack)

    def pairs() -> Iterator[tuple[int, Numbers]]:
        number = 0
        for chosen, measures in levels:
            for below in measures <= (limit if chosen is None else limit[chosen]):
                (patches,) = below.nonzero()
                yield number, patches if chosen is None else chosen[patches]
                number += 1

    return members(pairs(), limit.size)


def _limits(
    neighbors: CellSurroundings, rank: int, slack: np.float32
) -> tuple[Field, list[tuple[Numbers | None, Field]]]:
    """Return the measure up to which points matter, and all measures that may be below it.

    The latter ring by ring, for all middles (None) or a few, in rows for the steps.
    """
    metric = neighbors.metric
    nearest: list[Field] = []
    levels: list[tuple[Numbers | None, Field]] = []
    for ring, steps in enumerate(neighbors.rings):
        chosen, part = None, nearest
        if ring:
            chosen = neighbors.find_within(ring, metric.distance(nearest[-1].copy()) + slack)
            if not chosen.size:
                break
            part = [held[chosen] for held in nearest]
        at_once = max(1, _MEASURES_AT_ONCE // part[0].size) if part else len(steps)
        for first in range(0, len(steps), at_once):
            measures = neighbors.all_measures(steps[first : first + at_once], chosen)
            levels.append((chosen, measures))
            lowest = measures.min(axis=0, keepdims=True) if rank == 1 else measures.copy()
            for measure in lowest:
                insert(part, measure, rank)
        if chosen is not None:
            for held, changed in zip(nearest, part):
                held[chosen] = changed
    limit = metric.distance(nearest[-1])
    limit += slack
    if metric.is_euclidean:
        limit *= limit
    return limit, levels
