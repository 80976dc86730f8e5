# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of landforms that are stamped on a plain, and of mountains before and after strokes of brushes."""

from __future__ import annotations

import dataclasses
import functools
import json

from views import View, curve, look_of

from noise_core import Modifier, NoiseLayer, Placement, Recipe
from noise_core.modifiers import GullyErosion, Stamp, StreamErosion
from noise_core.noises import Fractal, Gradient, Perlin

PLAIN_SIZE = 18_000.0


def _landform(name: str, size: float, height: float) -> Stamp:
    """Return the landform of a preset with another width and height in meters."""
    recipe = Recipe.from_preset(name)
    stamp = Stamp.of_heights(recipe.evaluate(recipe.grid(513)).height, size)
    return stamp.with_values(height=height)


def _stamps() -> tuple[Modifier, ...]:
    """Return the layers of stamps: low mountains far behind, and three volcanoes that are one landform."""
    foothills = _landform("alps", 9000.0, 620.0)
    volcano = _landform("volcano", 7600.0, 1900.0)
    return (
        foothills.with_values(
            placements=(
                Placement(at=(0.30, 0.86), rotation=70.0),
                Placement(at=(0.84, 0.90), rotation=190.0, scale=(0.8, 0.7, 0.8)),
            ),
            falloff=0.8,
        ),
        volcano.with_values(
            placements=(
                Placement(at=(0.66, 0.47), z=60.0, rotation=40.0),
                Placement(at=(0.33, 0.62), z=80.0, rotation=215.0, scale=(0.85, -0.85, 0.72)),
                Placement(at=(0.52, 0.90), z=110.0, rotation=300.0, scale=(0.9, 0.9, 0.85)),
            ),
            mode="smooth_max",
            falloff=0.4,
        ),
    )


RIVER = curve(
    *((0.50, 0.62), (0.49, 0.50), (0.43, 0.42), (0.50, 0.34), (0.44, 0.27)),
    *((0.56, 0.20), (0.47, 0.13), (0.42, 0.06), (0.40, -0.02)),
    width=150.0,
)


@functools.lru_cache(maxsize=1)
def _stamped() -> Recipe:
    erosion = StreamErosion(strength=0.15, lakes="fill", rivers=("River",))
    gullies = GullyErosion(depth=0.1, octaves=5.0, branching=40.0, balance=-0.6, crests=0.8)
    return _plain(*_stamps(), erosion, gullies)


def _plain(*layers: Modifier) -> Recipe:
    """Return a plain with a river and with layers on it."""
    hills = Fractal(source=Perlin(frequency=3.3), octaves=9.0, persistence=0.44, rotation=31.0)
    tilt = NoiseLayer(noise=Gradient(shape="linear", angle=90.0), height=120.0)
    return Recipe(
        layers=(hills, tilt, *layers),
        **{"curves": {"River": RIVER}, "height": 110.0, "size": PLAIN_SIZE, "seed": 11},
    )


PLAIN_LOOK = look_of(
    limits={"snow_line": 0.55, "tree_line": 0.36},
    sky={
        **{"sun_elevation": 17.0, "sun_direction": 260.0, "sun_color": [1.0, 0.82, 0.60]},
        **{"sun_strength": 14.0, "clouds": 0.2, "cumulus": 0.03, "cumulus_seed": 4, "visibility": 3.5},
    },
    camera={"eye": [0.46, 0.0], "target": [0.545, 0.52], "lift": 0.058, "aim": 0.012, "lens": 34.0},
    plants={
        **{"near": 900.0, "broadleaves_density": 30.0, "broadleaves_highest": 0.15},
        **{"conifers_density": 300.0, "conifers_clumps": 0.7, "conifers_highest": 0.34},
        **{"bushes_density": 0.0, "stones_density": 0.0, "group_size": 600.0},
    },
)  # fmt: skip


def stamps_before() -> View:
    """Return the plain."""
    look = dataclasses.replace(PLAIN_LOOK, limits={"snow_line": 2.0, "tree_line": 2.0})
    recipe = _plain(StreamErosion(strength=0.15, lakes="fill", rivers=("River",)))
    return View(recipe=recipe, look=look, pixels=(480, 210), camera_over=_stamped(), resolution=385)


def stamps_after() -> View:
    """Return the plain with stamps, and erosion over them."""
    return View(recipe=_stamped(), look=PLAIN_LOOK, pixels=(960, 480), camera_over=_stamped())


STROKES: tuple[tuple[str, float, float, int, tuple[tuple[float, float], ...]], ...] = (
    ("erode", 0.055, 1.0, 5, ((0.645, 0.445), (0.615, 0.395), (0.585, 0.345))),
    ("erode", 0.055, 1.0, 5, ((0.66, 0.435), (0.655, 0.375), (0.645, 0.315))),
    ("erode", 0.055, 1.0, 5, ((0.675, 0.435), (0.70, 0.38), (0.715, 0.325))),
    ("deposit", 0.08, 0.9, 4, ((0.595, 0.305), (0.64, 0.29))),
    ("flatten", 0.055, 0.8, 4, ((0.545, 0.375), (0.56, 0.40))),
    ("slump", 0.12, 1.0, 6, ((0.60, 0.49), (0.57, 0.45))),
    ("smooth", 0.10, 1.0, 4, ((0.74, 0.40), (0.75, 0.37))),
)
"""The kind of a stroke, its size as a share of the land's, its strength, how often it is drawn to and fro, and its way."""


def _draw_strokes() -> None:
    """Draw all strokes on the terrain of the scene."""
    import bpy

    terrain = next(obj for obj in bpy.context.scene.objects if obj.terrane.is_terrain)
    bpy.context.view_layer.objects.active = terrain
    for kind, size, strength, times, way in STROKES:
        stroke = [at for turn in range(times) for at in (way if turn % 2 == 0 else way[::-1])]
        bpy.ops.terrane.brush_stroke(
            **{"kind": kind, "size": size * PLAIN_SIZE, "strength": strength, "angle": 24.0},
            stroke=json.dumps(stroke),
        )


def _brushed(*, after: bool) -> View:
    """Return the largest one of the stamped volcanoes before or after strokes of all kinds."""
    camera = {
        "eye": [0.45, 0.02],
        "target": [0.635, 0.42],
        "lift": 0.075,
        "aim": -0.014,
        "lens": 50.0,
    }
    look = look_of(
        **{**PLAIN_LOOK.to_plain(), "camera": {**PLAIN_LOOK.to_plain()["camera"], **camera}}
    )
    return View(
        **{"recipe": _stamped(), "look": look, "camera_over": _stamped()},
        **{"pixels": (596, 400), "resolution": 769},
        add=_draw_strokes if after else None,
    )


VIEWS = {
    "stamps_before": stamps_before,
    "stamps_after": stamps_after,
    "brushes_before": functools.partial(_brushed, after=False),
    "brushes_after": functools.partial(_brushed, after=True),
}
