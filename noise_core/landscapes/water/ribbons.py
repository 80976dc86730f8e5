# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers as ribbons of quads: from bank to bank, above their beds, with the direction of the flow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base.arrays import Field
from ...base.blocks import Cancel, cancellable, checkpoint
from ...base.errors import ParameterError
from ...base.grid import Grid
from ...flow_routing.streams import Floats, find_streams
from ...flow_routing.water_levels import StandingWater
from .courses import MeshGround, RiverCourses, lay_courses

ACROSS = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Points of each section of a river, from its right bank to its left one, in halves of its width."""

_SEARCH = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5)
"""Where the banks are looked for: in halves of the width, or in samples where the river is narrower."""

_DEPTH = 0.05
"""Depth in the middle of a river that is shown, in widths: its mesh is flatter than its bed would be."""

_DIVE = 0.03
"""How far the end of a river sinks under the water that it flows into, in widths of the river, so that
one surface hides the other."""

_CALM, _WHITE = 0.08, 0.5
"""Fall, as rise over run, at which water begins to foam, and at which all of it does (by eye)."""


@dataclass(frozen=True)
class Ribbons:
    """Rivers as a mesh.

    Attributes
    ----------
    places : ndarray of shape (vertices, 3), float32
        Columns and rows in samples, and the height of the water in meters.
    faces : ndarray of shape (faces, 4), int32
        Vertices of the quads, anticlockwise from above.
    depth : ndarray of shape (vertices,), float32
        Of the water in meters, 0 at the banks.
    flow : ndarray of shape (vertices, 3), float32
        Direction of the flow, of length 1.
    course : ndarray of shape (vertices, 3), float32
        Meters along the river from its source, meters across it from its middle, and the share of foam.
    """

    places: npt.NDArray[np.float32]
    faces: npt.NDArray[np.int32]
    depth: Field
    flow: npt.NDArray[np.float32]
    course: npt.NDArray[np.float32]


def rivers(
    height: Field,
    grid: Grid,
    water: StandingWater,
    least: float,
    *,
    scale: float = 1.0,
    cancel: Cancel | None = None,
) -> Ribbons:
    """Return the rivers over some ground, between its lakes and the sea.

    Each runs down only. It fills its bed up to the lower bank, so that none of it floats, and covers
    the ground along its middle, also between samples. It meets lakes, the sea and other rivers at their
    levels, and ends a little below these.

    Parameters
    ----------
    height : ndarray of shape (rows, columns), float32
        Of the ground, in meters.
    grid : Grid
        Of the same shape, without wrap.
    water : StandingWater
        On this ground, with its flow; see `levels.standing_water`.
    least : float
        Share of all ground that the smallest river drains.
    scale : float
        Factor of the widths.
    cancel : callable, optional
        See `blocks.Cancel`.

    Raises
    ------
    ParameterError
        If the grid wraps.

    References
    ----------
    Luna B. Leopold, Thomas Maddock (1953). The hydraulic geometry of stream channels and some
    physiographic implications. US Geological Survey Professional Paper 252. (The width grows with the
    square root of the water.)
    """
    if grid.wrap:
        raise ParameterError("rivers: the grid must not wrap: a river on it has no end")
    with cancellable(cancel):
        streams = find_streams(water, least)
        ground = MeshGround(height)
        courses = lay_courses(streams, ground, grid, scale)
        checkpoint()
        return _Sections(courses, ground, grid).ribbons()


class _Sections:
    """Sections through rivers, one at each point of their courses."""

    def __init__(self, courses: RiverCourses, ground: MeshGround, grid: Grid) -> None:
        self.courses, self.ground, self.grid = courses, ground, grid
        self.half = 0.5 * courses.widths / grid.spacing  # in samples

    def ribbons(self) -> Ribbons:
        """Return the mesh."""
        count, width = len(self.half), len(ACROSS)
        offsets, heights = np.empty((2, count, width), np.float64)
        middle = width // 2
        offsets[:, middle], heights[:, middle] = 0.0, self.courses.levels
        for side in (-1, 1):
            self._fill_side(side, offsets[:, middle::side], heights[:, middle::side])
            checkpoint()
        heights -= self._dives()[:, np.newaxis]
        rows, columns = self._places(offsets)
        np.clip(rows, 0.0, self.ground.rows - 1.0, out=rows)
        np.clip(columns, 0.0, self.ground.columns - 1.0, out=columns)
        ground = self.ground.at(rows, columns)
        heights[:, [0, -1]] = np.minimum(heights[:, [0, -1]], ground[:, [0, -1]])
        depth = heights - ground
        share = 1.0 - np.square(np.array(ACROSS, np.float64))
        shown = _DEPTH * self.courses.widths[:, np.newaxis] * share
        depth = np.where(share > 0.0, np.maximum(depth, shown), 0.0)
        places = np.stack((columns, rows, heights), axis=-1)
        return Ribbons(
            places.reshape(-1, 3).astype(np.float32),
            self._faces(),
            depth.reshape(-1).astype(np.float32),
            *self._flows(offsets),
        )

    def _places(self, offsets: Floats) -> tuple[Floats, Floats]:
        """Return rows and columns at offsets across the rivers, in samples."""
        courses, shape = self.courses, (-1,) + (1,) * (offsets.ndim - 1)
        rows = courses.streams.rows.reshape(shape) + offsets * courses.along.reshape(shape)
        columns = courses.streams.columns.reshape(shape) - offsets * courses.across.reshape(shape)
        return rows, columns

    def _fill_side(self, side: int, offsets: Floats, heights: Floats) -> None:
        """Write the points of one side: level up to where the ground rises above the water, or sloping to it."""
        levels, half = self.courses.levels, self.half
        reach = np.maximum(half, np.minimum(1.0, 4.0 * half))
        search = reach[:, np.newaxis] * np.array(_SEARCH, np.float64)
        grounds = self.ground.at(*self._places(side * search))
        is_bank = grounds >= levels[:, np.newaxis]
        has_bank = is_bank.any(axis=1)
        bank = np.take_along_axis(search, is_bank.argmax(axis=1)[:, np.newaxis], axis=1)[:, 0]
        beyond = bank + 0.25 * reach  # where the ground still rises, the water ends inside it
        is_higher = self.ground.at(*self._places(side * beyond)) >= levels
        edge = np.where(has_bank, np.where(is_higher, beyond, bank), half)
        offsets[:, 1], offsets[:, 2] = 0.5 * side * edge, side * edge
        film = 0.02 * self.courses.widths
        low = np.minimum(levels, self.ground.at(*self._places(offsets[:, 2]))) - film
        bottom = self.ground.at(*self._places(offsets[:, 1]))
        sloping = np.maximum(0.5 * (levels + low), np.minimum(levels, bottom + film))
        heights[:, 1] = np.where(has_bank, levels, sloping)
        heights[:, 2] = np.where(has_bank, levels, low)

    def _dives(self) -> Floats:
        """Return how far each point sinks under the water that its river flows into."""
        streams, widths = self.courses.streams, self.courses.widths
        numbers = streams.numbers()
        last = streams.starts[1:] - 1
        ends = (streams.joins >= 0) | (streams.mouths > -np.inf)
        into = np.where(streams.joins >= 0, widths[streams.joins], widths[last])
        reach = np.sqrt(
            np.square(streams.rows[last[numbers]] - streams.rows)
            + np.square(streams.columns[last[numbers]] - streams.columns)
        )
        half = np.maximum(0.5 * into / self.grid.spacing, 1e-9)[numbers]
        dive: Floats = np.clip(1.0 - reach / half, 0.0, 1.0) * _DIVE * into[numbers] * ends[numbers]
        return dive

    def _flows(self, offsets: Floats) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return the direction of the flow, and the course, at all points."""
        courses, spacing = self.courses, self.grid.spacing
        streams = courses.streams
        steps = np.zeros((3, len(self.half)), np.float64)
        for line, values in zip(steps, (streams.columns, streams.rows, courses.levels)):
            line[1:] = values[1:] - values[:-1]
            line[streams.starts[:-1]] = 0.0
        run = spacing * np.sqrt(np.square(steps[0]) + np.square(steps[1]))
        along = np.cumsum(run, dtype=np.float64)
        along -= np.repeat(along[streams.starts[:-1]], np.diff(streams.starts))
        fall = np.minimum(steps[2] / np.maximum(run, 1e-9), 0.0)
        fall[:-1] = 0.5 * (fall[:-1] + fall[1:])
        length = np.sqrt(1.0 + np.square(fall))
        flow = np.stack((courses.along / length, courses.across / length, fall / length), axis=-1)
        foam = np.clip((-fall - _CALM) / (_WHITE - _CALM), 0.0, 1.0)
        course = np.empty((*offsets.shape, 3), np.float32)
        course[..., 0], course[..., 2] = along[:, np.newaxis], foam[:, np.newaxis]
        course[..., 1] = offsets * spacing
        flows = np.repeat(flow.astype(np.float32), len(ACROSS), axis=0)
        return flows, course.reshape(-1, 3)

    def _faces(self) -> npt.NDArray[np.int32]:
        """Return the quads between neighboring sections of each river."""
        streams, width = self.courses.streams, len(ACROSS)
        first = np.arange(streams.starts[-1], dtype=np.int32)
        first = np.delete(first, streams.starts[1:] - 1) * np.int32(width)
        corner = np.arange(width - 1, dtype=np.int32)
        low = first[:, np.newaxis] + corner
        quads = np.stack((low, low + width, low + width + 1, low + 1), axis=-1)
        return quads.reshape(-1, 4).astype(np.int32)
