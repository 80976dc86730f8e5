# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of the ground with their frictions, and where each one lies."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field

Indices = npt.NDArray[np.uint8]
"""Places in a list of at most 256."""


@dataclass(frozen=True)
class GroundMaterial:
    """A material of the ground.

    Attributes
    ----------
    name : str
        Of the layer.
    friction : float
        At which bodies begin to slip.
    sliding_friction : float
        While they slip.
    share : float
        Of the samples, from 0 to 1.
    """

    name: str
    friction: float
    sliding_friction: float
    share: float = 0.0


@dataclass(frozen=True, eq=False)
class GroundCover:
    """Materials on samples of a land.

    Attributes
    ----------
    materials : tuple of GroundMaterial
        The lowest first; some may lie nowhere.
    top : ndarray of shape (rows, columns), uint8
        Place of each sample's material among them, row 0 at the smallest y.
    """

    materials: tuple[GroundMaterial, ...]
    top: Indices

    @classmethod
    def of(cls, materials: Iterable[GroundMaterial], top: Indices) -> GroundCover:
        """Return the cover of materials, whose shares are those that they have of the samples."""
        available = tuple(materials)
        counts = np.bincount(top.ravel(), minlength=len(available)).tolist()
        return cls(
            tuple(
                replace(material, share=count / top.size)
                for material, count in zip(available, counts)
            ),
            top,
        )

    def window(self, rows: slice, columns: slice) -> GroundCover:
        """Return the cover of a part; the shares, and so the mean, stay those of the whole land."""
        return replace(self, top=self.top[rows, columns])

    @property
    def mean(self) -> GroundMaterial:
        """All materials as one: their frictions, weighted by shares."""
        # Python's own sum of floats depends on its version.
        friction = math.fsum(material.share * material.friction for material in self.materials)
        sliding = math.fsum(
            material.share * material.sliding_friction for material in self.materials
        )
        return GroundMaterial("", friction, sliding, 1.0)

    @property
    def friction(self) -> Field:
        """The friction at each sample, float32."""
        return np.array([material.friction for material in self.materials], np.float32)[self.top]

    def triangles(self, row: int) -> Indices:
        """Return the materials of the triangles between a row of samples and the next.

        Each cell is cut from its south-west to its north-east corner, and its southern triangle comes
        first. A triangle has the material of at least two of its corners; of three different ones that
        between the others.

        Returns
        -------
        ndarray of shape (2 (columns - 1),), uint8
        """
        (a, b), (c, d) = ((line[:-1], line[1:]) for line in self.top[row : row + 2])
        low, high = np.minimum(a, d), np.maximum(a, d)
        pair = [np.clip(third, low, high) for third in (b, c)]
        return np.stack(pair, axis=-1).ravel()
