# SPDX-License-Identifier: GPL-3.0-or-later
"""Layout of the samples in a TIFF file: strips or tiles, type, compression.

References
----------
Adobe (1992). TIFF, revision 6.0, sections 8, 14 and 15.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from ....base.arrays import check_source_size
from ....base.errors import Message, ParameterError
from .codecs import CODECS, UNREADABLE
from .directory import TiffDirectory

MOST_BLOCK_BYTES = 1 << 28
"""Of a tile, and of a row: 8192 x 8192 float32. A larger strip is read a part at a time."""

_KINDS = {1: "u", 2: "i", 3: "f", 4: "u"}
"""By the tag SampleFormat; 4 is undefined."""

_TYPES = frozenset({"u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"})

_UNKNOWN = np.zeros(0, np.int64)
"""Sizes of strips or tiles that the file may leave out."""

_STRIP_BYTES = 1 << 18
"""Of a strip of a file that is not compressed: it may be cut at any row."""

_MOST_CUT = 1 << 22
"""Strips that are made of larger ones, whose places are held in memory."""


@dataclasses.dataclass(frozen=True)
class TiffLayout:
    """Places and form of the samples.

    Attributes
    ----------
    name : str
        Of the file.
    rows, columns : int
    bands : int
        Samples of each pixel in all.
    channel, channels : int
        Which of the samples that are stored side by side is read, from 0, and how many these are.
    dtype : dtype
        Of a sample, in the file's order of bytes.
    bits : int
        Of a sample as it is stored: 1 for masks whose numbers are bits, else those of `dtype`.
    compression, predictor : int
        Values of the tags.
    block_rows, block_columns : int
        Of a strip, which is as wide as the image, or a tile.
    is_tiled : bool
    offsets, sizes : ndarray of shape (blocks,), int64
        Bytes. A block of size 0 is left out: see `TiffSource`.
    notes : tuple of Message
    """

    name: str
    rows: int
    columns: int
    bands: int
    channel: int
    channels: int
    dtype: np.dtype[Any]
    bits: int
    compression: int
    predictor: int
    block_rows: int
    block_columns: int
    is_tiled: bool
    offsets: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    notes: tuple[Message, ...]

    @property
    def row_bytes(self) -> int:
        """Bytes in a row of a block."""
        return -(-self.block_columns * self.channels * self.bits // 8)

    @property
    def blocks_across(self) -> int:
        """Blocks side by side."""
        return -(-self.columns // self.block_columns)


def read_layout(tags: TiffDirectory, band: int = 0, *, is_mask: bool = False) -> TiffLayout:
    """Return the layout that the tags describe.

    Parameters
    ----------
    tags : TiffDirectory
    band : int
        Which of the samples of a pixel is read, from 0.
    is_mask : bool
        Whether samples may be single bits.

    Raises
    ------
    ParameterError
        If it is damaged or cannot be read; the message says which value is in the way.
    """
    name = tags.file.name
    columns, rows = tags.integer(256, 0), tags.integer(257, 0)
    check_source_size(name, rows, columns)
    samples = tags.integer(277, 1)
    if not 1 <= samples <= 0xFFFF:
        raise ParameterError("{} is damaged: it has {} samples per pixel", name, samples)
    dtype, bits = _sample_type(tags, samples, is_mask=is_mask)
    compression, predictor = _coding(tags, dtype)
    is_tiled = bool(len(tags.numbers(322, 1)))
    is_planar = tags.integer(284, 1) == 2 and samples > 1  # channel after channel
    channels = 1 if is_planar else samples
    block_rows, block_columns = _block_size(tags, is_tiled, rows, columns, channels * bits)
    notes = [_coding_note(compression, predictor, is_tiled, block_rows, block_columns)]
    if samples > 1:
        notes.append(Message("The first of {} samples per pixel is read", samples))
    count = -(-rows // block_rows) * -(-columns // block_columns)
    first = band * count if is_planar else 0
    offsets, sizes = _block_places(tags, is_tiled, first, count)
    layout = TiffLayout(
        *(name, rows, columns, samples, 0 if is_planar else band, channels, dtype, bits),
        *(compression, predictor, block_rows, block_columns, is_tiled, offsets, sizes),
        tuple(notes),
    )
    if sizes is _UNKNOWN:  # what is not compressed is as long as its samples are
        sizes = np.full(count, block_rows * layout.row_bytes, np.int64)
        layout = dataclasses.replace(layout, sizes=sizes)
    return _cut_strips(layout) if compression == 1 and not is_tiled else layout


def _block_places(
    tags: TiffDirectory, is_tiled: bool, first: int, count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return offsets and sizes of strips or tiles; `_UNKNOWN` for sizes that the file may leave out."""
    offsets = _places(tags, 324 if is_tiled else 273, first, count)
    tag = 325 if is_tiled else 279
    if not tags.length(tag) and tags.integer(259, 1) == 1:
        return offsets, _UNKNOWN
    return offsets, _places(tags, tag, first, count)


