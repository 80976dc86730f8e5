# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that writes ground for robots: kinds as columns, difficulties as rows."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..base.errors import ParameterError
from ..io.heightmaps.export import export_heightmap
from ..io.heightmaps.options import ExportOptions
from ..io.robot_grounds import CurriculumLand, export_model
from ..io.targets.mujoco import MuJoCo
from ..robots.bases.curriculum import Curriculum
from ..robots.bases.sub_terrain import SOURCES, SubTerrain, sub_terrain_types
from .export import target_of
from .options import options_of
from .sources import resolution_of

Say = Callable[[str], object]
"""Prints a line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add(
        "result",
        nargs="?",
        default="course",
        help="the file without its suffix, such as ground/course",
    )
    add(
        "--target",
        default="mujoco",
        help="mujoco: boxes stay boxes; or another target, as one field",
    )
    add(
        "--kinds",
        default="mjlab",
        help=f"columns: {', '.join(SOURCES)} (all that one publishes, with its ranges), all, or names such as pit,gap",
    )
    add("--rows", type=int, default=10, help="difficulties, from south to north")
    add("--difficulty", default="0,1", help="of the first and the last row")
    add("--size", type=float, default=8.0, help="side of each piece of ground in meters")
    add("--border", type=float, default=0.0, help="level ground around all, in meters")
    add("--seed", type=int, default=0, help="another number gives other random ground")
    add("--samples", help="of another target, along the longer side; 10 a meter by default")
    add("--parameter", action="append", default=[], help="such as narrow_beams.count=16")
    add("--option", action="append", default=[], help="of the target, such as friction=0.8")
    add("--overwrite", action="store_true", help="replace files that are there")
    add("--list", action="store_true", help="write nothing: list the kinds and their parameters")
    add("--json", action="store_true", help="print a JSON object")


def run(arguments: argparse.Namespace, say: Say, note: Say) -> None:
    """Write the ground; see `command_line.run`.

    Raises
    ------
    ParameterError
        If an argument is not allowed.
    TerraneError
        If a file is there already or cannot be written.
    """
    terrains = _terrains(arguments.kinds, arguments.size, arguments.parameter)
    if arguments.list:
        for terrain in terrains:
            say(_line_of(terrain))
        return
    easiest, hardest = _difficulties(arguments.difficulty)
    curriculum = Curriculum(
        terrains, arguments.rows, arguments.seed, easiest, hardest, arguments.border
    )
    target = target_of(arguments.target, arguments.option)
    result = Path(arguments.result).expanduser().absolute()
    if isinstance(target, MuJoCo):
        if arguments.samples:
            raise ParameterError("--samples must be left out: boxes of mujoco have none")
        model = export_model(curriculum, result, target, overwrite=arguments.overwrite)
        files: tuple[Path, ...] = model.files
        spawns = model.spawn_points
        note(f"{model.boxes} boxes, {model.tilted} tilted, {model.fields} height fields")
    else:
        land = CurriculumLand(curriculum)
        text = arguments.samples
        samples = resolution_of(text, "--samples") if text else land.samples
        options = ExportOptions(overwrite=arguments.overwrite)
        report = export_heightmap(land, result, target=target, samples=samples, options=options)
        files, spawns = report.files, report.spawn_points
    facts = {
        "files": list(map(str, files)),
        "patches": len(curriculum.patches),
        "spawn_points": len(spawns),
        "seed": arguments.seed,
    }
    say(json.dumps(facts) if arguments.json else str(files[-1]))


def _terrains(kinds: str, size: float, assignments: Sequence[str]) -> list[SubTerrain]:
    """Return the columns."""
    types = sub_terrain_types()
    source = kinds if kinds in SOURCES else None
    if source:
        keys = [key for key, cls in types.items() if source in cls.published]
    else:
        keys = list(types) if kinds == "all" else kinds.split(",")
    for key in keys:
        if key not in types:
            allowed = ", ".join((*SOURCES, "all", *types))
            raise ParameterError("--kinds must be of {}", allowed, got=repr(key))
    given: dict[str, list[str]] = {key: [] for key in keys}
    for assignment in assignments:
        key, dot, parameter = assignment.partition(".")
        if not dot or key not in given:
            raise ParameterError(
                "--parameter must be such as {}.size=8, of one of the kinds",
                keys[0],
                got=repr(assignment),
            )
        given[key].append(parameter)
    terrains = []
    for key in keys:
        published: dict[str, Any] = dict(types[key].published[source]) if source else {}
        values = options_of(key, types[key].parameters(), given[key])
        terrains.append(types[key](**{"size": size, **published, **values}))
    return terrains


def _difficulties(text: str) -> tuple[float, float]:
    """Return the difficulties of the first and the last row."""
    easiest, _, hardest = text.partition(",")
    try:
        return float(easiest), float(hardest)
    except ValueError:
        raise ParameterError("--difficulty must be such as 0,1", got=repr(text)) from None


def _line_of(terrain: SubTerrain) -> str:
    """Return a kind with its parameters."""
    values = (
        f"{parameter.name}={getattr(terrain, parameter.name):g}"
        for parameter in terrain.parameters()
    )
    return f"{terrain.key}: {', '.join(values)}"
