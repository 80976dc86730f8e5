# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays packed without loss, and files that hold some of them by name.

Values are counted by their order, so that near ones have near numbers; differences along all axes are
divided into planes of bytes, of which those of the highest ones deflate well.

::

    magic, bytes of the contents
    contents as JSON: facts, and for each name a window and its arrays
    the arrays, deflated, one after the other
    seal: see `sealed`

References
----------
L. Ibarria, P. Lindstrom, J. Rossignac, A. Szymczak (2003). Out-of-core compression and decompression of large
n-dimensional scalar fields. Computer Graphics Forum 22.
P. Deutsch (1996). DEFLATE compressed data format specification, RFC 1951.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base import durable, sealed
from ..base.durable import Checksum
from ..base.errors import DamageError
from ..base.tiling import Window

Values = npt.NDArray[Any]

_MAGIC = b"TERRANE EDGES 1\n"
_HEAD = struct.Struct("<Q")

_TYPES = ("float32", "float64", "int32", "int64", "uint8")
"""That arrays may have; whole numbers of 64 bits are indices."""

_LEVEL = 1
"""Of zlib: 6 takes more than twice as long, and saves a fiftieth."""


@dataclasses.dataclass(frozen=True)
class Packed:
    """An array, packed.

    Attributes
    ----------
    dtype : str
    shape : tuple of int
    data : bytes
    """

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    @classmethod
    def of(cls, values: Values) -> Packed:
        """Return an array packed; a ValueError if its type is none of `_TYPES`."""
        name = values.dtype.name
        if name not in _TYPES:
            raise ValueError(f"arrays must be of {', '.join(_TYPES)}; got {name}")
        bits = _to_ordered_bits(np.ascontiguousarray(values))
        for axis in range(bits.ndim):
            bits = np.diff(bits, axis=axis, prepend=bits.dtype.type(0))
        # Small differences of both signs become small numbers.
        half = bits.dtype.type(8 * bits.itemsize - 1)
        bits = (bits << bits.dtype.type(1)) ^ (np.zeros_like(bits) - (bits >> half))
        planes = bits.astype(bits.dtype.newbyteorder("<")).reshape(-1).view(np.uint8)
        planes = planes.reshape(-1, values.itemsize).T
        return cls(name, values.shape, zlib.compress(planes.tobytes(), _LEVEL))

    def unpack(self) -> Values:
        """Return the array, which may be written to; a ValueError if the data is none."""
        kind = np.dtype(self.dtype)
        count = int(np.prod(self.shape, dtype=np.int64))
        plain = _inflate(self.data, count * kind.itemsize)
        planes = np.frombuffer(plain, np.uint8).reshape(kind.itemsize, count)
        bits = np.ascontiguousarray(planes.T).view(f"<u{kind.itemsize}").reshape(self.shape)
        bits = bits.astype(f"u{kind.itemsize}")
        unit = bits.dtype.type(1)
        bits = (bits >> unit) ^ (np.zeros_like(bits) - (bits & unit))
        for axis in reversed(range(bits.ndim)):
            bits = np.cumsum(bits, axis=axis, dtype=bits.dtype)
        values = _from_ordered_bits(bits, kind)
        return values.astype(np.intp, copy=False) if self.dtype == "int64" else values


@dataclasses.dataclass(frozen=True)
class Entry:
    """Arrays, and the window that they were cut from, if they were.

    Attributes
    ----------
    arrays : tuple of Packed
    window : Window or None
    """

    arrays: tuple[Packed, ...]
    window: Window | None = None

    @classmethod
    def of(cls, arrays: Sequence[Values], window: Window | None = None) -> Entry:
        """Return arrays packed."""
        return cls(tuple(Packed.of(array) for array in arrays), window)


@dataclasses.dataclass(frozen=True)
class EdgeFile:
    """Entries of a file of edges.

    Attributes
    ----------
    entries : mapping of str to Entry
    facts : object
        That JSON can say.
    """

    entries: Mapping[str, Entry] = dataclasses.field(default_factory=dict)
    facts: Any = None

    def write(self, path: Path, name: str, *, is_flushed: bool = False) -> Checksum:
        """Write a file, whole or not at all; its folder is made.

        Parameters
        ----------
        path : Path
        name : str
            Of the file among all edges: under another name it counts as damaged.
        is_flushed : bool
            Whether the file is flushed to the disk at once.

        Raises
        ------
        WorldError, TerraneError
            If it cannot be written, as on a full disk.
        """
        contents = {
            "facts": self.facts,
            "entries": {name: _describe(entry) for name, entry in self.entries.items()},
        }
        text = json.dumps(contents, separators=(",", ":")).encode()
        arrays = [array.data for entry in self.entries.values() for array in entry.arrays]
        durable.make_folder(path.parent, is_flushed=is_flushed)
        parts = (_MAGIC, _HEAD.pack(len(text)), text, *arrays)
        return sealed.write(path, parts, name, is_flushed=is_flushed)

    @classmethod
    def read(cls, path: Path, name: str) -> EdgeFile:
        """Return the entries of a file of a name; arrays stay packed.

        Raises
        ------
        DamageError
            If it is not there, or damaged.
        WorldError
            If it cannot be read.
        """
        content = sealed.read(path, name)
        try:
            begin = len(_MAGIC) + _HEAD.size
            (size,) = _HEAD.unpack(content[len(_MAGIC) : begin])
            if content[: len(_MAGIC)] != _MAGIC:
                raise ValueError("it begins with other bytes")
            contents = json.loads(content[begin : begin + size])
            entries, at = {}, begin + size
            for key, described in contents["entries"].items():
                entries[key], at = _take(described, content, at)
            return cls(entries, contents["facts"])
        except (ValueError, KeyError, TypeError, struct.error, RecursionError) as error:
            raise DamageError("{}: is damaged: {}", path, error) from error


def _describe(entry: Entry) -> list[Any]:
    window = None if entry.window is None else dataclasses.astuple(entry.window)
    return [window, *([array.dtype, array.shape, len(array.data)] for array in entry.arrays)]


def _take(described: list[Any], content: bytes, at: int) -> tuple[Entry, int]:
    """Return an entry whose arrays begin at a place of a file, and where they end."""
    window, *arrays = described
    packed = []
    for dtype, shape, size in arrays:
        if dtype not in _TYPES or min((size, *shape), default=0) < 0:
            raise ValueError(f"an array of {dtype} x {shape}")
        packed.append(Packed(dtype, tuple(map(int, shape)), content[at : at + int(size)]))
        at += int(size)
    return Entry(tuple(packed), None if window is None else Window(*map(int, window))), at


def _inflate(data: bytes, size: int) -> bytes:
    """Return the bytes of deflated data, which are so many; never more are taken."""
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(data, size + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if len(plain) != size:
        raise ValueError(f"an array of {len(plain)} bytes, not {size}")
    return plain


def _to_ordered_bits(values: Values) -> Values:
    """Return whole numbers without sign in the order of the values."""
    bits = values.view(f"u{values.itemsize}")
    if values.dtype.kind != "f":
        return bits
    top = bits.dtype.type(1) << bits.dtype.type(8 * bits.itemsize - 1)
    return np.where(bits & top, ~bits, bits | top)


def _from_ordered_bits(bits: Values, kind: np.dtype[Any]) -> Values:
    """Return the values of numbers; see `_to_ordered_bits`."""
    if kind.kind == "f":
        top = bits.dtype.type(1) << bits.dtype.type(8 * bits.itemsize - 1)
        bits = np.where(bits & top, bits ^ top, ~bits)
    return bits.view(kind)
