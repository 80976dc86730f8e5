# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of a pass road with switchbacks and a bridge, and of a dam with its lake and a road along the shore."""

from __future__ import annotations

from typing import Any

import numpy as np
from views import View, curve, height_at, look_of, paint

from noise_core import LandCurve, Modifier, Recipe, Relief
from noise_core.curves.chains import chain_of
from noise_core.landscapes.look import Look
from noise_core.modifiers import GullyErosion, Path, StreamErosion, ThermalErosion
from noise_core.noises import FeatureCurves

SIZE, SIDE = 5000.0, 1025
RIDGES = {
    "Divide": curve(
        (-0.1, 0.74, 1700), (0.12, 0.80, 2050), (0.30, 0.76, 1800), (0.42, 0.80, 1560), (0.52, 0.785, 1380),
        (0.62, 0.81, 1580), (0.76, 0.76, 2000), (0.90, 0.82, 1800), (1.1, 0.76, 1900),
    ),
    "West wall": curve(
        (0.12, 0.80, 2050), (0.14, 0.62, 1750), (0.10, 0.44, 1650),
        (0.14, 0.26, 1380), (0.10, 0.05, 1300), (0.10, -0.1, 1200),
    ),
    "East wall": curve(
        (0.76, 0.76, 2000), (0.84, 0.60, 1800), (0.82, 0.42, 1560),
        (0.90, 0.24, 1450), (0.88, 0.00, 1250), (0.88, -0.1, 1200),
    ),
}  # fmt: skip
FLOOR = curve(
    *(
        (0.44, -0.1, 640),
        (0.48, 0.08, 680),
        (0.44, 0.22, 730),
        (0.50, 0.36, 790),
        (0.50, 0.48, 850),
    ),
    width=170.0,
)

ROAD = """
    5850,-300 5906,-180 5962,-59 6018,61 6079,179 6140,297 6198,416 6243,541
    6269,670 6276,802 6269,934 6260,1067 6255,1199 6257,1332 6258,1465 6252,1597
    6231,1728 6190,1853 6133,1972 6064,2086 5993,2198 5931,2315 5887,2439 5864,2569
    5859,2701 5868,2833 5888,2964 5914,3094 5944,3224 5975,3353 6002,3483 6023,3614
    6037,3746 6044,3878 6046,4011 6042,4144 6037,4276 6035,4409 6027,4541 6004,4671
    5971,4800 5931,4926 5895,5040 5906,5072 5980,5000 6068,4903 6153,4801 6232,4694
    6303,4582 6366,4465 6424,4346 6479,4225 6533,4123 6564,4119 6563,4225 6555,4357
    6542,4489 6523,4620 6501,4751 6474,4881 6443,5011 6406,5138 6356,5260 6294,5377
    6231,5480 6227,5515 6307,5458 6408,5374 6503,5282 6589,5181 6665,5073 6738,4961
    6814,4853 6898,4753 6970,4689 6970,4729 6922,4840 6875,4964 6836,5091 6798,5218
    6754,5343 6699,5464 6632,5578 6556,5686 6483,5790 6457,5846 6520,5803 6623,5725
    6729,5646 6828,5558 6916,5460 6999,5355 7082,5252 7171,5155 7249,5091 7250,5123
    7194,5229 7138,5349 7090,5473 7046,5598 6996,5721 6932,5836 6855,5943 6783,6054
    6734,6175 6707,6305
"""
SHORE_ROAD = """
    5900,1500 5800,1800 5680,2110 5560,2300 5450,2440 5400,2586 5480,2720 5630,2830
    5750,2950 5860,3080 5970,3200 6020,3340 6040,3480 5930,3590 5820,3680 5780,3780
    5810,3900 5830,3990 5770,4100 5720,4232 5700,4381 5650,4516 5600,4620 5590,4700
    5500,4850 5440,4960 5390,5060 5370,5200 5375,5349 5360,5498 5310,5637 5230,5763
    5110,5858 5010,5971 4920,6110
"""
"""Places of the roads, x and y in ten thousandths of a tile."""

WIDTH = 15.0
HIGHEST = 26.0
"""Meters of the road's width, and of its highest embankment: beyond it is the gap."""

