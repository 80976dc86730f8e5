# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults in segments along their strike, and the ramp of a scarp.

A fault is no single break: segments overlap, each one's throw dies out at its tips where its neighbor's grows,
and ramps lead down between them. Two sets of segments take turns here, whose shares add up to 1, so that
the land beyond both has the whole throw.

References
----------
J. J. Walsh, J. Watterson (1988). Analysis of the relationship between displacements and dimensions of faults.
Journal of Structural Geology 10. (throw along strike)
J. G. Larsen (1988). Relay structures in Lower Permian basement-involved fault systems, East Greenland. Journal
of Structural Geology 10. (overlapping segments)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.elementary import smooth_step
from ...lattice.hash import hash_indices

DIP = 1.7320508075688772
"""Rise over run of a young normal fault's scarp: 60 degrees (Anderson 1951)."""

_ONE = np.float32(1.0)

_LOWEST = 1e-20
"""Throws below it count as that: their scarps have a width that float32 can divide by."""


@dataclass(frozen=True)
class Segments:
    """Segments of a fault.

    Attributes
    ----------
    length : float
        Of a segment, in meters; the next one begins halfway.
    seed : int
    """

    length: float
    seed: int

    def shares(self, along: Field) -> tuple[tuple[Field, Field], tuple[Field, Field]]:
        """Return the share of the throw that each of two sets has, and a random number of its segment.

        Parameters
        ----------
        along : ndarray of shape (n,), float32
            Place along the strike, in meters.

        Returns
        -------
        tuple of two pairs of ndarrays of that shape, float32
            From 0 to 1, adding up to 1; and from -1 to 1.
        """
        place = along * np.float32(1.0 / self.length)
        share = _hat(place)
        shifted = place + np.float32(0.5)
        return (
            (share, self._chance(place, 0)),
            (_ONE - share, self._chance(shifted, 1)),
        )

    def _chance(self, place: Field, which: int) -> Field:
        number = np.floor(place).astype(np.int32)
        bits = hash_indices([number, np.full_like(number, which)], self.seed).astype(np.float32)
        bits *= np.float32(2.0**-31)
        bits -= _ONE
        return bits


def _hat(place: Field) -> Field:
    """Return 0 at whole numbers and 1 halfway between them."""
    within = place - np.floor(place)
    within *= np.float32(2.0)
    within -= _ONE
    np.abs(within, out=within)
    np.subtract(_ONE, within, out=within)
    hat: Field = smooth_step(within)
    return hat


def scarp(beyond: Field, throw: float) -> Field:
    """Return the share of a throw that lies above a place: 0 before the scarp, 1 behind it.

    Parameters
    ----------
    beyond : ndarray, float32
        Distance from the upper edge of the scarp, in meters.
    throw : float
        In meters, above 0: the scarp is as wide as its dip lets it be.
    """
    share = beyond * np.float32(DIP / max(throw, _LOWEST))
    return np.clip(share, np.float32(0.0), _ONE, out=share)
