# SPDX-License-Identifier: GPL-3.0-or-later
"""Plan of a large world: what it takes of processors, memory, disk and money, from constants measured here.

python -m benchmarks.worlds_plan [--recipes noise alps] [--side 1000000] [--measured 2048 4096] [--measured-tile 1024]
    [--spacing 1] [--tiles 2048 4096 8192 16384] [--workers 256] [--disk-rate 5] [--processor-hour 0.03] [--memory-hour 0.004]
    [--disk-month 0.08] [--folder /tmp]

Each recipe is built at two sides, on one thread. What the larger one takes more, divided by its further samples, is
the constant: seconds of the processor and bytes written, all but the start. The caller's own time, in which all
workers wait, is counted by itself and divided by the further samples along the edges of tiles. Memory and disk are
those that a build declares (`terrane_worlds.builds.budget`), which tests compare with what it takes.

What takes longest counts: the processors, the disk at so many gigabytes a second, or the tasks, of which Dask hands
out one in some milliseconds; then the caller. Reading is by mapped files, which the system does not count. Prices are dollars:
of a processor and of a gigabyte of memory for an hour, and of a gigabyte of disk for a month.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.worlds import RECIPE, written_bytes
from noise_core import Recipe
from noise_core.base import blocks
from terrane_worlds import World
from terrane_worlds.base import workers
from terrane_worlds.builds.budget import PROCESS, Budget, size_of
from terrane_worlds.recipes.refusals import check_recipe

HOURS_OF_MONTH = 730.0

TASK = 0.003
"""Seconds of the scheduler for a task; see `workers`."""


@dataclasses.dataclass
class Taken:
    """What a build has taken.

    Attributes
    ----------
    samples, edges : float
        Of the land, and of these along the edges of all tiles.
    seconds, caller : float
        Of the processor, and of these outside of tiles.
    items : float
        Done in tiles.
    written, stored : float
        Bytes that were handed to the system, and those of the store.
    """

    samples: float
    edges: float
    seconds: float
    caller: float
    items: float
    written: float
    stored: float

    def less(self, other: Taken) -> Taken:
        """Return the differences to a smaller build."""
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(other))
        return Taken(*(large - small for large, small in pairs))


class Counting(workers.InCaller):
    """The caller does the work itself, and counts its time."""

    def __init__(self) -> None:
        self.seconds, self.items = 0.0, 0

    def run(self, work, items) -> Iterator:
        """See `Workers.run`."""
        for number, item in items.items():
            start = time.process_time()
            result = work(item)
            self.seconds += time.process_time() - start
            self.items += 1
            yield number, result


def world_of(recipe: Recipe, side: int, tile: int, spacing: float) -> World:
    """Return a world with so many meters between samples: layers that look around take more if these are few."""
    wide = dataclasses.replace(recipe, size=max(side - 1, 1) * spacing)
    return World(wide, side, side, tile)


def measure(world: World, folder: str) -> Taken:
    """Build a world on one thread with all its fields in files, and return what that took."""
    costs = check_recipe(world.recipe, world.grid, world.tiling)
    memory = math.ceil(Budget(world.tiling, 1, costs).memory(1))  # none is left for fields
    counting, original = Counting(), workers.InCaller
    workers.InCaller = lambda: counting  # type: ignore[assignment,misc]
    try:
        with tempfile.TemporaryDirectory(dir=folder) as here, blocks.on_threads(1):
            store = Path(here) / "plan.zarr"
            written = written_bytes()
            start = time.process_time()
            world.build(store, memory=memory)
            seconds = time.process_time() - start
            written = written_bytes() - written
            stored = size_of(store)
    finally:
        workers.InCaller = original  # type: ignore[misc]
    samples = world.rows * world.columns
    return Taken(
        samples,
        4.0 * samples / world.tile,
        seconds,
        seconds - counting.seconds,
        counting.items,
        written,
        stored,
    )


def plan(
    recipe: Recipe, taken: Taken, side: int, tile: int, given: argparse.Namespace
) -> list[str]:
    """Return the cells of a row: what a world of a side takes in tiles of a size."""
    world = world_of(recipe, side, tile, given.spacing)
    budget = Budget(world.tiling, 1, check_recipe(world.recipe, world.grid, world.tiling))
    samples, tiles = float(side) ** 2, len(world.tiling.tiles)
    worker = budget.memory(2) - budget.memory(1) - PROCESS  # with 2 the caller is a process too
    caller = budget.memory(1) - worker + PROCESS
    processor = taken.seconds / taken.samples * samples
    alone = max(taken.caller / taken.edges, 0.0) * 4.0 * samples / tile
    times = {
        "processors": (processor - alone) / given.workers,
        "writing": taken.written / taken.samples * samples / (given.disk_rate * 1e9),
        "tasks": taken.items / (taken.samples / given.measured_tile**2) * tiles * TASK,
    }
    first = max(times, key=lambda name: times[name])
    hours = (times[first] + alone) / 3600.0
    memory = (given.workers * worker + caller) / 1e9
    hourly = given.workers * given.processor_hour + memory * given.memory_hour
    dollars = hours * (hourly + budget.disk / 1e9 * given.disk_month / HOURS_OF_MONTH)
    return [
        f"{tile:,}",
        f"{tiles:,}",
        f"{worker / 1e9:.1f}",
        f"{caller / 1e9:,.1f}",
        f"{processor / 3600.0:,.0f}",
        *(f"{seconds / 3600.0:,.2f}" for seconds in times.values()),
        f"{alone / 3600.0:,.2f}",
        f"{hours:,.2f}",
        f"{budget.stored / 1e12:.2f}",
        f"{budget.disk / 1e12:.2f}",
        f"{dollars:,.0f}",
        first if first != "processors" or hours * 3600.0 < 2.0 * times[first] else "caller",
    ]


HEADS = (
    "tile",
    "tiles",
    "a worker, GB",
    "caller, GB",
    "processor, h",
    "workers, h",
    "writing, h",
    "tasks, h",
    "caller, h",
    "elapsed, h",
    "store, TB",
    "disk, TB",
    "dollars",
    "longest",
)


def report(name: str, recipe: Recipe, given: argparse.Namespace) -> Iterator[str]:
    """Yield the constants of a recipe and its plan, as Markdown."""
    measure(world_of(recipe, 256, 128, given.spacing), given.folder)  # everything is imported then
    small, large = (
        measure(world_of(recipe, one, given.measured_tile, given.spacing), given.folder)
        for one in given.measured
    )
    one = large.less(small)
    yield f"\n{name}, measured at {given.measured[0]:,} and {given.measured[1]:,} samples a side:\n"
    yield "| constant | value |\n| --- | --- |"
    yield f"| processor | {one.seconds / one.samples * 1e9:.0f} ns a sample |"
    alone = max(one.caller / one.edges, 0.0)
    yield f"| of these the caller | {alone * 1e9:.0f} ns a sample of an edge |"
    yield f"| written | {one.written / one.samples:.1f} bytes a sample |"
    yield f"| store | {one.stored / one.samples:.2f} bytes a sample |"
    tiles = one.samples / given.measured_tile**2
    yield f"| items | {one.items / tiles:.1f} a tile |"
    yield f"\n{given.side:,} x {given.side:,} samples {given.spacing:g} m apart, {given.workers} workers:\n"
    yield f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}"
    for tile in given.tiles:
        yield f"| {' | '.join(plan(recipe, one, given.side, tile, given))} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the plan that the arguments ask for."""
    parser = argparse.ArgumentParser()
    add = parser.add_argument
    add("--recipes", nargs="*", default=["noise", "alps"])
    add("--side", type=int, default=10**6)
    add("--spacing", type=float, default=1.0)
    add("--measured", type=int, nargs=2, default=[2048, 4096])
    add("--measured-tile", type=int, default=1024)
    add("--tiles", type=int, nargs="*", default=[2048, 4096, 8192, 16384])
    add("--workers", type=int, default=256)
    add("--disk-rate", type=float, default=5.0)
    add("--processor-hour", type=float, default=0.03)
    add("--memory-hour", type=float, default=0.004)
    add("--disk-month", type=float, default=0.08)
    add("--folder", default=tempfile.gettempdir())
    given = parser.parse_args(arguments)
    for name in given.recipes:
        recipe = RECIPE if name == "noise" else Recipe.from_preset(name)
        for line in report(name, recipe, given):
            print(line, flush=True)


if __name__ == "__main__":
    main()
