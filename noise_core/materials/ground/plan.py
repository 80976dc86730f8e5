# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a land's colors: its palette, its layers, and the water that is painted over it."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.blocks import Cancel
from ...base.grid import Grid
from ...flow_routing import water_levels as levels
from ..colors import COVERS, LAYERS, Landscape
from .measures import GroundMeasures

_NONE = np.zeros((), np.float32)
"""Depth of water where a land has no map of it."""


@dataclass(frozen=True)
class GroundPlan:
    """Colors of a land: its landscape, layers, sea and lakes.

    Attributes
    ----------
    landscape : Landscape
        Colors and limits.
    layers : tuple of str
        Those that show, the lowest first; none for the landscape's ramp by height.
    sea : float or None
        Level of the sea in meters: ground below does not count as relief, beaches lie above.
    painted : float or None
        Level below which water is painted.
    has_lakes : bool
        Whether water is painted where lakes are.
    rivers : float or None
        Share of the land that the smallest river drains: then lakes are those of a mesh of water, which
        stand where erosion has left them and where rivers cross hollows. None paints the depth of the
        map `lake`, as a terrain material does.
    measures : GroundMeasures or None
        Measures in which limits count; those of the land itself if not given.

    Examples
    --------
    >>> from noise_core.landscapes.look import Look
    >>> from noise_core.pictures.thumbnail import plan_of
    >>> plan = plan_of(Look(palette="alpine"))
    >>> plan.landscape.label, plan.has_lakes
    ('Alpine', True)
    """

    landscape: Landscape
    layers: tuple[str, ...]
    sea: float | None = None
    painted: float | None = None
    has_lakes: bool = False
    rivers: float | None = None
    measures: GroundMeasures | None = None

    def covered_by(self, maps: Collection[str]) -> GroundPlan:
        """Return the plan with the layers that it lacks and whose maps a land has.

        One with measures has those of its material, and one without any layers gets none.
        """
        lacking = [name for name in COVERS if name in maps]
        if self.measures is not None or not self.layers or set(lacking) <= set(self.layers):
            return self
        layers = tuple(name for name in LAYERS if name in self.layers or name in lacking)
        landscape = self.landscape.with_more({name: COVERS[name] for name in lacking})
        return dataclasses.replace(self, landscape=landscape, layers=layers)

    def water_depth(
        self,
        height: Field,
        grid: Grid,
        maps: Mapping[str, Field],
        *,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return the depth in meters of the water that is painted, 0 where it is dry.

        Parameters
        ----------
        height : ndarray of shape (rows, columns), float32
            In meters.
        grid : Grid
            Of the same shape.
        maps : mapping of str to ndarray of that shape
            Of them, `lake`, `channel`, `pond` and `dry` count.
        cancel : callable, optional
            See `blocks.Cancel`.
        """
        depth = np.zeros_like(height)
        if self.has_lakes:
            depth += self._lake_depth(height, grid, maps, cancel)
            if "channel" in maps:
                np.maximum(depth, maps["channel"], out=depth)
            if "dry" in maps:
                depth *= np.float32(1.0) - maps["dry"]
        if self.painted is not None:
            np.maximum(np.float32(self.painted) - height, depth, out=depth)
        return depth

    def _lake_depth(
        self, height: Field, grid: Grid, maps: Mapping[str, Field], cancel: Cancel | None
    ) -> Field | float:
        drawn = maps.get(levels.DRAWN)
        if self.rivers is None:
            depth = _NONE if drawn is None else levels.drawn_depth(height, drawn, grid.wrap)
            return np.maximum(maps.get("lake", _NONE), depth)
        lakes = levels.held_water(maps)
        water = levels.water_levels(
            *(height, grid),
            sea=self.painted,
            lakes=lakes,
            drawn=drawn,
            rivers=self.rivers,
            cancel=cancel,
        )
        water -= height
        return np.maximum(water, np.float32(0.0), out=water)
