# SPDX-License-Identifier: GPL-3.0-or-later
"""Affine maps of a noise's domain: a rotation, a scale and a shift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.arrays import Points
from ..base.elementary import cosine_sine_of, power_of
from ..base.grid import Axes
from ..base.torus import apply_matrix, multiply

if TYPE_CHECKING:
    from ..base.torus import Matrix, Torus

Offset = tuple[float, float, float, float]
"""A shift along four axes."""


@dataclass(frozen=True)
class Affine:
    """A linear map of x and y, a scale of the axes beyond, and a shift of all.

    Attributes
    ----------
    matrix : Matrix
        Applied to (x, y).
    scale : float
        Applied to z and w.
    offset : tuple of four floats
        Added at the end.
    """

    matrix: Matrix
    scale: float
    offset: Offset

    @classmethod
    def from_rotation(cls, scale: float, degrees: float, offset: Offset) -> Affine:
        """Return a uniform scale with a rotation of x and y."""
        if degrees == 0.0:
            return cls(((scale, 0.0), (0.0, scale)), scale, offset)
        cosine, sine = (scale * part for part in cosine_sine_of(degrees))
        return cls(((cosine, -sine), (sine, cosine)), scale, offset)

    @property
    def is_shift(self) -> bool:
        """Whether the map shifts points and does nothing else."""
        return self.scale == 1.0 and self.matrix == ((1.0, 0.0), (0.0, 1.0))

    def points(self, points: Points) -> Points:
        """Return points after the map, in their own dtype."""
        if self.is_shift:
            moved = list(points)
            for number, (axis, shift) in enumerate(zip(points, self.offset)):
                if shift:
                    moved[number] = axis + axis.dtype.type(shift)
            return tuple(moved)
        plane = apply_matrix(self.matrix, points[:2])
        moved = [*plane, *(multiply(axis, self.scale) for axis in points[2:])]
        for axis, shift in zip(moved, self.offset):
            if shift:
                axis += axis.dtype.type(shift)
        return tuple(moved)

    def torus(self, torus: Torus | None) -> Torus | None:
        """Return the torus in the mapped coordinates."""
        return None if torus is None else torus.through(self.matrix)

    def axes(self, axes: Axes) -> Axes | None:
        """Return the axes after the map, or None unless they still rise along the grid's."""
        (xx, xy), (yx, yy) = self.matrix
        if xy != 0.0 or yx != 0.0 or min(xx, yy) < 0.0:
            return None
        fixed = tuple(
            value * self.scale + shift for value, shift in zip(axes.rest, self.offset[2:])
        )
        x = axes.x * xx + self.offset[0]
        y = axes.y * yy + self.offset[1]
        step = axes.step * max(abs(xx), abs(yy))
        along, across = axes.steps
        steps = (along.transform(yy, self.offset[1]), across.transform(xx, self.offset[0]))
        return Axes(x, y, fixed, self.torus(axes.torus), step, axes.first, steps)


def repeated_offset(scale: float, degrees: float, shift: float, times: int) -> Offset:
    """Return the offset of a map that scales, turns x and y, and then shifts all axes, done several times."""
    x = y = beyond = 0.0
    for turn in range(times):
        factor = power_of(scale, turn)
        cosine, sine = cosine_sine_of(degrees * turn)
        x += shift * factor * (cosine - sine)
        y += shift * factor * (sine + cosine)
        beyond += shift * factor
    return (x, y, beyond, beyond)
