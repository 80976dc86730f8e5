# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels, windows, fields and commands for the tests of worlds."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from noise_core.base.arrays import Field
from noise_core.commands import command_line
from noise_core.rasters.level import Level
from terrane_worlds.base.tiling import Window
from terrane_worlds.commands.all_commands import COMMANDS

many = settings(deadline=None, derandomize=True, max_examples=60, print_blob=True)


@st.composite
def levels(draw: st.DrawFn, least: int = 5, most: int = 70, even: bool = False) -> Level:
    """Draw a whole level, whose edges may meet, anywhere in the world."""
    rows, columns = (draw(st.integers(least, most)) for _ in range(2))
    if even:
        rows, columns = rows - rows % 2, columns - columns % 2
    first = (draw(st.integers(-99, 99)), draw(st.integers(-99, 99)))
    step = draw(st.sampled_from([1.0, 7.3]))
    return Level(
        rows, columns, step, draw(st.sampled_from([step, 1.1 * step])), draw(st.booleans()), first
    )


@st.composite
def windows(draw: st.DrawFn, level: Level) -> Window:
    """Draw a window of a level: of any size, at borders or not, across edges that meet."""
    sides = []
    for count in level.shape:
        length = draw(st.integers(1, count))
        beyond = count // 2 if level.wrap else 0
        sides.append((draw(st.integers(-beyond, count - length + beyond)), length))
    (row, rows), (column, columns) = sides
    return Window(row, column, rows, columns)


def rough_field(shape: tuple[int, int], seed: int) -> Field:
    """Return heights of all sizes, with zeros of both signs among them."""
    chance = np.random.default_rng(seed)
    field = chance.normal(0.0, 1000.0, shape).astype(np.float32)
    field[chance.random(shape) < 0.2] = np.float32(0.0)
    field[chance.random(shape) < 0.2] = np.float32(-0.0)
    return field


def cut(field: Field, window: Window) -> Field:
    """Return a window of a whole field, across its edges if it reaches beyond them."""
    rows = np.arange(window.row, window.row + window.rows)
    columns = np.arange(window.column, window.column + window.columns)
    return np.ascontiguousarray(
        field.take(rows, axis=0, mode="wrap").take(columns, axis=1, mode="wrap")
    )


def assert_same_bits(got: Field, expected: Field) -> None:
    """Check that two fields have the same bits, those of zeros too."""
    assert got.shape == expected.shape and got.dtype == expected.dtype
    assert np.array_equal(got.view(np.uint32), np.ascontiguousarray(expected).view(np.uint32))


def run_command(*arguments: object) -> tuple[int, list[str], list[str]]:
    """Run a command of `python -m terrane_worlds`; return its status, its output and its notes."""
    output, notes = [], []
    words = list(map(str, arguments))
    status = command_line.run(words, output.append, notes.append, "terrane_worlds", COMMANDS)
    return status, output, notes
