# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG of 8 and 16 bits.

References
----------
W3C (2003). Portable Network Graphics (PNG) specification, second edition.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ....base import blocks
from ....base.errors import Message, ParameterError
from ...image_files import unfilter
from ..elevation import ElevationInfo
from ..formats_registry import ElevationFormat, elevation_format
from ..source import HeightSource, InputFile, Samples, check_size, value_range_of

_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
"""Channels by color type: gray, RGB, gray with alpha, RGB with alpha."""

_START = 8
"""Bytes of the signature."""

_HEADER_END = _START + 12 + 13

_PART = 1 << 18
"""Packed bytes that are unpacked at a time."""

_BYTES_PER_BAND = 1 << 24
"""That are unfiltered together: long bands cost less for each row."""

_LONGEST_ROW = 1 << 26
"""Bytes."""

_UP, _AVERAGE, _LAST_FILTER = 2, 3, 4


@elevation_format("png", "PNG", extensions=(".png",), signatures=(b"\x89png\r\n\x1a\n",))
class Png(ElevationFormat):
    """Gray picture; of a colored one the first channel is read."""

    def open(self, file: InputFile) -> HeightSource:
        """See `ElevationFormat.open`."""
        head = file.take(_START, _HEADER_END - _START)
        if len(head) < _HEADER_END - _START or head[4:8] != b"IHDR":
            raise ParameterError("{} is damaged: its header is missing", file.name)
        columns, rows, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", head[8:21])
        check_size(file.name, rows, columns)
        if color not in _CHANNELS or depth not in (8, 16):
            raise ParameterError(
                "{}: color type {} of {} bits cannot be read; gray and RGB of 8 or 16 bits can",
                *(file.name, color, depth),
            )
        if interlace:
            raise ParameterError("{}: an interlaced PNG (Adam7) cannot be read", file.name)
        channels = _CHANNELS[color]
        if columns * channels * depth // 8 > _LONGEST_ROW:
            raise ParameterError(
                "{}: a row must have at most {} bytes; got {} pixels",
                *(file.name, _LONGEST_ROW, columns),
            )
        dtype = np.dtype(f">u{depth // 8}")
        notes: tuple[Message, ...] = ()
        if channels > 1:
            notes = (Message("The first of {} channels is read", channels),)
        info = ElevationInfo(
            *(file.name, self.label, rows, columns, dtype.name),
            value_range=value_range_of(dtype),
            notes=notes,
        )
        return _PngSource(info, file, channels, dtype)


class _PngSource(HeightSource):
    """Rows of a PNG image from the top to the bottom."""

    is_sequential = True

    def __init__(
        self,
        info: ElevationInfo,
        file: InputFile,
        channels: int,
        dtype: np.dtype[np.unsignedinteger],
    ) -> None:
        super().__init__(info)
        self._dtype = dtype
        self._pixel = channels * dtype.itemsize
        self._stride = 1 + info.columns * self._pixel
        self.band_rows = max(1, min(_BYTES_PER_BAND // self._stride, 1024))
        self._above: npt.NDArray[np.uint8] | None = None
        self._parts = _unpack(file, info.rows * self._stride)
        self._held = b""

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        rows, columns = stop - start, self.info.columns
        size, parts, held = rows * self._stride, [self._held], len(self._held)
        while held < size:
            part = next(self._parts, None)
            if part is None:
                raise ParameterError("{} is damaged: its pixels end early", self.info.name)
            parts.append(part)
            held += len(part)
        whole = b"".join(parts)
        self._held = whole[size:]
        lines = np.frombuffer(whole, np.uint8, size).reshape(rows, self._stride)
        kinds = lines[:, 0]
        if kinds.max() > _LAST_FILTER:
            raise ParameterError(
                "{} is damaged: it has a filter {}", self.info.name, int(kinds.max())
            )
        filtered = lines[:, 1:].reshape(rows, columns, self._pixel)
        plain = _unfilter_rows(filtered, kinds, self._above)
        self._above = plain[-1].copy()
        first = np.ascontiguousarray(plain[:, :, : self._dtype.itemsize])
        return first.view(self._dtype)[:, :, 0]


def _unfilter_rows(
    filtered: npt.NDArray[np.uint8],
    kinds: npt.NDArray[np.uint8],
    above: npt.NDArray[np.uint8] | None,
) -> npt.NDArray[np.uint8]:
    """Undo the filters: row by row where no byte needs both the one above and the one before it."""
    if (kinds >= _AVERAGE).any():
        blocks.checkpoint()
        return unfilter(filtered, kinds, above)
    plain = np.empty_like(filtered)
    before = np.zeros_like(filtered[0]) if above is None else above
    for row, kind in enumerate(kinds.tolist()):
        if kind == _UP:
            np.add(filtered[row], before, out=plain[row])
        elif kind:
            np.cumsum(filtered[row], axis=0, dtype=np.uint8, out=plain[row])
        else:
            plain[row] = filtered[row]
        before = plain[row]
    return plain


def _unpack(file: InputFile, size: int) -> Iterator[bytes]:
    """Yield the filtered rows, at most so many bytes."""
    engine = zlib.decompressobj()
    try:
        for body in _bodies(file):
            data = body
            while size > 0 and data and not engine.eof:
                part = engine.decompress(data, min(size, 1 << 22))
                size -= len(part)
                yield part
                data = engine.unconsumed_tail
            if size <= 0 or engine.eof:
                return
    except zlib.error as error:
        raise ParameterError("{} is damaged: {}", file.name, error) from None


def _bodies(file: InputFile) -> Iterator[bytes]:
    """Yield the packed pixels, some at a time."""
    at = _START
    while at + 12 <= file.size:
        blocks.checkpoint()
        length, kind = struct.unpack(">I4s", file.take(at, 8))
        stop = at + 8 + length
        if kind == b"IEND" or stop > file.size:
            return
        if kind == b"IDAT":
            check = zlib.crc32(kind)
            for start in range(at + 8, stop, _PART):
                body = file.take(start, min(_PART, stop - start))
                check = zlib.crc32(body, check)
                yield body
            if file.take(stop, 4) != struct.pack(">I", check):
                raise ParameterError("{} is damaged: a checksum is wrong", file.name)
        at = stop + 4
