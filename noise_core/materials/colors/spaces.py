# SPDX-License-Identifier: GPL-3.0-or-later
"""Color spaces of the core: linear RGB, sRGB, and Oklab.

All colors of the core are linear, with the primaries of Rec. 709. sRGB is used for hexadecimal
colors and 8-bit images, Oklab for perceptual mixing.

References
----------
IEC 61966-2-1 (1999). Default RGB color space sRGB.
Björn Ottosson (2020). A perceptual color space for image processing.
https://bottosson.github.io/posts/oklab/
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...base import gathering
from ...base.arrays import Field
from ...base.errors import ParameterError, format_value

Color = tuple[float, float, float]
"""Red, green and blue, linear, 0 to 1."""

Numbers = npt.NDArray[np.float64]

_HEXADECIMAL = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")

# Ottosson's two matrices: linear sRGB to the responses of the eye's cones, and their cube roots
# to lightness, green-red and blue-yellow.
_TO_CONES: Numbers = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB: Numbers = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_FROM_CONES: Numbers = np.linalg.inv(_TO_CONES).astype(np.float64)
_FROM_LAB: Numbers = np.linalg.inv(_TO_LAB).astype(np.float64)

LUMINANCE = (0.2126, 0.7152, 0.0722)
"""Shares of red, green and blue in brightness (ITU-R BT.709)."""


def srgb_to_linear(values: npt.ArrayLike) -> Numbers:
    """Return encoded values, 0 to 1, as linear ones; float64 of the same shape.

    Parameters
    ----------
    values : array_like
        Encoded, from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.materials.colors.spaces import srgb_to_linear
    >>> print(np.round(srgb_to_linear([0.0, 0.5, 1.0]), 3))
    [0.    0.214 1.   ]
    """
    encoded = np.asarray(values, np.float64)
    bright = ((np.maximum(encoded, 0.0) + 0.055) / 1.055) ** 2.4
    linear: Numbers = np.where(encoded <= 0.04045, encoded / 12.92, bright)
    return linear


def linear_to_srgb(values: npt.ArrayLike) -> Numbers:
    """Return linear values, 0 to 1, as encoded ones; float64 of the same shape.

    Parameters
    ----------
    values : array_like
        Linear, from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.materials.colors.spaces import linear_to_srgb
    >>> print(np.round(linear_to_srgb([0.0, 0.214, 1.0]), 3))
    [0.  0.5 1. ]
    """
    linear = np.asarray(values, np.float64)
    bright = 1.055 * np.maximum(linear, 0.0) ** (1.0 / 2.4) - 0.055
    encoded: Numbers = np.where(linear <= 0.0031308, linear * 12.92, bright)
    return encoded


_STEPS = 4096
"""Exact values of `display_to_light`; between them the line is at most 1e-7 off (h^2 / 8 times 3.02)."""


def display_to_light(values: Field) -> Field:
    """Return encoded values, cut off at 0 and 1, as linear ones; float32 of the same shape, by a table."""
    along = np.clip(values, np.float32(0.0), np.float32(1.0))
    along *= np.float32(_STEPS)
    place = along.astype(np.intp)
    along -= place
    heights, rises = _light_table()
    light = gathering.gather(rises, place)
    light *= along
    light += gathering.gather(heights, place, out=along)
    return light


@functools.cache
def _light_table() -> tuple[Field, Field]:
    """Return linear values at even steps of encoded ones, and their differences to the next."""
    heights = srgb_to_linear(np.arange(_STEPS + 1, dtype=np.intp) / _STEPS)
    rises = np.append(np.diff(heights), 0.0)
    return heights.astype(np.float32), rises.astype(np.float32)


def linear_to_oklab(colors: npt.ArrayLike) -> Numbers:
    """Return linear colors of shape (..., 3) as lightness, green-red and blue-yellow.

    Parameters
    ----------
    colors : array_like of shape (..., 3)
        Linear red, green and blue.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.materials.colors.spaces import linear_to_oklab

    White has a lightness of 1 and no hue:

    >>> print(np.abs(np.round(linear_to_oklab([1.0, 1.0, 1.0]), 2)))
    [1. 0. 0.]
    """
    cones = np.asarray(colors, np.float64) @ _TO_CONES.T
    lab: Numbers = np.cbrt(cones) @ _TO_LAB.T
    return lab


def oklab_to_linear(lab: npt.ArrayLike) -> Numbers:
    """Return Oklab colors of shape (..., 3) as linear ones, which may lie outside [0, 1].

    Parameters
    ----------
    lab : array_like of shape (..., 3)
        Lightness from 0 to 1, green-red and blue-yellow.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.materials.colors.spaces import linear_to_oklab, oklab_to_linear
    >>> print(np.round(oklab_to_linear(linear_to_oklab([0.2, 0.4, 0.6])), 3))
    [0.2 0.4 0.6]
    """
    roots = np.asarray(lab, np.float64) @ _FROM_LAB.T
    linear: Numbers = roots**3 @ _FROM_CONES.T
    return linear


def to_linear(color: object, who: str) -> Color:
    """Return a color as linear numbers.

    Parameters
    ----------
    color : str or sequence of three numbers
        "#b5651d" or "#b62", as sRGB, or linear red, green and blue from 0 to 1.
    who : str
        Name that starts the error message.

    Raises
    ------
    ParameterError
        If it is neither.

    Examples
    --------
    >>> from noise_core.materials.colors.spaces import to_linear
    >>> [round(channel, 3) for channel in to_linear("#ff8000", "Example.color")]
    [1.0, 0.216, 0.0]
    """
    if isinstance(color, str) and _HEXADECIMAL.fullmatch(color):
        digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
        numbers = [int(digits[place : place + 2], 16) / 255.0 for place in (0, 2, 4)]
        red, green, blue = srgb_to_linear(numbers).tolist()
        return (red, green, blue)
    if isinstance(color, (tuple, list, np.ndarray)) and len(color) == 3:
        if all(_is_share(part) for part in color):
            return (float(color[0]), float(color[1]), float(color[2]))
    raise ParameterError(
        '{} must be "#rrggbb" or three linear numbers in [0, 1]', who, got=format_value(color)
    )


def hexadecimal(color: Sequence[float]) -> str:
    """Return a linear color as "#rrggbb", which is sRGB rounded to 8 bits.

    Parameters
    ----------
    color : sequence of three floats
        Linear, from 0 to 1.

    Examples
    --------
    >>> from noise_core.materials.colors.spaces import hexadecimal
    >>> hexadecimal((1.0, 0.0, 0.0))
    '#ff0000'
    """
    encoded = np.clip(linear_to_srgb(color), 0.0, 1.0)
    return "#" + "".join(f"{round(255.0 * part):02x}" for part in encoded.tolist())


def _is_share(part: object) -> bool:
    is_number = isinstance(part, (int, float, np.integer, np.floating))
    return is_number and not isinstance(part, bool) and 0.0 <= float(part) <= 1.0  # type: ignore[arg-type]
