# SPDX-License-Identifier: GPL-3.0-or-later
"""Land to be exported: a recipe at the export's own resolution, or heights that exist."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union, cast

import numpy as np

from ...base import installed_memory
from ...base.arguments import check_kind
from ...base.arrays import Field, check_field, check_height
from ...base.blocks import Cancel, Progress
from ...base.errors import ParameterError, format_value
from ...base.grid import Grid
from ...base.grid_sizes import is_whole_land, shape_of
from ...maps.bases.map import Map, map_types
from ...masks.bases.mask import Mask, MaskContext
from ...materials.ground.ground_cover import GroundCover
from ...materials.ground.ground_weights import GroundWeights
from ...modifiers.bases.modifier import Relief
from ...recipes.folding import LayerNoises
from ...recipes.recipe import Recipe
from .stored_field import Channel

if TYPE_CHECKING:
    from ...base.georeference import Georeference

Shape = tuple[int, int]
"""Rows and columns."""

AnyMap = Union[str, Map, Mask, Field]
"""The name of a map of the recipe's or of a type of map; a map, a mask, or a finished field."""


PER_SAMPLE = 20
"""Bytes that a sample takes at the least while it is exported: measured at 2017 x 2017 for Unreal Engine, 16
with one noise, 26 with a stack of them, 144 with erosion."""

ALL_MAPS = "all"
"""Stands in a list of names for all maps that come with the heights."""


@dataclass(frozen=True, eq=False)
class ExportedLand:
    """Heights on a grid.

    Attributes
    ----------
    relief : Relief
        Its height may be `LazyHeights`, if no maps are asked for.
    grid : Grid
    recipe : Recipe or None
        Recipe of the land, if it has one.
    cover : GroundCover or None
        Materials of its ground, if their frictions are written.
    weights : GroundWeights or None
        Weights of the layers of its ground, if they are written.
    height_scale : float
        Meters that a meter of the recipe has become.
    placement : mapping of str to object, optional
        How the land was scaled and turned, for the sidecar.
    facts : mapping of str to object
        Further keys of the sidecar.
    ground : tuple of ndarray of shape (rows, columns), float32, and Grid, optional
        Heights and grid by which the ground is colored, before the land was scaled; its own if not given.
    """

    relief: Relief
    grid: Grid
    recipe: Recipe | None = None
    cover: GroundCover | None = None
    weights: GroundWeights | None = None
    height_scale: float = 1.0
    placement: Mapping[str, object] | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    ground: tuple[Field, Grid] | None = None

    @property
    def colored(self) -> tuple[Field, Grid]:
        """Heights and grid by which the ground is colored."""
        return self.ground or (self.relief.height, self.grid)

    @property
    def reach(self) -> float | None:
        """Meters that the recipe reaches above and below 0; None without one."""
        return None if self.recipe is None else self.recipe.height * self.height_scale

    def channels(self, source: AnyMap, name: str, normals: str) -> MapChannels:
        """Return a map of the land.

        Parameters
        ----------
        source : str, Map, Mask or ndarray
            See `AnyMap`.
        name : str
            For error messages.
        normals : str
            Convention of normals; see `maps.Normal`.
        """
        if isinstance(source, str):
            if source in self.relief.maps:
                return MapChannels.of(self.relief.maps[source])
            cls = map_types()[source]
            source = cls(convention=normals) if source == "normal" else cls()
        if isinstance(source, Map):
            values = source.values(self.relief.height, self.grid)
            convention = getattr(source, "convention", "")
            return MapChannels.of(values, *source.bounds(), unit=source.unit, convention=convention)
        if isinstance(source, Mask):
            return MapChannels.of(
                source.share(self.relief.height, self.grid, self._context()), 0.0, 1.0
            )
        return MapChannels.of(check_field(source, self.grid.shape, f"maps: {name}"))

    def _context(self) -> MaskContext:
        if self.recipe is None:
            return MaskContext()
        recipe = self.recipe
        noises = LayerNoises(recipe.bound_layers, recipe.seed, recipe.height, recipe.size)
        return MaskContext(noises, recipe.seed, recipe.seed)


