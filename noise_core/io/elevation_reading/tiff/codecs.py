# SPDX-License-Identifier: GPL-3.0-or-later
"""Decompression in TIFF files, a part at a time.

References
----------
Adobe (1992). TIFF, revision 6.0, section 9 (PackBits).
Adobe (2002). Adobe Photoshop TIFF technical notes (ZIP compression).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ....base import blocks
from .lzw import unpack_lzw, unpack_lzw_blocks

Bytes = npt.NDArray[np.uint8]

Unpack = Callable[[Bytes, int], Iterator[bytes]]
"""Called with the packed bytes and how many to unpack; yields parts of at most about that many in all.

It yields fewer if the packed ones end early or are damaged, never raises, and never holds more than a
part of `PART` bytes and its surroundings.
"""

UnpackBlocks = Callable[[Sequence[Bytes], Sequence[Bytes]], list[int]]
"""Called with the packed bytes of strips or tiles and where to write what is in them; returns how much that is.

It never raises, and never writes less than the bytes of a block hold, nor beyond an output's end.
"""

PART = 1 << 22
"""Bytes that are unpacked at a time."""

_PACKED_PART = 1 << 20


class Compression(NamedTuple):
    """A compression.

    Attributes
    ----------
    label : str
        Its name for people.
    unpack : callable
        Unpacks a large strip; see `Unpack`.
    unpack_blocks : callable
        Unpacks several whole blocks; see `UnpackBlocks`.
    together : int
        Unpacked bytes of tiles that are best given to `unpack_blocks` at once; 0 for one tile, which
        stays in the cache.
    """

    label: str
    unpack: Unpack
    unpack_blocks: UnpackBlocks
    together: int = 0


def unpack_plain(packed: Bytes, size: int) -> Iterator[bytes]:
    """Yield bytes as they are."""
    for at in range(0, min(size, len(packed)), PART):
        yield packed[at : min(at + PART, size)].tobytes()


def unpack_deflate(packed: Bytes, size: int) -> Iterator[bytes]:
    """Yield the bytes of data that zlib has compressed."""
    engine = zlib.decompressobj()
    remaining = size
    try:
        for at in range(0, len(packed), _PACKED_PART):
            data = packed[at : at + _PACKED_PART].tobytes()
            while remaining > 0 and data and not engine.eof:
                part = engine.decompress(data, min(remaining, PART))
                remaining -= len(part)
                yield part
                data = engine.unconsumed_tail
            if remaining <= 0 or engine.eof:
                return
    except zlib.error:
        return


def unpack_bits(packed: Bytes, size: int) -> Iterator[bytes]:
    """Yield the bytes of data that PackBits has compressed: runs of one byte, and bytes as they are."""
    data = packed.tobytes()
    at, remaining, parts, held = 0, size, [], 0
    while remaining > held and at + 1 < len(data):
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
            remaining, parts, held = remaining - held, [], 0
    yield b"".join(parts)


def _unpack_each(unpack: Unpack, packed: Sequence[Bytes], out: Sequence[Bytes]) -> list[int]:
    """Unpack one block after the other; see `UnpackBlocks`."""
    sizes = []
    for data, flat in zip(packed, out):
        blocks.checkpoint()
        at = 0
        for part in unpack(data, len(flat)):
            count = min(len(part), len(flat) - at)
            flat[at : at + count] = np.frombuffer(part, np.uint8, count)
            at += count
            if at == len(flat):
                break
        sizes.append(at)
    return sizes


def _each(label: str, unpack: Unpack) -> Compression:
    return Compression(label, unpack, partial(_unpack_each, unpack))


_DEFLATE = _each("deflate", unpack_deflate)

CODECS = {
    1: _each("none", unpack_plain),
    5: Compression("LZW", unpack_lzw, unpack_lzw_blocks, 1 << 22),
    8: _DEFLATE,
    32773: _each("PackBits", unpack_bits),
    32946: _DEFLATE,
}
"""By the value of the tag Compression."""

UNREADABLE = {
    **{2: "CCITT", 3: "CCITT", 4: "CCITT", 6: "old JPEG", 7: "JPEG", 34712: "JPEG 2000"},
    **{34887: "LERC", 34925: "LZMA", 50000: "ZSTD", 50001: "WebP", 50002: "JPEG XL"},
}
"""Names of other compressions."""
