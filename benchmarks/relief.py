# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion and drainage: against others, on more cells, and in memory."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from . import gullies, processes
from .ground import CELL, Terrain
from .measure import Work, timed
from .relief_peers import ant_landscape_pass, fastscapelib_step
from .tables import say, verdict

HEAD = """## Relief

Raw fBm of 9 octaves from 3 cells, full of pits, on 10 km. A step of the stream-power law fills or
crosses all depressions, leads the water, adds up drainage areas and solves the implicit equation;
the border stays. Whole erosions are `StreamErosion()` and `StreamErosion(quality="preview")`.

* **fastscapelib** (C++): `PFloodSinkResolver`, `SingleFlowRouter`, `accumulate`, `SPLEroder`, with
  the same numbers. The median difference of the heights is less than a hundredth of the relief.
* **A.N.T. Landscape**, Blender's add-on until 4.1: one pass of its eroder with the operator's own
  settings, on the grid alone, without its conversion of the mesh. It comes from Debian's package of
  Blender 3.4. Where that cannot be had, 2.2 steps of fastscapelib stand for it.
* **pysheds** (numba, on one thread too): `fill_pits`, `fill_depressions`, `resolve_flats`, `flowdir`,
  `accumulation`. It fills to the same heights to the bit. It needs NumPy 1, so both sides run in one
  process with that.
* **Amplify** has a peer in the project itself: a whole stream erosion of as many samples. Its land is the
  surface through one sample of 32 x 32.
"""

STEP_SIDES = (512, 1024)
GROWTH_SIDES = (512, 1024, 2048)
STEPS_OF_A_PASS = 2.2
"""Steps of fastscapelib at 1024² that stand for a pass of A.N.T. Landscape."""


@dataclass(frozen=True)
class Ratio:
    """A ratio of two times, and its required limit."""

    must: float
    aim: float

    def row(self, work: str, ours: float, name: str, peer: float) -> str:
        """Return a line of the table; times in seconds."""
        reached = verdict(ours / peer, self.must, self.aim)
        return _row(work, ours, name, peer, f"{self.must:g} | {self.aim:g} | {reached}")


STEP, WHOLE, PREVIEW = Ratio(0.60, 0.35), Ratio(0.35, 0.18), Ratio(1.0, 0.5)
AMPLIFIED = Ratio(3.0, 1.5)
DRAINAGE, GROWTH = Ratio(0.15, 0.08), Ratio(5.5, 4.3)
MOST_BYTES, FEWER_BYTES = 100.0, 60.0
MISSING = "| *not measured: {} is not there* | | | | | | | |"


def _row(work: str, ours: float, name: str, peer: float, limits: str = "| |") -> str:
    line = (
        f"| {work} | {ours * 1e3:.1f} | {name} | {peer * 1e3:.1f} | {ours / peer:.3f} | {limits} |"
    )
    say(line)
    return line


