# SPDX-License-Identifier: GPL-3.0-or-later
"""The mathematics of `noise_core.gully_patterns` in compiled scalar code, sample by sample.

What a user with numba would write: loops over samples, octaves and the four corners of a cell, with a
cosine and a sine for each. Phases are worked out once per cell, as in `noise_core.gully_patterns.phases`.
Imported only if numba is there.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from noise_core.gully_patterns.octaves import WAVES_PER_CELL, GullyOctave
from noise_core.lattice.hash import mix_bits

Field = npt.NDArray[np.float32]

SUMMIT = (0.37, 0.41)
"""Where the hill is highest."""
STEEPNESS = 0.8

FREQUENCY, SHIFT_X, SHIFT_Y, AMPLITUDE, COSINE, SINE = range(6)
"""Columns of the table of octaves."""

_SINGLE = np.float32
_ZERO, _ONE = _SINGLE(0.0), _SINGLE(1.0)
_TURN = _SINGLE(2.0 * math.pi)
_WAVE = _SINGLE(2.0 * math.pi * WAVES_PER_CELL)
# Those of noise_core.lattice.hash, and of noise_core.gully_patterns.phases.
_PRIME_X, _PRIME_Y = np.uint32(0x9E3779B1), np.uint32(0x6A09E667)
_FIRST, _SECOND = np.uint32(0x7FEB352D), np.uint32(0x846CA68B)
_ALONG, _BESIDE = _SINGLE(1.0 / 2.6**2), _SINGLE(1.0 / 1.5**2)

_jit = numba.njit(nogil=True, error_model="numpy")


class ScalarGullies:
    """Gullies on a round hill, on a square grid that wraps.

    Parameters
    ----------
    octaves : sequence of Octave
    side : int
        Samples along an edge.
    """

    def __init__(self, octaves: tuple[GullyOctave, ...], side: int) -> None:
        self._side = side
        self._table = np.array(
            [(one.lattice.matrix[0][0], *one.shift, one.amplitude, *one.turn) for one in octaves]
        )
        self._seeds = np.array([mix_bits(one.seed) for one in octaves], np.uint32)
        counts = self._table[:, FREQUENCY].astype(np.int64)
        self._starts = np.concatenate(([0], np.cumsum(counts**2)))

    def draw(self) -> Field:
        """Return the change of height."""
        phases = np.empty((2, self._starts[-1]), np.float32)
        for number in range(len(self._table)):
            _phases(number, self._table, self._seeds, self._starts, phases)
        drawn: Field = _drawn(self._side, self._table, self._starts, phases)
        return drawn


@_jit
def _own_phase(i: int, j: int, seed: Any) -> Any:
    across, along = np.uint32(np.uint32(i) * _PRIME_X), np.uint32(np.uint32(j) * _PRIME_Y)
    bits = np.uint32((across ^ across >> 16 ^ seed) + (along ^ along >> 16))
    bits = np.uint32((bits ^ bits >> 16) * _FIRST)
    bits = np.uint32((bits ^ bits >> 15) * _SECOND)
    bits ^= bits >> 16
    return _TURN * (_SINGLE(bits >> 8) * _SINGLE(2.0**-24) - _SINGLE(0.5))


@_jit
def _across(x: float, y: float) -> Any:
    up_x, up_y = _SINGLE(SUMMIT[0] - x), _SINGLE(SUMMIT[1] - y)
    length = math.sqrt(up_x * up_x + up_y * up_y) + _SINGLE(1e-30)
    return -up_y / length, up_x / length


@_jit
def _turned(across_x: Any, across_y: Any, imag: Any, octave: Any) -> Any:
    cosine, sine = _SINGLE(octave[COSINE]), _SINGLE(octave[SINE])
    if imag < _ZERO:
        sine = -sine
    return cosine * across_x + sine * across_y, cosine * across_y - sine * across_x


@_jit
def _fade(t: Any) -> Any:
    return t * t * t * (t * (t * _SINGLE(6.0) - _SINGLE(15.0)) + _SINGLE(10.0))


@_jit
def _waves(x: float, y: float, across: Any, octave: Any, start: int, phases: Any) -> Any:
    count = int(octave[FREQUENCY])
    x, y = x * octave[FREQUENCY] + octave[SHIFT_X], y * octave[FREQUENCY] + octave[SHIFT_Y]
    i, j = int(math.floor(x)), int(math.floor(y))
    place_x, place_y = _SINGLE(x - i), _SINGLE(y - j)
    right, upper = _fade(place_x), _fade(place_y)
    real, imag = _ZERO, _ZERO
    for b in range(2):
        for a in range(2):
            weight = (right if a else _ONE - right) * (upper if b else _ONE - upper)
            way_x, way_y = place_x - _SINGLE(a), place_y - _SINGLE(b)
            phase = _WAVE * (way_x * across[0] + way_y * across[1])
            cosine, sine = weight * math.cos(phase), weight * math.sin(phase)
            cell = start + (j + b) % count * count + (i + a) % count
            real += cosine * phases[0, cell] - sine * phases[1, cell]
            imag += cosine * phases[1, cell] + sine * phases[0, cell]
    return real, imag


@_jit
def _in_step(i: int, j: int, count: int, across: Any, seed: Any) -> Any:
    real, imag = _ZERO, _ZERO
    for b in range(-2, 3):
        for a in range(-2, 3):
            side = _SINGLE(a) * across[0] + _SINGLE(b) * across[1]
            front = _SINGLE(a * a + b * b) - side * side
            weight = max(_ONE - side * side * _BESIDE - front * _ALONG, _ZERO)
            weight *= weight
            phase = _own_phase((i + a) % count, (j + b) % count, seed) - _WAVE * side
            real += weight * math.cos(phase)
            imag += weight * math.sin(phase)
    length = math.sqrt(real * real + imag * imag) + _SINGLE(1e-30)
    return real / length, imag / length


@_jit
def _phases(number: int, table: Any, seeds: Any, starts: Any, phases: Any) -> None:
    octave = table[number]
    count = int(octave[FREQUENCY])
    for j in range(count):
        for i in range(count):
            x = (i - octave[SHIFT_X]) / octave[FREQUENCY]
            y = (j - octave[SHIFT_Y]) / octave[FREQUENCY]
            across = _across(x, y)
            for before in range(number):
                _, imag = _waves(x, y, across, table[before], starts[before], phases)
                across = _turned(across[0], across[1], imag, table[before])
            cell = starts[number] + j * count + i
            phases[0, cell], phases[1, cell] = _in_step(i, j, count, across, seeds[number])


@_jit
def _drawn(side: int, table: Any, starts: Any, phases: Any) -> Any:
    out = np.empty((side, side), np.float32)
    for row in range(side):
        for column in range(side):
            x, y = column / side, row / side
            across = _across(x, y)
            mask, target, change = _SINGLE(STEEPNESS * (2.0 - STEEPNESS)), _ZERO, _ZERO
            for number in range(table.shape[0]):
                octave = table[number]
                real, imag = _waves(x, y, across, octave, starts[number], phases)
                across = _turned(across[0], across[1], imag, octave)
                factor = math.sqrt(_SINGLE(1.08) / (real * real + imag * imag + _SINGLE(0.08)))
                target += (real * factor - target) * mask
                change += _SINGLE(octave[AMPLITUDE]) * target
                rest = _ONE - abs(imag * factor)
                mask *= (_SINGLE(1.5) - _SINGLE(0.5) * mask) * (_ONE - rest * rest * rest)
            out[row, column] = change
    return out
