# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of the benchmarks: the work, the peer, and the required ratio."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from noise_core import Grid
from noise_core.noises import Cellular, Fractal, Perlin, Simplex, Warp
from noise_core.noises.bases.noise import Noise

from . import peers
from .measure import Work

SEED = 7
SIMD, LITE = "pyfastnoisesimd", "pyfastnoiselite"
_FBM = "Perlin fbm, 8 octaves from 8 cells"
_SIMPLEX_FBM = "Simplex fbm, 8 octaves from 8 cells"


class Limits(NamedTuple):
    """Ratios of our time to the peer's; None where something else is asked for.

    Attributes
    ----------
    must, aim : float or None
        With a NumPy without BLAS.
    must_with_openblas : float or None
        With OpenBLAS.
    """

    must: float | None
    aim: float | None
    must_with_openblas: float | None


@dataclass(frozen=True)
class Case:
    """One row: our work against the peer's.

    Attributes
    ----------
    name : str
        What is done.
    samples : int
        Into how many the time is divided.
    library : str
        The peer's, a key of `noise_peers.HEADS`.
    ours : Work
        To be timed in turn with the peer's.
    peer : callable
        Makes the peer's work with its coordinates, which are large; None if the peer is not there.
    limits : Limits
        What is asked for.
    """

    name: str
    samples: int
    library: str
    ours: Work
    peer: Callable[[], Work | None]
    limits: Limits


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
    """Yield the cases."""
    yield from _on_grids()
    yield from _warps()
    yield from _at_points()


def _on_grids() -> Iterator[Case]:
    simplex, simplex_8 = Simplex(frequency=32.0), Fractal(source=Simplex(frequency=8.0), octaves=8)
    perlin, perlin_8 = Perlin(frequency=32.0), Fractal(source=Perlin(frequency=8.0), octaves=8)
    cellular = Cellular(frequency=32.0)
    rows = [
        ("Perlin, 32 cells", perlin, 1024, ("Perlin", 32.0, 1), (0.5, 0.4, 0.5)),
        (_FBM, perlin_8, 512, ("Perlin", 8.0, 8), (None, None, None)),  # see `before`
        (_FBM, perlin_8, 1024, ("Perlin", 8.0, 8), (0.8, 0.5, 0.8)),
        (_FBM, perlin_8, 4096, ("Perlin", 8.0, 8), (0.45, 0.3, 0.45)),
        ("Simplex, 32 cells", simplex, 1024, ("Simplex", 32.0, 1), (1.2, 0.8, 1.2)),
        (_SIMPLEX_FBM, simplex_8, 1024, ("Simplex", 8.0, 8), (1.5, 1.0, 1.5)),
        (_SIMPLEX_FBM, simplex_8, 4096, ("Simplex", 8.0, 8), (1.0, 0.7, 1.0)),
        ("Cellular F1, 32 cells", cellular, 1024, ("Cellular", 32.0, 1), (1.0, 0.7, 1.0)),
    ]
    for name, noise, side, (kind, cells, octaves), limits in rows:
        peer = functools.partial(peers.fast_noise_simd, kind, cells, side, octaves)
        ours = single(noise, side)
        yield Case(f"{name}, {side}²", side * side, SIMD, ours, peer, Limits(*limits))


def _warps() -> Iterator[Case]:
    side = 1024
    for method, limits in (("exact", (0.5, 0.35, 0.5)), ("lookup", (0.3, 0.15, 0.3))):
        name = f"Warp, two levels, fbm of 5 octaves, {method}, {side}²"
        work = single(warp(method), side)
        peer = functools.partial(_warp_peer, side)
        yield Case(name, side * side, LITE, work, peer, Limits(*limits))


def _at_points() -> Iterator[Case]:
    count = 1_000_000
    points = np.random.default_rng(SEED).random((count, 2), dtype=np.float32)
    perlin, perlin_8 = Perlin(frequency=32.0), Fractal(source=Perlin(frequency=8.0), octaves=8)
    rows = [("Perlin", perlin, ("Perlin", 32.0, 1)), (_FBM, perlin_8, ("Perlin", 8.0, 8))]
    for name, noise, generator in rows:
        peer = functools.partial(_peer, generator, lambda: np.ascontiguousarray(points.T))
        ours = functools.partial(noise.sample, points, SEED, threads=1)
        name = f"{name} at random points, 1 million"
        yield Case(name, count, LITE, ours, peer, Limits(1.0, 0.7, 1.0))


def _peer(
    generator: tuple[str, float, int], coordinates: Callable[[], peers.Coordinates]
) -> Work | None:
    if not peers.has_fast_noise_lite():
        return None
    noise, places = peers.fast_noise_lite(*generator), coordinates()
    # Its coordinates are made beforehand: that is to the peer's advantage.
    return lambda: noise.gen_from_coords(places)  # type: ignore[attr-defined]


def _warp_peer(side: int) -> Work | None:
    if not peers.has_fast_noise_lite():
        return None
    return peers.fast_noise_lite_warp(peers.grid_coordinates(side), 0.1)
