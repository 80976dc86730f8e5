# SPDX-License-Identifier: GPL-3.0-or-later
"""TIFF: an image in strips, or in tiles with overviews.

References
----------
Adobe (1992). TIFF, revision 6.0.
Adobe (2002). Adobe Photoshop TIFF technical notes: ZIP compression.
Adobe (2005). Adobe Photoshop TIFF technical note 3: floating point predictor.
Open Geospatial Consortium (2023). OGC Cloud Optimized GeoTIFF standard, 1.0.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.atomic_files import Piece, write_pieces
from .samples import LEVEL, STRIP, Samples, quantize, row_strips
from .tiff_file import LONG, SHORT, Entry, TiffImage, file_parts

TILE = 256
"""Samples along a side of a tile, and of the smallest overview at most: the sides of the chunks of stores."""


def tiff_bytes(image: Samples, bits: int) -> bytes:
    """Return a TIFF file; see `tiff_parts`."""
    file = io.BytesIO()
    write_pieces(file, tiff_parts(image, bits))
    return file.getvalue()


def tiff_parts(image: Samples, bits: int, more: Sequence[Entry] = ()) -> Iterator[Piece]:
    """Yield the parts of a TIFF file: little-endian, one image in strips.

    Parameters
    ----------
    image : Samples of shape (rows, columns, channels), float32
        Row 0 at the top. With 32 bits one channel, stored as floats.
    bits : int
        8 or 16 for whole numbers, 32 for floats.
    more : sequence of Entry
        Entries beside those of the image itself, such as a place on Earth.
    """
    rows, columns, channels = image.shape
    high = max(1, STRIP // (columns * channels))

    def strips() -> Iterator[bytes]:
        for part in row_strips(rows, columns * channels):
            yield _pack(image[part], bits)

    entries = [*_entries(image, bits), (278, LONG, [high]), *more]  # rows in a strip
    plain = rows * columns * channels * bits // 8
    yield from file_parts([TiffImage(entries, (273, 279), -(-rows // high), plain, strips)])


def cloud_tiff_parts(
    levels: Sequence[Samples], bits: int, more: Sequence[Entry]
) -> Iterator[Piece]:
    """Yield the parts of a Cloud Optimized GeoTIFF: an image and its overviews, all in tiles.

    Parameters
    ----------
    levels : sequence of Samples
        The image, and each overview, half as large as the one before.
    bits, more
        See `tiff_parts`.
    """
    whole, *overviews = levels
    reduced: list[Entry] = [(254, LONG, [1])]
    yield from file_parts(
        [
            _tiled_image(whole, bits, more),
            *(_tiled_image(overview, bits, reduced) for overview in overviews),
        ]
    )


def _tiled_image(image: Samples, bits: int, more: Sequence[Entry]) -> TiffImage:
    rows, columns, channels = image.shape
    across = -(-columns // TILE)

    def tiles() -> Iterator[bytes]:
        for start in range(0, rows, TILE):
            band = image[start : min(start + TILE, rows)]
            for first in range(0, columns, TILE):
                blocks.checkpoint()
                part = band[:, first : first + TILE]
                missing = [(0, TILE - side) for side in part.shape[:2]]
                yield _pack(np.pad(part, (*missing, (0, 0)), mode="edge"), bits)

    count = -(-rows // TILE) * across
    entries = [*_entries(image, bits), (322, SHORT, [TILE]), (323, SHORT, [TILE]), *more]
    plain = count * TILE * TILE * channels * bits // 8
    return TiffImage(entries, (324, 325), count, plain, tiles)


def _entries(image: Samples, bits: int) -> list[Entry]:
    """Return the entries of an image that do not depend on its blocks."""
    rows, columns, channels = image.shape
    return [
        (256, LONG, [columns]),
        (257, LONG, [rows]),
        (258, SHORT, [bits] * channels),
        (259, SHORT, [8]),  # compression: deflate
        (262, SHORT, [1 if channels == 1 else 2]),  # black is zero, or RGB
        (277, SHORT, [channels]),
        (284, SHORT, [1]),  # channels side by side
        (317, SHORT, [3 if bits == 32 else 2]),  # the predictor
        (339, SHORT, [3 if bits == 32 else 1] * channels),  # floats, or unsigned whole numbers
    ]


def _pack(image: npt.NDArray[Any], bits: int) -> bytes:
    """Return a compressed block."""
    return zlib.compress(_predict_floats(image) if bits == 32 else _predict(image, bits), LEVEL)


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
