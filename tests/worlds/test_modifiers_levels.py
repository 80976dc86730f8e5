# SPDX-License-Identifier: GPL-3.0-or-later
"""Modifiers that work from coarse to fine give in tiles the bits that they give in memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid, Modifier
from noise_core.erosion.pipes import STEPS, WaterState
from noise_core.modifiers import SedimentErosion, ThermalErosion, sediment_erosion
from noise_core.modifiers.sediment_erosion import reach_of
from noise_core.rasters.level import Level
from noise_core.stages.description import Raster, Rounds
from terrane_worlds.rasters import level_fields
from terrane_worlds.rasters.parts import grow, part
from terrane_worlds.stages.tiled_runner import TiledRunner

from .lands import assert_same_bits, cut, levels, many, windows
from .tiled_modifiers import WIDTH, assert_exact, hills

MODIFIERS = {
    "thermal": ThermalErosion(),
    "thermal, many passes": ThermalErosion(passes=43, talus_angle=25.0),
    "thermal, none": ThermalErosion(passes=0),
    "sediment": SedimentErosion(steps=14),
    "sediment, long": SedimentErosion(steps=35, rain=2.0),
    "sediment, none": SedimentErosion(steps=0),
}
FEW = 4000
"""Samples: so only the coarsest levels are worked on as a whole."""


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("shape", "side"), [((257, 193), 64), ((130, 130), 50), ((270, 281), 100)])
@pytest.mark.parametrize("modifier", MODIFIERS.values(), ids=MODIFIERS)
def test_tiles_have_the_bits_of_the_whole(
    modifier: Modifier,
    shape: tuple[int, int],
    side: int,
    wrap: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", FEW)
    grid = Grid(*shape, wrap=wrap, size=WIDTH)
    assert_exact(modifier, hills(grid), grid, side, tmp_path)


def test_tiles_have_the_bits_of_the_whole_where_steps_of_rain_are_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", FEW)
    monkeypatch.setattr(sediment_erosion, "_COARSEST", 16)
    modifier, grid = SedimentErosion(steps=35, rain=2.0), Grid(270, 281, size=WIDTH)
    levels = len(Level.from_grid(grid).pyramid(16))
    assert modifier.steps_on(levels - 1) == (14, 2.5)
    assert_exact(modifier, hills(grid), grid, 100, tmp_path)


@pytest.mark.parametrize("modifier", MODIFIERS.values(), ids=MODIFIERS)
def test_few_samples_are_worked_on_as_a_whole(modifier: Modifier, tmp_path: Path) -> None:
    grid = Grid(140, 133, size=WIDTH)
    assert_exact(modifier, hills(grid), grid, 64, tmp_path)


@pytest.mark.parametrize("modifier", MODIFIERS.values(), ids=MODIFIERS)
@pytest.mark.parametrize("value", [0.0, -7.25])
def test_level_lands_too(
    modifier: Modifier, value: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", FEW)
    grid = Grid(134, 129, size=WIDTH)
    assert_exact(modifier, np.full(grid.shape, value, np.float32), grid, 50, tmp_path)


@pytest.mark.parametrize("at_once", [1, 3])
@pytest.mark.parametrize(
    "modifier", [MODIFIERS["thermal, many passes"], MODIFIERS["sediment, long"]]
)
def test_work_in_many_short_goes_too(
    at_once: int,
    modifier: Modifier,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(level_fields, "MOST_SAMPLES", FEW)
    rounds = TiledRunner.rounds

    def short(run: TiledRunner, stage: Rounds, state: Sequence[Raster]) -> tuple[Raster, ...]:
        return rounds(run, dataclasses.replace(stage, at_once=at_once), state)

    monkeypatch.setattr(TiledRunner, "rounds", short)
    grid = Grid(134, 129, size=WIDTH)
    assert_exact(modifier, hills(grid), grid, 50, tmp_path)


@given(st.data(), st.integers(0, 999), st.integers(1, STEPS))
@many
def test_rain_reaches_no_further_than_it_says(data: st.DataObject, seed: int, steps: int) -> None:
    """On ground so rough and wet that all it says is used."""
    level, chance = data.draw(levels(least=12)), np.random.default_rng(seed)
    ground, water, load, along, across = (
        chance.uniform(low, 1.0, level.shape).astype(np.float32) for low in (-1, 0, 0, -1, -1)
    )
    flood = WaterState(4 * ground, water, load, along, across)
    want = data.draw(windows(level))
    have = grow(want, level, reach_of(steps))
    rain = SedimentErosion(rain=3.0, capacity=3.0, talus_angle=10.0)
    stride = data.draw(st.sampled_from((1.0, 1.7, 2.5)))
    whole = rain.rain_on(level, stride).fall(flood, steps)
    inside = WaterState(*(cut(field, have) for field in flood.arrays()))
    fallen = rain.rain_on(part(level, have), stride).fall(inside, steps)
    for got, expected in zip(fallen.arrays(), whole.arrays()):
        assert_same_bits(np.ascontiguousarray(got[want.within(have)]), cut(expected, want))