def _block_size(
    tags: TiffDirectory, is_tiled: bool, rows: int, columns: int, pixel_bits: int
) -> tuple[int, int]:
    """Return rows and columns of a strip or tile."""
    name = tags.file.name
    if is_tiled:
        block_columns, block_rows = tags.integer(322, 0), tags.integer(323, 0)
    else:
        block_columns, block_rows = columns, min(tags.integer(278, rows), rows)
    if block_rows < 1 or block_columns < 1:
        raise ParameterError("{} is damaged: it has strips or tiles without samples", name)
    together = block_rows if is_tiled else 1
    if together * block_columns * pixel_bits > 8 * MOST_BLOCK_BYTES:
        raise ParameterError(
            "{}: a row or tile must have at most {} bytes",
            name,
            MOST_BLOCK_BYTES,
            got=Message("{} x {} samples of {}", together, block_columns, -(-pixel_bits // 8)),
        )
    return block_rows, block_columns


def _sample_type(tags: TiffDirectory, samples: int, *, is_mask: bool) -> tuple[np.dtype[Any], int]:
    """Return the type of the samples, and their bits as they are stored."""
    bits, kinds = tags.numbers(258, samples), tags.numbers(339, samples)
    bit = int(bits[0]) if len(bits) else 1
    kind = int(kinds[0]) if len(kinds) else 1
    is_mixed = len(set(bits.tolist())) > 1
    if is_mask and bit == 1 and not is_mixed:
        return np.dtype("u1"), 1
    code = f"{_KINDS.get(kind, '?')}{bit // 8}"
    if is_mixed or bit % 8 or code not in _TYPES:
        raise ParameterError(
            "{}: samples of {} bits and format {} cannot be read; "
            "integers of 8 to 64 bits (1, 2) and floats of 16 to 64 (3) can",
            *(tags.file.name, "/".join(map(str, bits[:4].tolist())) or "1", kind),
        )
    return np.dtype(tags.order + code), bit


def _coding(tags: TiffDirectory, dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the compression and the predictor."""
    name, compression = tags.file.name, tags.integer(259, 1)
    if compression not in CODECS:
        raise ParameterError(
            "{}: compression {} ({}) cannot be read; none, deflate, LZW or PackBits can",
            *(name, UNREADABLE.get(compression, "unknown"), compression),
        )
    if tags.integer(266, 1) != 1:
        raise ParameterError("{}: reversed bits (FillOrder 2) cannot be read", name)
    predictor = tags.integer(317, 1) if compression in (5, 8, 32946) else 1
    if predictor not in (1, 2, 3) or (predictor == 3 and dtype.kind != "f"):
        raise ParameterError(
            "{}: predictor {} cannot be read; 1, 2 and, for floats, 3 can", name, predictor
        )
    return compression, predictor


def _coding_note(
    compression: int, predictor: int, is_tiled: bool, rows: int, columns: int
) -> Message:
    if is_tiled:
        return Message(
            "Compression {}, predictor {}, tiles of {} x {}",
            *(CODECS[compression].label, predictor, columns, rows),
        )
    return Message(
        "Compression {}, predictor {}, strips of {} rows",
        *(CODECS[compression].label, predictor, rows),
    )


def _places(tags: TiffDirectory, tag: int, first: int, count: int) -> npt.NDArray[np.int64]:
    """Return values of a tag, from one on and so many."""
    values = tags.numbers(tag, first + count)
    if len(values) < first + count or values.dtype.kind == "f":
        raise ParameterError(
            "{} is damaged: tag {} must have {} values",
            tags.file.name,
            tag,
            first + count,
            got=len(values),
        )
    # A place beyond any file stays one.
    return np.minimum(values[first:].astype(np.uint64), np.uint64(1 << 62)).astype(np.int64)


def _cut_strips(layout: TiffLayout) -> TiffLayout:
    """Return the layout with strips of few rows: strips without compression may be cut anywhere."""
    rows = max(1, _STRIP_BYTES // layout.row_bytes)
    if rows >= layout.block_rows:
        return layout
    # Strips begin anew with each of the file's strips, so cut those at a whole number of rows.
    rows = _divisor(layout.block_rows, rows) if layout.block_rows < layout.rows else rows
    if layout.rows // rows > _MOST_CUT:
        return layout
    starts = np.arange(0, layout.rows, rows, dtype=np.int64)
    strip, row = starts // layout.block_rows, starts % layout.block_rows
    counts = np.minimum(rows, layout.rows - starts) * layout.row_bytes
    is_there = (layout.sizes > 0) & (layout.offsets > 0)
    offsets = np.where(is_there[strip], layout.offsets[strip] + row * layout.row_bytes, 0)
    remaining = layout.sizes[strip] - row * layout.row_bytes
    sizes = np.where(is_there[strip], np.clip(remaining, 1, counts), 0)
    return dataclasses.replace(layout, block_rows=rows, offsets=offsets, sizes=sizes)


def _divisor(number: int, most: int) -> int:
    """Return the largest divisor of a number that is at most `most`."""
    return next(divisor for divisor in range(most, 0, -1) if number % divisor == 0)
