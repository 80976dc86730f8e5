# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of TIFF and BigTIFF as `image_writing` stores them, a few rows at a time.

References
----------
Adobe (1992). TIFF, revision 6.0; Photoshop TIFF technical notes.
LibTIFF (2007). The BigTIFF file format.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...rasters.halving import halve
from ..image_writing.samples import row_strips

_FORMS = {1: "B", 2: "B", 3: "H", 4: "I", 12: "d", 16: "Q"}
"""Of the values of TIFF's types, as `struct` has them."""

_Tags = dict[int, tuple[Any, ...]]
"""Values of a directory by their tags."""

_Shape = tuple[int, int, int]


def read_tiff(file: BinaryIO, shape: _Shape, number: str) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of a little-endian file of deflated strips with a predictor; see `read_png`."""
    _, columns, _ = shape
    (tags,) = _directories(file)
    _check_image(tags, shape, number)
    done = 0
    for place, size in zip(tags[273], tags[279]):
        blocks.checkpoint()
        numbers = _read_block(file, place, size, (-1, columns, shape[2]), number)
        done += len(numbers)
        yield numbers
    if done != shape[0]:
        raise ValueError(f"it holds {done} rows")


def read_cloud_tiff(file: BinaryIO, shape: _Shape, number: str) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of a file of floats in deflated tiles; see `read_png`.

    Raises
    ------
    ValueError
        Also if an overview is not that of the image before, or lies behind it.
    """
    levels = []
    for tags in _directories(file):
        _check_image(tags, shape, number)
        levels.append(_TiledImage(file, tags, shape, number))
        if tags.get(254, (0,)) != (int(len(levels) > 1),):
            raise ValueError("directories that are no overviews")
        shape = (-(-shape[0] // 2), -(-shape[1] // 2), shape[2])
    rows, columns, channels = levels[0].shape
    for part in row_strips(rows, columns * channels):
        yield levels[0].read(part)
    for fine, coarse in zip(levels, levels[1:]):
        _check_overview(fine, coarse)


class _TiledImage:
    """An image of a file in tiles; those of the rows read last are kept."""

    def __init__(self, file: BinaryIO, tags: _Tags, shape: _Shape, number: str) -> None:
        self._file, self._tags, self.shape, self._number = file, tags, shape, number
        self._side: int = tags[322][0]
        if tags[323][0] != self._side or len(tags[324]) != self._across * -(
            -shape[0] // self._side
        ):
            raise ValueError("tiles of other shapes or numbers")
        self._held: dict[int, npt.NDArray[Any]] = {}

    @property
    def first_place(self) -> int:
        """Where its first tile lies in the file."""
        return int(min(self._tags[324]))

    @property
    def _across(self) -> int:
        return -(-self.shape[1] // self._side)

    def read(self, rows: slice) -> npt.NDArray[Any]:
        """Return some rows."""
        first, last = rows.start // self._side, -(-rows.stop // self._side)
        self._held = {place: self._held.get(place, _NOTHING) for place in range(first, last)}
        for place, band in self._held.items():
            self._held[place] = self._read_band(place) if band is _NOTHING else band
        whole = np.concatenate(list(self._held.values())) if last - first > 1 else self._held[first]
        return whole[rows.start - first * self._side : rows.stop - first * self._side]

    def _read_band(self, number: int) -> npt.NDArray[Any]:
        """Return the rows of a row of tiles."""
        rows, columns, channels = self.shape
        side = self._side
        high = min(side, rows - number * side)
        band = np.empty((high, columns, channels), self._number)
        for across in range(self._across):
            blocks.checkpoint()
            tile = number * self._across + across
            place, size = self._tags[324][tile], self._tags[325][tile]
            numbers = _read_block(self._file, place, size, (side, side, channels), self._number)
            part = band[:, across * side : (across + 1) * side]
            part[...] = numbers[:high, : part.shape[1]]
        return band


_NOTHING: npt.NDArray[Any] = np.empty(0)


def _check_overview(fine: _TiledImage, coarse: _TiledImage) -> None:
    """Raise a ValueError if an image is not made of the means of 2 x 2 samples of another one."""
    if coarse.first_place > fine.first_place:
        raise ValueError("an overview behind its image")
    rows, most = coarse.shape[0], fine.shape[0]
    for part in row_strips(rows, 4 * coarse.shape[1]):
        # Pairs are counted from the south, which is the end of the file.
        low, high = most - min(2 * (rows - part.start), most), most - 2 * (rows - part.stop)
        below = fine.read(slice(low, high))[::-1, :, 0]
        if not np.array_equal(halve(below.astype("=f4"))[::-1], coarse.read(part)[..., 0]):
            raise ValueError("an overview of something else")


def _check_image(tags: _Tags, shape: _Shape, number: str) -> None:
    own, bits = (tags[257][0], tags[256][0], tags[277][0]), 8 * int(number[2:])
    if own != shape or set(tags[258]) != {bits} or tags[259] != (8,):
        raise ValueError(f"it holds {tags[258]} bits of shape {own}")
    is_float = number[1] == "f"
    if set(tags[339]) != {3 if is_float else 1} or tags[317] != (3 if is_float else 2,):
        raise ValueError("numbers of another kind")


def _read_block(
    file: BinaryIO, place: int, size: int, shape: tuple[int, int, int], number: str
) -> npt.NDArray[Any]:
    """Return the numbers of a strip or tile; of a strip as many rows as there are."""
    file.seek(place)
    plain = zlib.decompress(file.read(size))
    _, columns, channels = shape
    if number[1] == "f":
        apart = np.frombuffer(plain, np.uint8).reshape(-1, columns * channels * 4)
        whole = np.cumsum(apart, axis=1, dtype=np.uint8).reshape(len(apart), 4, -1)
        return np.ascontiguousarray(np.moveaxis(whole, 1, 2)).view(">f4").reshape(shape)
    steps = np.frombuffer(plain, number).reshape(shape)
    return np.cumsum(steps, axis=1, dtype=number)


def _directories(file: BinaryIO) -> list[_Tags]:
    """Return the directories of a TIFF or BigTIFF file."""
    mark, version = struct.unpack("<2sH", file.read(4))
    if mark != b"II" or version not in (42, 43):
        raise ValueError("it does not begin as a TIFF image does")
    is_big = version == 43
    if is_big and struct.unpack("<2H", file.read(4)) != (8, 0):
        raise ValueError("places of other sizes than 8 bytes")
    (place,) = _unpack(file, "<Q" if is_big else "<I")
    found = []
    while place:
        file.seek(place)
        (count,) = _unpack(file, "<Q" if is_big else "<H")
        entry = "<HHQ8s" if is_big else "<HHI4s"
        directory = file.read(struct.calcsize(entry) * count)
        (place,) = _unpack(file, "<Q" if is_big else "<I")
        found.append(
            {
                tag: values
                for tag, *one in struct.iter_unpack(entry, directory)
                if (values := _values(file, *one))
            }
        )
    return found


def _values(file: BinaryIO, kind: int, many: int, value: bytes) -> tuple[Any, ...]:
    form = f"<{many}{_FORMS[kind]}"
    if struct.calcsize(form) > len(value):
        file.seek(struct.unpack("<Q" if len(value) == 8 else "<I", value)[0])
        value = file.read(struct.calcsize(form))
    return struct.unpack_from(form, value)


def _unpack(file: BinaryIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))
