# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of images as `image_writing` stores them, a few rows at a time.

References
----------
W3C (2003). Portable Network Graphics (PNG) specification, second edition.
Academy Software Foundation. OpenEXR file layout.
Adobe (1992). TIFF, revision 6.0; Photoshop TIFF technical notes.
LibTIFF (2007). The BigTIFF file format.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...codecs.image_writing.samples import row_strips
from ...rasters.halving import halve

_CHANNELS = {0: 1, 2: 3, 6: 4}
"""Channels of the color types of PNG."""

_FORMS = {1: "B", 2: "B", 3: "H", 4: "I", 12: "d", 16: "Q"}
"""Of the values of TIFF's types, as `struct` has them."""

_Tags = dict[int, tuple[Any, ...]]
"""Values of a directory by their tags."""

_Shape = tuple[int, int, int]


def read_png(file: BinaryIO, shape: _Shape, number: str) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of a PNG image without interlacing, whose lines have filter 2: less the one above.

    Parameters
    ----------
    file : file
        Open for reading, at its beginning.
    shape : tuple of ints
        Rows, columns and channels that it has to have.
    number : str
        Type of its numbers, but for the order of bytes.

    Raises
    ------
    ValueError, struct.error, zlib.error
        If it is something else.
    """
    rows, columns, channels = shape
    size = int(number[2:])
    if file.read(8) != b"\x89PNG\r\n\x1a\n":
        raise ValueError("it does not begin as a PNG image does")
    above: npt.NDArray[np.uint8] = np.zeros(columns * channels * size, np.uint8)
    stride, done, rest_of_body, unpacker = 1 + len(above), 0, b"", zlib.decompressobj()
    for kind, body in _chunks(file):
        blocks.checkpoint()
        if kind == b"IHDR":
            wide, high, depth, color, *_, interlace = struct.unpack(">IIBBBBB", body)
            shape_in_file = (high, wide, _CHANNELS.get(color))
            if shape_in_file != shape or depth != 8 * size or interlace:
                raise ValueError(f"it holds {depth} bits of shape {shape_in_file}")
        if kind != b"IDAT":
            continue
        rest_of_body += unpacker.decompress(body)
        count = len(rest_of_body) // stride
        lines = np.frombuffer(rest_of_body, np.uint8, count * stride).reshape(count, stride)
        rest_of_body = rest_of_body[count * stride :]
        if not count:
            continue
        if (lines[:, 0] != 2).any():
            raise ValueError("filter")
        plain = np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8)
        plain += above
        above, done = plain[-1], done + count
        yield plain.view(f">u{size}").reshape(count, columns, channels)
    if done != rows or rest_of_body or not unpacker.eof:
        raise ValueError(f"it holds {done} rows")


def _chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and content of the chunks of a PNG file."""
    kind = b""
    while kind != b"IEND":
        length, kind = struct.unpack(">I4s", file.read(8))
        body = file.read(length)
        (check,) = struct.unpack(">I", file.read(4))
        if check != zlib.crc32(kind + body):
            raise ValueError("checksum")
        yield kind, body


