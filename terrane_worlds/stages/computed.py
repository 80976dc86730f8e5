# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources of values that stages work out as they are read, and the parts that stages read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from noise_core.base import blocks
from noise_core.base.arrays import Field
from noise_core.rasters.level import Level
from noise_core.stages.description import Local, Part, as_tuple
from noise_core.stages.runner import Indices, Read

from ..base.tiling import Window
from ..rasters.parts import part, window_of
from ..tiles.sources import Source

_FAR = 64
"""Rows or columns between two that are not worth reading for both at once."""

Input = tuple[Source, Level]
"""Source of the values of a raster, and its whole level."""


def read_parts(stage: Local, level: Level, inputs: Sequence[Input], target: Level) -> list[Part]:
    """Return the parts of the sources that work on a part of a level reads."""
    parts = []
    for source, whole in inputs:
        part_level = whole
        if target.whole is not None:
            part_level = source_part(stage, level, whole, target)
        parts.append(Part(source.read(window_in(part_level)), part_level))
    return parts


def window_in(level: Level) -> Window:
    """Return the window of a part of a level, or of all of it."""
    return Window(0, 0, *level.shape) if level.whole is None else window_of(level)


def source_part(stage: Local, level: Level, source_level: Level, target: Level) -> Level:
    """Return the part of a source's level that a stage on a part of another level reads.

    Parameters
    ----------
    stage : Local
    level, source_level : Level
        The whole levels that the stage works on, and of the source.
    target : Level
        The part that the stage works on.
    """
    if source_level != level:
        return stage.across(source_level, target)
    reach = stage.reach
    if callable(reach):
        return reach(target)
    return target.grow(reach or 0, reach or 0)


def do_local(
    stage: Local, level: Level, inputs: Sequence[Input], target: Level
) -> tuple[Field, ...]:
    """Return the fields of a local stage on a part of a level."""
    parts = read_parts(stage, level, inputs, target)
    fields = as_tuple(stage.work(target, parts, blocks.unheard))
    return tuple(cut(field, parts[0].level, target) if parts else field for field in fields)


def cut(field: Field, part_level: Level, target: Level) -> Field:
    """Return the part of a field that lies on the target."""
    if field.shape[:2] == target.shape:
        return field
    return np.ascontiguousarray(field[target.within(part_level)])


@dataclasses.dataclass(frozen=True)
class Computed:
    """Source of values that are worked out each time they are read.

    Attributes
    ----------
    stage : Local
    level : Level
    inputs : tuple of Input
    """

    stage: Local
    level: Level
    inputs: tuple[Input, ...]

    def read(self, window: Window) -> Field:
        """See `Source.read`."""
        (field,) = do_local(self.stage, self.level, self.inputs, part(self.level, window))
        return field


@dataclasses.dataclass(frozen=True)
class Gathered:
    """Source of values that come from some rows and columns of another one; see `Runner.gather`."""

    work: Callable[[Level, Read], Field]
    level: Level
    source: Source

    def read(self, window: Window) -> Field:
        """See `Source.read`."""
        return self.work(part(self.level, window), self._read_lines)

    def _read_lines(self, rows: Indices, columns: Indices) -> Field:
        values = np.empty((len(rows), len(columns)), np.float32)
        for down in _groups(rows):
            for right in _groups(columns):
                row, column = rows[down], columns[right]
                top, left = int(row.min()), int(column.min())
                window = Window(top, left, int(row.max()) + 1 - top, int(column.max()) + 1 - left)
                block = self.source.read(window)
                values[np.ix_(down, right)] = block[np.ix_(row - top, column - left)]
        return values


def _groups(lines: Indices) -> list[Indices]:
    """Return the places of lines in groups that lie near each other."""
    order = np.argsort(lines, kind="stable")
    breaks = np.flatnonzero(np.diff(lines[order]) > _FAR) + 1
    return list(np.split(order, breaks))
