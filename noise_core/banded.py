# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of a few neighbours, laid out as matrices that whole blocks of samples share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import Field


class Banded(NamedTuple):
    """What `banded` makes.

    Attributes
    ----------
    base : ndarray of shape (terms, blocks), int64
        The lattice line that each block's weights begin with, term by term.
    bands : list of int
        How many lattice lines of each term a block needs.
    weights : ndarray of shape (blocks, height, sum of the bands, kinds), float32
        The weights of the lattice lines from there on, of one term after the other.
    """

    base: npt.NDArray[np.int64]
    bands: list[int]
    weights: Field


def banded(
    lower: npt.NDArray[np.int64], weights: Field, height: int, taps: Sequence[float] = (1.0,)
) -> Banded:
    """Lay the weights of samples that lie between two lattice lines out for blocks of samples.

    Parameters
    ----------
    lower : ndarray of shape (terms, n), int64
        The lattice line at or below each sample, on the lattice of each term; does not fall.
    weights : ndarray of shape (terms, n, 2, kinds), float32
        Weights of that line and of the next one.
    height : int
        Samples of a block. The last one is filled up; what stands there means nothing.
    taps : sequence of floats
        Each sample becomes the sum of so many samples, from its own on, times these numbers. The
        last samples, which have no others after them, are only there for that.
    """
    kinds = weights.shape[3]
    blocks, tall = -(-(lower.shape[1] - len(taps) + 1) // height), height + len(taps) - 1
    item = np.dtype((np.void, 4 * kinds))  # all weights of a lattice line move as one: much faster
    ends = np.ascontiguousarray(weights).view(item)[..., 0]
    lines = _windows(lower, blocks, height, tall)
    base = lines[..., 0].copy()
    place = lines - base[..., np.newaxis]
    bands = place.max(axis=(1, 2)) + 2
    every = int(bands.sum())
    laid = np.zeros((blocks, tall, every, kinds), np.float32)
    places = laid.reshape(-1, kinds).view(item)[:, 0]
    place += (np.cumsum(bands, dtype=np.intp) - bands)[:, np.newaxis, np.newaxis]
    place += np.arange(0, blocks * tall * every, every, dtype=np.intp).reshape(blocks, tall)
    for end in range(2):
        places[place] = _windows(ends[..., end], blocks, height, tall)
        place += 1
    return Banded(base, bands.tolist(), _tapped(laid, height, taps))


def _tapped(laid: Field, height: int, taps: Sequence[float]) -> Field:
    """Return weights of sums of samples that follow each other in a block."""
    if len(taps) == 1:
        return laid
    total = laid[:, :height] * np.float32(taps[0])
    for later, tap in enumerate(taps[1:], 1):
        total += laid[:, later : later + height] * np.float32(tap)
    return total


def _windows(
    values: npt.NDArray[np.generic], blocks: int, height: int, tall: int
) -> npt.NDArray[Any]:
    """Return blocks that begin `height` values apart, each with `tall` of them: a view of a copy.

    The last one is filled up with the last value.
    """
    terms, count = values.shape
    filled = np.empty((terms, (blocks - 1) * height + tall), values.dtype)
    filled[:, :count] = values
    filled[:, count:] = values[:, -1:]
    row, step = filled.strides
    shape, strides = (terms, blocks, tall), (row, height * step, step)
    return np.ndarray(shape, filled.dtype, filled, strides=strides)
