# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured, against whom, and what is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from noise_core import Grid
from noise_core.noise import Noise
from noise_core.noises import Cellular, Fractal, Perlin, Simplex, Warp

from . import peers
from .measure import Work

SEED = 7


@dataclass(frozen=True)
class Case:
    """One row: our work against the peer's.

    Attributes
    ----------
    name : str
        What is done.
    samples : int
        Into how many the time is divided.
    ours, peer : Work
        To be timed in turn.
    must, aim : float
        Ratios of our time to the peer's.
    """

    name: str
    samples: int
    ours: Work
    peer: Work
    must: float
    aim: float


def single(noise: Noise, side: int) -> Work:
    """Return the noise on a square grid, on one thread."""
    grid = Grid(side, side)
    return lambda: noise.sample_grid(grid, SEED, threads=1)


def warp(method: str) -> Noise:
    """Return the two-level domain warp of fbm with 5 octaves."""
    fbm = Fractal(source=Perlin(frequency=4.0), octaves=5)
    noise: Noise = Warp(source=fbm, displacement=fbm, strength=0.1, levels=2, method=method)
    return noise


def cases() -> Iterator[Case]:
    """Yield the cases one by one, so that only one holds its coordinates."""
    yield from _on_grids()
    yield from _at_points()


def _on_grids() -> Iterator[Case]:
    perlin, perlin_8 = Perlin(frequency=32.0), Fractal(source=Perlin(frequency=8.0), octaves=8)
    simplex, simplex_8 = Simplex(frequency=32.0), Fractal(source=Simplex(frequency=8.0), octaves=8)
    rows = [
        ("Perlin, one octave, 32 cells", perlin, 4096, ("Perlin", 32.0, 1), 0.10, 0.04),
        ("Perlin fbm, 8 octaves from 8 cells", perlin_8, 4096, ("Perlin", 8.0, 8), 0.15, 0.06),
        ("Perlin fbm, 8 octaves from 8 cells", perlin_8, 1024, ("Perlin", 8.0, 8), 0.35, 0.12),
        ("Cellular F1, 32 cells", Cellular(frequency=32.0), 4096, ("Cellular", 32.0, 1), 0.35, 0.15),
        ("Simplex, 32 cells", simplex, 4096, ("OpenSimplex2", 32.0, 1), 0.7, 0.3),
        ("Simplex fbm, 8 octaves from 8 cells", simplex_8, 4096, ("OpenSimplex2", 8.0, 8), 0.6, 0.2),
    ]  # fmt: skip
    for name, noise, side, (kind, frequency, octaves), must, aim in rows:
        generator = peers.fast_noise_lite(kind, frequency, octaves)
        work = _peer(generator, peers.grid_coordinates(side))
        yield Case(f"{name}, {side}²", side * side, single(noise, side), work, must, aim)
    side = 1024
    for method, must, aim in (("exact", 1.0, 0.6), ("lookup", 0.3, 0.15)):
        name = f"Warp, two levels, fbm of 5 octaves, {method}, {side}²"
        work = peers.fast_noise_lite_warp(peers.grid_coordinates(side), 0.1)
        yield Case(name, side * side, single(warp(method), side), work, must, aim)


def _at_points() -> Iterator[Case]:
    count = 1_000_000
    points = np.random.default_rng(SEED).random((count, 2), dtype=np.float32)
    noise = Perlin(frequency=32.0)
    work = _peer(peers.fast_noise_lite("Perlin", 32.0), np.ascontiguousarray(points.T))

    def ours() -> object:
        return noise.sample(points, SEED, threads=1)

    yield Case("Perlin at random points, 1 million", count, ours, work, 2.0, 1.2)


def _peer(generator: object, coordinates: peers.Coordinates) -> Work:
    # Its coordinates are made beforehand: that is to the peer's advantage.
    return lambda: generator.gen_from_coords(coordinates)  # type: ignore[attr-defined]
