# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of docs/curves.md: `python tools/drawn_pictures.py` writes docs/images/curves_*.jpg."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from noise_core import CurvePoint, LandCurve, Recipe  # noqa: E402  (found through the path set above)
from noise_core.curves.chains import chain_of  # noqa: E402
from noise_core.modifiers import StreamErosion  # noqa: E402
from noise_core.noises import FeatureCurves  # noqa: E402
from tools.oblique import Camera, light, view  # noqa: E402

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
        (-0.05, 0.58, 1250), (0.12, 0.65, 1750), (0.24, 0.60, 2450), (0.34, 0.63, 1950), (0.47, 0.69, 2500),
        (0.56, 0.63, 2150), (0.66, 0.58, 3150), (0.76, 0.64, 2150), (0.90, 0.60, 2250), (1.05, 0.66, 1350),
    ),
    "West spur": curve((0.24, 0.60, 2450), (0.21, 0.50, 1650), (0.28, 0.41, 1500), (0.25, 0.30, 760)),
    "East spur": curve((0.66, 0.58, 3150), (0.73, 0.48, 1950), (0.69, 0.38, 1650), (0.76, 0.28, 700)),
    "North spur": curve((0.47, 0.69, 2500), (0.52, 0.79, 1750), (0.45, 0.88, 1450), (0.50, 1.03, 700)),
    "Valley": curve(
        (-0.05, 0.22, 440), (0.15, 0.15, 400), (0.36, 0.19, 360), (0.52, 0.11, 320),
        (0.75, 0.16, 280), (1.05, 0.09, 230), width=420.0,
    ),
}  # fmt: skip


def recipe(*, eroded: bool) -> Recipe:
    """Return the range of five curves."""
    land = FeatureCurves(
        ridges=["Main ridge", "West spur", "East spur", "North spur"],
        valleys=["Valley"],
        ridge_slope_left=34.0,
        ridge_slope_right=34.0,
        valley_slope_left=3.0,
        valley_slope_right=3.0,
        reach=1300.0,
        bumps=700.0,
        frequency=5.0,
        persistence=0.52,
        valley_roughness_left=0.12,
        valley_roughness_right=0.12,
    )
    layers = (land, StreamErosion(strength=0.6)) if eroded else (land,)
    return Recipe(layers=layers, curves=CURVES, height=1000.0, size=16000.0, seed=5)


def normals_of(height: np.ndarray, width: float) -> np.ndarray:
    """Return the normals of heights in meters."""
    step = width / (height.shape[1] - 1)
    down, along = np.gradient(height.astype(np.float64), step)
    normals = np.stack((-along, -down, np.ones_like(along)), axis=-1)
    return normals / np.linalg.norm(normals, axis=-1, keepdims=True)


def blend(low: float, high: float, values: np.ndarray) -> np.ndarray:
    """Return the smooth step of values between two limits, with an axis for channels."""
    share = np.clip((values - low) / (high - low), 0.0, 1.0)
    return (share * share * (3.0 - 2.0 * share))[..., np.newaxis]


def colors_of(height: np.ndarray, normals: np.ndarray, flow: np.ndarray) -> np.ndarray:
    """Return meadows, woods, rock and snow by height and steepness."""
    rise = np.degrees(np.arccos(np.clip(normals[..., 2], 0.0, 1.0)))
    meadow, wood = np.array([0.56, 0.56, 0.36]), np.array([0.24, 0.31, 0.19])
    alp, scree = np.array([0.52, 0.50, 0.36]), np.array([0.58, 0.555, 0.515])
    rock, snow = np.array([0.45, 0.425, 0.40]), np.array([0.95, 0.96, 0.99])
    color = meadow + (wood - meadow) * blend(5.0, 16.0, rise)
    color = color + (alp - color) * blend(1050.0, 1450.0, height + 4.0 * rise)
    color = color + (scree - color) * np.maximum(
        blend(31.0, 36.0, rise), 0.8 * blend(1500.0, 1900.0, height)
    )
    color = color + (rock - color) * blend(37.0, 43.0, rise)
    cold = height - 16.0 * np.maximum(rise - 34.0, 0.0) + 120.0 * normals[..., 1]
    color = color + (snow - color) * blend(1600.0, 1900.0, cold)
    return color + (np.array([0.36, 0.45, 0.50]) - color) * 0.5 * blend(0.2, 1.0, flow)


def landscape(
    height: np.ndarray, flow: np.ndarray, width: float, size: tuple[int, int], camera: Camera
) -> Image.Image:
    """Return a view of land in the evening sun."""
    normals = normals_of(height, width)
    from_south = normals * (1.0, -1.0, 1.0)  # the sun stands in the southwest, behind the camera
    lit = light(colors_of(height, normals, flow), from_south, shadows(height, width))
    return view(height, lit, width, size, camera)


def shadows(height: np.ndarray, width: float) -> np.ndarray:
    """Return the share of the sky that samples see, about: low beside higher ground."""
    shade = np.ones_like(height, dtype=np.float64)
    step = width / (height.shape[1] - 1)
    for reach in (4, 12, 36):
        for down, along in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            moved = np.roll(height, (down * reach, along * reach), (0, 1))
            shade -= 0.05 * np.clip((moved - height) / (reach * step), 0.0, 1.2)
    return np.clip(shade, 0.35, 1.0)


def plan(height: np.ndarray | None, size: int) -> Image.Image:
    """Return the curves from above, on paper or on shaded land."""
    paper = np.full((size, size, 3), (0.94, 0.93, 0.90))
    if height is not None:
        normals = normals_of(height, 16000.0)
        paper = light(np.full((*height.shape, 3), (0.62, 0.60, 0.55)), normals)[::-1]
    image = Image.fromarray((paper * 255.0).astype(np.uint8)).resize(
        (2 * size, 2 * size), Image.Resampling.LANCZOS
    )
    draw = ImageDraw.Draw(image)
    for name, drawn in CURVES.items():
        vertices = chain_of(drawn, 16000.0, 4.0).vertices
        line = [(2 * size * x, 2 * size * (1.0 - y)) for x, y in vertices[:, :2].tolist()]
        draw.line(
            line,
            fill=INK["valley" if name == "Valley" else "ridge"],
            width=10 if height is None else 3,
            joint="curve",
        )
    return image.resize((size, size), Image.Resampling.LANCZOS)


def range_picture(side: int = SIDE) -> Image.Image:
    """Return five curves, the land that they draw, and the range after erosion."""
    drawn, eroded = (recipe(eroded=is_eroded) for is_eroded in (False, True))
    before = drawn.evaluate(drawn.grid(513)).height
    relief = eroded.evaluate(eroded.grid(side))
    gap, square = 8, 298
    width, height = 1200, 2 * square + gap
    picture = Image.new("RGB", (width, height), "white")
    picture.paste(plan(None, square), (0, 0))
    picture.paste(plan(before, square), (0, square + gap))
    flow = (
        np.log1p(relief.maps["flow"]) / np.log1p(relief.maps["flow"].max())
        if "flow" in relief.maps
        else np.zeros_like(relief.height)
    )
    camera = Camera(east=-0.10, north=-0.66, above=0.19, heading=10.0, down=18.0, angle=48.0)
    big = landscape(
        relief.height,
        np.clip(2.2 * flow - 1.1, 0, 1),
        16000.0,
        (width - square - gap, height),
        camera,
    )
    picture.paste(big, (square + gap, 0))
    return picture


if __name__ == "__main__":
    range_picture().save(IMAGES / "curves_range.jpg", quality=86, optimize=True, progressive=True)
