# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies on a hill, against the same mathematics in compiled scalar code: ``python -m benchmarks.gullies``.

The peer is what a user with numba would write: a loop over samples, octaves and the four corners of a
cell, with a cosine and a sine for each, on phases that were worked out per cell in the same way.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from noise_core import Grid, blocks
from noise_core.gullies.carving import Carving, Ground
from noise_core.gullies.octaves import WAVES_PER_CELL, Coordinate, Octave, Pattern, unit
from noise_core.gullies.on_grid import GridCells

from . import peers
from .measure import Work, timed

Field = npt.NDArray[np.float32]

SEED = 7
PATTERN = Pattern(frequency=8.0, octaves=5.0, persistence=0.5, lacunarity=2.0, branching=40.0)
SUMMIT = (0.37, 0.41)
ROWS = 64


def directions(x: Coordinate, y: Coordinate) -> tuple[Field, Field]:
    """Return the slope of a round hill."""
    return (SUMMIT[0] - x).astype(np.float32), (SUMMIT[1] - y).astype(np.float32)


def ours(side: int, threads: int) -> Callable[[], Field]:
    """Return what draws the gullies of a square grid."""
    grid = Grid(side, side, wrap=True)
    axes = grid.axes()
    octaves = PATTERN.drawn(SEED, grid.torus)

    def work() -> Field:
        cells = GridCells.of(octaves, axes, directions, threads)
        assert cells is not None
        out = np.empty(grid.shape, np.float32)

        def rows(start: int, stop: int) -> None:
            with blocks.short_buffers():
                x, y = np.broadcast_arrays(axes.x, axes.y[start:stop, np.newaxis])
                up, across = directions(x, y)
                np.negative(across, out=across)
                unit(across, up)
                ground = Ground(
                    (across, up), np.full(x.shape, 0.8, np.float32), np.zeros(x.shape, np.float32)
                )
                carving = Carving(x.shape)
                carving.draw(octaves, cells.filler(start, stop), ground)
                out[start:stop] = carving.change

        blocks.run(rows, side, ROWS, threads=threads)
        return out

    return work


def peer(side: int) -> Callable[[], Field] | None:
    """Return the peer on the same grid, or None if there is no numba."""
    numba = peers.installed("numba")
    if numba is None:
        return None
    phases_of, drawn = compiled(numba)
    octaves = PATTERN.drawn(SEED, Grid(side, side, wrap=True).torus)
    table = np.array([_numbers(octave) for octave in octaves], np.float64)
    seeds = np.array([octave.seed for octave in octaves], np.uint32)

    def work() -> Field:
        starts = np.concatenate(([0], np.cumsum(table[:, 0].astype(np.int64) ** 2)))
        phases = np.empty((2, starts[-1]), np.float32)
        for number in range(len(octaves)):
            phases_of(number, table, seeds, starts, phases)
        out: Field = drawn(side, table, starts, phases)
        return out

    return work


def _numbers(octave: Octave) -> tuple[float, ...]:
    return (octave.lattice.matrix[0][0], *octave.shift, octave.amplitude, *octave.turn)


