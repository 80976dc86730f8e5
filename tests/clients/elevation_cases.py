# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws elevation files of all coordinate systems; see `elevation_writing`, which writes them.

A case is a system of EPSG, ESRI or the IAU, a way to write it down, a turn, a mask, and a scale, an
offset and a unit for each band.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import random
import warnings
from collections import defaultdict
from collections.abc import Callable, Mapping

import numpy as np
import pyproj
import rasterio
from pyproj.database import query_crs_info
from pyproj.enums import PJType

from tests.clients import system_texts
from tests.clients.system_texts import horizontal

KINDS: Mapping[str, float] = {
    "projected": 0.36,
    "method": 0.12,
    "geographic 2D": 0.13,
    "geographic 3D": 0.05,
    "compound": 0.12,
    "pair": 0.1,
    "other body": 0.06,
    "own": 0.06,
}
"""Shares of the draw. "own": a system without a code, of any body, unit and parameters. "method": each method of projection as often as any other; "pair": a system and a vertical one."""

OUT_OF_SHARE = ("method", "other body", "own")
"""Kinds whose refusals do not count against the bound: most of their codes are rare."""

GEOTIFF_OPTIONS: Mapping[str, Mapping[str, object]] = {
    "geotiff 1.0": {"GEOTIFF_VERSION": "1.0"},
    "geotiff 1.1": {"GEOTIFF_VERSION": "1.1"},
    "esri_pe 1.0": {"GEOTIFF_KEYS_FLAVOR": "ESRI_PE", "GEOTIFF_VERSION": "1.0"},
    "esri_pe 1.1": {"GEOTIFF_KEYS_FLAVOR": "ESRI_PE", "GEOTIFF_VERSION": "1.1"},
    "cog": {},
    "aux.xml": {"PROFILE": "BASELINE"},
    "aux.xml over keys": {},
    "tfw and prj": {"PROFILE": "BASELINE"},
}
GRID_SYSTEMS = ("esri", "wkt 2", "wkt 1", "arcinfo", "upper case", "aux.xml")
"""How the system of an ASCII grid is told."""

WAYS = (*GEOTIFF_OPTIONS, *("asc " + system for system in GRID_SYSTEMS))
MASKS = ("none", "nodata", "internal", "msk", "alpha", "nan")
NODATA: Mapping[str, tuple[float, ...]] = {
    "uint16": (0, 65535),
    "int16": (-9999, -32768, 0),
    "int32": (-9999, -(2**31)),
    "float32": (-9999.0, -3.4028234663852886e38, math.nan),
    "float64": (-9999.0, -1.7976931348623157e308, math.nan),
}
"""Numbers for holes by the type of samples."""

OWN_METHODS = (
    *("merc +lat_ts={angle}", "merc +k={scale}", "webmerc", "eqc +lat_ts={angle}", "mill", "robin"),
    *("cea +lat_ts={angle}", "tmerc +lat_0={angle}", "laea +lat_0={angle}", "sinu", "longlat"),
    "lcc +lat_1={angle} +lat_2={other} +lat_0={angle}",
)
OWN_BODIES = (
    *("datum=WGS84", "datum=NAD83", "ellps=bessel", "ellps=clrk66", "R=6371228", "R=1737400"),
    *("a=3396190 +b=3376200", "a=6378137 +b=6378137"),
)
OWN_UNITS = (
    *("units=m", "units=ft", "units=us-ft", "units=km", "units=cm", "units=fath", "units=ch"),
    *("to_meter=0.9144", "to_meter=0.5", "to_meter=20.1168"),
)
"""In words of PROJ."""

UNITS = ("", "m", "metre", "ft", "foot", "US survey foot", "us-ft", "cm", "dm", "km", "fathom")
"""What bands say of their unit. Most say nothing."""

SHAPE = (30, 40)
"""Rows and columns."""


