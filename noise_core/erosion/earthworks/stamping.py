# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored heights pressed on a land: moved, turned and scaled, and blended with the ground toward their outline.

References
----------
Lance Williams (1983). Pyramidal parametrics. SIGGRAPH. (smoothing pixels that are finer than samples)

John W. Tukey (1977). Exploratory data analysis. Addison-Wesley. (twicing)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...base import blending, blocks
from ...base.arrays import Field
from ...base.elementary import cosine_sine_of, smooth_step
from ...noises.raster import Raster
from ...rasters import boxes
from ...rasters.level import Level

if TYPE_CHECKING:
    from .placement import Placement

_FRACTION = float(1 << 20)
"""Parts of a sample that centers lie on: whole numbers of samples are added to them without rounding."""

_SAMPLES = 1 << 15
"""Samples of a block: it stays in the cache."""

_SMOOTHED = 0.6
"""Standard deviation of the smoothing of pixels much finer than samples, in samples."""

Offsets = npt.NDArray[np.float64]


@dataclass(frozen=True)
class StampLaw:
    """How imprints are blended with the ground.

    Attributes
    ----------
    mode : str
        One of `blending.OPTIONS`. The heights of *add* stand on the ground, others on that of the imprint.
    smoothness : float
        Blend distance in meters.
    is_round : bool
        Whether the outline is an ellipse; else it is the border of the pixels.
    falloff : float
        Share of the way from the outline to the center on which an imprint fades in.
    """

    mode: str
    smoothness: float
    is_round: bool
    falloff: float