def read_exr(file: BinaryIO, shape: _Shape, number: str) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of an OpenEXR file of lines that are not compressed; see `read_png`."""
    rows, columns, channels = shape
    if struct.unpack("<Ii", file.read(8)) != (20000630, 2):
        raise ValueError("it does not begin as an OpenEXR image does")
    attributes = {}
    while name := _text(file):
        _text(file)  # the type
        (size,) = struct.unpack("<i", file.read(4))
        attributes[name] = file.read(size)
    window = struct.unpack("<4i", attributes[b"dataWindow"])
    shape_in_file = (window[3] - window[1] + 1, window[2] - window[0] + 1)
    # Of a channel: its name, a zero, and 16 bytes; in the end one more zero.
    if shape_in_file != shape[:2] or attributes[b"compression"] != b"\0":
        raise ValueError(f"it has the shape {shape_in_file}")
    if len(attributes[b"channels"]) != 18 * channels + 1:
        raise ValueError("channels")
    line = np.dtype([("row", "<i4"), ("size", "<u4"), ("samples", number, (channels, columns))])
    places = np.frombuffer(file.read(8 * rows), "<u8")
    expected = file.tell() + line.itemsize * np.arange(rows, dtype=np.uint64)
    if not np.array_equal(places, expected):
        raise ValueError("places of lines")
    for part in row_strips(rows, columns * channels):
        count = part.stop - part.start
        lines = np.frombuffer(file.read(count * line.itemsize), line, count)
        if not np.array_equal(lines["row"], np.arange(part.start, part.stop, dtype=np.int32)):
            raise ValueError("order of lines")
        # Channels stand in alphabetical order: blue first.
        yield np.moveaxis(lines["samples"], 1, 2)[..., ::-1]
    if file.read(1):
        raise ValueError("it goes on after the last line")


def _text(file: BinaryIO) -> bytes:
    text = b""
    while (sign := file.read(1)) != b"\0":
        if not sign:
            raise ValueError("it ends in its header")
        text += sign
    return text


def read_tiff(file: BinaryIO, shape: _Shape, number: str) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of a little-endian file of deflated strips with a predictor; see `read_png`."""
    _, columns, _ = shape
    (tags,) = _directories(file)
    _check_image(tags, shape, number)
    done = 0
    for place, size in zip(tags[273], tags[279]):
        blocks.checkpoint()
        numbers = _read_block(file, place, size, (-1, columns, shape[2]), number)
        done += len(numbers)
        yield numbers
    if done != shape[0]:
        raise ValueError(f"it holds {done} rows")