@dataclasses.dataclass(frozen=True)
class Case:
    """How one file is written.

    `place` is the middle of the land: longitude and latitude in degrees, of the meridian and datum of the system.
    """

    kind: str
    code: str
    way: str
    turn: str
    mask: str
    place: tuple[float, float]
    step: tuple[float, float]
    bands: tuple[tuple[float, float, str], ...]
    seed: int

    def __str__(self) -> str:
        longitude, latitude = self.place
        return (
            f"{self.code} ({self.kind}) as {self.way}, {self.turn}, mask {self.mask}, at {longitude:.4f} {latitude:.4f}, "
            f"steps of {self.step[0]:g} x {self.step[1]:g} m, scale, offset, unit: {self.bands}, seed {self.seed}"
        )

    @property
    def system(self) -> pyproj.CRS:
        """Coordinate system that the file tells."""
        system = pyproj.CRS(self.code)
        has_no_heights = self.way == "asc arcinfo" and system_texts.arcinfo(horizontal(system))
        return horizontal(system) if has_no_heights else system

    def transform(self) -> rasterio.Affine:
        """Return coordinates by columns and rows of corners."""
        system = horizontal(self.system)
        x, y = project(system, *self.place)
        units = [axis.unit_conversion_factor for axis in system.axis_info[:2]]
        if system.is_geographic:
            units = [unit * system.ellipsoid.semi_major_metre for unit in units]
        most = system.ellipsoid.semi_major_metre / 5000.0  # the land of small moons is smaller
        across, down = (min(size, most) / unit for size, unit in zip(self.step, units))
        if self.way.startswith("asc "):
            down = across  # square, as other programs want it
        matrix = _MATRICES[self.turn](random.Random(self.seed), across, down)
        rows, columns = SHAPE
        middle = matrix @ (columns / 2.0, rows / 2.0)
        a, b, d, e = matrix.ravel()
        return rasterio.Affine(a, b, x - middle[0], d, e, y - middle[1])

    def samples(self) -> np.ndarray:
        """Return numbers of shape (bands, rows, columns): ridges, between 200 and 3,000."""
        generator = np.random.default_rng(self.seed)
        rows, columns = np.mgrid[0 : SHAPE[0], 0 : SHAPE[1]]
        land = 1500.0 + 900.0 * np.sin(rows / 7.0 + 1.0) * np.cos(columns / 9.0)
        bands = [land + 100.0 * at for at in range(len(self.bands))]
        field = np.stack(bands) + generator.integers(-200, 200, (len(bands), *SHAPE))
        kinds = {"nan": ("float32", "float64"), "alpha": ("uint16",)}.get(self.mask, tuple(NODATA))
        return field.astype(generator.choice(kinds))

    def holes(self) -> np.ndarray:
        """Return where there is no height, shape (rows, columns)."""
        generator = np.random.default_rng(self.seed + 1)
        holes = generator.random(SHAPE) < 0.05
        holes[:3, -5:] = True
        return holes if self.mask != "none" else np.zeros(SHAPE, bool)


def _turn(generator: random.Random, across: float, down: float) -> np.ndarray:
    angle = math.radians(generator.uniform(5.0, 60.0) * generator.choice((-1, 1)))
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array(((cosine, -sine), (sine, cosine))) @ np.diag((across, -down))


def _shear(generator: random.Random, across: float, down: float) -> np.ndarray:
    return np.array(((across, generator.uniform(-0.5, 0.5) * down), (0.0, -down)))


_MATRICES: Mapping[str, Callable[[random.Random, float, float], np.ndarray]] = {
    "north up": lambda _, across, down: np.diag((across, -down)),
    "south up": lambda _, across, down: np.diag((across, down)),
    "mirrored": lambda _, across, down: np.diag((-across, -down)),
    "half turn": lambda _, across, down: np.diag((-across, down)),
    "quarter turn": lambda _, across, down: np.array(((0.0, down), (across, 0.0))),
    "turned": _turn,
    "sheared": _shear,
}
TURNS = tuple(_MATRICES)


@functools.lru_cache(64)
def _transformer(system: str) -> pyproj.Transformer:
    crs = pyproj.CRS(system)
    return pyproj.Transformer.from_crs(crs.geodetic_crs.to_2d(), crs, always_xy=True)


def _angles(system: pyproj.CRS) -> list[float]:
    """Return degrees in the units of longitude and latitude that a system is based on."""
    return [math.degrees(axis.unit_conversion_factor) for axis in system.geodetic_crs.axis_info[:2]]


def project(system: pyproj.CRS, longitude: float, latitude: float) -> tuple[float, float]:
    """Return coordinates x and y of a place in degrees."""
    x, y = (value / angle for value, angle in zip((longitude, latitude), _angles(system)))
    return _transformer(system.to_wkt()).transform(x, y)


def unproject(system: pyproj.CRS, x: float, y: float) -> tuple[float, float]:
    """Return the place in degrees of coordinates x and y."""
    place = _transformer(system.to_wkt()).transform(x, y, direction="INVERSE")
    longitude, latitude = (value * angle for value, angle in zip(place, _angles(system)))
    return longitude, latitude


# Drawing


@functools.cache
def _codes(kind: str, authority: str = "EPSG") -> tuple[str, ...]:
    names = (f"{kind.replace(' ', '_').upper()}_CRS",) if kind != "other" else ("PROJECTED_CRS", "GEOGRAPHIC_2D_CRS")  # fmt: skip
    types = [PJType[name] for name in names]
    found = query_crs_info(auth_name=authority, pj_types=types, allow_deprecated=True)
    return tuple(f"{info.auth_name}:{info.code}" for info in found)


