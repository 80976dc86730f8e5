# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes elevation files by GDAL, and reads them, through rasterio."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import rasterio
import rasterio.shutil

from tests.core.gdal_files import READ_CODECS, Reading

SHAPE = (17, 37)
"""Rows and columns of files that are kept: parts of blocks at both ends, several strips, few bytes."""

STEP = (20.0, 40.0)
"""Meters: of the vertices of the land's squares, every second row is one that was measured."""

HIGHEST = 1 << 19
"""Meters: heights up to here are heights to Terrane; those of `is_wide` files are not all."""

TYPES = ("uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")
REFUSED_CODECS = ("zstd", "lerc", "lzma", "jpeg")
LAYOUTS: Mapping[str, Mapping[str, object]] = {
    "plain": {},
    "tiles": {"tiled": True, "blockxsize": 32, "blockysize": 16},
    "strips": {"blockysize": 7},
}
SPARSE = {"SPARSE_OK": True, "tiled": True, "blockxsize": 16, "blockysize": 16}


@dataclasses.dataclass(frozen=True)
class GeoTiff:
    """How a GeoTIFF is written; `is_wide` are whole numbers of all sizes that the type holds."""

    kind: str
    codec: str = "none"
    predictor: int = 1
    nodata: float | None = None
    layout: str = "plain"
    order: str = "LITTLE"
    is_big: bool = False
    is_wide: bool = False

    @property
    def name(self) -> str:
        """Name of the file, which no other has."""
        parts = [self.kind, self.codec, f"predictor{self.predictor}", self.layout]
        parts += [self.order.lower(), "big" if self.is_big else "classic"]
        parts += [] if self.nodata is None else [f"nodata{self.nodata:g}"]
        return "-".join(parts + ["wide"] * self.is_wide) + ".tif"

    def write(self, path: Path, shape: tuple[int, int] = SHAPE) -> None:
        """Write it."""
        options = {} if self.codec == "none" else {"compress": self.codec}
        if self.predictor > 1:
            options["predictor"] = self.predictor
        options |= {"ENDIANNESS": self.order, "BIGTIFF": "YES" if self.is_big else "NO"}
        write(path, self.heights(shape), self.nodata, **LAYOUTS[self.layout], **options)

    def heights(self, shape: tuple[int, int]) -> np.ndarray:
        """Return numbers of all sizes that a type holds, some of them holes."""
        generator = np.random.default_rng(17)
        if self.kind[0] == "f":
            field = generator.normal(0.0, 1.0, shape) * 10.0 ** generator.integers(-3, 5, shape)
        else:
            limits = np.iinfo(self.kind)
            low, high = limits.min, limits.max
            if not self.is_wide:
                low, high = max(low, -HIGHEST), min(high, HIGHEST)
            field = generator.integers(low, high, shape, dtype=self.kind, endpoint=True)
        field = np.sort(field, axis=1).astype(self.kind)
        if self.nodata is not None:
            rows, columns = (slice(size // 4, 3 * size // 8) for size in shape)
            field[rows, columns] = self.nodata
        return field


def geotiffs() -> Iterator[GeoTiff]:
    """Yield 50 that are read, each type with each codec, predictors, holes, layouts and byte orders by turns, and 4 that are not."""
    turn = itertools.count()

    def next_one(kind: str, codec: str, predictor: int, orders: tuple[str, str]) -> GeoTiff:
        at = next(turn)
        missing = 0.0 if kind[0] == "u" else -9999.0
        layout = tuple(LAYOUTS)[at % 3]
        return GeoTiff(
            *(kind, codec, predictor, missing if at % 2 == 0 else None),
            *(layout, orders[at % 2], at % 5 == 0),
        )

    for kind, codec in itertools.product(TYPES, READ_CODECS):
        yield next_one(kind, codec, 1, ("LITTLE", "BIG"))
    for kind, codec in itertools.product(("int16", "uint32", "float32", "float64"), READ_CODECS[1:3]):  # fmt: skip
        for predictor in (2, 3) if kind[0] == "f" else (2,):
            yield next_one(kind, codec, predictor, ("BIG", "LITTLE"))
    for codec in READ_CODECS[:2]:
        yield GeoTiff("int8", codec)
    for layout in ("plain", "tiles"):
        yield GeoTiff("float32", "deflate", 3, math.nan, layout, is_big=True)
    for kind, (codec, predictor) in itertools.product(("int32", "uint32"), (("none", 1), ("deflate", 2), ("lzw", 2))):  # fmt: skip
        yield GeoTiff(kind, codec, predictor, is_wide=True)
    for codec in REFUSED_CODECS:
        yield GeoTiff("uint8", codec)


def write(
    path: Path,
    field: np.ndarray,
    nodata: float | None = None,
    window: rasterio.windows.Window | None = None,
    **options: object,
) -> None:
    """Write a GeoTIFF, in UTM unless the options say otherwise; a field with a window is a part of it."""
    place = rasterio.Affine(STEP[0], 0.0, 500_000.0, 0.0, -STEP[1], 5_100_000.0)
    profile = {"driver": "GTiff", "height": field.shape[0], "width": field.shape[1], "count": 1}
    profile |= {"dtype": field.dtype, "nodata": nodata, "crs": "EPSG:32632", "transform": place}
    with warnings.catch_warnings():
        # It warns while it creates a file, before the place is written.
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        with rasterio.open(path, "w", **profile | options) as file:
            file.write(field, 1, window=window)


def write_sparse(path: Path) -> None:
    """Write a GeoTIFF without a place, with three of whose four blocks nothing was done."""
    field, window = np.full((16, 16), 5.0, np.float32), rasterio.windows.Window(16, 0, 16, 16)
    write(path, field, -1.0, window, height=32, width=32, crs=None, transform=None, **SPARSE)


def write_degrees(path: Path, *, area_or_point: str) -> None:
    """Write a GeoTIFF in longitude and latitude, of areas or of points."""
    field = GeoTiff("int16").heights((9, 37))
    place = rasterio.Affine(0.05, 0.0, 7.0, 0.0, -0.1, 47.0)
    write(path, field, crs="EPSG:4326", transform=place)
    with rasterio.open(path, "r+") as file:
        file.update_tags(AREA_OR_POINT=area_or_point)


def write_ascii_grid(path: Path, *, kind: str) -> None:
    """Write an ESRI ASCII grid with holes, in a coordinate system that the file does not tell."""
    between = path.with_suffix(".tif")
    write(between, GeoTiff(kind, nodata=-9999.0).heights(SHAPE), -9999.0, crs=None)
    rasterio.shutil.copy(between, path, driver="AAIGrid")


def write_srtm_tile(path: Path) -> None:
    """Write an SRTM tile with holes; its wide terraces make it small when it is packed."""
    rows, columns = np.mgrid[0:1201, 0:1201]
    field = (rows // 40 * 97 - columns // 370 * 613).astype(np.int16)
    field[403:470, 811:829] = -32768
    between, step = path.with_suffix(".tif"), 1.0 / 1200.0
    place = rasterio.Affine(step, 0.0, 7.0 - step / 2.0, 0.0, -step, 47.0 + step / 2.0)
    write(between, field, -32768, crs="EPSG:4326", transform=place)
    rasterio.shutil.copy(between, path, driver="SRTMHGT")


def writers() -> Mapping[str, Callable[[Path], None]]:
    """Return the functions that write each file of the archive, by its name."""
    return {
        **{geotiff.name: geotiff.write for geotiff in geotiffs()},
        "sparse.tif": write_sparse,
        "degrees-area.tif": functools.partial(write_degrees, area_or_point="Area"),
        "degrees-point.tif": functools.partial(write_degrees, area_or_point="Point"),
        "int16.asc": functools.partial(write_ascii_grid, kind="int16"),
        "float32.asc": functools.partial(write_ascii_grid, kind="float32"),
        "N46E007.hgt": write_srtm_tile,
    }


def read(path: Path) -> Reading:
    """Return the contents of a file in rasterio."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        with rasterio.open(path) as file:
            has_place = not file.transform.is_identity
            return Reading(
                heights=file.read(1),
                holes=file.read_masks(1) == 0,
                sample_type=file.dtypes[0],
                codec="none" if file.compression is None else file.compression.value.lower(),
                bounds=tuple(file.bounds) if has_place else None,
                epsg=(file.crs.to_epsg() or 0) if file.crs else 0,
                is_geographic=bool(file.crs) and file.crs.is_geographic,
                is_point=file.tags().get("AREA_OR_POINT", "Area") == "Point",
            )
