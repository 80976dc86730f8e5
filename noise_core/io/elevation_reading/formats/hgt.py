# SPDX-License-Identifier: GPL-3.0-or-later
"""HGT: tiles of the Shuttle Radar Topography Mission.

References
----------
T. G. Farr et al. (2007). The Shuttle Radar Topography Mission. Reviews of Geophysics 45.
NASA (2015). SRTM data user guide, version 3.
"""

from __future__ import annotations

import dataclasses
import re
from typing import ClassVar

from ....base.errors import Message, ParameterError
from ....base.georeference import GEOGRAPHIC, SpatialSystem
from ...spatial_reference.reference import SpatialReference
from ..bands import Band
from ..elevation import ElevationInfo
from ..elevation_file import ElevationFile
from ..formats_registry import ElevationFormat, elevation_format
from ..geotransform import by_points
from ..side_files.beside import SideFiles, read_side_files
from ..source import ArraySource, InputFile

SIDES = (1201, 3601)
"""Samples along a degree, with both ends: 3 or 1 seconds of arc."""

_PLACE = re.compile(r"([NS])(\d{1,2})([EW])(\d{1,3})", re.IGNORECASE)
"""Southwest corner, at the beginning of the file's name."""

_HOLE = -32768

_WGS84 = 4326


_SIDE_FILES = SideFiles(has_mask=True, has_numbers=True)


@elevation_format("hgt", "HGT", extensions=(".hgt",))
class Hgt(ElevationFormat):
    """Square of one degree, whose place is in its name, such as N46E007.hgt.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core.io.elevation_reading import probe_elevation

    A tile of SRTM, whose name says where on Earth it lies:

    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "N47E011.hgt"
    ...     np.zeros((1201, 1201), ">i2").tofile(path)
    ...     info = probe_elevation(path)
    >>> info.rows, [round(place, 3) for place in info.georeference.origin]
    (1201, [11.0, 47.0])
    """

    tells_place: ClassVar[bool] = True

    def open(self, file: InputFile) -> ElevationFile:
        """See `ElevationFormat.open`."""
        side = next((samples for samples in SIDES if 2 * samples * samples == file.size), 0)
        if not side:
            raise ParameterError(
                "{}: an HGT file must have {} bytes",
                file.name,
                " or ".join(str(2 * samples * samples) for samples in SIDES),
                got=file.size,
            )
        match = _PLACE.match(file.name)
        note = Message("{} seconds of arc", 3600 // (side - 1))
        latitude = longitude = 0
        if match is None:
            note = Message("No place such as N46E007 in the name: taken for the equator")
        else:
            north, degrees_y, east, degrees_x = match.groups()
            latitude = int(degrees_y) * (1 if north in "Nn" else -1)
            longitude = int(degrees_x) * (1 if east in "Ee" else -1)
        step = 1.0 / (side - 1)
        north = float(latitude) + 1.0
        transform = by_points(float(longitude), north, (step, 0.0, 0.0, -step))
        info = ElevationInfo(*(file.name, self.label, side, side, "int16"), notes=(note,))
        samples = file.data.view(">i2").reshape(side, side)
        file_facts = ElevationFile(
            ArraySource(info, samples, is_top_first=True),
            transform=dataclasses.replace(transform, is_point=True),
            reference=SpatialReference(SpatialSystem(GEOGRAPHIC, _WGS84)),
            band=Band(_HOLE, unit="m"),
            is_placed=match is not None,
        )
        return read_side_files(file, file_facts, _SIDE_FILES)
