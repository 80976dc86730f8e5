# SPDX-License-Identifier: GPL-3.0-or-later
"""HGT: tiles of the Shuttle Radar Topography Mission.

References
----------
T. G. Farr et al. (2007). The Shuttle Radar Topography Mission. Reviews of Geophysics 45.
NASA (2015). SRTM data user guide, version 3.
"""

from __future__ import annotations

import re

from ....base.errors import Message, ParameterError
from ....base.georeference import GEOGRAPHIC, Georeference, SpatialSystem
from ..elevation import ElevationInfo
from ..formats_registry import ElevationFormat, elevation_format
from ..source import ArraySource, HeightSource, InputFile

SIDES = (1201, 3601)
"""Samples along a degree, with both ends: 3 or 1 seconds of arc."""

_PLACE = re.compile(r"([NS])(\d{1,2})([EW])(\d{1,3})", re.IGNORECASE)
"""Southwest corner, at the beginning of the file's name."""

_HOLE = -32768

_WGS84 = SpatialSystem(GEOGRAPHIC, 4326)


@elevation_format("hgt", "HGT", extensions=(".hgt",))
class Hgt(ElevationFormat):
    """Square of one degree, whose place is in its name, such as N46E007.hgt."""

    def open(self, file: InputFile) -> HeightSource:
        """See `ElevationFormat.open`."""
        side = next((one for one in SIDES if 2 * one * one == file.size), 0)
        if not side:
            raise ParameterError(
                "{}: an HGT file must have {} bytes; got {}",
                file.name,
                " or ".join(str(2 * one * one) for one in SIDES),
                file.size,
            )
        found = _PLACE.match(file.name)
        note = Message("{} seconds of arc", 3600 // (side - 1))
        latitude = longitude = 0
        if found is None:
            note = Message("No place such as N46E007 in the name: taken for the equator")
        else:
            north, degrees_y, east, degrees_x = found.groups()
            latitude = int(degrees_y) * (1 if north in "Nn" else -1)
            longitude = int(degrees_x) * (1 if east in "Ee" else -1)
        step = 1.0 / (side - 1)
        place = Georeference(
            _WGS84, (float(longitude), float(latitude)), (step, step), is_point=True
        )
        info = ElevationInfo(
            *(file.name, self.label, side, side, "int16"),
            *(place if found is not None else None, place.spacing(side), _HOLE),
            notes=(note,),
        )
        samples = file.data.view(">i2").reshape(side, side)
        return ArraySource(info, samples, is_top_first=True)
