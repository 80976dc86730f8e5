# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of docs/develop/benchmarks.md."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator

import numpy as np

from noise_core import Grid
from noise_core.base import blocks
from noise_core.noises import Fractal, Perlin, Simplex

from . import (
    ant_landscape,
    blas,
    by_example,
    cases,
    curves,
    exchange,
    gullies,
    likeness,
    meshes,
    modifiers,
    noise_peers,
    peers,
    planets,
    processes,
    relief,
    screes,
    surfaces,
    texture_noises,
)
from .measure import timed
from .tables import machine, say, verdict

_MORE = 8
"""So many times as many runs by the clock on the wall as by processor time."""

HEAD = """# Benchmarks

Made by `nox -s benchmark -- --write`, which installs the peers and runs `python -m benchmarks --write`.
All times are CPU time on one thread, the best of {runs} runs, taken in turn with the peer's in the
same process; quote the ratios, not the nanoseconds. The peer gets its coordinates for free.
Each table is a run of its own, after other work and beside another peer: the same noise has other times there.

Measured on {machine}, Python {python}. Where nothing else is said, with {numpy}.
"""


def markdown(runs: int) -> str:
    """Measure everything and return the document."""
    lines = [
        HEAD.format(
            runs=runs,
            machine=machine(),
            python=platform.python_version(),
            numpy=blas.label(),
        )
    ]
    lines += noise_peers.table(runs)
    lines += _before()
    lines += _other_table(runs)
    lines += texture_noises.table(runs)
    lines += ant_landscape.table(min(runs, 3))
    lines += _growth_table(runs)
    lines += _thread_table(runs)
    lines += _relief_tables(runs)
    lines += surfaces.table(runs)
    lines += planets.table(min(runs, 2))
    lines += by_example.table(runs)
    lines += exchange.table(runs)
    lines += meshes.table(runs)
    lines += _process_table(runs)
    lines += _inside_blender()
    return "\n".join(lines)


def peers_markdown(runs: int) -> str:
    """Measure noise against compiled libraries alone and return that part of the document."""
    return "\n".join(noise_peers.table(runs))


def relief_markdown(runs: int) -> str:
    """Measure erosion alone and return its part of the document."""
    return "\n".join(_relief_tables(runs))


def likeness_markdown(_runs: int) -> str:
    """Compare resolutions alone and return that part of the document."""
    return "\n".join(likeness.table())


def exchange_markdown(runs: int) -> str:
    """Measure heights in and out alone and return that part of the document."""
    return "\n".join(exchange.table(runs))


def meshes_markdown(runs: int) -> str:
    """Measure meshes alone and return their part of the document."""
    return "\n".join(meshes.table(runs))


def modifiers_markdown(runs: int) -> str:
    """Measure every modifier alone and return that part of the document."""
    return "\n".join(modifiers.table(runs))


def planets_markdown(runs: int) -> str:
    """Measure a planet alone and return its part of the document."""
    return "\n".join(planets.table(runs))


def noises_markdown(runs: int) -> str:
    """Measure noises for textures alone and return that part of the document."""
    return "\n".join(texture_noises.table(runs))


def by_example_markdown(runs: int) -> str:
    """Measure a texture by example alone and return its part of the document."""
    return "\n".join(by_example.table(runs))


def ant_markdown(runs: int) -> str:
    """Measure the presets of A.N.T. Landscape alone and return their part of the document."""
    return "\n".join(ant_landscape.table(runs))


PARTS = {
    "": markdown,
    "ant": ant_markdown,
    "by_example": by_example_markdown,
    "peers": peers_markdown,
    "relief": relief_markdown,
    "likeness": likeness_markdown,
    "exchange": exchange_markdown,
    "meshes": meshes_markdown,
    "modifiers": modifiers_markdown,
    "planets": planets_markdown,
    "noises": noises_markdown,
}
"""The whole document, and parts of it by the options that ask for them."""


def _relief_tables(runs: int) -> Iterator[str]:
    yield from relief.tables(runs)
    yield from gullies.table(runs)
    yield from curves.table(runs)
    yield from screes.table(runs)
    yield from modifiers.table(min(runs, 2))
    yield from likeness.table()


def _other_table(runs: int) -> Iterator[str]:
    side = 1024
    yield f"## Against others, one octave, 32 cells, {side}²\n"
    yield "| peer | noise | ns a sample | peer | ratio |"
    yield "| --- | --- | ---: | ---: | ---: |"
    pairs = [
        ("Perlin", Perlin(frequency=32.0), peers.other_perlin(side)),
        ("simplex", Simplex(frequency=32.0), peers.other_simplex(side)),
    ]
    for label, noise, works in pairs:
        for name, work in works.items():
            ours, peer = timed([cases.single(noise, side), work], runs)
            nanoseconds = [timing.best / side**2 * 1e9 for timing in (ours, peer)]
            row = f"| {name} | {label} | {nanoseconds[0]:.2f} | {nanoseconds[1]:.2f} "
            row += f"| {ours.best / peer.best:.3f} |"
            say(row)
            yield row
    yield ""