@dataclass(frozen=True, eq=False)
class Imprint:
    """Stored heights at one place of a land.

    Attributes
    ----------
    pixels : ndarray of shape (rows, columns), float32
        As smooth as the samples of the land need it.
    x, y : float
        Center in samples of the world.
    cosine, sine : float
        Of the turn.
    half_x, half_y : float
        Half width and half depth in samples, below 0 if mirrored.
    z, rise : float
        Height of a pixel of 0, and of one of 1 above that, in meters.
    """

    pixels: Field
    x: float
    y: float
    cosine: float
    sine: float
    half_x: float
    half_y: float
    z: float
    rise: float

    def spans(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the first and last row and column of the samples within its border."""
        across = abs(self.cosine * self.half_x) + abs(self.sine * self.half_y)
        along = abs(self.sine * self.half_x) + abs(self.cosine * self.half_y)
        return (self.y - along, self.y + along), (self.x - across, self.x + across)


def imprints(
    pixels: Field, width: float, height: float, placements: Sequence[Placement], level: Level
) -> tuple[Imprint, ...]:
    """Return stored heights at all their places on a land.

    Parameters
    ----------
    pixels : ndarray of shape (rows, columns), float32
    width, height : float
        Width in samples, and meters of a pixel of 1, at scale 1.
    placements : sequence of Placement
    level : Level
        The whole land.
    """
    smoothed: dict[tuple[float, float], Field] = {}
    return tuple(_imprint(pixels, width, height, each, level, smoothed) for each in placements)


def _imprint(
    pixels: Field,
    width: float,
    height: float,
    placement: Placement,
    level: Level,
    smoothed: dict[tuple[float, float], Field],
) -> Imprint:
    rows, columns = pixels.shape
    scale_x, scale_y, scale_z = placement.scale
    pitch = width / max(columns - 1, 1)
    pitches = (pitch * abs(scale_x), pitch * abs(scale_y))
    if pitches not in smoothed:
        smoothed[pitches] = _smooth(pixels, *pitches)
    down, right = level.shift
    x, y = (
        round((at * level.steps_per_tile - shift) * _FRACTION) / _FRACTION
        for at, shift in zip(placement.at, (right, down))
    )
    cosine, sine = cosine_sine_of(placement.rotation)
    half = 0.5 * pitch
    halves = (half * max(columns - 1, 1) * scale_x, half * max(rows - 1, 1) * scale_y)
    rise = height * scale_z
    return Imprint(smoothed[pitches], x, y, cosine, sine, *halves, placement.z, rise)


def _smooth(pixels: Field, pitch_x: float, pitch_y: float) -> Field:
    """Return pixels, so many samples apart, without the detail that samples farther apart would tear.

    Smoothed twice as in Tukey's twicing, 2 G - G G, which keeps the height of all that is wider than some samples.
    """
    pitch = min(pitch_x, pitch_y)
    if pitch >= 1.0 or pitch <= 0.0:
        return pixels
    deviation = _SMOOTHED * math.sqrt(1.0 - pitch * pitch)
    rows, columns = pixels.shape
    level = Level(rows, columns, pitch_y, pitch_x, False)
    soft = boxes.blur(pixels, level, deviation)
    return soft + (soft - boxes.blur(soft, level, deviation))


def press(height: Field, level: Level, imprint: Imprint, law: StampLaw) -> None:
    """Blend an imprint with the ground of a part of a land.

    Parameters
    ----------
    height : ndarray of shape level.shape, float32
        Of the ground in meters; takes the result.
    level : Level
    imprint : Imprint
    law : StampLaw
    """
    if imprint.half_x == 0.0 or imprint.half_y == 0.0:
        return
    spans = imprint.spans()
    source = Raster(pixels=imprint.pixels, edge="clamp")
    for copy in level.copies(*spans):
        windows, offsets = [], []
        for axis, center in enumerate((imprint.y, imprint.x)):
            begin = level.first[axis] + level.begin[axis] - copy[axis]
            low, high = spans[axis]
            first = max(math.ceil(low) - begin, 0)
            stop = min(math.floor(high) + 1 - begin, level.shape[axis])
            windows.append(slice(first, max(stop, first)))
            numbers = np.arange(first, max(stop, first), dtype=np.float64)
            offsets.append(numbers + (begin - center))
        _press_window(height[windows[0], windows[1]], offsets[0], offsets[1], source, imprint, law)


def _press_window(
    ground: Field, down: Offsets, along: Offsets, source: Raster, imprint: Imprint, law: StampLaw
) -> None:
    """Blend an imprint with the ground around its center; offsets from there are in samples."""
    if not ground.size:
        return
    rows, columns = imprint.pixels.shape
    depth = max(rows - 1, 1) / max(columns - 1, 1)

    def work(start: int, stop: int) -> None:
        blocks.checkpoint()
        y = down[start:stop, np.newaxis]
        u = (imprint.cosine * along + imprint.sine * y) * (1.0 / imprint.half_x)
        v = (imprint.cosine * y - imprint.sine * along) * (1.0 / imprint.half_y)
        share = _fade(u, v, law)
        where = share > 0.0
        if not where.any():
            return
        places = (0.5 * u[where] + 0.5, (0.5 * v[where] + 0.5) * depth)
        upper = source.values(places, 0, None)
        upper *= np.float32(imprint.rise)
        if law.mode != "add":
            upper += np.float32(imprint.z)
        part = ground[start:stop]
        lower, weight = part[where], share[where].astype(np.float32)
        blended = blending.blend(law.mode, lower, upper, law.smoothness)
        blended -= lower
        blended *= weight
        part[where] = lower + blended

    blocks.run(work, len(ground), max(1, _SAMPLES // ground.shape[1]))


def _fade(u: Offsets, v: Offsets, law: StampLaw) -> Offsets:
    """Return how far an imprint has faded in, from 0 at its outline to 1, at places from -1 to 1."""
    width = max(law.falloff, 1e-9)
    if law.is_round:
        inward = [1.0 - np.sqrt(u * u + v * v)]
    else:
        inward = [1.0 - np.abs(u), 1.0 - np.abs(v)]
    shares = [smooth_step(np.clip(each * (1.0 / width), 0.0, 1.0)) for each in inward]
    share: Offsets = shares[0] if law.is_round else shares[0] * shares[1]
    return share