@functools.cache
def compiled(numba: ModuleType) -> tuple[Any, Any]:
    """Return the peer's two functions: phases of one octave's cells, and the samples."""
    jit = numba.njit(nogil=True, error_model="numpy")
    single = np.float32
    wave = single(2.0 * math.pi * WAVES_PER_CELL)

    from noise_core.gullies import phases as own
    from noise_core.lattice import _AXIS_PRIMES, _FIRST_MULTIPLIER, _SECOND_MULTIPLIER, mixed

    prime_x, prime_y = np.uint32(_AXIS_PRIMES[0]), np.uint32(_AXIS_PRIMES[1])
    first, second = np.uint32(_FIRST_MULTIPLIER), np.uint32(_SECOND_MULTIPLIER)
    along, beside = single(own._ALONG), single(own._BESIDE)
    mixed_seeds = {octave.seed: mixed(octave.seed) for octave in PATTERN.drawn(SEED, None)}
    keys = np.array(list(mixed_seeds), np.uint32)
    values = np.array(list(mixed_seeds.values()), np.uint32)
    summit_x, summit_y = SUMMIT

    @jit
    def own_phase(i: int, j: int, seed: Any) -> Any:
        bits = np.uint32(np.uint32(i) * prime_x) ^ seed ^ np.uint32(np.uint32(j) * prime_y)
        bits = np.uint32((bits ^ bits >> 16) * first)
        bits = np.uint32((bits ^ bits >> 15) * second)
        bits ^= bits >> 16
        turns = single(bits >> 8) * single(2.0**-24) - single(0.5)
        return single(2.0 * math.pi) * turns

    @jit
    def waves(x: float, y: float, nx: Any, ny: Any, octave: Any, start: int, phases: Any) -> Any:
        count = int(octave[0])
        px, py = x * octave[0] + octave[1], y * octave[0] + octave[2]
        i, j = int(math.floor(px)), int(math.floor(py))
        tx, ty = single(px - i), single(py - j)
        wx = tx * tx * tx * (tx * (tx * single(6.0) - single(15.0)) + single(10.0))
        wy = ty * ty * ty * (ty * (ty * single(6.0) - single(15.0)) + single(10.0))
        real, imag = single(0.0), single(0.0)
        for b in range(2):
            for a in range(2):
                weight = (wx if a else single(1.0) - wx) * (wy if b else single(1.0) - wy)
                phase = wave * ((tx - single(a)) * nx + (ty - single(b)) * ny)
                cosine, sine = weight * math.cos(phase), weight * math.sin(phase)
                cell = start + (j + b) % count * count + (i + a) % count
                real += cosine * phases[0, cell] - sine * phases[1, cell]
                imag += cosine * phases[1, cell] + sine * phases[0, cell]
        return real, imag

    @jit
    def across(x: float, y: float) -> Any:
        ux, uy = single(summit_x - x), single(summit_y - y)
        length = math.sqrt(ux * ux + uy * uy) + single(1e-30)
        return -uy / length, ux / length

    @jit
    def turned(nx: Any, ny: Any, imag: Any, octave: Any) -> Any:
        cosine, sine = single(octave[4]), single(octave[5])
        if imag < single(0.0):
            sine = -sine
        return cosine * nx + sine * ny, cosine * ny - sine * nx

    @jit
    def phases_of(number: int, table: Any, seeds: Any, starts: Any, phases: Any) -> None:
        count = int(table[number, 0])
        seed = values[0]
        for k in range(keys.size):
            if keys[k] == seeds[number]:
                seed = values[k]
        for j in range(count):
            for i in range(count):
                x = (i - table[number, 1]) / table[number, 0]
                y = (j - table[number, 2]) / table[number, 0]
                nx, ny = across(x, y)
                for octave in range(number):
                    _, imag = waves(x, y, nx, ny, table[octave], starts[octave], phases)
                    nx, ny = turned(nx, ny, imag, table[octave])
                real, imag = single(0.0), single(0.0)
                for b in range(-2, 3):
                    for a in range(-2, 3):
                        side = single(a) * nx + single(b) * ny
                        front = single(a * a + b * b) - side * side
                        weight = single(1.0) - side * side / (beside * beside)
                        weight = max(weight - front / (along * along), single(0.0))
                        weight *= weight
                        phase = own_phase((i + a) % count, (j + b) % count, seed) - wave * side
                        real += weight * math.cos(phase)
                        imag += weight * math.sin(phase)
                length = math.sqrt(real * real + imag * imag) + single(1e-30)
                phases[0, starts[number] + j * count + i] = real / length
                phases[1, starts[number] + j * count + i] = imag / length

    @jit
    def drawn(side: int, table: Any, starts: Any, phases: Any) -> Any:
        out = np.empty((side, side), np.float32)
        for row in range(side):
            for column in range(side):
                x, y = column / side, row / side
                nx, ny = across(x, y)
                mask, target, change = single(0.8 * 1.2), single(0.0), single(0.0)
                for number in range(table.shape[0]):
                    octave = table[number]
                    real, imag = waves(x, y, nx, ny, octave, starts[number], phases)
                    factor = math.sqrt(single(1.08) / (real * real + imag * imag + single(0.08)))
                    real *= factor
                    rest = single(1.0) - abs(imag * factor)
                    nx, ny = turned(nx, ny, imag, octave)
                    target += (real - target) * mask
                    change += single(octave[3]) * target
                    flank = single(1.0) - rest * rest * rest
                    mask = mask * (single(1.5) - single(0.5) * mask) * flank
                out[row, column] = change
        return out

    return phases_of, drawn


def main() -> None:
    """Print the ratios."""
    side = 1024
    one, two, other = ours(side, 1), ours(side, 2), peer(side)
    if other is not None:
        apart = np.abs(one() - other())
        print(f"median difference to the peer {np.median(apart):.1e}")
        mine, theirs = timed([one, other], 5)
        print(f"one thread / numba: {mine.best / theirs.best:.2f}", end="")
        print(f" ({mine.best * 1e3:.0f} ms / {theirs.best * 1e3:.0f} ms); must 0.65, aim 0.4")
    single, double = timed([one, two], 7, time.perf_counter)
    print(f"two threads / one: {double.best / single.best:.2f}; must 0.75, aim 0.55")


if __name__ == "__main__":
    main()
