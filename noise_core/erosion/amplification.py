# SPDX-License-Identifier: GPL-3.0-or-later
"""Detail below the cells of a coarse measurement: roughness, valleys, and ways out of hollows.

References
----------
Benoit B. Mandelbrot, John W. Van Ness (1968). Fractional Brownian motions, fractional noises and
applications. SIAM Review 10. (the roughness exponent)
F. Kenton Musgrave, Craig E. Kolb, Robert S. Mace (1989). The synthesis and rendering of eroded fractal
terrains. SIGGRAPH. (fractals whose roughness differs from place to place)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import power_of, presence_of
from ..base.grid import Grid
from ..flow_routing import descent, incision, outlets, routing
from ..lattice.hash import child_seed
from ..noises.perlin import Perlin
from ..rasters import boxes
from ..rasters.coarse_cells import CoarseCells
from ..rasters.level import Level
from ..rasters.smoothing import smooth, strides
from ..rasters.surroundings import Surroundings
from .stream import detail, limits, process, schedules
from .stream.bending import Bend
from .stream.land_levels import LandLevels

_EXPONENTS = (0.6, 1.1)
"""Roughness exponents that land is believed to have below its cells."""

_LEAST_FIRST = 0.25
"""Share of the measured roughness that the next finer size has at least: of smooth hills nearly nothing is left."""

_AROUND = 2.5
"""Cells; standard deviation of the Gaussian that roughness is smoothed by."""

_RIM = 2
"""Cells at a border that take the roughness of those further inside."""

_DEVIATION = 0.303
"""Standard deviation of Perlin noise with its defaults."""

_COARSEST = 0.5
"""Cells between the samples of the coarsest level on which rivers cut: wider valleys are the land's own."""

_FEWEST = 16
"""Samples that such a level has along its shorter side."""

_STEPS = (6, (2, 1))
"""Of rivers, on the coarsest level and on the finer ones."""

_DURATION = 1.0
_EXPONENT = 0.35
"""How far rivers cut, and the exponent of the drainage area: on slopes as wide as a cell as deep as rills are,
in the beds of large rivers, which are graded, hardly more."""

_STEEPEST = 1.1
"""Rise over run that banks stand at."""

_SMOOTHING = 0.1
_RANDOMNESS = 0.7
_FLATTEST = 1e-3
_DEEPEST_LAKE = 0.04
_LOWEST_SHARE = 0.04
_BURIED = 0.006
"""As the defaults of `StreamErosion`."""

_BANKS = 0.7
"""Depth of the banks beside a cut, compared with the cut: less than 1, for the banks of two add up."""

_BANK_WIDTH = 1.0 / 8.0
"""Width of these banks in cells."""

_SAMPLES = 1 << 16


@dataclass(frozen=True)
class Roughness:
    """Expected roughness of a land below the cells in which it was measured.

    Attributes
    ----------
    amplitude : ndarray of shape (rows, columns), float32
        Root mean square, in meters, of bumps about as wide as a cell.
    persistence : ndarray of shape (rows, columns), float32
        Factor for bumps half as wide.
    """

    amplitude: Field
    persistence: Field

    @classmethod
    def measure(cls, height: Field, cells: CoarseCells) -> Roughness:
        """Extrapolate the roughness of the cells' means, from bumps of two to four and four to eight cells."""
        means = cells.even_means(height)
        narrow = smooth(means, 1, cells.wrap)
        fine = _root_mean_square(means - narrow, cells.wrap)
        wider = _root_mean_square(narrow - smooth(narrow, 2, cells.wrap), cells.wrap)
        ratio = fine / np.maximum(np.maximum(fine, wider), np.float32(1e-30))
        least, most = (np.float32(power_of(0.5, exponent)) for exponent in _EXPONENTS[::-1])
        amplitude = fine * np.clip(ratio, np.float32(_LEAST_FIRST), most)
        persistence = cells.interpolate(np.clip(ratio, least, most))
        # Between cells the cubic overshoots.
        return cls(
            np.maximum(cells.interpolate(amplitude), np.float32(0.0)),
            np.clip(persistence, least, most),
        )


def _root_mean_square(band: Field, wrap: bool) -> Field:
    """Return the root of the mean square around each cell."""
    square = band * band
    if not wrap:  # where land ends a band has been told from what was only supposed to lie beyond
        for axis, count in enumerate(square.shape):
            index = np.arange(count, dtype=np.intp)
            if count > 2 * _RIM:
                np.clip(index, _RIM, count - 1 - _RIM, out=index)
            square = square.take(index, axis=axis)
    cells = Level(len(square), square.shape[1], 1.0, 1.0, wrap)
    result: Field = np.sqrt(boxes.blur(square, cells, _AROUND))
    return result


