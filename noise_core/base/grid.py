# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of the samples of an image, a terrain or a tile."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from . import installed_memory
from .arrays import to_float
from .axes import Axes, AxisSteps
from .errors import Message, ParameterError, format_value
from .grid_sizes import is_whole

__all__ = [
    "MAX_SIDE",
    "SIZE",
    "SIZES",
    "Axes",
    "AxisSteps",
    "Grid",
    "check_grid",
    "check_meters",
    "measure_grid",
    "require_size",
]

if TYPE_CHECKING:
    import numpy.typing as npt

    from .torus import Torus

SIZE = 100.0
"""Width in meters of a recipe that does not say its own."""

SIZES = (1e-5, 1e9)
"""Meters that a grid may be wide: squares of distances between samples are normal in float32."""

MAX_SIDE = 1 << 30
"""Rows or columns that a grid may have at most."""


@dataclass(frozen=True)
class Grid:
    """A regular grid of samples, one tile wide; samples are equally far apart along both axes.

    Parameters
    ----------
    rows, columns : int
        How many samples, at least 1 and at most `MAX_SIDE` each.
    origin : tuple of two floats
        Position of the first sample (row 0, column 0), in tiles.
    wrap : bool
        False: the last column lies at 1, so that neighboring tiles share their border samples.
        True: it lies one spacing before 1, and the field meets itself seamlessly at all edges.
    size : float, optional
        Width in meters, in [1e-5, 1e9]. Without it the grid has places but no meters: noise and all that
        counts samples work on it, slopes and distances are refused.
    first : tuple of two ints
        Row and column of `whole` at which this grid begins, if it is a window.
    whole : tuple of two ints, optional
        Rows and columns of the grid that this one is a window of; its own if not given.
    per_tile : int, optional
        Distances between samples in one tile, if the grid is wider or narrower than that: `size` is
        that of a tile all the same. Such a grid cannot wrap.

    Raises
    ------
    ParameterError
        If a number is out of its range.

    Examples
    --------
    >>> from noise_core import Grid

    A mesh of 5 x 5 vertices, 100 m wide, and a seamless image of 4 x 4 texels:

    >>> mesh, image = Grid(5, 5, size=100.0), Grid(4, 4, wrap=True)
    >>> print(mesh.axes().x)
    [0.   0.25 0.5  0.75 1.  ]
    >>> print(image.axes().x)
    [0.   0.25 0.5  0.75]
    >>> mesh.spacing
    25.0

    The neighbor of tile (0, 0) in an endless land shares its border samples:

    >>> print(Grid(5, 5, origin=(1.0, 0.0)).axes().x)
    [1.   1.25 1.5  1.75 2.  ]

    Places need no meters, slopes do:

    >>> Grid(5, 5).size is None
    True
    """

    rows: int
    columns: int
    _: KW_ONLY
    origin: tuple[float, float] = (0.0, 0.0)
    wrap: bool = False
    size: float | None = None
    first: tuple[int, int] = (0, 0)
    whole: tuple[int, int] | None = None
    per_tile: int | None = None

    _user: ClassVar[str] = "Grid.spacing"
    """Who is refused if there is no size: see `for_user`."""

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            value = getattr(self, name)
            if not is_whole(value) or not 1 <= value <= MAX_SIDE:
                raise ParameterError(
                    "{} must be an integer in {}",
                    f"Grid.{name}",
                    f"[1, {MAX_SIDE}]",
                    got=format_value(value),
                )
            object.__setattr__(self, name, int(value))
        if self.size is not None:
            object.__setattr__(self, "size", check_meters(self.size, "Grid.size"))
        origin = self.origin
        is_row = isinstance(origin, (tuple, list, np.ndarray)) and getattr(origin, "ndim", 1) > 0
        if not is_row or len(origin) != 2 or not all(map(math.isfinite, map(to_float, origin))):
            raise ParameterError("Grid.origin must be two finite numbers", got=format_value(origin))
        object.__setattr__(self, "origin", (float(origin[0]), float(origin[1])))
        if not isinstance(self.wrap, (bool, np.bool_)):
            raise ParameterError(
                "{} must be True or False", "Grid.wrap", got=format_value(self.wrap)
            )
        if self.per_tile is not None and (
            self.wrap or not is_whole(self.per_tile) or not 1 <= self.per_tile <= MAX_SIDE
        ):
            raise ParameterError(
                "Grid.per_tile must be an integer in {}, without wrap",
                f"[1, {MAX_SIDE}]",
                got=format_value(self.per_tile),
            )
        self._check_place()

    def _check_place(self) -> None:
        """Raise a ParameterError unless the window lies in the whole grid."""
        for name in ("first", "whole"):
            value = getattr(self, name)
            if name == "whole" and value is None:
                continue
            is_pair = isinstance(value, (tuple, list)) and len(value) == 2
            if not is_pair or not all(
                is_whole(number) and abs(number) <= MAX_SIDE for number in value
            ):
                raise ParameterError(
                    "Grid.{} must be two whole numbers", name, got=format_value(value)
                )
            object.__setattr__(self, name, tuple(map(int, value)))
        ends = (self.first[0] + self.rows, self.first[1] + self.columns)
        rows, columns = self.whole or self.shape
        if min(self.first) < 0 or ends[0] > rows or ends[1] > columns:
            raise ParameterError(
                "Grid.first must leave {} x {} samples of {} x {}",
                self.rows,
                self.columns,
                rows,
                columns,
                got=format_value(self.first),
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns.

        Examples
        --------
        >>> from noise_core import Grid
        >>> Grid(257, 513).shape
        (257, 513)
        """
        return (self.rows, self.columns)

    @property
    def width(self) -> float:
        """Width of a tile in meters; a ParameterError if the grid has no size.

        Examples
        --------
        >>> from noise_core import Grid
        >>> Grid(257, 257, size=2000.0).width
        2000.0
        """
        size = self.size  # asked for with each step of a dragged slider
        return cast(float, require_size(self, self._user).size) if size is None else size

    @property
    def spacing(self) -> float:
        """Distance between neighboring samples, in meters; a ParameterError if the grid has no size.

        Examples
        --------
        >>> from noise_core import Grid
        >>> Grid(257, 257, size=2048.0).spacing
        8.0
        >>> Grid(256, 256, size=2048.0, wrap=True).spacing
        8.0
        """
        return self.width / self.steps_per_tile

    @property
    def depth(self) -> float:
        """Extent along y of the whole grid, in tiles; a wrapping grid repeats after it.

        Examples
        --------
        >>> from noise_core import Grid
        >>> Grid(513, 257).depth
        2.0
        """
        rows, _ = self.whole or self.shape
        return (rows if self.wrap else max(rows - 1, 1)) / self.steps_per_tile

    @property
    def torus(self) -> Torus | None:
        """Torus of a grid that wraps, else None.

        Examples
        --------
        >>> from noise_core import Grid
        >>> Grid(128, 256, wrap=True).torus.periods
        ((1.0, 0.0), (0.0, 0.5))
        >>> Grid(128, 256).torus is None
        True
        """
        if not self.wrap:
            return None
        from .torus import Torus  # here: only grids that wrap need it

        return Torus(((1.0, 0.0), (0.0, self.depth)))

    @classmethod
    def of(
        cls,
        field: npt.ArrayLike,
        *,
        size: float | None = None,
        spacing: float | None = None,
        wrap: bool = False,
    ) -> Grid:
        """Return the grid of a field, such as measured heights.

        Parameters
        ----------
        field : array_like of shape (rows, columns) or (rows, columns, channels)
        size : float, optional
            Width in meters.
        spacing : float, optional
            Meters between neighboring samples; instead of the width. With neither the grid has no meters.
        wrap : bool
            See `Grid`.

        Raises
        ------
        ParameterError
            If the field has another shape, or size and spacing are both given or out of range.

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core import Grid
        >>> heights = np.zeros((201, 401))
        >>> Grid.of(heights, spacing=30.0).size, Grid.of(heights, size=12000.0).spacing
        (12000.0, 30.0)
        """
        shape = np.shape(field)
        if len(shape) not in (2, 3):
            raise ParameterError("Grid.of: field must be of shape (rows, columns)", got=shape)
        if size is not None and spacing is not None:
            raise ParameterError("Grid.of must have a size or a spacing; got both")
        if spacing is not None:
            steps = shape[1] if wrap else max(shape[1] - 1, 1)
            size = check_meters(spacing, "Grid.of: spacing") * steps
        return cls(shape[0], shape[1], size=size, wrap=wrap)

    def for_user(self, who: str) -> Grid:
        """Return the same grid, which names its user in the error if its meters are read and it has none."""
        if self.size is not None:
            return self
        named = replace(self)
        object.__setattr__(named, "_user", who)
        return named

    def axes(self, rest: tuple[float, ...] = ()) -> Axes:
        """Return the coordinates of the samples, in tiles: see `AxisSteps`.

        Parameters
        ----------
        rest : tuple of up to two floats
            Third and fourth coordinate, in tiles, the same for all samples.

        Examples
        --------
        >>> from noise_core import Grid
        >>> axes = Grid(3, 5).axes()
        >>> print(axes.x, axes.y)
        [0.   0.25 0.5  0.75 1.  ] [0.   0.25 0.5 ]
        >>> x, y = axes.points(0, 3)
        >>> x.shape
        (3, 5)
        """
        row, column = self.first
        along, across = (AxisSteps(self.steps_per_tile, at) for at in reversed(self.origin))
        x = across.at(np.arange(column, column + self.columns, dtype=np.int64))
        y = along.at(np.arange(row, row + self.rows, dtype=np.int64))
        first = (row, column)
        return Axes(x, y, rest, self.torus, 1.0 / self.steps_per_tile, first, (along, across))

    def window(self, row: int, column: int, rows: int, columns: int) -> Grid:
        """Return the part of this grid that begins at (row, column), with the very same samples.

        Parameters
        ----------
        row, column : int
            First sample of the window, counted from 0 in this grid.
        rows, columns : int
            Samples of the window, at least 1 each.

        Raises
        ------
        ParameterError
            If the part sticks out.

        Examples
        --------
        >>> from noise_core import Grid
        >>> import numpy as np
        >>> from noise_core.noises import Perlin

        A window has the bits of the whole:

        >>> whole = Grid(65, 65)
        >>> part = whole.window(16, 32, 8, 8)
        >>> noise = Perlin(frequency=5.0)
        >>> bool(np.array_equal(noise.sample_grid(part), noise.sample_grid(whole)[16:24, 32:40]))
        True
        """
        place = (row, column, rows, columns)
        inside = all(map(is_whole, place)) and min(row, column) >= 0 and min(rows, columns) >= 1
        if not inside or row + rows > self.rows or column + columns > self.columns:
            raise ParameterError(
                "Grid.window must lie within {} x {} samples",
                self.rows,
                self.columns,
                got=Message(
                    "{} x {} from {}",
                    format_value(rows),
                    format_value(columns),
                    format_value((row, column)),
                ),
            )
        first = (self.first[0] + row, self.first[1] + column)
        return replace(
            self, rows=rows, columns=columns, first=first, whole=self.whole or self.shape
        )

    @property
    def steps_per_tile(self) -> int:
        """Number of spacings in one tile.

        Examples
        --------
        >>> from noise_core import Grid
        >>> Grid(5, 5).steps_per_tile, Grid(5, 5, wrap=True).steps_per_tile
        (4, 5)
        """
        if self.per_tile is not None:
            return self.per_tile
        _, columns = self.whole or self.shape
        return columns if self.wrap else max(columns - 1, 1)


def check_meters(size: object, who: str) -> float:
    """Return a width that a grid can have, in meters.

    Raises
    ------
    ParameterError
        If it is no number in `SIZES`; `who` starts the message.
    """
    width = to_float(size)
    if not SIZES[0] <= width <= SIZES[1]:
        raise ParameterError(
            "{} must be in [{:g}, {:g}]",
            who,
            *SIZES,
            got=format_value(size),
        )
    return width


def require_size(grid: object, who: str) -> Grid:
    """Return a grid that knows its meters.

    Raises
    ------
    ParameterError
        If it is no grid, or has no size; `who` starts the message.
    """
    sized = check_grid(grid, who)
    if sized.size is None:
        raise ParameterError(
            "{} needs meters: the grid must have a size, such as Grid({}, {}, size=1000.0), or be "
            "Recipe.grid's; got none",
            who,
            sized.rows,
            sized.columns,
        )
    return sized


def measure_grid(grid: object, who: str, *, needs_meters: bool) -> Grid:
    """Return a grid for work on heights: with its own size, or with any where none is needed.

    Parameters
    ----------
    grid : Grid
    who : str
        Name that starts the error message.
    needs_meters : bool
        Whether the work depends on the size. If not, a grid without one is taken to be a meter wide;
        otherwise it is left as it is, and who reads its meters is refused.

    Raises
    ------
    ParameterError
        If it is no grid.
    """
    checked = check_grid(grid, who)
    if checked.size is None and not needs_meters:
        return replace(checked, size=1.0)
    return checked.for_user(who)


def check_grid(grid: object, who: str, bytes_each: float = 0.0) -> Grid:
    """Return `grid`, or raise a ParameterError if it is no grid.

    Parameters
    ----------
    grid : Grid
    who : str
        Name that starts the error message.
    bytes_each : float
        Bytes of memory that a sample takes at the least, if fields are made.

    Raises
    ------
    ParameterError
        If it is no grid, or has more samples than the memory can hold.
    """
    if not isinstance(grid, Grid):
        raise ParameterError("{}: grid must be a Grid", who, got=format_value(grid))
    if bytes_each:
        installed_memory.require(who, grid.rows * grid.columns, bytes_each)
    return grid
