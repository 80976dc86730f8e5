# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that writes heightmaps, of one seed or of many."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from ..base.errors import ParameterError, RecipeError
from ..base.json_texts import text_of
from ..io.heightmaps.export import ExportReport, export_heightmap
from ..recipe import Recipe
from ..types.target import Target, target_types

MAX_SEEDS = 100_000
"""Lands that one command may make."""

_SWITCHES = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("source", help="a preset, or a file with a recipe (.json)")
    add("--target", required=True, help=", ".join(target_types()))
    add("--samples", required=True, help="along both sides of a file, or COLUMNSxROWS")
    add("--folder", default=".", help="where the files go; made if it is not there")
    add("--name", default="", help="how their names begin; that of the source by default")
    add("--seed", default="", help="a number, or a range such as 0:100, which has a hundred")
    add("--range", default="as_is", help="as_is, proportional, or --range=LOWEST,HIGHEST in meters")
    add("--tiles", default="1x1", help="files along x and y, such as 4x4")
    add("--maps", default="", help="maps beside the heights, such as slope,flow")
    add("--splat", default="", help="up to four maps for the channels of one image")
    add("--normal", type=int, default=0, help="bits of a normal map: 8 or 16")
    add("--sea-level", type=float, help="in meters, for the sidecar")
    add("--option", action="append", default=[], help="of the target, such as byte_order=mac")
    add("--dither", action="store_true", help="let chance decide between the two nearest numbers")
    add("--overwrite", action="store_true", help="replace files that are there")
    add("--threads", type=int, help="how many; as many as there are processors by default")
    add("--json", action="store_true", help="print a JSON object a line")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Write the heightmaps; see `command_line.run`.

    Raises
    ------
    TerraneError
        At the first land that cannot be written.
    """
    recipe = _recipe_of(arguments.source)
    target = _target_of(arguments.target, arguments.option)
    columns, rows = _two_numbers(arguments.samples, "--samples")
    stem = arguments.name or Path(arguments.source).stem
    seeds = _seeds_of(arguments.seed) or range(recipe.seed, recipe.seed + 1)
    digits = len(str(max(abs(seeds[0]), abs(seeds[-1]))))
    for count, seed in enumerate(seeds, 1):
        # Names sort as their seeds do.
        name = stem if len(seeds) == 1 else f"{stem}_{seed:0{digits}}"
        report = export_heightmap(
            dataclasses.replace(recipe, seed=seed),
            Path(arguments.folder) / name,
            target=target,
            samples=(rows, columns),
            range_=_range_of(arguments.range),
            tiles=_two_numbers(arguments.tiles, "--tiles"),
            maps=_names(arguments.maps),
            splat=_names(arguments.splat),
            normal_bits=arguments.normal,
            sea_level=arguments.sea_level,
            dither=arguments.dither,
            overwrite=arguments.overwrite,
            threads=arguments.threads,
        )
        note(f"{count} of {len(seeds)}: {name}")
        say(_line_of(report, seed) if arguments.json else str(report.sidecar))


def _line_of(report: ExportReport, seed: int) -> str:
    """Return a report as a line of JSON."""
    plain = {**dataclasses.asdict(report), "files": list(map(str, report.files)), "seed": seed}
    return json.dumps(plain, allow_nan=False)


def _recipe_of(source: str) -> Recipe:
    if not source.endswith(".json"):
        return Recipe.from_preset(source)
    try:
        return Recipe.from_json(text_of(Path(source)))
    except RecipeError as error:
        raise RecipeError("{}: {}", source, error) from error


def _target_of(key: str, options: Sequence[str]) -> Target:
    """Return a target with its options, which are read as its parameters are declared."""
    types = target_types()
    if key not in types:
        raise ParameterError("--target must be one of {}; got {!r}", ", ".join(types), key)
    declared = {one.name: one for one in types[key].parameters()}
    values: dict[str, object] = {}
    for option in options:
        name, _, text = option.partition("=")
        if name not in declared:
            known = ", ".join(declared) or "none"
            raise ParameterError("--option of {} must be of {}; got {!r}", key, known, option)
        kind = declared[name].kind
        try:
            if kind == "boolean":
                values[name] = _SWITCHES[text.lower()]
            elif kind in ("number", "integer"):
                values[name] = float(text) if kind == "number" else int(text)
            else:
                values[name] = text
        except (ValueError, KeyError):
            raise ParameterError("--option {} must be a {}; got {!r}", name, kind, text) from None
    return types[key](**values)


def _seeds_of(text: str) -> range | None:
    """Return a seed or a range of seeds; None if nothing is said."""
    if not text:
        return None
    first, _, end = text.partition(":")
    try:
        seeds = range(int(first), int(end) if end else int(first) + 1)
    except ValueError:
        seeds = range(0)
    if not 1 <= len(seeds) <= MAX_SEEDS:
        raise ParameterError(
            "--seed must be a number, or a rising range such as 0:100; got {!r}", text
        )
    return seeds


def _range_of(text: str) -> str | tuple[float, float]:
    low, comma, high = text.partition(",")
    if not comma:
        return text
    try:
        return float(low), float(high)
    except ValueError:
        raise ParameterError("--range must be two numbers of meters; got {!r}", text) from None


def _two_numbers(text: str, name: str) -> tuple[int, int]:
    """Return one number twice, or two with an x between."""
    first, _, second = text.lower().partition("x")
    try:
        return int(first), int(second or first)
    except ValueError:
        raise ParameterError("{} must be such as 513 or 4x2; got {!r}", name, text) from None


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]
