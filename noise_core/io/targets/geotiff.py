# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoTIFF.

References
----------
Open Geospatial Consortium (2019). OGC GeoTIFF standard, 1.1.
Open Geospatial Consortium (2023). OGC Cloud Optimized GeoTIFF standard, 1.0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Union

from ...base import georeference as places
from ...base.errors import ParameterError
from ...base.params import choice, integer, number
from .. import spatial_reference
from .bases.place import latitude_of_middle, longitude_of_middle, system_of_place
from .bases.target import Encoding, FieldValue, HeightFile, Target, target_type

if TYPE_CHECKING:
    from ...base.georeference import Georeference

_WGS84 = 4326
"""EPSG code of latitude and longitude."""

_DOUBLE = 12
_SCALE, _TIE_POINT = 33550, 33922


@target_type("geotiff", "GeoTIFF")
class GeoTiff(Target):
    """Floats in meters with a place on Earth, for map programs.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap, read_elevation
    >>> from noise_core.io.targets import GeoTiff
    >>> from noise_core.noises import Fractal

    Land around a place in UTM zone 32, read back with its coordinates:

    >>> recipe = Recipe(layers=Fractal(), height=500.0, size=6400.0)
    >>> place = GeoTiff(system="meters", epsg=32632, east=500000.0, north=5200000.0)
    >>> with TemporaryDirectory() as folder:
    ...     report = export_heightmap(recipe, Path(folder) / "land", target=place, samples=65)
    ...     land = read_elevation(report.files[0])
    >>> land.georeference.system.epsg, land.spacing
    (32632, (100.0, 100.0))
    """

    system: str = system_of_place(meters="East and north in a projected system")
    latitude: float = latitude_of_middle()
    longitude: float = longitude_of_middle()
    epsg: int = integer(
        32631,
        help="EPSG code of the projected system",
        minimum=1024,
        maximum=32766,
        label="EPSG",
        visible_when=("system", ("meters",)),
    )
    east: float = number(
        500_000.0,
        help="Easting of the center, in meters",
        minimum=-1e9,
        maximum=1e9,
        unit="length",
        visible_when=("system", ("meters",)),
    )
    north: float = number(
        0.0,
        help="Northing of the center, in meters",
        minimum=-1e9,
        maximum=1e9,
        unit="length",
        visible_when=("system", ("meters",)),
    )
    layout: str = choice(
        "strips",
        help="Order of the samples in the file",
        options={
            "strips": "Row by row",
            "cloud": "Cloud Optimized GeoTIFF: blocks and overviews, read in parts over a network",
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
        """Return the place of a file's samples.

        Parameters
        ----------
        file : HeightFile
            With its spacing in meters, and its place in the land.
        """
        if self.system == "land" and file.georeference is not None:
            return file.georeference.in_degrees()
        step_x = step_y = file.spacing
        x, y = self.longitude, self.latitude
        system = places.SpatialSystem(places.GEOGRAPHIC, _WGS84)
        if self.system != "degrees":
            system = projected_system(self.epsg)
            x, y = self.east / system.unit, self.north / system.unit
        across, along = system.unit_lengths(y)
        step_x, step_y = step_x / across, step_y / along
        # Counted in samples, since they are equally far apart in both units.
        east, north = (meters / file.spacing for meters in file.center)
        origin = (
            x + (east - 0.5 * (file.columns - 1)) * step_x,
            y + (north - 0.5 * (file.rows - 1)) * step_y,
        )
        return places.Georeference(system, origin, (step_x, step_y))

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: nothing is typed in, since the file says it all."""
        place = self.reference(file)
        return {
            "EPSG": place.system.epsg,
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
        return [
            (_SCALE, _DOUBLE, [*place.step, 0.0]),
            (_TIE_POINT, _DOUBLE, [0.0, 0.0, 0.0, west, north, 0.0]),
            *spatial_reference.geokeys_writing.write_geokeys(place.system),
        ]


def projected_system(code: int) -> places.SpatialSystem:
    """Return the projected system of an EPSG code.

    Raises
    ------
    ParameterError
        If it is none, or not known.
    """
    system = spatial_reference.epsg.read_code(code, "GeoTIFF.epsg").system
    if isinstance(system, ParameterError):
        raise system
    if system is None or system.kind != places.PROJECTED:
        raise ParameterError("GeoTIFF.epsg must be the EPSG code of a projected system", got=code)
    return system
