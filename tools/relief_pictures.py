# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the pictures of docs/relief.md: erosion of one ground, and of a measured ground.

    nox -s "pictures(relief)"

The measured ground is the sample elevation that matplotlib ships, `jacksboro_fault_dem.npz`: the
Jacksboro fault in Tennessee, from the National Elevation Dataset of the United States Geological
Survey, which is in the public domain.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from pixels import image_of, save_jpeg  # noqa: E402  (found through the path set above)

from noise_core import Grid, Modifier, Relief, maps  # noqa: E402
from noise_core.base.arrays import Field  # noqa: E402
from noise_core.landscapes.look import Look  # noqa: E402
from noise_core.modifiers import (  # noqa: E402
    Amplify,
    Blur,
    FillLakes,
    GullyErosion,
    SedimentErosion,
    Strata,
    StreamErosion,
    Terraces,
    ThermalErosion,
)
from noise_core.noises import Blend, Fractal, Gradient, Perlin, Raster  # noqa: E402
from noise_core.pictures.thumbnail import grays, thumbnail  # noqa: E402
from noise_core.rasters.coarse_cells import CoarseCells  # noqa: E402
from noise_core.rasters.level import Level  # noqa: E402

IMAGES = ROOT / "docs" / "images"
LARGEST = 295_000
"""Bytes; pictures in the repository stay below 300 KB."""
SIDE = 330
METERS_PER_DEGREE = 111_320.0
"""Of latitude; a degree of longitude is shorter by the cosine of the latitude."""

LOOK = Look("alpine", limits={"snow_line": 0.72}, rivers=0.0)
LOW = Look("temperate", rivers=0.0)

Picture = tuple[str, Image.Image]
"""A name, and an image."""


def main() -> None:
    """Draw all pictures."""
    save("relief_stream", sheet(stream_pictures(), 4))
    save("relief_modifiers", sheet(modifier_pictures(), 4))
    save("relief_grown", sheet(grown_pictures(), 3))
    ground, grid = measured()
    save("relief_measured", sheet(measured_pictures(ground, grid), 2))
    save("relief_maps", sheet(map_pictures(ground, grid), 4))
    report_detail(ground, grid)
    save("relief_amplify", sheet(amplify_pictures(ground, grid), 3))


def hills(size: float = 10_000.0) -> tuple[Field, Grid]:
    """Return rough hills, and the grid that they lie on."""
    grid = Grid(SIDE, SIDE, size=size)
    noise = Blend(
        first=Fractal(source=Perlin(frequency=2.1), octaves=9.0, persistence=0.48, rotation=31.0),
        second=Gradient(shape="linear", angle=55.0),
        mode="add",
        factor=0.15,
    )
    return noise.sample_grid(grid, 18) * np.float32(1800.0), grid


def stream_pictures() -> list[Picture]:
    """Return the effects of the parameters of stream erosion."""
    height, grid = hills()
    shown: list[tuple[str, Modifier]] = [
        ("strength 0.1", StreamErosion(strength=0.1)),
        ("strength 0.4", StreamErosion()),
        ("strength 1.2", StreamErosion(strength=1.2)),
        ("talus angle 30", StreamErosion(strength=0.8, talus_angle=30.0)),
        ("lakes: fill", StreamErosion(lakes="fill")),
        ("sediment 0.8", StreamErosion(sediment=0.8, lakes="fill")),
        ("layers of 150 m", StreamErosion(layer_thickness=150.0, layer_contrast=0.95)),
    ]
    pictures = [("before", drawn(Relief(height), grid))]
    return pictures + [
        (name, drawn(modifier.apply(height, grid), grid)) for name, modifier in shown
    ]


def modifier_pictures() -> list[Picture]:
    """Return one picture per modifier, all of the same ground."""
    height, grid = hills()
    cut = StreamErosion(lakes="fill").apply(height, grid)
    pictures = [("stream erosion", drawn(cut, grid))]
    for name, modifier in (
        ("+ gully erosion", GullyErosion()),
        ("+ thermal erosion", ThermalErosion(talus_angle=33.0)),
        ("+ sediment erosion", SedimentErosion()),
        ("+ strata", Strata()),
        ("+ terraces", Terraces()),
        ("+ blur", Blur(radius=120.0)),
    ):
        pictures.append((name, drawn(modifier.apply(cut.height, grid), grid)))
    lakes = FillLakes().apply(height, grid)
    pictures.append(("fill lakes, alone", drawn(Relief(height, lakes.maps), grid)))
    return pictures


