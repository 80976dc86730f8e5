# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of a few neighbours, laid out as matrices that whole blocks of samples share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import Field


class Banded(NamedTuple):
    """What `banded` makes.

    Attributes
    ----------
    base : ndarray of shape (blocks,), int64
        The lattice line that each block's weights begin with.
    weights : ndarray of shape (blocks, height, band, kinds), float32
        The weights of the lattice lines from there on.
    """

    base: npt.NDArray[np.int64]
    weights: Field

    @property
    def band(self) -> int:
        """How many lattice lines a block needs."""
        return int(self.weights.shape[2])


def banded(
    lower: npt.NDArray[np.int64], weights: Field, height: int, taps: tuple[float, ...] = (1.0,)
) -> Banded:
    """Lay the weights of samples that lie between two lattice lines out for blocks of samples.

    Parameters
    ----------
    lower : ndarray of shape (n,), int64
        The lattice line at or below each sample; does not fall.
    weights : ndarray of shape (n, 2, kinds), float32
        Weights of that line and of the next one.
    height : int
        Samples of a block. The last one is filled up; what stands there means nothing.
    taps : tuple of floats
        Each sample becomes the sum of so many samples, from its own on, times these numbers. The
        last samples, which have no others after them, are only there for that.
    """
    count, kinds = len(lower) - len(taps) + 1, weights.shape[2]
    blocks, tall = -(-count // height), height + len(taps) - 1
    item = np.dtype((np.void, 4 * kinds))  # all weights of a lattice line move as one: much faster
    ends = np.ascontiguousarray(weights).view(item)[..., 0]
    lines = _windows(lower, blocks, height, tall)
    base = lines[:, 0].copy()
    place = lines - base[:, np.newaxis]
    band = int(place.max()) + 2
    laid = np.zeros((blocks, tall, band, kinds), np.float32)
    places = laid.reshape(-1, kinds).view(item)[:, 0]
    place += np.arange(0, place.size * band, band).reshape(place.shape)
    for end in range(2):
        places[place] = _windows(ends[:, end], blocks, height, tall)
        place += 1
    if len(taps) == 1:
        return Banded(base, laid)
    total = laid[:, :height] * np.float32(taps[0])
    for later, tap in enumerate(taps[1:], 1):
        total += laid[:, later : later + height] * np.float32(tap)
    return Banded(base, total)


def _windows(
    values: npt.NDArray[np.generic], blocks: int, height: int, tall: int
) -> npt.NDArray[Any]:
    """Return blocks that begin `height` values apart, each with `tall` of them: a view of a copy.

    The last one is filled up with the last value.
    """
    filled = np.empty((blocks - 1) * height + tall, values.dtype)
    filled[: len(values)] = values
    filled[len(values) :] = values[-1]
    (step,) = filled.strides
    return np.ndarray((blocks, tall), filled.dtype, filled, strides=(height * step, step))
