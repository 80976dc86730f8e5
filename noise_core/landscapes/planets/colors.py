# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of a planet at every vertex: those of its materials, without a renderer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Cancel, Progress
from ...materials.colors import LANDSCAPES, Landscape
from ...materials.ground.colors import LandColors, expose, water_color
from ...materials.ground.layers import GroundRows, blend, smooth_ramp
from ...materials.ground.measures import GroundMeasures
from ...materials.ground.noises import GroundNoises, NodeFractal, even_at, ramp
from ...materials.ground.plan import GroundPlan
from .ground import (
    CLIMATE,
    COLD_FROM,
    COLD_MORE,
    COLD_OVER,
    DRY_AT,
    DRY_WIDTH,
    WOBBLE,
    PlanetGround,
    planet_landscape,
    snow_line,
)
from .planet import PlanetHeights

SEA_ICE = (0.78, 0.84, 0.90)
"""Linear."""

FROZEN_AT = 3.0
"""Degrees from where ice begins on land to where it begins on the sea."""

RAGGED = 9.0
"""Degrees over which noise breaks up the edge of sea ice."""

FLOES = (23.0, 7.0, 0.68)
"""Noise of that edge: cells along the diameter, detail and roughness of the shader's noise."""

_VERTICES = 1 << 15
"""Of a block, so that its arrays stay in the processor's cache."""

_FAR = 1e6


@dataclass(frozen=True)
class PlanetRows:
    """A planet as layers read it; its rows are vertices."""

    heights: PlanetHeights
    about: PlanetGround
    landscape: Landscape
    measures: GroundMeasures
    slope: Field

    def ground(self, rows: slice) -> GroundRows:
        """Return the fields that layers read at some vertices."""
        z, outwards = self.heights.height[rows], self.heights.directions[rows]
        noises = GroundNoises.at(self._unit(rows))
        cold, dry = climate(self.about, outwards, self._unit(rows), snow_line(self.landscape))
        nothing = np.zeros_like(z)
        rays = nothing if self.heights.rays is None else self.heights.rays[rows]
        names = ("bed", "flow", "scree")
        return GroundRows(
            height=ramp(z.copy(), self.measures.low, self.measures.high) + cold,
            above=np.full_like(z, np.float32(_FAR)),
            slope=self.slope[rows],
            bend=nothing,
            patches=noises.patches,
            broad=noises.broad,
            push=noises.push,
            turns=noises.turns,
            traces={**dict.fromkeys(names, nothing), "wear": dry, "deposit": rays},
        )

    def places(self, rows: slice) -> tuple[Field, Field, Field]:
        """Return heights as places: strata lie level around the middle."""
        z = self.heights.height[rows]
        return np.zeros_like(z), np.zeros_like(z), z

    def _unit(self, rows: slice) -> Field:
        """Return places in widths of the planet."""
        shares = 0.5 + self.heights.height[rows] * np.float32(0.5 / self.about.radius)
        unit: Field = self.heights.directions[rows] * shares[:, np.newaxis].astype(np.float32)
        return unit


def latitudes(outwards: Field, unit: Field) -> tuple[Field, Field]:
    """Return the degrees from the equator that climates count in, and the noise that moves them, from 0 to 1.

    Parameters
    ----------
    outwards : ndarray of shape (n, 3), float32
        Unit vectors.
    unit : ndarray of that shape
        Places in widths of the planet.
    """
    scale, detail, roughness = CLIMATE
    wander = even_at(NodeFractal(scale, int(detail) + 1, roughness), unit)
    sine = np.minimum(np.abs(outwards[:, 2]), np.float32(1.0))
    degrees = np.degrees(np.arcsin(sine)) + (wander - np.float32(0.5)) * np.float32(2.0 * WOBBLE)
    return np.maximum(degrees, np.float32(0.0)), wander


