# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF.

References
----------
Open Geospatial Consortium (2019). OGC GeoTIFF standard, 1.1.
Open Geospatial Consortium (2023). OGC Cloud Optimized GeoTIFF standard, 1.0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Union

from ...base import georeference as places
from ...base.errors import ParameterError
from ...base.params import choice, integer, number
from ...types.place import latitude_of_middle, longitude_of_middle, system_of_place
from ...types.target import Encoding, FieldValue, HeightFile, Target, target_type

if TYPE_CHECKING:
    from ...base.georeference import Georeference

WGS84 = 4326
"""EPSG code of latitude and longitude."""

_SHORT, _DOUBLE = 3, 12
_SCALE, _TIE_POINT, _KEYS = 33550, 33922, 34735
_NUMBERS = 34736
_METER, _USER_DEFINED = 9001, 32767
_UNITS = {1.0: _METER, 0.3048: 9002, 1200.0 / 3937.0: 9003}
"""EPSG codes of units of length by their meters: meter, foot, US survey foot."""


@target_type("geotiff", "GeoTIFF")
class GeoTiff(Target):
    """Floats in meters with a place on Earth, for programs that make maps."""

    system: str = system_of_place(meters="East and north in a projected system")
    latitude: float = latitude_of_middle()
    longitude: float = longitude_of_middle()
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
    layout: str = choice(
        "strips",
        help="How the samples lie in the file",
        options={
            "strips": "Row by row",
            "cloud": "Cloud Optimized GeoTIFF: tiles and overviews, of which programs read what they show",
        },
    )

    @property
    def encoding(self) -> Encoding:
        """See `Target.encoding`."""
        return Encoding("cloud_tiff" if self.layout == "cloud" else "tiff", ".tif", "<f4")

    def at(self, middle: Georeference | None) -> GeoTiff:
        """See `Target.at`: the files have places of their own."""
        if self.system == "land" and middle is None:
            raise ParameterError(
                "GeoTIFF.system can be 'land' for measured land with a place on Earth alone; "
                "choose 'degrees' or 'meters'"
            )
        return self

    def reference(self, file: HeightFile) -> Georeference:
        """Return the place of a file's samples."""
        if self.system == "land" and file.georeference is not None:
            return file.georeference
        step_x = step_y = file.spacing
        x, y = self.east, self.north
        if self.system == "degrees":
            step_y /= places.METERS_PER_DEGREE
            step_x = step_y / math.cos(math.radians(self.latitude))
            x, y = self.longitude, self.latitude
        # Counted in samples, since they are equally far apart in both units.
        east, north = (meters / file.spacing for meters in file.center)
        origin = (
            x + (east - 0.5 * (file.columns - 1)) * step_x,
            y + (north - 0.5 * (file.rows - 1)) * step_y,
        )
        is_geographic = self.system == "degrees"
        epsg = WGS84 if is_geographic else self.epsg
        return places.Georeference(epsg, is_geographic, origin, (step_x, step_y))

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: nothing is typed in, since the file says it all."""
        place = self.reference(file)
        return {
            "EPSG": place.epsg,
            "First Sample X": place.origin[0],
            "First Sample Y": place.origin[1] + (file.rows - 1) * place.step[1],
            "Step X": place.step[0],
            "Step Y": place.step[1],
        }

    def tiff_entries(
        self, file: HeightFile
    ) -> Sequence[tuple[int, int, Sequence[Union[int, float]]]]:
        """See `Target.tiff_entries`: samples are points, not areas."""
        place = self.reference(file)
        west, north = place.origin[0], place.origin[1] + (file.rows - 1) * place.step[1]
        system, numbers = _keys(place)
        keys = [1, 1, 0, len(system)]  # version 1.1, revision 0: so many keys follow
        for key, location, value in system:
            keys += [key, location, 1, value]
        entries: list[tuple[int, int, Sequence[Union[int, float]]]] = [
            (_SCALE, _DOUBLE, [*place.step, 0.0]),
            (_TIE_POINT, _DOUBLE, [0.0, 0.0, 0.0, west, north, 0.0]),
            (_KEYS, _SHORT, keys),
        ]
        return [*entries, (_NUMBERS, _DOUBLE, numbers)] if numbers else entries


def _keys(place: Georeference) -> tuple[list[tuple[int, int, int]], list[float]]:
    """Return the keys of a coordinate system, with the tag that holds each value, and numbers for that.

    A system whose code is not known, or too large for a key, is left out: programs then ask for it.
    """
    is_known = 0 < place.epsg < _USER_DEFINED
    if place.is_geographic:
        system = [(2048, 0, place.epsg)] if is_known else []
        return [(1024, 0, 2), (1025, 0, 2), *system], []
    system = [(3072, 0, place.epsg)] if is_known else []
    unit = _UNITS.get(place.unit, _USER_DEFINED)
    size = [(3077, _NUMBERS, 0)] if unit == _USER_DEFINED else []
    numbers = [place.unit] if size else []
    return [(1024, 0, 1), (1025, 0, 2), *system, (3076, 0, unit), *size], numbers
