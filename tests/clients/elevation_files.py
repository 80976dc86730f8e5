# SPDX-License-Identifier: GPL-3.0-or-later
"""Random elevation files of GDAL, and their contents in rasterio: holes, heights, orientation, sizes of samples.

Drawn are the type and the bands, scale, offset and unit of each, all ways in which a file tells holes, straight,
flipped, mirrored, turned and sheared coordinates inside it and beside it, compression and layout.
"""

from __future__ import annotations

import dataclasses
import math
import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyproj
import rasterio
from rasterio.crs import CRS
from rasterio.transform import Affine

TYPES = ("uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")
CODECS = (None, "deflate", "lzw", "packbits")
HOLES = (
    "none",
    "tag",
    "tag",
    "pam",
    "far",
    "pam values",
    "fraction",
    "values",
    "nan",
    "internal",
    "internal",
    "msk",
    "msk per band",
    "alpha",
)
SHAPES = (
    "none",
    "straight",
    "straight",
    "south up",
    "mirrored",
    "both",
    "turned",
    "sheared",
    "upside down",
)
PLACES = (
    "internal",
    "internal",
    "world",
    "pam",
    "world and pam",
    "internal and pam",
    "internal and world",
)
SYSTEMS = (None, "EPSG:32632", "EPSG:32632", "EPSG:2263", "EPSG:4326")
UNITS = {
    "": 1.0,
    "m": 1.0,
    "ft": 0.3048,
    "US survey foot": 1200.0 / 3937.0,
    "km": 1000.0,
    "cm": 0.01,
    "fathom": 1.8288,
}
WORLD_NAMES = {
    "tif": ("tfw", "TFW", "tifw", "TIFW", "wld", "Wld", "Tfw"),
    "png": ("pgw", "PGW", "pngw", "wld", "WLD"),
}
_UTM, _FEET, _DEGREES = (500_000.0, 5_100_000.0), (980_000.0, 200_000.0), (7.0, 46.0)


@dataclasses.dataclass(frozen=True)
class Case:
    """How a file is written; see the lists above."""

    driver: str
    kind: str
    bands: int
    holes: str
    also_nodata: bool
    shape: str
    place: str
    system: str | None
    scaled: str
    unit: str
    codec: str | None
    options: tuple[tuple[str, object], ...]
    size: tuple[int, int]
    seed: int

    @property
    def has_alpha(self) -> bool:
        """Whether the last band is transparency."""
        return self.holes == "alpha" and self.bands > 1


def draw(generator: random.Random) -> Case:
    """Return a random case that its driver can write."""
    pick = generator.choice
    driver = pick(("GTiff",) * 8 + ("PNG",) * 2)
    kind = pick(("uint8", "uint16") if driver == "PNG" else TYPES)
    bands = pick((1, 2, 3, 4) if driver == "PNG" else (1, 1, 1, 2, 3, 4, 5))
    holes = pick(HOLES)
    if driver == "PNG" and holes in ("internal", "values"):
        holes = "msk"
    if holes == "nan" and kind[0] != "f":
        holes = "tag"
    if holes in ("values", "pam values"):
        bands = 1
    if holes == "fraction" and kind[0] == "f":
        holes = "tag"
    options: dict[str, object] = {}
    codec = None
    if driver == "GTiff":
        codec = pick(CODECS)
        if codec in ("deflate", "lzw"):
            options["predictor"] = pick((1, 2, 3) if kind[0] == "f" else (1, 2))
        options |= pick(
            ({}, {"tiled": True, "blockxsize": 16, "blockysize": 32}, {"blockysize": 5})
        )
        options |= {"interleave": pick(("pixel", "band")), "ENDIANNESS": pick(("LITTLE", "BIG"))}
        options |= {
            "BIGTIFF": pick(("YES", "NO")),
            "photometric": pick(("MINISBLACK",) + ("RGB",) * (bands >= 3)),
        }
    place = pick(PLACES) if driver == "GTiff" else pick(("world", "pam", "world and pam"))
    return Case(
        driver, kind, bands, holes, generator.random() < 0.3, pick(SHAPES), place, pick(SYSTEMS),
        pick(("no", "no", "internal", "pam", "both") if driver == "GTiff" else ("no", "pam")), pick(list(UNITS)), codec,
        tuple(options.items()), (generator.randint(2, 60), generator.randint(2, 70)), generator.getrandbits(31),
    )  # fmt: skip