SPAN, PIER = 24.0, 3.0
"""Meters from pier to pier, and their width."""


def _valley(*layers: Modifier, **drawn: LandCurve) -> Recipe:
    """Return a valley below a pass, with layers along curves."""
    land = FeatureCurves(
        ridges=list(RIDGES),
        valleys=["Floor"],
        **dict.fromkeys(("ridge_slope_left", "ridge_slope_right"), 36.0),
        **dict.fromkeys(("valley_slope_left", "valley_slope_right"), 5.0),
        **dict.fromkeys(("valley_roughness_left", "valley_roughness_right"), 0.1),
        **{"reach": 420.0, "bumps": 150.0, "frequency": 5.0},
    )
    weathered = (
        StreamErosion(strength=0.2, talus_angle=38.0, lakes="fill"),
        GullyErosion(
            **{"depth": 0.09, "octaves": 5.0, "persistence": 0.6, "branching": 40.0},
            **{"balance": -0.6, "least_slope": 16.0, "full_slope": 32.0},
            **{"crests": 0.8, "roughness": 0.3},
        ),
        ThermalErosion(talus_angle=36.0),
    )
    curves = {**RIDGES, "Floor": FLOOR, **drawn}
    return Recipe(
        layers=(land, *weathered, *layers), curves=curves, height=1000.0, size=SIZE, seed=3
    )


def _look(camera: dict[str, object], **sky: object) -> Look:
    """Return the look of the valley from a place."""
    return look_of(
        rivers=0.08,
        limits={"snow_line": 0.86, "tree_line": 0.5},
        sky={
            **{"sun_elevation": 30.0, "sun_direction": 245.0, "sun_color": [1.0, 0.86, 0.68]},
            **{"clouds": 0.25, "cumulus": 0.10, "cumulus_seed": 4, "visibility": 5.0, **sky},
        },
        camera=camera,
        plants={
            **{"near": 700.0, "broadleaves_density": 60.0, "broadleaves_highest": 0.3},
            **{"conifers_density": 130.0, "conifers_clumps": 0.9, "conifers_highest": 0.5},
            **{"bushes_density": 60.0, "bushes_highest": 0.6},
            **{"stones_density": 20.0, "stones_size": 1.6},
        },
    )


def _road(places: str) -> LandCurve:
    """Return the curve of a road."""
    pairs = (pair.split(",") for pair in places.split())
    return curve(*((int(x) / 1e4, int(y) / 1e4) for x, y in pairs), width=WIDTH)


def pass_road() -> View:
    """Return the valley, the road, and its bridge."""
    road = _road(ROAD)
    way = Path.of_kind(
        **{"kind": "road", "curves": ["Pass road"], "grade": 0.11, "reach": 70.0},
        **{"cut_angle": 55.0, "fill_angle": 45.0, "most_fill": HIGHEST},
    )
    recipe = _valley(way, **{"Pass road": road})
    look = _look(
        {"eye": [0.42, 0.0], "target": [0.60, 0.38], "lift": 0.075, "aim": -0.01, "lens": 29.0}
    )

    def add() -> None:
        add_bridges(recipe.evaluate(recipe.grid(SIDE)), road)

    return View(recipe=recipe, look=look, resolution=SIDE, add=add)


DAM = curve(
    *((0.335, 0.212, 800), (0.39, 0.20, 800), (0.45, 0.196, 800)),
    *((0.51, 0.20, 800), (0.555, 0.212, 800)),
    width=18.0,
)


def _dammed(*layers: Modifier, **drawn: LandCurve) -> Recipe:
    """Return the valley with a dam across it, the lake behind it, and layers along curves."""
    wall = Path.of_kind("dam", curves=["Dam"], fill_angle=36.0, reach=260.0)
    water = StreamErosion(strength=0.004, talus_angle=60.0, lakes="keep", lake_depth=0.03)
    return _valley(wall, water, *layers, Dam=DAM, **drawn)


def dam() -> View:
    """Return the dam and its lake."""
    look = _look(
        {"eye": [0.34, 0.02], "target": [0.48, 0.34], "lift": 0.075, "aim": 0.0, "lens": 27.0}
    )
    return View(recipe=_dammed(), look=look, resolution=641)


