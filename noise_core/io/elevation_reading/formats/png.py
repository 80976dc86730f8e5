# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG of 8 and 16 bits."""

from __future__ import annotations

import numpy as np

from ....base.errors import Message
from ...png_rows import PngRows
from ..elevation import ElevationInfo
from ..formats_registry import ElevationFormat, elevation_format
from ..source import HeightSource, InputFile, Samples, value_range_of


@elevation_format("png", "PNG", extensions=(".png",), signatures=(b"\x89png\r\n\x1a\n",))
class Png(ElevationFormat):
    """Gray picture; of a colored one the first channel is read."""

    def open(self, file: InputFile) -> HeightSource:
        """See `ElevationFormat.open`."""
        image = PngRows(file.name, file.data.data)
        notes: tuple[Message, ...] = ()
        if image.channels > 1:
            notes = (Message("The first of {} channels is read", image.channels),)
        info = ElevationInfo(
            *(file.name, self.label, image.rows, image.columns, image.dtype.name),
            value_range=value_range_of(image.dtype),
            notes=notes,
        )
        return _PngSource(info, image)


class _PngSource(HeightSource):
    """First channel of a PNG image."""

    is_sequential = True

    def __init__(self, info: ElevationInfo, image: PngRows) -> None:
        super().__init__(info)
        self._image = image
        self.band_rows = image.band_rows

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        return np.ascontiguousarray(self._image.read(stop - start)[:, :, 0])