def grown_pictures() -> list[Picture]:
    """Return a painted mask, the mountains that grow from it, and where their water flows."""
    grid = Grid(420, 420, size=14_000.0)
    y, x = np.mgrid[-1.0:1.0:420j, -1.0:1.0:420j]
    strokes = [(-0.45, 0.3, 0.34), (-0.1, 0.12, 0.4), (0.3, -0.05, 0.36), (0.5, -0.4, 0.26)]
    mask = np.zeros(grid.shape)
    for across, along, radius in strokes:
        mask = np.maximum(mask, 1.0 - np.hypot(x - across, y - along) / radius)
    painted = (np.clip(mask * 1.6, 0.0, 1.0) * 1000.0).astype(np.float32)
    grown = StreamErosion(mode="grow", talus_angle=40.0).apply(painted, grid, 3)
    return [
        ("a painted mask", gray(painted)),
        ("mode grow", drawn(grown, grid)),
        ("its map flow", gray(grown.maps["flow"])),
    ]


def measured() -> tuple[Field, Grid]:
    """Return the measured ground on square cells, and its grid."""
    from matplotlib.cbook import get_sample_data

    data = get_sample_data("jacksboro_fault_dem.npz")
    height = np.asarray(data["elevation"], np.float64)[::-1]  # row 0 in the south
    latitude = float((data["ymin"] + data["ymax"]) / 2)
    dy = float(data["dy"]) * METERS_PER_DEGREE
    dx = float(data["dx"]) * METERS_PER_DEGREE * np.cos(np.radians(latitude))
    rows = round((height.shape[0] - 1) * dy / dx) + 1  # as far apart as the columns
    place = np.linspace(0.0, height.shape[0] - 1.0, rows)
    lower = np.minimum(place.astype(int), height.shape[0] - 2)
    share = (place - lower)[:, np.newaxis]
    square = height[lower] * (1.0 - share) + height[lower + 1] * share
    grid = Grid(*square.shape, size=dx * (square.shape[1] - 1))
    return square.astype(np.float32), grid


def measured_pictures(height: Field, grid: Grid) -> list[Picture]:
    """Return the measured ground, and the same ground after a further age of rain."""
    worn = StreamErosion(strength=0.5, talus_angle=38.0, lakes="fill").apply(height, grid)
    cut = GullyErosion(depth=0.12).apply(worn.height, grid)
    merged = {**worn.maps, **cut.maps}
    lakes = FillLakes(smallest=20_000.0).apply(height, grid)
    return [
        ("measured: Jacksboro fault, Tennessee", drawn(Relief(height, lakes.maps), grid, LOW)),
        ("StreamErosion, then GullyErosion", drawn(Relief(cut.height, merged), grid, LOW)),
    ]


def amplify_pictures(height: Field, grid: Grid) -> list[Picture]:
    """Return the ground by one of sixteen samples, amplified, and whole; then a part of it beyond its samples."""
    meters = round(grid.spacing)
    restored = with_detail(height[:221:4, :221:4], 4 * grid.spacing, 4)
    near = with_detail(height[30:86, 70:126], grid.spacing, 8)
    strong = with_detail(height[30:86, 70:126], grid.spacing, 8, strength=2.0)
    return [
        (f"measured every {4 * meters} m", drawn(Relief(restored[0]), restored[2], LOW, zoom=2)),
        (f"amplified to {meters} m", drawn(Relief(restored[1]), restored[2], LOW, zoom=2)),
        (f"measured every {meters} m", drawn(Relief(height[:221, :221]), restored[2], LOW, zoom=2)),
        (f"measured every {meters} m", drawn(Relief(near[0]), near[2], LOW)),
        (f"amplified to {meters / 8:.0f} m", drawn(Relief(near[1]), near[2], LOW)),
        ("the same with strength 2", drawn(Relief(strong[1]), near[2], LOW)),
    ]


