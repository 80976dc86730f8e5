# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises that push the limits of layers: large, middle and fine, as the material has them.

Coarse octaves are the shader's own noise, so that woods and snow lie where they are rendered. They are worked
out at few samples, since they cost a hundred times as much as noise on a grid. Finer octaves only break up
edges: there a noise of the same strength takes its place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import checkpoint
from ...base.grid import Grid
from ...noises.perlin import Perlin
from ...rasters import pyramid
from ...rasters.level import Level
from .shader_noise import shader_fractal

_SIDE = 257
"""Samples along the longer side at which the shader's noise is worked out."""

_MOST_CELLS = 96.0
"""Of an octave along the width that so many samples show."""

_SHARE = 0.867
"""Standard deviation of the shader's noise, 0.265, over that of `Perlin` on a grid, 0.306: measured."""

_SEED = 17


@dataclass(frozen=True)
class NodeFractal:
    """Noise of a shader node: cells along the width, octaves, roughness; `Detail` of the node is one less."""

    scale: float
    octaves: int
    roughness: float

    @property
    def weight(self) -> float:
        """Sum of the weights of all octaves."""
        return sum(self.roughness**octave for octave in range(self.octaves))


LARGE, MIDDLE, FINE = (
    NodeFractal(9.0, 4, 0.55),
    NodeFractal(47.0, 5, 0.62),
    NodeFractal(420.0, 4, 0.66),
)
"""As the group *Terrane Masks* has them."""


BROAD, BROAD_ENDS = 0.72, (0.12, 0.88)
"""Share of large noise in patches without fine ones, and between which values these are spread."""


@dataclass(frozen=True)
class GroundNoises:
    """Noises at every sample: patches, broad and fine ones from 0 to 1, push from -1 to 1, turns of colors from 0 to 1."""

    patches: Field
    broad: Field
    push: Field
    turns: Field
    fine: Field

    @classmethod
    def of(cls, height: Field, grid: Grid) -> GroundNoises:
        """Return those of a height field in meters; the middle of the grid is the origin."""
        return cls._mix(*(_even(one, height, grid) for one in (LARGE, MIDDLE, FINE)))

    @classmethod
    def at(cls, places: Field) -> GroundNoises:
        """Return those at places in space, shape (..., 3), in widths of the land from its middle."""
        return cls._mix(*(even_at(one, places) for one in (LARGE, MIDDLE, FINE)))

    @classmethod
    def _mix(cls, large: Field, middle: Field, fine: Field) -> GroundNoises:
        patches = large * np.float32(0.42)
        patches += middle * np.float32(0.40)
        patches += fine * np.float32(0.18)
        turns = large * np.float32(0.50)
        turns += middle * np.float32(0.32)
        turns += fine * np.float32(0.18)
        broad = large * np.float32(BROAD)
        broad += middle * np.float32(1.0 - BROAD)
        push = middle * np.float32(1.4)
        push += fine * np.float32(0.6)
        push -= np.float32(1.0)
        return cls(ramp(patches, 0.18, 0.82), ramp(broad, *BROAD_ENDS), push, turns, fine)


def ramp(values: Field, low: float, high: float) -> Field:
    """Return 0 at `low`, 1 at `high`, straight between; writes into its argument."""
    values -= np.float32(low)
    values *= np.float32(1.0 / (high - low))
    return np.clip(values, np.float32(0.0), np.float32(1.0), out=values)


def even_at(noise: NodeFractal, places: Field) -> Field:
    """Return a noise at places in space, shape (..., 3), whose values are spread evenly from 0 to 1."""
    exact = sum(noise.scale * 2.0**one <= _MOST_CELLS for one in range(noise.octaves))
    axes = [np.ascontiguousarray(one, np.float32) for one in np.moveaxis(places, -1, 0)]
    total = shader_fractal(axes, noise.scale, range(exact), noise.roughness)
    for octave, strength in _rest(noise, exact):
        finer = Perlin(frequency=noise.scale * 2.0**octave)
        total += finer.sample(places, seed=_SEED + octave) * np.float32(_SHARE * strength)
    return _spread(total, noise)


def _rest(noise: NodeFractal, exact: int) -> Iterator[tuple[int, float]]:
    """Yield the octaves that another noise stands for, and its strength: at most two, the second for all finer ones."""
    rest = range(exact, noise.octaves)
    for octave in rest[:2]:
        powers = rest[1:] if octave != rest[0] else rest[:1]
        yield octave, math.sqrt(sum(noise.roughness ** (2 * one) for one in powers))


def _spread(total: Field, noise: NodeFractal) -> Field:
    total *= np.float32(0.5 / noise.weight)
    total += np.float32(0.5)
    return ramp(total, 0.3, 0.7)


def _even(noise: NodeFractal, height: Field, grid: Grid) -> Field:
    """Return a noise whose values are spread evenly from 0 to 1."""
    exact = [one for one in range(noise.octaves) if noise.scale * 2.0**one <= _MOST_CELLS]
    if exact:
        total = _exact(noise, range(len(exact)), height, grid)
    else:
        total = np.zeros(grid.shape, np.float32)
    for octave, strength in _rest(noise, len(exact)):
        checkpoint()
        finer = Perlin(frequency=noise.scale * 2.0**octave)
        total += finer.sample_grid(grid, seed=_SEED + octave) * np.float32(_SHARE * strength)
    return _spread(total, noise)


def _exact(noise: NodeFractal, octaves: range, height: Field, grid: Grid) -> Field:
    """Return octaves of the shader's noise, worked out at few samples."""
    fine = Level.from_grid(grid)
    scale = min(1.0, (_SIDE - 1) / max(max(grid.shape) - 1, 1))
    rows, columns = (1 + math.ceil((count - 1) * scale) for count in grid.shape)
    coarse = Level(rows, columns, 1.0, 1.0, fine.wrap)
    known = pyramid.subsample(height, fine, coarse) if scale < 1.0 else height
    width = max(grid.shape[0] - (not grid.wrap), grid.shape[1] - (not grid.wrap)) * grid.spacing
    spans = [(count - (not grid.wrap)) * grid.spacing / width for count in grid.shape]
    y, x = (
        ((np.arange(count, dtype=np.float32) / max(count - (not grid.wrap), 1)) - 0.5) * span
        for count, span in zip((rows, columns), spans)
    )
    places = [np.broadcast_to(x, known.shape), np.broadcast_to(y[:, np.newaxis], known.shape)]
    made = np.empty(known.shape, np.float32)
    block = max(1, (1 << 14) // columns)
    for start in range(0, rows, block):
        checkpoint()
        part = slice(start, start + block)
        here = [np.asarray(one[part], np.float32) for one in (*places, known / np.float32(width))]
        made[part] = shader_fractal(here, noise.scale, octaves, noise.roughness)
    return made if scale == 1.0 else pyramid.prolong(made, coarse, fine)