def tables(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    yield HEAD
    yield from _peer_table(runs)
    yield from _growth_table(runs)
    yield from _memory_table()


def _peer_table(runs: int) -> Iterator[str]:
    yield "| work | ms | peer | ms | measured | must | aim | reached |"
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |"
    for side in STEP_SIDES:
        yield from _beside_fastscapelib(side, runs)
    yield from _beside_pysheds(runs)
    yield from _beside_erosion(runs)
    yield ""


def _beside_fastscapelib(side: int, runs: int) -> Iterator[str]:
    """Yield the rows of one size; everything is timed in turn with the same peers."""
    terrain, is_whole = Terrain.of(side), side == STEP_SIDES[-1]
    works: dict[str, Work | None] = {
        "ours": terrain.stepped,
        "erosion": functools.partial(terrain.eroded, "final" if is_whole else "preview"),
        "step": fastscapelib_step(terrain),
        "pass": ant_landscape_pass(terrain) if is_whole else None,
    }
    present = {name: work for name, work in works.items() if work is not None}
    timings = timed(list(present.values()), runs)
    seconds = {name: timing.best for name, timing in zip(present, timings)}
    if "step" in seconds:
        work, name, peer = f"One stream-power step, {side}²", "fastscapelib step", seconds["step"]
        yield STEP.row(work, seconds["ours"], name, peer)
        if not is_whole:
            yield PREVIEW.row(f"Preview erosion, {side}²", seconds["erosion"], name, peer)
    else:
        yield MISSING.format("fastscapelib")
    if is_whole:
        yield from _whole_rows(f"Whole default erosion, {side}²", seconds)


def _whole_rows(work: str, seconds: dict[str, float]) -> Iterator[str]:
    ours, steps = seconds["erosion"], f"{STEPS_OF_A_PASS} fastscapelib steps"
    if "pass" in seconds:
        yield WHOLE.row(work, ours, "A.N.T. Landscape pass", seconds["pass"])
        if "step" in seconds:
            yield _row("The same", ours, steps, STEPS_OF_A_PASS * seconds["step"])
    elif "step" in seconds:
        yield WHOLE.row(work, ours, steps, STEPS_OF_A_PASS * seconds["step"])
    else:
        yield MISSING.format("A.N.T. Landscape")


def _beside_pysheds(runs: int) -> Iterator[str]:
    drainage = processes.drainage_beside_pysheds(runs)
    if drainage is None:
        yield MISSING.format("pysheds")
        return
    for side, (ours, peer) in drainage.seconds.items():
        work = f"Exact fill and drainage area, {side}², NumPy {drainage.numpy}"
        yield DRAINAGE.row(work, ours, "pysheds", peer)


def _beside_erosion(runs: int) -> Iterator[str]:
    side = STEP_SIDES[-1]
    terrain = Terrain.of(side)
    amplified = functools.partial(terrain.amplified, terrain.measured())
    ours, peer = (timing.best for timing in timed([amplified, terrain.eroded], runs))
    yield AMPLIFIED.row(f"Amplify, cells of {CELL}², {side}²", ours, "whole default erosion", peer)


def _growth_table(runs: int) -> Iterator[str]:
    small, middle, large = GROWTH_SIDES
    yield "### Growth for four times the cells\n"
    head = (
        f"| work | {small}², ms | {middle}², ms | {large}², ms | measured: {middle}² over {small}² "
    )
    yield head + f"| must | aim | reached | {large}² over {middle}² |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |"
    terrains = [Terrain.of(side) for side in GROWTH_SIDES]
    rows: dict[str, list[Work]] = {
        "One stream-power step": [terrain.stepped for terrain in terrains],
        "Whole default erosion": [terrain.eroded for terrain in terrains],
        "Gullies, 5 octaves": [gullies.ours(side, 1) for side in GROWTH_SIDES],
    }
    for name, works in rows.items():
        times = [timing.best for timing in timed(works, runs)]
        growth, later = times[1] / times[0], times[2] / times[1]
        line = f"| {name} | " + " | ".join(f"{seconds * 1e3:.1f}" for seconds in times)
        line += f" | {growth:.2f} | {GROWTH.must:g} | {GROWTH.aim:g} "
        line += f"| {verdict(growth, GROWTH.must, GROWTH.aim)} | {later:.2f} |"
        say(line)
        yield line
    yield ""


def _memory_table() -> Iterator[str]:
    side = STEP_SIDES[-1]
    yield "### Memory\n"
    yield "| what | measured | must | aim | reached |"
    yield "| --- | ---: | ---: | ---: | --- |"
    measured = processes.erosion_bytes_per_cell(side)
    line = (
        f"| Whole default erosion, {side}²: peak beyond the input, bytes a cell | {measured:.1f} "
    )
    line += f"| {MOST_BYTES:g} | {FEWER_BYTES:g} | {verdict(measured, MOST_BYTES, FEWER_BYTES)} |"
    say(line)
    yield line
    yield ""
