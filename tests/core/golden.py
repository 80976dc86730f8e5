# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden fields: the reviewed output of every noise type, one small file per type."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from noise_core import Grid, Noise, ParameterError, Recipe, noise_types
from noise_core.noises import Cellular, Fractal, Perlin, Raster, Simplex, Value, Warp

FOLDER = Path(__file__).parents[1] / "golden"
TOLERANCE = 2e-6
"""Lattice noise may differ by this much on processors that fuse additions, such as arm64."""

SEED = 20260
SIDE = 32


def variants() -> Mapping[str, Noise]:
    """Return noises with other than their default parameters, by names for their files."""
    # Of numbers that every NumPy has alike, unlike those of the default picture.
    picture = Raster(pixels=np.arange(48.0).reshape(6, 8) * 5.0 % 17.0 / 8.0 - 1.0)
    bent = Warp(source=Perlin(frequency=5.0), displacement=Value(frequency=3.0), strength=0.3)
    return {
        "warp-levels": bent.with_values(levels=2),
        "warp-levels-looked-up": bent.with_values(
            levels=2, method="lookup", scale=(1.0, -0.5, 2.0)
        ),
        "warp-levels-of-fractals": Warp(levels=2, strength=0.2),
        "warp-by-picture": bent.with_values(displacement=picture, levels=2),
        "fractal-same-seeds": Fractal(octave_seeds="same", shift=False, persistence=0.7),
        "fractal-turned": Fractal(source=Simplex(frequency=3.0), kind="ridged", rotation=31.0),
        "fractal-hybrid-limited": Fractal(kind="hybrid_multifractal", offset=2.0, band_limit=True),
        "cellular-fourth": Cellular(output="f4", metric="manhattan", jitter=0.8),
    }


def named() -> Mapping[str, Noise]:
    """Return every noise that golden fields are kept of: each type by its key, and variants."""
    return {**{key: cls() for key, cls in noise_types().items()}, **variants()}


def path(key: str) -> Path:
    """Return where the golden fields of a type lie."""
    return FOLDER / f"{key}.npz"


def scattered() -> np.ndarray:
    """Return 64 points in space, spread by the powers of the plastic number."""
    steps = (0.7548776662466927, 0.5698402909980532, 0.3247179572447461)
    return np.arange(1, 65)[:, np.newaxis] * np.array(steps) % 1.0 * 4.0 - 2.0


def fields(noise: Noise) -> Mapping[str, np.ndarray]:
    """Return the golden fields of a noise: a tile, a seamless one, and points in space if it takes them."""
    kept = {
        "tile": noise.sample_grid(Grid(SIDE, SIDE), SEED),
        "seamless": noise.sample_grid(Grid(SIDE, SIDE, wrap=True), SEED),
    }
    try:
        kept["points"] = noise.sample(scattered(), SEED)
    except ParameterError:
        pass
    return kept


def save(key: str, noise: Noise) -> None:
    """Write the golden fields of a type, with the recipe that gave them."""
    FOLDER.mkdir(exist_ok=True)
    with zipfile.ZipFile(path(key), "w", zipfile.ZIP_DEFLATED) as archive:
        # A fixed date, so that equal fields are equal files.
        archive.writestr(zipfile.ZipInfo("recipe.json"), Recipe(layers=noise, seed=SEED).to_json())
        for name, field in fields(noise).items():
            data = io.BytesIO()
            np.save(data, field.astype("<f4"), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data.getvalue())


def load(key: str) -> tuple[str, Mapping[str, np.ndarray]]:
    """Return the recipe and the fields of a type as they were saved."""
    with zipfile.ZipFile(path(key)) as archive:
        recipe = archive.read("recipe.json").decode("utf-8")
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        return recipe, {
            name.removesuffix(".npy"): np.load(io.BytesIO(archive.read(name))) for name in names
        }


def difference(actual: np.ndarray, golden: np.ndarray, scale: float = 1.0) -> str:
    """Return the difference of a field, or None: bytes first, then the tolerance."""
    if actual.shape != golden.shape:
        return f"shape {actual.shape} instead of {golden.shape}"
    if actual.tobytes() == golden.tobytes():
        return ""
    apart = np.abs(actual.astype(np.float64) - golden.astype(np.float64))
    if not np.isfinite(apart).all():
        return f"{int((~np.isfinite(apart)).sum())} samples are not finite"
    if apart.max() <= TOLERANCE * scale:
        return ""
    place = tuple(int(index) for index in np.unravel_index(apart.argmax(), apart.shape))
    return (
        f"differs by up to {apart.max():.3g}, at {place}: {actual[place]:.9g} "
        f"instead of {golden[place]:.9g}; allowed {TOLERANCE * scale:.3g}"
    )
