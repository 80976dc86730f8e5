# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights in and out: what an export costs beyond its evaluation, what it loses, and reading of GeoTIFF."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from noise_core import Control, Grid, Recipe
from noise_core.io.elevation_reading import read_elevation
from noise_core.io.heightmaps import ExportOptions, export_heightmap
from noise_core.io.targets import Terrain3D, Unreal
from noise_core.io.targets.bases.target import Target, target_types
from noise_core.noises import Fractal, Perlin

from . import processes
from .measure import Work, timed
from .tables import say, verdict

HEAD = """## Exchange

The preset *Alps*, written for Unreal Engine and read back, against `Recipe.evaluate` at the same size. The peak of an
export is that of a process that does nothing else, less that of one that evaluates alone; written down are the bytes
beyond finished heights, too. What a file of 16 bits loses is the largest difference between the heights and
what is read back, in steps of its numbers. rasterio (GDAL) reads the same deflated GeoTIFF of 32-bit floats, and LZW of
whole meters in the size of USGS's tiles, into an array.

LZW in NumPy finds the string of each code by pointer doubling, and writes it eight bytes at a time; codes of several strips or
tiles are cut out side by side. What remains are a dozen gathers of 0.6 ns a code, a write of 4 ns at a scattered place, and the
conversion to floats, whose pages the system has to clear: twice as many as GDAL's. Tried, and no faster: doubling the pointers of bytes instead
of codes, walking to parents in order of length, cutting all codes of a group as rows of one array, groups of 12,000 to 32,000 codes.
"""

SIDE, GEOTIFF_SIDE, LZW_SIDE = 4033, 8192, 10812
RATIO, BYTES, QUANTA, READING = (1.4, 1.15), (24.0, 12.0), (0.51, 0.5), (3.0, 1.5)
LZW_READING = (10.0, 4.0)
"""What is asked for: must and aim."""

LZW_FILES: Mapping[str, Mapping[str, object]] = {
    "rows": {"blockysize": 1},
    "rows, predictor": {"blockysize": 1, "predictor": 2},
    "tiles of 128, predictor": {"blockxsize": 128, "blockysize": 128, "tiled": True, "predictor": 2},
    "tiles of 512": {"blockxsize": 512, "blockysize": 512, "tiled": True},
}  # fmt: skip
"""How the strips or tiles of LZW are written."""

FEW = 2
"""Counted runs at the most: one takes a minute."""


def table(runs: int) -> Iterator[str]:
    """Yield the lines of this part of the report."""
    yield HEAD
    yield "| what | measured | must | aim | reached |"
    yield "| --- | ---: | ---: | ---: | --- |"
    with tempfile.TemporaryDirectory(prefix="terrane-exchange-") as name:
        folder = Path(name)
        yield _row(f"Export over evaluation, {SIDE}², time", _time_ratio(folder, runs), RATIO)
        beyond, writing = processes.export_bytes_per_sample(SIDE, folder)
        yield _row(f"Export, {SIDE}²: peak beyond the evaluation's, bytes a sample", beyond, BYTES)
        yield _row(f"Writing, {SIDE}²: peak beyond the heights, bytes a sample", writing, BYTES)
        for target, lost in _losses(folder):
            what = f"{target.label}, {target.encoding.suffix}: largest loss, steps"
            yield _row(what, lost, QUANTA, 4)
        yield from _geotiff_rows(folder, runs)
    yield ""


def _row(what: str, value: float, limits: tuple[float, float], digits: int = 2) -> str:
    must, aim = limits
    line = f"| {what} | {value:.{digits}f} | {must:g} | {aim:g} | {verdict(value, must, aim)} |"
    say(line)
    return line


def _time_ratio(folder: Path, runs: int) -> float:
    """Return the time of an export over that of its evaluation, on one thread each."""
    recipe = Recipe.from_preset("alps")
    grid = recipe.grid(SIDE)

    def export() -> object:
        path = folder / "alps"
        return export_heightmap(
            recipe,
            path,
            target="unreal",
            samples=SIDE,
            options=ExportOptions(overwrite=True),
            control=Control(threads=1),
        )

    ours, alone = timed([export, lambda: recipe.evaluate(grid, threads=1)], min(runs, FEW))
    say(f"export {ours.best:.2f} s, evaluation {alone.best:.2f} s")
    return ours.best / alone.best


def _losses(folder: Path) -> Iterator[tuple[Target, float]]:
    """Yield targets with whole numbers, and how many of their steps a height may be off."""
    recipe = Recipe.from_preset("alps")
    more = (Unreal(file_format="png"), Terrain3D(file_format="r16"))
    for target in (*(cls() for cls in target_types().values()), *more):
        if target.encoding.highest_number:
            side = next((size for size in target.sizes if size >= 500), 513)
            path = folder / f"{target.key}{target.encoding.suffix[1:]}"
            report = export_heightmap(recipe, path, target=target, samples=side)
            yield target, report.largest_difference / report.scale


def _geotiff_rows(folder: Path, runs: int) -> Iterator[str]:
    if importlib.util.find_spec("rasterio") is None:
        yield "| *not measured: rasterio is not there* | | | | |"
        return
    noise = Fractal(source=Perlin(frequency=8.0), octaves=8)
    heights = noise.sample_grid(Grid(GEOTIFF_SIDE, GEOTIFF_SIDE), 7) * 1000.0
    for predictor, said in ((1, "no predictor"), (3, "floating-point predictor")):
        works = _geotiff_works(folder, heights, compress="deflate", predictor=predictor)
        what = f"GeoTIFF, {GEOTIFF_SIDE}², deflate, {said}: reading over rasterio"
        yield _row(what, _reading_ratio(works, runs), READING)
    heights = (noise.sample_grid(Grid(LZW_SIDE, LZW_SIDE), 7) * 1000.0).astype(np.int16)
    for said, options in LZW_FILES.items():
        works = _geotiff_works(folder, heights, compress="lzw", **options)
        what = f"GeoTIFF, {LZW_SIDE}², int16, LZW, {said}: reading over rasterio"
        yield _row(what, _reading_ratio(works, min(runs, FEW)), LZW_READING)


def _reading_ratio(works: list[Work], runs: int) -> float:
    ours, peer = timed(works, runs)
    say(f"GeoTIFF: {ours.best:.2f} s, rasterio {peer.best:.2f} s")
    return ours.best / peer.best


def _geotiff_works(folder: Path, heights: np.ndarray, **options: object) -> list[Work]:
    """Return what reads a file with heights, and rasterio doing the same."""
    import rasterio

    path = folder / "land.tif"
    place = rasterio.Affine(30.0, 0.0, 500_000.0, 0.0, -30.0, 5_100_000.0)
    with rasterio.open(
        path, "w", driver="GTiff", height=heights.shape[0], width=heights.shape[1], count=1,
        dtype=heights.dtype, crs="EPSG:32632", transform=place, **options,
    ) as file:  # fmt: skip
        file.write(heights, 1)

    def read() -> object:
        with rasterio.open(path) as file:
            return file.read(1)

    return [lambda: read_elevation(path), read]
