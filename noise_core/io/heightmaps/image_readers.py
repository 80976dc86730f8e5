# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of images as `image_writing` stores them, a few rows at a time.

References
----------
W3C (2003). Portable Network Graphics (PNG) specification, second edition.
Academy Software Foundation. OpenEXR file layout.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ..image_writing.samples import row_strips

_CHANNELS = {0: 1, 2: 3, 6: 4}
"""Channels of the color types of PNG."""


def read_png(
    file: BinaryIO, shape: tuple[int, int, int], number: str
) -> Iterator[npt.NDArray[Any]]:
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
    stride, done, left, unpacker = 1 + len(above), 0, b"", zlib.decompressobj()
    for kind, body in _chunks(file):
        blocks.checkpoint()
        if kind == b"IHDR":
            wide, high, depth, color, *_, interlace = struct.unpack(">IIBBBBB", body)
            own = (high, wide, _CHANNELS.get(color))
            if own != shape or depth != 8 * size or interlace:
                raise ValueError(f"it holds {depth} bits of shape {own}")
        if kind != b"IDAT":
            continue
        left += unpacker.decompress(body)
        count = len(left) // stride
        lines = np.frombuffer(left, np.uint8, count * stride).reshape(count, stride)
        left = left[count * stride :]
        if not count:
            continue
        if (lines[:, 0] != 2).any():
            raise ValueError("filter")
        plain = np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8)
        plain += above
        above, done = plain[-1], done + count
        yield plain.view(f">u{size}").reshape(count, columns, channels)
    if done != rows or left or not unpacker.eof:
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


def read_exr(
    file: BinaryIO, shape: tuple[int, int, int], number: str
) -> Iterator[npt.NDArray[Any]]:
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
    own = (window[3] - window[1] + 1, window[2] - window[0] + 1)
    # Of a channel: its name, a zero, and 16 bytes; in the end one more zero.
    if own != shape[:2] or attributes[b"compression"] != b"\0":
        raise ValueError(f"it has the shape {own}")
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
