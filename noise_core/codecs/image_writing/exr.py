# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEXR.

References
----------
Academy Software Foundation. OpenEXR file layout; technical introduction to OpenEXR.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ...base import blocks
from .samples import LEVEL, Samples

LINES = 16
"""That are compressed together, as the format has it."""


_NAMES = {1: "Y", 3: "BGR", 4: "ABGR"}
"""Of channels, in alphabetical order, as the format asks."""

_PLAIN, _ZIP = b"\0", b"\3"
"""Kinds of compression: none, and zip of 16 lines together."""


def exr_parts(image: Samples, bits: int, *, is_compressed: bool) -> Iterator[bytes]:
    """Yield the parts of an OpenEXR file, made of scan lines.

    Parameters
    ----------
    image : Samples of shape (rows, columns, channels), float32
        Row 0 at the top; one channel, three, or four with transparency.
    bits : int
        16 for half floats, or 32.
    is_compressed : bool
        Noise of 32 bits hardly gets smaller, and takes fifty times as long.
    """
    if not is_compressed:
        yield from _plain_parts(image, bits)
        return
    rows, columns, channels = image.shape
    header = _header(_NAMES[channels], bits, rows, columns, _ZIP)
    chunks = []
    for start in range(0, rows, LINES):
        blocks.checkpoint()
        # Within a line, one channel after the other.
        part = np.moveaxis(image[start : start + LINES][..., ::-1], 2, 1)
        plain = np.ascontiguousarray(part, "<f2" if bits == 16 else "<f4").tobytes()
        body = _compress(plain)
        chunks.append(struct.pack("<iI", start, len(body)) + body)
    sizes = np.array([len(chunk) for chunk in chunks], np.int64)
    yield header
    yield offset_table(len(header), sizes)
    yield from chunks


def offset_table(start: int, sizes: npt.NDArray[np.int64]) -> bytes:
    """Return the table of the places where chunks begin, which stands before them.

    Parameters
    ----------
    start : int
        Bytes before the table.
    sizes : ndarray of shape (chunks,), int64
        Bytes of each chunk. In 64 bits: a file may be larger than 2 GiB, and NumPy 1 has integers
        of 32 bits on Windows where it is not told otherwise.
    """
    starts = np.cumsum(sizes, dtype=np.int64) - sizes + (start + 8 * len(sizes))
    return starts.astype("<u8").tobytes()


def _plain_parts(image: Samples, bits: int) -> Iterator[bytes]:
    """Yield the parts of a file whose lines are stored as they are."""
    rows, columns, channels = image.shape
    header = _header(_NAMES[channels], bits, rows, columns, _PLAIN)
    sample = "<f2" if bits == 16 else "<f4"
    line = np.dtype([("row", "<i4"), ("size", "<u4"), ("samples", sample, (channels, columns))])
    yield header
    yield offset_table(len(header), np.full(rows, line.itemsize, np.int64))
    for start in range(0, rows, LINES):
        blocks.checkpoint()
        part = image[start : start + LINES]
        lines = np.empty(len(part), line)
        lines["row"] = np.arange(start, start + len(part), dtype=np.intp)
        lines["size"] = line.itemsize - 8
        lines["samples"] = np.moveaxis(part[..., ::-1], 2, 1)
        yield lines.tobytes()


def _header(names: str, bits: int, rows: int, columns: int, compression: bytes) -> bytes:
    kind = 1 if bits == 16 else 2
    channels = b"".join(
        name.encode() + b"\0" + struct.pack("<iBxxxii", kind, 0, 1, 1) for name in names
    )
    window = struct.pack("<4i", 0, 0, columns - 1, rows - 1)
    attributes: list[tuple[str, str, bytes]] = [
        ("channels", "chlist", channels + b"\0"),
        ("compression", "compression", compression),
        ("dataWindow", "box2i", window),
        ("displayWindow", "box2i", window),
        ("lineOrder", "lineOrder", b"\0"),
        ("pixelAspectRatio", "float", struct.pack("<f", 1.0)),
        ("screenWindowCenter", "v2f", struct.pack("<2f", 0.0, 0.0)),
        ("screenWindowWidth", "float", struct.pack("<f", 1.0)),
    ]
    head = struct.pack("<Ii", 20000630, 2)
    for name, own, body in attributes:
        head += f"{name}\0{own}\0".encode() + struct.pack("<i", len(body)) + body
    return head + b"\0"


def _compress(plain: bytes) -> bytes:
    """Return lines compressed as OpenEXR does it; as they are if that is no smaller."""
    data = np.frombuffer(plain, np.uint8)
    # First all bytes at even places, then all others; then each less the one before, plus 128.
    apart = np.concatenate((data[0::2], data[1::2]))
    apart[1:] = apart[1:] - apart[:-1] + np.uint8(128)
    packed = zlib.compress(apart.tobytes(), LEVEL)
    return packed if len(packed) < len(plain) else plain
