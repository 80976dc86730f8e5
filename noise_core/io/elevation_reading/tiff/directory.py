# SPDX-License-Identifier: GPL-3.0-or-later
"""Directories of a TIFF or BigTIFF file: their tags, and the values of these.

References
----------
Adobe (1992). TIFF, revision 6.0.
LibTIFF (2007). The BigTIFF file format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....base.errors import ParameterError
from ..source import InputFile

_TYPES = {
    **{1: "u1", 2: "u1", 3: "u2", 4: "u4", 6: "i1", 7: "u1", 8: "i2", 9: "i4"},
    **{11: "f4", 12: "f8", 13: "u4", 16: "u8", 17: "i8", 18: "u8"},
}
"""NumPy's types of values; rational numbers (5, 10) stand in no tag that is needed."""

_MOST_TAGS = 4096
"""In a directory: others have some twenty."""

_MOST_DIRECTORIES = 1 << 12
"""In a file: pages, masks and overviews."""

_SUB_DIRECTORIES = 330


class _Tag(NamedTuple):
    kind: str
    length: int
    place: int


class TiffDirectory:
    """Tags of an image in a file.

    Parameters
    ----------
    file : InputFile
    place : int, optional
        Where the directory lies; by default the first one of the file.

    Attributes
    ----------
    file : InputFile
    order : str
        That of the bytes: "<" or ">".
    is_big : bool
        Whether the file is a BigTIFF.
    next_place : int
        Where the next directory lies; 0 after the last one.

    Raises
    ------
    ParameterError
        If it is not a TIFF file, or is damaged.
    """

    def __init__(self, file: InputFile, place: int = 0) -> None:
        self.file = file
        self.order = "<" if file.head[:2].upper() == b"II" else ">"
        (version,) = self._unpack("H", 2)
        if version not in (42, 43):
            raise ParameterError("{} must be TIFF (42) or BigTIFF (43)", file.name, got=version)
        self.is_big = version == 43
        self._word, self._inline = ("Q", 8) if self.is_big else ("I", 4)
        start = place or self._unpack(self._word, self._inline)[0]
        (count,) = self._unpack("Q" if self.is_big else "H", start)
        if count > _MOST_TAGS:
            raise ParameterError(
                "{}: a directory must have at most {} tags", file.name, _MOST_TAGS, got=count
            )
        self._entries: dict[int, _Tag] = {}
        layout = "HHQ" if self.is_big else "HHI"
        size = struct.calcsize("=" + layout)
        first = start + (8 if self.is_big else 2)
        end = first + count * (size + self._inline)
        for at in range(first, end, size + self._inline):
            tag, kind, values = self._unpack(layout, at)
            if kind in _TYPES:
                self._entries.setdefault(tag, self._entry(_TYPES[kind], values, at + size))
        # Some writers end the file here.
        is_last = len(file.take(end, self._inline)) < self._inline
        self.next_place: int = 0 if is_last else self._unpack(self._word, end)[0]

    def others(self) -> Iterator[TiffDirectory]:
        """Yield the further directories of the file, if this is its first one.

        Those that it names as parts of itself come first, then those that follow it.

        Raises
        ------
        ParameterError
            If one is damaged, or they go round in a circle.
        """
        for place in self.numbers(_SUB_DIRECTORIES, _MOST_DIRECTORIES).tolist():
            yield TiffDirectory(self.file, int(place))
        seen: set[int] = set()
        place = self.next_place
        while place:
            if place in seen or len(seen) > _MOST_DIRECTORIES:
                raise ParameterError("{} is damaged: its directories do not end", self.file.name)
            seen.add(place)
            tags = TiffDirectory(self.file, place)
            yield tags
            place = tags.next_place

    def _entry(self, kind: str, count: int, at: int) -> _Tag:
        if count * int(kind[1]) > self._inline:
            (at,) = self._unpack(self._word, at)
        return _Tag(self.order + kind, count, at)

    def _unpack(self, layout: str, at: int) -> tuple[Any, ...]:
        data = self.file.take(at, struct.calcsize("=" + layout))
        try:
            return struct.unpack(self.order + layout, data)
        except struct.error:
            raise ParameterError(
                "{} is damaged: its directory ends early", self.file.name
            ) from None

    def numbers(self, tag: int, most: int) -> npt.NDArray[Any]:
        """Return the values of a tag, at most so many; none if it is missing.

        Raises
        ------
        ParameterError
            If they lie beyond the end of the file.
        """
        entry = self._entries.get(tag)
        if entry is None:
            return np.zeros(0, np.uint16)
        kind = np.dtype(entry.kind)
        count = min(entry.length, most)
        data = self.file.take(entry.place, count * kind.itemsize)
        if len(data) < count * kind.itemsize:
            raise ParameterError(
                "{} is damaged: the values of tag {} lie beyond its end", self.file.name, tag
            )
        return np.frombuffer(data, kind).astype(kind.newbyteorder("="))

    def length(self, tag: int) -> int:
        """Return how many values a tag has; 0 if it is missing."""
        entry = self._entries.get(tag)
        return 0 if entry is None else entry.length

    def integer(self, tag: int, default: int) -> int:
        """Return the first value of a tag as a whole number; the default if it is missing."""
        values = self.numbers(tag, 1)
        if not len(values) or values.dtype.kind == "f":
            return default
        return int(values[0])

    def doubles(self, tag: int, most: int) -> tuple[float, ...]:
        """Return the values of a tag as floats; none if it is missing or one is not finite."""
        values = self.numbers(tag, most).astype(np.float64)
        return tuple(values.tolist()) if np.isfinite(values).all() else ()

    def text(self, tag: int, most: int) -> str:
        """Return a text, at most so many bytes of it; empty if it is missing."""
        values = self.numbers(tag, most)
        if values.dtype.itemsize != 1:
            return ""
        return values.tobytes().partition(b"\0")[0].decode("utf-8", "replace").strip()
