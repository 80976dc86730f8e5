# SPDX-License-Identifier: GPL-3.0-or-later
"""Reader of PNG images, a few rows at a time.

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

from ..base import blocks
from ..base.arrays import check_size, check_source_size
from ..base.errors import Message, ParameterError

Bytes = npt.NDArray[np.uint8]

_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
"""Channels by color type: gray, RGB, gray with alpha, RGB with alpha."""

_START = 8
"""Bytes of the signature."""

_HEADER_END = _START + 12 + 13

_PART = 1 << 18
"""Packed bytes that are unpacked at a time."""

_LONGEST_PART = 1 << 22
"""Bytes that are made of them at a time."""

_BYTES_PER_BAND = 1 << 24
"""That are unfiltered together: long bands cost less for each row."""

_LONGEST_ROW = 1 << 26
"""Bytes."""

_UP, _AVERAGE, _LAST_FILTER = 2, 3, 4


class PngRows:
    """Rows of a PNG image of 8 or 16 bits from the top to the bottom, each read once.

    Of the checksums, those of the header and of the pixels are compared. Nothing is unpacked that
    the picture does not need.

    Parameters
    ----------
    name : str
        Name of the file in messages.
    data : memoryview of bytes
        The whole file. Its signature is not looked at.
    is_reduced : bool
        Whether the image may be larger than the memory.

    Attributes
    ----------
    rows, columns, channels : int
    transparent : tuple of ints
        Gray, or red, green and blue, of pixels that cannot be seen; empty if there is no such color.
    dtype : dtype
        Of the samples: uint8, or uint16 in big-endian order.
    band_rows : int
        Rows that are best read together where not all are.

    Raises
    ------
    ParameterError
        If the header is damaged, or tells of an image that cannot be read.
    """

    def __init__(self, name: str, data: memoryview, *, is_reduced: bool = False) -> None:
        self._name, self._data = name, data
        if len(data) < _HEADER_END or bytes(data[8:16]) != b"\0\0\0\x0dIHDR":
            raise ParameterError("{} is damaged: its header is missing", name)
        self._compare(zlib.crc32(data[_START + 4 : _HEADER_END - 4]), _HEADER_END - 4)
        header = struct.unpack_from(">IIBBBBB", data, _START + 8)
        self.columns, self.rows, depth, color, _, _, interlace = header
        (check_source_size if is_reduced else check_size)(name, self.rows, self.columns)
        if color not in _CHANNELS or depth not in (8, 16):
            raise ParameterError(
                "{}: color type {} of {} bits cannot be read; gray and RGB of 8 or 16 bits can",
                *(name, color, depth),
            )
        if interlace:
            raise ParameterError("{}: an interlaced PNG (Adam7) cannot be read", name)
        self.channels = _CHANNELS[color]
        self.dtype: np.dtype[np.unsignedinteger] = np.dtype(f">u{depth // 8}")
        self._pixel = self.channels * self.dtype.itemsize
        if self.columns * self._pixel > _LONGEST_ROW:
            raise ParameterError(
                "{}: a row must have at most {} bytes",
                name,
                _LONGEST_ROW,
                got=Message("{} pixels", self.columns),
            )
        self.transparent = self._read_transparent(color)
        self._stride = 1 + self.columns * self._pixel
        self.band_rows = max(1, min(_BYTES_PER_BAND // self._stride, 1024))
        self._above: Bytes = np.zeros((self.columns, self._pixel), np.uint8)
        self._parts = self._unpack(self.rows * self._stride)
        self._held = b""

    def read(self, count: int) -> npt.NDArray[np.unsignedinteger]:
        """Return the next rows, shape (count, columns, channels).

        Parameters
        ----------
        count : int
            At least 1.

        Raises
        ------
        ParameterError
            If the file is damaged there.
        """
        size, parts, held = count * self._stride, [self._held], len(self._held)
        # One more where rows and parts end together: the last checksum is asked for after the last part.
        while held <= size and (part := next(self._parts, None)) is not None:
            parts.append(part)
            held += len(part)
        if held < size:
            raise ParameterError("{} is damaged: its pixels end early", self._name)
        whole = b"".join(parts)
        self._held = whole[size:]
        lines = np.frombuffer(whole, np.uint8, size).reshape(count, self._stride)
        kinds = lines[:, 0]
        if kinds.max() > _LAST_FILTER:
            raise ParameterError("{} is damaged: it has a filter {}", self._name, int(kinds.max()))
        filtered = lines[:, 1:].reshape(count, self.columns, self._pixel)
        plain = _unfilter(filtered, kinds, self._above)
        self._above = plain[-1].copy()
        return plain.view(self.dtype)

    def _unpack(self, size: int) -> Iterator[bytes]:
        """Yield the filtered rows, at most so many bytes."""
        engine = zlib.decompressobj()
        try:
            for start, stop in self._bodies():
                for packed in self._packed_parts(start, stop):
                    data: memoryview | bytes = packed
                    while size > 0 and data and not engine.eof:
                        part = engine.decompress(data, min(size, _LONGEST_PART))
                        size -= len(part)
                        yield part
                        data = engine.unconsumed_tail
                if size <= 0 or engine.eof:
                    return
        except zlib.error as error:
            raise ParameterError("{} is damaged: {}", self._name, error) from None

    def _read_transparent(self, color: int) -> tuple[int, ...]:
        """Return the color of the chunk tRNS, if the color type has no transparency of its own."""
        count = {0: 1, 2: 3}.get(color, 0)
        for kind, start, stop in self._chunks():
            if kind == b"IDAT":
                break
            if kind == b"tRNS" and count:
                if stop - start != 2 * count:
                    raise ParameterError(
                        "{} is damaged: its transparent color has {} bytes",
                        self._name,
                        stop - start,
                    )
                self._compare(zlib.crc32(self._data[start - 4 : stop]), stop)
                return struct.unpack_from(f">{count}H", self._data, start)
        return ()

    def _chunks(self) -> Iterator[tuple[bytes, int, int]]:
        """Yield the kinds of chunks, and where their contents begin and end."""
        at = _START
        while at + 12 <= len(self._data):
            blocks.checkpoint()
            length, kind = struct.unpack_from(">I4s", self._data, at)
            start, at = at + 8, at + 12 + length
            if kind == b"IEND" or at > len(self._data):
                return
            yield kind, start, start + length

    def _bodies(self) -> Iterator[tuple[int, int]]:
        """Yield where the chunks of pixels begin and end, without their headers and checksums."""
        for kind, start, stop in self._chunks():
            if kind == b"IDAT":
                yield start, stop

    def _packed_parts(self, start: int, stop: int) -> Iterator[memoryview]:
        """Yield the bytes of a chunk of pixels; compare its checksum in the end."""
        check = zlib.crc32(b"IDAT")
        for at in range(start, stop, _PART):
            part = self._data[at : min(at + _PART, stop)]
            check = zlib.crc32(part, check)
            yield part
        self._compare(check, stop)

    def _compare(self, check: int, at: int) -> None:
        """Raise a ParameterError unless the checksum stands there."""
        if bytes(self._data[at : at + 4]) != struct.pack(">I", check):
            raise ParameterError("{} is damaged: a checksum is wrong", self._name)


def _unfilter(filtered: Bytes, kinds: Bytes, above: Bytes) -> Bytes:
    """Undo the filters of rows: each byte was stored as its difference from a prediction by its neighbors.

    Parameters
    ----------
    filtered : ndarray of shape (rows, columns, bytes per pixel), uint8
    kinds : ndarray of shape (rows,), uint8
        Each row's filter: 0 none, 1 left, 2 up, 3 average, 4 Paeth.
    above : ndarray of shape (columns, bytes per pixel), uint8
        Row above the first one, already plain; above the image are zeros.
    """
    if (kinds >= _AVERAGE).any():
        blocks.checkpoint()
        return _unfilter_slanted(filtered, kinds, above)
    plain = np.empty(filtered.shape, np.uint8)
    for row, kind in enumerate(kinds.tolist()):
        if kind == _UP:
            np.add(filtered[row], above, out=plain[row])
        elif kind:
            np.cumsum(filtered[row], axis=0, dtype=np.uint8, out=plain[row])
        else:
            plain[row] = filtered[row]
        above = plain[row]
    return plain


def _unfilter_slanted(filtered: Bytes, kinds: Bytes, previous: Bytes) -> Bytes:
    """Undo all filters; see `_unfilter`.

    A byte needs those to the left, above, and above left. All bytes on a line that runs down to
    the left, one pixel per row, can therefore be done at once.
    """
    rows, columns, pixel = filtered.shape
    # A border to the left and above, and the whole as one line of pixels.
    width = columns + 1
    plain = np.zeros(((rows + 1) * width, pixel), np.int16)
    image = plain.reshape(rows + 1, width, pixel)
    image[0, 1:], image[1:, 1:] = previous, filtered
    for step in range(rows + columns - 1):
        first, last = max(0, step - columns + 1), min(rows - 1, step)
        # From the byte's place in row `first` on, each next row lies this much further.
        stride = width - 1
        start = (first + 1) * width + step - first + 1
        stop = start + (last - first) * stride + 1
        current, left, above, corner = (
            plain[start - distance : stop - distance : stride]
            for distance in (0, 1, width, width + 1)
        )
        kind = kinds[first : last + 1, np.newaxis]
        current += _predict(kind, left, above, corner)
        current &= 255
    return np.ascontiguousarray(image[1:, 1:].astype(np.uint8))


def _predict(
    kind: Bytes,
    left: npt.NDArray[np.int16],
    above: npt.NDArray[np.int16],
    corner: npt.NDArray[np.int16],
) -> npt.NDArray[np.int16]:
    """Return the prediction of each byte's filter from its neighbors."""
    straight = left + above - corner
    to_left, to_above, to_corner = (
        np.abs(straight - neighbor) for neighbor in (left, above, corner)
    )
    paeth = np.where(to_above <= to_corner, above, corner)
    paeth = np.where((to_left <= to_above) & (to_left <= to_corner), left, paeth)
    return np.choose(kind, (np.zeros_like(left), left, above, (left + above) >> 1, paeth))