def _growth_table(runs: int) -> Iterator[str]:
    yield "## Growth: Perlin fbm, 8 octaves from 8 cells\n"
    yield "| side | ns a sample | ms |"
    yield "| ---: | ---: | ---: |"
    noise = Fractal(source=Perlin(frequency=8.0), octaves=8)
    for side in (512, 1024, 2048, 4096, 8192):
        (ours,) = timed([cases.single(noise, side)], min(runs, 3))
        row = f"| {side} | {ours.best / side**2 * 1e9:.2f} | {ours.best * 1e3:.1f} |"
        say(row)
        yield row
    yield "\nFiner grids cost less a sample, because the finest octaves have more samples a cell.\n"


def _thread_table(runs: int) -> Iterator[str]:
    many, grid = _MORE * runs, Grid(1024, 1024)
    yield "## Two threads over one, wall time\n"
    yield f"Two threads take their time only where both processors are free at once, so the best of {many} runs in"
    yield f"turn counts, of one thread too; beside it the best of {runs} and the medians of all. The first row is what"
    yield "the machine gave meanwhile to work that never waits; on a free one that is 0.5. What comes of it is the"
    yield "machine's: nothing is asked for.\n"
    yield f"| work | ratio | best of {runs} | medians |"
    yield "| --- | ---: | ---: | ---: |"
    row = f"| Plain arithmetic {_thread_ratios(_arithmetic, runs)} |"
    say(row)
    yield row
    for method in ("exact", "lookup"):
        noise = cases.warp(method)
        columns = _thread_ratios(
            lambda count, noise=noise: noise.sample_grid(grid, cases.SEED, threads=count), runs
        )
        row = f"| Warp, two levels, {method}, 1024² {columns} |"
        say(row)
        yield row
    yield ""


def _thread_ratios(work: Callable[[int], object], runs: int) -> str:
    """Return the columns that say how long some work takes on two threads over one."""
    works = [lambda: work(2), lambda: work(1)]
    few = timed(works, runs, time.perf_counter)
    two, one = timed(works, _MORE * runs, time.perf_counter)
    ratio, medians = two.best / one.best, two.median / one.median
    return f"| {ratio:.3f} | {few[0].best / few[1].best:.3f} | {medians:.3f}"


def _arithmetic(threads: int) -> None:
    """Do about as much as the warps take, in two halves of long calls that share nothing."""

    def half(start: int, stop: int) -> None:
        values = np.full(1 << 17, 0.5, np.float32)  # half a megabyte: in the cache of a processor
        for _ in range(700):
            np.sqrt(values, out=values)

    blocks.run(half, 2, 1, threads=threads)


def _before() -> Iterator[str]:
    for report in processes.comparisons():
        kind, _, commit = report.stem.removeprefix("before-").rpartition("-")
        yield f"## {'Heights in and out, against' if kind else 'Against'} {commit}\n"
        yield 'By `nox -s "benchmark(before)"`: processes of both take turns; processor time, the best of all.\n'
        yield report.read_text(encoding="utf-8")


def _inside_blender() -> Iterator[str]:
    reports = sorted(processes.REPORTS.glob("blender-*.txt"))
    if not reports:
        return
    reports.sort(
        key=lambda report: "without-blas" not in report.stem
    )  # what people have comes first
    yield "## Inside Blender\n"
    yield "Whole operators, by `nox -s benchmark`: processor time, best of five. Enabling loads Terrane's"
    yield "modules anew, compiled, with NumPy and Blender there. Geometry Nodes"
    yield "is a Mesh Grid, a Noise Texture of as many octaves and Set Position, evaluated once. A downloaded"
    yield "Blender has the NumPy without BLAS.\n"
    yield "The elements of a new mesh come from Geometry Nodes' Mesh Grid, because `foreach_set` takes 46 ns for the first corner of each"
    yield "face. The mesh has 100 MB at 1024², and memory costs 0.4 ms for each MB when it is touched first: 40 ms of `terrain_add`.\n"
    for report in reports:
        yield f"```\n{report.read_text(encoding='utf-8').strip()}\n```\n"


def _process_table(runs: int) -> Iterator[str]:
    yield "## Memory and import\n"
    yield "| what | measured | must | aim | reached |"
    yield "| --- | ---: | ---: | ---: | --- |"
    noises = {
        "Perlin fbm, 8 octaves": "Fractal(source=Perlin(frequency=8.0), octaves=8)",
        "Simplex fbm, 8 octaves": "Fractal(source=Simplex(frequency=8.0), octaves=8)",
        "Cellular F1": "Cellular(frequency=32.0)",
    }
    for label, noise in noises.items():
        for threads in (1, 2):
            megabytes = processes.peak_memory(noise, 4096, threads)
            row = f"| {label}, 4096², {threads} threads: peak beyond the result "
            row += f"| {megabytes:.0f} MB | 128 MB | 48 MB | {verdict(megabytes, 128, 48)} |"
            say(row)
            yield row
    milliseconds = processes.import_milliseconds(max(runs, 5))
    row = f"| `import noise_core` after NumPy | {milliseconds:.1f} ms | 30 ms | 15 ms "
    row += f"| {verdict(milliseconds, 30, 15)} |"
    say(row)
    yield row
    yield ""
