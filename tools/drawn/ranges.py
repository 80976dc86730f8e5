# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of mountains and rivers that follow curves."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from views import BLUE, RED, Ink, View, curve, look_of

from noise_core import LandCurve, NoiseLayer, Recipe
from noise_core.modifiers import GullyErosion, StreamErosion, ThermalErosion
from noise_core.noises import Constant, FeatureCurves, Fractal, Gradient, Perlin

RIDGES = {
    "Main ridge": curve(
        (-0.05, 0.58, 1250), (0.12, 0.65, 1750), (0.24, 0.60, 2450), (0.34, 0.63, 1950), (0.47, 0.69, 2500),
        (0.56, 0.63, 2150), (0.66, 0.58, 3150), (0.76, 0.64, 2150), (0.90, 0.60, 2250), (1.05, 0.66, 1350),
    ),
    "West spur": curve((0.24, 0.60, 2450), (0.21, 0.50, 1650), (0.28, 0.41, 1500), (0.25, 0.30, 760)),
    "East spur": curve((0.66, 0.58, 3150), (0.73, 0.48, 1950), (0.69, 0.38, 1650), (0.76, 0.28, 700)),
    "North spur": curve((0.47, 0.69, 2500), (0.52, 0.79, 1750), (0.45, 0.88, 1450), (0.50, 1.03, 700)),
}  # fmt: skip
VALLEY = curve(
    *((-0.05, 0.22, 440), (0.15, 0.15, 400), (0.36, 0.19, 360)),
    *((0.52, 0.11, 320), (0.75, 0.16, 280), (1.05, 0.09, 230)),
    width=420.0,
)

SUN = {"sun_color": [1.0, 0.86, 0.68], "clouds": 0.25, "cumulus": 0.10, "cumulus_seed": 6}
WOODS = {
    **{"near": 900.0, "broadleaves_density": 0.0, "bushes_density": 0.0, "stones_density": 0.0},
    **{"conifers_density": 320.0, "conifers_clumps": 0.5, "conifers_highest": 0.42},
    **{"conifers_steepest": 42.0, "group_size": 500.0},
}
RANGE_LOOK = look_of(
    limits={"snow_line": 0.62, "tree_line": 0.40},
    sky={**SUN, "sun_elevation": 20.0, "sun_direction": 240.0, "visibility": 4.5},
    camera={**{"eye": [0.46, -0.12], "target": [0.50, 0.6]}, "lift": 0.11, "aim": -0.03, "lens": 29.0},
    plants=WOODS,
)  # fmt: skip


def weathered(**drawn: Sequence[str]) -> tuple[Any, ...]:
    """Return the layers that dress mountains after their first erosion, with drawn rivers or ridges."""
    return (
        GullyErosion(
            **{"depth": 0.15, "octaves": 5.0, "persistence": 0.63, "branching": 40.0},
            **{"balance": -0.65, "full_slope": 22.0, "crests": 0.8, "roughness": 0.3},
        ),
        ThermalErosion(talus_angle=35.0),
        StreamErosion(strength=0.06, talus_angle=37.5, **drawn),
    )


def _range() -> Recipe:
    """Return the range of five curves."""
    land = FeatureCurves(
        ridges=list(RIDGES),
        valleys=["Valley"],
        **dict.fromkeys(("ridge_slope_left", "ridge_slope_right"), 34.0),
        **dict.fromkeys(("valley_slope_left", "valley_slope_right"), 3.0),
        **dict.fromkeys(("valley_roughness_left", "valley_roughness_right"), 0.12),
        **{"reach": 1300.0, "bumps": 700.0, "frequency": 5.0, "persistence": 0.52},
    )
    layers = (land, StreamErosion(strength=0.6, talus_angle=36.0), *weathered())
    curves = {**RIDGES, "Valley": VALLEY}
    return Recipe(layers=layers, curves=curves, height=1000.0, size=16000.0, seed=5)


def range_after() -> View:
    """Return the range of five curves."""
    recipe = _range()
    measures = {"pixels": (960, 420), "resolution": 1025, "samples": 24}
    return View(recipe=recipe, look=RANGE_LOOK, camera_over=recipe, **measures)


def range_before() -> View:
    """Return the five curves over a plain."""
    plain = NoiseLayer(noise=Fractal(source=Perlin(frequency=3.0), octaves=7.0))
    ground = NoiseLayer(noise=Constant(value=1.0), height=300.0)
    look = dataclasses.replace(
        RANGE_LOOK,
        limits={"snow_line": 2.0, "tree_line": 2.0, "grass_line": 2.0},
        has_lakes=False,
        rivers=0.0,
    )
    ink = (
        Ink(curves=list(RIDGES.values()), color=RED, floats=True, width=0.005),
        Ink(curves=[VALLEY], color=BLUE, width=0.005),
    )
    recipe = Recipe(layers=(plain, ground), height=25.0, size=16000.0, seed=5)
    return View(
        **{"recipe": recipe, "look": look, "ink": ink, "camera_over": _range()},
        **{"pixels": (960, 420), "resolution": 513, "samples": 24},
    )