def read_cloud_tiff(file: BinaryIO, shape: _Shape, number: str) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of a file of floats in deflated tiles; see `read_png`.

    Raises
    ------
    ValueError
        Also if an overview is not that of the image before, or lies behind it.
    """
    levels = []
    for tags in _directories(file):
        _check_image(tags, shape, number)
        levels.append(_TiledImage(file, tags, shape, number))
        if tags.get(254, (0,)) != (int(len(levels) > 1),):
            raise ValueError("directories that are no overviews")
        shape = (-(-shape[0] // 2), -(-shape[1] // 2), shape[2])
    rows, columns, channels = levels[0].shape
    for part in row_strips(rows, columns * channels):
        yield levels[0].read(part)
    for fine, coarse in zip(levels, levels[1:]):
        _check_overview(fine, coarse)


class _TiledImage:
    """An image of a file in tiles; those of the rows read last are kept."""

    def __init__(self, file: BinaryIO, tags: _Tags, shape: _Shape, number: str) -> None:
        self._file, self._tags, self.shape, self._number = file, tags, shape, number
        self._side: int = tags[322][0]
        if tags[323][0] != self._side or len(tags[324]) != self._across * -(
            -shape[0] // self._side
        ):
            raise ValueError("tiles of other shapes or numbers")
        self._held: dict[int, npt.NDArray[Any]] = {}

    @property
    def first_place(self) -> int:
        """Position of its first tile in the file."""
        return int(min(self._tags[324]))

    @property
    def _across(self) -> int:
        return -(-self.shape[1] // self._side)

    def read(self, rows: slice) -> npt.NDArray[Any]:
        """Return some rows."""
        first, last = rows.start // self._side, -(-rows.stop // self._side)
        self._held = {place: self._held.get(place, _NOTHING) for place in range(first, last)}
        for place, band in self._held.items():
            self._held[place] = self._read_band(place) if band is _NOTHING else band
        whole = np.concatenate(list(self._held.values())) if last - first > 1 else self._held[first]
        return whole[rows.start - first * self._side : rows.stop - first * self._side]

    def _read_band(self, number: int) -> npt.NDArray[Any]:
        """Return the rows of a row of tiles."""
        rows, columns, channels = self.shape
        side = self._side
        high = min(side, rows - number * side)
        band = np.empty((high, columns, channels), self._number)
        for across in range(self._across):
            blocks.checkpoint()
            tile = number * self._across + across
            place, size = self._tags[324][tile], self._tags[325][tile]
            numbers = _read_block(self._file, place, size, (side, side, channels), self._number)
            part = band[:, across * side : (across + 1) * side]
            part[...] = numbers[:high, : part.shape[1]]
        return band


_NOTHING: npt.NDArray[Any] = np.empty(0)


def _check_overview(fine: _TiledImage, coarse: _TiledImage) -> None:
    """Raise a ValueError if an image is not made of the means of 2 x 2 samples of another one."""
    if coarse.first_place > fine.first_place:
        raise ValueError("an overview behind its image")
    rows, most = coarse.shape[0], fine.shape[0]
    for part in row_strips(rows, 4 * coarse.shape[1]):
        # Pairs are counted from the south, which is the end of the file.
        low, high = most - min(2 * (rows - part.start), most), most - 2 * (rows - part.stop)
        below = fine.read(slice(low, high))[::-1, :, 0]
        if not np.array_equal(halve(below.astype("=f4"))[::-1], coarse.read(part)[..., 0]):
            raise ValueError("an overview of something else")


def _check_image(tags: _Tags, shape: _Shape, number: str) -> None:
    shape_in_file, bits = (tags[257][0], tags[256][0], tags[277][0]), 8 * int(number[2:])
    if shape_in_file != shape or set(tags[258]) != {bits} or tags[259] != (8,):
        raise ValueError(f"it holds {tags[258]} bits of shape {shape_in_file}")
    is_float = number[1] == "f"
    if set(tags[339]) != {3 if is_float else 1} or tags[317] != (3 if is_float else 2,):
        raise ValueError("numbers of another kind")


def _read_block(
    file: BinaryIO, place: int, size: int, shape: tuple[int, int, int], number: str
) -> npt.NDArray[Any]:
    """Return the numbers of a strip or tile; of a strip as many rows as there are."""
    file.seek(place)
    plain = zlib.decompress(file.read(size))
    _, columns, channels = shape
    if number[1] == "f":
        apart = np.frombuffer(plain, np.uint8).reshape(-1, columns * channels * 4)
        whole = np.cumsum(apart, axis=1, dtype=np.uint8).reshape(len(apart), 4, -1)
        return np.ascontiguousarray(np.moveaxis(whole, 1, 2)).view(">f4").reshape(shape)
    steps = np.frombuffer(plain, number).reshape(shape)
    return np.cumsum(steps, axis=1, dtype=number)


def _directories(file: BinaryIO) -> list[_Tags]:
    """Return the directories of a TIFF or BigTIFF file."""
    mark, version = struct.unpack("<2sH", file.read(4))
    if mark != b"II" or version not in (42, 43):
        raise ValueError("it does not begin as a TIFF image does")
    is_big = version == 43
    if is_big and struct.unpack("<2H", file.read(4)) != (8, 0):
        raise ValueError("places of other sizes than 8 bytes")
    (place,) = _unpack(file, "<Q" if is_big else "<I")
    directories = []
    while place:
        file.seek(place)
        (count,) = _unpack(file, "<Q" if is_big else "<H")
        entry = "<HHQ8s" if is_big else "<HHI4s"
        directory = file.read(struct.calcsize(entry) * count)
        (place,) = _unpack(file, "<Q" if is_big else "<I")
        directories.append(
            {
                tag: values
                for tag, *fields in struct.iter_unpack(entry, directory)
                if (values := _values(file, *fields))
            }
        )
    return directories


def _values(file: BinaryIO, kind: int, many: int, value: bytes) -> tuple[Any, ...]:
    form = f"<{many}{_FORMS[kind]}"
    if struct.calcsize(form) > len(value):
        file.seek(struct.unpack("<Q" if len(value) == 8 else "<I", value)[0])
        value = file.read(struct.calcsize(form))
    return struct.unpack_from(form, value)


def _unpack(file: BinaryIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))
