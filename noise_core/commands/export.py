# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that writes heightmaps, of one seed or of many."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..base.control import Control
from ..base.errors import ParameterError
from ..io.heightmaps.export import ExportReport, export_heightmap
from ..io.heightmaps.options import ExportOptions
from ..io.targets.bases.target import Target, target_types
from ..landscapes.look import Look
from ..materials.colors import LANDSCAPES
from . import sources
from .jobs import run_all
from .options import options_of
from .sources import NamedRecipe, is_file, lands_of, pair_of, resolution_of

OWN = "own"
"""Stands for the palette of the preset."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    sources.add_arguments(parser)
    add = parser.add_argument
    add("--target", required=True, help=", ".join(target_types()))
    add("--samples", required=True, help="along the longer side of a file, or COLUMNSxROWS")
    add("--range", default="as_is", help="as_is, proportional, or --range=LOWEST,HIGHEST in meters")
    add("--tiles", default="1x1", help="files along x and y, such as 4x4")
    add("--maps", default="", help="maps beside the heights, such as slope,flow; all: the land's")
    add("--splat", default="", help="up to four maps for the channels of one image")
    add("--normal", type=int, default=0, help="bits of a normal map: 8 or 16")
    add("--colors", help=f"palette of a color map: {OWN} (the preset's), {', '.join(LANDSCAPES)}")
    add("--weights", type=int, default=0, help="images of so many layers' weights at most: 4 or 8")
    add("--sea-level", type=float, help="in meters, for the sidecar")
    add("--option", action="append", default=[], help="of the target, such as byte_order=mac")
    add("--dither", action="store_true", help="let chance decide between the two nearest numbers")
    add("--threads", type=int, help="how many; as many as there are processors by default")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Write the heightmaps; see `command_line.run`.

    Raises
    ------
    TerraneError
        At the first land that cannot be written.
    """
    lands = lands_of(arguments)
    look = lands[0].look
    colors = _colors_of(arguments.colors, look)
    options = ExportOptions(
        tiles=pair_of(arguments.tiles, "--tiles"),
        maps=_names(arguments.maps),
        splat=_names(arguments.splat),
        normal_bits=arguments.normal,
        colors=colors,
        # A file says nothing of its ground: the palette has to be given.
        ground=colors or (None if is_file(arguments.source) else look),
        weights=arguments.weights,
        sea_level=arguments.sea_level,
        dither=arguments.dither,
        overwrite=arguments.overwrite,
    )
    keywords = {
        "target": target_of(arguments.target, arguments.option),
        "samples": resolution_of(arguments.samples, "--samples"),
        "range_": range_of(arguments.range),
        "options": options,
        "control": Control(threads=arguments.threads or (1 if arguments.jobs > 1 else None)),
    }
    work = functools.partial(_export, Path(arguments.folder), keywords)
    for count, report in enumerate(run_all(work, lands, arguments.jobs), 1):
        land = lands[count - 1]
        note(f"{count} of {len(lands)}: {land.name}")
        say(_line_of(report, land.recipe.seed) if arguments.json else str(report.sidecar))


def _export(folder: Path, keywords: Mapping[str, Any], land: NamedRecipe) -> ExportReport:
    return export_heightmap(land.recipe, folder / land.name, **keywords)


def _line_of(report: ExportReport, seed: int) -> str:
    """Return a report as a line of JSON."""
    plain = {**dataclasses.asdict(report), "files": list(map(str, report.files)), "seed": seed}
    return json.dumps(plain, allow_nan=False)


def target_of(key: str, options: Sequence[str]) -> Target:
    """Return a target with its options, which are read as its parameters are declared."""
    types = target_types()
    if key not in types:
        raise ParameterError("--target must be one of {}", ", ".join(types), got=repr(key))
    return types[key](**options_of(key, types[key].parameters(), options))


def _colors_of(name: str | None, look: Look) -> Look | str | None:
    if name not in (None, OWN, *LANDSCAPES):
        allowed = ", ".join((OWN, *LANDSCAPES))
        raise ParameterError("--colors must be one of {}", allowed, got=repr(name))
    return look if name == OWN else name


def range_of(text: str) -> str | tuple[float, float]:
    """Return the heights that the lowest and the highest number stand for; see `HeightRange`."""
    low, comma, high = text.partition(",")
    if not comma:
        return text
    try:
        return float(low), float(high)
    except ValueError:
        raise ParameterError("--range must be two numbers of meters", got=repr(text)) from None


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]
