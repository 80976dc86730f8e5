# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the picture of docs/stamps.md: landforms stamped on hills, before and after erosion.

python tools/stamp_picture.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from oblique import Camera, view  # noqa: E402  (found through the path set above)
from pixels import save_jpeg  # noqa: E402

from noise_core import Modifier, NoiseLayer, Placement, Recipe, Relief  # noqa: E402
from noise_core.landscapes.look import Look  # noqa: E402
from noise_core.modifiers import Stamp, StreamErosion  # noqa: E402
from noise_core.noises import Fractal, Gradient, Perlin  # noqa: E402
from noise_core.pictures.thumbnail import thumbnail  # noqa: E402

FILE = ROOT / "docs" / "images" / "stamps.jpg"
LARGEST = 295_000
"""Bytes; pictures in the repository stay below 300 KB."""

SIZE, SAMPLES = 20_000.0, 1025
"""Meters and samples of the land along each side."""

VIEW = (1200, 470)
"""Pixels of one of the two pictures."""

CAMERA = Camera(east=0.02, north=-0.66, above=0.25, heading=-2.0, down=18.2, angle=50.0)

LOOK = Look("alpine", limits={"snow_line": 0.86}, rivers=0.0)

GAP = 8
"""Pixels between both pictures."""


def main() -> None:
    """Draw both pictures, one above the other."""
    plain, eroded = land(*stamps()), land(*stamps(), StreamErosion(strength=0.12, lakes="fill"))
    picture = Image.new("RGB", (VIEW[0], 2 * VIEW[1] + GAP), "white")
    for place, relief in enumerate((plain, eroded)):
        picture.paste(look_at(relief), (0, place * (VIEW[1] + GAP)))
    save_jpeg(picture, FILE, LARGEST)


def stamps() -> tuple[Modifier, ...]:
    """Return the layers of stamps: a range, three volcanoes that are one landform, and low mountains."""
    mountains = landform("mountain_range", 12_500.0, 2150.0)
    volcano = landform("volcano", 6500.0, 1350.0)
    foothills = landform("alps", 9000.0, 700.0)
    return (
        mountains.with_values(
            placements=(Placement(at=(0.32, 0.76), rotation=-25.0),), mode="add", falloff=0.7
        ),
        volcano.with_values(
            placements=(
                Placement(at=(0.69, 0.50), z=60.0, rotation=40.0),
                Placement(at=(0.88, 0.78), z=80.0, rotation=200.0, scale=(0.8, -0.8, 0.7)),
                Placement(at=(0.52, 0.24), z=40.0, rotation=110.0, scale=(0.4, 0.4, 0.3)),
            ),
            mode="smooth_max",
            falloff=0.35,
        ),
        foothills.with_values(placements=(Placement(at=(0.2, 0.36), rotation=70.0),), falloff=0.8),
    )


def landform(preset: str, size: float, height: float) -> Stamp:
    """Return the landform of a preset with another width and height in meters."""
    recipe = Recipe.from_preset(preset)
    stamp = Stamp.of_heights(recipe.evaluate(recipe.grid(513)).height, size)
    return stamp.with_values(height=height)


def land(*layers: Modifier) -> Relief:
    """Return hills with layers on them."""
    hills = Fractal(source=Perlin(frequency=3.3), octaves=9.0, persistence=0.46, rotation=31.0)
    tilt = NoiseLayer(noise=Gradient(shape="linear", angle=90.0), height=200.0)
    recipe = Recipe(layers=(hills, tilt, *layers), height=260.0, size=SIZE, seed=11)
    return recipe.evaluate(recipe.grid(SAMPLES))


def look_at(relief: Relief) -> Image.Image:
    """Return a view of a land in the colors of its ground."""
    grid = Recipe(size=SIZE).grid(SAMPLES)
    colors = thumbnail(relief.height, grid, LOOK, 2600.0, maps=relief.maps)
    return view(
        1.25 * relief.height,
        np.asarray(colors, np.float64),
        SIZE,
        VIEW,
        CAMERA,
        haze=0.5,
        steps=5000,
    )


if __name__ == "__main__":
    main()
