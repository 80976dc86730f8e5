# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliding ground against the same mathematics in compiled scalar code, and whole modifiers."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
from unittest import mock

import numpy as np
import numpy.typing as npt

from noise_core import Grid, Modifier
from noise_core.base import blocks
from noise_core.erosion.slides import talus
from noise_core.modifiers import SedimentErosion, ThermalErosion
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level

from . import peers
from .measure import timed
from .tables import say, verdict

Field = npt.NDArray[np.float32]

SIDES = (512, 1024, 2048)
PASSES = 8
MUST, AIM = 2.5, 1.2


def mountains(side: int) -> tuple[Field, Grid]:
    """Return about 1500 m of relief on 9 km."""
    grid = Grid(side, side, size=9000.0)
    noise = Fractal(source=Perlin(frequency=3.0), octaves=9)
    return noise.sample_grid(grid, 5) * np.float32(1000.0), grid


def ours(side: int, passes: int = PASSES) -> Callable[[], Field]:
    """Return what lets mountains slide for some passes."""
    height, grid = mountains(side)
    level = Level.from_grid(grid)
    repose = talus.TalusParams.from_steepness(level, math.tan(math.radians(37.0)))
    return lambda: talus.slide(height, level, repose, passes)


def peer(side: int, passes: int = PASSES) -> Callable[[], Field] | None:
    """Return the peer on the same mountains, or None if there is no numba."""
    if peers.installed("numba") is None:
        return None
    slide = importlib.import_module(".scalar_screes", __package__).slide
    height, grid = mountains(side)
    repose = talus.TalusParams.from_steepness(Level.from_grid(grid), math.tan(math.radians(37.0)))
    spare, shares = (np.empty_like(height), np.empty_like(height)), np.empty_like(height)

    def work() -> Field:
        before = height
        for count in range(passes):
            out = spare[count % 2]
            slide(before, out, shares, repose.stable, repose.share, repose.held)
            before = out
        return before

    return work


def whole(modifier: Modifier, side: int) -> Callable[[], Field]:
    """Return a modifier's whole work on mountains."""
    height, grid = mountains(side)
    return lambda: modifier.apply(height, grid).height


def table(runs: int) -> Iterator[str]:
    """Yield the lines of two tables, on one thread: a pass against the peer, and whole modifiers."""
    with mock.patch.object(blocks, "processor_count", lambda: 1):
        yield from _against_peer(runs)
        yield from _whole_modifiers(runs)


def _against_peer(runs: int) -> Iterator[str]:
    yield "## Thermal erosion, one pass, against the same in scalar numba\n"
    yield "| side | ms | peer | ratio | must | aim | reached |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    for side in SIDES:
        mine, other = ours(side), peer(side)
        if other is None:
            continue
        apart = np.abs(mine() - other())
        inside = apart[PASSES:-PASSES, PASSES:-PASSES].max()  # the peer's border is no mirror
        assert inside < 0.01, f"the peer does something else: {inside:g} m"
        first, second = timed([mine, other], runs)
        ratio = first.best / second.best
        row = (
            f"| {side} | {first.best / PASSES * 1e3:.2f} | {second.best / PASSES * 1e3:.2f} "
            f"| {ratio:.2f} | {MUST:g} | {AIM:g} | {verdict(ratio, MUST, AIM)} |"
        )
        say(row)
        yield row
    yield ""


def _whole_modifiers(runs: int) -> Iterator[str]:
    yield "## Thermal and sediment erosion as they come, seconds\n"
    yield "| side | thermal | sediment |"
    yield "| ---: | ---: | ---: |"
    for side in SIDES[:2]:
        works = [whole(ThermalErosion(), side), whole(SedimentErosion(), side)]
        thermal, sediment = timed(works, min(runs, 3))
        row = f"| {side} | {thermal.best:.3f} | {sediment.best:.2f} |"
        say(row)
        yield row
    yield ""


if __name__ == "__main__":
    print("\n".join(table(5)))
