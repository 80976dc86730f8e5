# SPDX-License-Identifier: GPL-3.0-or-later
"""Land along the border of two plates: belts where they meet, rifts where they part, offsets where they slide.

Places are told by their distance from the border and along it, both in meters.

References
----------
Sean Willett, Christopher Beaumont, Philippe Fullsack (1993). Mechanical model for the tectonics of doubly
vergent compressional orogens. Geology 21. (a gentle and a steep flank)
James Jackson, Dan McKenzie (1983). The geometrical evolution of normal fault systems. Journal of Structural
Geology 5. (blocks that tilt like dominoes)
J. K. Weissel, G. D. Karner (1989). Flexural uplift of rift flanks due to mechanical unloading of the lithosphere
during extension. Journal of Geophysical Research 94. (shoulders)
Paul Mann, Mark R. Hempton, Dwight C. Bradley, Kevin Burke (1983). Development of pull-apart basins. Journal of
Geology 91.
D. R. Faulkner, T. M. Mitchell, E. Jensen, J. Cembrano (2011). Scaling of fault damage zones with displacement and
the implications for fault growth processes. Journal of Geophysical Research 116.
Guillaume Cordonnier, Jean Braun, Marie-Paule Cani, Bedrich Benes, Eric Galin, Adrien Peytavie, Eric Guerin (2016).
Large scale terrain generation from tectonic uplift and fluvial erosion. Computer Graphics Forum 35.
Yann Cortial, Adrien Peytavie, Eric Galin, Eric Guerin (2019). Procedural tectonic planets. Computer Graphics Forum 38.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...lattice.hash import child_seed
from ...noises.perlin import Perlin
from .segments import Segments, scarp

_STEEP = 0.5
"""Width of the steep flank of a belt in that of the gentle one (Willett and others 1993: half to a third)."""

_WAVES = 5.0
"""Folds across the gentle flank of a belt."""

_LIMB = 0.62
"""Share of a fold that its gentle limb takes: folds lean away from the border."""

_WANDER = 0.9
"""How far folds wander along the strike, in folds."""

_LONG = 6.0
"""Length of a fold, in its widths: anticlines of the Zagros are five to ten times as long as wide."""

_FAULTS = ((1.0, 0.5), (0.72, 0.3), (0.45, 0.2))
"""Of each side of a rift: distance from the axis in half its width, and share of the depth."""

_BLOCK = 0.25
"""Width of a tilted block, in half the width of the rift."""

_TILT = 0.45
"""Share of its throw that a block's tilt gives back: dominoes keep their mean height (Jackson and McKenzie 1983)."""

_STRAY = 0.1
"""How far segments of a fault lie from its mean place, in half the width of a rift."""

_SHOULDER = 0.15
"""Height of a rift's shoulders, as a share of its depth: the Rift Valley's and Baikal's are a tenth to a fifth."""

_BASIN = 0.35
"""Depth of pull-apart basins, as a share of that of rifts, and their half width in that of these."""

_SHEARED = 0.2
"""Width of the zone of a sliding border in which the land is sheared, in slips: what they offset is no step between two
samples then. Zones of crushed rock grow with the slip, to hundreds of meters (Faulkner and others 2011)."""

_TINY = 1e-6
"""Least width of that zone in that of the border: no slip may be so short that its inverse overflows."""

_ONE = np.float32(1.0)
_ZERO = np.float32(0.0)


@dataclass(frozen=True)
class BorderScale:
    """Sizes that all borders of a land share, in meters.

    Attributes
    ----------
    width : float
        Of the gentle flank of a belt, and of a rift with its shoulders.
    uplift : float
        Height of a belt where plates meet head on at full speed.
    folds : float
        Height of the folds on it.
    rift : float
        Depth of a rift where plates part likewise.
    slip : float
        How far plates slide past each other likewise.
    """

    width: float
    uplift: float
    folds: float
    rift: float
    slip: float


