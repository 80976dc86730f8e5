# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of landforms that are stamped on hills, and of mountains before and after strokes of brushes."""

from __future__ import annotations

import dataclasses
import functools
import json

from views import View, look_of

from noise_core import Modifier, NoiseLayer, Placement, Recipe
from noise_core.landscapes.preset_library import preset
from noise_core.modifiers import GullyErosion, Stamp, StreamErosion
from noise_core.noises import Fractal, Gradient, Perlin

HILLS_SIZE = 20_000.0


def _landform(name: str, size: float, height: float) -> Stamp:
    """Return the landform of a preset with another width and height in meters."""
    recipe = Recipe.from_preset(name)
    stamp = Stamp.of_heights(recipe.evaluate(recipe.grid(513)).height, size)
    return stamp.with_values(height=height)


def _stamps() -> tuple[Modifier, ...]:
    """Return the layers of stamps: a range, three volcanoes that are one landform, and low mountains."""
    mountains = _landform("mountain_range", 12_500.0, 2150.0)
    volcano = _landform("volcano", 6500.0, 1350.0)
    foothills = _landform("alps", 9000.0, 700.0)
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


@functools.lru_cache(maxsize=1)
def _stamped() -> Recipe:
    erosion = StreamErosion(strength=0.12, lakes="fill")
    gullies = GullyErosion(depth=0.08, octaves=5.0, branching=40.0, balance=-0.6, crests=0.8)
    return _hills(*_stamps(), erosion, gullies)


def _hills(*layers: Modifier) -> Recipe:
    """Return hills with layers on them."""
    hills = Fractal(source=Perlin(frequency=3.3), octaves=9.0, persistence=0.46, rotation=31.0)
    tilt = NoiseLayer(noise=Gradient(shape="linear", angle=90.0), height=200.0)
    return Recipe(layers=(hills, tilt, *layers), height=260.0, size=HILLS_SIZE, seed=11)


HILLS_LOOK = look_of(
    limits={"snow_line": 0.78, "tree_line": 0.40},
    sky={
        **{"sun_elevation": 20.0, "sun_direction": 255.0, "sun_color": [1.0, 0.86, 0.68]},
        **{"clouds": 0.25, "cumulus": 0.08, "cumulus_seed": 4, "visibility": 4.5},
    },
    camera={"eye": [0.56, 0.04], "target": [0.50, 0.66], "lift": 0.085, "aim": 0.0, "lens": 31.0},
    plants={
        **{"near": 900.0, "broadleaves_density": 40.0, "broadleaves_highest": 0.2},
        **{"conifers_density": 260.0, "conifers_clumps": 0.7, "conifers_highest": 0.42},
        **{"bushes_density": 0.0, "stones_density": 0.0, "group_size": 600.0},
    },
)  # fmt: skip


def stamps_before() -> View:
    """Return the hills."""
    look = dataclasses.replace(HILLS_LOOK, limits={"snow_line": 2.0, "tree_line": 2.0})
    recipe = _hills(StreamErosion(strength=0.12, lakes="fill"))
    return View(recipe=recipe, look=look, pixels=(480, 210), camera_over=_stamped(), resolution=385)


def stamps_after() -> View:
    """Return the hills with five stamps, and erosion over them."""
    return View(recipe=_stamped(), look=HILLS_LOOK, pixels=(960, 480), camera_over=_stamped())


STROKES = {
    "before": (),
    "erode": ((0.34, 0.47), (0.44, 0.53), (0.53, 0.48), (0.62, 0.52)),
    "deposit": ((0.34, 0.47), (0.44, 0.53), (0.53, 0.48), (0.62, 0.52)),
    "smooth": ((0.34, 0.47), (0.44, 0.53), (0.53, 0.48), (0.62, 0.52)),
    "flatten": ((0.34, 0.47), (0.44, 0.53), (0.53, 0.48), (0.62, 0.52)),
    "slump": ((0.34, 0.47), (0.44, 0.53), (0.53, 0.48), (0.62, 0.52)),
}
TIMES = {"erode": 5, "deposit": 2, "smooth": 3, "flatten": 4, "slump": 9}
"""How often the stroke is drawn to and fro."""


def _brushed(kind: str) -> View:
    """Return mountains after strokes of a kind."""
    shown = preset("alps")

    def add() -> None:
        import bpy

        way = list(STROKES[kind])
        stroke = [at for turn in range(TIMES[kind]) for at in (way if turn % 2 == 0 else way[::-1])]
        terrain = next(obj for obj in bpy.context.scene.objects if obj.terrane.is_terrain)
        bpy.context.view_layer.objects.active = terrain
        size = 0.16 * shown.recipe.size
        bpy.ops.terrane.brush_stroke(
            kind=kind, size=size, strength=0.8, angle=25.0, stroke=json.dumps(stroke)
        )

    look = look_of(
        **{"surroundings": "none", "rivers": 0.05},
        limits={"snow_line": 2.0, "tree_line": 0.36},
        sky={
            **{"sun_elevation": 27.0, "sun_direction": 278.0, "sun_color": [1.0, 0.88, 0.72]},
            **{"sun_strength": 14.0, "clouds": 0.2, "cumulus": 0.0, "visibility": 6.0},
        },
        plants={
            **{"near": 300.0, "broadleaves_density": 0.0, "bushes_density": 0.0, "stones_density": 0.0},
            **{"conifers_density": 200.0, "conifers_clumps": 0.8, "conifers_highest": 0.36},
        },
        camera={"eye": [0.45, 0.22], "target": [0.53, 0.50], "lift": 0.14, "aim": -0.01, "lens": 38.0},
    )  # fmt: skip
    return View(
        recipe=dataclasses.replace(shown.recipe, seed=7),
        **{"look": look, "pixels": (400, 270), "resolution": 513},
        camera_over=shown.recipe,
        add=None if kind == "before" else add,
    )


VIEWS = {
    "stamps_before": stamps_before,
    "stamps_after": stamps_after,
    **{f"brush_{kind}": functools.partial(_brushed, kind) for kind in STROKES},
}
