# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes whose layers need no neighbors."""

from __future__ import annotations

from noise_core import CurvePoint, LandCurve, Recipe
from noise_core.masks import LayerMask, NoiseMask, ProductMask
from noise_core.noises import Cellular, Curve, FeatureCurves, Fractal, Perlin, Simplex, Warp, White
from noise_core.recipes.layers import Group, NoiseLayer

_HILLS = Fractal(source=Perlin(frequency=4.0), octaves=8)
_CELLS = Cellular(frequency=9.0)
_PATCHES = NoiseMask(noise=Fractal(source=Simplex(frequency=3.0), octaves=3), seed_offset=4)


def _blended() -> Recipe:
    layers = (
        NoiseLayer(name="hills", noise=_HILLS),
        NoiseLayer(noise=_CELLS, mode="smooth_max", height=180.0, mask=_PATCHES, opacity=0.7),
        NoiseLayer(noise=White(), mode="multiply", mask=LayerMask(layer="later", low=0.1)),
        NoiseLayer(name="later", noise=Perlin(frequency=2.0), mode="screen", seed_offset=3),
    )
    return Recipe(layers=layers, seed=11, height=900.0, size=7000.0)


def _grouped() -> Recipe:
    # A height so far from the recipe's is not folded into one noise.
    small = NoiseLayer(noise=Warp(source=_CELLS, strength=0.3), height=0.4, mode="add")
    both = ProductMask(first=_PATCHES, second=LayerMask(layer="hills", low=-0.2, falloff=0.3))
    group = Group(layers=(NoiseLayer(noise=_CELLS), small), chain=(Curve(),), mode="max")
    layers = (
        NoiseLayer(name="hills", noise=_HILLS),
        small,
        group,
        NoiseLayer(noise=Simplex(frequency=17.0), mask=both, height=3000.0),
        NoiseLayer(noise=White(), muted=True),
    )
    return Recipe(layers=layers, seed=5, height=800.0, size=9000.0)


def _drawn() -> Recipe:
    ridge = [
        CurvePoint(at=(x, 0.4 + 0.3 * (x - 0.5) ** 2), z=900.0 - 300.0 * x) for x in (0.1, 0.4, 0.9)
    ]
    coast = [CurvePoint(at=at) for at in ((0.05, 0.1), (0.95, 0.15), (0.9, 0.9), (0.1, 0.8))]
    land = FeatureCurves(ridges=["Ridge"], coasts=["Coast"])
    curves = {"Ridge": LandCurve(points=ridge), "Coast": LandCurve(points=coast, closed=True)}
    return Recipe(layers=(land,), curves=curves, seed=3, height=900.0, size=9000.0)


RECIPES = {
    "hills": Recipe(layers=(_HILLS,), seed=7, height=1000.0, size=12000.0),
    "cells": Recipe(layers=(Warp(source=_CELLS, strength=0.2, levels=2),), seed=1, height=50.0),
    "white": Recipe(layers=(White(),), seed=2, height=3.0),
    "empty": Recipe(layers=(), height=3.0),
    "blended": _blended(),
    "grouped": _grouped(),
    "drawn": _drawn(),
}
