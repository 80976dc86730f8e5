# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells beside drawn lines: each belongs to the nearest cell of the line, as told by looking at all of them."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from noise_core import Grid
from noise_core.erosion.drawn.places import LevelFrame, cells_beside, read
from noise_core.rasters.level import Level


def _line(draw: random.Random, rows: int, columns: int) -> list[tuple[int, int]]:
    """Return a line that wanders over a level by one cell at a time, and may cross itself."""
    line = [(draw.randrange(rows), draw.randrange(columns))]
    for _ in range(draw.randrange(2, 60)):
        row, column = line[-1]
        line.append(
            (
                min(max(row + draw.randint(-1, 1), 0), rows - 1),
                min(max(column + draw.randint(-1, 1), 0), columns - 1),
            )
        )
    return line


@pytest.mark.parametrize("seed", range(12))
def test_cells_beside_a_line_belong_to_its_nearest_cell(seed: int) -> None:
    draw = random.Random(seed)
    rows, columns, reach = draw.randrange(9, 40), draw.randrange(9, 40), draw.randrange(1, 12)
    level = Level.from_grid(Grid(rows, columns, size=draw.uniform(100.0, 9000.0)))
    line = _line(draw, rows, columns)
    cells = np.array([row * columns + column for row, column in line], np.intp)
    beside, nearest, apart = cells_beside(cells, LevelFrame(level, level), reach)
    found = dict(zip(beside.tolist(), zip(nearest.tolist(), apart.tolist())))
    expected = set()
    for row in range(rows):
        for column in range(columns):
            within = [
                math.hypot((row - r) * level.step_y, (column - c) * level.step_x)
                for r, c in line
                if max(abs(row - r), abs(column - c)) <= reach
            ]
            number = row * columns + column
            if not within or (row, column) in line:
                continue
            expected.add(number)
            place, distance = found[number]
            r, c = line[place]
            own = math.hypot((row - r) * level.step_y, (column - c) * level.step_x)
            assert own == pytest.approx(min(within), rel=1e-12)
            assert distance == pytest.approx(own, rel=1e-6)
    assert set(found) == expected


@pytest.mark.parametrize("wrap", [False, True])
def test_fields_that_are_read_together_have_the_bits_of_each(wrap: bool) -> None:
    chance = np.random.default_rng(5)
    fields = [chance.normal(size=(17, 23)).astype(np.float32) for _ in range(2)]
    places = chance.uniform(-5.0, 30.0, (200, 2))
    for field, values in zip(fields, read(fields, places, wrap)):
        assert np.array_equal(values, read((field,), places, wrap)[0])
    whole = chance.integers(0, 17, (50, 2)).astype(np.float64)
    row, column = whole.astype(np.intp).T
    assert np.array_equal(read(fields, whole, wrap)[0], fields[0][row, column])
