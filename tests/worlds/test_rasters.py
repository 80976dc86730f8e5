# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of windows give the bits of the whole."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core.base.arrays import Field
from noise_core.erosion.stream.bending import Bend, BendExtent
from noise_core.rasters import boxes, pyramid, smoothing, steepness
from noise_core.rasters.level import Level
from terrane_worlds.base.tiling import Window
from terrane_worlds.rasters import averages, resampling
from terrane_worlds.rasters.bends import TiledBend
from terrane_worlds.rasters.parts import grow, local, tiling_of
from terrane_worlds.tiles.engine import Engine

from .lands import assert_same_bits, cut, levels, many, rough_field, windows

RESAMPLINGS = ["restrict", "subsample", "prolong"]
CHANCE = st.integers(0, 999)


def _two_levels(data: st.DataObject, name: str) -> tuple[Level, Level]:
    """Draw a level and the next one, source first."""
    fine = data.draw(levels(even=data.draw(st.booleans())))
    coarse = fine.coarser()
    return (coarse, fine) if name == "prolong" else (fine, coarse)


@pytest.mark.parametrize("name", RESAMPLINGS)
@given(st.data(), CHANCE)
@many
def test_resampled_windows_are_the_wholes(name: str, data: st.DataObject, seed: int) -> None:
    source, target = _two_levels(data, name)
    field = rough_field(source.shape, seed)
    want = data.draw(windows(target))
    have = resampling.source_window(want, source, target)
    whole = getattr(pyramid, name)(field, source, target)
    part = getattr(resampling, name)(cut(field, have), have, source, target, want)
    assert_same_bits(part, cut(whole, want))


@given(st.data(), CHANCE)
@many
def test_prolonged_windows_are_cut_off_at_bounds(data: st.DataObject, seed: int) -> None:
    source, target = _two_levels(data, "prolong")
    field = rough_field(source.shape, seed)
    want = data.draw(windows(target))
    have = resampling.source_window(want, source, target)
    whole = pyramid.prolong(field, source, target, (-500.0, 300.0))
    part = resampling.prolong(cut(field, have), have, source, target, want, (-500.0, 300.0))
    assert_same_bits(part, cut(whole, want))


@given(st.data(), CHANCE)
@many
def test_averaged_windows_are_the_wholes(data: st.DataObject, seed: int) -> None:
    level = data.draw(levels())
    strides = data.draw(st.sampled_from([(1,), (1, 2), (2, 4, 4), (4, 8, 8, 1, 2)]))
    field = whole = rough_field(level.shape, seed)
    for stride in strides:
        whole = smoothing.smooth(whole, stride, level.wrap)
    want = data.draw(windows(level))
    have = grow(want, level, sum(strides))

    def average(within: Level) -> Field:
        part = cut(field, have)
        for stride in strides:
            part = smoothing.smooth(part, stride, within.wrap)
        return part

    assert_same_bits(local(average, level, have, want, sum(strides)), cut(whole, want))


@given(st.data(), CHANCE)
@many
def test_slopes_of_windows_are_the_wholes(data: st.DataObject, seed: int) -> None:
    level = data.draw(levels())
    field = rough_field(level.shape, seed)
    want = data.draw(windows(level))
    have = grow(want, level, 1)
    whole = steepness.steepness(field, level)
    part = local(lambda within: steepness.steepness(cut(field, have), within), level, have, want, 1)
    assert_same_bits(part, cut(whole, want))


@given(st.data(), CHANCE, st.floats(0.0, 90.0))
@many
def test_blurred_windows_are_the_wholes(data: st.DataObject, seed: int, deviation: float) -> None:
    level = data.draw(levels())
    field = rough_field(level.shape, seed)
    want = data.draw(windows(level))
    have = averages.blur_needs(want, level, deviation)
    whole = boxes.blur(field, level, deviation)
    part = averages.blur(cut(field, have), have, level, want, deviation)
    assert_same_bits(part, cut(whole, want))


@given(
    st.data(), CHANCE, st.sampled_from([0.0, 0.4, 1.0, 5.0]), st.integers(0, 3), st.integers(3, 80)
)
@many
def test_bent_windows_are_the_wholes(
    data: st.DataObject, seed: int, randomness: float, number: int, side: int
) -> None:
    level = data.draw(levels())
    field = rough_field(level.shape, seed)
    whole = Bend.random(level, seed, randomness, number)
    tiled = TiledBend.random(level, seed, randomness, number, Engine(), tiling_of(level, side))
    assert tiled.extent == BendExtent.measure(level, seed, randomness, number)
    want = data.draw(windows(level))
    have = tiled.needed(want)
    part, values, inside = tiled.on(have), cut(field, have), want.within(have)
    for got, expected in zip(part.there, whole.there):
        assert_same_bits(np.ascontiguousarray(got), cut(expected, have))
    assert_same_bits(np.ascontiguousarray(part.bend(values)[inside]), cut(whole.bend(field), want))
    assert_same_bits(
        np.ascontiguousarray(part.straighten(values)[inside]), cut(whole.straighten(field), want)
    )


@pytest.mark.parametrize("name", RESAMPLINGS)
@pytest.mark.parametrize("wrap", [False, True])
def test_what_does_not_hold_enough_is_refused(name: str, wrap: bool) -> None:
    fine = Level(41, 38, 1.0, 1.0, wrap)
    source, target = (fine.coarser(), fine) if name == "prolong" else (fine, fine.coarser())
    want = Window(6, 7, 5, 4)
    enough = resampling.source_window(want, source, target)
    for have in (
        dataclasses.replace(enough, row=enough.row + 1, rows=enough.rows - 1),
        dataclasses.replace(enough, columns=enough.columns - 1),
    ):
        with pytest.raises(ValueError, match="must cover"):
            getattr(resampling, name)(np.zeros(have.shape, np.float32), have, source, target, want)