@dataclass(frozen=True)
class Border:
    """The border of two plates.

    Attributes
    ----------
    scale : BorderScale
    closing : float
        How fast they meet, from -1, where they part at full speed, to 1.
    sliding : float
        How fast the plate at positive distances slides backward along the border past the other one, from -1 to 1.
    side : float
        1 if the gentle flank of a belt lies at positive distances, else -1.
    seed : int
    """

    scale: BorderScale
    closing: float
    sliding: float
    side: float
    seed: int

    def rise(self, across: Field, along: Field) -> Field:
        """Return how far the land rises, in meters; it sinks where that is negative.

        Parameters
        ----------
        across, along : ndarray of shape (n,), float32
            Distance from the border, and along it.
        """
        if self.closing > 0.0:
            total = self._belt(across, along)
        elif self.closing < 0.0:
            total = self._rift(across, along)
        else:
            total = np.zeros_like(across)
        if self.sliding != 0.0:
            total += self._basins(across, along)
        return total

    def displacement(self, across: Field) -> Field:
        """Return how far the land is moved along the border, in meters; it differs by the slip across its zone."""
        share = _fade(across, self.scale.width)
        share *= share
        sheared = max(_SHEARED * self.scale.slip, _TINY * self.scale.width)
        side = across * np.float32(-1.0 / sheared)
        share *= np.clip(side, np.float32(-0.5), np.float32(0.5), out=side)
        share *= np.float32(self.scale.slip * self.sliding)
        return share

    def _belt(self, across: Field, along: Field) -> Field:
        outward = across * np.float32(self.side)
        width = self.scale.width
        widths = np.where(
            outward > 0.0, np.float32(1.0 / width), np.float32(-1.0 / (_STEEP * width))
        )
        share = np.minimum(outward * widths, _ONE)
        total: Field = _ONE - share * share
        total *= total
        total *= np.float32(self.scale.uplift * self.closing)
        if self.scale.folds > 0.0:
            total += self._folds(outward, share, along)
        return total

    def _folds(self, outward: Field, share: Field, along: Field) -> Field:
        """Return the height of folds; there are none at the border and beyond the belt."""
        length = self.scale.width / _WAVES
        number = outward * np.float32(1.0 / length)
        strike = along * np.float32(1.0 / (_LONG * length))
        noise = Perlin(frequency=1.0)
        wander = noise.sample(
            np.stack((strike, number * np.float32(0.2)), axis=-1), child_seed(self.seed, 1)
        )
        number += wander * np.float32(_WANDER)
        fold = np.floor(number)
        number -= fold
        wave: Field = smooth_step(
            np.minimum(
                number * np.float32(1.0 / _LIMB), (_ONE - number) * np.float32(1.0 / (1.0 - _LIMB))
            )
        )
        # Each fold has a life of its own along the strike: rows of noise far apart.
        rows = np.stack((strike * np.float32(1.4), fold * np.float32(7.31)), axis=-1)
        wave *= np.clip(
            noise.sample(rows, child_seed(self.seed, 2)) * np.float32(1.2) + np.float32(0.6),
            _ZERO,
            _ONE,
        )
        complement = _ONE - share
        wave *= share * complement * complement * np.float32(6.75)  # 1 a third of the way down
        wave *= np.float32(self.scale.folds * self.closing)
        return wave

    def _rift(self, across: Field, along: Field) -> Field:
        depth = -self.closing * self.scale.rift
        total = np.zeros_like(across)
        if depth == 0.0:
            return total
        half = 0.5 * self.scale.width
        distance = np.abs(across)
        shoulder = _fade(np.maximum(distance - np.float32(half), _ZERO), half)
        shoulder *= shoulder
        total += shoulder * np.float32(_SHOULDER * depth)
        # Both sides have faults of their own: one lies far along the strike of the other.
        strike = np.where(across > 0.0, along, along + np.float32(1000.0 * half))
        for number, (place, share) in enumerate(_FAULTS):
            throw = (1.0 + _SHOULDER) * depth * share
            segments = Segments((1.6 + 0.4 * number) * half, child_seed(self.seed, 3 + number))
            for part, chance in segments.shares(strike):
                beyond = chance * np.float32(_STRAY * half)
                beyond += np.float32(place * half)
                beyond -= distance
                part *= _step_down(beyond, throw, half)
                total -= part
        return total

    def _basins(self, across: Field, along: Field) -> Field:
        """Return the basins, and the ridges, where segments of a strike-slip fault step aside."""
        segments = Segments(2.0 * self.scale.width, child_seed(self.seed, 9))
        (first, side), (second, _) = segments.shares(along)
        near = _fade(across, _BASIN * 0.5 * self.scale.width)
        near *= near
        near *= first * second * np.float32(4.0)
        # Steps to one side open, those to the other are squeezed.
        near *= np.where(side > 0.0, np.float32(-1.0), np.float32(0.4))
        near *= np.float32(_BASIN * self.scale.rift * abs(self.sliding))
        return near


def _step_down(beyond: Field, throw: float, half: float) -> Field:
    """Return how far a block lies below its neighbor: most at the fault, since it tilts towards it."""
    most = (1.0 + _TILT) * throw
    down = scarp(beyond, most)
    down *= np.float32(most)
    beyond *= np.float32(1.0 / (_BLOCK * half))
    np.clip(beyond, _ZERO, _ONE, out=beyond)
    beyond *= np.float32(_TILT * throw)
    down -= beyond
    return down


def _fade(distance: Field, width: float) -> Field:
    """Return 1 at a line, and 0 from so many meters on to either side."""
    share = np.abs(distance)
    share *= np.float32(-1.0 / width)
    share += _ONE
    return np.maximum(share, _ZERO, out=share)
