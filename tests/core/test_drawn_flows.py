# SPDX-License-Identifier: GPL-3.0-or-later
"""Meanders, glaciers and debris flows begin in drawn rivers, and nothing changes where nothing is drawn."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from benchmarks.drawn_flows import (
    PRESETS,
    measure_meanders,
    measure_runouts,
    measure_trough,
    mountains,
    plain_with_river,
)
from benchmarks.drawn_land import draw_river
from benchmarks.relief_figures import difference
from noise_core import CurvePoint, Grid, LandCurve, ParameterError, Recipe
from noise_core.curves.chains import chain_of
from noise_core.erosion.drawn import valleys
from noise_core.modifiers import DebrisFlow, GlacialErosion, Meanders
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from noise_core.stages.memory import MemoryRunner
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

TYPES = pytest.mark.parametrize("cls", [DebrisFlow, GlacialErosion, Meanders])
RIVER = LandCurve(points=[CurvePoint(at=at) for at in ((0.25, 0.75), (0.45, 0.5), (0.8, 0.0))])
BRANCH = LandCurve(points=[CurvePoint(at=at) for at in ((0.85, 0.7), (0.7, 0.5), (0.45, 0.5))])


def hills(side=193, *, wrap=False):
    grid = Grid(side, side, size=4000.0, wrap=wrap)
    return 500.0 * Fractal(source=Perlin(frequency=3.0), octaves=7.0).sample_grid(grid, 5), grid


def test_meanders_stay_in_the_belt_of_drawn_rivers():
    draw = generator("drawn meanders")
    wandered = [measure_meanders(draw_river(draw)) for _ in range(max(count_of(24), 4))]
    assert max(river.ends for river in wandered) < 0.05  # widths: a tenth of a sample
    apart = [river.apart for river in wandered]
    # Widths; a bend is twelve long. One river in a hundred leaves its curve by three quarters of that.
    assert max(apart) < 15.0 and np.mean(apart) < (5.0 if len(apart) >= 24 else 7.0), apart
    assert max(river.longer for river in wandered) > 1.1


@pytest.mark.parametrize("name", PRESETS)
def test_lowest_lines_of_troughs_lie_on_drawn_rivers(name):
    draw, shares = generator(f"drawn troughs {name}"), []
    for _ in range(max(count_of(24), 2)):
        curve = draw_river(draw)
        shares.append(measure_trough(name, curve, curve))
    assert min(shares) >= 0.85 and np.mean(shares) >= 0.95, shares


def test_lowest_lines_lie_elsewhere_without_drawn_rivers():
    assert measure_trough("alps", None, RIVER) < 0.5


@pytest.mark.parametrize("name", PRESETS)
def test_debris_comes_to_rest_in_drawn_gullies(name):
    """At the foot of mountains it leaves them, as fans do: the share is small there, but many times that of other ground."""
    draw, shares = generator(f"drawn runouts {name}"), []
    curves = [draw_river(draw) for _ in range(max(count_of(24), 8))]
    for curve in curves:
        surges, share = measure_runouts(name, curve, curve)
        assert surges
        shares.append(share)
    least = curves[int(np.argmin(shares))]
    assert min(shares) > 3.0 * measure_runouts(name, None, least)[1], [
        one.at for one in least.points
    ]
    # Rivers are so different that few of them say little.
    error = np.std(shares, ddof=1) / len(shares) ** 0.5
    assert np.mean(shares) >= (0.5 if len(shares) >= 24 else 0.6 - 4.0 * error), shares


def test_debris_comes_to_rest_elsewhere_without_drawn_gullies():
    assert measure_runouts("alps", None, RIVER)[1] < 0.1


@TYPES
def test_curves_change_the_land(cls):
    ground, grid = hills()
    plain, drawn = (cls(rivers=rivers).apply(ground, grid, 3) for rivers in ((), (RIVER,)))
    assert (plain.height != drawn.height).any() and set(plain.maps) == set(drawn.maps)
    assert all(np.isfinite(field).all() for field in (drawn.height, *drawn.maps.values()))


def test_curves_beyond_the_land_change_nothing_there():
    ground, grid = hills()
    far = LandCurve(points=[CurvePoint(at=(3.0, 3.0)), CurvePoint(at=(4.0, 3.0))])
    for cls in (GlacialErosion, Meanders):
        plain, drawn = (cls(rivers=rivers).apply(ground, grid, 3) for rivers in ((), (far,)))
        assert plain.height.tobytes() == drawn.height.tobytes()
    assert DebrisFlow(rivers=(far,)).apply(ground, grid, 3).height.tobytes() == ground.tobytes()


@TYPES
def test_rivers_wrap(cls):
    ground, grid = hills(128, wrap=True)
    heights = []
    for shift in (0.0, -1.0):
        points = [CurvePoint(at=(x + shift, y)) for x, y in ((0.6, 0.4), (1.1, 0.5), (1.4, 0.7))]
        heights.append(cls(rivers=(LandCurve(points=points),)).apply(ground, grid, 3).height)
    assert np.abs(heights[0] - heights[1]).max() < 1e-3 * np.ptp(ground)


@TYPES
def test_a_closed_river_does_not_close(cls):
    ground, grid = hills(97)
    one, other = (
        cls(rivers=[dataclasses.replace(RIVER, closed=closed)]).apply(ground, grid).height
        for closed in (True, False)
    )
    assert one.tobytes() == other.tobytes()


@TYPES
def test_unbound_names_are_refused_in_one_line(cls):
    ground, grid = hills(65)
    with pytest.raises(ParameterError, match=rf"^{cls.__name__}.rivers must be curves, or names"):
        cls(rivers=["Glacier"]).apply(ground, grid)


@TYPES
def test_recipes_name_rivers(cls):
    layers = (Fractal(source=Perlin(frequency=3.0)), cls(rivers=["Drawn river"]))
    recipe = Recipe(layers=layers, curves={"Drawn river": RIVER}, size=4000.0, height=500.0)
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    grid = recipe.grid(97)
    assert recipe.evaluate(grid).height.tobytes() == again.evaluate(grid).height.tobytes()


def test_a_branch_joins_its_river():
    ground, grid = hills()
    size, law = grid.width, valleys.ValleyLaw(8.0, 0.0, 0.5, 200.0)
    run = MemoryRunner(Level.from_grid(grid), grid=grid)
    rivers = [chain_of(curve, size, 1.0) for curve in (BRANCH, RIVER)]
    floors, joins = valleys.unpack(valleys.lead(run, run.take(ground), rivers, law)[1])
    assert joins == [1, -1]
    assert floors[0].vertices[-1, 2] >= floors[1].vertices[-1, 2]
    for floor in floors:
        assert (np.diff(floor.vertices[:, 2]) <= 0.0).all()


@pytest.mark.parametrize("cls", [GlacialErosion, Meanders])
def test_resolutions_agree_on_drawn_land(cls):
    differences = []
    for rivers in ((), (RIVER,)):
        heights = []
        for side in (257, 513):
            ground, grid = (
                mountains("alps", side) if cls is GlacialErosion else plain_with_river(side)
            )
            heights.append(cls(rivers=rivers).apply(ground, grid, 2).height)
        differences.append(difference(*heights, float(np.ptp(heights[1])))[0])
    assert differences[1] < differences[0] + 0.3  # percent of the relief
