# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests of recipes that between them use everything in a height path: the same bits on every x86-64.

    python -m tests.core.digests

prints them as JSON, with the NumPy and the processor that they were made with. `test_same_bits.py` does that with features of the processor turned off, and compares with the
file that `tools/update_golden.py --digests` writes.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from noise_core import (
    Grid,
    Map,
    Modifier,
    Noise,
    ParameterError,
    map_types,
    modifier_types,
    noise_types,
)
from noise_core.base.blending import OPTIONS
from noise_core.fractals.kinds import KINDS
from noise_core.landscapes.preset_library import preset, shipped_names
from noise_core.noises import Cellular, Fractal, Perlin, Power, Simplex, Transform, Value, Warp
from noise_core.recipes import evaluation
from noise_core.recipes.evaluation import Sampling
from noise_core.recipes.folding import Scope
from noise_core.recipes.layers import NoiseLayer
from tests.core import golden_modifiers

FILE = Path(__file__).parents[1] / "golden" / "digests.json"
SEED = 20260

SAMPLES = 24
"""So many of a recipe's numbers are kept beside its digest, for processors that only come close."""

NOISE_GRIDS = (Grid(72, 48, wrap=True), Grid(31, 47, origin=(-3.25, 7.7)), Grid(60, 80))
POINTS = 25
MODIFIER_GRIDS = (Grid(129, 144, size=3200.0), Grid(144, 128, size=3200.0, wrap=True))

Fields = Mapping[str, np.ndarray]


def variants(cls: type) -> Iterator[tuple[str, object]]:
    """Yield a type with its defaults, with every other option of its choices and each switch turned, by name."""
    curves = golden_modifiers.curves_of(cls)
    yield cls.key, cls(**curves)
    for parameter in cls.parameters():
        if parameter.kind == "boolean" and parameter.name != "muted":  # that concerns recipes alone
            turned = not parameter.default
            name = f"{parameter.name} {'on' if turned else 'off'}"
            yield f"{cls.key} {name}", cls(**curves, **{parameter.name: turned})
        for option in parameter.options or ():
            if option != parameter.default:
                yield f"{cls.key} {option}", cls(**curves, **{parameter.name: option})


def noises() -> Iterator[tuple[str, Noise]]:
    """Yield every noise, fractal kind and warp, and options beside the defaults."""
    for cls in noise_types().values():
        yield from variants(cls)
    for kind in KINDS:
        source = Perlin(frequency=2.3)
        yield (
            f"turned {kind}",
            Fractal(source=source, kind=kind, octaves=5.5, lacunarity=2.03, rotation=31.0),
        )
    for source in (Simplex(frequency=3.0), Value(frequency=3.0), Cellular(frequency=3.0)):
        yield f"fractal of {source.key}", Fractal(source=source, octaves=4, persistence=0.45)
    yield "warp twice", Warp(strength=0.4, levels=2)
    yield "power 0.45", Power(exponent=0.45)
    yield "turned perlin", Transform(source=Perlin(frequency=5.0), rotation=33.0)
    for output in ("f1", "f2_minus_f1"):
        yield f"minkowski {output}", Cellular(metric="minkowski", exponent=2.6, output=output)


def noise_fields(noise: Noise) -> Fields:
    """Return a noise on tiles and a torus."""
    return {str(place): noise.sample_grid(grid, SEED) for place, grid in enumerate(NOISE_GRIDS)}


def point_fields(noise: Noise, dimensions: Iterable[int]) -> Fields:
    """Return a noise and its derivatives at points, in the plane on a torus too, all in float32."""
    results = {}
    for dimension in dimensions:
        # Powers of the plastic number and its like: no lattice falls in with them.
        steps = np.array((0.7548776662466927, 0.5698402909980532, 0.3247179572447461, 0.85667488))
        points = np.arange(1, POINTS + 1)[:, np.newaxis] * steps[:dimension] % 1.0 * 5.0 - 2.0
        columns = tuple(np.ascontiguousarray(axis) for axis in points.T)
        for torus in (None, NOISE_GRIDS[0].torus) if dimension == 2 else (None,):
            try:
                value, slopes = noise.slopes(columns, SEED, torus)
            except ParameterError:  # children may take fewer coordinates than their parent's type
                continue
            results[f"{dimension} {torus is not None} slopes"] = np.stack(slopes)
            results[f"{dimension} {torus is not None} value"] = value
            results[f"{dimension} {torus is not None}"] = noise.values(columns, SEED, torus)
    assert {field.dtype for field in results.values()} == {np.dtype(np.float32)}
    return results


def preset_fields(name: str) -> Fields:
    """Return a preset's heights and maps, eroded, plain and seamless."""
    one = preset(name)
    results = {}
    for grid in (Grid(129, 129, size=one.size), Grid(144, 160, size=one.size, wrap=True)):
        relief = one.recipe.evaluate(grid)
        results.update({f"{grid.wrap} {key}": field for key, field in relief.maps.items()})
        results[f"{grid.wrap}"] = relief.height
    return results


