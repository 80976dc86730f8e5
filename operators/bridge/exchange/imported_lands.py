# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured land as a new terrain: files are read in a thread, and become a layer with a packed image.

OpenEXR is loaded by Blender, in the main thread.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, part_of
from ....noise_core.base.errors import Message, ParameterError, TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.curves.land_curve import LandCurve
from ....noise_core.io.curve_files import draw_place
from ....noise_core.io.elevation_reading import (
    Elevation,
    ElevationFormat,
    LoadedHeights,
    elevation_from_samples,
    files_in,
    find_sidecar,
    measured_land,
    probe_elevation,
    read_elevation,
)
from ....noise_core.io.elevation_reading.formats_registry import find_format
from ....noise_core.io.elevation_reading.land import LAYER
from ....noise_core.io.elevation_reading.source import InputFile, Samples
from ....noise_core.landscapes.preset_library import PLAIN
from ....noise_core.noises.bases.noise import Noise
from ....noise_core.rasters.resampling import stretch
from ....noise_core.recipes.layers import NoiseLayer
from ....noise_core.recipes.recipe import Recipe
from ..datablocks import images
from ..datablocks.vertex_groups import Levels, add_levels, weight_levels
from ..schema import paths, stored_heights
from ..schema.exact_numbers import number
from ..schema.layers import LayerState
from ..schema.stored_heights import StoredHeights
from ..tasks.jobs import Work
from ..terrain import terrains
from ..terrain.terrains import Measures, Request

OPENEXR = ".exr"

HOLES = "Holes"
"""Name of the vertex group that has the filled holes."""

READING = 0.6
"""Share of the progress for reading the files."""

_LONGEST_NAME = 48
"""Bytes of the name of a terrain, so that its image and its parts have room to name it."""


@dataclass(frozen=True)
class ImportOrder:
    """Files to import.

    Attributes
    ----------
    paths : tuple of Path
        Several are joined.
    samples : int
        Wanted along the longer side at most.
    size : float
        Width in meters; 0 takes that of the files.
    height_range : tuple of two floats
        Meters of the lowest and the highest number, for files whose numbers are not meters.
    is_range_given : bool
        Whether that was asked for; otherwise it counts where the type of the numbers has a lowest and a highest one.
    options : mapping of str to object
        Parameters of formats by name; each format takes its own.
    spatial : mapping of str to object
        Coordinate system and unit that count instead of the file's, and the box: see `read_elevation`.
    meters_per_unit : float
        Of the scene; see `placements.meters_per_unit`.
    lines : Path, optional
        File whose roads, rivers and lakes are drawn on the terrain; see `draw_place`.
    """

    paths: tuple[Path, ...]
    samples: int
    size: float
    height_range: tuple[float, float]
    is_range_given: bool
    options: Mapping[str, Any]
    spatial: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    meters_per_unit: float = 1.0
    lines: Path | None = None

    @property
    def name(self) -> str:
        """Name of the terrain: that of the first file, short enough for datablocks."""
        return self.paths[0].stem.encode()[:_LONGEST_NAME].decode(errors="ignore")


@dataclass(frozen=True)
class ImportedLand:
    """Measured land, ready to become a terrain.

    Attributes
    ----------
    elevation : Elevation
    request : Request
        Without the image, which does not exist yet.
    packed : Content
        The pixels of the image.
    grid : Grid
    height : ndarray of shape (rows, columns), float32
        In meters.
    holes : list of levels
        Vertices whose height was filled in.
    maps : mapping of str to ndarray of that shape
        That the paths make.
    curves : mapping of str to LandCurve
        That they follow, by name.
    notes : tuple of Message
        On lines that were left out.
    """

    elevation: Elevation
    request: Request
    packed: images.Content
    grid: Grid
    height: Field
    holes: Levels
    maps: Mapping[str, Field] = dataclasses.field(default_factory=dict)
    curves: Mapping[str, LandCurve] = dataclasses.field(default_factory=dict)
    notes: tuple[Message, ...] = ()


def find_paths(filepath: str, directory: str, names: Sequence[str]) -> tuple[Path, ...]:
    """Return the files of an operator: the named ones in a folder, or else the one path.

    Raises
    ------
    TerraneError
        If none is given.
    """
    if not names:
        return (paths.resolve(filepath),)
    folder = directory or os.path.dirname(filepath)
    return tuple(paths.resolve(os.path.join(folder, name)) for name in names)


