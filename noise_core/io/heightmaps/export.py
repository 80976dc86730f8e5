# SPDX-License-Identifier: GPL-3.0-or-later
"""Export of heightmaps: evaluated, written, read back, described, and only then given their names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Union

from ...base import atomic_files, blocks
from ...base.arguments import check_kind
from ...base.control import NO_CONTROL, Control
from ...base.errors import ParameterError, format_value
from ...base.grid import MAX_SIDE
from ...base.grid_sizes import is_whole
from ...base.input_files import path_of
from ...materials.ground.ground_cover import GroundMaterial
from ...materials.ground.ground_weights import CHANNELS, WEIGHTS
from ...materials.ground.plan import GroundPlan
from ..targets.bases.target import FieldValue, SpawnPoint, Target, find_target
from .extras import ExtraFiles, as_ground, as_plan
from .height_range import HeightRange
from .job import ExportJob
from .lands import AnyLand, LandSource, as_land, named_maps
from .layout import check_tiles, lay_out
from .options import NO_OPTIONS, ExportOptions

EVALUATION = 0.85
"""Share of the progress that the evaluation has: writing is quick."""

COVERING = 0.93
"""Of the progress, when it is known which material lies where: that takes as long as a color map."""


@dataclass(frozen=True)
class ExportReport:
    """Report of an export.

    Attributes
    ----------
    files : tuple of Path
        All files, the sidecar last.
    lowest, highest : float
        Of the land, in meters.
    scale, offset : float
        A number n in the file stands for offset + n * scale meters.
    largest_difference : float
        Between the heights and those read back from the files, in meters.
    fields : mapping of str to object
        Values to type into the program.
    spawn_points : tuple of SpawnPoint
        Places for robots, if the target has them.
    materials : tuple of GroundMaterial
        Those of the ground with their frictions, if the target has asked for them.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.noises import Gradient
    >>> recipe = Recipe(layers=(Gradient(),), height=100.0, size=1000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "hill", target="png16", samples=65)
    ...     sidecar = json.loads(report.sidecar.read_text(encoding="utf-8"))
    >>> report.sidecar.name, report.lowest, report.highest, sidecar["width"]
    ('hill.png.json', -100.0, 100.0, 1000.0)

    A number n of the file stands for offset + n * scale meters:

    >>> round(report.offset + 65535 * report.scale, 3)
    100.0

    Heights of another program, as an array with its width:

    >>> heights = np.linspace(0.0, 50.0, 33 * 33).reshape(33, 33).astype(np.float32)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(heights, Path(folder) / "ramp", target="npy", size=320.0)
    >>> round(report.highest, 3)
    50.0
    """

    files: tuple[Path, ...]
    lowest: float
    highest: float
    scale: float
    offset: float
    largest_difference: float
    fields: Mapping[str, FieldValue]
    spawn_points: tuple[SpawnPoint, ...] = ()
    materials: tuple[GroundMaterial, ...] = ()

    @property
    def sidecar(self) -> Path:
        """The file that describes all others."""
        return self.files[-1]


def export_heightmap(
    land: AnyLand,
    path: Union[str, os.PathLike[str]],
    *,
    target: Union[str, Target],
    samples: Union[int, tuple[int, int], None] = None,
    size: float | None = None,
    range_: HeightRange = "as_is",
    options: ExportOptions = NO_OPTIONS,
    control: Control = NO_CONTROL,
) -> ExportReport:
    """Write a land as an engine, a simulator or a map program reads it, and read it back.

    Files are whole or not there: they get their names after all were read back from the disk and
    agreed with the land, the sidecar last.

    Parameters
    ----------
    land : LandSource, Recipe, Relief, or ndarray of shape (rows, columns), float32
        A recipe is evaluated at the export's own resolution; heights are in meters, row 0 at the
        smallest y. A `lands.LandSource` gives its heights itself.
    path : str or path
        Of the file. The sidecar has its name with ``.json`` behind it, such as ``land.r16.json``; tiles and
        maps add theirs.
    target : str or Target
        A key of `target_types`, or one of these with its options set.
    samples : int or tuple of two ints
        Along the longer side of a file, or rows and columns. All files together are the whole land: a
        recipe with a depth takes no other proportion. May be left out if `land` has heights and is not
        cut into tiles.
    size : float, optional
        Width in meters, if `land` is an array, or a relief whose grid is not known.
    range_ : {"as_is", "proportional"} or tuple of two floats
        Which heights the lowest and the highest number stand for: those of the land, minus and plus the
        recipe's height, or these, in meters.
    options : ExportOptions
        Tiles, maps, colors and further files; whether files may be replaced.
    control : Control
        Threads, progress and cancel.

    Raises
    ------
    ParameterError
        If a value is not allowed, or the target or the range cannot hold the land.
    TerraneError
        If a file is there already or cannot be written, or does not read back as it should.
    Cancelled
        If `control.cancel` returned True; nothing is written then.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(Recipe(), f"{folder}/land", target="unity", samples=129)
    >>> [path.name for path in report.files]
    ['land.raw', 'land.raw.json']
    """
    check_kind(options, ExportOptions, "export_heightmap: options", "ExportOptions")
    check_kind(control, Control, "export_heightmap: control", "a Control")
    source, path = as_land(land, size), path_of(path, "export_heightmap: path")
    tiles = check_tiles(options.tiles)
    layout = lay_out(path, find_target(target), _samples_of(source, samples, tiles), tiles)
    source.check_shape(layout.shape, tiles)
    middle = source.middle_on_earth((layout.rows, layout.columns))
    layout = replace(layout, target=layout.target.at(middle))
    extras = _side_files(options, source, layout.target)
    if layout.target.look:
        layout = replace(layout, ground=_shown_ground(options))
    atomic_files.check_free(list(layout.paths(extras.names, source.width)), options.overwrite)
    report, cancel = blocks.heard(control.progress), control.cancel
    evaluating = blocks.part_of(report, 0.0, EVALUATION)
    whole = source.evaluate(layout.shape, control.threads, evaluating, cancel)
    start = EVALUATION if extras.ground is None else COVERING
    threads = control.threads or blocks.thread_count()
    with blocks.cancellable(cancel), blocks.on_threads(threads):
        whole = extras.cover(whole, layout.target, blocks.part_of(report, EVALUATION, start))
        job = ExportJob(layout, whole, extras, range_, options, source.georeference)
        job.write_all(blocks.part_of(report, start, 1.0))
    report(1.0)
    return _report_of(job, layout.target)


def _report_of(job: ExportJob, target: Target) -> ExportReport:
    facts = job.whole
    return ExportReport(
        tuple(job.paths),
        facts.lowest,
        facts.highest,
        facts.scale,
        facts.offset,
        job.largest_difference,
        target.fields(facts),
        facts.spawn_points,
        facts.cover.materials if facts.cover else (),
    )


def _side_files(options: ExportOptions, land: LandSource, target: Target) -> ExtraFiles:
    """Return the files beside the heights, checked against the land."""
    has_friction = target.friction_factors is not None
    ground, look = None, _shown_ground(options) if target.look else None
    weights = options.weights or (len(WEIGHTS) * CHANNELS if target.tiles_layers else 0)
    if has_friction or weights:
        use = "friction by material" if has_friction else "weights"
        ground = _shown_ground(options, use)
    extras = ExtraFiles(
        named_maps(options.maps, land),
        tuple(options.splat),
        options.normal_bits or (8 if look else 0),
        as_plan(options.colors),
        ground,
        weights,
        has_friction,
        look,
        target.has_sea,
    )
    extras.check(land)
    return extras


def _shown_ground(options: ExportOptions, use: str = "a material") -> GroundPlan:
    """Return how the ground lies, for some use."""
    return as_ground(options.colors if options.ground is None else options.ground, use)


def _samples_of(
    land: LandSource, samples: Union[int, tuple[int, int], None], tiles: tuple[int, int]
) -> tuple[int, int]:
    """Return rows and columns of a file."""
    if samples is None:
        shape = land.own_shape
        if shape is None:
            raise ParameterError("a recipe needs the number of samples; got none")
        return shape
    if isinstance(samples, (tuple, list)):
        if len(samples) != 2:
            raise ParameterError(
                "samples must be a whole number, or rows and columns", got=format_value(samples)
            )
        return (samples[0], samples[1])
    is_count = is_whole(samples) and samples <= MAX_SIDE
    return land.file_shape(samples, tiles) if is_count else (samples, samples)
