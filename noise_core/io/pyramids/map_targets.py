# SPDX-License-Identifier: GPL-3.0-or-later
"""Bases of targets for maps of the Earth: where the land lies, what lies around it, and at which zooms."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...base.errors import ParameterError
from ...base.params import choice, integer, number
from ...types.place import latitude_of_middle, longitude_of_middle, system_of_place
from ...types.pyramid import FINEST_ZOOM, PyramidPlan, TilePyramid
from ...types.target import FieldValue, HeightFile, Target
from . import color_tiles

if TYPE_CHECKING:
    from ...base.georeference import Georeference


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class MapTarget(Target):
    """Base of targets whose files are tiles of a map of the Earth; a type writes `encoding` and `pyramid`."""

    system: str = system_of_place()
    latitude: float = latitude_of_middle()
    longitude: float = longitude_of_middle()
    margin: float = number(
        0.1,
        help="How far beyond the land its edge sinks to 0, as a share of its longer side; 0 for a cliff",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=1.0,
        unit="factor",
    )
    max_zoom: int = integer(
        0,
        help="The highest zoom; 0 for that of the land's own samples",
        minimum=0,
        maximum=FINEST_ZOOM,
    )

    @property
    def pyramid(self) -> TilePyramid:
        """See `Target.pyramid`."""
        raise NotImplementedError(f"{type(self).__name__} has no pyramid")

    def at(self, middle: Georeference | None) -> MapTarget:
        """See `Target.at`: with the latitude and longitude of the land's middle."""
        if self.system != "land":
            return self
        place = middle.longitude_latitude() if middle is not None else None
        if place is None:
            raise ParameterError(
                "{}.system can be 'land' for measured land in degrees or in Web Mercator alone; "
                "choose 'degrees', and give latitude and longitude",
                type(self).__name__,
            )
        longitude, latitude = place
        return dataclasses.replace(self, system="degrees", latitude=latitude, longitude=longitude)

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`: where the list of the tiles is, and what it says."""
        pyramid = self.pyramid
        plan = PyramidPlan(pyramid, file.rows, file.columns, file.spacing)
        return {
            "Tiles": f"{file.stem}/{{z}}/{{x}}/{{y}}{pyramid.suffix}",
            "List of Tiles": f"{file.stem}/{pyramid.listing}",
            "Min Zoom": plan.zooms[0],
            "Max Zoom": plan.zooms[-1],
            "Longitude": self.longitude,
            "Latitude": self.latitude,
            "Bounds": list(plan.bounds),
        }


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class ColorTarget(MapTarget):
    """Base of targets whose tiles are images; a type writes `encoding` and `_client_encoding`."""

    min_zoom: int = integer(
        0,
        help="The lowest zoom; 0 for that where one tile holds the land",
        minimum=0,
        maximum=FINEST_ZOOM,
    )
    tile_size: str = choice(
        "256",
        help="Pixels along a side of a tile",
        options={"256": "What most maps take", "512": "A quarter as many files"},
    )

    @property
    def _client_encoding(self) -> str:
        """Return what clients of maps call the encoding."""
        raise NotImplementedError(f"{type(self).__name__} has no name for clients")

    @property
    def pyramid(self) -> TilePyramid:
        """See `Target.pyramid`."""
        assert self.encoding.steps is not None  # colors stand for the same heights in all files
        return color_tiles.ColorTiles(
            self.latitude,
            self.longitude,
            self.margin,
            int(self.tile_size),
            self.min_zoom,
            self.max_zoom,
            self._client_encoding,
            *self.encoding.steps,
        )

    def fields(self, file: HeightFile) -> Mapping[str, FieldValue]:
        """See `Target.fields`."""
        own: Mapping[str, FieldValue] = {
            "Encoding": self._client_encoding,
            "Tile Size": int(self.tile_size),
        }
        return {**super().fields(file), **own}
