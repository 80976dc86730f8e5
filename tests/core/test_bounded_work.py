# SPDX-License-Identifier: GPL-3.0-or-later
"""Work of Meanders and Debris Flow: for no allowed value more than ten times that of their defaults."""

from __future__ import annotations

import numpy as np
import pytest

import noise_core.erosion.debris.exchange as exchange
import noise_core.erosion.debris.surges as surges
import noise_core.erosion.meanders.migration as migration
import noise_core.erosion.meanders.process as process
from noise_core import Grid
from noise_core.modifiers import DebrisFlow, Meanders
from noise_core.noises import Fractal
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

CASES = 100
MOST = 10.0

STEP, RIVER_STEP = 300, 6000
"""Points that take as long as the calls of one step: of surges, and of rivers."""


def drawn_grid(chance):
    """Return a small random grid, and whether it is steep, gentle or flat: its heights in meters."""
    grid = Grid(
        chance.randint(4, 60),
        chance.randint(4, 60),
        size=10.0 ** chance.uniform(1.0, 5.0),
        wrap=chance.random() < 0.3,
    )
    rise = grid.size * chance.choice((0.0, 0.003, 0.03, 0.3))
    kind = chance.choice(("fbm", "ridged"))
    return grid, np.float32(rise) * Fractal(kind=kind).sample_grid(grid, chance.getrandbits(32))


def work_of_debris(monkeypatch, modifier, grid, height):
    """Return the points and steps of all surges."""
    work = []
    with monkeypatch.context() as patched:
        apply, move = exchange.apply, surges._Surges.move

        def count_points(*arguments):
            work.append(apply(*arguments))
            return work[-1]

        def count_step(*arguments):
            work.append(STEP)
            return move(*arguments)

        patched.setattr(exchange, "apply", count_points)
        patched.setattr(surges._Surges, "move", count_step)
        modifier.apply(height, grid, 3)
    return sum(work)


def work_of_rivers(monkeypatch, modifier, grid, height):
    """Return the points of rivers in all steps."""
    work = []
    with monkeypatch.context() as patched:
        press = migration.press

        def count_points(curves):
            work.append(RIVER_STEP + len(curves.x))
            return press(curves)

        patched.setattr(migration, "press", count_points)
        patched.setattr(process, "press", count_points)
        modifier.apply(height, grid, 3)
    return sum(work)


def test_debris_flow_never_takes_much_longer_than_by_default(monkeypatch):
    chance = generator("work of debris")
    for _ in range(count_of(CASES)):
        grid, height = drawn_grid(chance)
        modifier = DebrisFlow(
            amount=chance.choice((1.0, 20.0, 20.0 * chance.random())),
            events=chance.choice((200, chance.randint(1, 200))),
            start_slope=chance.choice((5.0, chance.uniform(5.0, 60.0))),
            rest_slope=chance.choice((1.0, chance.uniform(1.0, 30.0))),
            levees=chance.random(),
            depth=chance.choice((0.0, 1e6, grid.size * chance.random())),
            catchment=chance.choice((0.0, 1e-6, 0.1 * grid.size)),
        )
        # On gentle land nothing flows by default; steep land of the same grid is what it takes.
        steep = np.float32(0.3 * grid.size) * Fractal(kind="ridged").sample_grid(grid, 1)
        usual = max(
            work_of_debris(monkeypatch, DebrisFlow(), grid, land) for land in (height, steep)
        )
        work = work_of_debris(monkeypatch, modifier, grid, height)
        assert work <= MOST * max(usual, 24 * STEP * 40), (grid, modifier)


def test_meanders_never_take_much_longer_than_by_default(monkeypatch):
    chance = generator("work of rivers")
    usual = Meanders()._steps * RIVER_STEP  # of a single short river
    for _ in range(count_of(CASES)):
        grid, height = drawn_grid(chance)
        modifier = Meanders(
            strength=chance.choice((1.0, 4.0, 4.0 * chance.random())),
            width=chance.choice((0.0, 1e-6, 1e6, grid.size * 10.0 ** chance.uniform(-4.0, 0.0))),
            depth=chance.choice((0.0, 1e6)),
            flood_plain=chance.choice((0.0, 4.0, 50.0)),
            wall_height=chance.choice((0.0, 1e-6, 1e6)),
            drainage_area=chance.choice(
                (0.0, 1e-9, grid.size**2 * 10.0 ** chance.uniform(-5.0, 0.0))
            ),
            inflow=chance.choice((0.0, 0.5, 0.95)),
        )
        assert work_of_rivers(monkeypatch, modifier, grid, height) <= MOST * usual, (grid, modifier)
