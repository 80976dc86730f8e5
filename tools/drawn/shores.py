# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of a coast that is one closed curve, before and after."""

from __future__ import annotations

import dataclasses

from views import WHITE, Ink, View, curve

from noise_core import NoiseLayer, Recipe
from noise_core.landscapes.preset_library import preset
from noise_core.modifiers import CoastalErosion, GullyErosion, StreamErosion
from noise_core.noises import Constant, FeatureCurves

COAST = curve(
    *((0.30, 0.26), (0.40, 0.20), (0.47, 0.27), (0.50, 0.36), (0.56, 0.38), (0.60, 0.28)),
    *((0.70, 0.19), (0.82, 0.24), (0.88, 0.38), (0.80, 0.50), (0.86, 0.62), (0.80, 0.76)),
    *((0.66, 0.82), (0.54, 0.74), (0.42, 0.82), (0.26, 0.80), (0.16, 0.68), (0.22, 0.54)),
    *((0.34, 0.50), (0.30, 0.42), (0.20, 0.36)),
    closed=True,
)
HEIGHTS = curve(
    (0.28, 0.68, 820), (0.43, 0.62, 560), (0.58, 0.62, 1350), (0.70, 0.45, 640), (0.76, 0.34, 560)
)


def _island() -> Recipe:
    """Return the island of one closed curve, and a ridge on it."""
    land = FeatureCurves(
        **{"coasts": ["Coast"], "ridges": ["Heights"], "bumps": 420.0, "frequency": 5.0},
        **{"ridge_slope_left": 30.0, "ridge_slope_right": 30.0, "reach": 900.0},
    )
    layers = (
        land,
        StreamErosion(strength=0.5, talus_angle=34.0, outlets="sea", lakes="fill"),
        GullyErosion(depth=0.07, octaves=5.0, branching=40.0, balance=-0.65, crests=0.8),
        CoastalErosion(retreat=110.0, direction=200.0, spread=180.0, cliff_angle=58.0, sand=0.5),
    )
    curves = {"Coast": COAST, "Heights": HEIGHTS}
    return Recipe(layers=layers, curves=curves, height=1000.0, size=9000.0, seed=3)


def _island_look() -> object:
    look = preset("island").look
    camera = dataclasses.replace(
        look.camera, eye=(0.50, -0.06), target=(0.53, 0.5), lift=0.10, aim=0.0, lens=25.0
    )
    return dataclasses.replace(look, camera=camera)


def coast_after() -> View:
    """Return the island."""
    recipe = _island()
    return View(recipe=recipe, look=_island_look(), pixels=(960, 480), camera_over=recipe)


def coast_before() -> View:
    """Return its coast in the sea."""
    floor = NoiseLayer(noise=Constant(value=-1.0))
    return View(
        recipe=Recipe(layers=(floor,), height=40.0, size=9000.0, seed=3),
        look=dataclasses.replace(_island_look(), plants=None),
        ink=(Ink(curves=[COAST], color=WHITE, floats=True, width=0.006),),
        **{"pixels": (480, 240), "camera_over": _island(), "resolution": 257},
    )


VIEWS = {each.__name__: each for each in (coast_before, coast_after)}
