# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of `Weave` beyond the contract of all noises."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import Grid
from noise_core.base.torus import Torus
from noise_core.noises import Weave
from noise_core.tilings.threads import DRAFTS, thread_paths

SIDE = {"plain": (2, 2), "basket": (4, 4), "twill": (4, 4), "herringbone": (4, 16),
        "denim": (4, 4), "satin": (5, 5)}  # fmt: skip
EVERY_DRAFT = pytest.mark.parametrize("draft", sorted(DRAFTS))


def middles(draft, **parameters):
    """Return the output in the middle of each crossing of two by two repeats."""
    rows, columns = SIDE[draft]
    x, y = (np.arange(2 * count) + 0.5 for count in (columns, rows))
    points = np.stack(np.meshgrid(x / (2 * columns), y / (2 * rows)), axis=-1)
    weave = Weave(draft=draft, columns=2 * columns, rows=2 * rows, **parameters)
    return weave.sample(points, 3)


@EVERY_DRAFT
def test_draft_says_which_thread_is_on_top_and_repeats(draft):
    found = middles(draft, output="thread")
    expected = [[1.0 if mark == "1" else -1.0 for mark in row] for row in DRAFTS[draft]]
    np.testing.assert_array_equal(found, np.tile(expected, (2, 2)))
    assert thread_paths(draft).over.shape == (2 * SIDE[draft][0], 2 * SIDE[draft][1])


def test_drafts_are_those_of_their_names():
    def longest(line):
        runs = "".join("1" if one > 0 else "0" for one in line).split("0")
        return max(map(len, runs))

    for draft, warp, weft in (("plain", 1, 1), ("twill", 2, 2), ("denim", 3, 1), ("satin", 4, 1)):
        over = middles(draft, output="thread")
        assert {longest(np.roll(line, -np.argmin(line))) for line in over.T} == {warp}, draft
        assert {longest(np.roll(-line, -np.argmin(-line))) for line in over} == {weft}, draft
    satin = np.argwhere(middles("satin", output="thread")[:5, :5] < 0)
    apart = satin[:, None] - satin
    apart = np.abs((apart + 2) % 5 - 2).max(-1)[~np.eye(5, dtype=bool)]
    assert apart.min() == 2, "points where the weft shows touch each other"


@EVERY_DRAFT
def test_even_threads_reach_one_and_touch_those_below(draft):
    height = middles(draft, unevenness=0.0)
    np.testing.assert_allclose(height, 1.0, atol=1e-6)
    # Where a thread has dived it is half as thick below the middle: its top is at the middle.
    weave = Weave(draft="plain", columns=2.0, rows=2.0, unevenness=0.0, width=1.0)
    flank = weave.sample([[0.25 + 0.2499, 0.25]])
    np.testing.assert_allclose(flank, 0.5, atol=2e-3)


@EVERY_DRAFT
def test_surface_has_no_gap_where_threads_cross(draft):
    rows, columns = SIDE[draft]
    weave = Weave(draft=draft, columns=columns, rows=rows, width=1.0, unevenness=0.0)
    grid = Grid(64 * rows, 64 * columns, wrap=True)
    height = weave.sample_grid(grid, 1)
    for axis in (0, 1):
        step = np.abs(height - np.roll(height, 1, axis))
        # The steepest flank falls by 2 over half a thread; only the end of a long float's may jump.
        assert np.mean(step > 4.0 / 32.0) < (1e-9 if draft == "plain" else 0.02)
        assert step.max() < 0.6


def test_along_runs_once_over_a_float():
    weave = Weave(draft="denim", columns=4.0, rows=4.0, output="along", unevenness=0.0)
    column = weave.sample(np.stack([np.full(64, 0.125), (np.arange(64) + 0.5) / 64], -1))
    drops = np.flatnonzero(np.diff(column) < -0.5)
    assert len(drops) <= 2 and column.max() > 0.9 and column.min() < -0.9
    rising = np.diff(column)[np.diff(column) > 0.0]
    # Three of four crossings are one float: 2 over 48 samples.
    assert np.median(rising) == pytest.approx(2.0 / 48.0, rel=1e-3)


