# SPDX-License-Identifier: GPL-3.0-or-later
"""Impact craters of a planet without air: numbers by size, shapes, and bright rays of young ones.

Sizes follow the law that holds where craters cannot become denser, since each one destroys older ones: on a Moon
there are ``10^-1.33 D^-1.83`` craters of D kilometers and more to a square kilometer. Diameters are the
law's own at the ranks 1, 2, 3 and so on, so that a finer sphere has the same craters, and smaller ones besides.

References
----------
W. K. Hartmann (1984). Does crater "saturation equilibrium" occur in the solar system? Icarus 60, 56-74.
    (numbers by size)
R. J. Pike (1977). Size-dependence in the shape of fresh impact craters on the Moon. (depths and heights of rims)
T. R. McGetchin, M. Settle, J. W. Head (1973). Radial thickness variation in impact crater ejecta.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field
from ...base.elementary import circle, power_of, smooth_step
from ...lattice.hash import child_seed, hash_indices
from ...noises.perlin import Perlin
from .cube_sphere import AXES, CubeSphere

Numbers = npt.NDArray[np.float64]

MOON = 1737.4
"""Kilometers: craters of all planets are those of a Moon, drawn larger or smaller."""

COUNT, EXPONENT = power_of(10.0, -1.33), 1.83
"""Hartmann's numbers: craters of 1 km and more to a square kilometer, and the power by which larger are fewer."""

LARGEST = 900.0
"""Kilometers: larger basins would be the planet's shape."""

FINEST = 4.0
"""Diameter of the smallest craters in edges of a face of the mesh."""

TRUE_RELIEF = 0.01
"""Relief at which craters are as deep as the Moon's: noise of that strength is as high as its mountains."""

_EJECTA_END = 2.2
"""Radii at which ejecta end."""

_YOUNG = 0.08
"""Share of craters that are young enough to have rays."""

_RAY_END = 9.0
"""Radii at which rays end."""

_LARGEST_RAYED, _SMALLEST_RAYED = 120.0, 25.0
"""Kilometers between which young craters have rays that are seen from space."""

_WIDE = 0.3
"""Reach in radii of the planet beyond which whole faces are looked at."""

_BEHIND = 0.3
"""Cosine to the outward axis of a face from which on places are told from one another by their tangents."""


@dataclass(frozen=True)
class PlanetImpacts:
    """Craters in the order in which they were made: arrays of shape (n,), centers of shape (n, 3).

    Attributes
    ----------
    center : ndarray
        Unit vectors.
    diameter : ndarray
        In kilometers on a Moon.
    age : ndarray
        From 1 (the oldest) to 0.
    """

    center: Numbers
    diameter: Numbers
    age: Numbers


def impacts(density: float, smallest: float, seed: int) -> PlanetImpacts:
    """Return the craters of a planet.

    Parameters
    ----------
    density : float
        1 for as many as the law has, fewer in proportion.
    smallest : float
        Smallest diameter in kilometers on a Moon.
    seed : int

    Examples
    --------
    The number grows by the power of the law, and the largest stay:

    >>> from noise_core.landscapes.planets.impacts import impacts
    >>> few, many = impacts(0.5, 100.0, 1), impacts(0.5, 50.0, 1)
    >>> round(len(many.age) / len(few.age), 1), bool(few.diameter.max() == many.diameter.max())
    (3.6, True)
    """
    total = density * COUNT * 4.0 * math.pi * MOON**2
    first, last = (int(total * power_of(size, -EXPONENT)) for size in (LARGEST, smallest))
    ranks = np.arange(first + 1, max(last, first) + 1, dtype=np.int32)
    sizes = [power_of(total / rank, 1.0 / EXPONENT) for rank in ranks.tolist()]
    diameter = np.array(sizes, np.float64)
    height, turn, time = (
        (hash_indices((ranks,), child_seed(seed, word)).astype(np.float64) + 0.5) * 2.0**-32
        for word in (1, 2, 3)
    )
    z = 2.0 * height - 1.0
    level = np.sqrt(1.0 - z * z)
    cosine, sine = circle(360.0 * turn)
    center = np.stack((cosine * level, sine * level, z), axis=1)
    order = np.argsort(time, kind="stable")
    return PlanetImpacts(center[order], diameter[order], 1.0 - time[order])


def smallest_crater(cells: int) -> float:
    """Return the smallest diameter, in kilometers on a Moon, that a sphere with so many cells along a face shows."""
    return FINEST * MOON * 0.5 * math.pi / cells


def strike(
    height: Field, sphere: CubeSphere, directions: Field, relief: float, craters: PlanetImpacts
) -> tuple[Field, Field]:
    """Return ground with craters, and the rays of young ones.

    Parameters
    ----------
    height : ndarray of shape (vertices,), float32
        In radii of the planet, above its sphere.
    sphere : CubeSphere
    directions : ndarray of shape (vertices, 3), float32
        Unit vectors.
    relief : float
        See `TRUE_RELIEF`: craters of another relief are deeper or flatter in proportion.
    craters : PlanetImpacts

    Returns
    -------
    height, rays : ndarray of shape (vertices,), float32
        Rays are 1 where the ground is as bright as it gets, 0 outside them.
    """
    ground, bright = height[sphere.index], np.zeros(sphere.index.shape, np.float32)
    faces = directions[sphere.index]
    for number in range(len(craters.age)):
        blocks.checkpoint()
        crater = _Crater(craters, number, relief / TRUE_RELIEF)
        for window in _windows(sphere.cells, crater.center, crater.reach):
            crater.dig(ground[window], bright[window], faces[window])
    struck, rays = np.empty_like(height), np.empty_like(height)
    struck[sphere.index], rays[sphere.index] = ground, bright
    return struck, rays


