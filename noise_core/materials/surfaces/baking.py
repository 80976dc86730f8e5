# SPDX-License-Identifier: GPL-3.0-or-later
"""Baking of a surface's maps, block by block of rows.

There are two passes. The first computes the height and every map that is independent of it; the
second computes the maps that depend on it. Within a block every field is computed once. Only these
whole fields are kept: the height, the maps read off it, and fields of the second pass that share
noises with the first. So no noise is computed twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from ...base import blocks
from ...base.arrays import Field
from ...base.blocks import Progress, part_of
from ...base.errors import ParameterError
from ...base.plans import run_in_blocks, run_on_rows
from ...domain_warp.extent import can_serve
from ...domain_warp.lookup import NoiseTable
from ...maps.bases.map import Map
from ...noises.bases.pattern import Pattern
from ...rasters.height_field import HeightField
from ...rasters.level import Level
from .bake_state import BakeState
from .block import RowBlock, RowStrip
from .graph import HEIGHT
from .nodes import MapField, NoiseField
from .terms import Value
from .texture_set import MAPS

NORMAL = "normal"

_SAMPLES_PER_STRIP = 1 << 18
"""Samples of a noise that are worked out at once: cells want tall strips, memory low ones."""

_SAMPLES_PER_THREAD = 1 << 18
"""At least: with fewer, threads wait for each other longer between short calls than they save."""

_FIRST_PASS, _READINGS = 0.4, 0.8
"""Of the whole time, that have gone after the first pass and after the readings."""


_LARGE = 1 << 19
"""Texels from which on what is soft in a reading is worked out on fewer."""

_ANYWHERE = ((0.0, 0.0), (0.0, 0.0))
"""On a torus a table needs no margin to reach everywhere."""


class Bake(BakeState):
    """Bake of a surface."""

    def run(self, progress: Progress) -> dict[str, Field]:
        """Return the requested maps."""
        samples = math.prod(self.request.grid.shape)
        threads = min(blocks.thread_count(), max(1, samples // _SAMPLES_PER_THREAD))
        with blocks.on_threads(threads):
            return self._run(progress)

    def _run(self, progress: Progress) -> dict[str, Field]:
        graph = self.graph
        self.results.update(self._constants())
        ordered = [name for name in self.request.maps if name not in (NORMAL, *self.results)]
        late = [name for name in ordered if graph.is_late(graph.formulas[name])]
        early = [name for name in ordered if name not in late and name != HEIGHT]
        afterwards = self._required_fields(late)
        is_read = NORMAL in self.request.maps or not afterwards.isdisjoint(graph.late)
        if HEIGHT in ordered or is_read:
            early.append(HEIGHT)
        keep = self._fields_to_keep(self._boundary(late, afterwards), self._required_fields(early))
        self._pass(early, keep, part_of(progress, 0.0, _FIRST_PASS))
        if is_read:
            self._read(afterwards, part_of(progress, _FIRST_PASS, _READINGS))
        self._take_over(late)
        mixed = [name for name in late if name not in self.results]
        self._pass(mixed, set(), part_of(progress, _READINGS, 1.0))
        progress(1.0)
        return {name: self.results[name] for name in self.request.maps}

    def _constants(self) -> dict[str, Field]:
        """Return the uniform maps; zeros are allocated lazily."""
        constants: dict[str, Field] = {}
        for name in self.request.maps:
            value = None if name in (NORMAL, HEIGHT) else self.graph.constant(name)
            if value is not None:
                shape = (*self.request.grid.shape, 3)[: _dimensions(name)]
                constants[name] = np.zeros(shape, np.float32)
                if any(value):
                    constants[name][...] = value
        return constants

    def _take_over(self, maps: Iterable[str]) -> None:
        """Use readings directly as maps that consist of nothing else: within [0, 1], one map each."""
        taken: set[str] = set()
        for name in maps:
            expression = self.graph.formulas[name].expression
            alone = (expression and expression.name) or ""
            node = self.graph.nodes.get(alone)
            if not isinstance(node, MapField) or alone in taken or _dimensions(name) != 2:
                continue
            low, high = (0.0, 1.0) if node.limits else node.map.bounds()
            if 0.0 <= low and high <= 1.0:
                taken.add(alone)
                self.results[name] = self.whole[alone]

    def _required_fields(self, maps: Iterable[str]) -> set[str]:
        return self.graph.needs(need for name in maps for need in self.graph.formulas[name].needs)

    def _boundary(self, late: Iterable[str], afterwards: Iterable[str]) -> set[str]:
        """Return the fields of the first pass that the second one needs: the last without the height."""
        graph = self.graph
        needed = {need for name in late for need in graph.formulas[name].needs}
        for name in afterwards:
            if name in graph.late and name in graph.nodes:
                needed |= graph.nodes[name].needs
        return {
            name for name in needed if name in graph.nodes and not graph.is_uniform(name)
        } - graph.late

    def _fields_to_keep(self, needed: Iterable[str], early: set[str]) -> set[str]:
        """Return the fields that the first pass keeps: those whose noises it computes anyway."""
        graph = self.graph
        noises = {name for name in early if isinstance(graph.nodes.get(name), NoiseField)}
        return {
            name for name in needed if name in early or not noises.isdisjoint(graph.needs((name,)))
        }

    def _pass(self, maps: list[str], keep: set[str], progress: Progress) -> None:
        """Compute maps, and fields to keep, block by block."""
        rows, columns = self.request.grid.shape
        if not maps:
            return
        asked = {need for name in maps for need in self.graph.formulas[name].needs} | keep
        needed = self.graph.needs(asked, self.whole)
        self._prepare(needed)
        uses = self.graph.uses(maps, needed)
        self.uses = {name: count for name, count in uses.items() if name not in keep}
        targets = {
            name: np.empty((rows, columns, 3)[: _dimensions(name)], np.float32) for name in maps
        }
        kept = {
            name: np.empty((3, rows, columns)[name not in self.graph.colors :], np.float32)
            for name in sorted(keep)
        }

        def work(start: int, stop: int) -> None:
            strip = RowStrip(self, start, stop)

            def compute(part: slice) -> None:
                top, bottom = start + part.start, start + part.stop
                block = RowBlock(strip, top, bottom)
                with np.errstate(over="ignore", invalid="ignore"):  # refused when written
                    for name, target in targets.items():
                        blocks.checkpoint()
                        value, _ = block.result(self.graph.formulas[name])
                        _write(value, target[top:bottom], name)
                    for name, field in kept.items():
                        field[..., top:bottom, :] = block.lookup(name)

            run_in_blocks(stop - start, columns, compute)

        strip_height = blocks.rows_of_strip(rows, columns, most=_SAMPLES_PER_STRIP)
        blocks.run(work, rows, strip_height, progress=progress)
        for spent in (self.plans, self.tables, self.rendered):
            spent.clear()
        self.whole.update(kept)
        self.results.update(targets)
        if HEIGHT in maps:  # maps read off the height need it even if it was not requested
            self.whole[HEIGHT] = targets[HEIGHT]

    def _prepare(self, needed: set[str]) -> None:
        """Plan the noises among some fields that are not computed yet."""
        together: dict[object, list[str]] = {}
        still: list[tuple[str, NoiseField]] = []
        for name in sorted(needed):
            node = self.graph.nodes.get(name)
            if not isinstance(node, NoiseField) or isinstance(node.noise, Pattern):
                continue
            is_whole = self.axes.torus is not None and self.request.grid.whole is None
            if node.moves is None:
                still.append((name, node))
            elif is_whole and node.way == "looked_up" and can_serve(self.axes, _ANYWHERE):
                together.setdefault(node.moves, []).append(name)
            elif is_whole and node.way == "snapped":
                plan = node.noise.plan(self.axes, node.seed(self.request.seed))
                self.rendered[name] = np.empty(self.request.grid.shape, np.float32)
                run_on_rows(plan, self.rendered[name], None, None, None)
        for names in together.values():
            self._tabulate(names)
        # Last, because plans are as large as a table while a table is made.
        for name, node in still:
            self.plans[name] = node.noise.plan(self.axes, node.seed(self.request.seed))

    def _tabulate(self, names: list[str]) -> None:
        """Look up noises with equal displacements in one table."""
        nodes = [self.graph.nodes[name] for name in names]
        noises = [
            (node.noise, [node.seed(self.request.seed)])
            for node in nodes
            if isinstance(node, NoiseField)
        ]
        table = NoiseTable(noises, self.axes, _ANYWHERE)
        for channel, name in enumerate(names):
            self.tables[name] = (table, channel)

    def _read(self, names: Iterable[str], progress: Progress) -> None:
        """Compute the readings that some maps need from the height, and the normals."""
        meters = self.whole[HEIGHT] * np.float32(self.request.depth)
        field = HeightField(meters, Level.from_grid(self.request.grid))
        readings = {
            name: node
            for name in sorted(names)
            if isinstance(node := self.graph.nodes.get(name), MapField)
        }
        steps = len(readings) + 1
        for done, (name, reading) in enumerate(readings.items()):
            blocks.checkpoint()
            step = part_of(progress, done / steps, (done + 1) / steps)
            self.whole[name] = reading.mask(_map_of(reading.map, field, step))
        if NORMAL in self.request.maps:
            step = part_of(progress, (steps - 1) / steps, 1.0)
            self.results[NORMAL] = self.request.normal.read(field, step)


def _map_of(source: Map, field: HeightField, progress: Progress) -> Field:
    """Return a map of a height field."""
    is_large = field.level.rows * field.level.columns >= _LARGE
    return source.read_large(field, progress) if is_large else source.read(field, progress)


def _dimensions(name: str) -> int:
    return 2 if MAPS[name].channels == 1 else 3


def _write(value: Value, out: Field, name: str) -> None:
    """Write a formula's value into some rows of a map, clipped to [0, 1].

    Reading a surface tries its formulas at a few values only: others may still go beyond float32.

    Parameters
    ----------
    value : float or ndarray of shape (rows, columns) or (3, rows, columns)
        The latter may have a single row and column.
    out : ndarray of shape (rows, columns) or (rows, columns, 3)
    name : str
        The map's, for the error message.
    """
    if not np.isfinite(value).all():
        raise ParameterError("Surface.maps.{} must be finite; got nan or inf", name)
    if isinstance(value, float):
        out[...] = min(max(value, 0.0), 1.0)
        return
    if out.ndim == 2:
        np.clip(value, 0.0, 1.0, out=out)
        return
    # Cut off first: what skips two of three numbers is slow.
    shares = np.clip(value, 0.0, 1.0)
    for channel in range(3):
        out[..., channel] = shares[channel] if shares.ndim == 3 else shares
