# SPDX-License-Identifier: GPL-3.0-or-later
"""The presets of A.N.T. Landscape against A.N.T. Landscape itself."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from noise_core import Recipe
from noise_core.base.blocks import processor_count
from noise_core.landscapes.preset_library import ant_names
from noise_core.recipes.preset_files import ant_label

from .tables import say, verdict

SIDE = 1024

STRIDE = 8
"""A.N.T. Landscape makes one row in so many, and its time is multiplied by that: it makes one vertex after the
other, so that each takes its time whatever the others do."""

MUST = 20.0

HEAD = f"""## Against A.N.T. Landscape, its presets, {SIDE}²

Heights alone, without a mesh, by Blender's add-on until 4.1 with the noise of Blender's own module (in every {STRIDE}th
row, times {STRIDE}), and the whole recipe of each preset `ant_...`. Both take turns. A.N.T. Landscape has one thread:
its processor time is what its user waits for. Terrane's user waits for {{processors}} processors, whose elapsed time
counts; beside it the processor time on one thread. Of Terrane the best of {{runs}} runs.

| preset | A.N.T. Landscape, s | Terrane, s | times faster | must | reached | on one thread, s | times faster |
| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |"""


def table(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    python, folder = (os.environ.get(f"TERRANE_{one}") for one in ("BPY_PYTHON", "ANT_LANDSCAPE"))
    yield HEAD.format(runs=runs, processors=processor_count())
    slowest = float("inf")
    with ExitStack() as stack:
        peer = stack.enter_context(_Peer(python, folder)) if python and folder else None
        for name in ant_names():
            theirs = peer.measure(name) if peer else None
            elapsed = _measure(name, runs, None, time.perf_counter)
            alone = _measure(name, runs, 1, time.process_time)
            line = f"| {ant_label(name)} | "
            if theirs is None:
                line += f"*not measured* | {elapsed:.3f} | | {MUST:g} | | {alone:.3f} | |"
            else:
                ratio = theirs / elapsed
                slowest = min(slowest, ratio)
                line += f"{theirs:.1f} | {elapsed:.3f} | {ratio:.0f} | {MUST:g} | {verdict(-ratio, -MUST)} | "
                line += f"{alone:.3f} | {theirs / alone:.1f} |"
            say(line)
            yield line
    yield f"\nThe least is {slowest:.1f} times.\n" if slowest < float("inf") else ""


def _measure(name: str, runs: int, threads: int | None, clock: Callable[[], float]) -> float:
    """Return the seconds that a recipe takes, the best of some runs after one uncounted."""
    recipe = Recipe.from_preset(name)
    grid = recipe.grid(SIDE)
    taken = []
    for _ in range(runs + 1):
        begin = clock()
        recipe.evaluate(grid, threads=threads)
        taken.append(clock() - begin)
    return min(taken[1:])


class _Peer:
    """A process with Blender's module, in which A.N.T. Landscape waits for names of its presets."""

    def __init__(self, python: str, folder: str) -> None:
        self._process = subprocess.Popen(
            [
                python,
                str(Path(__file__).with_name("blender_ant.py")),
                folder,
                str(SIDE),
                str(STRIDE),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> _Peer:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()

    def measure(self, name: str) -> float:
        """Return the seconds that one of its presets takes it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(name, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())
