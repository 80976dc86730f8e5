# SPDX-License-Identifier: GPL-3.0-or-later
"""Land to be exported: a recipe at the export's own resolution, or heights that are there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Union

import numpy as np

from ...base.arrays import Field, check_field, check_height
from ...base.blocks import Cancel, Progress
from ...base.errors import ParameterError, format_value
from ...base.grid import Grid
from ...folding import LayerNoises
from ...recipe import Recipe
from ...types.map import Map, map_types
from ...types.mask import Mask, MaskContext
from ...types.modifier import Relief

AnyLand = Union[Recipe, Relief, Field]
"""A recipe, or heights in meters with the maps that belong to them or without."""

AnyMap = Union[str, Map, Mask, Field]
"""The name of a map of the recipe's or of a type of map; a map, a mask, or a finished field."""


@dataclass(frozen=True, eq=False)
class ExportedLand:
    """Heights on a grid.

    Attributes
    ----------
    relief : Relief
    grid : Grid
    recipe : Recipe or None
        What it was made of.
    """

    relief: Relief
    grid: Grid
    recipe: Recipe | None = None

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
            source = cls(convention=normals) if source == "normal" else cls()  # type: ignore[call-arg]
        if isinstance(source, Map):
            values = source.values(self.relief.height, self.grid)
            return MapChannels.of(values, *source.bounds(), unit=source.unit)
        if isinstance(source, Mask):
            return MapChannels.of(
                source.share(self.relief.height, self.grid, self._context()), 0.0, 1.0
            )
        return MapChannels.of(check_field(source, self.grid.shape, f"maps: {name}"))

    def _context(self) -> MaskContext:
        if self.recipe is None:
            return MaskContext()
        recipe = self.recipe
        noises = LayerNoises(recipe.layers, recipe.seed, recipe.height)
        return MaskContext(noises, recipe.seed, recipe.seed)


@dataclass(frozen=True, eq=False)
class MapChannels:
    """A map, one field for each number of a sample.

    Attributes
    ----------
    fields : tuple of ndarrays of shape (rows, columns), float32
    low, high : float
        What the darkest and the brightest color stand for.
    unit : str
    """

    fields: tuple[Field, ...]
    low: float
    high: float
    unit: str = ""

    @classmethod
    def of(
        cls, values: Field, low: float = -np.inf, high: float = np.inf, *, unit: str = ""
    ) -> MapChannels:
        """Return a map by its values; what has no bounds goes from the lowest to the highest."""
        if not (np.isfinite(low) and np.isfinite(high)):
            low, high = float(values.min()), float(values.max())
        if high <= low:
            high = low + 1.0
        parts = values[..., np.newaxis] if values.ndim == 2 else values
        return cls(tuple(parts[..., at] for at in range(parts.shape[2])), low, high, unit)


def named_maps(maps: Mapping[str, AnyMap] | Iterable[str]) -> dict[str, AnyMap]:
    """Return maps by the names that their files have."""
    if isinstance(maps, str):
        raise ParameterError("maps must be a mapping or a list of names; got {!r}", maps)
    named: dict[str, AnyMap] = (
        dict(maps) if isinstance(maps, Mapping) else {name: name for name in maps}
    )
    for name in named:
        if not isinstance(name, str):
            raise ParameterError("maps must have names; got {}", format_value(name))
    return named


def check_map_names(sources: Iterable[AnyMap], land: AnyLand) -> None:
    """Raise a ParameterError if a name is neither that of a map of the land's nor of a type of map."""
    made: Iterable[str] = ()
    if isinstance(land, Recipe):
        made = (name for one in land.layers_on_grid for name in getattr(one, "makes", ()))
    elif isinstance(land, Relief):
        made = land.maps
    known = sorted({*map_types(), *made})
    for source in sources:
        if isinstance(source, str) and source not in known:
            raise ParameterError("maps must be of {}; got {!r}", ", ".join(known), source)


def evaluate(
    land: AnyLand,
    shape: tuple[int, int],
    size: float | None,
    threads: int | None,
    progress: Progress,
    cancel: Cancel | None,
) -> ExportedLand:
    """Return heights of a shape.

    Raises
    ------
    ParameterError
        If heights have another shape, or no size in meters.
    """
    if isinstance(land, Recipe):
        grid = land.grid(shape)
        relief = land.evaluate(grid, threads=threads, progress=progress, cancel=cancel)
        return ExportedLand(relief, grid, land)
    if size is None:
        raise ParameterError("heights without a recipe need their size: the width in meters")
    relief = land if isinstance(land, Relief) else Relief(land)
    height = check_height(relief.height, shape, "export_heightmap: height")
    return ExportedLand(Relief(height, relief.maps), Grid(*shape, size=size))
