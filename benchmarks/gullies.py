# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies on a hill, against the same mathematics in compiled scalar code."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from noise_core import Grid
from noise_core.base import blocks
from noise_core.gully_patterns.carving import Carving, SlopeBlock
from noise_core.gully_patterns.octaves import Coordinate, GullyOctave, GullyPattern, normalize
from noise_core.gully_patterns.on_grid import GridCells

from . import peers
from .measure import Timing, timed
from .tables import say, verdict

Field = npt.NDArray[np.float32]

SIDE = 1024
SEED = 7
PATTERN = GullyPattern(frequency=8.0, octaves=5.0, persistence=0.5, lacunarity=2.0, branching=40.0)
SUMMIT, STEEPNESS = (0.37, 0.41), 0.8
"""The hill; those of `scalar_gullies`, which must not be imported without numba."""
ROWS = 128


def directions(x: Coordinate, y: Coordinate) -> tuple[Field, Field]:
    """Return which way is up on a round hill."""
    return (SUMMIT[0] - x).astype(np.float32), (SUMMIT[1] - y).astype(np.float32)


def octaves(side: int) -> tuple[GullyOctave, ...]:
    """Return what is drawn on a square grid."""
    return PATTERN.build_octaves(SEED, Grid(side, side, wrap=True).torus)


def ours(side: int, threads: int) -> Callable[[], Field]:
    """Return what draws the gullies of a square grid, phases included."""
    axes, drawn = Grid(side, side, wrap=True).axes(), octaves(side)

    def work() -> Field:
        cells = GridCells.build(drawn, axes, directions, threads)
        assert cells is not None
        out = np.empty((side, side), np.float32)

        def rows(start: int, stop: int) -> None:
            x, y = np.broadcast_arrays(axes.x, axes.y[start:stop, np.newaxis])
            up, across = directions(x, y)
            np.negative(across, out=across)
            normalize(across, up)
            steepness = np.full(x.shape, STEEPNESS, np.float32)
            ground = SlopeBlock((across, up), steepness, np.zeros(x.shape, np.float32))
            carving = Carving(x.shape)
            with blocks.short_buffers():
                carving.draw(drawn, cells.filler(start, stop), ground)
            out[start:stop] = carving.change

        blocks.run(rows, side, ROWS, threads=threads)
        return out

    return work


def peer(side: int) -> Callable[[], Field] | None:
    """Return the peer on the same grid, or None if there is no numba."""
    if peers.installed("numba") is None:
        return None
    module = importlib.import_module(".scalar_gullies", __package__)
    draw: Callable[[], Field] = module.ScalarGullies(octaves(side), side).draw
    return draw


def table(runs: int) -> Iterator[str]:
    """Yield the lines of a table: one thread against the peer, two threads against one."""
    one, two, other = ours(SIDE, 1), ours(SIDE, 2), peer(SIDE)
    yield f"## Gullies, 5 octaves, {SIDE}²\n"
    yield "| work | ms | peer, ms | measured | must | aim | reached |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    if other is not None:
        apart = float(np.median(np.abs(one() - other())))
        assert apart < 1e-5, f"the peer does something else: {apart:g}"
        mine, theirs = timed([one, other], runs)
        yield _row("one thread, against the same in scalar numba", mine, theirs, 0.65, 0.4)
    single, double = timed([one, two], runs, time.perf_counter)
    yield _row("two threads, against one, wall time", double, single)
    yield ""


def _row(
    work: str, ours: Timing, peer: Timing, must: float | None = None, aim: float | None = None
) -> str:
    measured = ours.best / peer.best
    line = f"| {work} | {ours.best * 1e3:.0f} | {peer.best * 1e3:.0f} | {measured:.2f} "
    if must is None or aim is None:  # what the machine decides
        line += "| | | |"
    else:
        line += f"| {must:g} | {aim:g} | {verdict(measured, must, aim)} |"
    say(line)
    return line


if __name__ == "__main__":
    print("\n".join(table(5)))
