# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise: distances to random points, and the Voronoi cells around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import voronoi
from ..base.arrays import Field, Index, Points
from ..base.errors import ParameterError
from ..base.grid import Axes
from ..base.params import boolean, cells_per_tile, choice, number
from ..base.plans import RowPlan, open_plan
from ..base.torus import square_lattice
from ..lattice import lattice_cells
from .bases.noise import Noise, noise_type

if TYPE_CHECKING:
    from ..base.torus import Lattice, Torus
    from ..lattice.affine import Affine
    from ..voronoi.distances import Metric
    from ..voronoi.nearest_on_grid import Tile

_RANKS = {"f1": 1, "f2": 2, "f3": 3, "f4": 4, "f2_minus_f1": 2, "f1_plus_f2": 2, "f1_times_f2": 2}
"""How many of the nearest points an output of distances needs."""

_OPERATIONS = {"f2_minus_f1": np.subtract, "f1_plus_f2": np.add, "f1_times_f2": np.multiply}

_LEAST_SAMPLES = {2: 36.0, 3: 36.0, 4: 100.0}
"""Samples per cell and axis from which looking for candidates first pays, by dimension (measured).

Below it samples are points. The last bits of edges, soft distances and slices of space differ between both
ways, so that nothing else may decide.
"""

_LEAST_SAMPLES_OF_DISTANCES = 10.0
"""The same for other outputs in the plane, whose bits are the same either way."""

_SHORT_ROW = 1024
"""Rows with fewer samples need so many times more of them (measured): each band of patches has a cost of its own."""

_CELL_VALUES: Mapping[str, voronoi.nearest_on_grid.CellValues] = {
    "cell": lambda points, cells: points.cell_values(cells),
    "x": lambda points, cells: points.tile_coordinates(cells, 0),
    "y": lambda points, cells: points.tile_coordinates(cells, 1),
}
"""Outputs that are one number for each Voronoi cell."""

_MEASURED = (*_RANKS, "smooth_f1", *_CELL_VALUES)


