# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of TIFF and BigTIFF: directories at the beginning, then compressed blocks as they are made.

Where the blocks lie is known once they are written. So the directories are written twice: first empty, and
again over these at the end.

References
----------
Adobe (1992). TIFF, revision 6.0.
LibTIFF (2007). The BigTIFF file format.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Union

import numpy as np
import numpy.typing as npt

from ...base.atomic_files import Piece, Rewrite

ASCII, SHORT, LONG, DOUBLE, LONG8 = 2, 3, 4, 12, 16
"""The types of an entry's values: a text, whole numbers of 16 or 32 bits, floats of 64, and integers of 64."""

_FORMS = {ASCII: "<u1", SHORT: "<u2", LONG: "<u4", DOUBLE: "<f8", LONG8: "<u8"}
"""Of the values of each type, as NumPy has them."""

MAX_FILE_SIZE = 2**32 - 1
"""Bytes that places of 32 bits can reach. A file that may become larger is a BigTIFF."""

Values = Union[Sequence[Union[int, float]], "npt.NDArray[np.uint64]"]

Entry = tuple[int, int, Values]
"""Tag, type, values; those of a text are its bytes, the last one 0."""


@dataclass(frozen=True, eq=False)
class TiffImage:
    """An image of a file, in blocks.

    Attributes
    ----------
    entries : sequence of Entry
        Those of its directory, but for where the blocks lie and how large they are.
    tags : tuple of two ints
        Of these two: 273 and 279 for strips, 324 and 325 for tiles.
    count : int
        How many blocks there are.
    plain_size : int
        Bytes of all blocks before they are compressed.
    blocks : callable
        Yields them, compressed.
    """

    entries: Sequence[Entry]
    tags: tuple[int, int]
    count: int
    plain_size: int
    blocks: Callable[[], Iterator[bytes]]

    @property
    def largest_size(self) -> int:
        """Bytes that its blocks take at most: data that zlib cannot make smaller grows a little."""
        return self.plain_size + self.plain_size // 4000 + 64 * self.count


def file_parts(images: Sequence[TiffImage]) -> Iterator[Piece]:
    """Yield the parts of a little-endian file.

    The blocks of the last image come first, so that programs that read from the beginning have the smallest
    of several overviews at once.

    Parameters
    ----------
    images : sequence of TiffImage
        In the order of their directories: the image itself, and its overviews.
    """
    places = [np.zeros((2, image.count), np.uint64) for image in images]
    front = _front(images, places, is_big=True)
    is_big = len(front) + sum(image.largest_size for image in images) > MAX_FILE_SIZE
    front = front if is_big else _front(images, places, is_big=False)
    yield front
    end = len(front)
    for image, (begins, sizes) in reversed(list(zip(images, places))):
        for number, block in enumerate(image.blocks()):
            begins[number], sizes[number] = end, len(block)
            end += len(block)
            yield block
    yield Rewrite(_front(images, places, is_big))


def _front(
    images: Sequence[TiffImage], places: Sequence[npt.NDArray[np.uint64]], is_big: bool
) -> bytes:
    """Return all that comes before the blocks, which has the same length wherever they lie."""
    front = (
        struct.pack("<2s3HQ", b"II", 43, 8, 0, 16) if is_big else struct.pack("<2sHI", b"II", 42, 8)
    )
    for number, (image, (begins, sizes)) in enumerate(zip(images, places)):
        place_tag, size_tag = image.tags
        entries = [
            *image.entries,
            (place_tag, LONG8 if is_big else LONG, begins),
            (size_tag, LONG, sizes),
        ]
        entries.sort(key=lambda entry: entry[0])  # by rising tag, as the format asks
        front += _directory(entries, len(front), is_big, number == len(images) - 1)
    return front


def _directory(entries: Sequence[Entry], begin: int, is_big: bool, is_last: bool) -> bytes:
    """Return a directory with the values that do not fit in it; the next one begins where it ends."""
    place, head = ("<Q", "<HHQ") if is_big else ("<I", "<HHI")
    room = struct.calcsize(place)
    extra_at = begin + (8 if is_big else 2) + (struct.calcsize(head) + room) * len(entries) + room
    directory, extra = struct.pack("<Q" if is_big else "<H", len(entries)), b""
    for tag, kind, values in entries:
        body = np.asarray(values).astype(_FORMS[kind]).tobytes()
        if len(body) > room:
            where = struct.pack(place, extra_at + len(extra))
            extra += body + b"\0" * (len(body) % 2)
            body = where
        directory += struct.pack(head, tag, kind, len(values)) + body.ljust(room, b"\0")
    following = 0 if is_last else extra_at + len(extra)
    return directory + struct.pack(place, following) + extra
