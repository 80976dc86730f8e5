# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF.

References
----------
Open Geospatial Consortium (2019). OGC GeoTIFF standard, 1.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Union

from ...base.params import choice, integer, number
from ...types.place import METERS_PER_DEGREE, latitude_of_middle, longitude_of_middle
from ...types.target import Encoding, FieldValue, HeightFile, Target, target_type

WGS84 = 4326
"""EPSG code of latitude and longitude."""

_SHORT, _DOUBLE = 3, 12
_SCALE, _TIE_POINT, _KEYS = 33550, 33922, 34735
_METER = 9001


@target_type("geotiff", "GeoTIFF")
class GeoTiff(Target):
    """Floats in meters with a place on Earth, for programs that make maps."""

    system: str = choice(
        "degrees",
        help="How the place is given",
        options={
            "degrees": "Latitude and longitude (WGS 84)",
            "meters": "East and north in a projected system",
        },
    )
    latitude: float = latitude_of_middle(visible_when=("system", ("degrees",)))
    longitude: float = longitude_of_middle(visible_when=("system", ("degrees",)))
    epsg: int = integer(
        32631,
        help="EPSG code of the projected system, whose unit is the meter",
        minimum=1024,
        maximum=32766,
        label="EPSG",
        visible_when=("system", ("meters",)),
    )
    east: float = number(
        500_000.0,
        help="Easting of the middle of the land, in meters",
        minimum=-1e9,
        maximum=1e9,
        unit="length",
        visible_when=("system", ("meters",)),
    )
    north: float = number(
        0.0,
        help="Northing of the middle of the land, in meters",
        minimum=-1e9,
        maximum=1e9,
        unit="length",
        visible_when=("system", ("meters",)),
    )

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("tiff", ".tif", "<f4")

    def place(self, file: HeightFile) -> tuple[float, float, float, float]:
        """Return x and y of the north-west sample, and the steps along x and y, in the system's unit."""
        step_x = step_y = file.spacing
        x, y = self.east, self.north
        if self.system == "degrees":
            step_y /= METERS_PER_DEGREE
            step_x = step_y / math.cos(math.radians(self.latitude))
            x, y = self.longitude, self.latitude
        # Counted in samples, since they are equally far apart in both units.
        east, north = (meters / file.spacing for meters in file.center)
        west = x + (east - 0.5 * (file.columns - 1)) * step_x
        return west, y + (north + 0.5 * (file.rows - 1)) * step_y, step_x, step_y

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: nothing is typed in, since the file says it all."""
        west, north, step_x, step_y = self.place(file)
        return {
            "EPSG": WGS84 if self.system == "degrees" else self.epsg,
            "First Sample X": west,
            "First Sample Y": north,
            "Step X": step_x,
            "Step Y": step_y,
        }

    def tiff_entries(
        self, file: HeightFile
    ) -> Sequence[tuple[int, int, Sequence[Union[int, float]]]]:
        """See `Target.tiff_entries`: samples are points, not areas."""
        west, north, step_x, step_y = self.place(file)
        if self.system == "degrees":
            system = [(1024, 2), (1025, 2), (2048, WGS84)]
        else:
            system = [(1024, 1), (1025, 2), (3072, self.epsg), (3076, _METER)]
        keys = [1, 1, 0, len(system)]  # version 1.1, revision 0: so many keys follow
        for key, value in system:
            keys += [key, 0, 1, value]
        return (
            (_SCALE, _DOUBLE, [step_x, step_y, 0.0]),
            (_TIE_POINT, _DOUBLE, [0.0, 0.0, 0.0, west, north, 0.0]),
            (_KEYS, _SHORT, keys),
        )