def report_detail(height: Field, grid: Grid) -> None:
    """Print how high detail below cells of some samples is: amplified, and measured."""
    for parts in (2, 4):
        rows, columns = ((count - 1) // parts * parts + 1 for count in height.shape)
        cell = parts * grid.spacing
        smooth, amplified, part = with_detail(height[:rows:parts, :columns:parts], cell, parts)
        cells = CoarseCells.over(Level.from_grid(part), cell)
        amplified_deviation, true = (
            cells.take_off_means(field - smooth).std()
            for field in (amplified, height[:rows, :columns])
        )
        print(
            f"below cells of {cell:.0f} m: {amplified_deviation:.1f} m amplified, {true:.1f} m measured"
        )


def with_detail(
    coarse: Field, cell: float, parts: int, strength: float = 1.0
) -> tuple[Field, Field, Grid]:
    """Return a smooth surface through samples, the same amplified, and the grid of both."""
    rows, columns = ((count - 1) * parts + 1 for count in coarse.shape)
    grid = Grid(rows, columns, size=cell * (coarse.shape[1] - 1))
    highest = float(coarse.max())
    picture = Raster(pixels=coarse / np.float32(highest), edge="clamp")
    smooth = picture.sample_grid(grid) * np.float32(highest)
    amplified = Amplify(cell_size=cell, strength=strength).apply(smooth, grid)
    return smooth, amplified.height, grid


def map_pictures(height: Field, grid: Grid) -> list[Picture]:
    """Return maps read off the measured ground."""
    curvature = maps.curvature(height, grid)
    span = float(np.percentile(np.abs(curvature), 98))
    near = 1.0 - np.clip(maps.river_distance(height, grid) / 1500.0, 0.0, 1.0)
    normal = maps.normal(height, grid)
    return [
        ("slope, 0 to 45 degrees", gray(maps.slope(height, grid), 0.0, 45.0)),
        ("aspect", gray(maps.aspect(height, grid), 0.0, 360.0)),
        ("curvature", gray(curvature, -span, span)),
        ("ambient occlusion", gray(maps.ambient_occlusion(height, grid), 0.4, 1.0)),
        ("flow", gray(maps.flow(height, grid), 0.0, 0.9)),
        ("wetness", gray(maps.wetness(height, grid), 4.0, 14.0)),
        ("distance to rivers", gray(near)),
        ("normal, OpenGL", image_of(normal * 0.5 + 0.5)),
    ]


def drawn(relief: Relief, grid: Grid, look: Look = LOOK, zoom: int = 1) -> Image.Image:
    """Return a landscape, as thumbnails show it."""
    picture = image_of(thumbnail(relief.height, grid, look, 1.0, maps=relief.maps))
    size = (zoom * picture.width, zoom * picture.height)
    return picture.resize(size, Image.Resampling.BICUBIC)


def gray(values: Field, low: float | None = None, high: float | None = None) -> Image.Image:
    """Return values as grays, from the lowest to the highest if no limits are given."""
    return image_of(grays(values, low, high))


def sheet(pictures: list[Picture], columns: int) -> Image.Image:
    """Return pictures side by side, each with its name in the corner."""
    font = ImageFont.load_default(15)
    width, rows = pictures[0][1].size
    count = -(-len(pictures) // columns)
    whole = Image.new("RGB", (columns * (width + 4) - 4, count * (rows + 4) - 4), "white")
    draw = ImageDraw.Draw(whole)
    for number, (name, picture) in enumerate(pictures):
        row, column = divmod(number, columns)
        x, y = column * (width + 4), row * (rows + 4)
        whole.paste(picture.resize((width, rows)), (x, y))
        box = draw.textbbox((x + 8, y + 6), name, font=font)
        draw.rectangle((box[0] - 4, box[1] - 3, box[2] + 4, box[3] + 3), fill=(20, 22, 24))
        draw.text((x + 8, y + 6), name, font=font, fill=(244, 244, 240))
    return whole


def save(name: str, image: Image.Image) -> None:
    """Save a picture at the best quality that is small enough."""
    path = IMAGES / f"{name}.jpg"
    save_jpeg(image, path, LARGEST)
    print(f"{path.relative_to(ROOT)}: {image.width} x {image.height}, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
