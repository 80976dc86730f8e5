# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of ground for robots: equal to mjlab's own, to the published centimeter, and the same on every machine."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from noise_core.base.errors import ParameterError
from noise_core.lattice import hash as lattice_hash
from noise_core.noises import perlin
from noise_core.robots.bases.chance import Chance
from noise_core.robots.bases.ground import Box, frame
from noise_core.robots.bases.sub_terrain import SOURCES, sub_terrain_types

FROZEN = np.load(Path(__file__).parents[1] / "golden" / "robots" / "mjlab.npz")
"""Heights that 1,000 rays met on the ground of mjlab 1.6, and the numbers that it drew; `tools/freeze_mjlab.py`."""

KINDS = sub_terrain_types()
MJLAB = sorted({name.partition("/")[0] for name in FROZEN if "/" in name})
LEVELS = FROZEN["difficulties"].tolist()

# MuJoCo takes no field that is level: there mjlab's have another height, at difficulty 0 alone.
LEVEL_FIELDS = {
    "waves/0": 0.0025,
    "pyramid_slope/0": 0.0,
    "pyramid_slope_inverted/0": 0.005,
    "perlin_noise/0": 0.001,
}

UNEVEN = ("waves", "random_uniform", "perlin_noise")
"""Without a platform: a robot begins at the highest of the middle."""


class Replay(Chance):
    """The numbers that mjlab drew."""

    def __init__(self, case):
        super().__init__(0)
        self.case, self.left = case, {name for name in FROZEN if name.startswith(f"{case}/")}
        self.left.discard(f"{case}/start")

    def draw(self, name, *shape):
        self.left.discard(f"{self.case}/{name}")
        share = FROZEN[f"{self.case}/{name}"].astype(float)
        assert share.shape == shape, name
        return share


@pytest.fixture
def noise_of_mjlab(monkeypatch):
    """Perlin noise with the permutation that mjlab shuffled, and its order of the four diagonals."""

    def use(case):
        order = FROZEN[f"{case}/permutation"].astype(np.int32)
        table = np.concatenate([order, order])
        slopes = np.array([[1, 1, -1, -1], [1, -1, 1, -1]], np.float32)
        monkeypatch.setattr(lattice_hash, "permutation", lambda seed: table)
        monkeypatch.setattr(perlin, "_slopes", lambda *_: slopes)

    return use


def test_all_kinds_of_both_programs_are_there():
    published = {source: [] for source in SOURCES}
    for key, cls in KINDS.items():
        for source in cls.published:
            published[source].append(key)
    assert sorted(published["mjlab"]) == MJLAB and len(MJLAB) == 17  # 16 and level ground
    assert {"rails", "pit", "raised_block", "gap", "floating_ring", "star"} <= set(
        published["isaac_lab"]
    )
    assert len(published["isaac_lab"]) == 13 and len(published["rudin_2021"]) == 7


@pytest.mark.parametrize("at", range(len(LEVELS)))
@pytest.mark.parametrize("kind", MJLAB)
def test_the_ground_is_that_of_mjlab(kind, at, noise_of_mjlab):
    """Within 0.1 mm at 1,000 rays, with the same parameters and the same random numbers."""
    case = f"{kind}/{at}"
    if kind == "perlin_noise":
        noise_of_mjlab(case)
    replay = Replay(case)
    ground = KINDS[kind]().ground(LEVELS[at], replay)
    x, y = (FROZEN[axis].astype(float) for axis in "xy")
    expected = FROZEN[case] * float(FROZEN["step"])
    tolerance = 1e-4 + LEVEL_FIELDS.get(case, 0.0)
    np.testing.assert_allclose(ground.heights(x, y), expected, rtol=0.0, atol=tolerance)
    assert replay.left <= {f"{case}/permutation"}, "all numbers were used"
    if at and kind not in UNEVEN:
        assert ground.start == pytest.approx(float(FROZEN[f"{case}/start"]), abs=1e-6)
    if kind not in ("flat", "random_uniform") and at == 2:
        assert np.ptp(expected) > 0.1


