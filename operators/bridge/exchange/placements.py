# SPDX-License-Identifier: GPL-3.0-or-later
"""Scale, rotation and units of objects in the world, as which land is exported.

Files hold meters. An object has its own scale and those of its parents, and a scene says how many meters one of
Blender's units stands for. Rows and columns of a file run along the axes of the world as far as whole quarter turns
allow; the rest of a rotation about Z is told, not written. A land that does not stand upright has no heights.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import Message, ParameterError
from ....noise_core.base.georeference import Georeference
from ....noise_core.base.grid import Grid
from ....noise_core.io.heightmaps.lands import ExportedLand, LandSource
from ....noise_core.modifiers.bases.modifier import Relief
from ....noise_core.rasters.resampling import resample_field

Shape = tuple[int, int]
"""Rows and columns."""

Vector = npt.NDArray[np.float64]

UPRIGHT = 1e-5
"""Sine of the largest angle between axes that count as parallel or at right angles: a matrix is of float32."""

_CHOICES = 64
"""Numbers of columns of which that with the best whole number of rows is taken."""

SAME_WIDTH = 1e-3
"""Share by which the width of a land may differ from that on Earth, if it keeps its place there."""


def meters_per_unit(scene: bpy.types.Scene) -> float:
    """Return the meters that one of Blender's units stands for in a scene."""
    units = scene.unit_settings
    if units.system == "NONE":  # as Blender's own exporters have it
        return 1.0
    return _clean(float(units.scale_length))


class ObjectLand(LandSource):
    """Land of an object."""

    @property
    @abstractmethod
    def depth(self) -> float:
        """Extent along y, in widths: an object ends at its edges."""

    def shape_of_columns(self, columns: int, tiles: tuple[int, int]) -> Shape:
        """Return rows and columns of a file if the land is cut into tiles, with so many columns each."""
        across, along = tiles
        return (max(2, 1 + round((columns - 1) * self.depth * across / along)), columns)

    def with_masks(self, shape: Shape) -> ObjectLand:
        """Return the same with its painted masks for a shape, if it has any; called in the main thread."""
        return self


@dataclass(frozen=True)
class MapPlacement:
    """Axes of a land in the world.

    Attributes
    ----------
    scale : tuple of three floats
        Meters of a unit of the land along its x, y and z; that along z may be negative.
    is_flipped : tuple of two bools
        Whether x and y run backward.
    turns : int
        Quarter turns about Z after that, counterclockwise seen from above, from 0 to 3.
    rotation : float
        Degrees about Z that are left, from -45 to 45: they are not in the file.
    """

    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    is_flipped: tuple[bool, bool] = (False, False)
    turns: int = 0
    rotation: float = 0.0

    @classmethod
    def of(cls, obj: bpy.types.Object, unit: float) -> MapPlacement:
        """Return the placement of an object; `unit` is the meters in a unit of the scene.

        Raises
        ------
        ParameterError
            If it is tilted, sheared or flat.
        """
        x, y, z = np.array(obj.matrix_world, np.float64)[:3, :3].T
        lengths = [float(np.linalg.norm(axis)) for axis in (x, y, z)]
        if not (np.isfinite(lengths).all() and min(lengths) > 0.0):
            raise ParameterError("{}: its scale must not be 0", obj.name)
        _check_upright(obj.name, x / lengths[0], y / lengths[1], z / lengths[2])
        flips, angle = _split_plane(x, y)
        turns = round(angle / 90.0)
        up = math.copysign(lengths[2], z[2])
        scale = (_clean(lengths[0] * unit), _clean(lengths[1] * unit), _clean(up * unit))
        return cls(scale, flips, turns % 4, _clean(angle - 90.0 * turns, 1e-4))

    @property
    def is_in_line(self) -> bool:
        """Whether rows and columns run as they do in the land."""
        return self.turns == 0 and not any(self.is_flipped)

    def without_scale(self, unit: float) -> MapPlacement:
        """Return the same for a land whose heights and widths have the object's scale already."""
        return replace(self, scale=(unit, unit, math.copysign(unit, self.scale[2])))

    def turn(self, field: Field) -> Field:
        """Return a field, row 0 at the smallest y, whose rows and columns run along the world's axes."""
        across, along = self.is_flipped
        field = field[:: -1 if along else 1, :: -1 if across else 1]
        # Rows count upward, so that a quarter turn is NumPy's backward.
        return np.ascontiguousarray(np.rot90(field, -self.turns))

    def line(self) -> Message:
        """Return a line of a report about the placement."""
        if self == MapPlacement():
            return Message("As displayed: one unit is a meter")
        x, y, z = self.scale
        return Message(
            "As displayed: one unit is {:g} x {:g} m, {:g} m high; {} quarter turns, {:g} degrees left out",
            *(x * (-1.0 if self.is_flipped[0] else 1.0), y * (-1.0 if self.is_flipped[1] else 1.0)),
            *(z, self.turns, self.rotation),
        )

    def describe(self) -> dict[str, object]:
        """Return the placement as entries of a sidecar."""
        return {
            "meters_per_unit": list(self.scale),
            "flipped": list(self.is_flipped),
            "quarter_turns": self.turns,
            "rotation_not_applied": self.rotation,
        }


def _check_upright(name: str, x: Vector, y: Vector, z: Vector) -> None:
    if max(abs(x[2]), abs(y[2]), abs(z[0]), abs(z[1])) > UPRIGHT:
        raise ParameterError(
            "{}: apply its rotation; only objects rotated about Z alone can be exported",
            name,
        )
    if abs(x @ y) > UPRIGHT:
        raise ParameterError("{}: clear the parent's scale: heightmaps cannot be sheared", name)


