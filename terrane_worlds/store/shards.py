# SPDX-License-Identifier: GPL-3.0-or-later
"""Shards of Zarr arrays: a tile in one file, divided into chunks that can be read alone.

A shard is written here in one piece, since zarr encodes its chunks one by one: without compression that
takes five times as long. Everything is read with zarr.

References
----------
Zarr developers (2023). ZEP 2: sharding codec, version 1.0. https://zarr-specs.readthedocs.io
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..base.durable import crc_of

_CHECK = struct.Struct("<I")
"""CRC-32C behind each chunk, and behind the index."""

_MISSING = (1 << 64) - 1
"""Offset and size of a chunk that is not there."""

LARGEST_CHUNK = 256
"""Samples along a side of the chunks in a shard."""

LEVEL = 3
"""Of Zstandard, if chunks are compressed: zarr's own choice would be 0, which means the same."""


def chunk_side(side: int) -> int:
    """Return the side of the chunks in shards of a side: its largest divisor that is not too large."""
    return next(
        divisor for divisor in range(min(side, LARGEST_CHUNK), 0, -1) if side % divisor == 0
    )


def shard_parts(
    values: npt.NDArray[np.float32], side: int, *, is_compressed: bool = False
) -> Iterator[bytes | memoryview]:
    """Yield the parts of a shard; each is gone with the next.

    Parameters
    ----------
    values : ndarray of shape (rows, columns), float32
        At most as large as the shard. Chunks beyond are left out, and missing samples in others are NaN.
    side : int
        Samples along a side of the shard.
    is_compressed : bool
        Whether chunks are compressed with Zstandard.
    """
    chunk = chunk_side(side)
    down, across = (-(-count // chunk) for count in values.shape)
    sizes = np.empty((down, across), np.uint64)
    for row, chunks in enumerate(_divide(values, chunk, across)):
        for column, plain in enumerate(chunks):
            packed = _compress(plain) if is_compressed else plain.data.cast("B")
            sizes[row, column] = len(packed) + _CHECK.size
            yield packed
            yield _CHECK.pack(crc_of(packed))
    ends = np.cumsum(sizes, dtype=np.uint64).reshape(down, across)
    index = np.full((side // chunk, side // chunk, 2), _MISSING, "<u8")
    index[:down, :across, 0] = ends - sizes
    index[:down, :across, 1] = sizes
    table = index.tobytes()
    yield table + _CHECK.pack(crc_of(table))


def _compress(plain: npt.NDArray[np.float32]) -> bytes:
    from numcodecs.zstd import Zstd

    return bytes(Zstd(level=LEVEL).encode(plain))


def _divide(
    values: npt.NDArray[np.float32], chunk: int, across: int
) -> Iterator[npt.NDArray[np.float32]]:
    """Yield rows of chunks, shape (across, chunk, chunk), with NaN where there are no values.

    Each is gone with the next: the same memory, which stays in the cache, is filled again.
    """
    rows, columns = values.shape
    chunks = np.full((across, chunk, chunk), np.nan, "<f4")
    lines = chunks.swapaxes(0, 1)
    whole = columns // chunk
    for row in range(0, rows, chunk):
        part = values[row : row + chunk]
        count = len(part)
        lines[count:] = np.nan
        lines[:count, :whole] = part[:, : whole * chunk].reshape(count, whole, chunk)
        if whole < across:
            lines[:count, whole, : columns - whole * chunk] = part[:, whole * chunk :]
        yield chunks
