# SPDX-License-Identifier: GPL-3.0-or-later
"""The noise of shaders: that of Blender's Noise Texture node, sample for sample.

A terrain's material pushes the limits of its layers by that noise. Colors that are worked out without a
renderer lie in the same places only if the noise is the same.

References
----------
Ken Perlin (2002). Improving noise. SIGGRAPH. (The fade and the gradients.)
Bob Jenkins (2006). lookup3.c, in the public domain. (The hash of a lattice point: its last mixing step.)
Blender Manual, Noise Texture Node. (Detail, roughness, lacunarity, normalization.)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field

_Hash = npt.NDArray[np.uint32]

_START = 0xDEADBEEF + 13
"""What Jenkins' hash begins with, beside four times the number of keys."""

_MIXES = ((2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24))
"""Steps of the last mixing: the word that changes, the one it is mixed with, and a rotation."""

_SCALES = {1: 0.2500, 3: 0.9820}
"""Factors that bring the noise of so many dimensions to [-1, 1]."""

_SHARES = np.array(
    [
        [1, 1, 0], [-1, 1, 0], [1, -1, 0], [-1, -1, 0],
        [1, 0, 1], [-1, 0, 1], [1, 0, -1], [-1, 0, -1],
        [0, 1, 1], [0, -1, 1], [0, 1, -1], [0, -1, -1],
        [1, 1, 0], [0, -1, 1], [-1, 1, 0], [0, -1, -1],
    ],
    np.float32,
)  # fmt: skip
"""Perlin's gradients by the last four bits of a hash, shape (16, 3)."""

_SLOPES = np.array([(1 + (bits & 7)) * (-1 if bits & 8 else 1) for bits in range(16)], np.float32)
"""Those of one dimension."""


def shader_fractal(
    places: Sequence[Field], scale: float, octaves: range, roughness: float
) -> Field:
    """Return some octaves of a fractal sum of noise, each weighted by its power of the roughness.

    Parameters
    ----------
    places : sequence of one or three ndarrays, float32
        Coordinates, of one shape.
    scale : float
        Cells of the first octave per unit.
    octaves : range
        Those that count; each has twice as many cells as the one before.
    roughness : float
        From 0 to 1.

    Returns
    -------
    ndarray of that shape, float32
        Not divided by the sum of the weights.
    """
    total = np.zeros_like(places[0])
    for octave in octaves:
        finer = np.float32(scale * 2.0**octave)
        total += shader_noise([one * finer for one in places]) * np.float32(roughness**octave)
    return total


def shader_noise(places: Sequence[Field]) -> Field:
    """Return Perlin noise at places with one or three coordinates, in about [-1, 1]."""
    cells, offsets, fades = zip(*map(_split, places))
    keys = [[_hash_key(cell, add) for add in (0, 1)] for cell in cells]
    dimensions = len(places)
    result = None
    for corner in range(2**dimensions):
        ups = [(corner >> axis) & 1 for axis in range(dimensions)]
        bits = _hash([keys[axis][up] for axis, up in enumerate(ups)]) & np.uint32(15)
        value = _ramp(bits, [one - up if up else one for one, up in zip(offsets, ups)])
        for fade, up in zip(fades, ups):
            value *= fade if up else np.float32(1.0) - fade
        result = value if result is None else np.add(result, value, out=result)
    assert result is not None
    result *= np.float32(_SCALES[dimensions])
    return result


def _split(place: Field) -> tuple[npt.NDArray[np.int32], Field, Field]:
    """Return the cell of coordinates, the place in it, and how far that fades to the next one."""
    floor = np.floor(place)
    offset = place - floor
    fade = offset * np.float32(6.0)
    fade -= np.float32(15.0)
    fade *= offset
    fade += np.float32(10.0)
    fade *= offset
    fade *= offset
    fade *= offset
    return floor.astype(np.int32), offset, fade


def _hash_key(cell: npt.NDArray[np.int32], add: int) -> _Hash:
    moved: _Hash = (cell + np.int32(add)).view(np.uint32)
    return moved


def _hash(keys: Sequence[_Hash]) -> _Hash:
    """Return the hash of lattice points."""
    start = np.uint32((_START + 4 * len(keys)) & 0xFFFFFFFF)
    words = [start + key for key in keys]
    words += [np.full_like(keys[0], start) for _ in range(3 - len(words))]
    for changed, other, turn in _MIXES:
        word, by = words[changed], words[other]
        word ^= by
        word -= (by << np.uint32(turn)) | (by >> np.uint32(32 - turn))
    return words[2]


def _ramp(bits: _Hash, offsets: Sequence[Field]) -> Field:
    """Return the dot product of gradients and offsets."""
    if len(offsets) == 1:
        slope: Field = _SLOPES[bits] * offsets[0]
        return slope
    total = _SHARES[:, 0][bits] * offsets[0]
    for axis in (1, 2):
        total += np.ascontiguousarray(_SHARES[:, axis])[bits] * offsets[axis]
    return total
