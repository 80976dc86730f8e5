# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that prints geomorphic figures of lands, and draws them beside measured land."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from collections.abc import Callable
from pathlib import Path

from ..base import atomic_files, blocks
from ..base.arrays import Field
from ..base.errors import ParameterError
from ..codecs.image_writing.png import png_parts
from ..io.elevation_reading import Elevation, read_elevation
from ..pictures.relief_figures.labels import format_figures, samples_of
from ..pictures.relief_figures.measured import measured_land
from ..pictures.relief_figures.measuring import Measurement, measure, sea_of
from ..pictures.relief_figures.picture import draw_figures
from ..rasters.level import Level
from ..recipes.recipe import Recipe
from .jobs import run_all
from .sources import is_file, lands_of, make_folder, number_names, pair_of, shape_for

SAMPLES = "1024"
"""Along both sides of a recipe's land, if nothing is said: those of the table in docs/realism.md."""

SUFFIX = ".png"

Say = Callable[[str], object]


@dataclasses.dataclass(frozen=True, eq=False)
class _LandToMeasure:
    """A land that is measured.

    Attributes
    ----------
    name : str
    ground : Recipe or Elevation
    shape : tuple of two ints
        Rows and columns of a recipe's land.
    width : float
        Meters of a file that does not say how wide it is; 0 for one per sample.
    sea : float or None
        In meters; None for that of the recipe.
    picture : Path or None
    threads : int or None
    """

    name: str
    ground: Recipe | Elevation
    shape: tuple[int, int]
    width: float
    sea: float | None
    picture: Path | None
    threads: int | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add(
        "source",
        help="a preset, a file with a recipe (.json), or one with heights (.tif, .hgt ...)",
    )
    add(
        "--plot", help="picture with charts beside measured land (.png); numbered if there are more"
    )
    add("--samples", help=f"such as 513 or 400x300; {SAMPLES}, or those of a file with heights")
    add("--sea-level", type=float, help="in meters; that of the recipe by default")
    add("--size", type=float, help="width in meters of a file with heights that does not say it")
    add(
        "--system",
        help="coordinate system of a file with heights: EPSG:2056, geographic, local ...",
    )
    add("--unit", help="unit of its heights, such as ft; as the file says by default")
    add("--seed", default="", help="of a recipe: a number, or a range such as 0:100")
    add("--name", default="", help="what the land is called; as the source by default")
    add("--overwrite", action="store_true", help="replace files that are there")
    add("--jobs", type=int, default=1, help="lands that are measured at the same time")
    add("--threads", type=int, help="how many; as many as there are processors by default")
    add("--json", action="store_true", help="print a JSON object a line")


def run(arguments: argparse.Namespace, say: Say, note: Say) -> None:
    """Print the figures, and draw them; see `command_line.run`.

    Raises
    ------
    ParameterError
        If the source or another argument is not allowed.
    TerraneError
        If a picture is there already or cannot be written.
    """
    if arguments.plot and Path(arguments.plot).suffix.lower() != SUFFIX:
        raise ParameterError("{} must end in {}", "--plot", SUFFIX, got=repr(arguments.plot))
    lands = _find_lands(arguments, note)
    pictures = [land.picture for land in lands if land.picture]
    atomic_files.check_free(pictures, arguments.overwrite)
    for path in pictures[:1]:
        make_folder(path.parent)
    for count, measurement in enumerate(run_all(_measure, lands, arguments.jobs), 1):
        land = lands[count - 1]
        note(f"{count} of {len(lands)}: {land.name}")
        for line in (
            [_line_of(land, measurement)] if arguments.json else _lines_of(land, measurement)
        ):
            say(line)


def _find_lands(arguments: argparse.Namespace, note: Say) -> list[_LandToMeasure]:
    """Return the lands that arguments name."""
    source = Path(arguments.source)
    if source.suffix and not is_file(arguments.source):
        return [_land_in_file(arguments, source, note)]
    lands = lands_of(arguments)
    shape = shape_for(lands[0].recipe, arguments.samples or SAMPLES, "--samples")
    seeds = [land.recipe.seed for land in lands]
    plots: list[Path | None] = [None] * len(lands)
    if arguments.plot:
        plot = Path(arguments.plot)
        names = number_names(plot.stem, range(seeds[0], seeds[-1] + 1))
        plots = [plot.with_name(name + plot.suffix) for name in names]
    threads = arguments.threads or (1 if arguments.jobs > 1 else None)
    return [
        _LandToMeasure(land.name, land.recipe, shape, 0.0, arguments.sea_level, plot, threads)
        for land, plot in zip(lands, plots)
    ]


def _land_in_file(arguments: argparse.Namespace, source: Path, note: Say) -> _LandToMeasure:
    """Return the land in a file with heights, and note the facts that the file leaves open."""
    size = arguments.size
    if size is not None and not 0.0 < size < math.inf:
        raise ParameterError("size must be a positive number", got=size)
    samples = max(pair_of(arguments.samples, "--samples")) if arguments.samples else None
    elevation = read_elevation(
        source, samples=samples, system=arguments.system, unit=arguments.unit
    )
    if elevation.spacing is None and size is None:
        note(f"{source.name}: no spacing is known: 1 m is taken; --size gives the width")
    if not elevation.info.is_metric:
        note(f"{source.name}: its numbers are taken as meters")
    plot = Path(arguments.plot) if arguments.plot else None
    name, shape = arguments.name or source.stem, elevation.heights.shape
    return _LandToMeasure(
        name, elevation, shape, size or 0.0, arguments.sea_level, plot, arguments.threads
    )


def _measure(land: _LandToMeasure) -> Measurement:
    """Return the figures and curves of a land, and draw them if a picture is wanted."""
    with blocks.on_threads(land.threads):
        height, level = _ground_of(land)
        sea = land.sea
        if sea is None:
            sea = sea_of(land.ground) if isinstance(land.ground, Recipe) else -math.inf
        measurement = measure(height, level, sea)
    if land.picture:
        pixels = draw_figures(measurement, land.name, samples_of(level))
        atomic_files.write(land.picture, b"".join(png_parts(pixels, 8, is_color=True)))
    return measurement


def _ground_of(land: _LandToMeasure) -> tuple[Field, Level]:
    """Return the heights of a land, and where its samples lie."""
    if isinstance(land.ground, Recipe):
        grid = land.ground.grid(land.shape)
        return land.ground.evaluate(grid, threads=land.threads).height, Level.from_grid(grid)
    step = land.width / max(land.shape[1] - 1, 1) or 1.0
    x, y = land.ground.spacing or (step, step)
    return land.ground.heights, Level(*land.shape, y, x, False)


def _lines_of(land: _LandToMeasure, measurement: Measurement) -> list[str]:
    """Return a heading and a line for each figure, that of measured land behind it."""
    rows = zip(format_figures(measurement.figures), format_figures(measured_land().figures))
    wide = max(10, len(land.name) + 2)
    lines = [
        f"{label:24}{figure:>{wide}}{measured_figure:>12}"
        for (label, figure), (_, measured_figure) in rows
    ]
    drawn = [str(land.picture)] if land.picture else []
    return [f"{'':24}{land.name:>{wide}}{'measured':>12}", *lines, *drawn]


def _line_of(land: _LandToMeasure, measurement: Measurement) -> str:
    """Return the figures as a line of JSON; null where there is nothing to measure."""
    seed = land.ground.seed if isinstance(land.ground, Recipe) else None
    facts = {"name": land.name, "seed": seed, **dataclasses.asdict(measurement.figures)}
    return json.dumps(
        {**facts, "plot": str(land.picture) if land.picture else None}, allow_nan=False
    )
