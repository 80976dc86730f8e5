# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of maps: numbers derived from a finished height field, and the masks made from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, dataclass_transform

import numpy as np
import numpy.typing as npt

from ... import rasters, stages
from ...base import blocks
from ...base.arguments import check_callable, check_kind
from ...base.arrays import Field, check_height, to_float
from ...base.blocks import Cancel, Progress
from ...base.checks import register_base
from ...base.declared import declared_type
from ...base.errors import Message, ParameterError, format_value
from ...base.grid import Grid, measure_grid, require_size
from ...base.params import Declared
from ...base.registry import Registry

if TYPE_CHECKING:
    from ...rasters import Level
    from ...rasters.height_field import HeightField
    from ...stages import Part, Raster, Runner

_MIN_FALLOFF = 1e-30
"""A ramp steeper than this is an edge: its slope would not fit into a float32."""

_MAX_LIMIT = 1e38
"""Limits beyond, infinite ones included, are beyond all values of a map."""


@declared_type
class Map(Declared):
    """Base of all maps; a type in `maps/` writes `read` or `stages`, and `bounds` if its values have some.

    Examples
    --------
    >>> from noise_core import Map, map_types
    >>> slope = map_types()["slope"]()
    >>> isinstance(slope, Map), slope.unit, slope.bounds()
    (True, 'degrees', (0.0, 90.0))
    """

    unit: ClassVar[str]
    """Of the values, in words: "degrees", "meters"; empty if they are plain numbers."""
    channels: ClassVar[int] = 1
    """How many numbers a sample has; only those with one make masks."""
    whole_land: ClassVar[str] = ""
    """Why it cannot be done in tiles, if it cannot: what in it depends on the whole land at once."""
    held: ClassVar[float] = 12.0
    """Bytes of memory that `read` takes for each sample, besides the heights and the values."""

    def bounds(self) -> tuple[float, float]:
        """Return the bounds of the values, infinite if there are none."""
        return (-math.inf, math.inf)

    @property
    def needs_meters(self) -> bool:
        """Whether the values depend on the width of the land in meters; a grid without a size is refused then."""
        return True

    def reach(self, level: Level) -> int | None:
        """Return how far around a sample, in samples, heights are that its value depends on.

        Parameters
        ----------
        level : Level
            The whole one.

        Returns
        -------
        int or None
            None if the value depends on the whole land. With a number, `read` gives the same for a part
            of the land as for the whole, but less than so many samples before edges that are no borders.
        """
        return None

    def read(self, surface: HeightField, progress: Progress) -> Field:
        """Return the map of a surface.

        Long work calls `blocks.checkpoint` every few milliseconds.

        Parameters
        ----------
        surface : HeightField
            Its height is finite and not to be written to.
        progress : callable
            See `blocks.Progress`.

        Returns
        -------
        ndarray of shape (rows, columns) or (rows, columns, channels), float32
            A new one.
        """
        runner = stages.MemoryRunner(surface.level, progress)
        values: Field = self.stages(runner, runner.take(surface.height)).values
        return values

    def stages(self, run: Runner, height: Raster) -> Raster:
        """Describe the map in stages, which a runner does in memory or in tiles.

        With a `reach` for all values of its parameters, a type needs no more than `read`.

        Parameters
        ----------
        run : Runner
        height : Raster
            In meters.
        """
        reach = self.reach(run.level)
        if reach is None:
            raise NotImplementedError(f"{type(self).__name__} has neither stages() nor reach()")
        stage = stages.Local(self.key, self._read_part, reach, makes=(self.key,), held=self.held)
        (values,) = run.local(stage, height)
        return values

    def _read_part(self, target: Level, parts: Sequence[Part], progress: Progress) -> Field:
        (part,) = parts
        return self.read(rasters.height_field.HeightField(part.values, part.level), progress)

    def read_large(self, surface: HeightField, progress: Progress) -> Field:
        """Return the map of a very large field; smooth parts may be computed on fewer samples.

        For textures: looks like `read`, but its values may differ by a few thousandths of the
        range, and more at single samples of rough ground.
        """
        return self.read(surface, progress)

    def values(
        self,
        height: npt.ArrayLike,
        grid: Grid,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return the map of a height field.

        Parameters
        ----------
        height : array_like of shape (rows, columns)
            In meters.
        grid : Grid
            Of the same shape.
        progress, cancel : callable, optional
            See `blocks.Progress` and `blocks.Cancel`.

        Returns
        -------
        ndarray of shape (rows, columns) or (rows, columns, channels), float32

        Raises
        ------
        ParameterError
            If the shape differs from the grid's, a height is not finite or beyond 1e12, or the map needs
            meters and the grid has no size.
        Cancelled
            If `cancel` said yes.

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core import Grid
        >>> from noise_core.maps import Curvature
        >>> grid = Grid(33, 33, size=320.0)
        >>> Curvature(radius=20.0).values(np.zeros(grid.shape), grid).shape
        (33, 33)
        """
        surface = as_height_field(
            height, grid, f"{type(self).__name__}.values", needs_meters=self.needs_meters
        )
        return self._read(surface, progress, cancel)

    def mask(
        self,
        height: npt.ArrayLike,
        grid: Grid,
        low: float = -math.inf,
        high: float = math.inf,
        falloff: float = 0.0,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return 1 where the map is in [low, high], 0 far from there, and a smooth ramp between.

        Parameters
        ----------
        height, grid, progress, cancel
            See `values`.
        low, high : float
            In the map's unit; infinite where there is no limit.
        falloff : float
            How far outside the limits the ramp ends, in the map's unit; 0 is a hard edge.

        Returns
        -------
        ndarray of shape (rows, columns), float32
            In [0, 1].

        Raises
        ------
        ParameterError
            As `values`; if low > high or falloff < 0; if the map has several channels.
        Cancelled
            If `cancel` said yes.

        Examples
        --------
        >>> from noise_core import Grid
        >>> from noise_core.maps import Height

        Shore vegetation between 1 m and 10 m, with an edge 4 m wide:

        >>> grid = Grid(1, 5, size=100.0)
        >>> height = [[0.0, 1.0, 10.0, 12.0, 20.0]]
        >>> print(Height().mask(height, grid, low=1.0, high=10.0, falloff=4.0).round(2))
        [[0.84 1.   1.   0.5  0.  ]]
        """
        who = f"{type(self).__name__}.mask"
        if self.channels != 1:
            raise ParameterError("{} needs a map of 1 channel; this one has {}", who, self.channels)
        limits = check_limits(low, high, falloff, who)
        surface = as_height_field(height, grid, who, needs_meters=self.needs_meters)
        return self.mask_values(self._read(surface, progress, cancel), *limits)

    def mask_values(self, values: Field, low: float, high: float, falloff: float) -> Field:
        """Return the mask that belongs to values of this map; see `mask`."""
        return ramp(np.maximum(low - values, values - high), falloff)

    def _read(
        self, surface: HeightField, progress: Progress | None, cancel: Cancel | None
    ) -> Field:
        with blocks.cancellable(cancel):
            blocks.checkpoint()
            field = self.read(surface, blocks.heard(progress))
        if progress is not None:
            progress(1.0)
        return field


def read_maps(
    height: npt.ArrayLike,
    grid: Grid,
    maps: Mapping[str, Map],
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> dict[str, Field]:
    """Return several maps of one height field by name; they share intermediate results.

    Parameters
    ----------
    maps : mapping of str to Map
        By any names.
    height, grid, progress, cancel
        See `Map.values`.

    Raises
    ------
    ParameterError, Cancelled
        See `Map.values`.

    Examples
    --------
    >>> from noise_core import Grid, read_maps
    >>> from noise_core.maps import Slope, Wetness
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=2000.0)
    >>> height = 200.0 * Fractal().sample_grid(grid, seed=1)
    >>> fields = read_maps(height, grid, {"steepness": Slope(), "moisture": Wetness()})
    >>> sorted(fields), fields["steepness"].shape
    (['moisture', 'steepness'], (65, 65))
    """
    named = check_kind(maps, Mapping, "read_maps: maps", "a mapping of names to maps")
    for source in named.values():
        check_kind(source, Map, "read_maps: maps", "maps")
        if source.needs_meters:
            require_size(grid, f"read_maps: {type(source).__name__}")
    surface = as_height_field(height, grid, "read_maps", needs_meters=False)
    return read_from(surface, maps, progress, cancel)


def read_from(
    surface: HeightField,
    maps: Mapping[str, Map],
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> dict[str, Field]:
    """Return several maps of a surface by name, as `read_maps`; the surface keeps their intermediate results."""
    check_callable(progress, "progress")
    fields: dict[str, Field] = {}
    for name, source in maps.items():
        fields[name] = source._read(surface, None, cancel)
        if progress is not None:
            progress(len(fields) / len(maps))
    return fields


def as_height_field(
    height: npt.ArrayLike, grid: Grid, who: str, *, needs_meters: bool = True
) -> HeightField:
    """Validate a height field and return it as a `HeightField`.

    Raises
    ------
    ParameterError
        If the shape differs from the grid's, a height is not finite or beyond 1e12, or the grid has no
        size where it needs one.
    """
    measured = measure_grid(grid, who, needs_meters=needs_meters)
    array = check_height(height, measured.shape, f"{who}: height")
    return rasters.height_field.HeightField(array, rasters.Level.from_grid(measured))


def check_limits(low: float, high: float, falloff: float, who: str) -> tuple[float, float, float]:
    """Return the limits of a mask as floats.

    Raises
    ------
    ParameterError
        If low > high, falloff < 0, or one is not a number.
    """
    least, most, width = to_float(low), to_float(high), to_float(falloff)
    if not least <= most:
        raise ParameterError(
            "{}: low must be at most high",
            who,
            got=Message("{} and {}", format_value(low), format_value(high)),
        )
    if not 0.0 <= width < math.inf:
        raise ParameterError(
            "{} must be in {}", f"{who}: falloff", "[0, inf)", got=format_value(falloff)
        )
    return max(least, -_MAX_LIMIT), min(most, _MAX_LIMIT), width


def ramp(outside: Field, falloff: float) -> Field:
    """Return 1 where `outside` is 0 or less, falling smoothly to 0 at `falloff`.

    Parameters
    ----------
    outside : ndarray, float32
        How far beyond the limits; written to.
    falloff : float
        At least 0.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.maps import Height

    Seen from outside the limits, a mask falls smoothly from 1 to 0:

    >>> print(Height().mask_values(np.float32([0.0, 1.0, 2.0, 3.0]), -1.0, 0.0, 2.0))
    [1.  0.5 0.  0. ]
    """
    if falloff < _MIN_FALLOFF:
        return (outside <= 0.0).astype(np.float32)
    share = outside
    share *= np.float32(-1.0 / falloff)
    share += np.float32(1.0)
    np.clip(share, 0.0, 1.0, out=share)
    # 3 t^2 - 2 t^3: level at both ends.
    result: Field = share * share
    share *= np.float32(-2.0)
    share += np.float32(3.0)
    result *= share
    return result


register_base("map", Map)

MapType = TypeVar("MapType", bound=type[Map])

_REGISTRY: Registry[Map] = Registry("maps")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def map_type(
    key: str, label: str, *, unit: str = "", channels: int = 1
) -> Callable[[MapType], MapType]:
    """Make a class a map type: a frozen keyword-only dataclass, registered under `key`.

    Parameters
    ----------
    key : str
        Lower case; stands in saved files, so it never changes.
    label : str
        Label in menus.
    unit : str
        Of the values, in words.
    channels : int
        Numbers that a sample has.

    Examples
    --------
    >>> from noise_core import map_types
    >>> from noise_core.maps import Slope

    The decorator registers a class under the key that stands in saved files:

    >>> map_types()["slope"] is Slope
    True
    """
    return _REGISTRY.declare(key, label, unit=unit, channels=channels)


def map_types() -> Mapping[str, type[Map]]:
    """Return every map type by its key.

    Examples
    --------
    >>> from noise_core import map_types
    >>> {"slope", "flow", "curvature"} <= set(map_types())
    True
    >>> map_types()["slope"].unit
    'degrees'
    """
    return _REGISTRY.all()
