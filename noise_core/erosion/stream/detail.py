# SPDX-License-Identifier: GPL-3.0-or-later
"""Detail that the ground of finer levels adds to that of coarser ones, and the wear that is no part of it."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...rasters.level import Level
from ...rasters.pyramid import restrict, subsample
from ...rasters.smoothing import smooth

_OVERALL = (1, 2)
"""Strides of the averages that tell what a level wears on the whole from its detail: as wide as two
samples of the next coarser level."""

WEAR_MARGIN = sum(_OVERALL) + 1
"""Samples around a place that its mean wear depends on."""


def build_bases(field: Field, levels: list[Level]) -> list[Field]:
    """Return a field on all levels, finest first, each subsampled and smoothed once.

    Subsampling keeps values of the field: if two resolutions agree on a level, they agree bit for
    bit on all coarser levels.
    """
    return [field, *coarser_bases(field, levels)]


def coarser_bases(picks: Field, levels: list[Level]) -> list[Field]:
    """Return a field on all levels but the finest, whose own subsamples are given."""
    bases = []
    for fine, coarse in zip(levels, levels[1:]):
        bases.append(restrict(picks, fine, coarse))
        picks = subsample(picks, fine, coarse)
    return bases


def mean_wear(before: Field, height: Field, wrap: bool, factor: float, is_rising: bool) -> Field:
    """Return the loss of height, smoothed, times a factor.

    A level rises by it, because coarser levels define the large shapes: without it a grid with more
    levels would be eroded more. On land that rises until it is in balance, valleys alone tell: divides grow
    on a finer level, where less water gathers next to them, and rivers would be drowned for that.
    """
    if is_rising:
        before, height = _valleys(before, wrap), _valleys(height, wrap)
    worn = before - height
    for stride in _OVERALL:
        worn = smooth(worn, stride, wrap)
    worn *= np.float32(factor)
    return worn


def _valleys(height: Field, wrap: bool) -> Field:
    """Return the lowest of the nine heights at and around each sample: shape (rows, columns).

    A coarser level's rivers lie on every second sample, so that one is among them. Between these
    rivers were interpolated, and are too high.
    """
    checkpoint()
    padded = np.pad(height, 1, mode="wrap" if wrap else "edge")
    columns = np.minimum(padded[:-2], padded[1:-1])
    np.minimum(columns, padded[2:], out=columns)
    lowest = np.minimum(columns[:, :-2], columns[:, 1:-1])
    return np.minimum(lowest, columns[:, 2:], out=lowest)


def add_detail(refined: Field, before: Field, base: Field, buried: float) -> Field:
    """Return refined ground with the detail that its base has beyond the coarser one's.

    Parameters
    ----------
    refined, before : ndarray of shape (rows, columns), float32
        A coarser level's heights after and before, on these samples; the first is written to.
    base : ndarray of that shape, float32
        Those before of this level.
    buried : float
        See `StreamPowerParams`.
    """
    deposit = refined - before
    np.maximum(deposit, np.zeros(1, np.float32), out=deposit)
    deposit *= np.float32(1.0 / buried)
    deposit *= deposit
    deposit += np.float32(1.0)
    detail = base - before
    detail /= deposit
    refined += detail
    return refined
