# SPDX-License-Identifier: GPL-3.0-or-later
"""Image reader for PNG files and NumPy arrays, without Blender."""

from __future__ import annotations

import os
from typing import BinaryIO, Union

import numpy as np
import numpy.typing as npt

from ..base.arrays import Field
from ..base.errors import Message, ParameterError
from ..base.input_files import open_file, path_of, read_file
from . import png_rows

_SIGNATURE = b"\x89PNG\r\n\x1a\n"

_LUMINANCE = (0.2126, 0.7152, 0.0722)
"""Share of red, green and blue in brightness (Rec. 709)."""


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

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core.codecs.image_files import read_image
    >>> from noise_core.codecs.image_writing import image_bytes

    A gray ramp through a PNG of 16 bits, with black as -1 and white as 1:

    >>> ramp = np.linspace(0.0, 1.0, 5, dtype=np.float32).reshape(1, 5)
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "ramp.png"
    ...     _ = path.write_bytes(image_bytes(ramp, "png", 16))
    ...     field = read_image(path, black=-1.0, white=1.0)
    >>> print(field.round(3))
    [[-1.  -0.5  0.   0.5  1. ]]
    """
    name = os.path.basename(path_of(path, "read_image: path"))
    try:
        if name.lower().endswith(".npy"):
            with open_file(path) as file:
                return _array(_load_array(file, name), name)
        data = read_file(path)
    except OSError as error:
        raise ParameterError("read_image: {} cannot be read: {}", name, error.strerror) from error
    if not data.startswith(_SIGNATURE):
        raise ParameterError(
            "read_image: {} must be a PNG image or a .npy array",
            name,
            got=Message("a file that begins with {!r}", data[:4]),
        )
    pixels = _decode_png(f"read_image: {name}", data)
    samples = pixels.astype(np.float64)
    if samples.shape[2] >= 3:
        gray = sum(samples[:, :, at] * share for at, share in enumerate(_LUMINANCE))
    else:
        gray = samples[:, :, 0]
    # Images begin at the top, fields at the smallest y.
    largest = float(np.iinfo(pixels.dtype).max)
    bright = np.asarray(gray)[::-1] * ((white - black) / largest) + black
    return np.ascontiguousarray(bright, np.float32)


def read_pixels(path: Union[str, os.PathLike[str]]) -> npt.NDArray[np.unsignedinteger]:
    """Return the pixels of a PNG image of 8 or 16 bits, as they are stored.

    Parameters
    ----------
    path : str or path
        Of a PNG file.

    Returns
    -------
    ndarray of shape (rows, columns, channels), uint8 or uint16
        Row 0 at the top; gray, gray with alpha, RGB, or RGB with alpha.

    Raises
    ------
    ParameterError
        If the file cannot be read or is something else.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core.codecs.image_files import read_pixels
    >>> from noise_core.codecs.image_writing import image_bytes
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "red.png"
    ...     red = np.array([[[1.0, 0.0, 0.0]]], np.float32)
    ...     _ = path.write_bytes(image_bytes(red, "png", 8))
    ...     pixels = read_pixels(path)
    >>> pixels.shape, pixels[0, 0].tolist()
    ((1, 1, 3), [255, 0, 0])
    """
    name = os.path.basename(path_of(path, "read_pixels: path"))
    try:
        data = read_file(path)
    except OSError as error:
        raise ParameterError("read_pixels: {} cannot be read: {}", name, error.strerror) from error
    if not data.startswith(_SIGNATURE):
        raise ParameterError(
            "read_pixels: {} must be a PNG image",
            name,
            got=Message("a file that begins with {!r}", data[:4]),
        )
    return _decode_png(f"read_pixels: {name}", data)


def _decode_png(name: str, data: bytes) -> npt.NDArray[np.unsignedinteger]:
    """Return the pixels of a PNG file."""
    image = png_rows.PngRows(name, memoryview(data))
    pixels = image.read(image.rows)
    return pixels.astype(pixels.dtype.newbyteorder("="))


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
            "read_image: {} must hold numbers of shape (rows, columns)",
            name,
            got=Message("{} of shape {}", array.dtype, array.shape),
        )
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        field = np.ascontiguousarray(array, np.float32)
    if not np.isfinite(field).all():
        raise ParameterError("read_image: {} must hold finite numbers; got nan or inf", name)
    return field
