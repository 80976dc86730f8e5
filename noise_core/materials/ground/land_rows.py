# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of a land as the layers of the ground read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Field
from ...base.grid import Grid
from ...flow_routing.water_levels import DRAWN
from ...maps.bases.map import map_types, read_maps
from ...maps.slope_map import Slope
from ..colors import COVERS
from .layers import GroundRows, smooth_ramp
from .measures import THICK, USUAL, GroundMeasures
from .noises import GroundNoises, ramp
from .plan import GroundPlan

READ = ("flow", "cavity", "river")
"""Maps that are read off the relief."""

_FAR = np.float32(1e6)
"""Meters above a sea that is not there."""

SOAKED = 0.25
"""Meters of water over ground that is wet all through."""

WET_BEACH, WET_SHARE = 1.6, 0.0016
"""Meters above the sea up to which waves wet a beach, and the same as a share of the width of small lands."""

_SAMPLES = 1 << 15
"""Of a block, so that its arrays stay in the processor's cache."""


@dataclass(frozen=True)
class LandRows:
    """A land as layers read it.

    Attributes
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    sea : float or None
        Level in meters.
    measures : GroundMeasures
    maps : mapping of str to ndarray of that shape
        Traces of water; those in `READ` are among them.
    noises : GroundNoises
    slope : ndarray of that shape
        In degrees.
    """

    height: Field
    grid: Grid
    sea: float | None
    measures: GroundMeasures
    maps: Mapping[str, Field]
    noises: GroundNoises
    slope: Field

    @classmethod
    def of(cls, height: Field, grid: Grid, plan: GroundPlan, maps: Mapping[str, Field]) -> LandRows:
        """Return a land for the layers of a plan; maps in `READ` are read off the relief if they are missing."""
        side = max(grid.shape) - (not grid.wrap)
        width = max(side, 1) * grid.spacing
        measures = plan.measures or GroundMeasures.of(height, width, maps, plan.sea)
        lacking = {name: map_types()[name]() for name in READ if name not in maps}
        maps = {**maps, **read_maps(height, grid, lacking)}
        noises = GroundNoises.of(height, grid)
        slope = Slope().values(height, grid)
        return cls(height, grid, plan.sea, measures, maps, noises, slope)

    @property
    def strip(self) -> int:
        """Rows of a block."""
        return max(1, _SAMPLES // self.grid.columns)

    def ground(self, rows: slice, *, has_wet: bool = True) -> GroundRows:
        """Return the fields that layers read in some rows; shares of layers need not know what is wet."""
        z, noises, measures = self.height[rows], self.noises, self.measures
        bend = self._map("cavity", rows) + np.float32(0.3) * (
            self._map("ridge", rows) - self._map("crease", rows)
        )
        above = np.full_like(z, _FAR) if self.sea is None else z - np.float32(self.sea)
        traces = self._traces(rows)
        return GroundRows(
            height=ramp(z.copy(), measures.low, measures.high),
            above=above,
            slope=self.slope[rows],
            bend=np.clip(bend, np.float32(-1.0), np.float32(1.0)),
            patches=noises.patches[rows],
            broad=noises.broad[rows],
            push=noises.push[rows],
            turns=noises.turns[rows],
            traces=traces,
            wet=self._wet(rows, above, traces["bed"]) if has_wet else None,
        )

    def places(self, rows: slice) -> tuple[Field, Field, Field]:
        """Return coordinates in meters, from the middle."""
        spacing = self.grid.spacing
        count_y, count_x = (one - (not self.grid.wrap) for one in self.grid.shape)
        x = (np.arange(self.grid.columns, dtype=np.float32) - 0.5 * count_x) * spacing
        y = (np.arange(rows.start, rows.stop, dtype=np.float32) - 0.5 * count_y) * spacing
        z = self.height[rows]
        return np.asarray(x, np.float32), np.asarray(y, np.float32)[:, np.newaxis], z

    def _traces(self, rows: slice) -> dict[str, Field]:
        wet = np.float32(1.0) - self._map("dry", rows)
        river = self._map("river", rows)
        ragged = river + (self.noises.fine[rows] - np.float32(0.5)) * np.float32(0.25)
        bed = ramp(ragged, 0.15, 0.6) * ramp(river.copy(), 0.0, 0.1) * wet
        brooks = ramp(self._map("flow", rows).copy(), 0.25, 0.6) * np.float32(0.6) * wet
        found = {"bed": bed, "flow": np.maximum(bed, brooks)}
        covers = [name for name in COVERS if name in self.measures.full]
        for name in (*THICK, *covers):
            full = self.measures.full.get(name, USUAL)
            found[name] = ramp(self._map(name, rows).copy(), 0.0, full)
        return found

    def _wet(self, rows: slice, above: Field, bed: Field) -> Field:
        """Return how wet the ground is, from 0 to 1."""
        lakes = np.maximum(self._map("lake", rows), self._map(DRAWN, rows))
        lakes *= np.float32(1.0) - self._map("dry", rows)
        soaked = smooth_ramp(lakes, 0.0, SOAKED)
        reach = min(WET_BEACH, WET_SHARE * self.measures.width)
        beach = above * np.float32(1.0 / reach) - self.noises.fine[rows] * np.float32(0.6)
        beach = np.float32(1.0) - ramp(beach, 0.5, 1.0)
        wet: Field = np.maximum(np.maximum(soaked, beach), bed * np.float32(0.5))
        return wet

    def _map(self, name: str, rows: slice) -> Field:
        """Return a map in some rows, 0 where there is none."""
        found = self.maps.get(name)
        return np.zeros_like(self.height[rows]) if found is None else found[rows]
