# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that builds a world."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable

from noise_core.commands.sources import shape_for, source_of

from ..builds.world import World
from ..tiles.engine import Status

_SHARE = 0.1
"""Of a stage: how often its progress is told."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("source", help="a preset, or a file with a recipe (.json)")
    add("store", help="the Zarr store: a folder that is made, or goes on being built")
    add("--samples", required=True, help="along the longer side, or COLUMNSxROWS")
    add("--tile", type=int, default=2048, help="samples along a side of a tile")
    add("--wrap", action="store_true", help="let the world meet itself at its edges")
    add("--seed", type=int, help="another one than the recipe's own")
    add("--maps", default="", help="arrays beside the heights, such as slope,flow")
    add("--workers", type=int, default=1, help="processes; 1 for this one and its threads")
    add("--scheduler", help="address of a Dask scheduler whose workers do it: tcp://host:8786")
    add("--memory", default="4GB", help="what all processes may take together")
    add("--compress", action="store_true", help="a smaller store, more slowly")
    add(
        "--edges",
        action="store_true",
        help="store what rebuilds any region without the arrays, too",
    )
    add(
        "--edges-only", action="store_true", help="store that and the overviews, without the arrays"
    )
    add("--json", action="store_true", help="print a JSON object")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Build the world; see `noise_core.commands.command_line.run`.

    Raises
    ------
    TerraneError
        See `World.build`.
    """
    recipe, _ = source_of(arguments.source)
    if arguments.seed is not None:
        recipe = dataclasses.replace(recipe, seed=arguments.seed)
    rows, columns = shape_for(recipe, arguments.samples, "--samples", wrap=arguments.wrap)
    world = World(recipe, rows, columns, arguments.tile, arguments.wrap)
    digest = world.build(
        arguments.store,
        workers=arguments.workers,
        memory=arguments.memory,
        maps=[name for name in arguments.maps.split(",") if name],
        compress=arguments.compress,
        edges="only" if arguments.edges_only else arguments.edges,
        client=arguments.scheduler,
        progress=Teller(note),
    )
    report = {"store": arguments.store, "digest": digest}
    say(json.dumps(report) if arguments.json else f"{arguments.store}: digest {digest}")


class Teller:
    """Tells the progress of each stage, a few times.

    Parameters
    ----------
    note : callable
        Prints a line.
    """

    def __init__(self, note: Callable[[str], object]) -> None:
        self._note = note
        self._told: tuple[str, int] = ("", 0)

    def __call__(self, status: Status) -> None:
        """See `engine.Report`."""
        reached = (status.stage, int(status.done / status.count / _SHARE))
        if reached != self._told:
            self._told = reached
            remaining = format_seconds(status.seconds_left)
            self._note(f"{status.stage}: {status.done} of {status.count}{remaining}")


def format_seconds(seconds: float | None) -> str:
    """Return the time that is left as text; empty if there is none."""
    if not seconds:
        return ""
    if seconds < 100.0:
        return f", {seconds:.0f} s left"
    minutes = round(seconds / 60.0)
    return f", {minutes} min left" if minutes < 100 else f", {minutes / 60.0:.1f} h left"
