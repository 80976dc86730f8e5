# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of exported land in programs that make maps, drawn by these: MapLibre, CesiumJS and GDAL."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
from oblique import light
from PIL import Image
from target_files import WIDTH, export, pixels

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "clients")]

import browser  # noqa: E402  (found through the path set above)

VIEWS = Path(__file__).resolve().parent / "target_views"
TALL = 540
PATIENCE = 400.0
"""Seconds until a page has drawn, without a graphics card."""

PLACE = ("--option", "latitude=47", "--option", "longitude=11")
SAMPLES = ("--samples", "1025")

HYPSOMETRIC = (
    (-1300.0, "#4f7d52"),
    (-900.0, "#7d9c62"),
    (-500.0, "#b8ae7c"),
    (-150.0, "#a98b6d"),
    (150.0, "#9d8f88"),
    (330.0, "#e4e4e6"),
    (520.0, "#ffffff"),
)
"""Colors by height in meters, as on printed maps."""

NATURAL = (
    (-1200.0, "#567a45"),
    (-700.0, "#7c9a5a"),
    (-350.0, "#a89a72"),
    (-50.0, "#8f8478"),
    (250.0, "#dcdbd9"),
    (480.0, "#ffffff"),
)
"""The same as land looks from a hill."""

SKY = {
    "sky-color": "#6d9fdb",
    "horizon-color": "#d3e1ee",
    "fog-color": "#cddcea",
    "sky-horizon-blend": 0.6,
    "horizon-fog-blend": 0.5,
    "fog-ground-blend": 0.35,
}
HILLS = {
    "hillshade-exaggeration": 0.62,
    "hillshade-illumination-direction": 300,
    "hillshade-shadow-color": "#20283a",
    "hillshade-highlight-color": "#fff6e0",
}


def draw_maplibre(folder: Path) -> Image.Image:
    """Return tiles of colors as MapLibre draws them, with its own relief, light and sky."""
    export(folder, "alps", "--target", "terrarium", *SAMPLES, *PLACE)
    ramp: list[object] = ["interpolate", ["linear"], ["elevation"]]
    for height, color in NATURAL:
        ramp += [height, color]
    view = {"center": [11.0, 46.985], "zoom": 12.6, "pitch": 69, "bearing": 20}
    question = {
        "listing": "/land/alps/tiles.json",
        "width": WIDTH,
        "height": TALL,
        "ramp": ramp,
        "sky": SKY,
        "light": HILLS,
        "view": view,
    }
    return _draw_page("maplibre", question, folder, "maplibre-gl")


def draw_cesium(folder: Path) -> Image.Image:
    """Return meshes as CesiumJS draws them, with the color map in the light of the normal map on them."""
    options = ("--colors", "own", "--normal", "8")
    says = export(folder, "alps", "--target", "quantized_mesh", *SAMPLES, *PLACE, *options)
    # The files begin in the south, as the heights do; an image on a globe begins in the north.
    colors, normals = (pixels(folder / f"alps_{name}.png") for name in ("color", "normal"))
    lit = light(colors, 2.0 * normals - 1.0)[::-1]
    Image.fromarray((lit * 255.0 + 0.5).astype(np.uint8)).save(folder / "lit.png")
    question = {
        "tiles": "/land/alps",
        "colors": "/land/lit.png",
        "rectangle": says["pyramid"]["land"],
        "width": WIDTH,
        "height": TALL,
        "eye": [10.984, 46.962, 130.0],
        "look": {"heading": -17.5, "pitch": -8.5, "angle": 62.0},
    }
    return _draw_page("cesium", question, folder, "cesium")


def _draw_page(page: str, question: dict[str, object], folder: Path, package: str) -> Image.Image:
    browser.PATIENCE = PATIENCE
    answer = browser.ask(page, question, folder, package, VIEWS)
    assert answer["errors"] == [], answer["errors"]
    _, _, text = str(answer["picture"]).partition(",")
    return Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")


def draw_gdal(folder: Path) -> Image.Image:
    """Return a part of a map that GDAL's programs have drawn: colors by height, light, and contours."""
    export(folder, "alps", "--target", "geotiff", *SAMPLES, *PLACE)
    land, lines = folder / "alps.tif", folder / "lines.geojson"
    (folder / "ramp.txt").write_text(
        "".join(f"{height:g} {_decimal(color)}\n" for height, color in HYPSOMETRIC),
        encoding="utf-8",
    )
    _run("gdaldem", "color-relief", land, folder / "ramp.txt", folder / "colors.tif", "-q")
    shade = ("-multidirectional", "-s", "111320", "-z", "1.6", "-compute_edges", "-q")
    _run("gdaldem", "hillshade", land, folder / "light.tif", *shade)
    _run("gdal_contour", "-q", "-i", "100", land, lines)
    burn = ("-burn", "78", "-burn", "58", "-burn", "44")
    _run(
        "gdal_translate",
        "-q",
        folder / "colors.tif",
        folder / "lines.tif",
        "-scale",
        "0",
        "1",
        "255",
        "255",
    )
    _run(
        "gdal_rasterize", "-q", "-b", "1", "-b", "2", "-b", "3", *burn, lines, folder / "lines.tif"
    )
    colors, shaded, drawn = (_read(folder / f"{name}.tif") for name in ("colors", "light", "lines"))
    is_line = (drawn[..., :1] != 255.0).astype(float) * 0.5
    mixed = (colors / 255.0) ** 2.0 * (0.1 + 1.35 * (shaded / 255.0))
    picture = 255.0 * np.clip(mixed, 0.0, 1.0) ** 0.5 * (1.0 - is_line) + drawn * is_line
    part = picture[240 : 240 + TALL, 30 : 30 + WIDTH]
    return Image.fromarray(np.clip(part, 0.0, 255.0).astype(np.uint8))


def _decimal(color: str) -> str:
    return " ".join(str(int(color[start : start + 2], 16)) for start in (1, 3, 5))


def _run(*command: object) -> None:
    subprocess.run([str(word) for word in command], check=True)


def _read(path: Path) -> np.ndarray:
    """Return a GeoTIFF of GDAL's as rows, columns and channels."""
    import rasterio

    with rasterio.open(path) as file:
        return np.moveaxis(file.read(), 0, 2).astype(float)