PULLED_LOOK = look_of(
    limits={"snow_line": 0.84, "tree_line": 0.55},
    rivers=0.03,
    sky={**SUN, "sun_elevation": 28.0, "sun_direction": 238.0, "sun_strength": 17.0, "visibility": 6.0, "cumulus": 0.0},
    camera={**{"eye": [0.5, -0.16], "target": [0.5, 0.42]}, "lift": 0.5, "aim": 0.0, "lens": 27.0},
    plants=WOODS,
)  # fmt: skip

WEST = curve(
    *((0.47, 0.86), (0.44, 0.72), (0.35, 0.64), (0.37, 0.52), (0.27, 0.44), (0.31, 0.30)),
    *((0.22, 0.19), (0.24, 0.08), (0.18, -0.02)),
    width=260.0,
)
EAST = curve(
    *((0.47, 0.86), (0.50, 0.74), (0.60, 0.67), (0.58, 0.54), (0.69, 0.45), (0.65, 0.31)),
    *((0.76, 0.20), (0.73, 0.08), (0.80, -0.02)),
    width=260.0,
)


def _pulled(river: LandCurve) -> View:
    """Return the same hills with a river."""
    hills = Fractal(source=Perlin(frequency=2.3), octaves=9.0, rotation=31.0)
    tilt = NoiseLayer(noise=Gradient(shape="linear", angle=90.0), height=500.0)
    drawn = {"rivers": ["River"]}
    layers = (
        *(NoiseLayer(noise=hills), tilt),
        *(StreamErosion(strength=0.45, talus_angle=38.0, lakes="fill", **drawn), *weathered(**drawn)),
    )  # fmt: skip
    return View(
        recipe=Recipe(layers=layers, curves={"River": river}, height=1200.0, size=14000.0, seed=21),
        look=PULLED_LOOK,
        ink=(Ink(curves=[river], color=BLUE, width=0.0017),),
        pixels=(596, 596),
        resolution=641,
    )


def pulled_before() -> View:
    """Return hills with a river in the west."""
    return dataclasses.replace(_pulled(WEST), camera_over=_pulled(WEST).recipe)


def pulled_after() -> View:
    """Return the same hills with the river in the east."""
    return dataclasses.replace(_pulled(EAST), camera_over=_pulled(WEST).recipe)


WEST_RIVER = ((0.33, 0.84), (0.24, 0.66), (0.29, 0.50), (0.20, 0.30), (0.14, -0.02))
EAST_RIVER = ((0.72, 0.86), (0.78, 0.68), (0.70, 0.52), (0.78, 0.30), (0.82, -0.02))
CREST = ((0.52, 0.94), (0.48, 0.74), (0.54, 0.58), (0.46, 0.40), (0.51, 0.14))

PULLED_RIVER = ((0.72, 0.86), (0.82, 0.68), (0.90, 0.52), (0.80, 0.28), (0.62, -0.02))
PULLED_CREST = ((0.52, 0.94), (0.55, 0.76), (0.66, 0.58), (0.64, 0.40), (0.40, 0.16))


def crest_and_rivers(*, river: float = 0.0, ridge: float = 0.0) -> View:
    """Return a ridge between two rivers in growing mountains, pulled by shares of their ways."""
    east = np.array(EAST_RIVER) * (1.0 - river) + np.array(PULLED_RIVER) * river
    crest = np.array(CREST) * (1.0 - ridge) + np.array(PULLED_CREST) * ridge
    curves = {
        "West River": curve(*WEST_RIVER, width=60.0),
        "East River": curve(*east.tolist(), width=60.0),
        "Crest": curve(*crest.tolist()),
    }
    uplift = Fractal(source=Perlin(frequency=1.6), octaves=3.0)
    rise = NoiseLayer(noise=Gradient(shape="linear", angle=90.0), height=300.0)
    base = NoiseLayer(noise=Constant(value=1.0), height=500.0)
    drawn = {"rivers": ["West River", "East River"], "ridges": ["Crest"]}
    grown = StreamErosion(mode="grow", talus_angle=36.0, strength=0.5, **drawn)
    layers = (NoiseLayer(noise=uplift), rise, base, grown, *weathered(rivers=drawn["rivers"]))
    look = look_of(
        limits={"snow_line": 0.6, "tree_line": 0.42},
        rivers=0.03,
        sky={**SUN, "sun_elevation": 22.0, "sun_direction": 262.0, "visibility": 5.0, "cumulus": 0.06},
        camera={**{"eye": [0.5, -0.22], "target": [0.5, 0.5]}, "lift": 0.25, "aim": 0.0, "lens": 30.0},
        plants={**WOODS, "conifers_highest": 0.4},
    )  # fmt: skip
    ink = (
        Ink(curves=[curves["West River"], curves["East River"]], color=BLUE, width=0.003),
        Ink(curves=[curves["Crest"]], color=RED, width=0.003),
    )
    recipe = Recipe(layers=layers, curves=curves, height=220.0, size=14000.0, seed=4)
    return View(recipe=recipe, look=look, ink=ink)


VIEWS = {
    "range_before": range_before,
    "range_after": range_after,
    "pulled_before": pulled_before,
    "pulled_after": pulled_after,
    "ridge_rivers": crest_and_rivers,
}
