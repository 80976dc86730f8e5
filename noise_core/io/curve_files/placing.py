# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinates of one system as places on a land in another one."""

from __future__ import annotations

import dataclasses

from ...base.errors import ParameterError
from ...base.georeference import Georeference, SpatialSystem
from ..spatial_reference.agreement import is_same
from ..spatial_reference.projecting import coordinates_of, degrees_of

_DIGITS = 9
"""Of places in tiles: a micrometer on a kilometer, and the same on every system."""


@dataclasses.dataclass(frozen=True)
class Placing:
    """From coordinates to tiles of a land.

    Attributes
    ----------
    system : SpatialSystem
        Of the coordinates.
    place : Georeference
        Of the land's tiles.
    name : str
        Of the file, for messages.
    """

    system: SpatialSystem
    place: Georeference
    name: str

    @property
    def is_direct(self) -> bool:
        """Whether the coordinates are those of the land."""
        one, other = self.system, self.place.system
        if one.epsg and other.epsg:
            return one.epsg == other.epsg
        return is_same(one, other)

    def tiles(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of coordinates in tiles.

        Raises
        ------
        ParameterError
            If the way from one system to the other is not known.
        """
        land = self.place.system
        if not self.is_direct:
            projected = coordinates_of(land, *self._degrees(x, y))
            if projected is None:
                raise _refusal(self.name, None, land)
            x, y = projected
        (left, bottom), (width, depth) = self.place.origin, self.place.step
        across = (x - left) / width
        if (
            turn := land.turn
        ):  # the copy that is nearest to the land, at either side of the date line
            turn /= width
            across -= turn * round((across - 0.5) / turn)
        return round(across, _DIGITS), round((y - bottom) / depth, _DIGITS)

    def _degrees(self, x: float, y: float) -> tuple[float, float]:
        degrees = degrees_of(self.system, x, y)
        if degrees is None:
            raise _refusal(self.name, self.system, self.place.system)
        return degrees


def _refusal(name: str, system: SpatialSystem | None, land: SpatialSystem) -> ParameterError:
    return ParameterError(
        "{}: coordinates must be of the terrain's system, {}: convert them to it, or give system",
        *(name, land),
        got="degrees" if system is None else str(system),
    )


def local_place(system: SpatialSystem, size: float) -> Georeference:
    """Return the place of a land of so many meters that is measured from its southwest corner."""
    step = size / system.unit
    return Georeference(system, (0.0, 0.0), (step, step))