@dataclass(frozen=True, eq=False)
class MapChannels:
    """A map, one field for each number of a sample.

    Attributes
    ----------
    fields : tuple of ndarrays of shape (rows, columns), float32
        Or whole numbers as the file has them.
    low, high : float
        Values of the darkest and the brightest color.
    unit : str
    convention : str
        Of normals; see `maps.Normal`.
    """

    fields: tuple[Channel, ...]
    low: float
    high: float
    unit: str = ""
    convention: str = ""

    @classmethod
    def of(
        cls,
        values: Field,
        low: float = -np.inf,
        high: float = np.inf,
        *,
        unit: str = "",
        convention: str = "",
    ) -> MapChannels:
        """Return a map by its values; one without bounds goes from the lowest to the highest."""
        if not (np.isfinite(low) and np.isfinite(high)):
            low, high = float(values.min()), float(values.max())
        if high <= low:
            high = low + 1.0
        parts = values[..., np.newaxis] if values.ndim == 2 else values
        channels = tuple(parts[..., at] for at in range(parts.shape[2]))
        return cls(channels, low, high, unit, convention)


def named_maps(maps: Mapping[str, AnyMap] | Iterable[str], land: LandSource) -> dict[str, AnyMap]:
    """Return maps by the names that their files have; `ALL_MAPS` in a list is all that come with the land."""
    check_kind(maps, (Mapping, list, tuple), "maps", "a mapping or a list of names")
    for name in maps:
        if not isinstance(name, str):
            raise ParameterError("maps must have names", got=format_value(name))
    if isinstance(maps, Mapping):
        named: dict[str, AnyMap] = dict(maps)
    else:
        named = {
            map_name: map_name
            for name in maps
            for map_name in (sorted(land.map_names()) if name == ALL_MAPS else [name])
        }
    return named


def check_map_names(sources: Iterable[AnyMap], land: LandSource) -> None:
    """Raise a ParameterError if a name is neither that of a map of the land's nor of a type of map."""
    available = sorted({*map_types(), *land.map_names()})
    for source in sources:
        if isinstance(source, str) and source not in available:
            raise ParameterError("maps must be of {}", ", ".join(available), got=repr(source))


class LandSource(ABC):
    """Land that can be exported at a number of samples."""

    @property
    def own_shape(self) -> Shape | None:
        """The rows and columns that it has itself; None if it can have any."""
        return None

    @property
    def depth(self) -> float | None:
        """Extent along y, in widths; None if it goes on beyond, so that any rows and columns are a part of it."""
        return None

    @property
    def georeference(self) -> Georeference | None:
        """Place on Earth of tiles, see `Noise.georeference`; None if it has none."""
        return None

    def file_shape(self, samples: int, tiles: tuple[int, int]) -> Shape:
        """Return rows and columns of a file with so many along its longer side, if the land is cut into tiles."""
        across, along = tiles
        return shape_of(samples, 1.0 if self.depth is None else self.depth * across / along)

    def check_shape(self, shape: Shape, tiles: tuple[int, int] = (1, 1)) -> None:
        """Raise a ParameterError if files of so many rows and columns together are not the whole land."""
        if self.depth is None:
            return
        rows, columns = shape
        # Each file has a whole number of samples, so that together they may be off by so many.
        off = max(tiles) if max(tiles) > 1 else 0
        if not is_whole_land((rows - 1, columns - 1), self.depth, off):
            raise ParameterError(
                "samples and tiles must be of a terrain {:.4g} times as deep as wide; got {} x {} samples: give those of the longer side alone, or other tiles",
                self.depth,
                columns,
                rows,
            )

    @property
    def origin(self) -> tuple[float, float]:
        """Place of its first sample in an endless land, in widths."""
        return (0.0, 0.0)

    def middle_on_earth(self, shape: Shape) -> Georeference | None:
        """Return the georeference of its middle, at so many samples; None if it has no place."""
        rows, columns = shape
        x, y = self.origin
        middle = (x + 0.5, y + 0.5 * (rows - 1) / max(columns - 1, 1))
        return self.georeference and self.georeference.resample(middle, (1.0, 1.0))

    @property
    def width(self) -> float | None:
        """Meters along x, as far as they are known before it is evaluated."""
        return None

    def map_names(self) -> Iterable[str]:
        """Return the names of the maps that come with its heights."""
        return ()

    @abstractmethod
    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """Return heights of a shape.

        Raises
        ------
        ParameterError
            If there are none of this shape.
        Cancelled
            If `cancel` said yes.
        """


