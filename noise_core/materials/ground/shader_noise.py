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

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...lattice import corners

_Hash = npt.NDArray[np.uint32]
_Cells = npt.NDArray[np.int32]

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

_GRADIENTS = {1: (_SLOPES,), 3: tuple(np.ascontiguousarray(_SHARES.T))}
"""Parts of gradients along each axis by these bits, for so many dimensions."""


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
        total += shader_noise([axis * finer for axis in places]) * np.float32(roughness**octave)
    return total


def shader_noise(places: Sequence[Field]) -> Field:
    """Return Perlin noise at places with one or three coordinates, in about [-1, 1]."""
    cells, offsets, fades = zip(*map(_split, places))
    sides = [(np.float32(1.0) - fade, fade) for fade in fades]
    gradients_of = _corner_gradients(cells)
    dimensions = len(places)
    result = None
    for corner in range(2**dimensions):
        ups = [(corner >> axis) & 1 for axis in range(dimensions)]
        value = _ramp(
            gradients_of(ups), [offset - up if up else offset for offset, up in zip(offsets, ups)]
        )
        for side, up in zip(sides, ups):
            value *= side[up]
        result = value if result is None else np.add(result, value, out=result)
    assert result is not None
    result *= np.float32(_SCALES[dimensions])
    return result


def _split(place: Field) -> tuple[_Cells, Field, Field]:
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


def _corner_gradients(cells: Sequence[_Cells]) -> Callable[[Sequence[int]], list[Field]]:
    """Return a function that gives the gradients at a corner of the cells, along each axis.

    Where the bounding box of the cells has fewer lattice points than the cells have corners, each is hashed
    once, and read from a table.
    """
    lows, counts = corners.bounding_box(cells)
    if math.prod(counts) > 2 ** len(cells) * cells[0].size:
        keys = [[(axis + np.int32(up)).view(np.uint32) for up in (0, 1)] for axis in cells]
        return lambda ups: _gradients([pair[up] for pair, up in zip(keys, ups)])
    points = np.broadcast_arrays(*corners.box_indices(lows, counts))
    tables = _gradients([axis.reshape(-1).view(np.uint32) for axis in points])
    steps = [math.prod(counts[axis + 1 :]) for axis in range(len(counts))]
    first = corners.addresses(cells, lows, counts)

    def gradients(ups: Sequence[int]) -> list[Field]:
        step = sum(up * step_along for up, step_along in zip(ups, steps))
        return [corners.take(table, step, first) for table in tables]

    return gradients


def _gradients(keys: Sequence[_Hash]) -> list[Field]:
    """Return the gradients of lattice points along each axis."""
    bits = (_hash(keys) & np.uint32(15)).astype(np.intp)
    return [gradients.take(bits) for gradients in _GRADIENTS[len(keys)]]


def _hash(keys: Sequence[_Hash]) -> _Hash:
    """Return the hash of lattice points."""
    start = np.uint32((_START + 4 * len(keys)) & 0xFFFFFFFF)
    words = [start + key for key in keys]
    words += [np.full_like(keys[0], start) for _ in range(3 - len(words))]
    for changed, source, turn in _MIXES:
        word, by = words[changed], words[source]
        word ^= by
        word -= (by << np.uint32(turn)) | (by >> np.uint32(32 - turn))
    return words[2]


def _ramp(gradients: Sequence[Field], offsets: Sequence[Field]) -> Field:
    """Return the dot product of gradients and offsets."""
    total: Field = gradients[0] * offsets[0]
    for gradient, offset in zip(gradients[1:], offsets[1:]):
        total += gradient * offset
    return total