def lake_road() -> View:
    """Return the lake with a road along its shore."""
    way = Path.of_kind("road", curves=["Shore road"], reach=60.0, cut_angle=50.0)
    recipe = _dammed(way, **{"Shore road": _road(SHORE_ROAD)})
    look = _look(
        {"eye": [0.40, 0.24], "target": [0.535, 0.46], "lift": 0.042, "aim": 0.0, "lens": 25.0}
    )
    return View(recipe=recipe, look=look, resolution=641)


def add_bridges(relief: Relief, road: Any) -> None:
    """Add a bridge over each long gap of the road."""
    vertices = chain_of(road, SIZE, 0.5).vertices
    steps = np.hypot(*np.diff(vertices[:, :2], axis=0).T) * SIZE
    along = np.concatenate(([0.0], np.cumsum(steps)))
    at = np.arange(0.0, along[-1], 1.5)
    x, y = (np.interp(at, along, vertices[:, axis]) for axis in (0, 1))
    inside = (x > 0.0) & (x < 1.0) & (y > 0.0) & (y < 1.0)
    is_gap = (height_at(relief.maps["gap"], x, y) > 0.02) & inside
    ends = np.flatnonzero(np.diff(np.concatenate(([0], is_gap.astype(int), [0]))))
    material = paint("Masonry", (0.36, 0.33, 0.29), 0.9)
    for first, last in zip(ends[::2], ends[1::2]):
        first, last = max(first - 6, 0), min(last + 6, len(at) - 1)
        if at[last] - at[first] > 40.0:
            part = slice(first, last + 1)
            ground = height_at(relief.height, x[part], y[part])
            level = np.linspace(ground[0], ground[-1], len(ground))
            _add_viaduct(x[part] * SIZE, y[part] * SIZE, level, ground, material)


def _add_viaduct(
    x: np.ndarray, y: np.ndarray, deck: np.ndarray, ground: np.ndarray, material: Any
) -> None:
    """Add a deck on round arches along places in meters."""
    import bpy

    way = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    fine = np.linspace(0.0, way[-1], 8 * len(way))
    x, y, deck, ground = (np.interp(fine, way, values) for values in (x, y, deck, ground))
    count = max(round(fine[-1] / SPAN), 1)
    span = fine[-1] / count
    from_middle = np.abs((fine % span) - 0.5 * span)
    radius = 0.5 * (span - PIER)
    rise = np.sqrt(np.clip(radius * radius - from_middle * from_middle, 0.0, None))
    under = deck - 2.5 - radius + rise
    bottom = np.where(from_middle < radius, np.maximum(under, ground - 3.0), ground - 6.0)
    bottom = np.minimum(bottom, deck - 2.0)
    across = np.stack((-np.gradient(y), np.gradient(x)), axis=1)
    across *= 0.5 * WIDTH / np.linalg.norm(across, axis=1, keepdims=True)
    corners = []
    for side, heights in ((1.0, bottom), (1.0, deck + 1.0), (0.93, deck + 1.0), (0.93, deck), (-0.93, deck),
                          (-0.93, deck + 1.0), (-1.0, deck + 1.0), (-1.0, bottom)):  # fmt: skip
        corners.append(np.column_stack((x + side * across[:, 0], y + side * across[:, 1], heights)))
    rows, sides = len(x), len(corners)
    vertices = np.stack(corners, axis=1).reshape(-1, 3) - (0.5 * SIZE, 0.5 * SIZE, 0.0)
    ring = np.arange(sides)
    first = np.arange(rows - 1)[:, np.newaxis] * sides
    faces = np.stack(
        (first + ring, first + (ring + 1) % sides, first + sides + (ring + 1) % sides, first + sides + ring),
        axis=-1,
    )  # fmt: skip
    mesh = bpy.data.meshes.new("Bridge")
    mesh.from_pydata(vertices.tolist(), [], faces.reshape(-1, 4).tolist())
    mesh.materials.append(material)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Bridge", mesh))


VIEWS = {"pass_road": pass_road, "dam": dam, "lake_road": lake_road}
