# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of rows of a surface during baking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field, Points
from ...base.gathering import gather
from ...domain_warp.extent import spacing
from ...domain_warp.lookup import NoiseTable, addresses, shift_samples
from ...noises.bases.pattern import Pattern
from .bake_state import BakeState
from .nodes import FormulaField, MapField, NoiseField, RampField
from .terms import Result, Value


class RowStrip:
    """Several blocks of rows: the noises whose points are not moved.

    Each is computed for all blocks on first use. Taller strips are cheaper, because cells and
    lattice rows that two strips share are computed twice.
    """

    def __init__(self, bake: BakeState, start: int, stop: int) -> None:
        self.bake, self._start, self._stop = bake, start, stop
        self._known: dict[str, Field] = {}
        self._tiles: dict[int, Any] = {}

    def rows(self, name: str, node: NoiseField, start: int, stop: int) -> Field:
        """Return some rows of a noise. Call it once per row: the result may be overwritten."""
        if name not in self._known:
            self._known[name] = self._all(name, node)
        return self._known[name][start - self._start : stop - self._start]

    def _all(self, name: str, node: NoiseField) -> Field:
        bake = self.bake
        shape = (self._stop - self._start, bake.request.grid.columns)
        if isinstance(node.noise, Pattern):
            x, y = bake.axes.x[np.newaxis, :], bake.axes.y[self._start : self._stop, np.newaxis]
            return pattern_rows(bake, name, node, lambda: (x, y), shape, self._tiles)
        out = np.empty(shape, np.float32)
        bake.plans[name](self._start, self._stop, out)
        return out


def pattern_rows(
    bake: BakeState,
    name: str,
    node: NoiseField,
    points: Callable[[], Points],
    shape: tuple[int, int],
    fields: dict[int, Any],
) -> Field:
    """Return an output of a pattern; the positions in it are computed once for all outputs."""
    assert isinstance(node.noise, Pattern)
    seed = node.seed(bake.request.seed)
    layout = bake.layouts[name]
    if layout not in fields:
        fields[layout] = node.noise.tiles(points(), seed, bake.axes.torus)
    return node.noise.output_of(fields[layout], shape, seed)


class RowBlock:
    """A block of rows in which every field is computed on first use.

    A field is kept until its last use, which may overwrite it, so that the working set fits the
    processor's cache.
    """

    def __init__(self, strip: RowStrip, start: int, stop: int) -> None:
        self._strip, self._start, self._stop = strip, start, stop
        self._bake = strip.bake
        self._known: dict[str, Result] = {}
        self._uses = dict(strip.bake.uses)  # that are still to come
        self._tiles: dict[int, Any] = {}
        self._found: dict[NoiseTable, Field] = {}
        self._places: dict[object, npt.NDArray[np.intp]] = {}

    def lookup(self, name: str) -> Value:
        """Return the rows of a field, or a setting."""
        if name in self._bake.graph.settings:
            return self._bake.graph.settings[name]
        if name in self._bake.whole:
            return self._bake.whole[name][..., self._start : self._stop, :]
        if name not in self._known:
            node = self._bake.graph.nodes[name]
            assert not isinstance(node, MapField)  # these are whole
            if isinstance(node, NoiseField):
                self._known[name] = self._noise(name, node), True
            else:
                self._known[name] = self.result(node)
        return self._known[name][0]

    def result(self, formula: FormulaField | RampField) -> Result:
        """Return the rows of a formula, and whether they may be overwritten.

        Each formula of the graph is to be asked for once.
        """
        counts, values, uses = formula.counts, self._known, self._uses
        for name in counts:  # first, because a formula may write over what the next one needs
            self.lookup(name)

        def ask(name: str) -> Result:
            if name not in values:
                return self.lookup(name), False
            value, is_own = values[name]
            return value, is_own and counts[name] == 1 and uses.get(name) == 1

        value, is_own = formula.result(ask)
        for name in values.keys() & counts.keys():
            if not is_own:  # it may be one of them
                values[name] = (values[name][0], False)
            if name in uses:
                uses[name] -= 1
                if not uses[name]:
                    del values[name]
        return value, is_own

    @property
    def _shape(self) -> tuple[int, int]:
        return (self._stop - self._start, self._bake.request.grid.columns)

    def _noise(self, name: str, node: NoiseField) -> Field:
        """Return the rows of a noise, which may be overwritten."""
        blocks.checkpoint()
        if node.moves is None:
            return self._strip.rows(name, node, self._start, self._stop)
        if isinstance(node.noise, Pattern):
            return pattern_rows(
                self._bake, name, node, lambda: self._points(node)[:2], self._shape, self._tiles
            )
        if name in self._bake.tables:
            return self._look_up(node, *self._bake.tables[name])
        if name in self._bake.rendered:
            return gather(self._bake.rendered[name].ravel(), self._nearest(node))
        seed = node.seed(self._bake.request.seed)
        return node.noise.values(self._points(node), seed, self._bake.axes.torus)

    def _points(self, node: NoiseField) -> Points:
        """Return the points at which a displaced noise is sampled."""
        axes = self._bake.axes
        x, y, *fixed = axes.points(self._start, self._stop)
        shift_x, shift_y = node.shifts(self.lookup, self._shape)
        if self._bake.is_near:
            x, y = x.astype(np.float32), y.astype(np.float32)
        return (x + shift_x, y + shift_y, *fixed)

    def _nearest(self, node: NoiseField) -> npt.NDArray[np.intp]:
        """Return the indices, row by row, of the samples nearest to a noise's points."""
        if node.moves not in self._places:
            rows, columns = self._bake.request.grid.shape
            across, along = spacing(self._bake.axes)
            shifts = node.shifts(self.lookup, self._shape, (1.0 / across, 1.0 / along))
            at_points = (
                np.arange(columns, dtype=np.intp),
                np.arange(self._start, self._stop, dtype=np.intp),
            )
            first, second = (numbers.astype(np.float32) for numbers in at_points)
            places = shift_samples(np.rint(shifts, out=shifts), (first, second), (columns, rows))
            self._places[node.moves] = addresses(places, (rows, columns))
        return self._places[node.moves]

    def _look_up(self, node: NoiseField, table: NoiseTable, channel: int) -> Field:
        if table not in self._found:
            shifts = node.shifts(self.lookup, self._shape)
            self._found[table] = table.look_up(self._start, shifts)
        field: Field = self._found[table][channel]
        low, high = node.noise.bounds()  # the spline overshoots at sharp edges
        return np.clip(field, low, high, out=field)
