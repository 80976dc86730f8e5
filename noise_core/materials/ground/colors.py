# SPDX-License-Identifier: GPL-3.0-or-later
"""Land from above at every sample: its colors, as a terrain material shows them, and the layer on top."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Cancel, Progress
from ...base.grid import Grid
from ...flow_routing.water_levels import DRAWN, HELD
from ..colors import COVERS, Landscape
from ..colors.spaces import Color
from .ground_cover import Indices
from .land_rows import READ, LandRows
from .layers import (
    CROWNS,
    DAMP,
    GroundRows,
    blend,
    cover_share,
    dim,
    layer_color,
    road_color,
    rock_color,
    smooth_ramp,
)
from .measures import THICK, GroundMeasures
from .plan import GroundPlan

MAPS = (*READ, *THICK, *COVERS, *HELD, DRAWN, "ridge", "crease", "dry")
"""All maps that colors are made of; the last is 1 where a painted mask keeps water away."""

_FILM = 0.04
"""Meters of water over which its color begins."""

_BRIGHTER = 2.6
"""How much brighter dark ground is shown than its albedo: as a camera's exposure does it."""

_SHEEN = (0.010, 0.020, 0.030)
"""What water seen from above shows of a blue sky: a fiftieth of its light (Fresnel)."""


def ground_colors(
    height: Field,
    grid: Grid,
    plan: GroundPlan,
    maps: Mapping[str, Field],
    *,
    depth: Field | None = None,
    progress: Progress = blocks.unheard,
    cancel: Cancel | None = None,
) -> tuple[Field, Field]:
    """Return the colors of land as its material has them, and where water covers it.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    plan : GroundPlan
    maps : mapping of str to ndarray of that shape
        Traces of water by name, as modifiers make them. Those in `READ` are read off the relief if they
        are missing; others count as 0.
    depth : ndarray of that shape, optional
        Of the water in meters; found by the plan if not given.
    progress, cancel : callable, optional
        See `blocks.Progress` and `blocks.Cancel`.

    Returns
    -------
    tuple of two ndarrays, float32
        Linear colors of shape (3, rows, columns), and shares of water of shape (rows, columns).

    Raises
    ------
    Cancelled
        If `cancel` returned True.
    """
    plan = plan.covered_by(maps)
    with blocks.cancellable(cancel):
        land = LandRows.of(height, grid, plan, maps)
        if depth is None:
            depth = plan.water_depth(height, grid, land.maps)
        work = LandColors(land, plan, depth)
        color = np.empty((3, *grid.shape), np.float32)
        wet = np.zeros(grid.shape, np.float32)

        def fill(start: int, stop: int) -> None:
            blocks.checkpoint()
            color[:, start:stop], wet[start:stop] = work.rows(slice(start, stop))

        blocks.run(fill, grid.rows, land.strip, progress=progress)
    return color, wet


def land_colors(
    height: Field,
    grid: Grid,
    plan: GroundPlan,
    maps: Mapping[str, Field],
    *,
    depth: Field | None = None,
    progress: Progress = blocks.unheard,
    cancel: Cancel | None = None,
) -> Field:
    """Return the colors of land as pictures and viewports show it, which know no exposure and no sky.

    See `ground_colors`. The ground is brighter, without a change of hue, and water shows some sky.

    Returns
    -------
    ndarray of shape (3, rows, columns), float32
        Linear, from 0 to 1.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.landscapes.look import Look
    >>> from noise_core.materials.ground.colors import land_colors
    >>> from noise_core.noises import Fractal
    >>> from noise_core.pictures.thumbnail import plan_of
    >>> grid = Grid(48, 48, size=4000.0)
    >>> height = 800.0 * Fractal().sample_grid(grid, seed=1)
    >>> colors = land_colors(height, grid, plan_of(Look(palette="alpine")), {})
    >>> colors.shape, bool(colors.min() >= 0.0)
    ((3, 48, 48), True)
    """
    color, wet = ground_colors(
        height, grid, plan, maps, depth=depth, progress=progress, cancel=cancel
    )
    expose(color)
    if wet.any():
        for channel, sky in zip(color, _SHEEN):
            channel += wet * np.float32(sky)
    return np.clip(color, np.float32(0.0), np.float32(1.0), out=color)


def water_color(landscape: Landscape) -> Color:
    """Return the color of deep water as pictures and viewports show it; see `land_colors`."""
    color = np.array(landscape.deep, np.float32).reshape(3, 1)
    expose(color)
    red, green, blue = (one + sky for one, sky in zip(color[:, 0].tolist(), _SHEEN))
    return red, green, blue


def expose(color: Field) -> None:
    """Brighten linear colors of shape (3, ...) in place: dark ones most, white stays white."""
    brightest = color.max(axis=0)
    brightest *= np.float32(_BRIGHTER - 1.0)
    brightest += np.float32(1.0)
    np.divide(np.float32(_BRIGHTER), brightest, out=brightest)
    color *= brightest