def rough_ground(
    roughness: Roughness, grid: Grid, size: float, seed: int, progress: Progress
) -> Field:
    """Return bumps from the width of a cell down to that of two samples, as high as is expected.

    Parameters
    ----------
    roughness : Roughness
    grid : Grid
    size : float
        Of a cell, in meters.
    seed : int
        Unsigned, 32 bits.
    progress : callable
        See `blocks.Progress`.

    Returns
    -------
    ndarray of shape (rows, columns), float32
        In meters.
    """
    total = np.zeros(grid.shape, np.float32)
    height = roughness.amplitude * np.float32(1.0 / _DEVIATION)
    octaves = [size * 0.5**number for number in range(_octave_count(grid.spacing, size))]
    for number, width in enumerate(octaves):
        # Each octave has its own seed, so that a coarser grid has the same ones.
        noise = Perlin(frequency=grid.width / width).sample_grid(grid, child_seed(seed, number + 1))
        presence = np.float32(presence_of(grid.spacing / width))

        def add(start: int, stop: int, noise: Field = noise, share: np.float32 = presence) -> None:
            blocks.checkpoint()
            part = noise[start:stop]
            part *= height[start:stop]
            part *= share
            total[start:stop] += part
            height[start:stop] *= roughness.persistence[start:stop]

        blocks.run(add, grid.rows, max(1, _SAMPLES // grid.columns))
        progress((number + 1) / len(octaves))
    return total


def _octave_count(spacing: float, size: float) -> int:
    """Return how many octaves a grid can show, from bumps as wide as a cell on."""
    count = 0
    while presence_of(spacing / (size * 0.5**count)) > 0.0:
        count += 1
    return count


def limit_change(change: Field, most: Field) -> None:
    """Limit a change softly, in place: small ones stay, and none is larger than `most`."""
    tiny = np.float32(1e-30)

    def limit(start: int, stop: int) -> None:
        blocks.checkpoint()
        part, top = change[start:stop], most[start:stop]
        length = part * part
        length += top * top
        length += tiny
        np.sqrt(length, out=length)
        part *= top
        part /= length

    blocks.run(limit, len(change), max(1, _SAMPLES // change.shape[1]))


def carve_valleys(
    ground: Field, level: Level, size: float, amount: float, seed: int, progress: Progress
) -> Field:
    """Return ground with valleys that rivers cut, narrower than cells and joined to those of the land.

    Parameters
    ----------
    ground : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    size : float
        Of a cell, in meters.
    amount : float
        How far they cut; usually 1.
    seed : int
        Unsigned, 32 bits.
    progress : callable
        See `blocks.Progress`.
    """
    levels = [level]
    while levels[-1].coarser().step_x <= _COARSEST * size and min(levels[-1].shape) > _FEWEST:
        levels.append(levels[-1].coarser())
    bases = detail.build_bases(ground, levels)
    span = float(ground.max()) - float(ground.min())
    streams = limits.StreamPowerParams(
        duration=_DURATION * amount,
        exponent=_EXPONENT,
        gentlest=_FLATTEST * span / math.sqrt(level.width * level.depth),
        smoothing=_SMOOTHING,
        sediment=0.0,
        deepest_lake=_DEEPEST_LAKE * span,
        buried=_BURIED * span,
    )
    chance = descent.FlowRandomness(child_seed(seed, 1), _RANDOMNESS)

    def terrain(place: int, wide: Level, bend: Bend | None) -> limits.LevelTerrain:
        fixed = np.zeros(wide.shape, np.bool_)
        if level.wrap:
            picture = bases[place] if bend is None else bend.bend(bases[place])
            fixed = outlets.lowest_cells(picture, _LOWEST_SHARE)
        return limits.LevelTerrain(
            fixed=fixed, is_open=True, randomness=chance, steepest=_STEEPEST, slides=1
        )

    bends = descent.FlowRandomness(child_seed(seed, 2), _RANDOMNESS)
    schedule = schedules.Schedule(*_STEPS, largest=1 << 30)
    around = Surroundings.of(levels[-1], is_open=True)
    land = LandLevels(bases, levels, terrain, around)
    return process.erode(land, streams, schedule, bends, progress).height


def open_hollows(height: Field, level: Level, size: float, most: Field, seed: int) -> Field:
    """Return ground in which hollows are cut through to where their water goes, with gentle banks.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    level : Level
        Of that shape.
    size : float
        Of a cell, in meters.
    most : ndarray of shape (rows, columns), float32
        How deep cuts are at most: a hollow of the land itself may stay one.
    seed : int
        Unsigned, 32 bits.
    """
    span = float(height.max()) - float(height.min())
    chance = descent.FlowRandomness(seed, _RANDOMNESS)
    tree = routing.route(height, level, randomness=chance, deepest_lake=_DEEPEST_LAKE * span)
    nowhere = np.zeros(level.shape, np.bool_)
    cut = incision.cut_through(height.copy(), tree, np.zeros_like(height), nowhere)
    blocks.checkpoint()
    depth = np.minimum(height - cut, most)
    banks = depth
    for stride in strides(_BANK_WIDTH * size / level.step_x):
        banks = smooth(banks, stride, level.wrap)
        banks *= np.float32(2.0)  # what a line loses to both its sides
    banks *= np.float32(_BANKS)
    np.minimum(banks, most, out=banks)
    opened: Field = height - np.maximum(depth, banks)
    return opened
