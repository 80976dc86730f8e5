# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground that each crater fell on, and the ground at points after all impacts.

An impact replaces the ground within its rim by its bowl, on a plane through the ground before; its
ejecta cover the older ground beyond, thinner and thinner. So the ground at a point is the result of
all impacts that reach it, in their order, and the plane of an impact results from the older ones
around it. The plane follows craters of the same class and larger ones: smaller ones are too small to
tilt it. Where craters of one class overlap in a chain, the plane of a crater takes its neighbors
as if they had fallen on the ground that the larger classes made.

Craters are found from the smallest class to the largest, each where smaller ones ask for the ground
around them; then the ground is worked out the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from .cells import CellBlock, CellSelection, ImpactIndex, cells_of, unite
from .overlaps import Overlaps, Places, compose, find_overlaps
from .population import Impacts, Numbers, Positions, SizeClass
from .shape import LEVEL, RIM, SCALE, TILT_X, TILT_Y, CraterShapes, CraterStyle, build_shapes

MOST_TILT = 0.5
"""Rise of a plane over one radius, in depths of the fresh crater: 11 degrees at a true depth of a fifth."""

_MOST_RISE = 0.55
"""The same to the farthest point of an outline that is no circle."""

LEVELS = (-1.0, 0.4)
"""Lowest and highest level of a plane, in depths of the largest crater; ground hardly ever goes beyond."""

_SPAN = 0.8
"""Distance from the center at which the ground before is measured, in radii."""

_SPOTS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))

_TINY = np.float32(1e-37)
"""Keeps 0 / 0 from happening."""

_DENSE_AT_ONCE = 1 << 17
"""Points that share cells."""

_SCATTERED_AT_ONCE = 1 << 12
"""Points so far apart that they share none: each asks for some fifty craters."""

OwnCells = Callable[[SizeClass], CellSelection]
"""Returns the cells of a class all of whose craters, and of the cells around, are wanted."""


def bounds(depth: float) -> tuple[float, float]:
    """Return the lowest and the highest ground that impacts make of each other's; see `Craters`."""
    low, high = LEVELS
    return (low - _MOST_RISE - (1.0 - RIM)) * depth, (high + _MOST_RISE + RIM) * depth


def ground_at(
    classes: Sequence[SizeClass], style: CraterStyle, x: Positions, y: Positions
) -> Field:
    """Return the ground at points in tiles: x and y float64, of shape (n,)."""
    out = np.zeros(x.size, np.float32)
    if not x.size:
        return out
    is_dense = isinstance(cells_of(*classes[-1].cells(x, y)), CellBlock)
    at_once = _DENSE_AT_ONCE if is_dense else _SCATTERED_AT_ONCE
    for start in range(0, x.size, at_once):
        part = slice(start, start + at_once)
        points = Places(x[part], y[part])
        ImpactHistory(classes, style, points)
        out[part] = compose(points.parts, points.size)
    return out


class PlacedCraters:
    """Craters of one class whose planes are wanted, with those that these planes need.

    Attributes
    ----------
    size_class : SizeClass
    impacts : Impacts
    shapes : CraterShapes
        On level ground at first.
    spots : Places
        Where the ground before each is measured, in rows of all craters.
    wanted : ndarray of shape (m,), intp
        Which of them are wanted.
    own : Overlaps
        Of their spots, with older craters of the class.
    others : list of tuples of Places and Overlaps
        Of the points at which the ground is read.
    """

    def __init__(self, size_class: SizeClass, impacts: Impacts, style: CraterStyle) -> None:
        self.size_class, self.impacts = size_class, impacts
        self.shapes: CraterShapes = build_shapes(impacts, size_class.number, style)
        self.spots = _spots(size_class, impacts)
        self.wanted: Numbers = np.zeros(0, np.intp)
        self.own = Overlaps.none()
        self.others: list[tuple[Places, Overlaps]] = []

    def place(self, depth: float) -> None:
        """Set the planes, and then the heights at all places that the craters reach."""
        parts = self.spots.parts
        self._set_planes(
            compose(parts, self.spots.size), np.arange(self.impacts.size, dtype=np.intp), depth
        )
        parts.append(self.own.evaluate(self.shapes, self.impacts))
        self._set_planes(compose(parts, self.spots.size), self.wanted, depth)
        for places, overlaps in self.others:
            places.parts.append(overlaps.evaluate(self.shapes, self.impacts))

    def _set_planes(self, ground: Field, chosen: Numbers, depth: float) -> None:
        """Set the planes of some craters from the ground at the spots around all."""
        table = self.shapes.table
        right, left, up, down = ground.reshape(len(_SPOTS), -1)[:, chosen]
        level = ((right + left) + (up + down)) * np.float32(0.25)
        low, high = (np.float32(limit * depth) for limit in LEVELS)
        table[LEVEL, chosen] = np.clip(level, low, high)
        across, along = (right - left), (up - down)
        across *= np.float32(0.5 / _SPAN)
        along *= np.float32(0.5 / _SPAN)
        steepness = np.sqrt(across * across + along * along)
        most = np.float32(MOST_TILT) * table[SCALE, chosen]
        gentler = most / np.maximum(np.maximum(steepness, most), _TINY)
        table[TILT_X, chosen] = across * gentler
        table[TILT_Y, chosen] = along * gentler


