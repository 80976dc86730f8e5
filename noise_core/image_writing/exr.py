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

from .. import blocks
from ..arrays import Field
from .samples import LEVEL

LINES = 16
"""That are compressed together, as the format has it."""


def exr_parts(image: Field, bits: int) -> Iterator[bytes]:
    """Yield the parts of an OpenEXR file, made of scan lines.

    Parameters
    ----------
    image : ndarray of shape (rows, columns, channels), float32
        Row 0 at the top.
    bits : int
        16 for half floats, or 32.
    """
    rows, columns, channels = image.shape
    names = "Y" if channels == 1 else "BGR"  # in alphabetical order, as the format asks
    kind = 1 if bits == 16 else 2
    header = _header(names, kind, rows, columns)
    chunks = []
    for start in range(0, rows, LINES):
        blocks.checkpoint()
        # Within a line, one channel after the other.
        part = np.moveaxis(image[start : start + LINES, :, ::-1], 2, 1)
        plain = np.ascontiguousarray(part, "<f2" if bits == 16 else "<f4").tobytes()
        body = _packed(plain)
        chunks.append(struct.pack("<iI", start, len(body)) + body)
    sizes = [len(chunk) for chunk in chunks]
    first = len(header) + 8 * len(chunks)
    yield header
    yield np.cumsum([first, *sizes])[:-1].astype("<u8").tobytes()
    yield from chunks


def _header(names: str, kind: int, rows: int, columns: int) -> bytes:
    channels = b"".join(
        name.encode() + b"\0" + struct.pack("<iBxxxii", kind, 0, 1, 1) for name in names
    )
    window = struct.pack("<4i", 0, 0, columns - 1, rows - 1)
    attributes: list[tuple[str, str, bytes]] = [
        ("channels", "chlist", channels + b"\0"),
        ("compression", "compression", b"\3"),  # zip, 16 lines together
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


def _packed(plain: bytes) -> bytes:
    """Return lines compressed as OpenEXR does it; as they are if that is no smaller."""
    data = np.frombuffer(plain, np.uint8)
    # First all bytes at even places, then all others; then each less the one before, plus 128.
    apart = np.concatenate((data[0::2], data[1::2]))
    apart[1:] = apart[1:] - apart[:-1] + np.uint8(128)
    packed = zlib.compress(apart.tobytes(), LEVEL)
    return packed if len(packed) < len(plain) else plain