class ReadRows(Protocol):
    """Land whose rows layers read: `LandRows`, or `planets.colors.PlanetRows`."""

    @property
    def measures(self) -> GroundMeasures:
        """Measures in which limits count."""

    def ground(self, rows: slice) -> GroundRows:
        """Return the fields that layers read in some rows."""

    def places(self, rows: slice) -> tuple[Field, Field, Field]:
        """Return coordinates in meters; strata lie level along the last."""


@dataclass(frozen=True)
class LandColors:
    """A land that is being colored: on a grid, or the vertices of a planet."""

    land: ReadRows
    plan: GroundPlan
    depth: Field

    def rows(self, rows: slice) -> tuple[list[Field], Field | float]:
        """Return the color, and the share of water, of some rows."""
        landscape, ground = self.plan.landscape, self.land.ground(rows)
        names = self.plan.layers
        if names:
            color = self._layers(rows, ground)
        else:
            color = list(landscape.ramp.colors(ground.height))
            self._darken_crevices(color, ground)
        return color, self._flood(color, rows)

    def _layers(self, rows: slice, ground: GroundRows) -> list[Field]:
        landscape, names = self.plan.landscape, self.plan.layers
        color = [np.full_like(ground.height, 0.5) for _ in range(3)]
        for at, name in enumerate(names):
            if name == "snow":
                self._darken_crevices(color, ground)
            layer = landscape.layers[name]
            share = None if at == 0 else cover_share(layer, name, ground)
            if share is not None and not share.any():
                continue
            if name == "rock" and landscape.strata.strength > 0.0:
                own = rock_color(landscape, ground, self.land.places(rows), self._thickness)
            elif name == "road":
                own = road_color(layer, ground)
            else:
                own = layer_color(layer, ground)
            if name == "woods":
                dim(own, CROWNS)
            if share is None:
                color = own
                continue
            for below, above in zip(color, own):
                blend(below, above, share)
        if "snow" not in names:
            self._darken_crevices(color, ground)
        return color

    @property
    def _thickness(self) -> float:
        measures = self.land.measures
        return (measures.high - measures.low) / self.plan.landscape.strata.count

    def _darken_crevices(self, color: list[Field], ground: GroundRows) -> None:
        factor = ground.bend * np.float32(0.85 * self.plan.landscape.crevices)
        factor += np.float32(1.0)
        for channel, damp in zip(color, DAMP):
            channel *= factor
            if ground.wet is not None:
                channel *= ground.wet * np.float32(damp) + np.float32(1.0)

    def _flood(self, color: list[Field], rows: slice) -> Field | float:
        """Paint water over a color; return where there is some."""
        if not self.depth[rows].any():
            return 0.0
        landscape, depth = self.plan.landscape, self.depth[rows]
        wet = smooth_ramp(depth.copy(), 0.0, _FILM)
        murk = depth * np.float32(-0.5 / landscape.clear)
        brightest = max(landscape.shallow)
        for channel, shallow, deep in zip(color, landscape.shallow, landscape.deep):
            # As the water of a terrain material: what is lost faster tints the bed.
            lost = math.sqrt(brightest / max(shallow, 1e-3))
            light = np.exp(murk * np.float32(lost))
            body = channel * np.square(light)
            body += np.float32(deep) * (np.float32(1.0) - light)
            blend(channel, body, wet)
        return wet


def top_layers(
    height: Field,
    grid: Grid,
    plan: GroundPlan,
    maps: Mapping[str, Field],
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Indices:
    """Return the layer with the largest share of the visible ground, at each sample.

    Layers lie over each other as their colors do: see `ground_colors`. Of equal shares the
    lower layer counts. Water is no layer: below it is the ground that it covers.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        In meters.
    grid : Grid
        Of the same shape.
    plan : GroundPlan
        With at least one layer.
    maps : mapping of str to ndarray of that shape
        Traces of water by name; see `ground_colors`.
    progress, cancel : callable, optional
        See `blocks.Progress` and `blocks.Cancel`.

    Returns
    -------
    ndarray of shape (rows, columns), uint8
        Places in `plan.layers`.

    Raises
    ------
    Cancelled
        If `cancel` returned True.
    """
    top = np.zeros(grid.shape, np.uint8)
    with blocks.cancellable(cancel):
        land = LandRows.of(height, grid, plan, maps)

        def fill(start: int, stop: int) -> None:
            blocks.checkpoint()
            rows = slice(start, stop)
            ground = land.ground(rows)
            largest = np.ones_like(ground.height)
            for at, name in enumerate(plan.layers[1:], 1):
                share = cover_share(plan.landscape.layers[name], name, ground)
                # What lies over a layer takes the same part of all below: their order stays.
                largest *= np.float32(1.0) - share
                top[rows][share > largest] = at
                np.maximum(largest, share, out=largest)

        blocks.run(fill, grid.rows, land.strip, progress=blocks.heard(progress))
    return top
