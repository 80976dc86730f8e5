# SPDX-License-Identifier: GPL-3.0-or-later
"""Export of finished worlds as the core exports any land, without loading them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import cast

from noise_core.base.arguments import check_kind
from noise_core.base.arrays import Field
from noise_core.base.blocks import Cancel, Progress
from noise_core.base.control import Control
from noise_core.base.errors import Message, ParameterError, format_value
from noise_core.base.grid import Grid
from noise_core.base.grid_sizes import is_whole
from noise_core.base.input_files import path_of
from noise_core.io.heightmaps.export import ExportReport, export_heightmap
from noise_core.io.heightmaps.height_range import HeightRange
from noise_core.io.heightmaps.lands import ExportedLand, LandSource, Shape
from noise_core.io.heightmaps.lazy_heights import CHUNK, HELD, LazyHeights
from noise_core.io.heightmaps.options import NO_OPTIONS, ExportOptions
from noise_core.io.targets.bases.mesh_target import MOST_SAMPLES, MeshTarget
from noise_core.io.targets.bases.pyramid import PyramidPlan
from noise_core.io.targets.bases.target import Target, find_target
from noise_core.modifiers.bases.modifier import Relief
from noise_core.recipes.recipe import Recipe

from ..base.errors import WorldError
from ..base.tiling import Window
from ..store import checksums
from ..store.attributes import finished_attributes
from ..store.layout import HEIGHT, array_shape, find_group, group_of, read_window
from ..tiles.fields import Values
from .budget import PROCESS, format_bytes, parse_bytes

_SAMPLE = 80.0
"""Bytes for each sample that is held: read, made numbers and back, compared with those of the file."""

_VERTEX = 400.0
"""Bytes for each sample of a chunk while its finest mesh is written and read back: measured, 300 in glTF."""

_NAMED_FILE = 1000.0
"""Bytes for each tile of a pyramid: all names are known before the first is written."""


@dataclasses.dataclass(frozen=True)
class ExportedHeights:
    """Heights of a store; see `lazy_heights.HeightReader`.

    Attributes
    ----------
    store : Path
    overview : int
        See `World.open`.
    """

    store: Path
    overview: int

    @property
    def path(self) -> Path:
        """Path of the array in the store."""
        return self.store / group_of(self.overview) / HEIGHT

    @property
    def shape(self) -> tuple[int, int]:
        """See `HeightReader`."""
        return array_shape(self.path)

    def read(self, rows: slice, columns: slice) -> Values:
        """See `HeightReader`."""
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        return read_window(self.path, Window(rows.start, columns.start, *shape))

    def halve(self) -> ExportedHeights | None:
        """See `HeightReader`: the next overview, as long as there is one."""
        half = ExportedHeights(self.store, 2 * self.overview)
        return half if half.path.exists() else None


@dataclasses.dataclass(frozen=True, eq=False)
class StoredLand(LandSource):
    """A finished world, or an overview of it.

    Attributes
    ----------
    reader : ExportedHeights
    recipe : Recipe or None
        For the sidecar; none for an overview, whose samples are means.
    grid : Grid
        Of its samples, without wrap.
    """

    reader: ExportedHeights
    recipe: Recipe | None
    grid: Grid

    @property
    def own_shape(self) -> Shape:
        """See `LandSource.own_shape`."""
        return self.grid.shape

    @property
    def width(self) -> float:
        """See `LandSource.width`."""
        return self.grid.width

    def evaluate(
        self, shape: Shape, threads: int | None, progress: Progress, cancel: Cancel | None
    ) -> ExportedLand:
        """See `LandSource.evaluate`: no other shape than its own."""
        if tuple(shape) != self.grid.shape:
            raise ParameterError(
                "the world has {} x {} samples",
                *self.grid.shape,
                got=Message("files for {} x {}", *shape),
            )
        # What an export does with an array it can do with these.
        heights = cast(Field, LazyHeights(self.reader))
        return ExportedLand(Relief(heights), self.grid, self.recipe)


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorldControl(Control):
    """How an export of a world runs.

    Parameters
    ----------
    memory : int or str
        Bytes that may be taken, or a text such as "4GB".
    threads, progress, cancel
        See `Control`.

    Examples
    --------
    >>> from terrane_worlds.builds.exporting import WorldControl
    >>> WorldControl(memory="2GB").threads is None
    True
    """

    memory: int | str = "4GB"


NO_CONTROL = WorldControl()


def export_world(
    store: str | Path,
    path: str | Path,
    *,
    target: str | Target,
    samples: int | tuple[int, int] | None = None,
    range_: HeightRange = "as_is",
    overview: int = 1,
    options: ExportOptions = NO_OPTIONS,
    control: WorldControl = NO_CONTROL,
) -> ExportReport:
    """Write a finished world as `export_heightmap` writes a land, without loading it.

    Files of rows read some rows at a time, tiles their own window, overviews and coarser zooms the overviews of the store
    or means that are computed window by window.

    Parameters
    ----------
    store : str or path
    overview : int
        See `World.open`.
    control : WorldControl
    path, target, samples, range_, options
        See `export_heightmap`; a world has no maps, masks or colors to write beside its heights.

    Raises
    ------
    ParameterError, TerraneError
        See `export_heightmap`; also if the memory is too little.
    WorldError
        If the store is not finished, or damaged.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe
    >>> from noise_core.noises import Fractal
    >>> from terrane_worlds import World
    >>> from terrane_worlds import export_world
    >>> world = World(Recipe(layers=(Fractal(),), height=100.0), rows=65, columns=65, tile=32)
    >>> with TemporaryDirectory() as folder:
    ...     _ = world.build(Path(folder) / "hills.zarr")
    ...     report = export_world(Path(folder) / "hills.zarr", Path(folder) / "hills", target="npy")
    >>> [path.name for path in report.files]
    ['hills.npy', 'hills.npy.json']
    """
    path_of(store, "export_world: store")
    check_kind(options, ExportOptions, "export_world: options", "ExportOptions")
    check_kind(control, WorldControl, "export_world: control", "a WorldControl")
    _check_heights_alone(options)
    place = find_target(target)
    if place.look:
        raise ParameterError(
            "export_world: material must be 'maps'", got=f"{place.label} with 'pbr'"
        )
    land = _stored_land(Path(store), overview)
    needed = needed_memory(land.grid, place, options.tiles[0])
    if needed > parse_bytes(control.memory, "memory"):
        raise ParameterError(
            "memory must be at least {} for this export; got {}: more files or an overview need less",
            format_bytes(needed),
            format_value(control.memory),
        )
    return export_heightmap(
        land, path, target=place, samples=samples, range_=range_, options=options, control=control
    )


def _check_heights_alone(options: ExportOptions) -> None:
    """Raise a ParameterError if something is to be written beside the heights."""
    is_given = {
        "maps": bool(options.maps),
        "splat": bool(options.splat),
        "normal_bits": not (is_whole(options.normal_bits) and options.normal_bits == 0),
        "colors": options.colors is not None,
        "ground": options.ground is not None,
        "weights": options.weights != 0,
    }
    for name, is_wrong in is_given.items():
        if is_wrong:
            value = format_value(getattr(options, name))
            raise ParameterError("export_world: {} must be left out", name, got=value)


def _stored_land(store: Path, overview: int) -> StoredLand:
    """Return a finished world, or an overview of it."""
    facts = finished_attributes(store)
    if facts.get("edges") == "only" and overview == 1:
        raise WorldError(
            "{}: has edges instead of samples: write regions, or export an overview", store
        )
    find_group(store, overview)
    checksums.check_files(store, _heights_from(overview))
    reader = ExportedHeights(store, overview)
    rows, columns = reader.shape
    size = facts["spacing"] * overview * max(columns - 1, 1)
    recipe = Recipe.from_json(facts["recipe"]) if overview == 1 else None
    return StoredLand(reader, recipe, Grid(rows, columns, size=size))


def _heights_from(overview: int) -> Callable[[str], bool]:
    """Return whether a path in a store is a shard of the heights of an overview, or of a coarser one."""

    def is_one(path: str) -> bool:
        begin, middle, _ = path.partition(f"{HEIGHT}/c/")
        factor = begin.removeprefix("overviews/").rstrip("/") or "1"
        return bool(middle) and factor.isdigit() and int(factor) >= overview

    return is_one


def needed_memory(grid: Grid, target: Target, files_across: int = 1) -> float:
    """Return the bytes that an export of heights on a grid takes at most, with so many files side by side.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.io.targets import Npy
    >>> from terrane_worlds.builds.exporting import needed_memory
    >>> needed_memory(Grid(65536, 65536, size=1e5), Npy()) < 4e9
    True
    """
    held, files = max(HELD, CHUNK * grid.columns // max(files_across, 1)), 0
    if target.pyramid is not None:
        files = PyramidPlan(target.pyramid, grid.rows, grid.columns, grid.spacing).count
    mesh = 0.0
    if isinstance(target, MeshTarget):
        mesh = _VERTEX * min(grid.columns // max(files_across, 1) + 1, MOST_SAMPLES) ** 2
    return PROCESS + _SAMPLE * held + _NAMED_FILE * files + mesh