class _Crater:
    """One crater, as it is drawn into the windows of faces; lengths are in radii of the planet."""

    def __init__(self, craters: PlanetImpacts, number: int, steeper: float) -> None:
        kilometers, age = float(craters.diameter[number]), float(craters.age[number])
        self.number, self.center = number, craters.center[number]
        self.radius = 0.5 * kilometers / MOON
        is_seen = _SMALLEST_RAYED <= kilometers <= _LARGEST_RAYED
        self.brightness = 1.0 - age / _YOUNG if age < _YOUNG and is_seen else 0.0
        self.reach = self.radius * (_RAY_END if self.brightness > 0.0 else _EJECTA_END)
        depth, rim = _shape(kilometers)
        fresh = 1.0 - 0.8 * age
        self.depth, self.rim = (steeper / MOON * size * fresh for size in (depth, rim * fresh))
        complexity = min(1.0, max(0.0, (kilometers - 15.0) / 120.0))
        self.floor = 0.25 + 0.5 * complexity
        self.peak = 0.18 if 15.0 < kilometers < 180.0 else 0.0

    def dig(self, ground: Field, bright: Field, directions: Field) -> None:
        """Draw the crater into a window of a face, and its rays: the arrays change."""
        x, y, z = (np.float32(part) for part in self.center)
        cosine = directions[..., 0] * x
        cosine += directions[..., 1] * y
        cosine += directions[..., 2] * z
        # The squared chord is true near the middle, where the arc's cosine has lost its digits.
        squared = np.maximum(np.float32(2.0) - np.float32(2.0) * cosine, np.float32(0.0))
        away = np.sqrt(squared) * np.float32(1.0 / self.radius)
        if not (away < _EJECTA_END).any():
            self._brighten(bright, away, directions)
            return
        inside = away < 1.0
        level = float(ground[inside].mean(dtype=np.float64)) if inside.any() else 0.0
        cover = np.clip((_EJECTA_END - away) * (1.0 / (_EJECTA_END - 1.0)), 0.0, 1.0)
        cover *= cover * cover
        # Within the rim nothing of the older ground is left but its level; ejecta cover it outside.
        ground += np.where(inside, np.float32(0.9) * (np.float32(level) - ground), 0.0)
        ground += np.where(inside, self._bowl(away), np.float32(self.rim) * cover)
        bright *= 1.0 - np.where(inside, 1.0, cover)
        self._brighten(bright, away, directions)

    def _bowl(self, away: Field) -> Field:
        """Return the height within the rim over the ground before: wall, floor and peak."""
        wall = smooth_step(np.clip((away - self.floor) * (1.0 / (1.0 - self.floor)), 0.0, 1.0))
        peak = smooth_step(np.clip(1.0 - away * (1.0 / 0.22), 0.0, 1.0)) * np.float32(self.peak)
        bowl: Field = (self.rim - self.depth) + self.depth * (wall + peak)
        return bowl.astype(np.float32)

    def _brighten(self, bright: Field, away: Field, directions: Field) -> None:
        """Draw the rays of a young crater: streaks that lead away from it, and a halo."""
        if self.brightness <= 0.0:
            return
        aside = directions - self.center.astype(np.float32)
        around = aside / np.maximum(away * self.radius, 1e-9)[..., np.newaxis]
        streaks = Perlin(frequency=2.6).sample(around.astype(np.float32), seed=self.number)
        streaks += 0.5 * Perlin(frequency=7.0).sample(around.astype(np.float32), seed=self.number)
        fading = np.clip((_RAY_END - away) * (1.0 / _RAY_END), 0.0, 1.0)
        narrow = np.float32(0.5) - np.float32(0.55) * fading
        rays = np.clip((streaks - narrow) * 4.0, 0.0, 1.0) * fading * fading
        halo = np.clip((2.4 - away) * (1.0 / 1.4), 0.0, 1.0)
        np.maximum(bright, np.float32(self.brightness) * np.maximum(rays, halo), out=bright)


def _shape(kilometers: float) -> tuple[float, float]:
    """Return depth and height of the rim of a fresh crater, in kilometers (Pike, 1977)."""
    if kilometers < 11.0:
        return 0.196 * power_of(kilometers, 1.010), 0.036 * power_of(kilometers, 1.014)
    return 1.044 * power_of(kilometers, 0.301), 0.236 * power_of(kilometers, 0.399)


def _windows(cells: int, center: Numbers, reach: float) -> Iterator[tuple[int, slice, slice]]:
    """Yield the windows of faces, as a face, its rows and its columns, that a crater may reach."""
    for face, (outward, across, up) in enumerate(AXES):
        ahead = center[outward[0]] * outward[1]
        # No place of a face lies farther from its middle than 54.8 degrees.
        if ahead < 0.577 - reach:
            continue
        if ahead < _BEHIND or reach > _WIDE:
            yield face, slice(None), slice(None)
            continue
        spans = []
        for axis, way in (up, across):
            angle = math.degrees(math.atan(center[axis] * way / ahead))
            wide = math.degrees(reach) * 2.0
            low, high = ((angle + side * wide + 45.0) / 90.0 * cells for side in (-1.0, 1.0))
            spans.append(slice(max(0, math.floor(low)), min(cells, math.ceil(high)) + 1))
        if all(span.start < span.stop for span in spans):
            yield face, spans[0], spans[1]
