# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG.

References
----------
W3C (2003). Portable Network Graphics (PNG) specification, second edition.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

from .samples import LEVEL, Samples, quantize, row_strips


def png_parts(
    image: Samples, bits: int, is_color: bool, *, is_compressed: bool = True
) -> Iterator[bytes]:
    """Yield the parts of a PNG file.

    Parameters
    ----------
    image : Samples of shape (rows, columns, channels), float32, or whole numbers of `bits`
        Row 0 at the top; one channel, three, or four with transparency.
    is_compressed : bool
        Whether repetition is looked for. Otherwise bytes get shorter codes the more common they are, and
        runs of one byte become short: a third of the time, and no larger where noise fills the picture.
    """
    rows, columns, channels = image.shape
    yield b"\x89PNG\r\n\x1a\n"
    color_type = {1: 0, 3: 2, 4: 6}[channels]
    yield _chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, bits, color_type, 0, 0, 0))
    if is_color:
        yield _chunk(b"sRGB", b"\x00")
    pixel = channels * bits // 8
    above = np.zeros(columns * pixel, np.uint8)
    packer = zlib.compressobj(LEVEL) if is_compressed else zlib.compressobj(1, strategy=zlib.Z_RLE)
    for part in row_strips(rows, columns * channels):
        # In rows, even if the picture is turned or one number for all.
        numbers = quantize(image[part], bits).astype(f">u{bits // 8}", order="C")
        plain = numbers.reshape(part.stop - part.start, -1)
        lines = plain.view(np.uint8)
        # Filter 2: each byte less the one above it, which makes smooth pictures small.
        filtered = np.empty((len(lines), 1 + columns * pixel), np.uint8)
        filtered[:, 0] = 2
        filtered[0, 1:] = lines[0] - above
        filtered[1:, 1:] = lines[1:] - lines[:-1]
        above = lines[-1]
        packed = packer.compress(filtered.tobytes())
        if packed:
            yield _chunk(b"IDAT", packed)
    yield _chunk(b"IDAT", packer.flush())
    yield _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", len(body), kind) + body + struct.pack(">I", zlib.crc32(kind + body))