def _split_plane(x: Vector, y: Vector) -> tuple[tuple[bool, bool], float]:
    """Return the axes that run backward, and the remaining degrees about Z: of two solutions that with fewer degrees."""
    if x[0] * y[1] - x[1] * y[0] > 0.0:
        return (False, False), _angle(x)
    solutions = [((True, False), _angle(-x)), ((False, True), _angle(x))]
    return min(solutions, key=lambda solution: abs(solution[1]))


def _angle(x: Vector) -> float:
    return math.degrees(math.atan2(x[1], x[0]))


def _clean(value: float, least: float = 0.0) -> float:
    """Return a number without the noise of float32; those nearer to 0 than a limit are 0."""
    return 0.0 if abs(value) < least else float(f"{value:.7g}")


@dataclass(frozen=True, eq=False)
class PlacedLand(ObjectLand):
    """A land as it is seen in the world, in meters.

    Attributes
    ----------
    source : ObjectLand
        Along its own axes, in its own units.
    placement : MapPlacement
    local_scale : tuple of three floats
        Meters of a unit of the object, by whose own coordinates its material is colored.
    """

    source: ObjectLand
    placement: MapPlacement
    local_scale: tuple[float, float, float]

    @property
    def _is_across(self) -> bool:
        """Whether its columns are the source's rows."""
        return self.placement.turns % 2 == 1

    @property
    def _extent(self) -> tuple[float, float]:
        """Meters along x and along y of the source."""
        width = self.source.width or 0.0
        x, y, _ = self.placement.scale
        return (width * x, width * self.source.depth * y)

    @property
    def depth(self) -> float:
        """See `ObjectLand.depth`."""
        across, along = self._extent
        return across / along if self._is_across else along / across

    @property
    def width(self) -> float:
        """See `LandSource.width`."""
        return self._extent[1 if self._is_across else 0]

    @property
    def origin(self) -> tuple[float, float]:
        """See `LandSource.origin`."""
        return self.source.origin

    @property
    def georeference(self) -> Georeference | None:
        """See `LandSource.georeference`: none where it is not as wide as on Earth, or does not run along the axes."""
        place = self.source.georeference
        x, y, _ = self.placement.scale
        is_level = self.placement.is_in_line and not self.placement.rotation and x == y
        if place is None or not is_level:
            return None
        middle = place.resample((0.5, 0.5 * self.source.depth), (1.0, 1.0))
        on_earth = middle.spacing(1)[0]
        return place if abs(self.width - on_earth) <= SAME_WIDTH * on_earth else None

    def map_names(self) -> Iterable[str]:
        """See `LandSource.map_names`."""
        return self.source.map_names()

    def with_masks(self, shape: Shape) -> PlacedLand:
        """See `ObjectLand.with_masks`."""
        return replace(self, source=self.source.with_masks(self._shape_of_source(shape)))

    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """See `LandSource.evaluate`."""
        turn, up = self.placement.turn, self.placement.scale[2]
        land = self.source.evaluate(self._shape_of_source(shape), threads, progress, cancel)
        fields: Mapping[str, Field] = {
            name: resample_field(turn(field), shape, is_smooth=False)
            for name, field in land.relief.maps.items()
        }
        height = resample_field(turn(land.relief.height), shape, is_smooth=True)
        if up != 1.0:
            height = height * np.float32(up)
        grid = self._grid(land.grid, shape)
        return replace(
            land,
            relief=Relief(height, dict(fields)),
            grid=grid,
            height_scale=abs(up),
            placement=self.placement.describe(),
            ground=self._ground(height, grid),
        )

    def _ground(self, height: Field, grid: Grid) -> tuple[Field, Grid] | None:
        """Return heights and grid in units of the object; None if those are meters."""
        if self.local_scale == (1.0, 1.0, 1.0):
            return None
        across = self.local_scale[1 if self._is_across else 0]
        local = height * np.float32(1.0 / self.local_scale[2])
        return local, replace(grid, size=grid.width / across)

    def _grid(self, source: Grid, shape: Shape) -> Grid:
        x, y, _ = self.placement.scale
        if self.placement.is_in_line and x == y:
            return replace(source, size=source.width * x)
        return Grid(*shape, size=self.width)

    def _shape_of_source(self, shape: Shape) -> Shape:
        """Return the rows and columns of the source for those of a file.

        Its own cells are square. Where the file's are others, or run across, it has some columns more, so that
        a whole number of rows is as deep as the land.
        """
        rows, columns = shape[::-1] if self._is_across else shape
        x, y, _ = self.placement.scale
        if x == y and not self._is_across:
            return (rows, columns)

        def excess(steps: int) -> float:
            along = steps * self.source.depth
            return abs(along - round(along))

        choices = range(columns - 1, columns - 1 + _CHOICES)
        steps = next((count for count in choices if excess(count) < 0.01), min(choices, key=excess))
        return (max(2, 1 + round(steps * self.source.depth)), steps + 1)


def placement_of(context: bpy.types.Context, obj: bpy.types.Object) -> MapPlacement:
    """Return the placement of an object in the current scene, as its present transforms have it."""
    layer: Any = context.view_layer
    layer.update()
    return MapPlacement.of(obj, meters_per_unit(context.scene))
