# SPDX-License-Identifier: GPL-3.0-or-later
"""View of a village on terraces: the ground is level under the outlines of its houses."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Iterator

import houses as building
import numpy as np
from views import View, look_of

from noise_core import CurvePoint, LandCurve, Recipe
from noise_core.curves.outlines import Outline, outlines_of
from noise_core.modifiers import Footprint, Path, StreamErosion
from noise_core.noises import Blend, Fractal, Gradient, Perlin

SIZE, SIDE = 420.0, 1025
ROWS = (-26.0, -15.5, -5.0, 5.5, 16.0)
"""Heights of the rows of houses in meters."""


def hillside() -> Recipe:
    """Return the land without the village: a slope with hollows, worn by water."""
    noise = Blend(
        first=Gradient(shape="linear", angle=90.0),
        second=Fractal(source=Perlin(frequency=1.6), octaves=8.0, persistence=0.42),
        mode="add",
        factor=0.42,
    )
    layers = (noise, StreamErosion(strength=0.12, talus_angle=40.0))
    return Recipe(layers=layers, height=46.0, size=SIZE, seed=11)


def height_at(field: np.ndarray, x: float, y: float) -> float:
    """Return the height of the sample nearest to a place in meters."""
    step = SIZE / (SIDE - 1)
    return float(field[min(round(y / step), SIDE - 1), min(round(x / step), SIDE - 1)])


def row_of(field: np.ndarray, level: float) -> Iterator[tuple[float, float, float]]:
    """Yield places and directions along a contour line across the middle of the land."""
    step = SIZE / (SIDE - 1)
    places = []
    for column in range(120, SIDE - 120, 20):
        above = np.flatnonzero(field[:, column] > level)
        if len(above):
            places.append((column * step, float(above[0]) * step))
    smooth = np.array(places)
    for _ in range(3):
        smooth[1:-1, 1] = (smooth[:-2, 1] + smooth[1:-1, 1] + smooth[2:, 1]) / 3.0
    for (x, y), (before, after) in zip(smooth[1:-1], zip(smooth[:-2], smooth[2:])):
        yield float(x), float(y), math.atan2(*(after - before)[::-1])


def houses(field: np.ndarray, draw: random.Random) -> Iterator[dict[str, float]]:
    """Yield houses in rows along the slope, denser in the middle; the church stands in the third row."""
    for number, level in enumerate(ROWS):
        next_x = -1.0
        for x, y, angle in row_of(field, level + 4.4):
            far = abs(x / SIZE - 0.5)
            is_square = number == 2 and abs(x - 0.47 * SIZE) < 3.6
            is_thin = draw.random() < 3.2 * (far - 0.13) or far > 0.36
            if not is_square and (x < next_x or is_thin):
                continue
            square = abs(x - 0.47 * SIZE)
            is_church = number == 2 and square < 3.6
            if number == 2 and square < 26.0 and not is_church:
                continue
            width = 19.0 if is_church else draw.uniform(8.5, 13.0)
            depth = 10.0 if is_church else draw.uniform(7.0, 8.5)
            x, y = x + draw.uniform(-1.0, 1.0), y + draw.uniform(-1.5, 1.5)
            # Cut into the slope behind rather than raised in front, on terraces that neighbors share.
            base = height_at(field, x, y - 0.32 * depth)
            base = 1.2 * round(base / 1.2) if not is_church else base + 1.0
            yield {
                **{"x": x, "y": y, "angle": angle + draw.uniform(-0.08, 0.08), "width": width},
                **{"depth": depth, "wall": 8.0 if is_church else draw.choice((4.8, 6.2, 7.2))},
                **{"base": base, "is_church": float(is_church)},
            }
            next_x = x + width + draw.uniform(2.5, 9.0)


def lane(rows: list[tuple[float, float, float]]) -> LandCurve:
    """Return a lane through places in meters."""
    points = [CurvePoint(at=(x / SIZE, y / SIZE), width=4.2) for x, y, _ in rows]
    return LandCurve(points=points)


def lanes(field: np.ndarray) -> list[LandCurve]:
    """Return a lane before each row of houses."""
    return [
        lane([place for place in row_of(field, level) if abs(place[0] / SIZE - 0.5) < 0.43])
        for level in ROWS
    ]


@functools.lru_cache(maxsize=1)
def settled() -> tuple[Recipe, list[dict[str, float]]]:
    """Return the land of the village, and its houses."""
    land = hillside()
    field = land.evaluate(land.grid(SIDE)).height
    built = list(houses(field, random.Random(7)))
    outlines = []
    for house in built:
        vertices, triangles, *_ = building.placed(house)
        rings = outlines_of(vertices, triangles)
        outlines.extend(Outline(each.ring / SIZE, each.base).land_curve() for each in rings)
    ways = lanes(field)
    curves = {
        **{f"Lane {number}": way for number, way in enumerate(ways, 1)},
        **{f"House {number}": outline for number, outline in enumerate(outlines, 1)},
    }
    level = {"reach": 7.0, "cut_angle": 75.0, "fill_angle": 75.0, "grade": 0.2}
    lane_names = [name for name in curves if name.startswith("Lane")]
    house_names = [name for name in curves if name.startswith("House")]
    layers = (
        *land.layers,
        Path.of_kind("road", curves=lane_names, **level),
        Footprint(curves=house_names, margin=3.2, angle=80.0, reach=4.0),
    )
    recipe = Recipe(layers=layers, curves=curves, height=land.height, size=SIZE, seed=land.seed)
    return recipe, built


def village() -> View:
    """Return the village."""
    recipe, built = settled()

    def add() -> None:
        draw = random.Random(5)
        walls, roofs, dark = building.paints()
        for house in built:
            building.add_house(house, [draw.choice(walls), draw.choice(roofs), dark], SIZE)

    look = look_of(
        palette="temperate",
        sky={
            **{"sun_elevation": 26.0, "sun_direction": 238.0, "sun_color": [1.0, 0.86, 0.68]},
            **{"clouds": 0.3, "cumulus": 0.0, "visibility": 6.0},
        },
        has_lakes=False,
        rivers=0.0,
        camera={"eye": [0.12, -0.24], "target": [0.5, 0.58], "lift": 0.27, "aim": 0.0, "lens": 50.0},
        plants={
            **{"near": 2000.0, "group_size": 60.0, "conifers_density": 0.0, "stones_density": 0.0},
            **{"broadleaves_density": 420.0, "broadleaves_size": 6.5, "broadleaves_clumps": 0.5},
            **{"broadleaves_steepest": 40.0, "bushes_density": 1500.0, "bushes_size": 1.5},
            **{"bushes_clumps": 0.7, "bushes_steepest": 45.0},
        },
    )  # fmt: skip
    return View(recipe=recipe, look=look, resolution=SIDE, pixels=(960, 540), add=add)


VIEWS = {"village": village}