@noise_type("cellular", "Cellular", family="basic")
class Cellular(Noise):
    """Distance to scattered points: cells, cracks, scales (Voronoi, Worley).

    Notes
    -----
    Distances are mapped linearly: 0 becomes -1, and the largest one that any arrangement of the
    points allows becomes 1. For the n-th nearest point see `Metric.largest`; sums, products
    and differences follow from these (`output_range`). The distance to an edge is at most half the
    largest second distance: so it is right at a feature point, where it is F2 / 2, and no
    arrangement in 1 to 4 dimensions was found that has more; values are cut off there. Edges
    are Euclidean for every metric. For the smooth distance, which can be a little below 0, see
    `soft_minimum`. The value of a cell is uniform in [-1, 1).

    The coordinates x and y of the nearest point are counted within its tile: (x + 1) / 2 tiles from where that begins.
    On a wrapping grid a point lies in the first tile of the period.

    Distances are exact within rounding: no point that could be nearer is left out, at any
    jitter (`feature_points.rings`).

    References
    ----------
    Steven Worley (1996). A cellular texture basis function. SIGGRAPH.
    Inigo Quilez (2012). Voronoi borders.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Cellular
    >>> cells = Cellular(frequency=8.0, output="f1", metric="euclidean")
    >>> field = cells.sample_grid(Grid(65, 65), seed=3)
    >>> field.shape, str(field.dtype)
    ((65, 65), 'float32')

    Cracks between the cells, for dry mud or paving:

    >>> cracks = cells.with_values(output="edge").sample_grid(Grid(65, 65), seed=3)
    >>> bool(cracks.min() < -0.8)
    True

    Points in the middle of their cells make a chessboard of distances:

    >>> regular = cells.with_values(jitter=0.0)
    >>> middle, corner = regular.sample([[0.0625, 0.0625], [0.125, 0.125]])
    >>> bool(middle < corner)
    True
    """

    frequency: float = cells_per_tile()
    output: str = choice(
        "f1",
        help="Value of the cells",
        options={
            "f1": "Distance to the nearest point: dents",
            "f2": "Distance to the second nearest point",
            "f3": "Distance to the third nearest point",
            "f4": "Distance to the fourth nearest point",
            "f2_minus_f1": "Second minus first: zero along the edges, plates in between",
            "f1_plus_f2": "First plus second",
            "f1_times_f2": "First times second",
            "edge": "True distance to the nearest edge between cells: even lines",
            "smooth_f1": "Distance to the nearest point without creases",
            "cell": "One random value for each Voronoi cell",
            "x": "X of the nearest point: -1 at the left edge of its tile, 1 at the right",
            "y": "Y of the nearest point: -1 at the near edge of its tile, 1 at the far one",
        },
    )
    metric: str = choice(
        "euclidean",
        help="Distance metric",
        options={
            "euclidean": "Straight distance: round cells",
            "squared": "Squared distance: flat around the points",
            "manhattan": "Along x plus along y: diamonds",
            "chebyshev": "The longer of along x and along y: squares",
            "minkowski": "Between the others: 1 is Manhattan, 2 Euclidean, large is Chebyshev",
        },
        visible_when=("output", _MEASURED),
    )
    exponent: float = number(
        3.0,
        help="Exponent of the Minkowski metric: 1 is diamonds, 2 circles, large ones squares",
        minimum=1.0,
        maximum=32.0,
        soft_maximum=8.0,
        visible_when=("metric", ("minkowski",)),
        advanced=True,
    )
    jitter: float = number(
        1.0,
        help="Random offset of the points from the middle of their cell; 0 is a plain lattice",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    smoothness: float = number(
        0.25,
        help="Blend distance between cells",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("output", ("smooth_f1",)),
    )
    inverted: bool = boolean(False, help="Swap high and low")

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        lattice = square_lattice(self.frequency, torus)
        return self._in_cells(
            *lattice_cells.split_cells(lattice.coordinates(points)), lattice, seed
        )

    def sample_octaves(
        self,
        points: Points,
        octaves: Iterable[tuple[Affine, Sequence[int]]],
        torus: Torus | None,
    ) -> Iterator[list[Field]]:
        """See `Noise.sample_octaves`: where a lattice is twice as fine, each cell is cut in two."""
        found = lattice_cells.octave_cells(self.frequency, points, octaves, torus)
        for cells, lattice, seeds in found:
            yield [self._in_cells(cells.numbers, cells.places, lattice, seed) for seed in seeds]

    def _in_cells(
        self, index: Sequence[Index], offset: Sequence[Field], lattice: Lattice, seed: int
    ) -> Field:
        """Return the noise at points that lie somewhere in some cells, whose arrays broadcast."""
        shape = np.broadcast_shapes(*(axis.shape for axis in index))
        result = np.empty(shape, np.float32)
        if not result.size:
            return result
        scattered = voronoi.feature_points.FeaturePoints(lattice, seed, self.jitter)
        reach = self._reach(len(index))
        neighbors = voronoi.surroundings.CellSurroundings(
            scattered, self._metric(), index, offset, reach
        )
        if self.output in _CELL_VALUES:
            _, winner = voronoi.nearest_points.nearest_cells(neighbors)
            values = _CELL_VALUES[self.output](scattered, neighbors.cells_of(winner))
        elif self.output == "edge":
            values = voronoi.nearest_points.edge_distance(neighbors)
        elif self.output == "smooth_f1":
            values = voronoi.nearest_points.soft_distance(neighbors, self.smoothness)
        else:
            values = self._combine(
                voronoi.nearest_points.nearest_measures(neighbors, _RANKS[self.output])
            )
        self._map(values.reshape(shape), self.output_range(len(index)), result)
        return result

    @property
    def has_short_calls(self) -> bool:
        """See `Noise.has_short_calls`."""
        return True

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: few candidates per patch where a cell has some samples."""
        lattice = square_lattice(self.frequency, axes.torus)
        scale = (lattice.matrix[0][0], lattice.matrix[1][1])
        if (
            not lattice.is_aligned
            or axes.step * max(map(abs, scale)) * self._least_samples(axes) > 1.0
        ):
            if axes.rest:
                return super().plan(axes, seed)
            return open_plan(lambda points: self.values(points, seed, axes.torus), axes)
        dimension = 2 + len(axes.rest)
        limits = self.output_range(dimension)
        search = voronoi.nearest_on_grid.Search(
            voronoi.feature_points.FeaturePoints(lattice, seed, self.jitter),
            self._metric(),
            voronoi.patches.layout(axes, scale, self.frequency),
            self._reach(dimension),
            _RANKS.get(self.output, 1),
            self.smoothness if self.output == "smooth_f1" else 0.0,
            _CELL_VALUES.get(self.output),
            self.output == "edge",
            self.output in ("edge", "smooth_f1"),
        )

        def evaluate(tile: Tile, out: Field) -> None:
            if search.values is not None:
                values = tile.cell_values()
            elif self.output == "edge":
                values = tile.edge_distances()
            elif self.output == "smooth_f1":
                values = tile.soft_distances(self.smoothness)
            else:
                values = self._combine(tile.nearest_measures(search.rank))
            self._map(values, limits, out)

        return voronoi.nearest_on_grid.grid_plan(search, evaluate)

    def _check_dimension(self, dimension: int, who: str) -> None:
        super()._check_dimension(dimension, who)
        if self.output == "y" and dimension == 1:
            raise ParameterError("{}: points must have 2, 3, 4 coordinates; got 1", who)

    def _least_samples(self, axes: Axes) -> float:
        """Return from how many samples per cell and axis looking for candidates first pays."""
        if axes.rest or self.output in ("edge", "smooth_f1"):
            return _LEAST_SAMPLES[2 + len(axes.rest)]
        return _LEAST_SAMPLES_OF_DISTANCES * max(1.0, _SHORT_ROW / max(1, axes.x.size))

    def _metric(self) -> Metric:
        return voronoi.distances.Metric(
            "euclidean" if self.output == "edge" else self.metric, self.exponent
        )

    def _reach(self, dimension: int) -> float:
        """Return the distance beyond which points have no influence."""
        if self.output == "f4":
            return self._metric().largest_fourth(dimension, self.jitter)
        largest = self._metric().largest(dimension, self.jitter)
        if self.output == "edge":
            return 2.0 * largest[0]
        if self.output == "smooth_f1":
            return largest[0] + self.smoothness
        return largest[_RANKS.get(self.output, 1) - 1]

    def output_range(self, dimension: int) -> tuple[float, float]:
        """Return the bounds of the output before it is mapped.

        With own(a) <= next(a) the distances in the proof of `Metric.largest`, F1 + F2 is at most
        own(a) + next(a), which is convex too: its maximum is at a = 0 or at the corner of the
        cell, where both are the largest F1. A product is at most the square of half the sum,
        and for Euclid, Manhattan and Minkowski that sum is largest at the corner, where both
        factors are equal: so it is attained. F2 - F1 is at most F2.
        """
        metric = self._metric()
        power = 2 if self.metric == "squared" else 1
        if self.output == "f4":
            return 0.0, metric.largest_fourth(dimension, self.jitter) ** power
        first, second, third = metric.largest(dimension, self.jitter)
        h = self.jitter / 2.0
        nearest, farthest = (
            metric.norm([h] * dimension),
            metric.norm([1.0 + h] + [h] * (dimension - 1)),
        )
        ranges = {
            "f1": (0.0, first**power),
            "f2": (0.0, second**power),
            "f3": (0.0, third**power),
            "f2_minus_f1": (0.0, second**power),
            "f1_plus_f2": (0.0, max(2.0 * first**power, nearest**power + farthest**power)),
            "f1_times_f2": (0.0, (max(first, (nearest + farthest) / 2.0)) ** (2 * power)),
            "edge": (0.0, second / 2.0),
            **dict.fromkeys(_CELL_VALUES, (-1.0, 1.0)),
        }
        if self.output == "smooth_f1":
            return -(
                voronoi.soft_minimum.largest_drop(dimension, self.smoothness) ** power
            ), first**power
        return ranges[self.output]

    def _combine(self, nearest: list[Field]) -> Field:
        """Return the output for the measures to the nearest points, which are overwritten."""
        operation = _OPERATIONS.get(self.output)
        if self.metric != "squared":
            for measure in nearest if operation else nearest[-1:]:
                self._metric().distance(measure)
        if operation is None:
            return nearest[-1]
        return operation(nearest[1], nearest[0], out=nearest[1])

    def _map(self, values: Field, limits: tuple[float, float], out: Field) -> None:
        """Map an output from its limits to [-1, 1]; overwrites `values`."""
        low, high = limits
        if self.output == "smooth_f1" and self.metric == "squared":
            values *= np.abs(values)
        if self.output == "edge":
            np.minimum(values, np.float32(high), out=values)
        slope = (-2.0 if self.inverted else 2.0) / (high - low)
        if slope != 1.0:
            values *= np.float32(slope)
        np.add(values, np.float32(-slope * (high + low) / 2.0), out=out)