def climate(
    about: PlanetGround, outwards: Field, unit: Field, line: float
) -> tuple[Field | float, Field]:
    """Return by how much of the relief it is colder than at the equator, and how dry it is, from 0 to 1.

    See `latitudes`; `line` is the height above which snow lies at the equator.
    """
    latitude, wander = latitudes(outwards, unit)
    belt = (np.abs(latitude - np.float32(DRY_AT))) * np.float32(1.0 / DRY_WIDTH)
    dry = np.float32(1.0) - belt * belt + (wander - np.float32(0.5)) * np.float32(1.5)
    dry = np.clip(dry, np.float32(0.0), np.float32(1.0))
    if not about.has_ice:
        return 0.0, dry
    ice = about.ice_latitude
    colder = smooth_ramp(latitude.copy(), ice - COLD_FROM, ice) * np.float32(line)
    return colder + ramp(latitude, ice, ice + COLD_OVER) * np.float32(COLD_MORE), dry


def planet_colors(
    heights: PlanetHeights,
    about: PlanetGround,
    palette: str,
    *,
    asked: GroundPlan | None = None,
    progress: Progress = blocks.unheard,
    cancel: Cancel | None = None,
) -> tuple[Field, Field | None]:
    """Return the colors of the ground and of the sea at every vertex, as viewports show them.

    Parameters
    ----------
    heights : PlanetHeights
    about : PlanetGround
    palette : str
        Of `LANDSCAPES`.
    asked : GroundPlan, optional
        Limits, layers and measures of the ground's material, in place of the palette's own.
    progress, cancel : callable, optional
        See `blocks.Progress` and `blocks.Cancel`.

    Returns
    -------
    tuple of two ndarrays of shape (3, vertices), float32
        Linear, from 0 to 1; the second is None without a sea.
    """
    landscape = planet_landscape(LANDSCAPES[palette] if asked is None else asked.landscape)
    layers = tuple(name for name, layer in landscape.layers.items() if layer.can_lie(False))
    layers = layers if asked is None else asked.layers
    measures = about.measures(heights.height)
    rows = PlanetRows(heights, about, landscape, measures, slopes(heights, about.radius))
    dry = np.zeros_like(heights.height)
    work = LandColors(rows, GroundPlan(landscape, layers, measures=measures), dry)
    ground = np.empty((3, len(dry)), np.float32)
    sea = None if heights.sea is None else np.empty_like(ground)

    def fill(start: int, stop: int) -> None:
        blocks.checkpoint()
        part = slice(start, stop)
        ground[:, part] = work.rows(part)[0]
        expose(ground[:, part])
        if sea is not None:
            sea[:, part] = _sea_colors(heights, about, landscape, part)

    with blocks.cancellable(cancel):
        blocks.run(fill, len(dry), _VERTICES, progress=progress)
    return np.clip(ground, np.float32(0.0), np.float32(1.0), out=ground), sea


def slopes(heights: PlanetHeights, radius: float) -> Field:
    """Return the slope of the ground at each vertex, against the direction from the middle, in degrees."""
    places = heights.directions * (heights.height + np.float32(radius))[:, np.newaxis]
    quads = heights.sphere.quad_vertices()
    first, second, third, fourth = (places[quads[:, corner]] for corner in range(4))
    normals = np.cross(third - first, fourth - second)
    corners = quads.reshape(-1)
    up, square = np.zeros(len(places)), np.zeros(len(places))
    for axis in range(3):
        components = np.repeat(normals[:, axis], 4)
        total = np.bincount(corners, components, len(places))
        up += total * heights.directions[:, axis]
        square += total * total
    cosine = np.clip(up / np.sqrt(square), -1.0, 1.0)
    slope: Field = np.degrees(np.arccos(cosine)).astype(np.float32)
    return slope


def _sea_colors(
    heights: PlanetHeights, about: PlanetGround, landscape: Landscape, part: slice
) -> Field:
    """Return the color of the sea at some vertices: even, with ice at the poles."""
    color = np.empty((3, len(heights.height[part])), np.float32)
    color[:] = np.array(water_color(landscape), np.float32)[:, np.newaxis]
    if about.has_ice:
        outwards = heights.directions[part]
        unit = outwards * np.float32(0.5)
        latitude, _ = latitudes(outwards, unit)
        scale, detail, roughness = FLOES
        floes = even_at(NodeFractal(scale, int(detail) + 1, roughness), unit)
        over = latitude + (floes - np.float32(0.5)) * np.float32(RAGGED)
        edge = about.ice_latitude + FROZEN_AT
        share = smooth_ramp(over, edge - 1.0, edge + 1.0)
        for channel, ice in zip(color, SEA_ICE):
            blend(channel, ice, share)
    return color
