# SPDX-License-Identifier: GPL-3.0-or-later
"""Image reader for PNG files and NumPy arrays, without Blender.

References
----------
W3C (2003). Portable Network Graphics (PNG) specification, second edition.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Union

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.errors import ParameterError

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
"""Channels by color type: gray, RGB, gray with alpha, RGB with alpha."""

_LUMINANCE = (0.2126, 0.7152, 0.0722)
"""Share of red, green and blue in brightness (Rec. 709)."""

Bytes = npt.NDArray[np.uint8]


def read_image(
    path: Union[str, os.PathLike[str]], *, black: float = 0.0, white: float = 1.0
) -> Field:
    """Return a picture's brightness, row 0 at the bottom.

    Parameters
    ----------
    path : str or path
        A PNG image of 8 or 16 bits, gray or RGB, with or without alpha (which is left out); or a
        NumPy array (`.npy`) of shape (rows, columns), row 0 at the smallest y.
    black, white : float
        Values for the darkest and the brightest color that an image can hold. An array's
        values are taken as they are.

    Raises
    ------
    ParameterError
        If the file cannot be read or is something else.
    """
    name = os.path.basename(os.fspath(path))
    try:
        with open(path, "rb") as file:
            if name.lower().endswith(".npy"):
                return _array(_load_array(file, name), name)
            data = file.read()
    except OSError as error:
        raise ParameterError("read_image: {} cannot be read: {}", name, error) from error
    if not data.startswith(_SIGNATURE):
        raise ParameterError(
            "read_image: {} must be a PNG image or a .npy array; got a file that begins with {!r}",
            name,
            data[:4],
        )
    samples, largest = _png(data, name)
    if samples.shape[2] >= 3:
        gray = sum(samples[:, :, at] * share for at, share in enumerate(_LUMINANCE))
    else:
        gray = samples[:, :, 0]
    # Images begin at the top, fields at the smallest y.
    bright = np.asarray(gray)[::-1] * ((white - black) / largest) + black
    return np.ascontiguousarray(bright, np.float32)


def _load_array(file: BinaryIO, name: str) -> npt.NDArray[np.generic]:
    """Return the array in a `.npy` file."""
    from tokenize import TokenError  # here, since it is rarely needed

    try:
        # Not `np.load`, which takes archives of arrays for one of them, and objects for archives.
        array: npt.NDArray[np.generic] = np.lib.format.read_array(file, allow_pickle=False)
    except (ValueError, EOFError, TokenError) as error:
        raise ParameterError("read_image: {} is a damaged .npy array: {}", name, error) from error
    except MemoryError as error:
        raise ParameterError("read_image: {} is too large: {}", name, error) from error
    return array


def _array(array: npt.NDArray[np.generic], name: str) -> Field:
    is_number = np.issubdtype(array.dtype, np.integer) or np.issubdtype(array.dtype, np.floating)
    if array.ndim != 2 or array.size == 0 or not is_number:
        raise ParameterError(
            "read_image: {} must hold numbers of shape (rows, columns); got {} of shape {}",
            name,
            array.dtype,
            array.shape,
        )
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        field = np.ascontiguousarray(array, np.float32)
    if not np.isfinite(field).all():
        raise ParameterError("read_image: {} must hold finite numbers; got nan or inf", name)
    return field


@dataclass(frozen=True)
class _Header:
    """Header of a PNG image."""

    columns: int
    rows: int
    depth: int
    color: int
    interlace: int

    def check(self, name: str) -> _Header:
        """Return the header, or raise a ParameterError if the kind of image is not supported."""
        if self.columns < 1 or self.rows < 1:
            raise ParameterError(
                "read_image: {} must have pixels; got {} x {}", name, self.columns, self.rows
            )
        if self.color not in _CHANNELS or self.depth not in (8, 16):
            raise ParameterError(
                "read_image: {} must be gray or RGB of 8 or 16 bits; got color type {} of {} bits",
                name,
                self.color,
                self.depth,
            )
        if self.interlace:
            raise ParameterError("read_image: {} must not be interlaced", name)
        return self


def _png(data: bytes, name: str) -> tuple[npt.NDArray[np.float64], float]:
    """Return the samples, shape (rows, columns, channels), and the largest possible one."""
    try:
        chunks = list(_chunks(data))
        columns, rows, depth, color, _, _, interlace = struct.unpack(
            ">IIBBBBB", dict(chunks)[b"IHDR"]
        )
        header = _Header(columns, rows, depth, color, interlace).check(name)
        packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
        pixel = _CHANNELS[header.color] * header.depth // 8
        stride = 1 + header.columns * pixel
        # Never decompress more than the image needs, even if the file claims more.
        raw = zlib.decompressobj().decompress(packed, header.rows * stride)
        filtered = np.frombuffer(raw, np.uint8).reshape(header.rows, stride)
    except (struct.error, KeyError, zlib.error, ValueError, OverflowError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError("read_image: {} is a damaged PNG image", name) from error
    if filtered[:, 0].max() > 4:
        raise ParameterError("read_image: {} is a damaged PNG image", name)
    plain = unfilter(filtered[:, 1:].reshape(header.rows, -1, pixel), filtered[:, 0])
    samples = plain.view(">u2") if header.depth == 16 else plain
    return samples.astype(np.float64), float(2**header.depth - 1)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the content of each part of a PNG file."""
    at = len(_SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        (check,) = struct.unpack_from(">I", data, at + 8 + length)
        if check != zlib.crc32(kind + body):
            raise ValueError("checksum")
        yield kind, body
        if kind == b"IEND":
            return
        at += 12 + length


def unfilter(filtered: Bytes, kinds: Bytes, before: Bytes | None = None) -> Bytes:
    """Undo the filters of a PNG image: each byte was stored less what its neighbors predict.

    A byte needs those to the left, above, and above left. All bytes on a line that runs down to
    the left, one pixel per row, can therefore be done at once.

    Parameters
    ----------
    filtered : ndarray of shape (rows, columns, bytes per pixel), uint8
    kinds : ndarray of shape (rows,), uint8
        Each row's filter: 0 none, 1 left, 2 up, 3 average, 4 Paeth.
    before : ndarray of shape (columns, bytes per pixel), uint8, optional
        Row above the first one, already plain; zeros if not given.
    """
    rows, columns, pixel = filtered.shape
    # A border of zeros above and to the left, and the whole as one line of pixels.
    width = columns + 1
    plain = np.zeros(((rows + 1) * width, pixel), np.int16)
    plain.reshape(rows + 1, width, pixel)[1:, 1:] = filtered
    if before is not None:
        plain.reshape(rows + 1, width, pixel)[0, 1:] = before
    for step in range(rows + columns - 1):
        first, last = max(0, step - columns + 1), min(rows - 1, step)
        # From the byte's place in row `first` on, each next row lies this much further.
        stride = width - 1
        start = (first + 1) * width + step - first + 1
        stop = start + (last - first) * stride + 1
        own, left, above, corner = (
            plain[start - back : stop - back : stride] for back in (0, 1, width, width + 1)
        )
        kind = kinds[first : last + 1, np.newaxis]
        own += _predict(kind, left, above, corner)
        own &= 255
    image = plain.reshape(rows + 1, width, pixel)[1:, 1:]
    return np.ascontiguousarray(image.astype(np.uint8))


def _predict(
    kind: Bytes,
    left: npt.NDArray[np.int16],
    above: npt.NDArray[np.int16],
    corner: npt.NDArray[np.int16],
) -> npt.NDArray[np.int16]:
    """Return the prediction of each byte's filter from its neighbors."""
    straight = left + above - corner
    to_left, to_above, to_corner = (np.abs(straight - one) for one in (left, above, corner))
    paeth = np.where(to_above <= to_corner, above, corner)
    paeth = np.where((to_left <= to_above) & (to_left <= to_corner), left, paeth)
    return np.choose(kind, (np.zeros_like(left), left, above, (left + above) >> 1, paeth))
