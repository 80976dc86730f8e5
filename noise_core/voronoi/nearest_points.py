# SPDX-License-Identifier: GPL-3.0-or-later
"""Nearest feature points at arbitrary positions, in 1 to 4 dimensions.

The own cell and its neighbors are searched for all positions, each further ring of cells only
for those that it can still change: see `feature_points.rings` for the farthest ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from .feature_points import Offset
from .soft_minimum import soft_minimum
from .surroundings import CellSurroundings, Chosen

_STACKED = 1 << 20
"""Distances held at once, for the few positions that need those of all rings."""

_NOWHERE = np.float32(1e9)


def insert(nearest: list[Field], measure: Field, count: int) -> None:
    """Insert a measure into the ascending list of the `count` smallest; overwrites `measure`."""
    for held in nearest[: count - 1]:
        larger = np.maximum(held, measure)
        np.minimum(held, measure, out=held)
        measure = larger
    if len(nearest) < count:
        nearest.append(measure)
    else:
        np.minimum(nearest[-1], measure, out=nearest[-1])


def nearest_measures(neighbors: CellSurroundings, count: int) -> list[Field]:
    """Return the measures to the `count` nearest points, ascending."""
    nearest = [np.full(neighbors.index[0].size, np.inf, np.float32) for _ in range(count)]
    for piece in neighbors.pieces():
        inner: list[Field] = []
        for step in neighbors.rings[0]:
            insert(inner, neighbors.measures(step, piece), count)
        for held, distance in zip(nearest, inner):  # on a line ring 0 has only three points
            held[piece or slice(None)] = distance
    for ring, steps in enumerate(neighbors.rings[1:], 1):
        chosen = neighbors.find_within(ring, neighbors.metric.distance(nearest[-1].copy()))
        if not chosen.size:
            break
        part = [held[chosen] for held in nearest]
        for step in steps:
            insert(part, neighbors.measures(step, chosen), count)
        for held, distance in zip(nearest, part):
            held[chosen] = distance
    return nearest


def nearest_cells(neighbors: CellSurroundings) -> tuple[Field, npt.NDArray[np.int16]]:
    """Return the measure to the nearest point and the number of its cell in `around.steps`."""
    size = neighbors.index[0].size
    nearest = np.full(size, np.inf, np.float32)
    winner = np.zeros(size, np.int16)
    number = 0
    for ring, steps in enumerate(neighbors.rings):
        chosen = None
        held, number_held = nearest, winner
        if ring:
            chosen = neighbors.find_within(ring, neighbors.metric.distance(nearest.copy()))
            if not chosen.size:
                break
            held, number_held = nearest[chosen], winner[chosen]
        for step in steps:
            measure = neighbors.measures(step, chosen)
            np.copyto(number_held, np.int16(number), where=measure < held)
            np.minimum(held, measure, out=held)
            number += 1
        if chosen is not None:
            nearest[chosen], winner[chosen] = held, number_held
    return nearest, winner


def edge_distance(neighbors: CellSurroundings) -> Field:
    """Return the Euclidean distance to the nearest edge of the Voronoi cell.

    Edges lie midway between the nearest point w and another one k. With the ball of radius e
    around p in the cell of w, F1 is |p - w| + e at the place of the ball that is farthest from w:
    that sum is at most the largest F1. And k can only matter if |p - k| < 2 e + |p - w|, so
    points farther than twice the largest F1 never do.
    """
    measure, winner = nearest_cells(neighbors)
    first = np.sqrt(measure, out=measure)
    positions = neighbors.places_of(winner)
    edge = np.full(first.size, _NOWHERE, np.float32)
    for ring, offsets in enumerate(neighbors.rings):
        if ring == 0:
            for step in offsets:
                np.minimum(edge, edge_distance_to(neighbors, positions, step, None), out=edge)
            continue
        chosen = neighbors.find_within(ring, first + np.float32(2.0) * edge)
        if not chosen.size:
            break
        part, own_part = edge[chosen], [axis[chosen] for axis in positions]
        for step in offsets:
            np.minimum(part, edge_distance_to(neighbors, own_part, step, chosen), out=part)
        edge[chosen] = part
    return np.maximum(edge, np.float32(0.0), out=edge)


def edge_distance_to(
    neighbors: CellSurroundings, positions: Sequence[Field], step: Offset, chosen: Chosen | None
) -> Field:
    """Return the distance to the edge between the nearest point and another one.

    That is the difference vector, at length 1, times the way to the middle between the two:
    no difference of squares, which would cancel. Places are exact, so their difference is too.
    """
    along = np.zeros_like(positions[0])
    length = np.zeros_like(positions[0])
    for place, mine, offset in zip(neighbors.places(step, chosen), positions, neighbors.offset):
        apart = place - mine
        place -= offset if chosen is None else offset[chosen]
        place += mine
        place -= offset if chosen is None else offset[chosen]
        place *= apart
        along += place
        apart *= apart
        length += apart
    is_winner = length == np.float32(0.0)
    np.sqrt(length, out=length)
    length += length
    np.copyto(length, np.float32(1.0), where=is_winner)
    along /= length
    np.copyto(along, _NOWHERE, where=is_winner)
    return along


def soft_distance(neighbors: CellSurroundings, width: float) -> Field:
    """Return the soft minimum of all distances: see `soft_minimum`."""
    result = np.empty(neighbors.index[0].size, np.float32)
    for chosen, distances in _candidate_distances(neighbors, width):
        part = soft_minimum(distances, width)
        if chosen is None:
            result = part
        else:
            result[chosen] = part
    return result


def _candidate_distances(
    neighbors: CellSurroundings, width: float
) -> Iterator[tuple[Chosen | None, Field]]:
    """Yield the distances to all points near enough, for all positions and then for a few again."""
    metric = neighbors.metric
    inner = np.stack([neighbors.measures(step) for step in neighbors.rings[0]])
    metric.distance(inner)
    yield None, inner
    chosen = None
    if len(neighbors.rings) > 1:
        chosen = neighbors.find_within(1, inner.min(axis=0) + np.float32(width))
    if chosen is None or not chosen.size:
        return
    outer = [step for ring in neighbors.rings[1:] for step in ring]
    size = max(1, _STACKED // (len(inner) + len(outer)))
    for first in range(0, chosen.size, size):
        part = chosen[first : first + size]
        distances = np.stack([neighbors.measures(step, part) for step in outer])
        yield part, np.concatenate((inner[:, part], metric.distance(distances)))
