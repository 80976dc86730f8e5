# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes that a type checker must report, each in the line that ends in ``# wrong``, and nothing else."""

from __future__ import annotations

import noise_core
import terrane_worlds
from noise_core import Grid, Nonexistent, Recipe, export_heightmap, read_elevation  # wrong
from noise_core.io import no_such_module  # wrong
from noise_core.io.targets import Unreel  # wrong
from noise_core.maps import Slope, slope, slope_mask, steepness  # wrong
from noise_core.masks import NoMask  # wrong
from noise_core.materials.colorings import SeeLevel  # wrong
from noise_core.modifiers import StreamErosion, WaterErosion  # wrong
from noise_core.noises import Fractal, Missing, Perlin  # wrong
from terrane_worlds import Nowhere  # wrong

Perlin(freqency=4.0)  # wrong
Perlin(frequency="4")  # wrong
Perlin(4.0)  # wrong
Fractal(source=4.0)  # wrong
Fractal(source=Perlin(), octave=8)  # wrong
Fractal(source=Perlin(), kind=8)  # wrong
Perlin().sample()  # wrong
Perlin().sample_grid((64, 64))  # wrong
Perlin().sampel_grid(Grid(64, 64))  # wrong
Perlin().sample([[0.0, 0.0]], 7, 8)  # wrong
Grid(64)  # wrong
Grid(64, 64, wrapped=True)  # wrong
Grid(64, 64, size="100 m")  # wrong
Recipe(layer=(Perlin(),))  # wrong
Recipe(layers=Perlin())  # wrong
Recipe(layers=(Slope(),))  # wrong
Recipe.from_preset("alps", sead=7)  # wrong
Recipe.from_preset(7)  # wrong
recipe = Recipe.from_preset("alps")
recipe.evaluate(1025)  # wrong
recipe.evaluate(recipe.grid(1025)).heights  # wrong
height = recipe.evaluate(recipe.grid(1025)).height
grid = recipe.grid(1025)
slope(height)  # wrong
slope(height, grid, 3.0)  # wrong
slope_mask(height, grid, lowest=3.0)  # wrong
StreamErosion(strenght=0.5)  # wrong
StreamErosion(strength="strong")  # wrong
StreamErosion().apply(height, grid, maks=height)  # wrong
export_heightmap(recipe, "a.png")  # wrong
export_heightmap(recipe, "a.png", target="unity", sample=513)  # wrong
export_heightmap(recipe, "a.png", target="unity", samples=513, overwrite=True)  # wrong
export_heightmap(recipe, "a.png", target="unity", options={"tiles": (2, 2)})  # wrong
noise_core.ExportOptions(tile=(2, 2))  # wrong
noise_core.ExportOptions(tiles=2)  # wrong
noise_core.ExportOptions((2, 2))  # wrong
noise_core.ExportOptions().overwrite = True  # wrong
noise_core.Control(thread=2)  # wrong
noise_core.Control(threads="all")  # wrong
read_elevation("a.tif", samples="many")  # wrong
read_elevation("a.tif").hights  # wrong
noise_core.nothing  # wrong
terrane_worlds.World("alps", row=4096, columns=4096)  # wrong
terrane_worlds.World("alps", rows=4096, columns="4096")  # wrong
terrane_worlds.World(7, rows=4096, columns=4096)  # wrong
