# SPDX-License-Identifier: GPL-3.0-or-later
"""From a surface's fields to its maps, block by block of rows.

Two passes. The first works out the height and every map that does without it; the second all that
is mixed by what was read off the height. Within a block every field is worked out once. Of whole
fields only the height, the readings, and what both passes need are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .. import blocks
from ..arrays import Field, Points
from ..blocks import Progress
from ..fields.height_field import HeightField
from ..fields.pyramid import Level
from ..grid import Grid
from ..map import Map
from ..plans import RowPlan
from ..tilings import Tiles, Tiling
from ..warping.lookup import Table, can_serve, spacing
from .expressions import Value
from .graph import HEIGHT, Graph
from .nodes import Reading, Sampled
from .texture_set import MAPS

NORMAL = "normal"

_SAMPLES_PER_BLOCK = 1 << 16
"""A field's block has 256 KB then: large enough for plans, small enough for a processor's cache."""

_FIRST_PASS, _READINGS = 0.4, 0.8
"""Of the whole time, that have gone after the first pass and after the readings."""


_ANYWHERE = ((0.0, 0.0), (0.0, 0.0))
"""On a torus a table needs no margin to reach everywhere."""


@dataclass(frozen=True)
class Order:
    """What to make.

    Attributes
    ----------
    grid : Grid
        In metres of the surface's own size.
    depth : float
        Metres between a height of 0 and of 1, on that grid.
    seed : int
        Unsigned, 32 bits.
    maps : tuple of str
    normal : Map
        How normals are read off the height.
    evolution : tuple of float
    """

    grid: Grid
    depth: float
    seed: int
    maps: tuple[str, ...]
    normal: Map
    evolution: tuple[float, ...]


class Bake:
    """One run: the maps as they are filled, whole fields, and the plans of the noises."""

    def __init__(self, graph: Graph, order: Order) -> None:
        self.graph, self.order = graph, order
        self.axes = order.grid.axes(order.evolution)
        self.results = {
            name: np.empty((*order.grid.shape, 3)[: _dimensions(name)], np.float32)
            for name in order.maps
        }
        # float32 is a third faster, and exact to a 4000th of a texel of 4096 near the origin.
        far = max(float(np.abs(axis).max()) for axis in (self.axes.x, self.axes.y))
        self.is_near = far < 4.0
        self.whole: dict[str, Field] = {}
        self.plans: dict[str, RowPlan] = {}
        self.tables: dict[str, Table] = {}

    def run(self, progress: Progress) -> dict[str, Field]:
        """Return the maps that were ordered."""
        graph, ordered = self.graph, [name for name in self.order.maps if name != NORMAL]
        late = [name for name in ordered if graph.is_late(graph.formulas[name])]
        early = [name for name in ordered if name not in late and name != HEIGHT]
        afterwards = self._needed(late)
        is_read = NORMAL in self.order.maps or not afterwards.isdisjoint(graph.late)
        if HEIGHT in ordered or is_read:
            early.append(HEIGHT)
        keep = self._boundary(late, afterwards) & self._needed(early)
        self._pass(early, keep, _part(progress, 0.0, _FIRST_PASS))
        if is_read:
            self._read(afterwards, _part(progress, _FIRST_PASS, _READINGS))
        self._pass(late, set(), _part(progress, _READINGS, 1.0))
        progress(1.0)
        return self.results

    def _needed(self, maps: Iterable[str]) -> set[str]:
        return self.graph.needs(need for name in maps for need in self.graph.formulas[name].needs)

    def _boundary(self, late: Iterable[str], afterwards: Iterable[str]) -> set[str]:
        """Return what the second pass asks of the first: the last fields that need no height."""
        graph = self.graph
        asked = {need for name in late for need in graph.formulas[name].needs}
        for name in afterwards:
            if name in graph.late and name in graph.nodes:
                asked |= graph.nodes[name].needs
        return {
            name for name in asked if name in graph.nodes and not graph.is_uniform(name)
        } - graph.late

    def _pass(self, maps: list[str], keep: set[str], progress: Progress) -> None:
        """Write maps, and fields to be kept, block by block."""
        rows, columns = self.order.grid.shape
        if not maps:
            return
        self._prepare(maps)
        targets = {name: self.results[name] for name in maps if name in self.results}
        if HEIGHT in maps:  # the maps below read it even if nobody ordered it
            targets.setdefault(HEIGHT, np.empty((rows, columns), np.float32))
        kept = {
            name: np.empty((3, rows, columns)[name not in self.graph.colours :], np.float32)
            for name in sorted(keep)
        }

        def work(start: int, stop: int) -> None:
            block = _Block(self, start, stop)
            for name, target in targets.items():
                blocks.checkpoint()
                _write(self.graph.formulas[name].value(block.lookup), target[start:stop])
            for name, field in kept.items():
                field[..., start:stop, :] = block.lookup(name)

        blocks.run(work, rows, max(1, _SAMPLES_PER_BLOCK // columns), progress=progress)
        self.plans.clear()
        self.tables.clear()
        self.whole.update(kept)
        if HEIGHT in maps:
            self.whole[HEIGHT] = targets[HEIGHT]

    def _prepare(self, maps: Iterable[str]) -> None:
        """Plan the noises that some maps need and nobody has worked out yet."""
        for name in self._needed(maps) - set(self.whole):
            node = self.graph.nodes.get(name)
            if not isinstance(node, Sampled) or isinstance(node.noise, Tiling):
                continue
            seed = node.seed(self.order.seed)
            if node.moves is None:
                self.plans[name] = node.noise.plan(self.axes, seed)
            elif node.is_looked_up and self.axes.torus and can_serve(self.axes, _ANYWHERE):
                self.tables[name] = Table([(node.noise, seed)], self.axes, _ANYWHERE)

    def _read(self, names: Iterable[str], progress: Progress) -> None:
        """Read off the height what some maps need, and the normals."""
        metres = self.whole[HEIGHT] * np.float32(self.order.depth)
        field = HeightField(metres, Level.of(self.order.grid))
        readings = {
            name: node
            for name in sorted(names)
            if isinstance(node := self.graph.nodes.get(name), Reading)
        }
        steps = len(readings) + 1
        for done, (name, reading) in enumerate(readings.items()):
            blocks.checkpoint()
            step = _part(progress, done / steps, (done + 1) / steps)
            self.whole[name] = reading.mask(reading.map.read(field, step))
        if NORMAL in self.results:
            step = _part(progress, (steps - 1) / steps, 1.0)
            self.results[NORMAL] = self.order.normal.read(field, step)


class _Block:
    """Some rows: every field is worked out when it is first asked for, and kept for this block."""

    def __init__(self, bake: Bake, start: int, stop: int) -> None:
        self._bake, self._start, self._stop = bake, start, stop
        self._known: dict[str, Value] = {}
        self._tiles: dict[object, Tiles] = {}

    def lookup(self, name: str) -> Value:
        """Return the rows of a field, or a setting."""
        if name in self._bake.graph.settings:
            return self._bake.graph.settings[name]
        if name in self._bake.whole:
            return self._bake.whole[name][..., self._start : self._stop, :]
        if name not in self._known:
            self._known[name] = self._value(name)
        return self._known[name]

    @property
    def _shape(self) -> tuple[int, int]:
        return (self._stop - self._start, self._bake.order.grid.columns)

    def _value(self, name: str) -> Value:
        node = self._bake.graph.nodes[name]
        assert not isinstance(node, Reading)  # these are whole
        if not isinstance(node, Sampled):
            return node.value(self.lookup)
        blocks.checkpoint()
        if isinstance(node.noise, Tiling):
            return self._tiled(node, node.noise)
        if name in self._bake.tables:
            return self._looked_up(node, self._bake.tables[name])
        seed = node.seed(self._bake.order.seed)
        if node.moves is not None:
            return node.noise.values(self._points(node), seed, self._bake.axes.torus)
        out = np.empty(self._shape, np.float32)
        self._bake.plans[name](self._start, self._stop, out)
        return out

    def _points(self, node: Sampled) -> Points:
        """Return where the samples of a noise lie; one coordinate per row and column if unmoved."""
        axes = self._bake.axes
        if node.moves is None:
            return (axes.x[np.newaxis, :], axes.y[self._start : self._stop, np.newaxis])
        x, y, *rest = axes.points(self._start, self._stop)
        shift_x, shift_y = node.shifts(self.lookup, self._shape)
        if self._bake.is_near:
            x, y = x.astype(np.float32), y.astype(np.float32)
        return (x + shift_x, y + shift_y, *rest)

    def _tiled(self, node: Sampled, noise: Tiling) -> Field:
        """Return an output of a tiling; where its tiles lie is worked out once for all outputs."""
        seed = node.seed(self._bake.order.seed)
        key = (node.pattern, seed if noise.is_random else 0, node.moves)
        if key not in self._tiles:
            points = self._points(node)[:2]
            self._tiles[key] = noise.tiles(points, seed, self._bake.axes.torus)
        return noise.made_of(self._tiles[key], self._shape, seed)

    def _looked_up(self, node: Sampled, table: Table) -> Field:
        steps = spacing(self._bake.axes)
        x, y = (
            shift * np.float32(1.0 / step)
            for shift, step in zip(node.shifts(self.lookup, self._shape), steps)
        )
        (field,) = table.look_up(self._start, x, y)
        low, high = node.noise.bounds()  # the spline overshoots at sharp edges
        return np.clip(field, low, high, out=field)


def _dimensions(name: str) -> int:
    return 2 if MAPS[name].channels == 1 else 3


def _write(value: Value, out: Field) -> None:
    """Write a formula's value into some rows of a map, cut off at 0 and 1.

    Parameters
    ----------
    value : float or ndarray of shape (rows, columns) or (3, rows, columns)
        The latter may have a single row and column.
    out : ndarray of shape (rows, columns) or (rows, columns, 3)
    """
    if isinstance(value, float):
        out[...] = min(max(value, 0.0), 1.0)
        return
    if out.ndim == 2:
        np.clip(value, 0.0, 1.0, out=out)
        return
    for channel in range(3):
        np.clip(value[channel] if value.ndim == 3 else value, 0.0, 1.0, out=out[..., channel])


def _part(progress: Progress, low: float, high: float) -> Progress:
    """Return a progress that fills a part of the whole."""
    return lambda share: progress(low + (high - low) * share)