def transform_of(case: Case, generator: random.Random) -> Affine:
    """Return the coordinates of a case, in its system."""
    if case.system == "EPSG:4326":
        (x, y), step = _DEGREES, generator.uniform(0.0005, 0.02)
    else:
        x, y = _FEET if case.system == "EPSG:2263" else _UTM
        step = generator.uniform(0.6, 90.0)
    across, down = step, -step * generator.uniform(0.3, 3.0)
    plain = Affine(across, 0.0, x, 0.0, down, y)
    angle = generator.uniform(5.0, 175.0) * generator.choice((1, -1))
    changes = {
        "south up": Affine.scale(1.0, -1.0),
        "mirrored": Affine.scale(-1.0, 1.0),
        "both": Affine.scale(-1.0, -1.0),
        "turned": Affine.rotation(angle),
        "upside down": Affine.rotation(angle) @ Affine.scale(1.0, -1.0),
        "sheared": Affine.shear(generator.uniform(-40.0, 40.0), generator.uniform(-40.0, 40.0)),
    }
    return plain @ changes.get(case.shape, Affine.identity())


def write(case: Case, folder: Path) -> Path:
    """Write a file and those beside it; return its path."""
    generator, numbers = random.Random(case.seed), np.random.default_rng(case.seed)
    path = folder / ("land.png" if case.driver == "PNG" else "land.tif")
    field = _field(case, numbers)
    transform = None if case.shape == "none" else transform_of(case, generator)
    environment = rasterio.Env(
        GDAL_TIFF_INTERNAL_MASK=case.holes == "internal", GDAL_PAM_ENABLED=False
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        with environment, rasterio.open(path, "w", **_profile(case, field, transform)) as file:
            file.write(field)
            _write_facts(case, file, field, numbers)
    for extra in folder.glob("*.aux.xml"):
        extra.unlink()
    if case.holes.startswith("msk"):
        _write_mask_file(case, numbers, Path(f"{path}.msk"))
    _write_side_files(case, path, transform, field, generator)
    return path


def _profile(case: Case, field: np.ndarray, transform: Affine | None) -> dict[str, object]:
    """Return the options of a file."""
    rows, columns = case.size
    profile: dict[str, object] = {"driver": case.driver, "height": rows, "width": columns}
    profile |= {"count": case.bands, "dtype": case.kind, **dict(case.options)}
    if case.codec:
        profile["compress"] = case.codec
    if case.has_alpha and case.driver == "GTiff":
        profile["ALPHA"] = "YES"
    if case.holes == "tag" or (case.also_nodata and case.holes in ("internal", "msk", "alpha")):
        profile["nodata"] = float(field[0].flat[0])
    if case.holes == "fraction":
        profile["nodata"] = float(field[0].flat[0]) + 0.4
    if case.holes == "nan":
        profile["nodata"] = math.nan
    if transform is not None and "internal" in case.place:
        profile |= {"transform": transform, "crs": case.system}
    return profile


def _write_facts(case: Case, file: Any, field: np.ndarray, numbers: np.random.Generator) -> None:
    """Write facts about the bands, and a mask, into a file."""
    if case.scaled in ("internal", "both"):
        file.scales = [2.0**-at * 0.3 for at in range(case.bands)]
        file.offsets = [10.0 * at - 7.0 for at in range(case.bands)]
        file.units = [case.unit] + ["km"] * (case.bands - 1)
    if case.holes == "values":
        file.update_tags(NODATA_VALUES=str(field[0].flat[0]))
    if case.holes == "internal":
        file.write_mask(_mask(case, numbers))


def _field(case: Case, numbers: np.random.Generator) -> np.ndarray:
    """Return the samples of all bands."""
    shape = (case.bands, *case.size)
    if case.kind[0] == "f":
        scale = 10.0 ** numbers.integers(-2, 4, shape)
        field = (numbers.normal(0.0, 1.0, shape) * scale).astype(case.kind)
    else:
        limits = np.iinfo(case.kind)
        low, high = max(limits.min, -3000), min(limits.max, 9000)
        field = numbers.integers(low, high, shape, endpoint=True).astype(case.kind)
    if case.has_alpha:
        field[-1] = numbers.choice(np.array([0, 0, 1, 200], case.kind), case.size)
    return field


def _mask(case: Case, numbers: np.random.Generator) -> np.ndarray:
    return np.where(numbers.random(case.size) < 0.2, 0, 255).astype(np.uint8)


def _write_mask_file(case: Case, numbers: np.random.Generator, path: Path) -> None:
    count = case.bands if case.holes == "msk per band" else 1
    profile = {
        "driver": "GTiff",
        "height": case.size[0],
        "width": case.size[1],
        "count": count,
        "dtype": "uint8",
    }
    profile |= (
        {"compress": "deflate"}
        if case.seed % 2
        else {"tiled": True, "blockxsize": 16, "blockysize": 16}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        with rasterio.open(path, "w", **profile) as file:
            for band in range(count):
                file.write(_mask(case, numbers), band + 1)
            flags = 2 if count == 1 else 0
            file.update_tags(
                **{f"INTERNAL_MASK_FLAGS_{band + 1}": flags for band in range(case.bands)}
            )


def _write_side_files(
    case: Case, path: Path, transform: Affine | None, field: np.ndarray, generator: random.Random
) -> None:
    parts = []
    other = Affine(17.0, 0.0, 3.0, 0.0, -19.0, 5.0)
    suffix = path.suffix[1:]
    if transform is not None and "world" in case.place:
        # What does not count says something else.
        counts = case.place != "internal and world" and not (
            case.place == "world and pam" and suffix == "tif"
        )
        _write_world(path, transform if counts else other, generator.choice(WORLD_NAMES[suffix]))
    if transform is not None and "pam" in case.place:
        counts = not (case.place == "world and pam" and suffix == "png")
        numbers = (transform if counts else other).to_gdal()
        parts.append(f"<GeoTransform>{', '.join(map(repr, numbers))}</GeoTransform>")
        if case.system:
            parts.append(
                f"<SRS>{CRS.from_user_input(case.system).to_wkt().replace('&', '&amp;')}</SRS>"
            )
    band = []
    if case.holes in ("pam", "far"):
        nodata = float(field[0].flat[0]) if case.holes == "pam" else -99999.5
        band.append(f"<NoDataValue>{nodata!r}</NoDataValue>")
    if case.scaled in ("pam", "both"):
        band.append("<Scale>0.5</Scale>" if case.seed % 3 else "<Offset>-3</Offset>")
        band.append(f"<UnitType>{case.unit}</UnitType>" if case.unit else "")
    if band:
        parts.append(
            '<PAMRasterBand band="2"><Scale>77</Scale></PAMRasterBand>' if case.bands > 1 else ""
        )
        parts.append(f'<PAMRasterBand band="1">{"".join(band)}</PAMRasterBand>')
    if case.holes == "pam values":
        parts.append(f'<Metadata><MDI key="NODATA_VALUES">{field[0].flat[0]}</MDI></Metadata>')
    if parts:
        Path(f"{path}.aux.xml").write_text(
            f"<PAMDataset>{''.join(parts)}</PAMDataset>", encoding="utf-8"
        )


def _write_world(path: Path, transform: Affine, extension: str) -> None:
    x, y = transform @ (0.5, 0.5)
    numbers = (transform.a, transform.d, transform.b, transform.e, x, y)
    beside = path.with_name(f"{path.stem}.{extension}")
    beside.write_text("\n".join(map(repr, map(float, numbers))) + "\n", encoding="ascii")


# --- the truth -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Truth:
    """Contents of a file in rasterio.

    Attributes
    ----------
    heights : ndarray of shape (rows, columns), float64
        In meters, NaN for holes, the smallest y first.
    largest : float
        Meters that are added to numbers, which tell how exact float32 can be.
    spacing : tuple of two floats, optional
        Meters from sample to sample.
    """

    heights: np.ndarray
    largest: float
    spacing: tuple[float, float] | None


def read(path: Path) -> Truth:
    """Return the contents of a file in rasterio."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        warnings.simplefilter("ignore", rasterio.errors.NodataShadowWarning)
        with rasterio.open(path) as file:
            heights = file.read(1).astype(np.float64)
            heights[file.read_masks(1) == 0] = np.nan
            unit, scale, offset = file.units[0] or "", file.scales[0], file.offsets[0]
            heights = UNITS[unit] * (heights * scale + offset)
            transform, crs = file.transform, file.crs
            largest = abs(UNITS[unit] * offset)
    has_place = not transform.is_identity
    if not has_place:
        return Truth(heights[::-1], largest, None)
    a, b, _, d, e, _ = transform[:6]
    if b or d:
        heights = heights[::-1] if a * e - b * d < 0.0 else heights
    else:
        heights = heights[::-1] if e < 0.0 else heights
        heights = heights[:, ::-1] if a < 0.0 else heights
    rows, columns = heights.shape
    x, y = transform @ (columns / 2.0, rows / 2.0)
    across, along = _unit_lengths(crs, y)
    return Truth(
        heights, largest, (math.hypot(a * across, d * along), math.hypot(b * across, e * along))
    )


def _unit_lengths(crs: CRS | None, y: float) -> tuple[float, float]:
    """Return meters in a unit of x and of y."""
    if not crs:
        return 1.0, 1.0
    system = pyproj.CRS(crs.to_wkt())
    if not system.is_geographic:
        factor = system.axis_info[0].unit_conversion_factor
        return factor, factor
    body = system.get_geod()
    return body.inv(0.0, y, 0.001, y)[2] * 1000.0, body.inv(0.0, y - 5e-4, 0.0, y + 5e-4)[
        2
    ] * 1000.0