RANGES = {
    # kind, source: the quantity at difficulty 0 and 1, in meters (of slopes rise over run)
    ("pyramid_stairs", "mjlab", "step_height"): (0.0, 0.2),
    ("pyramid_stairs", "isaac_lab", "step_height"): (0.05, 0.23),
    ("pyramid_stairs", "rudin_2021", "step_height"): (0.05, 0.23),
    ("pyramid_slope", "mjlab", "slope"): (0.0, 0.7),
    ("pyramid_slope_inverted", "isaac_lab", "slope"): (0.0, 0.4),
    ("waves", "mjlab", "amplitude"): (0.0, 0.2),
    ("discrete_obstacles", "mjlab", "height"): (0.05, 0.3),
    ("discrete_obstacles", "rudin_2021", "height"): (0.05, 0.25),
    ("random_grid", "mjlab", "height"): (0.0, 0.3),
    ("random_grid", "isaac_lab", "height"): (0.05, 0.2),
    ("open_stairs", "mjlab", "step_height"): (0.1, 0.2),
    ("open_stairs", "mjlab", "step_width"): (0.8, 0.4),
    ("stepping_stones", "mjlab", "stone"): (0.8, 0.4),
    ("narrow_beams", "mjlab", "width"): (0.8, 0.2),
    ("nested_rings", "mjlab", "width"): (0.6, 0.3),
    ("nested_rings", "mjlab", "gap"): (0.1, 0.4),
    ("perlin_noise", "mjlab", "height"): (0.0, 1.0),
    ("rails", "isaac_lab", "height"): (0.05, 0.3),
    ("pit", "isaac_lab", "depth"): (0.05, 1.1),
    ("pit", "rudin_2021", "depth"): (0.0, 1.0),
    ("gap", "isaac_lab", "gap"): (0.05, 1.1),
    ("gap", "rudin_2021", "gap"): (0.0, 1.0),
    ("raised_block", "isaac_lab", "height"): (0.05, 0.2),
    ("floating_ring", "isaac_lab", "height"): (1.0, 0.4),
    ("star", "isaac_lab", "width"): (1.0, 0.5),
}


@pytest.mark.parametrize(("kind", "source", "name"), RANGES)
def test_ranges_are_the_published_ones(kind, source, name):
    terrain = KINDS[kind].of(source)
    easy, hard = RANGES[kind, source, name]
    assert (terrain.value(name, 0.0), terrain.value(name, 1.0)) == pytest.approx((easy, hard))


