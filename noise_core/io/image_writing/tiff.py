# SPDX-License-Identifier: GPL-3.0-or-later
"""TIFF.

References
----------
Adobe (1992). TIFF, revision 6.0.
Adobe (2002). Adobe Photoshop TIFF technical notes: ZIP compression.
"""

from __future__ import annotations

import itertools
import struct
import zlib

from ...base.arrays import Field
from ...base.errors import ParameterError
from .samples import LEVEL, STRIP, quantize, row_strips

SHORT, LONG = 3, 4
"""The types of an entry's values: 16 or 32 bits."""

MAX_FILE_SIZE = 2**32 - 1
"""Bytes in a file: places in it are stored in 32 bits. (BigTIFF has 64, and fewer programs read it.)"""

Entry = tuple[int, int, list[int]]
"""Tag, type, values."""


def tiff_bytes(image: Field, bits: int) -> bytes:
    """Return a TIFF file: little-endian, one image in strips.

    Parameters
    ----------
    image : ndarray of shape (rows, columns, channels), float32
        Row 0 at the top.
    bits : int

    Raises
    ------
    ParameterError
        If the file would be larger than the format allows, which is known once it is compressed.
    """
    rows, columns, channels = image.shape
    packed = []
    for part in row_strips(rows, columns * channels):
        plain = quantize(image[part], bits).astype(f"<u{bits // 8}")
        # Predictor 2: each sample less the one to its left, channel by channel.
        plain[:, 1:] -= plain[:, :-1].copy()
        packed.append(zlib.compress(plain.tobytes(), LEVEL))
    sizes = [len(strip) for strip in packed]
    entries: list[Entry] = [  # by rising tag, as the format asks
        (256, LONG, [columns]),
        (257, LONG, [rows]),
        (258, SHORT, [bits] * channels),
        (259, SHORT, [8]),  # compression: deflate
        (262, SHORT, [1 if channels == 1 else 2]),  # black is zero, or RGB
        (273, LONG, sizes),  # where the strips are; until that is known, as many numbers
        (277, SHORT, [channels]),
        (278, LONG, [max(1, STRIP // (columns * channels))]),  # rows in a strip
        (279, LONG, sizes),
        (284, SHORT, [1]),  # channels side by side
        (317, SHORT, [2]),  # the predictor
        (339, SHORT, [1] * channels),  # unsigned whole numbers
    ]
    places = strip_places(len(_front(entries)), sizes)
    return b"".join(
        [_front([(273, LONG, places) if one[0] == 273 else one for one in entries]), *packed]
    )


def strip_places(first: int, sizes: list[int]) -> list[int]:
    """Return where strips of these sizes begin, one after the other from `first` on, all in bytes.

    Raises
    ------
    ParameterError
        If they end beyond what the format can hold.
    """
    *places, end = itertools.accumulate(sizes, initial=first)
    if end > MAX_FILE_SIZE:
        raise ParameterError(
            "a TIFF file holds at most {} bytes; got {}: choose png or exr, or fewer pixels",
            MAX_FILE_SIZE,
            end,
        )
    return places


def _front(entries: list[Entry]) -> bytes:
    """Return all that comes before the strips: header, directory, and what does not fit in it."""
    directory, extra = struct.pack("<H", len(entries)), b""
    extra_at = 8 + 2 + 12 * len(entries) + 4
    for tag, kind, values in entries:
        body = struct.pack(f"<{len(values)}{'H' if kind == SHORT else 'I'}", *values)
        if len(body) > 4:
            place = struct.pack("<I", extra_at + len(extra))
            extra += body + b"\0" * (len(body) % 2)
            body = place
        directory += struct.pack("<HHI", tag, kind, len(values)) + body.ljust(4, b"\0")
    return struct.pack("<2sHI", b"II", 42, 8) + directory + struct.pack("<I", 0) + extra
