# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of whole fields, found in tiles: values at a place in the order of all, and sums. All are exact."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from noise_core.base.arrays import Field
from noise_core.rasters import totals

from ..engine import Engine
from ..sources import Source
from ..tiling import Window

_DIGITS = (11, 11, 10)
"""Bits of a value that are found in one pass over a field each."""

_Keys = npt.NDArray[np.uint32]

_Counts = dict[int, tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]
"""Digits that occur, and how often, by the digits before them."""


def values_at(
    field: Source, ranks: Sequence[int], engine: Engine, tiles: Sequence[Window]
) -> list[np.float32]:
    """Return the values that would stand at some places if all were sorted.

    Parameters
    ----------
    field : Source
        float32, finite.
    ranks : sequence of int
        From 0.
    engine : Engine
    tiles : sequence of Window
        Of the field.
    """
    return list(engine.solve("values", lambda: _find_values(field, ranks, engine, tiles)))


def _find_values(
    field: Source, ranks: Sequence[int], engine: Engine, tiles: Sequence[Window]
) -> tuple[np.float32, ...]:
    prefixes, places, bits = [0] * len(ranks), list(ranks), sum(_DIGITS)
    for digit in _DIGITS:
        bits -= digit
        work = _Count(field, tuple(sorted(set(prefixes))), digit, bits)
        results = engine.ask(f"digits_{bits}", work, tiles)
        for number, prefix in enumerate(prefixes):
            total = np.zeros(1 << digit, np.int64)
            for counts in results:
                digits, times = counts[prefix]
                total[digits] += times
            sums = np.cumsum(total, dtype=np.int64)
            digit_value = int(np.searchsorted(sums, places[number], side="right"))
            places[number] -= int(sums[digit_value] - total[digit_value])
            prefixes[number] = prefix << digit | digit_value
    return tuple(_values(np.array(prefixes, np.uint32)))


def whole_sum(
    field: Source,
    magnitudes: Sequence[float],
    engine: Engine,
    tiles: Sequence[Window],
    pick: Callable[[Field], Field] = np.asarray,
) -> float:
    """Return the sum of the whole field, as `totals.total`.

    Parameters
    ----------
    field : Source
    magnitudes : sequence of float
        `totals.magnitude` of each tile.
    engine : Engine
    tiles : sequence of Window
        Of the field.
    pick : callable
        Function of values before they are added; the magnitudes are of the result. Picklable.
    """
    largest = max(magnitudes)
    name = f"sum_{pick.__name__}"
    steps = engine.ask(name, _Sum(field, largest, pick), tiles)
    return totals.from_steps(sum(steps), largest)


@dataclasses.dataclass(frozen=True)
class _Count:
    """Count, in a tile, how often each digit follows some digits before it."""

    field: Source
    before: tuple[int, ...]
    digit: int
    left: int

    def __call__(self, tile: Window) -> _Counts:
        keys = _keys(self.field.read(tile)) >> np.uint32(self.left)
        first, mask = keys >> np.uint32(self.digit), np.uint32((1 << self.digit) - 1)
        counts: _Counts = {}
        for prefix in self.before:
            matching = keys[first == np.uint32(prefix)] & mask
            times = np.bincount(matching.astype(np.intp), minlength=1 << self.digit)
            digits = np.flatnonzero(times)
            counts[prefix] = digits, times[digits]
        return counts


@dataclasses.dataclass(frozen=True)
class _Sum:
    """Add a tile up, in steps."""

    field: Source
    largest: float
    pick: Callable[[Field], Field]

    def __call__(self, tile: Window) -> int:
        return totals.count_steps(self.pick(self.field.read(tile)), self.largest)


def _keys(values: Field) -> _Keys:
    """Return whole numbers in the order of values: their bits, those of negative ones turned around."""
    bits = values.reshape(-1).view(np.uint32)
    return np.where(bits >> np.uint32(31), ~bits, bits | np.uint32(1 << 31))


def _values(keys: _Keys) -> Field:
    """Return the values of keys."""
    above = np.uint32(1 << 31)
    return np.where(keys & above, keys ^ above, ~keys).view(np.float32)