@functools.cache
def _codes_by_method() -> Mapping[str, list[str]]:
    groups = defaultdict(list)
    for code in (*_codes("projected"), *_codes("projected", "ESRI")):
        groups[pyproj.CRS(code).coordinate_operation.method_name].append(code)
    return groups


def _draw_code(generator: random.Random, kind: str) -> str:
    if kind == "method":
        return generator.choice(generator.choice(list(_codes_by_method().values())))
    if kind == "other body":
        return generator.choice((*_codes("other", "ESRI"), *_codes("other", "IAU_2015")))
    if kind == "own":
        return _draw_own(generator)
    if kind == "pair":
        base = generator.choice((*_codes("projected"), *_codes("geographic 2D")))
        return f"{base}+{generator.choice(_codes('vertical')).removeprefix('EPSG:')}"
    return generator.choice(_codes(kind))


def _draw_own(generator: random.Random) -> str:
    """Return a system without a code."""
    angle, pick = round(generator.uniform(-55.0, 55.0), 2), generator.choice
    method = pick(OWN_METHODS).format(
        angle=angle,
        other=round(angle + generator.uniform(3.0, 9.0), 2),
        scale=pick((1.0, 0.9996, 0.5)),
    )
    words = [f"proj={method}", pick(OWN_BODIES), pick(("", "", "pm=ferro"))]
    if method != "longlat":
        words += [
            f"lon_0={pick((0, 9, -75))}",
            pick(OWN_UNITS),
            pick(("", "x_0=500000 +y_0=-2000")),
        ]
    return " ".join(f"+{word}" for word in words if word) + " +type=crs"


def draw(generator: random.Random) -> Case:
    """Return a case that can be written: its land lies within the area where its system is used."""
    (kind,) = generator.choices(list(KINDS), list(KINDS.values()))
    while True:
        case = _draw_case(generator, kind)
        with warnings.catch_warnings(), contextlib.suppress(pyproj.exceptions.ProjError):
            warnings.simplefilter("ignore")
            system = horizontal(case.system)
            place = unproject(system, *project(system, *case.place))
            # PROJ takes longitudes of planetocentric systems for latitudes, and geodesics want planetographic ones.
            is_known = "Ocentric" not in system.name or not system.ellipsoid.inverse_flattening
            if is_known and np.allclose(place, case.place, atol=1e-6):
                return case


def _draw_case(generator: random.Random, kind: str) -> Case:
    code, way = _draw_code(generator, kind), generator.choice(WAYS)
    place, mask, turn = _draw_place(generator, code), "none", "north up"
    if generator.random() < 0.5:
        mask = generator.choice(MASKS)
    if generator.random() < 0.4:
        turn = generator.choice(TURNS)
    bands = tuple(_draw_band(generator) for _ in range(generator.choice((1, 1, 2, 3))))
    if way.startswith("asc "):
        turn, bands = "north up", bands[:1] if way == "asc aux.xml" else ((1.0, 0.0, ""),)
        mask = mask if mask in ("none", "nodata") else "nodata"
    if mask == "alpha":
        bands = bands[:1]
    step = (generator.choice((1, 5, 10, 30, 90)), generator.choice((1, 5, 10, 30, 90)))
    if generator.random() < 0.7:
        step = (step[0], step[0])
    return Case(kind, code, way, turn, mask, place, step, bands, generator.randrange(1 << 30))


def _draw_place(generator: random.Random, code: str) -> tuple[float, float]:
    """Return a place near the middle of where a system is used, from its own prime meridian."""
    system = horizontal(pyproj.CRS(code))
    area = system.area_of_use
    bounds = area.bounds if area else (-60.0, -60.0, 60.0, 60.0)
    if not -90.0 <= bounds[1] <= bounds[3] <= 90.0:  # of some deprecated systems it is not known
        bounds = (-60.0, -60.0, 60.0, 60.0)
    west, south, east, north = bounds
    east += 360.0 if east < west else 0.0
    shares = generator.uniform(0.3, 0.7), generator.uniform(0.3, 0.7)
    meridian = system.prime_meridian.longitude * math.degrees(system.prime_meridian.unit_conversion_factor)  # fmt: skip
    longitude = west + shares[0] * (east - west) - meridian
    return (longitude + 180.0) % 360.0 - 180.0, south + shares[1] * (north - south)


def _draw_band(generator: random.Random) -> tuple[float, float, str]:
    """Return scale, offset and unit of a band."""
    scale, offset, unit = 1.0, 0.0, ""
    if generator.random() < 0.25:
        scale, offset = generator.choice((0.01, 0.1, 2.0, 1.0)), generator.choice((0.0, -5.0, 100.0))  # fmt: skip
    if generator.random() < 0.25:
        unit = generator.choice(UNITS)
    return scale, offset, unit
