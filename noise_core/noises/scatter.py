# SPDX-License-Identifier: GPL-3.0-or-later
"""Randomly scattered shapes: pebbles, leaves, blades of grass, craters, stars."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from .. import tilings
from ..base import gathering
from ..base.arrays import Field, Index, Points
from ..base.params import cells_per_tile, choice, integer, number
from ..base.plans import even_parts
from ..base.torus import square_lattice
from ..lattice import lattice_cells
from ..tilings.shapes import SHAPES
from .bases.noise import noise_type
from .bases.tiling import TilePattern, Tiles

if TYPE_CHECKING:
    from ..base.torus import Torus

_POINTS_AT_ONCE = 1 << 15
"""Points that are searched at once: with fewer, calls cost more than their arithmetic (measured)."""


@noise_type("scatter", "Scatter", family="shape")
class Scatter(TilePattern):
    """Random overlapping shapes: pebbles, leaves, grass, craters, stars.

    Notes
    -----
    Each cell of a square lattice holds some shapes, which may reach over its neighbors; all cells
    are asked whose shapes can come so far. `value` tells which lies on top when they overlap in
    order: the larger one.

    -1 stands for a border, and for all that lies outside of every shape; 1 for the middle. Places
    within a shape are those along its length (`x`) and across (`y`), in [-1, 1], and 0
    outside. Random values lie in [-1, 1).

    References
    ----------
    Ebert, Musgrave, Peachey, Perlin, Worley (2003). Texturing and modeling, chapter 2 (bombing).

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Scatter
    >>> pebbles = Scatter(shape="stone", output="face", frequency=6.0, per_cell=2)
    >>> field = pebbles.sample_grid(Grid(128, 128, wrap=True), seed=1)
    >>> field.shape
    (128, 128)

    With a density of 0 no shape is there, and all samples have one value:

    >>> bare = pebbles.with_values(density=0.0).sample_grid(Grid(8, 8), seed=1)
    >>> sorted(set(bare.ravel().tolist()))
    [-1.0]
    """

    is_arithmetic = False

    output: str = choice(
        "edge",
        help="Pattern of the shapes",
        options={
            "face": "-1 beside the shapes, up a bevel to faces at 1",
            "edge": "Distance to the shape's border: -1 there and beside, 1 in the middle",
            "value": "One random value for each shape, the larger lying on top; -1 beside",
            "x": "Place along the shape",
            "y": "Place across the shape",
        },
    )
    frequency: float = cells_per_tile()
    shape: str = choice("stone", help="Shape of the pieces", options=SHAPES)
    per_cell: int = integer(
        2, help="Shapes per cell", minimum=1, maximum=8, soft_maximum=4, advanced=True
    )
    density: float = number(
        1.0, help="Fraction of the shapes that exist", minimum=0.0, maximum=1.0, unit="factor"
    )
    size: float = number(
        1.5,
        help="Length of the largest shapes, in cells",
        minimum=0.01,
        maximum=3.0,
        soft_minimum=0.1,
        soft_maximum=2.0,
    )
    size_variation: float = number(
        0.5,
        help="Random size reduction (0-1)",
        minimum=0.0,
        maximum=0.95,
        unit="factor",
    )
    width: float = number(
        0.75, help="Width of a shape over its length", minimum=0.01, maximum=1.0, unit="factor"
    )
    rounding: float = number(
        0.1,
        help="Radius of the corners, relative to half the short side",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("shape", ("box", "stone")),
    )
    bend: float = number(
        0.0,
        help="Random bending of the ends, in half lengths",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("shape", ("ellipse", "box", "leaf", "blade")),
    )
    rotation: float = number(
        0.0,
        help="Rotation of the shapes, in degrees",
        minimum=-360.0,
        maximum=360.0,
        soft_minimum=-180.0,
        soft_maximum=180.0,
        unit="angle",
    )
    spread: float = number(
        1.0,
        help="Random rotation: 0 is one direction, 1 all directions",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    jitter: float = number(
        1.0,
        help="Random offset of the shapes from the middle of their cell; 0 is a plain lattice",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    overlap: str = choice(
        "order",
        help="Order of overlapping shapes",
        options={
            "order": "The one on top, all of it",
            "deepest": "The nearest middle: shapes meet halfway, as in a packed bed",
        },
        advanced=True,
    )

    @property
    def is_random(self) -> bool:
        """See `Pattern.is_random`."""
        return True

    def layout(self) -> Scatter:
        """See `Pattern.layout`: here the rounding decides which shape covers another."""
        shared = {"output": "edge", "joint": 0.0, "bevel": 0.0, "unevenness": 0.0}
        return cast("Scatter", self.with_values(**shared))

    def finest(self) -> float:
        """Return how many of the finest details lie along a tile."""
        return self.frequency / min(1.0, 0.5 * self._smallest * self.width)

    def tiles(self, points: Points, seed: int, torus: Torus | None) -> Tiles:
        """See `Pattern.tiles`."""
        lattice = square_lattice(self.frequency, torus)
        scattered = tilings.instances.Instances(
            lattice,
            seed,
            self.jitter,
            self.density,
            (0.5 * self._smallest, 0.5 * self.size),
            (self.rotation / 360.0, 0.5 * self.spread),
            self.bend * (self.shape != "stone"),
            self.shape == "stone",
        )
        shapes = tilings.shape_scatter.ShapeScatter(
            scattered, self.shape, self.per_cell, self.width, self.rounding, self.overlap == "order"
        )
        (i, j), (x, y) = lattice_cells.split_cells(lattice.coordinates(points))
        along, across, inside, number = _visible_shapes(shapes, (i, j), (x, y))
        return Tiles(along, across, (), inside, number)

    @property
    def _smallest(self) -> float:
        return self.size * (1.0 - self.size_variation)


def _visible_shapes(
    scatter: tilings.shape_scatter.ShapeScatter,
    cells: tuple[Index, Index],
    places: tuple[Field, Field],
) -> Field:
    """Return the visible shape at some places.

    Grids use the scanlines of `spans`. At other points all cells around a point are searched for shapes
    that reach it.

    Parameters
    ----------
    cells : tuple of two ndarrays, int32
    places : tuple of two ndarrays, float32
        Within these cells. If they are a row and a column, x and y of a grid's samples.

    Returns
    -------
    ndarray of shape (4, ...), float32
        Along and across the shape, how far inside of it, and its number; 0, 0, 0 and -1 where
        there is none.
    """
    (i, j), (right, up) = cells, places
    out = np.empty((4, *np.broadcast_shapes(i.shape, j.shape)), np.float32)
    if not out.size:
        return out
    if right.ndim == up.ndim == 2 and right.shape[0] == up.shape[1] == 1:
        columns, rows = (
            tilings.spans.SampleAxis.from_samples(i[0], right[0]),
            tilings.spans.SampleAxis.from_samples(j[:, 0], up[:, 0]),
        )
        if columns and rows and tilings.spans.can_serve(columns, rows, scatter.steps):
            tilings.spans.rasterize(scatter, columns, rows, out)
            return _unsigned_zeros(out)
    table = tilings.instances.ShapeTable(
        scatter.instances, scatter.extents, (i, j), scatter.steps, scatter.copies, out[0].size
    )
    i, j, right, up = (axis.ravel() for axis in np.broadcast_arrays(i, j, right, up))
    flat = out.reshape(4, -1)
    for part in even_parts(len(i), _POINTS_AT_ONCE):
        _evaluate_points(scatter, table, (i[part], j[part]), (right[part], up[part]), flat[:, part])
    return _unsigned_zeros(out)


def _unsigned_zeros(out: Field) -> Field:
    """Make all zeros positive: where no shape is, their sign would depend on the other shapes of the window."""
    out[:2] += np.float32(0.0)
    return out


def _evaluate_points(
    scatter: tilings.shape_scatter.ShapeScatter,
    table: tilings.instances.ShapeTable,
    cells: tuple[Index, Index],
    places: tuple[Field, Field],
    out: Field,
) -> None:
    """Write the visible shapes at arbitrary places."""
    right, up = places
    neighbors = table.around(*cells)
    best = np.zeros(up.size, np.int32)
    chosen = np.zeros((scatter.lines + 1, up.size), np.float32)
    for place, (across, along, copy) in enumerate(scatter.candidates):
        boxes, shapes_of = neighbors(across, along, copy)
        offset = np.array([[across], [along]], np.float32)
        met = _candidate_places(boxes[:2] + offset, boxes[2:], right, up)
        if not met.size:
            continue
        shapes = shapes_of(met)
        shapes[: len(offset)] += offset
        coefficients = scatter.coefficients(shapes, gathering.gather(right, met))
        spare = np.empty((3 + tilings.instances.SLABS, met.size), np.float32)
        inside = scatter.inside(coefficients[: scatter.lines], gathering.gather(up, met), spare)[0]
        score = scatter.score(
            inside, scatter.order(shapes[tilings.instances.RANK], np.int32(place + 1))
        )
        (higher,) = np.nonzero(score > gathering.gather(best, met))
        met = gathering.gather(met, higher)
        best[met] = gathering.gather(score, higher)
        chosen[:, met] = coefficients.take(higher, axis=1)
    _describe(scatter, best > 0, chosen, up, out)


def _candidate_places(
    middles: Field, extents: Field, right: Field, up: Field
) -> npt.NDArray[np.intp]:
    """Return the places that bounding circles and boxes of the shapes contain."""
    is_met = np.abs(right - middles[0]) <= extents[0]
    is_met &= middles[1] - extents[1] <= up
    is_met &= middles[1] + extents[1] >= up
    return np.flatnonzero(is_met)


def _describe(
    scatter: tilings.shape_scatter.ShapeScatter,
    is_hit: npt.NDArray[np.bool_],
    chosen: Field,
    up: Field,
    out: Field,
) -> None:
    """Write the outputs of the visible shapes."""
    hit = is_hit.astype(np.float32)
    spare = np.empty((3 + tilings.instances.SLABS, hit.size), np.float32)
    inside, along, across = scatter.inside(chosen[: scatter.lines], up, spare, out)
    np.clip(inside, np.float32(0.0), np.float32(1.0), out=inside)
    np.multiply(along, hit, out=out[0])
    np.multiply(across, hit, out=out[1])
    np.multiply(inside, hit, out=out[2])
    out[3] = scatter.number(chosen[-1] * hit)
