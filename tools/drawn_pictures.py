# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of docs/curves.md: `python tools/drawn_pictures.py` writes docs/images/curves_*.jpg."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from noise_core import CurvePoint, LandCurve, Recipe
from noise_core.curves.chains import chain_of
from noise_core.modifiers import StreamErosion
from noise_core.noises import FeatureCurves
from tools.oblique import Camera, light, view

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SIDE = 1025
INK = {"ridge": (196, 64, 36), "valley": (38, 98, 176)}


def curve(*rows: tuple[float, float, float], width: float = 0.0) -> LandCurve:
    """Return a smooth curve through places in tiles, with heights in meters."""
    points = []
    places = np.array(rows)
    for number, place in enumerate(places):
        before, after = places[max(number - 1, 0)], places[min(number + 1, len(places) - 1)]
        way = (after - before) / 6.0
        points.append(
            CurvePoint(
                at=tuple(place[:2].tolist()),
                z=float(place[2]),
                width=width,
                left=tuple((place - way).tolist()),
                right=tuple((place + way).tolist()),
            )
        )
    return LandCurve(points=points)


CURVES = {
    "Main ridge": curve(
        (-0.05, 0.60, 1500), (0.14, 0.66, 1900), (0.30, 0.60, 2500), (0.46, 0.67, 2250),
        (0.60, 0.60, 2850), (0.74, 0.66, 2300), (0.90, 0.60, 2050), (1.05, 0.66, 1500),
    ),
    "South spur": curve((0.30, 0.60, 2500), (0.27, 0.47, 1900), (0.33, 0.36, 1400), (0.30, 0.24, 820)),
    "East spur": curve((0.60, 0.60, 2850), (0.66, 0.48, 2150), (0.63, 0.37, 1600), (0.69, 0.26, 900)),
    "North spur": curve((0.46, 0.67, 2250), (0.50, 0.78, 1750), (0.44, 0.88, 1200), (0.48, 1.02, 800)),
    "Valley": curve(
        (-0.05, 0.20, 520), (0.15, 0.15, 470), (0.36, 0.16, 420), (0.55, 0.10, 370),
        (0.78, 0.14, 320), (1.05, 0.08, 260), width=300.0,
    ),
}  # fmt: skip


def recipe(*, eroded: bool) -> Recipe:
    """Return the range of five curves."""
    land = FeatureCurves(
        ridges=["Main ridge", "South spur", "East spur", "North spur"],
        valleys=["Valley"],
        ridge_slopes=(36.0, 36.0),
        valley_slopes=(4.0, 4.0),
        reach=1100.0,
        bumps=420.0,
        frequency=5.0,
        valley_roughness=(0.25, 0.25),
    )
    layers = (land, StreamErosion(strength=0.7)) if eroded else (land,)
    return Recipe(layers=layers, curves=CURVES, height=1000.0, size=16000.0, seed=5)
