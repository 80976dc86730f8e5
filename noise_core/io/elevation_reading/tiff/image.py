# SPDX-License-Identifier: GPL-3.0-or-later
"""Source of the samples in a TIFF file, by strips or tiles.

References
----------
Adobe (1992). TIFF, revision 6.0, section 15.
GDAL (2024). GeoTIFF raster format: sparse files.
Adobe (1992). TIFF, revision 6.0, section 14 (predictor 2).
Adobe (2005). Photoshop TIFF technical note 3 (predictor 3, floating point).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

_LARGE_STRIP = 1 << 25
"""Bytes of a strip that is unpacked a part at a time."""

_LZW = 5

_LANES = np.uint64(0x00FF00FF00FF00FF)
"""Every second byte of eight: each has room for its sums in the 16 bits that it begins."""

_TO_ALL_ABOVE = np.uint64(0x0001000100010001)
"""Times this, each lane of 16 bits becomes the sum of itself and those below."""

_BYTE, _LANE, _LAST_LANE = np.uint64(8), np.uint64(16), np.uint64(48)

_BYTES_AT_ONCE = 1 << 17
"""Whose temporaries stay in the cache."""


class TiffSource(HeightSource):
    """Samples of a TIFF file.

    A strip or tile without bytes, as GDAL writes them, is a hole; without a number for holes it is 0.

    Parameters
    ----------
    info : ElevationInfo
    file : InputFile
    layout : TiffLayout
    """

    def __init__(self, info: ElevationInfo, file: InputFile, layout: TiffLayout) -> None:
        super().__init__(info)
        self._bytes = file.data
        self._layout = layout
        self.nodata = nodata_of(info.nodata, layout.dtype)
        self.band_rows = layout.block_rows
        self.block_columns = layout.block_columns if layout.is_tiled else 0
        self._stream: Iterator[bytes] = iter(())
        self._held = b""
        self._row = 0
        if not layout.is_tiled and layout.block_rows * layout.row_bytes > _LARGE_STRIP:
            self.is_sequential, self.band_rows = True, 1
        first = np.flatnonzero(layout.sizes > 0)[:1]
        if layout.compression == _LZW and len(first):
            if is_old_style(file.take(int(layout.offsets[first[0]]), 2)):
                raise ParameterError("{}: LZW of 1988 (bits reversed) cannot be read", layout.name)

    @property
    def layout(self) -> TiffLayout:
        """Places and form of the samples."""
        return self._layout

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        return self.read_part(start, stop, slice(None))

    def read_part(self, start: int, stop: int, columns: slice) -> Samples:
        """See `HeightSource.read_part`."""
        if self.is_sequential:
            return self._read_stream(stop - start)[:, columns]
        if self._layout.is_tiled:
            first, last, _ = columns.indices(self._layout.columns)
            return self._read_tiles(start, stop, first, last)
        return self._read_strips(start, stop)[:, columns]

    def _read_strips(self, start: int, stop: int) -> Samples:
        layout = self._layout
        high = layout.block_rows
        first, last = start // high, -(-stop // high)
        top = first * high
        data = np.empty((min(last * high, layout.rows) - top, layout.row_bytes), np.uint8)
        rows = [slice(at, at + high) for at in range(0, len(data), high)]
        left_out = self._unpack(range(first, last), [data[some] for some in rows])
        samples = self._undo(data)
        for strip in left_out:
            samples[rows[strip - first]] = self._nothing
        return samples[start - top : stop - top]

    def _read_tiles(self, start: int, stop: int, left: int, right: int) -> Samples:
        layout = self._layout
        high, wide = layout.block_rows, layout.block_columns
        out = np.empty((stop - start, right - left), layout.dtype.newbyteorder("="))
        across = range(left // wide, -(-right // wide))
        most = CODECS[layout.compression].together // (high * layout.row_bytes)
        together = max(1, min(len(across), most))
        data = np.empty((together, high, layout.row_bytes), np.uint8)
        for tile_row in range(start // high, -(-stop // high)):
            low, end = max(start, tile_row * high), min(stop, (tile_row + 1) * high)
            band = out[low - start : end - start]
            rows = slice(low - tile_row * high, end - tile_row * high)
            for begin in range(0, len(across), together):
                places = across[begin : begin + together]
                for place, samples in zip(places, self._tiles(tile_row, places, data)):
                    first, last = max(left, place * wide), min(right, (place + 1) * wide)
                    columns = slice(first - place * wide, last - place * wide)
                    band[:, first - left : last - left] = samples[rows, columns]
        return out

    def _tiles(self, tile_row: int, places: range, data: npt.NDArray[np.uint8]) -> Samples:
        """Return the samples of tiles that lie side by side.

        Parameters
        ----------
        tile_row : int
        places : range
            Of the tiles in their row.
        data : ndarray of shape (at least as many, rows, bytes per row), uint8
            It is overwritten.

        Returns
        -------
        ndarray of shape (tiles, rows, columns)
        """
        numbers = [tile_row * self._layout.blocks_across + place for place in places]
        data = data[: len(numbers)]
        left_out = self._unpack(numbers, list(data))
        samples = self._undo(data.reshape(-1, data.shape[2])).reshape(*data.shape[:2], -1)
        for number in left_out:
            samples[number - numbers[0]] = self._nothing
        return samples

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
        return CODECS[layout.compression].unpack(self._packed(block), size)

    def _packed(self, block: int) -> Bytes:
        """Return the packed bytes of a strip or tile."""
        layout = self.layout
        start = int(layout.offsets[block])
        # A claim beyond twice the unpacked size is damage; no compression makes as much of it.
        most = 2 * layout.block_rows * layout.row_bytes + 1024
        return self._bytes[start : start + min(int(layout.sizes[block]), most)]

    def _unpack(self, numbers: Sequence[int], parts: Sequence[Bytes]) -> list[int]:
        """Unpack strips or tiles, and return the numbers of those that are not stored at all."""
        left_out = [number for number in numbers if self._is_left_out(number)]
        stored = []
        for number, part in zip(numbers, parts):
            if self._is_left_out(number):
                part[...] = 0
            else:
                stored.append((number, part.reshape(-1)))
        unpack = CODECS[self.layout.compression].unpack_blocks
        outs = [out for _, out in stored]
        sizes = unpack([self._packed(number) for number, _ in stored], outs)
        for (number, out), size in zip(stored, sizes):
            if size < len(out):
                raise self._damage(number)
        return left_out

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
        if layout.bits == 1:
            bits = np.unpackbits(data, axis=1)[:, : layout.block_columns * layout.channels]
            return bits.reshape(len(data), -1, layout.channels)[:, :, layout.channel]
        return undo_predictor(data, layout.predictor, layout.channel, layout.channels, layout.dtype)

    @property
    def _nothing(self) -> Any:
        """Value of samples that are not stored."""
        return 0 if self.nodata is None else self.nodata


def undo_predictor(
    data: Bytes, predictor: int, channel: int, channels: int, dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """Return one of the samples of each pixel.

    Parameters
    ----------
    data : ndarray of shape (rows, bytes per row), uint8
        It is overwritten.
    predictor : int
        1, 2 or 3.
    channel, channels : int
        Which of the samples of a pixel, from 0, and how many it has.
    dtype : dtype
        Of a sample, in the file's order of bytes.

    Returns
    -------
    ndarray of shape (rows, columns)
    """
    rows = len(data)
    if predictor == 3:
        return _undo_floating(data, channel, channels, dtype)
    samples = data.view(dtype).reshape(rows, -1, channels)[:, :, channel]
    if predictor == 1:
        return samples
    bits = samples.view(f"{dtype.byteorder}u{dtype.itemsize}")
    whole = np.cumsum(bits, axis=1, dtype=f"=u{dtype.itemsize}")
    return whole.view(dtype.newbyteorder("="))


def _undo_floating(
    data: Bytes, channel: int, channels: int, dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """Undo predictor 3: bytes of equal weight stand together, the highest first, as differences."""
    rows, size = len(data), dtype.itemsize
    # With several channels each byte is less that of the same channel in the pixel before it.
    deltas = data.reshape(rows, -1, channels)[:, :, channel]
    planes = add_up_bytes(deltas).reshape(rows, size, -1)
    whole = np.empty((rows, planes.shape[2]), f"=u{size}")
    whole[:] = planes[:, 0]
    for weight in range(1, size):
        whole <<= 8
        whole |= planes[:, weight]
    return whole.view(f"=f{size}")


def add_up_bytes(deltas: Bytes) -> Bytes:
    """Return the running sums of bytes along rows, without carries: faster than `cumsum`.

    That waits for each sum before it begins the next. Here eight bytes are summed at once, and only
    the sums of these one after the other.

    Parameters
    ----------
    deltas : ndarray of shape (rows, bytes), uint8
    """
    if deltas.shape[1] % 8 or not deltas.flags.c_contiguous:
        return np.cumsum(deltas, axis=1, dtype=np.uint8)
    sums = np.empty_like(deltas)
    step = max(1, _BYTES_AT_ONCE // deltas.shape[1])
    for start in range(0, len(deltas), step):
        words = deltas[start : start + step].view("<u8")
        even, odd = words & _LANES, (words >> _BYTE) & _LANES
        even *= _TO_ALL_ABOVE
        odd *= _TO_ALL_ABOVE
        totals = ((even + odd) >> _LAST_LANE).astype(np.uint8)
        lower = np.zeros(words.shape, np.uint64)
        lower[:, 1:] = np.cumsum(totals, axis=1, dtype=np.uint8)[:, :-1]
        lower *= _TO_ALL_ABOVE
        even += lower
        high = ((even + odd) & _LANES) << _BYTE
        odd <<= _LANE
        even += odd
        even &= _LANES
        np.bitwise_or(even, high, out=sums[start : start + step].view("<u8"))
    return sums
