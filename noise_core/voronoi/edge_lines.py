# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances to the edges of Voronoi cells on a regular grid.

Within the cell of the point w the distance to the edge is the minimum, over all other points k,
of the distance to the line midway between w and k: linear in x and y. Outside of that cell
the minimum is negative. So everywhere it is the maximum over w of the minimum over k. Of both only
few matter in a patch: each is a distance to a line, which changes by no more than the way
itself, so that a point farther than twice the radius from the lowest in the middle cannot be the
lowest anywhere, and where the lowest is below minus the radius, w is the nearest nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from .nearest_points import edge_distance_to
from .patches import Layout, Members, Numbers, members
from .surroundings import CellSurroundings

_NOWHERE = np.float32(1e3)
_SLACK = np.float32(1e-5)

_MAX_GATHERED_SHARE = 0.25
"""Share of columns up to which selecting them is cheaper than computing all."""

_DISTANCES_AT_ONCE = 1 << 16
"""So many stay in the second-level cache (measured)."""


@dataclass(frozen=True)
class EdgeLines:
    """The lines that matter in each patch of some bands.

    Attributes
    ----------
    winners : ndarray of shape (bands, patches)
        How many points can be the nearest.
    count : ndarray of shape (most winners, bands, patches)
        How many lines matter for each of them.
    level, slope_x, slope_y : arrays of shape (most lines, most winners, bands, patches)
        The distance to a line is ``level - slope_x x - slope_y y``, from the patch's middle.
    """

    winners: Numbers
    count: Numbers
    level: Field
    slope_x: Field
    slope_y: Field

    def distances(self, band: int, patch: Numbers, x: Field, y: Field) -> Field:
        """Return the distance to the nearest edge.

        Parameters
        ----------
        band : int
        patch : ndarray of shape (columns,)
        x, y : arrays of shape (columns,) and (rows,)
            Positions from the middle of the patch.
        """
        winners = self.winners[band].take(patch)
        result = self._to_lines(0, band, patch, x, y)
        for winner in range(1, int(winners.max())):
            chosen = np.flatnonzero(winners > winner)
            distances = self._to_lines(winner, band, patch[chosen], x[chosen], y)
            result[:, chosen] = np.maximum(distances, result.take(chosen, axis=1), out=distances)
        np.maximum(result, np.float32(0.0), out=result)
        return result

    def _to_lines(self, winner: int, band: int, patch: Numbers, x: Field, y: Field) -> Field:
        """Return the lowest distance to the lines that matter for one of the winners."""
        count = self.count[winner, band].take(patch)
        whole, most = 1, int(count.max())
        while np.count_nonzero(count > whole) > _MAX_GATHERED_SHARE * count.size:
            whole += 1
        lowest = self._lowest(slice(whole), winner, band, patch, x, y)
        if whole < most:
            chosen = np.flatnonzero(count > whole)
            other = self._lowest(slice(whole, most), winner, band, patch[chosen], x[chosen], y)
            lowest[:, chosen] = np.minimum(other, lowest.take(chosen, axis=1), out=other)
        return lowest

    def _lowest(
        self, lines: slice, winner: int, band: int, patch: Numbers, x: Field, y: Field
    ) -> Field:
        level, slope_x, slope_y = (
            table[lines, winner, band].take(patch, axis=1)
            for table in (self.level, self.slope_x, self.slope_y)
        )
        slope_x *= x
        level -= slope_x
        result = np.empty((y.size, patch.size), np.float32)
        width = max(1, _DISTANCES_AT_ONCE // (len(level) * y.size))
        for first in range(0, patch.size, width):
            piece = slice(first, first + width)
            distances = slope_y[:, np.newaxis, piece] * y[:, np.newaxis]
            np.subtract(level[:, np.newaxis, piece], distances, out=distances)
            np.minimum.reduce(distances, axis=0, out=result[:, piece])
        return result


def edge_lines(
    neighbors: CellSurroundings, where: Layout, pairs: Members, shape: tuple[int, ...]
) -> EdgeLines:
    """Return the lines that matter.

    Parameters
    ----------
    neighbors : CellSurroundings
        Of the middles of patches, Euclidean, as far as twice the largest F1.
    where : Layout
    pairs : Members
        The points that can be the nearest.
    shape : tuple
        -1, bands, patches per band.
    """
    radius = np.float32(where.radius(neighbors.metric)) + _SLACK
    positions = neighbors.places_of(pairs.numbers, pairs.patches)
    levels, lowest = _levels(neighbors, pairs.patches, positions, radius)
    limit = lowest + (radius + radius)
    limit[lowest < -radius] = -np.inf
    winners, place = _places(pairs, lowest >= -radius)
    picked = []
    for chosen, level in levels:
        below = np.flatnonzero(level <= (limit if chosen is None else limit[chosen]))
        picked.append((below if chosen is None else chosen[below], level[below]))
    lines = members(
        ((number, place[chosen]) for number, (chosen, _) in enumerate(picked)),
        int(winners.max()) * winners.size,
    )
    chosen = np.concatenate([chosen for chosen, _ in picked])
    apart = neighbors.places_of(lines.numbers, pairs.patches[chosen])
    slopes = _directions(apart, [axis[chosen] for axis in positions])
    fields = [np.concatenate([level for _, level in picked]), *slopes[:2]]
    level, slope_x, slope_y = lines.to_tables(fields, np.float32(0.0))
    level[np.arange(len(level), dtype=np.intp)[:, np.newaxis] >= lines.count] = _NOWHERE
    shape = (int(winners.max()), *shape[1:])
    tables = [table.reshape(-1, *shape) for table in (level, slope_x, slope_y)]
    return EdgeLines(winners.reshape(shape[1:]), lines.count.reshape(shape), *tables)


def _directions(places: list[Field], origin: list[Field]) -> list[Field]:
    """Return the vectors from own places to others, at length 1."""
    apart = [place - mine for place, mine in zip(places, origin)]
    length = np.sqrt(np.sum(np.square(apart), axis=0))
    return [axis / length for axis in apart]


def _levels(
    neighbors: CellSurroundings, patches: Numbers, origin: list[Field], radius: np.float32
) -> tuple[list[tuple[Numbers | None, Field]], Field]:
    """Return how far the middles are from the lines, and the lowest of these for each pair.

    The former in the order of `around.steps`, for all pairs (None) or a few. As in
    `nearest_points.edge_distance` points far from the middle make lines far from it.
    """
    offsets = [mine - offset[patches] for mine, offset in zip(origin, neighbors.offset)]
    first = neighbors.metric.distance(neighbors.metric.measure(offsets))
    lowest = np.full(first.size, _NOWHERE, np.float32)
    levels: list[tuple[Numbers | None, Field]] = []
    for ring, steps in enumerate(neighbors.rings):
        chosen, part, some, mine = None, lowest, patches, origin
        if ring:
            limit = first + np.float32(2.0) * lowest + np.float32(4.0) * radius
            chosen = neighbors.find_within(ring, limit, patches)
            if not chosen.size:
                break
            part, some, mine = lowest[chosen], patches[chosen], [axis[chosen] for axis in origin]
        for step in steps:
            level = edge_distance_to(neighbors, mine, step, some)
            levels.append((chosen, level))
            np.minimum(part, level, out=part)
        if chosen is not None:
            lowest[chosen] = part
    return levels, lowest


def _places(pairs: Members, wins: npt.NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Return the number of winners of each patch, and the place among all of each pair that wins."""
    winners = np.zeros_like(pairs.count)
    place = np.zeros_like(pairs.patches)
    for slot in range(int(pairs.count.max())):
        chosen = np.flatnonzero(wins & (pairs.slots == slot))
        patches = pairs.patches[chosen]
        place[chosen] = winners[patches] * winners.size + patches
        winners[patches] += 1
    return winners, place
