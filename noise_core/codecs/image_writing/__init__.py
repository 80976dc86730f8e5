# SPDX-License-Identifier: GPL-3.0-or-later
"""Image writer without Blender: PNG and TIFF of 8 or 16 bits, OpenEXR of 16 or 32.

Values are written as they are: no color management changes a height on its way to a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from ...base.arrays import Field
from ...base.errors import ParameterError
from .exr import exr_parts
from .png import png_parts
from .tiff import tiff_bytes

__all__ = ["BITS", "SUFFIXES", "image_bytes"]

BITS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"png": (8, 16), "tiff": (8, 16), "exr": (16, 32)}
)
"""What each format can hold."""

SUFFIXES: Mapping[str, str] = MappingProxyType({"png": ".png", "tiff": ".tif", "exr": ".exr"})
"""How names of files end."""


MAX_LINE_BYTES = 2**27 - 1
"""Bytes in a line: PNG and OpenEXR store sizes of parts in 31 bits, and a part is up to 16 lines."""


def image_bytes(
    field: Field,
    file_format: str,
    bits: int,
    *,
    is_color: bool = False,
    is_compressed: bool = True,
) -> bytes:
    """Return a picture as the content of a file.

    Parameters
    ----------
    field : ndarray of shape (rows, columns) or (rows, columns, channels), float32
        Row 0 at the bottom; three channels, or four with transparency, which TIFF has not. For PNG
        and TIFF from 0 to 1, cut off there; as sRGB if `is_color`.
    file_format : {"png", "tiff", "exr"}
    bits : int
        Per channel; see `BITS`. In OpenEXR, 16 are half floats.
    is_color : bool
        Whether a PNG says that its values are sRGB.
    is_compressed : bool
        Whether it is made smaller; otherwise OpenEXR is not, and PNG is where that costs little. TIFF
        always is.

    Raises
    ------
    ParameterError
        If the format is unknown or has no such bits, or the field has another shape, or the format
        cannot hold as much: lines of more than `MAX_LINE_BYTES` bytes.
    Cancelled
        If the job that this is part of was cancelled.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.codecs.image_writing import image_bytes
    >>> field = np.zeros((4, 8), np.float32)
    >>> image_bytes(field, "png", 16)[1:4], image_bytes(field, "exr", 32)[:4].hex()
    (b'PNG', '762f3101')
    """
    if file_format not in BITS:
        raise ParameterError(
            "{} must be one of {}", "file_format", ", ".join(BITS), got=repr(file_format)
        )
    if bits not in BITS[file_format]:
        allowed = " or ".join(map(str, BITS[file_format]))
        raise ParameterError("bits must be {} for {}", allowed, file_format, got=repr(bits))
    channels = (3,) if file_format == "tiff" else (3, 4)
    is_picture = field.ndim == 2 or (field.ndim == 3 and field.shape[2] in channels)
    if field.size == 0 or not is_picture:
        raise ParameterError(
            "an image must be of shape (rows, columns) or (rows, columns, {})",
            " or ".join(map(str, channels)),
            got=field.shape,
        )
    line = field[0].size * bits // 8
    if line > MAX_LINE_BYTES:
        raise ParameterError(
            "an image's lines must have at most {} bytes each", MAX_LINE_BYTES, got=line
        )
    upright = (field if field.ndim == 3 else field[..., np.newaxis])[::-1]
    if file_format == "exr":
        return b"".join(exr_parts(upright, bits, is_compressed=is_compressed))
    if file_format == "png":
        return b"".join(png_parts(upright, bits, is_color, is_compressed=is_compressed))
    return tiff_bytes(upright, bits)