def modifier_fields(modifier: Modifier) -> Fields:
    """Return the result of a modifier on ground that is made of integers."""
    results = {}
    for grid in MODIFIER_GRIDS:
        flooded = golden_modifiers.flood(modifier)
        relief = flooded.apply(golden_modifiers.ground(grid), grid, SEED)
        results.update({f"{grid.wrap} {key}": field for key, field in relief.maps.items()})
        results[f"{grid.wrap}"] = relief.height
    return results


def layer_fields(layer: NoiseLayer) -> Fields:
    """Return such ground with a noise layer laid over it."""
    return {
        f"{grid.wrap}": evaluation.lay_over(
            golden_modifiers.ground(grid), layer, 0, Scope(SEED, 20.0), Sampling(grid)
        )
        for grid in MODIFIER_GRIDS
    }


def map_fields(one: Map) -> Fields:
    """Return a map of such ground, some of which lies under water."""
    grounds = ((grid, golden_modifiers.ground(grid) - np.float32(250.0)) for grid in MODIFIER_GRIDS)
    return {f"{grid.wrap}": one.values(ground, grid) for grid, ground in grounds}


def points() -> Iterator[tuple[str, Fields]]:
    """Yield the fields at points of each noise; beyond space, which takes long, at its defaults alone."""
    for name, noise in noises():
        most = range(1, 9) if name in noise_types() else (2, 3)
        dimensions = [dimension for dimension in noise.dimensions if dimension in most]
        yield f"points: {name}", point_fields(noise, dimensions)


def recipes() -> Iterator[tuple[str, Fields]]:
    """Yield the fields on grids of each recipe by its name: its kind, a colon, and which one."""
    for name in shipped_names():
        yield f"preset: {name}", preset_fields(name)
    for name, noise in noises():
        yield f"noise: {name}", noise_fields(noise)
    for cls in modifier_types().values():
        for name, modifier in variants(cls):
            yield f"modifier: {name}", modifier_fields(modifier)
    rainy = modifier_types()["stream_erosion"](orographic_rain=0.6)
    yield "modifier: stream_erosion with orographic rain", modifier_fields(rainy)
    for mode in OPTIONS:
        layer = NoiseLayer(mode=mode, seed_offset=0x301)
        name = "noise" if mode == "add" else f"noise {mode}"
        yield f"layer: {name}", layer_fields(layer)
    for cls in map_types().values():
        for name, one in variants(cls):
            yield f"map: {name}", map_fields(one)


def digest(fields: Fields) -> str:
    """Return the digest of the bits of fields; -0 is 0."""
    whole = hashlib.sha256()
    for name in sorted(fields):
        whole.update(name.encode())
        whole.update((np.ascontiguousarray(fields[name], "<f4") + np.float32(0.0)).tobytes())
    return whole.hexdigest()[:16]


def samples(fields: Fields) -> list[float]:
    """Return some numbers of the last field, which is a height or a noise."""
    flat = fields[list(fields)[-1]].reshape(-1).astype(np.float64)
    # Steps of the golden ratio: no pattern falls in with them.
    places = (np.arange(1, SAMPLES + 1) * 0.6180339887498949 % 1.0 * flat.size).astype(np.intp)
    return [float(f"{number:.9g}") for number in flat[places]]


def computed() -> dict[str, dict[str, object]]:
    """Return digest and samples of all recipes by name."""
    return {
        name: {"digest": digest(fields), "samples": samples(fields)}
        for name, fields in itertools.chain(recipes(), points())
    }


def saved() -> dict[str, dict[str, object]]:
    """Return the saved digests, in the same form."""
    loaded: dict[str, dict[str, object]] = json.loads(FILE.read_text("utf-8"))
    return loaded


def save(all_recipes: Mapping[str, object]) -> None:
    """Write digests and samples, a line for each recipe."""
    lines = [f"{json.dumps(name)}: {json.dumps(recipe)}" for name, recipe in all_recipes.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


# --- what the processor does for NumPy ---------------------------------------------------------------


def _umath() -> object:
    if int(np.__version__.split(".")[0]) >= 2:
        from numpy._core import _multiarray_umath
    else:
        from numpy.core import _multiarray_umath
    return _multiarray_umath


def features() -> set[str]:
    """Return the processor's features that this NumPy has code for and may use now."""
    umath = _umath()
    return {name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name)}  # type: ignore[attr-defined]


def matrix_library() -> str:
    """Return the kernels that NumPy's OpenBLAS has chosen, nothing if it has another library or none."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return ""
    np.ones((2, 2)) @ np.ones((2, 2))
    files = {line.split()[-1] for line in maps.read_text().splitlines() if "openblas" in line}
    for file in files:
        library = ctypes.CDLL(file)
        for prefix in ("scipy_openblas", "openblas"):
            for suffix in ("64_", ""):
                function = getattr(library, f"{prefix}_get_corename{suffix}", None)
                if function is not None:
                    function.restype = ctypes.c_char_p
                    return str(function().decode())
    return ""


if __name__ == "__main__":
    report = {
        "features": sorted(features()),
        "library": matrix_library(),
        "recipes": computed(),
    }
    json.dump(report, sys.stdout)
