# SPDX-License-Identifier: GPL-3.0-or-later
"""Values between samples: fields at places that lie beside those of a grid.

References
----------
Edwin Catmull, Raphael Rom (1974). A class of local interpolating splines. Computer Aided Geometric Design. Academic Press.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field
from ...base.gathering import gather

_SAMPLES_PER_BLOCK = 1 << 14
"""Sampled at once: a block and its temporaries stay in the cache."""

_WIDEST_RIM = 64
"""In samples. What is bent further, by faults of Tectonics, is not worth the memory."""

Weights = Callable[[Field], list[tuple[int, Field]]]
"""Gives the samples around a place, and their weights, by how far it lies beyond one."""


def resample(field: Field, offsets: tuple[Field, Field], wrap: bool) -> Field:
    """Return a field at places beside its samples, by cubic interpolation (Catmull & Rom 1974).

    Parameters
    ----------
    field : ndarray of shape (rows, columns), float32
    offsets : tuple of two ndarrays of that shape, float32
        In samples, along a column and along a row.
    wrap : bool
        Whether edges meet; else places beyond the border are those on it.
    """
    return interpolate((field,), offsets, wrap, _cubic)[0]


def resample_all(
    fields: Sequence[Field], offsets: tuple[Field, Field], wrap: bool
) -> Sequence[Field]:
    """Return fields at the same places, and those of a single value as they are; see `resample`."""
    whole = tuple(field for field in fields if field.size > 1)
    moved = iter(interpolate(whole, offsets, wrap, _cubic)) if whole else iter(())
    return [next(moved) if field.size > 1 else field for field in fields]


def _cubic(t: Field) -> list[tuple[int, Field]]:
    """Return the four samples around a place, and their weights."""
    half, unit, complement = np.float32(0.5), np.float32(1.0), np.float32(1.0) - t
    outer = t * complement * -half
    outer_before, outer_after = outer * complement, outer * t
    # All weights add up to 1, and their mean place is that of the sample.
    inner = t + outer_before - outer_after - outer_after
    return [
        (-1, outer_before),
        (0, unit - inner - outer_before - outer_after),
        (1, inner),
        (2, outer_after),
    ]


def linear(t: Field) -> list[tuple[int, Field]]:
    """Return the two samples around a place, and their weights."""
    return [(0, np.float32(1.0) - t), (1, t)]


def interpolate(
    fields: tuple[Field, ...], offsets: tuple[Field, Field], wrap: bool, weights: Weights
) -> list[Field]:
    """Return fields of one shape at places beside their samples; see `resample`."""
    rows, columns = fields[0].shape
    # A rim, so that all samples around a place lie fixed distances apart in memory. Where edges meet it is so
    # wide that no place lies beyond it: that takes a tenth of the time of a remainder for each.
    furthest = max(map(_furthest, offsets)) if wrap else 0.0
    margin = math.ceil(furthest) if furthest <= _WIDEST_RIM else 0
    ends = (None, None) if margin else fields[0].shape
    pads = 1 + margin, 2 + margin
    rims = [np.pad(field, pads, mode="wrap" if wrap else "edge") for field in fields]
    width = rims[0].shape[1]
    results = [np.empty_like(field) for field in fields]

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        down, right = (offset[start:stop] for offset in offsets)
        first, last = _moved_columns(down, right)
        for field, result in zip(fields, results):
            result[start:stop, :first] = field[start:stop, :first]
            result[start:stop, last:] = field[start:stop, last:]
        if first == last:
            return
        row, across = _places(down[:, first:last], start + margin, 0, ends[0], wrap)
        place, along = _places(right[:, first:last], margin + first, 1, ends[1], wrap)
        row *= width
        place += row
        shares = weights(across), weights(along)
        for rim, result in zip(rims, results):
            result[start:stop, first:last] = _weigh(rim.reshape(-1), width, place, *shares)

    blocks.run(work, rows, max(1, _SAMPLES_PER_BLOCK // columns))
    return results


def _moved_columns(down: Field, right: Field) -> tuple[int, int]:
    """Return the first column in which a place lies beside its sample, and the one after the last: others stay as they are."""
    moved = np.flatnonzero(down.any(axis=0) | right.any(axis=0))
    return (int(moved[0]), int(moved[-1]) + 1) if len(moved) else (0, 0)


def _weigh(
    flat: Field,
    width: int,
    place: npt.NDArray[np.intp],
    across: list[tuple[int, Field]],
    along: list[tuple[int, Field]],
) -> Field:
    """Return the weighted means of a field with a rim around some places in it."""
    total: Field | None = None
    for down, share in across:
        line: Field | None = None
        for right, weight in along:
            part = gather(flat[(down + 1) * width + right + 1 :], place)
            part *= weight
            line = part if line is None else np.add(line, part, out=line)
        assert line is not None
        line *= share
        total = line if total is None else np.add(total, line, out=total)
    assert total is not None
    return total


def _furthest(offset: Field) -> float:
    """Return how many samples the furthest place lies from its own."""
    return max(float(offset.max(initial=0.0)), -float(offset.min(initial=0.0)))


def _places(
    offset: Field, start: int, axis: int, count: int | None, wrap: bool
) -> tuple[npt.NDArray[np.intp], Field]:
    """Return the samples before some places along an axis, and how far beyond them these lie.

    Samples are counted from `start` on; a line of them has `count`, or no end.
    """
    base = np.floor(offset)
    place = base.astype(np.intp)
    index = np.arange(start, start + offset.shape[axis], dtype=np.intp)
    place += index if axis == 1 else index[:, np.newaxis]
    if count is not None and wrap:
        place %= count
    elif count is not None:
        np.clip(place, 0, count - 1, out=place)
    return place, offset - base
