# SPDX-License-Identifier: GPL-3.0-or-later
"""Decompression in TIFF files, a part at a time.

References
----------
Adobe (1992). TIFF, revision 6.0, section 9 (PackBits).
Adobe (2002). Adobe Photoshop TIFF technical notes (ZIP compression).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ....base import blocks
from .lzw import unpack_lzw

Bytes = npt.NDArray[np.uint8]

Unpack = Callable[[Bytes, int], Iterator[bytes]]
"""Called with the packed bytes and how many to unpack; yields parts of at most about that many in all.

It yields fewer if the packed ones end early or are damaged, never raises, and never holds more than a
part of `PART` bytes and its surroundings.
"""

PART = 1 << 22
"""Bytes that are unpacked at a time."""

_PACKED_PART = 1 << 20


class Compression(NamedTuple):
    """A compression: its name for people, how to unpack it, and how well it can do."""

    label: str
    unpack: Unpack


def unpack_plain(packed: Bytes, size: int) -> Iterator[bytes]:
    """Yield bytes as they are."""
    for at in range(0, min(size, len(packed)), PART):
        yield packed[at : min(at + PART, size)].tobytes()


def unpack_deflate(packed: Bytes, size: int) -> Iterator[bytes]:
    """Yield what zlib has compressed."""
    engine = zlib.decompressobj()
    left = size
    try:
        for at in range(0, len(packed), _PACKED_PART):
            data = packed[at : at + _PACKED_PART].tobytes()
            while left > 0 and data and not engine.eof:
                part = engine.decompress(data, min(left, PART))
                left -= len(part)
                yield part
                data = engine.unconsumed_tail
            if left <= 0 or engine.eof:
                return
    except zlib.error:
        return


def unpack_bits(packed: Bytes, size: int) -> Iterator[bytes]:
    """Yield what PackBits has compressed: runs of one byte, and bytes as they are."""
    data = packed.tobytes()
    at, left, parts, held = 0, size, [], 0
    while left > held and at + 1 < len(data):
        count = data[at]
        if count < 128:
            part = data[at + 1 : at + 2 + count]
            at += 2 + count
        elif count > 128:
            part = data[at + 1 : at + 2] * (257 - count)
            at += 2
        else:  # nothing
            part = b""
            at += 1
        parts.append(part)
        held += len(part)
        if held >= PART or len(parts) > PART:
            blocks.checkpoint()
            yield b"".join(parts)
            left, parts, held = left - held, [], 0
    yield b"".join(parts)


CODECS = {
    1: Compression("none", unpack_plain),
    5: Compression("LZW", unpack_lzw),
    8: Compression("deflate", unpack_deflate),
    32773: Compression("PackBits", unpack_bits),
    32946: Compression("deflate", unpack_deflate),
}
"""By the value of the tag Compression."""

UNREADABLE = {
    **{2: "CCITT", 3: "CCITT", 4: "CCITT", 6: "old JPEG", 7: "JPEG", 34712: "JPEG 2000"},
    **{34887: "LERC", 34925: "LZMA", 50000: "ZSTD", 50001: "WebP", 50002: "JPEG XL"},
}
"""Names of other compressions."""
