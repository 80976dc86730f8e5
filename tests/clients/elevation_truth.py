# SPDX-License-Identifier: GPL-3.0-or-later
"""Meaning of elevation files in GDAL and PROJ: meters of their samples, heights, holes.

Steps in coordinates are rasterio's, units those of the axes by pyproj. The methods of `NOT_TO_SCALE` have
meters that are longer than those of the land, by design; there the truth is the geodesic across the
middle of the land. So it is for degrees. All other methods are true to some percent where they are used
(conformal conics, transverse Mercator and UPS to about 1 % by their definition): their own meters count,
and those of the geodesic do too.

References
----------
IOGP (2024). Coordinate conversions and transformations, guidance note 373-7-2.
Karney (2013). Algorithms for geodesics. Journal of Geodesy 87.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyproj
import rasterio

from tests.clients.elevation_cases import unproject
from tests.clients.system_texts import horizontal

NOT_TO_SCALE = (
    "Mercator",
    "Popular Visualisation Pseudo Mercator",
    "Equidistant Cylindrical",
    "Equirectangular",
    "Plate Carree",
    "Lambert Cylindrical Equal Area",
    "Behrmann",
    "Miller Cylindrical",
    "Compact Miller",
    "Gall Stereographic",
    "Patterson",
    "Tobler_Cylindrical",
    "Times",
    "Central Cylindrical",
    *("Sinusoidal", "Mollweide", "Robinson", "Equal Earth", "Natural Earth", "Eckert", "Winkel"),
    *("Wagner", "Van Der Grinten", "Aitoff", "Hammer", "Craster", "Quartic", "Flat Polar"),
    *("Loximuthal", "Interrupted Goode", "Gnomonic", "Orthographic (", "Fuller", "Cube", "Peirce"),
    *("Adams", "Berghaus", "Vertical Perspective", "Geostationary", "Two Point Equidistant"),
)
"""How the names of methods begin whose meters are not those of the land."""

UNITS: Mapping[str, float] = {
    **{"m": 1.0, "metre": 1.0, "meter": 1.0, "cm": 0.01, "dm": 0.1, "km": 1000.0, "mm": 0.001},
    **{"ft": 0.3048, "foot": 0.3048, "us-ft": 1200.0 / 3937.0, "us survey foot": 1200.0 / 3937.0},
    **{"fathom": 1.8288, "sfeet": 0.3048, "ftus": 1200.0 / 3937.0},
}
"""Meters by the words that bands have for their units."""

TOLERANCE = 0.005


@dataclasses.dataclass(frozen=True)
class Truth:
    """Meaning of a file.

    Attributes
    ----------
    spacings : tuple of pairs
        Meters of a sample along columns and rows: each of these is right.
    heights : tuple of ndarray of shape (rows, columns)
        In meters, row 0 the one that the file has at the smallest y: each of these is right.
    holes : ndarray of that shape, bool
    has_depths : bool
        Whether numbers count downward, as soundings do.
    system : str
        Name of the coordinate system as GDAL reads it; empty if it reads none.
    """

    spacings: tuple[tuple[float, float], ...]
    heights: tuple[np.ndarray, ...]
    holes: np.ndarray
    has_depths: bool
    system: str


def read_truth(path: Path, system: pyproj.CRS) -> Truth:
    """Return the meaning of a file that was written in a system.

    GDAL may read another system than the one that was written, or none: then both are right.
    """
    with warnings.catch_warnings(), rasterio.Env(GTIFF_REPORT_COMPD_CS="YES"):
        warnings.simplefilter("ignore")
        with rasterio.open(path) as file:
            read = pyproj.CRS.from_wkt(file.crs.to_wkt(version="WKT2_2019")) if file.crs else None
            transform, shape = file.transform, (file.height, file.width)
            holes = file.read_masks(1) == 0
            heights = file.read(1).astype(np.float64) * file.scales[0] + file.offsets[0]
            word = file.units[0] or ""
    systems = [one for one in (read, system) if one is not None]
    factors = {round(_height_unit(one, word), 9) for one in systems}
    holes |= np.isnan(heights)  # GDAL has no mask for them, but they are no heights
    heights[holes] = np.nan  # a number for holes may be the largest one
    order = _order(transform)
    return Truth(
        tuple(dict.fromkeys(pair for one in systems for pair in _spacings(one, transform, shape))),
        tuple(heights[order] * factor for factor in sorted(factors)),
        holes[order],
        any(_counts_down(one) for one in systems),
        read.name if read is not None else "",
    )


def _order(transform: rasterio.Affine) -> tuple[slice, slice]:
    """Return how rows and columns are taken so that y and x rise; of turned ones, that land is no mirror image."""
    if transform.b == transform.d == 0.0:
        signs = (transform.e, transform.a)
    else:
        signs = (transform.determinant, 1.0)
    rows, columns = (slice(None, None, -1 if sign < 0.0 else 1) for sign in signs)
    return rows, columns


def is_to_scale(system: pyproj.CRS) -> bool:
    """Return whether the meters of a projected system are those of the land, to some percent."""
    return not system.coordinate_operation.method_name.startswith(NOT_TO_SCALE)


def _spacings(
    system: pyproj.CRS, transform: rasterio.Affine, shape: tuple[int, int]
) -> Iterator[tuple[float, float]]:
    flat = horizontal(system)
    if not flat.is_geographic:
        units = [axis.unit_conversion_factor for axis in flat.axis_info[:2]]
        if is_to_scale(flat):
            yield (
                math.hypot(transform.a * units[0], transform.d * units[1]),
                math.hypot(transform.b * units[0], transform.e * units[1]),
            )
    yield _geodesics(flat, transform, shape)


def _geodesics(
    system: pyproj.CRS, transform: rasterio.Affine, shape: tuple[int, int]
) -> tuple[float, float]:
    """Return meters of a sample along the middle row and the middle column."""
    rows, columns = shape
    geod = system.get_geod()

    def length(first: tuple[float, float], last: tuple[float, float]) -> float:
        places = [unproject(system, *_apply(transform, *one)) for one in (first, last)]
        return geod.inv(*places[0], *places[1])[2]

    return (
        length((0.0, rows / 2.0), (columns, rows / 2.0)) / columns,
        length((columns / 2.0, 0.0), (columns / 2.0, rows)) / rows,
    )


def _apply(transform: rasterio.Affine, column: float, row: float) -> tuple[float, float]:
    x = transform.a * column + transform.b * row + transform.c
    return x, transform.d * column + transform.e * row + transform.f


def _vertical_axis(system: pyproj.CRS):
    """Return the axis of heights; None if there is none."""
    if system.is_bound:
        return _vertical_axis(system.source_crs)
    if system.is_compound:
        return system.sub_crs_list[1].axis_info[0]
    return system.axis_info[2] if len(system.axis_info) > 2 else None


def _height_unit(system: pyproj.CRS, word: str) -> float:
    """Return meters in a unit of height. The word of the band comes before the system."""
    if word and word.lower() in UNITS:
        return UNITS[word.lower()]
    axis = _vertical_axis(system)
    return 1.0 if axis is None else axis.unit_conversion_factor


def _counts_down(system: pyproj.CRS) -> bool:
    axis = _vertical_axis(system)
    return axis is not None and axis.direction == "down"