@dataclass(frozen=True, eq=False)
class RecipeLand(LandSource):
    """A recipe, evaluated at the export's own resolution.

    Attributes
    ----------
    recipe : Recipe
    masks : mapping of int to ndarray of the export's shape, float32
        Painted masks; see `Recipe.evaluate`.
    """

    recipe: Recipe
    masks: Mapping[int, Field] = field(default_factory=dict)

    @property
    def georeference(self) -> Georeference | None:
        """See `LandSource.georeference`."""
        return self.recipe.georeference

    @property
    def width(self) -> float:
        """See `LandSource.width`."""
        return self.recipe.size

    @property
    def depth(self) -> float | None:
        """See `LandSource.depth`: a recipe that is square goes on beyond its edges."""
        return None if self.recipe.depth is None else self.recipe.depth_ratio

    def map_names(self) -> Iterable[str]:
        """See `LandSource.map_names`."""
        return (
            name for layer in self.recipe.layers_on_grid for name in getattr(layer, "makes", ())
        )

    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """See `LandSource.evaluate`."""
        installed_memory.require("Export", shape[0] * shape[1], PER_SAMPLE)
        grid = self.recipe.grid(shape)
        relief = self.recipe.evaluate(
            grid, masks=self.masks, threads=threads, progress=progress, cancel=cancel
        )
        return ExportedLand(relief, grid, self.recipe)


@dataclass(frozen=True, eq=False)
class ReliefLand(LandSource):
    """Heights that are there already.

    Attributes
    ----------
    relief : Relief
    size : float
        Width in meters.
    """

    relief: Relief
    size: float

    @property
    def own_shape(self) -> Shape | None:
        """See `LandSource.own_shape`."""
        shape = np.shape(self.relief.height)
        if len(shape) != 2:
            raise ParameterError("heights must be of shape (rows, columns)", got=shape)
        return (shape[0], shape[1])

    @property
    def width(self) -> float:
        """See `LandSource.width`."""
        return Grid(*np.shape(self.relief.height), size=self.size).width

    def map_names(self) -> Iterable[str]:
        """See `LandSource.map_names`."""
        return self.relief.maps

    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """See `LandSource.evaluate`: no other shape than their own."""
        height = check_height(self.relief.height, shape, "export_heightmap: height")
        grid = Grid(*shape, size=self.size)
        return ExportedLand(Relief(height, self.relief.maps, grid), grid)


AnyLand = Union[LandSource, Recipe, Relief, Field]
"""A land, a recipe, or heights in meters with the maps that belong to them or without."""


def as_land(land: AnyLand, size: float | None) -> LandSource:
    """Return anything that can be exported as a land; raise a ParameterError if heights have no size."""
    if isinstance(land, LandSource):
        return land
    if isinstance(land, Recipe):
        return RecipeLand(land)
    relief = land if isinstance(land, Relief) else Relief(land)
    known = _width_of(relief)
    if known is not None and size not in (None, known):
        raise ParameterError(
            "size must be left out, or {:g}, the width of the relief's grid", known, got=size
        )
    if known is None and size is None:
        raise ParameterError("heights without a recipe need their size: the width in meters")
    return ReliefLand(relief, cast(float, size if known is None else known))


def _width_of(relief: Relief) -> float | None:
    """Return meters from the first to the last column of a relief's grid; None if it has none."""
    grid = relief.grid
    if grid is None or grid.size is None:
        return None
    if grid.shape != np.shape(relief.height):
        raise ParameterError(
            "heights must have the shape of the relief's grid, {}",
            grid.shape,
            got=np.shape(relief.height),
        )
    steps = max(grid.columns - 1, 1)
    return grid.size if steps == grid.steps_per_tile else grid.spacing * steps
