# SPDX-License-Identifier: GPL-3.0-or-later
"""What every modifier takes, with its defaults, beside the default stream erosion of the same ground."""

from __future__ import annotations

import functools
import tracemalloc
from collections.abc import Iterator, Sequence

import numpy as np

from noise_core.modifiers import StreamErosion
from noise_core.modifiers.bases.modifier import Modifier, modifier_types

from .ground import SEED, Field, Terrain
from .measure import Work, timed
from .relief_figures import difference
from .tables import say, verdict

HEAD = """### Modifiers

Each with its defaults, on the terrain above: its time over that of the default stream erosion, taken in turn; the most memory of
its arrays beyond the ground; its time over that for a quarter of the samples; and how far 513² and 1025² samples of the same land
are apart where they share a place, on average, in per cent of the relief. The ground is about sea level, so waves find a coast.
"""

SIDES = (512, 1024)
PAIR = (513, 1025)

CHOICES = {
    "stream_erosion, with orographic rain": StreamErosion(orographic_rain=1.0),
    "stream_erosion, mode grow": StreamErosion(mode="grow"),
}
"""Choices of modifiers that cost more than their defaults."""

TIME, BYTES, GROWTH, APART = (4.0, 1.5), (120.0, 80.0), (5.5, 4.5), (0.7, 0.3)
"""What is required and what is aimed at."""


def table(runs: int, names: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of this part of the report, of some modifiers or all.

    Raises
    ------
    KeyError
        If there is no such modifier.
    """
    yield HEAD
    limits = [f"{must:g}, {aim:g}" for must, aim in (TIME, BYTES, GROWTH, APART)]
    titles = ("time over stream erosion", "bytes a cell", "growth", "513 against 1025, %")
    yield (
        "| modifier | ms | "
        + " | ".join(f"{title} (must, aim: {limit})" for title, limit in zip(titles, limits))
        + " |"
    )
    yield "| --- | ---: |" + " --- |" * len(titles)
    works = {**{name: cls() for name, cls in sorted(modifier_types().items())}, **CHOICES}
    for name in names or works:
        line = _row(name, works[name], runs)
        say(line)
        yield line
    yield ""


def _row(name: str, modifier: Modifier, runs: int) -> str:
    small, large = (Terrain.of(side) for side in SIDES)
    works: list[Work] = [
        functools.partial(apply, modifier, small),
        functools.partial(apply, modifier, large),
        functools.partial(apply, StreamErosion(), large),
    ]
    before, ours, erosion = (timing.best for timing in timed(works, runs))
    coarse, fine = (Terrain.of(side) for side in PAIR)
    made = apply(modifier, fine)
    relief = float(max(np.ptp(fine.height), np.ptp(made)))  # grown land is higher than its ground
    apart = difference(apply(modifier, coarse), made, relief)[0]
    measured = (ours / erosion, peak_bytes(modifier, large), ours / before, apart)
    columns = [
        f"{value:.2f}: {verdict(value, *limits)}"
        for value, limits in zip(measured, (TIME, BYTES, GROWTH, APART))
    ]
    return f"| {name} | {ours * 1e3:.0f} | " + " | ".join(columns) + " |"


def apply(modifier: Modifier, terrain: Terrain) -> Field:
    """Return the heights that a modifier makes of a terrain."""
    result: Field = modifier.apply(terrain.height, terrain.grid, SEED).height
    return result


def peak_bytes(modifier: Modifier, terrain: Terrain) -> float:
    """Return the most bytes a cell that arrays took beyond the ground."""
    tracemalloc.start()
    try:
        apply(modifier, terrain)
        return float(tracemalloc.get_traced_memory()[1]) / terrain.height.size
    finally:
        tracemalloc.stop()