class ImpactHistory:
    """All craters that reach some points, or some cells, with the ground that they fell on.

    Parameters
    ----------
    classes : sequence of SizeClass
        The largest first.
    style : CraterStyle
    points : Places
        Gets the parts that craters have in the ground there.
    own_cells : OwnCells, optional
        Further craters.

    Attributes
    ----------
    craters : list of PlacedCraters
        One for each class.
    """

    def __init__(
        self,
        classes: Sequence[SizeClass],
        style: CraterStyle,
        points: Places,
        own_cells: OwnCells | None = None,
    ) -> None:
        self.craters: list[PlacedCraters] = []
        asking = [points]
        for size_class in reversed(classes):
            blocks.checkpoint()
            impacts = _find(size_class, style, asking, own_cells)
            asking.append(impacts.spots)
            self.craters.insert(0, impacts)
        for craters in self.craters:
            blocks.checkpoint()
            craters.place(style.depth)


def _find(
    size_class: SizeClass, style: CraterStyle, asking: Sequence[Places], own_cells: OwnCells | None
) -> PlacedCraters:
    """Return the craters of a class that reach places, and those that these need."""
    cells = None if own_cells is None else own_cells(size_class)
    for places in asking:
        if places.size:
            around = cells_of(*size_class.cells(places.x, places.y))
            cells = around if cells is None else unite(cells, around)
    index = ImpactIndex(size_class, CellBlock((0, 0), 0, 0) if cells is None else cells.grow(1))
    reached = [find_overlaps(size_class, index, places) for places in asking]
    is_wanted = np.full(index.impacts.size, own_cells is not None, np.bool_)
    for overlaps in reached:
        is_wanted[overlaps.numbers] = True
    (indices,) = is_wanted.nonzero()
    if not indices.size:
        return PlacedCraters(size_class, index.impacts.take(indices), style)
    craters = _with_neighbors(size_class, style, index.impacts.take(indices))
    new = np.zeros(is_wanted.size, np.intp)
    new[indices] = craters.wanted
    craters.others = [
        (places, overlaps.renumber(overlaps.points, new))
        for places, overlaps in zip(asking, reached)
    ]
    return craters


def _with_neighbors(size_class: SizeClass, style: CraterStyle, chosen: Impacts) -> PlacedCraters:
    """Return craters together with the older ones of their class that reach the spots around them."""
    spots = _spots(size_class, chosen)
    near = ImpactIndex(size_class, cells_of(*size_class.cells(spots.x, spots.y)).grow(1))
    overlaps = find_overlaps(size_class, near, spots)
    number = near.find(chosen.i, chosen.j).astype(np.intp)
    is_needed = np.zeros(near.impacts.size, np.bool_)
    is_needed[number] = True
    is_needed[overlaps.numbers] = True
    (needed,) = is_needed.nonzero()
    renumber = np.cumsum(is_needed, dtype=np.intp) - 1
    craters = PlacedCraters(size_class, near.impacts.take(needed), style)
    craters.wanted = renumber[number]
    side, which = np.divmod(overlaps.points, chosen.size)
    craters.own = overlaps.renumber(side * needed.size + craters.wanted[which], renumber)
    return craters


def _spots(size_class: SizeClass, impacts: Impacts) -> Places:
    """Return the places around each crater at which the ground before it is measured."""
    reach = _SPAN * impacts.radius.astype(np.float64)
    column = np.concatenate([impacts.x + across * reach for across, _ in _SPOTS])
    row = np.concatenate([impacts.y + along * reach for _, along in _SPOTS])
    return Places(*size_class.tiles(column, row), np.tile(impacts.time, len(_SPOTS)))
