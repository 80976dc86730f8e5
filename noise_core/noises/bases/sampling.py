# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampling of noises by programs: at points and on grids, values and derivatives, with checked arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import numpy.typing as npt

from ...base import blocks, installed_memory
from ...base.arrays import Coordinates, Field, Points, check_numbers, check_points, check_seed
from ...base.errors import ParameterError, format_value
from ...base.grid import Axes, Grid, check_grid
from ...base.params import Declared
from ...base.plans import RowPlan, run_on_points, run_on_rows
from ...lattice.hash import MOST_CELLS

if TYPE_CHECKING:
    from ...base.derivatives import Slopes
    from ...base.torus import Torus


class SampledNoise(Declared):
    """Calls of programs that evaluate a noise by the methods that its type has; see `Noise`."""

    dimensions: ClassVar[tuple[int, ...]] = (1, 2, 3, 4)
    """Numbers of coordinates that a point may have."""

    if TYPE_CHECKING:

        @property
        def has_short_calls(self) -> bool:
            """See `Noise.has_short_calls`."""
            ...

        def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
            """See `Noise.values`."""
            ...

        def slopes(self, points: Points, seed: int, torus: Torus | None) -> tuple[Field, Slopes]:
            """See `Noise.slopes`."""
            ...

        def plan(self, axes: Axes, seed: int) -> RowPlan:
            """See `Noise.plan`."""
            ...

        def gradient_plan(self, axes: Axes, seed: int) -> RowPlan:
            """See `Noise.gradient_plan`."""
            ...

        def finest(self) -> float:
            """See `Noise.finest`."""
            ...

        def children(self) -> Mapping[str, Self]:
            """See `Noise.children`."""
            ...

    def sample(self, points: npt.ArrayLike, seed: int = 0, *, threads: int | None = None) -> Field:
        """Return the noise at any points.

        Parameters
        ----------
        points : array_like of shape (..., d)
            Positions in tiles, d from 1 to 4, or to 16 for some types, finite. float32 stays float32; anything else is
            taken as float64, which keeps fine detail far from the origin.
        seed : int
            Any integer of 32 bits.
        threads : int, optional
            How many threads to use; all processors if not given.

        Returns
        -------
        ndarray of shape (...), float32

        Raises
        ------
        ParameterError
            If the points or the seed are not so.

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core.noises import Simplex

        Noise on a sphere needs no map: points of three coordinates.

        >>> longitude = np.linspace(0.0, 2.0 * np.pi, 100)
        >>> equator = np.stack((np.cos(longitude), np.sin(longitude), np.zeros(100)), axis=-1)
        >>> values = Simplex(frequency=3.0).sample(equator, seed=7)
        >>> values.shape, bool(abs(values[0] - values[-1]) < 1e-4)
        ((100,), True)
        """
        array, seed = self._check_call(points, seed, f"{type(self).__name__}.sample")
        flat = array.reshape(-1, array.shape[-1])
        out = np.empty(len(flat), np.float32)

        def work(columns: Points, part: slice) -> None:
            out[part] = self.values(columns, seed, None)

        run_on_points(work, flat, threads)
        return out.reshape(array.shape[:-1])

    def gradient(
        self, points: npt.ArrayLike, seed: int = 0, *, threads: int | None = None
    ) -> Field:
        """Return the derivatives of the noise at any points.

        Parameters
        ----------
        points, seed, threads
            See `sample`.

        Returns
        -------
        ndarray of shape (..., d), float32
            The derivative along each coordinate, per tile. At a kink it is that of one side.

        Raises
        ------
        ParameterError
            If the points or the seed are not so.

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core.noises import Gradient

        A ramp from -1 to 1 over one tile rises by 2 per tile along x:

        >>> ramp = Gradient(shape="linear", falloff=1.0, fade="linear")
        >>> print(ramp.gradient([[0.25, 0.5], [0.75, 0.5]]).round(3))
        [[2. 0.]
         [2. 0.]]
        """
        array, seed = self._check_call(points, seed, f"{type(self).__name__}.gradient")
        flat = array.reshape(-1, array.shape[-1])
        out = np.empty((flat.shape[1], len(flat)), np.float32)

        def work(columns: Points, part: slice) -> None:
            out[:, part] = self.slopes(columns, seed, None)[1]

        run_on_points(work, flat, threads)
        return np.ascontiguousarray(out.T).reshape(array.shape)

    def sample_grid(
        self,
        grid: Grid,
        seed: int = 0,
        *,
        evolution: tuple[float, ...] = (),
        threads: int | None = None,
        progress: blocks.Progress | None = None,
        cancel: blocks.Cancel | None = None,
    ) -> Field:
        """Return the noise at all samples of a grid, by the fastest method.

        Parameters
        ----------
        grid : Grid
            Where the samples lie. If it wraps, the field is exactly seamless.
        seed : int
            Any integer of 32 bits.
        evolution : tuple of up to two floats
            Coordinates along the third and fourth dimension, in tiles: the same noise, moved on.
        threads, progress, cancel
            See `blocks.run`.

        Returns
        -------
        ndarray of shape (rows, columns), float32

        Raises
        ------
        ParameterError, Cancelled

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core import Grid
        >>> from noise_core.noises import Fractal
        >>> field = Fractal().sample_grid(Grid(128, 256, wrap=True), seed=7)
        >>> field.shape, str(field.dtype)
        ((128, 256), 'float32')

        Tiles meet at their borders:

        >>> west = Fractal().sample_grid(Grid(65, 65), seed=7)
        >>> east = Fractal().sample_grid(Grid(65, 65, origin=(1.0, 0.0)), seed=7)
        >>> bool(np.array_equal(west[:, -1], east[:, 0]))
        True
        """
        who = f"{type(self).__name__}.sample_grid"
        axes, seed = self._check_grid(grid, seed, evolution, who, 4.0)
        out = np.empty((grid.rows, grid.columns), np.float32)
        plan, short = self.plan(axes, seed), self.has_short_calls
        run_on_rows(plan, out, threads, progress, cancel, in_short_calls=short)
        return out

    def sample_volume(
        self,
        shape: tuple[int, int, int],
        seed: int = 0,
        *,
        origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
        threads: int | None = None,
        progress: blocks.Progress | None = None,
        cancel: blocks.Cancel | None = None,
    ) -> Field:
        """Return the noise in a volume, slice by slice, each by the fastest method of `sample_grid`.

        Parameters
        ----------
        shape : tuple of three ints
            Slices, rows and columns. Samples are equally far apart along all axes; the columns span one tile.
        seed : int
            Any integer of 32 bits.
        origin : tuple of up to three floats
            Position (x, y, z) of the first sample, in tiles.
        threads, progress, cancel
            See `sample_grid`.

        Returns
        -------
        ndarray of shape (slices, rows, columns), float32

        Raises
        ------
        ParameterError
            If a value is not allowed, or the noise has no third dimension.
        Cancelled

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core.noises import Perlin
        >>> density = Perlin(frequency=4.0).sample_volume((8, 16, 32), seed=7)
        >>> density.shape, str(density.dtype)
        ((8, 16, 32), 'float32')

        The sample of slice k, row i, column j lies at (j, i, k) / 31:

        >>> point = Perlin(frequency=4.0).sample([[31 / 31, 2 / 31, 5 / 31]], seed=7)
        >>> bool(np.abs(density[5, 2, 31] - point).max() < 1e-5)
        True
        """
        who = f"{type(self).__name__}.sample_volume"
        if not isinstance(shape, (tuple, list)) or len(shape) != 3:
            raise ParameterError(
                "{}: shape must be slices, rows and columns", who, got=format_value(shape)
            )
        x, y, z = (*check_numbers(origin, 3, f"{who}: origin"), 0.0, 0.0, 0.0)[:3]
        slices, rows, columns = shape
        step = 1.0 / max(Grid(slices, columns).columns - 1, 1)  # refuses slices as it does rows
        grid = check_grid(Grid(rows, columns, origin=(x, y)), who)
        installed_memory.require(who, slices * rows * columns, 4.0)
        out = np.empty((slices, rows, columns), np.float32)
        for number, field in enumerate(out):
            part = blocks.part_of(blocks.heard(progress), number / slices, (number + 1) / slices)
            field[...] = self.sample_grid(
                grid,
                seed,
                evolution=(z + number * step,),
                threads=threads,
                progress=part,
                cancel=cancel,
            )
        return out

    def gradient_grid(
        self,
        grid: Grid,
        seed: int = 0,
        *,
        evolution: tuple[float, ...] = (),
        threads: int | None = None,
        progress: blocks.Progress | None = None,
        cancel: blocks.Cancel | None = None,
    ) -> Field:
        """Return the derivatives of the noise at all samples of a grid, by the fastest method.

        Parameters
        ----------
        grid, seed, evolution, threads, progress, cancel
            See `sample_grid`.

        Returns
        -------
        ndarray of shape (rows, columns, 2), float32
            The derivatives along x and y, per tile; those of heights in meters are these times
            height / size. A view: each of the two fields lies together in memory.

        Raises
        ------
        ParameterError, Cancelled

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core import Grid
        >>> from noise_core.noises import Perlin
        >>> slopes = Perlin(frequency=4.0).gradient_grid(Grid(33, 65), seed=1)
        >>> slopes.shape
        (33, 65, 2)

        Steepness in degrees of land 200 m high and 1 km wide:

        >>> rise = np.hypot(slopes[..., 0], slopes[..., 1]) * (200.0 / 1000.0)
        >>> steepness = np.degrees(np.arctan(rise))
        >>> bool(steepness.max() < 90.0)
        True
        """
        who = f"{type(self).__name__}.gradient_grid"
        axes, seed = self._check_grid(grid, seed, evolution, who, 8.0)
        out = np.empty((2, grid.rows, grid.columns), np.float32)
        plan, short = self.gradient_plan(axes, seed), self.has_short_calls
        run_on_rows(plan, out, threads, progress, cancel, in_short_calls=short)
        return np.moveaxis(out, 0, -1)

    def check_axes(self, axes: Axes, who: str) -> None:
        """Raise a ParameterError unless the noise can be evaluated at the samples.

        Raises
        ------
        ParameterError
            If it has no such dimension, or they lie too far from the origin.
        """
        self._check_dimension(2 + len(axes.rest), who)
        ends = (axes.x[0], axes.x[-1], axes.y[0], axes.y[-1], *axes.rest)
        self._check_reach(max(abs(float(end)) for end in ends), who)

    def _check_call(self, points: npt.ArrayLike, seed: int, who: str) -> tuple[Coordinates, int]:
        array, farthest = check_points(points, who)
        self._check_dimension(array.shape[-1], who)
        seed = check_seed(seed, who)
        self._check_reach(farthest, who)
        return array, seed

    def _check_grid(
        self, grid: Grid, seed: int, evolution: tuple[float, ...], who: str, bytes_each: float
    ) -> tuple[Axes, int]:
        numbers = check_numbers(evolution, 2, f"{who}: evolution")
        axes = check_grid(grid, who, bytes_each).axes(numbers)
        self.check_axes(axes, who)
        return axes, check_seed(seed, who)

    def _check_reach(self, distance: float, who: str) -> None:
        # Shapes without cells still need positions that float32 can square.
        finest = max(self.finest(), 1.0)
        if distance * finest > MOST_CELLS:
            raise ParameterError(
                "{}: points must lie within {:g} tiles of the origin, where cells can be "
                "told apart",
                who,
                MOST_CELLS / finest,
                got=f"{distance:g}",
            )

    def _check_dimension(self, dimension: int, who: str) -> None:
        if dimension not in self.dimensions:
            allowed = ", ".join(str(value) for value in self.dimensions)
            raise ParameterError("{}: points must have {} coordinates", who, allowed, got=dimension)
        for child in self.children().values():
            child._check_dimension(dimension, who)
