# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats of heightmaps, each with a writer and a reader of its files.

The readers go over a finished file a few rows at a time, and take nothing from the writers but the
format: their results are compared with the heights.

References
----------
NumPy. A simple file format for NumPy arrays (NEP 1).
Google DeepMind. MuJoCo documentation, XML reference: asset/hfield.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...base.atomic_files import Piece
from ...codecs.image_writing.exr import exr_parts
from ...codecs.image_writing.png import png_parts
from ...codecs.image_writing.samples import row_strips
from ...codecs.image_writing.tiff import TILE, cloud_tiff_parts, tiff_parts
from ...codecs.image_writing.tiff_file import Entry
from . import image_readers, mesh_text
from .stored_field import StoredField

Numbers = npt.NDArray[Any]
"""Shape (rows, columns, channels), in the order of the file."""

Shape = tuple[int, int, int]
"""Rows, columns and channels that a file has to have."""


@dataclass(frozen=True)
class Codec:
    """A format.

    Attributes
    ----------
    write : callable
        Yields the content of a file, given a field and the details beside it; see `Target.details`.
    read : callable
        Yields the numbers of some rows after the other, given an open file, the shape it has to have,
        and the type of its numbers. Raises a ValueError, or an error of `struct` or `zlib`, if it is
        no such file.
    """

    write: Callable[[StoredField, Any], Iterator[Piece]]
    read: Callable[[BinaryIO, Shape, str], Iterator[Numbers]]


def _write_raw(field: StoredField, more: object) -> Iterator[bytes]:
    rows, columns, channels = field.shape
    for part in row_strips(rows, columns * channels):
        yield field[part].astype(field.encoding.number).tobytes()


def _read_raw(file: BinaryIO, shape: Shape, number: str) -> Iterator[Numbers]:
    rows, columns, channels = shape
    for part in row_strips(rows, columns * channels):
        count = (part.stop - part.start) * columns * channels
        numbers = np.frombuffer(file.read(count * np.dtype(number).itemsize), number)
        yield numbers.reshape(-1, columns, channels)
    if file.read(1):
        raise ValueError("it goes on after the last sample")


def _write_npy(field: StoredField, more: object) -> Iterator[bytes]:
    header = io.BytesIO()
    rows, columns, _ = field.shape
    entries = {"descr": field.encoding.number, "fortran_order": False, "shape": (rows, columns)}
    np.lib.format.write_array_header_1_0(header, entries)
    yield header.getvalue()
    yield from _write_raw(field, more)


def _read_npy(file: BinaryIO, shape: Shape, number: str) -> Iterator[Numbers]:
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("version")
    shape_in_file, is_turned, kind = np.lib.format.read_array_header_1_0(file)
    if shape_in_file != shape[:2] or is_turned or kind != np.dtype(number):
        raise ValueError(f"it holds {kind} of shape {shape_in_file}")
    yield from _read_raw(file, shape, number)


def _write_hfield(field: StoredField, more: object) -> Iterator[bytes]:
    rows, columns, _ = field.shape
    yield struct.pack("<ii", rows, columns)
    yield from _write_raw(field, more)


def _read_hfield(file: BinaryIO, shape: Shape, number: str) -> Iterator[Numbers]:
    shape_in_file = struct.unpack("<ii", file.read(8))
    if shape_in_file != shape[:2]:
        raise ValueError(f"it says that its shape is {shape_in_file}")
    yield from _read_raw(file, shape, number)


def _write_png(field: StoredField, more: object) -> Iterator[bytes]:
    # Maps of 8 bits beside the heights are a tenth larger without a search for repetition, in half the time.
    bits = 8 * int(field.encoding.number[2:])
    return png_parts(field, bits, is_color=False, is_compressed=bits > 8)


def _write_exr(field: StoredField, more: object) -> Iterator[bytes]:
    # Noise of 32 bits hardly gets smaller.
    return exr_parts(field, 32, is_compressed=False)


def _write_tiff(field: StoredField, more: Sequence[Entry]) -> Iterator[Piece]:
    return tiff_parts(field, 8 * int(field.encoding.number[2:]), more)


def _write_cloud_tiff(field: StoredField, more: Sequence[Entry]) -> Iterator[Piece]:
    levels = [field]
    while max(levels[-1].shape[:2]) > TILE:
        levels.append(levels[-1].halve())
    return cloud_tiff_parts(levels, 8 * int(field.encoding.number[2:]), more)


CODECS: Mapping[str, Codec] = {
    "raw": Codec(_write_raw, _read_raw),
    "npy": Codec(_write_npy, _read_npy),
    "hfield": Codec(_write_hfield, _read_hfield),
    "png": Codec(_write_png, image_readers.read_png),
    "exr": Codec(_write_exr, image_readers.read_exr),
    "tiff": Codec(_write_tiff, image_readers.read_tiff),
    "cloud_tiff": Codec(_write_cloud_tiff, image_readers.read_cloud_tiff),
    "usda": Codec(mesh_text.write_mesh, mesh_text.read_mesh),
}