def test_along_the_weft_runs_over_its_own_floats():
    weave = Weave(draft="twill", columns=4.0, rows=4.0, output="along", unevenness=0.0)
    row = weave.sample(np.stack([(np.arange(64) + 0.5) / 64, np.full(64, 0.125)], -1))
    over = weave.with_values(output="thread").sample([[0.625, 0.125], [0.875, 0.125]])
    assert over.tolist() == [-1.0, -1.0]
    # Its float is two crossings long: from -1 to 1 over the second half.
    np.testing.assert_allclose(row[34:62], (np.arange(34, 62) + 0.5 - 48.0) / 16.0, atol=1e-5)


def test_across_runs_from_side_to_side_of_the_upper_thread():
    weave = Weave(draft="plain", columns=2.0, rows=2.0, output="across")
    # The warp is over in the first crossing, the weft in the next one.
    values = weave.sample([[0.2, 0.25], [0.3, 0.25], [0.75, 0.2], [0.75, 0.3]])
    np.testing.assert_allclose(values, [-0.2, 0.2, -0.2, 0.2], atol=1e-6)


@EVERY_DRAFT
def test_one_number_all_along_a_thread(draft):
    over, number = middles(draft, output="thread") > 0, middles(draft, output="value")
    rows, columns = number.shape
    warp = [set(number[:, column][over[:, column]]) for column in range(columns)]
    weft = [set(number[row][~over[row]]) for row in range(rows)]
    assert all(len(numbers) == 1 for numbers in warp + weft)
    assert len(set.union(*warp, *weft)) == rows + columns


def test_thin_threads_show_more_of_what_is_between():
    grid = Grid(128, 128, wrap=True)

    def open_share(**parameters):
        field = Weave(columns=16.0, rows=16.0, **parameters).sample_grid(grid, 5)
        return (field <= -0.999).mean()

    assert open_share(width=1.0, unevenness=0.0) == 0.0
    thin = open_share(width=0.5, unevenness=0.0)
    assert 0.1 < thin < open_share(width=0.5, unevenness=0.6)


def test_thin_threads_lie_lower():
    tops = middles("basket", unevenness=0.9)
    assert tops.max() < 1.0 and np.ptp(tops) > 0.2
    # At most 90 % thinner, which leaves a twentieth of the half above the middle.
    assert tops.min() >= 0.5 + 0.5 * (1.0 - 0.9) - 1e-6


def test_bands_are_level_on_top():
    grid = Grid(256, 256, wrap=True)
    round_, flat = (
        Weave(columns=4.0, rows=4.0, draft="basket", flatness=f, unevenness=0.0).sample_grid(grid)
        for f in (0.0, 1.0)
    )
    assert (flat > 0.9).mean() > 1.5 * (round_ > 0.9).mean()


@EVERY_DRAFT
@pytest.mark.parametrize("count", [1.0, 9.0, 21.3])
def test_a_wrapping_grid_takes_whole_repeats(draft, count):
    rows, columns = SIDE[draft]
    wefts, warps = (max(1, round(count / one)) * one for one in (rows, columns))
    weave = Weave(draft=draft, columns=count, rows=count)
    grid = Grid(8 * wefts, 8 * wefts, wrap=True)
    down = weave.with_values(output="thread").sample_grid(grid, 2)[4::8]
    grid = Grid(8 * warps, 8 * warps, wrap=True)
    across = weave.with_values(output="thread").sample_grid(grid, 2)[:, 4::8]
    # In the middles of the first warp and weft: the table of the draft, over and over.
    first = [mark == "1" for mark in DRAFTS[draft][0]]
    np.testing.assert_array_equal(across[4 * warps // wefts] > 0, first * (warps // columns))
    first = [row[0] == "1" for row in DRAFTS[draft]]
    np.testing.assert_array_equal(down[:, 4 * wefts // warps] > 0, first * (wefts // rows))


def test_threads_close_on_a_turned_torus():
    torus = Torus(((0.8, -0.6), (0.6, 0.8)))
    points = np.random.default_rng(0).uniform(-1.0, 1.0, (400, 2))
    for output in ("value", "thread"):
        weave = Weave(draft="twill", columns=40.0, rows=40.0, output=output)
        here = weave.values(tuple(points.T), 3, torus)
        for period in np.array(torus.periods).T:
            there = weave.values(tuple((points + period).T), 3, torus)
            assert np.mean(here != there) < 0.01  # but where rounding tips a thread's side
