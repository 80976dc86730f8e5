# SPDX-License-Identifier: GPL-3.0-or-later
"""First directory of a TIFF or BigTIFF file: its tags and their values.

References
----------
Adobe (1992). TIFF, revision 6.0.
LibTIFF (2007). The BigTIFF file format.
"""

from __future__ import annotations

import struct
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


class _Tag(NamedTuple):
    kind: str
    length: int
    place: int


class TiffDirectory:
    """Tags of the first image in a file.

    Parameters
    ----------
    file : InputFile

    Raises
    ------
    ParameterError
        If it is not a TIFF file, or is damaged.
    """

    def __init__(self, file: InputFile) -> None:
        self.file = file
        self.order = "<" if file.head[:2].upper() == b"II" else ">"
        (version,) = self._unpack("H", 2)
        if version not in (42, 43):
            raise ParameterError("{} must be TIFF (42) or BigTIFF (43); got {}", file.name, version)
        self.is_big = version == 43
        self._inline = 8 if self.is_big else 4
        (start,) = self._unpack("Q" if self.is_big else "I", 8 if self.is_big else 4)
        (count,) = self._unpack("Q" if self.is_big else "H", start)
        if count > _MOST_TAGS:
            raise ParameterError(
                "{}: a directory must have at most {} tags; got {}", file.name, _MOST_TAGS, count
            )
        self._entries: dict[int, _Tag] = {}
        layout = "HHQ" if self.is_big else "HHI"
        size = struct.calcsize("=" + layout)
        first = start + (8 if self.is_big else 2)
        for at in range(first, first + count * (size + self._inline), size + self._inline):
            tag, kind, values = self._unpack(layout, at)
            if kind in _TYPES:
                self._entries.setdefault(tag, self._entry(_TYPES[kind], values, at + size))

    def _entry(self, kind: str, count: int, at: int) -> _Tag:
        if count * int(kind[1]) > self._inline:
            (at,) = self._unpack("Q" if self.is_big else "I", at)
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
        """Return a text of ASCII characters; empty if it is missing."""
        values = self.numbers(tag, most)
        if values.dtype.itemsize != 1:
            return ""
        return values.tobytes().partition(b"\0")[0].decode("ascii", "replace").strip()
