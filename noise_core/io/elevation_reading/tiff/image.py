# SPDX-License-Identifier: GPL-3.0-or-later
"""Source of the samples in a TIFF file, by strips or tiles.

References
----------
Adobe (1992). TIFF, revision 6.0, section 15.
GDAL (2024). GeoTIFF raster format: sparse files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ....base import blocks
from ....base.errors import ParameterError
from ..elevation import ElevationInfo
from ..source import HeightSource, InputFile, Samples, nodata_of
from .codecs import CODECS, Bytes
from .layout import TiffLayout
from .lzw import is_old_style
from .predictors import undo_predictor

_LARGE_STRIP = 1 << 25
"""Bytes of a strip that is unpacked a part at a time."""

_LZW = 5


class TiffSource(HeightSource):
    """Samples of a TIFF file.

    A strip or tile without bytes, as GDAL writes them, is a hole; without a number for holes it is 0.

    Parameters
    ----------
    info : ElevationInfo
    file : InputFile
    layout : TiffLayout
    is_top_first : bool
        See `HeightSource`.
    factor, offset : float
        See `HeightSource`.
    """

    def __init__(
        self,
        info: ElevationInfo,
        file: InputFile,
        layout: TiffLayout,
        *,
        is_top_first: bool,
        factor: float,
        offset: float,
    ) -> None:
        super().__init__(info)
        self._bytes = file.data
        self._layout = layout
        self.is_top_first, self.factor, self.offset = is_top_first, factor, offset
        self.nodata = nodata_of(info.nodata, layout.dtype)
        self.band_rows = layout.block_rows
        self._stream: Iterator[bytes] = iter(())
        self._held = b""
        self._row = 0
        if not layout.is_tiled and layout.block_rows * layout.row_bytes > _LARGE_STRIP:
            self.is_sequential, self.band_rows = True, 1
        first = np.flatnonzero(layout.sizes > 0)[:1]
        if layout.compression == _LZW and len(first):
            if is_old_style(file.take(int(layout.offsets[first[0]]), 2)):
                raise ParameterError("{}: LZW of 1988 (bits reversed) cannot be read", layout.name)

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        if self.is_sequential:
            return self._read_stream(stop - start)
        return (
            self._read_tiles(start, stop)
            if self._layout.is_tiled
            else self._read_strips(start, stop)
        )

    def _read_strips(self, start: int, stop: int) -> Samples:
        layout = self._layout
        high = layout.block_rows
        first, last = start // high, -(-stop // high)
        top = first * high
        data = np.empty((min(last * high, layout.rows) - top, layout.row_bytes), np.uint8)
        left_out = []
        for strip in range(first, last):
            part = data[strip * high - top : (strip + 1) * high - top]
            if not self._unpack(strip, part):
                left_out.append(part)
        samples = self._undo(data)
        for strip in range(first, last) if left_out else ():
            if self._is_left_out(strip):
                samples[strip * high - top : (strip + 1) * high - top] = self._nothing
        return samples[start - top : stop - top]

    def _read_tiles(self, start: int, stop: int) -> Samples:
        layout = self._layout
        high, wide = layout.block_rows, layout.block_columns
        out = np.empty((stop - start, layout.columns), layout.dtype.newbyteorder("="))
        data = np.empty((high, layout.row_bytes), np.uint8)
        for tile_row in range(start // high, -(-stop // high)):
            low, end = max(start, tile_row * high), min(stop, (tile_row + 1) * high)
            for across in range(layout.blocks_across):
                tile = tile_row * layout.blocks_across + across
                part = out[low - start : end - start, across * wide : (across + 1) * wide]
                if not self._unpack(tile, data):
                    part[...] = self._nothing
                    continue
                rows = slice(low - tile_row * high, end - tile_row * high)
                part[...] = self._undo(data)[rows, : part.shape[1]]
        return out

    def _read_stream(self, rows: int) -> Samples:
        """Return the next rows of strips that are too large to be unpacked whole."""
        layout = self._layout
        parts = []
        while rows:
            strip, row = divmod(self._row, layout.block_rows)
            if row == 0:
                self._stream, self._held = self._parts(strip), b""
            count = min(rows, layout.block_rows - row)
            parts.append(self._take_rows(strip, count))
            self._row += count
            rows -= count
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _take_rows(self, strip: int, rows: int) -> Samples:
        """Return the next rows of one strip."""
        layout = self._layout
        if self._is_left_out(strip):
            return np.full((rows, layout.columns), self._nothing, layout.dtype)
        size, parts, held = rows * layout.row_bytes, [self._held], len(self._held)
        while held < size:
            part = next(self._stream, None)
            if part is None:
                raise self._damage(strip)
            parts.append(part)
            held += len(part)
        whole = b"".join(parts)
        self._held = whole[size:]
        data = np.frombuffer(whole, np.uint8, size).reshape(rows, -1)
        return self._undo(data)

    def _parts(self, block: int) -> Iterator[bytes]:
        """Return the bytes of a strip or tile, a part at a time."""
        blocks.checkpoint()
        layout = self._layout
        size = layout.block_rows * layout.row_bytes
        start = int(layout.offsets[block])
        # A claim beyond twice the unpacked size is damage; no compression makes as much of it.
        count = min(int(layout.sizes[block]), 2 * size + 1024)
        packed = self._bytes[start : start + count]
        return CODECS[layout.compression].unpack(packed, size)

    def _unpack(self, block: int, out: Bytes) -> bool:
        """Unpack a strip or tile, and return whether it is stored at all."""
        if self._is_left_out(block):
            out[...] = 0
            return False
        flat, at = out.reshape(-1), 0
        for part in self._parts(block):
            count = min(len(part), len(flat) - at)
            flat[at : at + count] = np.frombuffer(part, np.uint8, count)
            at += count
            if at == len(flat):
                return True
        raise self._damage(block)

    def _damage(self, block: int) -> ParameterError:
        layout = self._layout
        if int(layout.offsets[block]) + int(layout.sizes[block]) > len(self._bytes):
            return ParameterError(
                "{} is damaged: strip or tile {} lies beyond its end", layout.name, block
            )
        return ParameterError(
            "{} is damaged: strip or tile {} cannot be unpacked ({})",
            *(layout.name, block, CODECS[layout.compression].label),
        )

    def _is_left_out(self, block: int) -> bool:
        return not self._layout.sizes[block] or not self._layout.offsets[block]

    def _undo(self, data: Bytes) -> npt.NDArray[Any]:
        layout = self._layout
        return undo_predictor(data, layout.predictor, layout.channels, layout.dtype)

    @property
    def _nothing(self) -> Any:
        """Value of samples that are not stored."""
        return 0 if self.nodata is None else self.nodata
