# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields as image files: textures, maps, masks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Union

import numpy as np
import numpy.typing as npt

from ..base import atomic_files
from ..base.arguments import check_switch
from ..base.arrays import Field, check_field, to_float
from ..base.errors import Message, ParameterError, format_value
from ..base.input_files import path_of
from ..codecs.image_writing import SUFFIXES, image_bytes
from ..materials.colors import spaces

_FORMATS = {**{suffix: name for name, suffix in SUFFIXES.items()}, ".tiff": "tiff"}
"""Formats by the suffix of a file."""

_BITS = {"png": 16, "tiff": 16, "exr": 32}
"""Bits that a gray image has if none are given."""


def save_image(
    field: npt.ArrayLike,
    path: Union[str, os.PathLike[str]],
    *,
    low: float = 0.0,
    high: float = 1.0,
    bits: int | None = None,
    is_color: bool = False,
    overwrite: bool = False,
) -> None:
    """Write a field as a PNG, TIFF or OpenEXR image; the file is whole or not there.

    Parameters
    ----------
    field : array_like of shape (rows, columns) or (rows, columns, channels)
        Three channels, or four with transparency. Row 0 is the lowest line of the image, as fields have the
        smallest y first.
    path : str or path
        With the suffix ``.png``, ``.tif``, ``.tiff`` or ``.exr``.
    low, high : float
        Values that become black and white. PNG and TIFF hold no others, and a field that has some is refused;
        OpenEXR holds all.
    bits : int, optional
        Per channel: 8 or 16, in OpenEXR 16 or 32. By default 8 for colors, otherwise the most that
        the format has.
    is_color : bool
        Whether the values are colors in linear light, as `Surface.textures` gives them: PNG and TIFF store
        them as sRGB. Data, such as normals and heights, are stored as they are.
    overwrite : bool
        Whether a file may be replaced.

    Raises
    ------
    ParameterError
        If the suffix, the shape, the values or the bits are not allowed.
    TerraneError
        If the file is there already or cannot be written.

    References
    ----------
    IEC 61966-2-1 (1999): the curve of sRGB.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Grid, read_image, save_image
    >>> from noise_core.noises import Fractal
    >>> clouds = Fractal().sample_grid(Grid(32, 32, wrap=True), seed=7)
    >>> with TemporaryDirectory() as folder:
    ...     save_image(clouds, Path(folder) / "clouds.png", low=-1.0, high=1.0)
    ...     again = read_image(Path(folder) / "clouds.png")
    >>> bool(abs(2.0 * again - 1.0 - clouds).max() < 1e-4)
    True

    Values that the file cannot hold are refused:

    >>> from noise_core import ParameterError
    >>> try:
    ...     save_image(100.0 * clouds, "clouds.png", low=-1.0, high=1.0)
    ... except ParameterError as error:
    ...     print(error.rule)
    save_image: values must be in [-1, 1], or low and high be given
    """
    check_switch(is_color, "save_image: is_color")
    check_switch(overwrite, "save_image: overwrite")
    file = Path(path_of(path, "save_image: path"))
    file_format = _FORMATS.get(file.suffix.lower())
    if file_format is None:
        allowed = ", ".join(_FORMATS)
        raise ParameterError("save_image: path must end in one of {}", allowed, got=repr(file.name))
    values = _scaled(check_field(field, np.shape(field), "save_image: field"), low, high)
    if file_format != "exr":
        _check_range(values, low, high)
        if is_color:
            values = spaces.linear_to_srgb(values).astype(np.float32)
    atomic_files.check_free([file], overwrite)
    _write(file, values, file_format, bits, is_color)


def _write(file: Path, values: Field, file_format: str, bits: int | None, is_color: bool) -> None:
    usual = 8 if is_color and file_format != "exr" else _BITS[file_format]
    content = image_bytes(values, file_format, bits or usual, is_color=is_color)
    atomic_files.write(file, content)


def _scaled(field: Field, low: float, high: float) -> Field:
    """Return a field with `low` as 0 and `high` as 1."""
    least, most = to_float(low), to_float(high)
    if not least < most or not np.isfinite(most - least):
        raise ParameterError(
            "save_image: low must be less than high",
            got=Message("{} and {}", format_value(low), format_value(high)),
        )
    if (least, most) == (0.0, 1.0):
        return field
    scaled: Field = ((field.astype(np.float64) - least) / (most - least)).astype(np.float32)
    return scaled


def _check_range(values: Field, low: float, high: float) -> None:
    least, most = float(values.min(initial=0.0)), float(values.max(initial=1.0))
    if least < 0.0 or most > 1.0:
        ends = (low + (high - low) * share for share in (float(values.min()), float(values.max())))
        raise ParameterError(
            "save_image: values must be in [{:g}, {:g}], or low and high be given",
            low,
            high,
            got=Message("{:g} to {:g}", *ends),
        )