def files_of(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return files as they are, or those of a folder that is given alone."""
    if len(paths) == 1 and paths[0].is_dir():
        return tuple(map(Path, files_in(paths[0])))
    return paths


def browsed_paths(context: bpy.types.Context) -> tuple[Path, ...]:
    """Return the files that are chosen in the current file browser; empty elsewhere.

    Blender passes them to the operator when the browser is closed.
    """
    space: Any = context.space_data
    params = getattr(space, "params", None)
    if params is None or not params.filename:
        return ()
    folder = Path(os.fsdecode(params.directory))
    chosen: Any = getattr(context, "selected_files", None) or ()
    names = [file.relative_path for file in chosen]
    return tuple(folder / name for name in (names if len(names) > 1 else [params.filename]))


def work(order: ImportOrder) -> Work:
    """Return the work that reads files and evaluates their terrain: an `ImportedLand`."""
    loaded = None
    if is_openexr(order.paths):
        if "box" in order.spatial:
            raise ParameterError("{}: its place must be known for a box", order.paths[0].name)
        loaded = load_openexr(order.paths[0])

    def read(progress: Progress, cancel: Cancel) -> ImportedLand:
        reading = part_of(progress, 0.0, READING)
        shared: Any = {"samples": order.samples, "progress": reading, "cancel": cancel}
        shared |= order.spatial
        if order.is_range_given:
            shared["height_range"] = order.height_range
        if loaded is not None:
            name = order.paths[0].name
            sidecar = find_sidecar(order.paths[0])
            heights = LoadedHeights(loaded, name, "OpenEXR", sidecar=sidecar)
            elevation = elevation_from_samples(heights, **shared)
        else:
            form = chosen_format(order.paths, order.options)
            if not probe_elevation(order.paths, file_format=form, **order.spatial).is_metric:
                shared["height_range"] = order.height_range
            elevation = read_elevation(order.paths, file_format=form, **shared)
        return _evaluate(elevation, order, part_of(progress, READING, 1.0), cancel)

    return read


def _evaluate(
    elevation: Elevation, order: ImportOrder, progress: Progress, cancel: Cancel
) -> ImportedLand:
    land = measured_land(elevation, size=order.size or None)
    stored = StoredHeights.of(land.noise.pixels, 1.0)
    packed = stored.content()
    # As the image gives them back, so that Update makes the same heights to the bit.
    noise = land.noise.with_values(pixels=stored.noise_values)
    layer = cast(NoiseLayer, land.recipe.layers[0]).with_noise(cast(Noise, noise))
    recipe = _in_units(land.recipe, layer, order.meters_per_unit)
    curves: Mapping[str, LandCurve] = {}
    notes: tuple[Message, ...] = ()
    if order.lines is not None:
        recipe, notes = _drawn(recipe, order.lines, order.meters_per_unit)
        curves, recipe = recipe.curves, recipe.bound()
    request = Request(recipe, Measures(max(elevation.heights.shape)), PLAIN)
    grid = request.grid()
    relief = recipe.evaluate(grid, progress=progress, cancel=cancel)
    holes: Levels = []
    if elevation.holes is not None:
        shares = stretch(elevation.holes.astype(np.float32), grid, is_texture=False)
        holes = weight_levels(shares.reshape(-1))
    return ImportedLand(
        elevation, request, packed, grid, relief.height, holes, relief.maps, curves, notes
    )


def _drawn(recipe: Recipe, lines: Path, meters: float) -> tuple[Recipe, tuple[Message, ...]]:
    """Return a recipe with the roads, rivers and lakes of a file, and notes.

    Raises
    ------
    TerraneError
        If there are none, or the scene's unit is no meter, in which their widths are.
    """
    if meters != 1.0:
        raise TerraneError(
            "{}: lines need a scene in meters: set Unit Scale of the scene to 1", lines.name
        )
    drawn = draw_place(lines, recipe)
    return drawn.recipe, drawn.notes


def _in_units(recipe: Recipe, layer: NoiseLayer, meters: float) -> Recipe:
    """Return a recipe with one layer, both in meters, in units of so many meters, as Blender stores numbers."""
    size, height, layer_height = (
        length if meters == 1.0 else number(float(np.float32(length / meters)))
        for length in (recipe.size, recipe.height, layer.height)
    )
    layer = dataclasses.replace(layer, height=layer_height)
    return dataclasses.replace(recipe, layers=(layer,), height=height).with_size(size)


def add_layer_image(terrain: bpy.types.Object, land: ImportedLand) -> None:
    """Pack the heights of a new terrain into an image of its layer, and store its settings and its holes."""
    image = stored_heights.new_state(f"{terrain.name} {LAYER}", land.packed)
    above = (LayerState(layer.name) for layer in land.request.recipe.layers[1:])
    states = (image, *above)
    request = Request(land.request.recipe, land.request.measures, PLAIN, states)
    terrains.remember(terrain, request, land.grid, land.height)
    if land.holes:
        group = terrain.vertex_groups.new(name=HOLES)
        for _ in add_levels(lambda: group, land.holes):
            pass


# --- formats -------------------------------------------------------------------------------------


def is_openexr(paths: Sequence[Path]) -> bool:
    """Return whether a file is loaded by Blender; raise a TerraneError if it is to be joined with others."""
    openexr_paths = [path for path in paths if path.suffix.lower() == OPENEXR]
    if openexr_paths and len(paths) > 1:
        raise ParameterError(
            "{} must have a georeference to be joined with others", openexr_paths[0].name
        )
    return bool(openexr_paths)


def load_openexr(path: Path) -> Samples:
    """Return the first channel of an image file, the bottom row first; no datablock is left.

    Raises
    ------
    TerraneError
        If Blender cannot read it.
    """
    try:
        image: Any = bpy.data.images.load(str(path), check_existing=False)
    except RuntimeError:
        raise TerraneError("{} cannot be read: no such file", path.name) from None
    try:
        image.colorspace_settings.is_data = True  # before the first pixel is read
        if 0 in images.shape_of(image):
            raise TerraneError("{} cannot be read: Blender finds no image in it", path.name)
        return np.ascontiguousarray(images.stored_pixels(image)[..., 0])
    finally:
        bpy.data.images.remove(image)


def chosen_format(paths: Sequence[Path], options: Mapping[str, Any]) -> ElevationFormat | None:
    """Return the format of files with the options of its parameters; None if there are none."""
    file_format = find_format(InputFile(paths[0]))
    values = {
        parameter.name: options[parameter.name]
        for parameter in file_format.parameters()
        if parameter.name in options
    }
    return type(file_format)(**values) if values else None


# --- facts, which the file browser shows ---------------------------------------------------------


@dataclass(frozen=True)
class FileFacts:
    """Facts in the header of a file.

    Attributes
    ----------
    lines : tuple of Message
        Lines of a report, or one with an error.
    is_error : bool
    is_metric : bool
        Whether numbers are meters.
    parameters : tuple of str
        Names of the options that the format takes.
    """

    lines: tuple[Message, ...]
    is_error: bool = False
    is_metric: bool = True
    parameters: tuple[str, ...] = ()


def facts_of(
    paths: tuple[Path, ...], options: Mapping[str, Any], spatial: Mapping[str, Any]
) -> FileFacts:
    """Return the facts of files; read again only if they, or the options, have changed."""
    try:
        times = tuple(os.stat(path).st_mtime_ns for path in paths)
    except (OSError, ValueError):
        return FileFacts(())
    return _facts(paths, times, tuple(sorted(options.items())), tuple(sorted(spatial.items())))


@functools.lru_cache(maxsize=16)
def _facts(
    paths: tuple[Path, ...],
    times: tuple[int, ...],
    options: tuple[tuple[str, Any], ...],
    spatial: tuple[tuple[str, Any], ...],
) -> FileFacts:
    if any(path.is_dir() for path in paths):
        return FileFacts(())
    try:
        if is_openexr(paths):
            return FileFacts((Message("OpenEXR: loaded by Blender, taken for meters"),))
        parameters = find_format(InputFile(paths[0])).parameters()
        names = tuple(parameter.name for parameter in parameters)
        form = chosen_format(paths, dict(options))
    except TerraneError as error:
        return FileFacts((error.message,), is_error=True)
    try:
        info = probe_elevation(paths, file_format=form, **dict(spatial))
    except TerraneError as error:
        return FileFacts((error.message,), is_error=True, parameters=names)
    return FileFacts(info.lines, is_metric=info.is_metric, parameters=names)
