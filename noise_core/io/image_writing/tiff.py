# SPDX-License-Identifier: GPL-3.0-or-later
"""TIFF.

References
----------
Adobe (1992). TIFF, revision 6.0.
Adobe (2002). Adobe Photoshop TIFF technical notes: ZIP compression.
Adobe (2005). Adobe Photoshop TIFF technical note 3: floating point predictor.
"""

from __future__ import annotations

import itertools
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ...base.errors import ParameterError
from .samples import LEVEL, STRIP, Samples, quantize, row_strips

ASCII, SHORT, LONG, DOUBLE = 2, 3, 4, 12
"""The types of an entry's values: a text, whole numbers of 16 or 32 bits, floats of 64."""

_FORMS = {ASCII: "B", SHORT: "H", LONG: "I", DOUBLE: "d"}
"""Of the values of each type, as `struct` has them."""

MAX_FILE_SIZE = 2**32 - 1
"""Bytes in a file: places in it are stored in 32 bits. (BigTIFF has 64, and fewer programs read it.)"""

Entry = tuple[int, int, Sequence[Union[int, float]]]
"""Tag, type, values; those of a text are its bytes, the last one 0."""


def tiff_bytes(image: Samples, bits: int) -> bytes:
    """Return a TIFF file; see `tiff_parts`."""
    return b"".join(tiff_parts(image, bits))


def tiff_parts(image: Samples, bits: int, more: Sequence[Entry] = ()) -> Iterator[bytes]:
    """Yield the parts of a TIFF file: little-endian, one image in strips.

    Parameters
    ----------
    image : Samples of shape (rows, columns, channels), float32
        Row 0 at the top. With 32 bits one channel, stored as floats.
    bits : int
        8 or 16 for whole numbers, 32 for floats.
    more : sequence of Entry
        Entries beside those of the image itself, such as a place on Earth.

    Raises
    ------
    ParameterError
        If the file would be larger than the format allows, which is known once it is compressed.
    """
    rows, columns, channels = image.shape
    packed = []
    for part in row_strips(rows, columns * channels):
        plain = _predict_floats(image[part]) if bits == 32 else _predict(image[part], bits)
        packed.append(zlib.compress(plain, LEVEL))
    sizes = [len(strip) for strip in packed]
    entries: list[Entry] = [
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
        (317, SHORT, [3 if bits == 32 else 2]),  # the predictor
        (339, SHORT, [3 if bits == 32 else 1] * channels),  # floats, or unsigned whole numbers
        *more,
    ]
    entries.sort(key=lambda entry: entry[0])  # by rising tag, as the format asks
    places = strip_places(len(_front(entries)), sizes)
    yield _front([(273, LONG, places) if one[0] == 273 else one for one in entries])
    yield from packed


def _predict(image: npt.NDArray[Any], bits: int) -> bytes:
    """Return rows of whole numbers by predictor 2: each less the one to its left, channel by channel."""
    plain = quantize(image, bits).astype(f"<u{bits // 8}")
    plain[:, 1:] -= plain[:, :-1].copy()
    return plain.tobytes()


def _predict_floats(image: npt.NDArray[Any]) -> bytes:
    """Return rows of floats by predictor 3: all first bytes, all second ones ...; each less its left one."""
    rows = len(image)
    plain = np.ascontiguousarray(image, ">f4").view(np.uint8).reshape(rows, -1, 4)
    apart = np.ascontiguousarray(np.moveaxis(plain, 2, 1)).reshape(rows, -1)
    apart[:, 1:] -= apart[:, :-1].copy()
    return apart.tobytes()


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
        body = struct.pack(f"<{len(values)}{_FORMS[kind]}", *values)
        if len(body) > 4:
            place = struct.pack("<I", extra_at + len(extra))
            extra += body + b"\0" * (len(body) % 2)
            body = place
        directory += struct.pack("<HHI", tag, kind, len(values)) + body.ljust(4, b"\0")
    return struct.pack("<2sHI", b"II", 42, 8) + directory + struct.pack("<I", 0) + extra
