# SPDX-License-Identifier: GPL-3.0-or-later
"""Public callables with arguments that they take, and values of wrong types to try instead."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from noise_core import (
    Control,
    Grid,
    Group,
    NoiseLayer,
    Recipe,
    Relief,
    coloring_types,
    map_types,
    modifier_types,
    noise_types,
    read_maps,
)
from noise_core.codecs.image_files import read_image, read_pixels
from noise_core.io.elevation_reading import (
    LoadedHeights,
    elevation_from_samples,
    join_elevations,
    measured_land,
    probe_elevation,
    read_elevation,
)
from noise_core.io.heightmaps import ExportOptions, export_heightmap
from noise_core.landscapes.look import Look
from noise_core.landscapes.preset_library import load_preset, preset
from noise_core.materials.by_example.settings import ByExample
from noise_core.materials.surfaces import Surface, surface
from noise_core.noises import Perlin
from noise_core.pictures.thumbnail import surface_picture, thumbnail

GRID = Grid(5, 6, size=50.0)
FLAT = np.zeros((5, 6), np.float32)
RECIPE = Recipe(layers=(Perlin(), modifier_types()["blur"]()))

WRONG = (
    None,
    True,
    math.nan,
    math.inf,
    "word",
    b"bytes",
    3,
    -1,
    2.5,
    1j,
    10**400,
    object(),
    int,
    len,
    [],
    (),
    {},
    {"a": 1},
    [1.0, None],
    ["a", "b"],
    np.zeros(3),
    np.zeros((2, 2, 2)),
    np.array(["a"]),
    np.array([None, {}], object),
    np.float64(math.nan),
    set(),
    range(3),
    GRID,
    Perlin(),
)
"""Values, each of which is wrong for most parameters."""

REPLACING = ExportOptions(overwrite=True)

Call = tuple[str, Callable[..., object], dict[str, object]]


def calls(folder: Path) -> list[Call]:
    """Return public callables by name, each with arguments for the parameters that it needs."""
    noise, blur, slope = Perlin(), modifier_types()["blur"](), map_types()["slope"]()
    granite, example = surface("granite"), np.zeros((8, 8, 3), np.uint8)
    field, land = {"height": FLAT, "grid": GRID}, folder / "land"
    export = functools.partial(export_heightmap, RECIPE, land, target="npy", samples=5)
    file = folder / "heights.npy"
    np.save(file, FLAT)
    elevation = read_elevation(file)
    named = [
        ("Grid", Grid, {"rows": 3, "columns": 3}),
        ("Grid.window", GRID.window, {"row": 0, "column": 0, "rows": 2, "columns": 2}),
        ("Recipe", Recipe, {}),
        ("Recipe.grid", RECIPE.grid, {"resolution": 5}),
        ("Recipe.evaluate", RECIPE.evaluate, {"grid": GRID}),
        ("Recipe.ground", RECIPE.ground, {"grid": GRID}),
        ("Recipe.with_size", RECIPE.with_size, {"size": 5.0}),
        ("Recipe.from_json", Recipe.from_json, {"text": RECIPE.to_json()}),
        ("Recipe.from_plain", Recipe.from_plain, {"plain": {"format": 1}}),
        ("Recipe.from_preset", Recipe.from_preset, {"name": "alps"}),
        ("preset", preset, {"name": "alps"}),
        ("load_preset", load_preset, {"name": "alps"}),
        ("NoiseLayer", NoiseLayer, {}),
        ("Group", Group, {}),
        ("Noise.sample", noise.sample, {"points": [[0.5, 0.5]]}),
        ("Noise.gradient", noise.gradient, {"points": [[0.5, 0.5]]}),
        ("Noise.sample_grid", noise.sample_grid, {"grid": GRID}),
        ("Noise.gradient_grid", noise.gradient_grid, {"grid": GRID}),
        ("Modifier.apply", blur.apply, field),
        ("Map.values", slope.values, field),
        ("Map.mask", slope.mask, field),
        ("read_maps", read_maps, {**field, "maps": {"slope": slope}}),
        ("surface", surface, {"name": "granite"}),
        ("Surface", Surface, {"label": "A", "fields": {}, "maps": {}}),
        ("Surface.textures", granite.textures, {"grid": Grid(4, 4, wrap=True)}),
        ("Surface.from_json", Surface.from_json, {"text": granite.to_json()}),
        ("surface_picture", surface_picture, {"surface": granite, "seed": 1, "side": 4}),
        ("thumbnail", thumbnail, {**field, "look": Look(), "reach": 1.0}),
        ("ByExample", ByExample, {}),
        ("ByExample.paint", ByExample().paint, {"example": example, "grid": Grid(4, 4, wrap=True)}),
        ("Coloring.paint", coloring_types()["marble"]().paint, {"grid": GRID}),
        ("read_image", read_image, {"path": folder / "none.png"}),
        ("read_pixels", read_pixels, {"path": folder / "none.png"}),
        ("read_elevation", read_elevation, {"path": file}),
        ("probe_elevation", probe_elevation, {"path": file}),
        ("LoadedHeights", LoadedHeights, {"array": FLAT, "name": "a", "label": "A"}),
        ("elevation_from_samples", elevation_from_samples, {"loaded": LoadedHeights(FLAT, "a", "A")}),
        ("join_elevations", join_elevations, {"elevations": [elevation]}),
        ("measured_land", measured_land, {"elevation": elevation}),
        ("export_heightmap", export_heightmap,
         {"land": RECIPE, "path": land, "target": "npy", "samples": 5, "options": REPLACING}),
        ("export_heightmap of heights", export_heightmap,
         {"land": Relief(FLAT), "path": land, "target": "npy", "size": 5.0, "options": REPLACING}),
        ("ExportOptions", export_with(ExportOptions, "options", export), {"overwrite": True}),
        ("Control", export_with(Control, "control", export), {}),
    ]  # fmt: skip
    for types in (noise_types(), modifier_types(), map_types(), coloring_types()):
        named += [(cls.__name__, cls, {}) for cls in types.values()]
    return named


def export_with(cls: type, argument: str, export: Callable[..., object]) -> Callable[..., object]:
    """Return an export that takes the parameters of its options, or of its control, as its own."""

    def export_directly(**given: object) -> object:
        return export(**{"options": REPLACING, argument: cls(**given)})

    export_directly.__signature__ = inspect.signature(cls)
    return export_directly


def parameters_of(function: Callable[..., object]) -> Iterator[str]:
    """Yield the parameters of a callable by name."""
    for name, one in inspect.signature(function).parameters.items():
        is_named = one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        if is_named:
            yield name
