# SPDX-License-Identifier: GPL-3.0-or-later
"""Array types of the core, and the validation of arrays and numbers from callers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Union, cast

import numpy as np
import numpy.typing as npt

from .errors import Message, ParameterError, format_value

Field = npt.NDArray[np.float32]
"""float32 samples; a grid's field has shape (rows, columns), row 0 at the smallest y."""

Coordinates = Union[npt.NDArray[np.float32], npt.NDArray[np.float64]]
"""One coordinate of many points, in tiles."""

Points = tuple[Coordinates, ...]
"""The coordinates of many points, one array per axis, all of one shape (or broadcasting)."""

Index = npt.NDArray[np.int32]
"""Lattice indices along one axis."""

Hash = npt.NDArray[np.uint32]
"""Hashed lattice points."""

SEED_MASK = 0xFFFFFFFF


MAX_HEIGHT = 1e12
"""Meters that heights may lie above or below 0: squares of slopes are still finite in float32, on
terrains from a millimeter to 10 000 km wide."""

MOST_SAMPLES = 1 << 29
"""Rows times columns that are held in memory: 2 GiB as float32, 23,170 squared."""

MOST_SOURCE_SAMPLES = 1 << 36
"""Rows times columns of a file that is reduced while it is read: 262,144 squared."""

LONGEST_SIDE = 1 << 22
"""Rows or columns of such a file: some rows at least are held in memory."""


def check_field(field: npt.ArrayLike, shape: tuple[int, int], who: str) -> Field:
    """Return `field` as finite float32 samples of a shape.

    Parameters
    ----------
    field : array_like of that shape
    shape : tuple of two ints
        Rows and columns of the grid that it belongs to.
    who : str
        Name that starts the error message.

    Raises
    ------
    ParameterError
        If the shape or the values are not so.
    """
    try:
        if np.iscomplexobj(field):
            raise TypeError
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
            array = np.asarray(field, np.float32)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            "{} must be numbers of shape {}", who, shape, got=type(field)
        ) from None
    if array.shape != shape:
        raise ParameterError("{} must have the grid's shape {}", who, shape, got=array.shape)
    if not np.isfinite(array).all():
        raise ParameterError("{} must be finite; got nan or inf", who)
    return array


def check_height(height: npt.ArrayLike, shape: tuple[int, int], who: str) -> Field:
    """Return `height` as `check_field` does, if no part is higher or lower than `MAX_HEIGHT`."""
    array = check_field(height, shape, who)
    low, high = float(array.min()), float(array.max())
    if max(-low, high) > MAX_HEIGHT:
        raise ParameterError(
            "{} must be in [{:g}, {:g}]",
            who,
            -MAX_HEIGHT,
            MAX_HEIGHT,
            got=Message("{:g} to {:g}", low, high),
        )
    return array


def check_size(name: str, rows: int, columns: int) -> None:
    """Raise a ParameterError unless so many samples of a file fit into the memory."""
    if rows < 1 or columns < 1 or rows * columns > MOST_SAMPLES:
        raise ParameterError(
            "{}: rows times columns must be in [1, {}]",
            name,
            MOST_SAMPLES,
            got=f"{rows} x {columns}",
        )


def check_source_size(name: str, rows: int, columns: int) -> None:
    """Raise a ParameterError unless a file of so many samples can be read, a part at a time."""
    longest = max(rows, columns)
    if rows < 1 or columns < 1 or longest > LONGEST_SIDE or rows * columns > MOST_SOURCE_SAMPLES:
        raise ParameterError(
            "{}: rows and columns must be in [1, {}], and at most {} samples",
            name,
            LONGEST_SIDE,
            MOST_SOURCE_SAMPLES,
            got=f"{rows} x {columns}",
        )


def check_seed(seed: int, who: str) -> int:
    """Return `seed` as an unsigned 32-bit integer.

    Parameters
    ----------
    seed : int
        Signed or unsigned 32-bit integer; -1 and 4294967295 are the same seed.
    who : str
        Name that starts the error message.

    Raises
    ------
    ParameterError
        If it is no integer or does not fit into 32 bits.
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise ParameterError("{}: seed must be an integer of 32 bits", who, got=format_value(seed))
    if not -0x80000000 <= seed <= SEED_MASK:
        raise ParameterError(
            "{} must be in {}",
            f"{who}: seed",
            "[-2147483648, 4294967295]",
            got=format_value(int(seed)),
        )
    return int(seed) & SEED_MASK


MOST_DIMENSIONS = 16
"""Coordinates of a point, for noises that have so many dimensions: few have more than 4."""


def check_points(points: npt.ArrayLike, who: str) -> tuple[Coordinates, float]:
    """Return `points` as a float array of shape (..., d), d from 1 to 16, and the largest distance along an axis.

    Raises
    ------
    ParameterError
        If the shape or the values are not so.
    """
    try:
        array = np.asarray(points)
    except ValueError:
        raise ParameterError(
            "{}: points must be numbers; got rows of unequal length", who
        ) from None
    if array.dtype != np.float32:
        try:
            if array.dtype.kind in "cUS":  # what would lose a part, or only look like a number
                raise TypeError
            array = array.astype(np.float64, copy=False)
        except (TypeError, ValueError):
            raise ParameterError(
                "{}: points must be numbers", who, got=Message("an array of {}", array.dtype)
            ) from None
        except OverflowError:  # an integer beyond all floats
            raise ParameterError("{} must be finite; got nan or inf", f"{who}: points") from None
    if array.ndim == 0 or not 1 <= array.shape[-1] <= MOST_DIMENSIONS:
        raise ParameterError(
            "{}: points must have shape (..., d) with d from 1 to {}",
            who,
            MOST_DIMENSIONS,
            got=array.shape,
        )
    # Both ends tell whether all are finite, and read the points in half the time of asking each.
    farthest = max(-float(array.min()), float(array.max())) if array.size else 0.0
    if not math.isfinite(farthest):
        raise ParameterError("{} must be finite; got nan or inf", f"{who}: points")
    return array, farthest


def flatten_points(points: Points) -> tuple[Points, tuple[int, ...]]:
    """Return points whose axes broadcast as arrays of one dimension, and the shape that they have together."""
    shape = np.broadcast_shapes(*(axis.shape for axis in points))
    return tuple(cast(Coordinates, np.broadcast_to(axis, shape).ravel()) for axis in points), shape


def check_numbers(numbers: Sequence[float], most: int, who: str) -> tuple[float, ...]:
    """Return up to `most` finite numbers as plain floats.

    Raises
    ------
    ParameterError
        If there are more, or one is not a finite number.
    """
    is_right = isinstance(numbers, (tuple, list)) and len(numbers) <= most
    if not is_right or not all(math.isfinite(to_float(number)) for number in numbers):
        raise ParameterError(
            "{} must be up to {} finite numbers", who, most, got=format_value(numbers)
        )
    return tuple(float(number) for number in numbers)


def to_float(value: object) -> float:
    """Return a number as a Python float: infinite if it is too large, NaN if it is not a number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return math.nan
    try:
        return float(value)
    except OverflowError:  # an integer beyond all floats
        return math.inf if value > 0 else -math.inf
