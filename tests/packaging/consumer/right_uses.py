# SPDX-License-Identifier: GPL-3.0-or-later
"""Twenty and more right uses of the installed core, as a studio's own code has them; checked, never run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from noise_core import (
    Control,
    Elevation,
    ExportOptions,
    ExportReport,
    Grid,
    Group,
    Noise,
    NoiseLayer,
    ParameterError,
    Recipe,
    export_heightmap,
    map_types,
    modifier_types,
    noise_types,
    read_elevation,
    read_maps,
)
from noise_core.io.elevation_reading import measured_land
from noise_core.io.targets import Unreal
from noise_core.maps import Flow, Slope, slope, slope_mask
from noise_core.masks import MapMask
from noise_core.materials.colorings import SeaLevel
from noise_core.materials.surfaces import surface
from noise_core.modifiers import Blur, StreamErosion, ThermalErosion
from noise_core.noises import Blend, Cellular, Fractal, Perlin, Raster, Simplex, Value, Warp, White
from terrane_worlds import World

Field = npt.NDArray[np.float32]


def make_noise() -> Noise:
    """Nest noises, with whole and broken numbers."""
    base = Fractal(
        source=Perlin(frequency=4, fade="cubic"), kind="ridged", octaves=8, persistence=0.5
    )
    return Warp(source=base, strength=0.1, displacement=Simplex(frequency=2.0))


def sample_points(noise: Noise) -> Field:
    """Sample at lists and at arrays of any float type."""
    first: Field = noise.sample([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], seed=7)
    second: Field = noise.sample(np.zeros((4, 2)), 7, threads=2)
    return np.concatenate([first, second])


def sample_grid() -> Field:
    """Sample a seamless image."""
    return Cellular(frequency=8.0).sample_grid(Grid(256, 128, wrap=True), seed=3)


def read_slopes(noise: Noise) -> Field:
    """Read values and slopes, at points and on a grid."""
    slopes = noise.gradient([[0.5, 0.5]], seed=7)
    return slopes + noise.gradient_grid(Grid(1, 1), seed=7, evolution=(0.5,))


def move_origin(noise: Noise) -> bool:
    """Join a tile with its neighbor."""
    west, east = (noise.sample_grid(Grid(129, 129, origin=(x, 0)), 7) for x in (0.0, 1.0))
    return np.array_equal(west[:, -1], east[:, 0])


def make_recipe() -> Recipe:
    """Take plain noises, layers, groups and modifiers for layers, in a tuple or a list."""
    layers = (
        Perlin(frequency=2.0),
        NoiseLayer(noise=Value(), mode="max", opacity=0.5, mask=MapMask(map=Slope(), low=30.0)),
        Group(layers=(NoiseLayer(noise=White()),), chain=()),
        StreamErosion(strength=0.6),
        ThermalErosion(),
    )
    Recipe(layers=[Blend(), Blur()], seed=3)
    return Recipe(layers=layers, seed=7, height=20, size=100.0)


def evaluate(recipe: Recipe) -> tuple[Field, Field]:
    """Evaluate a recipe, and read the results."""
    relief = recipe.evaluate(recipe.grid(1025), masks={1: np.ones((1025, 1025))}, threads=1)
    return relief.height, relief.maps["flow"]


def read_presets() -> list[str]:
    """Take recipes from presets and to text and back."""
    recipes = [Recipe.from_preset(name, seed=7) for name in ("alps", "canyon")]
    return [Recipe.from_json(recipe.to_json()).to_json() for recipe in recipes]


def change_values(recipe: Recipe) -> Recipe:
    """Change the base of a recipe by keywords."""
    return recipe.with_values(octaves=6, frequency=3.0)


def apply_modifier(mine: npt.NDArray[np.float64]) -> Field:
    """Erode heights of one's own where a mask allows it."""
    grid = Grid(129, 129, size=10_000.0)
    gentle = 1.0 - slope_mask(mine, grid, low=25.0, falloff=10.0)
    eroded = StreamErosion(strength=0.6).apply(mine, grid, seed=7, mask=gentle)
    return slope(eroded.height, grid)


def read_several(height: Field) -> dict[str, Field]:
    """Read several maps together."""
    return read_maps(height, Grid(129, 129, size=1000.0), {"steep": Slope(), "wet": Flow()})


def use_map(height: Field) -> Field:
    """Read a map and its mask by its type."""
    grid = Grid(129, 129, size=1000.0)
    return Slope().values(height, grid) * Slope().mask(height, grid, 10.0, 30.0, 5.0)


def read_land(path: Path) -> Elevation:
    """Read measured land, from one file or several."""
    read_elevation(["a.tif", "b.tif"], samples=1024)
    return read_elevation(path)


def land_of(elevation: Elevation) -> Recipe:
    """Make a recipe of measured land."""
    return measured_land(elevation, size=2000.0).recipe


def export(recipe: Recipe, folder: Path) -> ExportReport:
    """Export for an engine, by its key or with options."""
    export_heightmap(
        recipe, folder / "a.png", target="unity", samples=513, options=ExportOptions(maps=["flow"])
    )
    options = ExportOptions(tiles=(2, 2), colors="alpine", sea_level=10, overwrite=True)
    report = export_heightmap(
        recipe,
        folder / "b.png",
        target=Unreal(),
        samples=(505, 505),
        range_=(0.0, 500.0),
        options=options,
        control=Control(threads=2, progress=print, cancel=lambda: False),
    )
    print(report.lowest, report.files[0].name, report.sidecar)
    return report


def bake_surface() -> npt.NDArray[np.float32]:
    """Bake a texture."""
    textures = surface("granite", scale=20).textures(Grid(128, 128, wrap=True, size=1.0), 7)
    return textures["base_color"]


def make_picture(heights: Field) -> Noise:
    """Take a picture for a noise."""
    return Raster(pixels=heights, edge="mirror")


def use_coloring() -> str:
    """Name a coloring."""
    return SeaLevel().key


def list_types() -> list[str]:
    """List the types of three kinds."""
    labels = [cls.label for cls in noise_types().values()]
    return labels + [*map_types()] + [cls.label for cls in modifier_types().values()]


def report_error() -> str:
    """Catch errors of the core."""
    try:
        Perlin(frequency=-1.0)
    except ParameterError as error:
        return str(error)
    return ""


def build_world(folder: Path) -> World:
    """Build a world by a preset's name, and open it."""
    world = World("alps", rows=4096, columns=4096, tile=1024)
    world.build(folder / "alps.zarr", workers=2)
    World(Recipe.from_preset("alps"), 4096, 4096)
    return World.from_store(folder / "alps.zarr")
