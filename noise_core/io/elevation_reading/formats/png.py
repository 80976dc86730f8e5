# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG of 8 and 16 bits.

References
----------
GDAL (2024). PNG raster format: holes by transparency.
"""

from __future__ import annotations

import numpy as np

from ....base.errors import Message
from ....codecs.png_rows import PngRows
from ..bands import Band
from ..elevation import ElevationInfo
from ..elevation_file import ElevationFile
from ..formats_registry import ElevationFormat, elevation_format
from ..side_files.beside import SideFiles, read_side_files
from ..source import HeightSource, InputFile, Samples

_WITH_ALPHA = (2, 4)
"""Channels in all, of which the last one is transparency."""


_SIDE_FILES = SideFiles(
    has_mask=True, has_numbers=True, has_holes=True, has_place=True, has_system=True
)


@elevation_format("png", "PNG", extensions=(".png",), signatures=(b"\x89png\r\n\x1a\n",))
class Png(ElevationFormat):
    """Gray picture; of a colored one the first channel is read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core import read_elevation
    >>> from noise_core.codecs.image_writing import image_bytes
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "land.png"
    ...     _ = path.write_bytes(image_bytes(np.float32([[0.0, 1.0]]), "png", 16))
    ...     print(read_elevation(path, height_range=(0.0, 500.0)).heights)
    [[  0. 500.]]
    """

    def open(self, file: InputFile) -> ElevationFile:
        """See `ElevationFormat.open`."""
        image = PngRows(file.name, file.data.data, is_reduced=True)
        notes: tuple[Message, ...] = ()
        if image.channels > 1:
            notes = (Message("The first of {} channels is read", image.channels),)
        info = ElevationInfo(
            *(file.name, self.label, image.rows, image.columns, image.dtype.name), notes=notes
        )
        source = _PngSource(info, image)
        clear = image.transparent
        if len(clear) > 1:  # a color
            mask = _OpaqueSource(source, clear)
            file_facts = ElevationFile(source, bands=image.channels, mask=mask)
        else:
            alpha = _OpaqueSource(source) if image.channels in _WITH_ALPHA else None
            band = Band(clear[0] if clear else None)
            file_facts = ElevationFile(source, band=band, bands=image.channels, alpha=alpha)
        return read_side_files(file, file_facts, _SIDE_FILES)


class _PngSource(HeightSource):
    """First channel of a PNG image; all channels of the rows that were read last are kept for masks."""

    is_sequential = True

    def __init__(self, info: ElevationInfo, image: PngRows) -> None:
        super().__init__(info)
        self._image = image
        self.band_rows = image.band_rows
        self.pixels: Samples = np.zeros((0, 0, 1), np.uint8)

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        self.pixels = self._image.read(stop - start)
        return np.ascontiguousarray(self.pixels[:, :, 0])


class _OpaqueSource(HeightSource):
    """Whether pixels that were read last can be seen: by their last channel, or because they lack a color."""

    is_sequential = True

    def __init__(self, source: _PngSource, clear: tuple[int, ...] = ()) -> None:
        super().__init__(source.info)
        self._source, self._clear = source, clear

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`; the same rows of the source come before."""
        pixels = self._source.pixels
        if self._clear:
            return np.asarray((pixels != np.array(self._clear, pixels.dtype)).any(axis=2))
        return pixels[:, :, -1]