@pytest.mark.parametrize("difficulty", [0.0, 1.0])
def test_barriers_have_their_published_measures(difficulty):
    line = np.linspace(-4.0, 4.0, 8001)

    def profile(kind, source="isaac_lab"):
        ground = KINDS[kind].of(source).ground(difficulty, Chance(0))
        return ground, ground.heights(line, np.zeros(1)).round(9)

    def width(mask):
        return np.count_nonzero(mask) * 1e-3

    ground, rails = profile("rails")
    high = (0.05, 0.3)[int(difficulty)]
    assert rails.max() == high and width(rails == high) == pytest.approx(0.3, abs=0.01)
    ground, pit = profile("pit")
    assert pit.min() == ground.start == -(0.05, 1.1)[int(difficulty)]
    assert width(pit < 0.0) == pytest.approx(1.5, abs=2e-3)
    ground, gap = profile("gap", "rudin_2021")
    assert width(gap < 0.0) == pytest.approx((0.0, 2.0)[int(difficulty)], abs=5e-3)
    ground, ring = profile("floating_ring")
    assert ring.max() == pytest.approx((1.05, 0.45)[int(difficulty)])
    ground, star = profile("star")
    assert star.max() == 0.0 and ground.heights(line, line[:, None][::100]).min() == pytest.approx(
        -(0.05, 0.2)[int(difficulty)]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_grid_has_the_heights_of_its_points_and_no_holes(kind):
    axis = np.linspace(-4.0, 4.0, 41)
    for difficulty in (0.0, 0.3, 1.0):
        ground = KINDS[kind]().ground(difficulty, Chance(3))
        height = ground.on_grid(axis, axis)
        np.testing.assert_array_equal(height, ground.heights(axis, axis[:, np.newaxis]))
        assert np.isfinite(height).all()
        middle = float(ground.heights(np.zeros(1), np.zeros(1))[0])
        if kind in UNEVEN:
            near = np.linspace(-0.45, 0.45, 10)
            assert ground.start >= ground.on_grid(near, near).max() - 0.05, "never in the ground"
        else:
            assert ground.start == pytest.approx(middle), "a robot begins on the ground"


def test_seeds_change_what_is_random_and_nothing_else():
    axis = np.linspace(-3.9, 3.9, 61)
    random = set()
    for kind, cls in KINDS.items():
        first, again, other = (
            cls().ground(1.0, Chance(seed)).on_grid(axis, axis) for seed in (1, 1, 2)
        )
        np.testing.assert_array_equal(first, again)
        if not np.array_equal(first, other):
            random.add(kind)
    assert random == {
        *("random_uniform", "discrete_obstacles", "perlin_noise", "random_grid", "random_spread"),
        *("random_stairs", "stepping_stones", "tilted_grid"),
    }


def test_random_numbers_are_even_and_each_name_has_its_own():
    share = Chance(1).draw("height", 100, 100)
    assert 0.0 <= share.min() and share.max() < 1.0
    assert share.mean() == pytest.approx(0.5, abs=0.01)
    assert share.var() == pytest.approx(1.0 / 12.0, rel=0.03)
    other = Chance(1).draw("width", 100, 100)
    assert abs(np.corrcoef(share.ravel(), other.ravel())[0, 1]) < 0.03


def test_a_turned_box_ends_where_its_corners_are():
    box = Box(1.0, 2.0, 0.5, 0.25, 0.0, 1.0, turn=90.0)
    tops = box.tops(np.array([1.0, 1.0, 1.24, 1.26]), np.array([2.49, 2.51, 2.0, 2.0]))
    assert tops.tolist() == [1.0, -np.inf, 1.0, -np.inf]
    assert box.reach == (0.25, 0.5)
    assert frame(1.0, 1.0, 0.0, 1.0) == [] and len(frame(1.0, 0.0, 0.0, 1.0)) == 1


def test_sizes_that_leave_no_room_are_refused_in_a_line():
    with pytest.raises(ParameterError, match="Pyramid Stairs: platform_width .* must be below 8 m"):
        KINDS["pyramid_stairs"](platform_width=7.0)
    with pytest.raises(ParameterError, match=r"NarrowBeams.count must be in \[2, 360\]; got 1"):
        KINDS["narrow_beams"](count=1)
    for kind, parameters, message in (
        ("random_grid", {"cell_width": 0.05, "size": 20.0}, "Random Grid has at most 200 cells"),
        ("stepping_stones", {"easy_stone": 0.05, "least_gap": 0.0, "size": 50.0}, "200 stones"),
        ("waves", {"spacing": 0.01, "size": 50.0}, "2049 samples along a side; got 5000"),
    ):
        with pytest.raises(ParameterError, match=message):
            KINDS[kind](**parameters).ground(1.0, Chance(0))


def test_the_same_seed_has_the_same_bits_on_every_machine():
    axis = np.linspace(-4.0, 4.0, 33)
    digest = hashlib.sha256()
    for cls in KINDS.values():
        height = cls().ground(0.7, Chance(11)).on_grid(axis, axis)
        digest.update(np.rint(height * 1e4).astype("<i8").tobytes())
    assert digest.hexdigest()[:16] == "287c5c2fa47c97bc"
