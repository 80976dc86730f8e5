# SPDX-License-Identifier: GPL-3.0-or-later
"""Volumes of ground that paths cut away and pile up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.grid import Grid


@dataclass(frozen=True)
class Volumes:
    """Volumes of earthworks in cubic meters.

    Attributes
    ----------
    cut, fill : float
        Of cuttings, and of embankments.
    """

    cut: float
    fill: float

    @classmethod
    def of(cls, maps: Mapping[str, Field], grid: Grid) -> Volumes | None:
        """Return the volumes of the maps that paths have made; None without any.

        Samples at borders count half, as those of a grid that does not wrap stand for half as much ground.

        Parameters
        ----------
        maps : mapping of str to ndarray of shape grid.shape, float32
        grid : Grid

        Examples
        --------
        >>> import numpy as np
        >>> from noise_core import Grid
        >>> from noise_core.erosion.earthworks.volumes import Volumes
        >>> ones = np.ones((11, 11), np.float32)
        >>> Volumes.of({"cut": ones, "fill": 2.0 * ones}, Grid(11, 11, size=100.0))
        Volumes(cut=10000.0, fill=20000.0)
        """
        if "cut" not in maps or "fill" not in maps:
            return None
        rows, columns = (_weights(count, is_round=grid.wrap) for count in grid.shape)
        area = grid.spacing * grid.spacing
        cut, fill = (
            area * float((rows[:, np.newaxis] * maps[name] * columns).sum())
            for name in ("cut", "fill")
        )
        return cls(cut, fill)


def _weights(count: int, *, is_round: bool) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    weights = np.ones(count)
    if not is_round and count > 1:
        weights[[0, -1]] = 0.5
    return weights
