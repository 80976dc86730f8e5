# SPDX-License-Identifier: GPL-3.0-or-later
"""Peer libraries, each as a function for one task.

A peer that is not installed gives None, and its row says so.
"""

from __future__ import annotations

import importlib
from types import ModuleType

import numpy as np
import numpy.typing as npt

from .measure import Work

Coordinates = npt.NDArray[np.float32]


def installed(name: str) -> ModuleType | None:
    """Return a module, or None if it is not there or does not load."""
    if name == "pyfastnoisesimd" and not hasattr(np, "product"):
        vars(np)["product"] = np.prod  # it was written for NumPy 1
    try:
        return importlib.import_module(name)
    except (ImportError, AttributeError):
        return None


def grid_coordinates(side: int) -> Coordinates:
    """Return the coordinates of a square grid of one tile, shape (2, side * side)."""
    axis = np.linspace(0.0, 1.0, side, dtype=np.float32)
    x, y = np.meshgrid(axis, axis)
    return np.stack((x.ravel(), y.ravel()))


def has_fast_noise_lite() -> bool:
    """Return whether pyfastnoiselite is installed."""
    return installed("pyfastnoiselite.pyfastnoiselite") is not None


def fast_noise_lite(noise: str, frequency: float, octaves: int = 1, seed: int = 7) -> object:
    """Return a configured pyfastnoiselite generator.

    Parameters
    ----------
    noise : str
        "Perlin", "OpenSimplex2" or "Cellular" (Euclidean distance to the nearest point).
    frequency : float
        Cells per tile.
    octaves : int
        More than one makes an fbm with lacunarity 2 and gain 0.5.
    """
    module = importlib.import_module("pyfastnoiselite.pyfastnoiselite")
    generator = module.FastNoiseLite(seed=seed)
    generator.noise_type = getattr(module.NoiseType, f"NoiseType_{noise}")
    generator.frequency = frequency
    if noise == "Cellular":
        euclidean = module.CellularDistanceFunction.CellularDistanceFunction_Euclidean
        generator.cellular_distance_function = euclidean
        generator.cellular_return_type = module.CellularReturnType.CellularReturnType_Distance
    if octaves > 1:
        generator.fractal_type = module.FractalType.FractalType_FBm
        generator.fractal_octaves = octaves
        generator.fractal_lacunarity = 2.0
        generator.fractal_gain = 0.5
    return generator


def fast_noise_lite_warp(coordinates: Coordinates, strength: float) -> Work:
    """Return a two-level domain warp out of five evaluations of a 5-octave fbm."""
    generators = [fast_noise_lite("Perlin", 4.0, 5, seed) for seed in range(5)]

    def moved(first: int, points: Coordinates) -> Coordinates:
        shifts = [generators[first + axis].gen_from_coords(points) for axis in (0, 1)]  # type: ignore[attr-defined]
        return coordinates + np.float32(strength) * np.stack(shifts)

    def work() -> object:
        points = moved(2, moved(0, coordinates))
        return generators[4].gen_from_coords(points)  # type: ignore[attr-defined]

    return work


def fast_noise_simd(noise: str, cells: float, side: int, octaves: int = 1) -> Work | None:
    """Return the work of pyfastnoisesimd on a square grid of one tile, on one thread; None without it.

    Parameters
    ----------
    noise : str
        "Perlin", "Simplex" or "Cellular" (Euclidean distance to the nearest point).
    cells : float
        Per tile.
    side : int
        Samples along each side.
    octaves : int
        More than one makes an fbm with lacunarity 2 and gain 0.5.
    """
    simd = installed("pyfastnoisesimd")
    if simd is None:
        return None
    generator = simd.Noise(seed=7, numWorkers=1)
    generator.frequency = cells / side
    generator.noiseType = simd.NoiseType[noise if octaves == 1 else f"{noise}Fractal"]
    generator.fractal.octaves = octaves
    generator.fractal.lacunarity = 2.0
    generator.fractal.gain = 0.5
    generator.cell.distanceFunc = simd.CellularDistanceFunction.Euclidean
    generator.cell.returnType = simd.CellularReturnType.Distance
    return lambda: generator.genAsGrid([1, side, side])


def simd_level() -> str:
    """Return the widest vector instructions that pyfastnoisesimd uses here, "" if it is not installed."""
    simd = installed("pyfastnoisesimd")
    return "" if simd is None else str(simd.extension.SIMD_LEVEL)


def other_perlin(side: int) -> dict[str, Work]:
    """Return one octave of Perlin noise, 32 cells, by vnoise if it is installed."""
    vnoise = installed("vnoise")
    if vnoise is None:
        return {}
    noise, axis = vnoise.Noise(7), np.linspace(0.0, 32.0, side, dtype=np.float64)
    return {"vnoise (NumPy)": lambda: noise.noise2(axis, axis, grid_mode=True)}


def other_simplex(side: int) -> dict[str, Work]:
    """Return one octave of simplex noise, 32 cells, by opensimplex if it is installed."""
    opensimplex = installed("opensimplex")
    if opensimplex is None or installed("numba") is None:
        return {}
    axis = np.linspace(0.0, 32.0, side, dtype=np.float64)
    opensimplex.seed(7)
    return {"opensimplex with numba": lambda: opensimplex.noise2array(axis, axis)}
