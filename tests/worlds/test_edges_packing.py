# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges lose no bit when they are packed, and tiles find their own part on every level."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrane_worlds import WorldError
from terrane_worlds.edges import frames
from terrane_worlds.edges.notes import from_plain, to_plain
from terrane_worlds.edges.packing import EdgeFile, Entry, Packed
from terrane_worlds.tiling import Tiling, Window
from tests.worlds.lands import many, rough_field

TYPES = ("float32", "float64", "int32", "intp", "uint8")


@many
@given(
    st.sampled_from(TYPES),
    st.lists(st.integers(0, 9), min_size=1, max_size=3),
    st.integers(0, 999),
)
def test_no_bit_is_lost(dtype, shape, seed):
    chance = np.random.default_rng(seed)
    bits = chance.integers(0, 256, (*shape, np.dtype(dtype).itemsize), np.uint8)
    values = bits.view(dtype)[..., 0]  # infinite ones and those that are no numbers too
    again = Packed.of(values).unpack()
    assert (again.dtype, again.shape) == (values.dtype, values.shape)
    assert again.tobytes() == values.tobytes()
    again += 1  # may be written to


def test_smooth_ground_gets_smaller():
    x = np.linspace(0.0, 9.0, 300, dtype=np.float32)
    ground = np.sin(x) * np.cos(x[:, None]) * np.float32(900.0)
    assert len(Packed.of(ground).data) < 0.55 * ground.nbytes
    noise = rough_field((300, 300), 1)
    assert len(Packed.of(noise).data) < 1.01 * noise.nbytes


def test_types_that_are_none():
    with pytest.raises(ValueError, match="^arrays must be of float32, .*; got bool$"):
        Packed.of(np.zeros(3, np.bool_))


def test_files(tmp_path):
    values = (rough_field((7, 9), 2), np.arange(5, dtype=np.intp))
    window = Window(-3, 8, 7, 9)
    EdgeFile({"a b/c": Entry.of(values, window)}, {"n": [1.5, None]}).write(
        tmp_path / "x" / "y", "y"
    )
    reading = EdgeFile.read(tmp_path / "x" / "y", "y")
    assert reading.facts == {"n": [1.5, None]}
    entry = reading.entries["a b/c"]
    assert entry.window == window
    for one, packed in zip(values, entry.arrays):
        assert packed.unpack().tobytes() == one.tobytes()


def test_arrays_of_other_sizes_are_refused():
    packed = Packed.of(np.zeros(1000, np.float32))
    for count in (999, 1001, 10**15):
        with pytest.raises(ValueError, match="^an array of "):
            Packed(packed.dtype, (count,), packed.data).unpack()


@pytest.mark.parametrize(
    "described", [["object", [3], 1], ["float32", [-3], 1], ["float32", [3], -1]]
)
def test_what_no_array_can_be(tmp_path, monkeypatch, described):
    path = tmp_path / "x"
    monkeypatch.setattr("terrane_worlds.edges.packing._describe", lambda entry: [None, described])
    EdgeFile({"a": Entry.of([np.zeros(3, np.float32)])}).write(path, "a")
    with pytest.raises(WorldError, match="is damaged: an array of "):
        EdgeFile.read(path, "a")


@many
@given(st.data())
def test_frames_and_own_parts_make_the_window(data):
    window = Window(*(data.draw(st.integers(-9, 9)) for _ in range(2)), 12, 15)
    own = Window(*(data.draw(st.integers(-9, 9)) for _ in range(2)), 7, 8)
    values = rough_field(window.shape, 3)
    inside = frames.cut(window, own)
    parts = frames.frame(values, window, inside)
    assert sum(part.size for part in parts) == values.size - (
        0 if inside is None else inside.rows * inside.columns
    )
    again = np.full_like(values, np.nan)
    frames.fill_frame(again, window, inside, parts)
    if inside is not None:
        at = inside.within(window)
        again[at] = values[at]
    assert again.tobytes() == values.tobytes()


def test_frames_of_other_windows():
    values = np.zeros((9, 9), np.float32)
    with pytest.raises(ValueError, match="^arrays of other shapes$"):
        frames.fill_frame(values, Window(0, 0, 9, 9), Window(1, 1, 3, 3), [values])


@many
@given(st.integers(20, 3000), st.integers(20, 3000), st.sampled_from([16, 100, 512]), st.booleans())
def test_tiles_lie_in_one_tile_of_each_level(rows, columns, side, wrap):
    lands, shape = [], (rows, columns)
    while min(shape) >= 10:
        lands.append(Tiling(*shape, side, wrap))
        shape = (-(-shape[0] // 2), -(-shape[1] // 2))
    for tile in lands[0].tiles:
        place = frames.place_of(tile, lands[0])
        step = place
        for fine, coarse in zip(lands, lands[1:]):
            step = frames.place_in(step, fine, coarse)
            assert step == frames.place_in(place, lands[0], coarse)
            assert frames.own_part(lands[0], tile, coarse) == frames.tile_at(step, coarse)
    for fine, coarse in zip(lands, lands[1:]):
        covered = np.zeros(fine.shape, np.intp)
        for tile in coarse.tiles:
            covered[frames.own_part(coarse, tile, fine).within(Window(0, 0, *fine.shape))] += 1
        assert (covered == 1).all()


@pytest.mark.parametrize("start", [-13, -10, 0, 3, 9])
def test_edges_that_meet_divide_windows(start):
    tiling = Tiling(10, 10, 4, wrap=True)
    values = np.arange(100).reshape(10, 10)
    window = Window(start, 2, 14, 5)
    again = np.full(window.shape, -1)
    for part in frames.unwrap(window, tiling):
        again[part.place] = values[part.window.within(Window(0, 0, 10, 10))]
    expected = values.take(range(start, start + 14), axis=0, mode="wrap")[:, 2:7]
    assert (again == expected).all()
    (whole,) = frames.unwrap(window, None)
    assert whole.window == window


def test_numbers():
    numbers = (1, None, True, 2.5, np.float32(0.1), (np.int64(3), float("-inf")))
    again = from_plain(to_plain(numbers))
    assert again == numbers
    assert [type(one) for one in again] == [type(number) for number in numbers]
    line = np.array([0.1, -2.0, float("inf")])
    ((kept,),) = from_plain(json.loads(json.dumps(to_plain(((line,),)))))
    assert kept.dtype == line.dtype and kept.tobytes() == line.tobytes()
    for other in (np.zeros((3, 2)), np.array(["text"]), "text", object(), {"a": 1}):
        with pytest.raises(TypeError, match="^no number: "):
            to_plain(other)
    with pytest.raises(ValueError, match="^no number: "):
        from_plain({"U": "text"})
