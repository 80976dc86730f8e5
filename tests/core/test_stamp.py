# SPDX-License-Identifier: GPL-3.0-or-later
"""Stamps keep their detail when turned and scaled, stay within their outline, and erosion joins their borders."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from noise_core import Grid, ParameterError, Placement, Recipe, RecipeError
from noise_core.erosion.earthworks.stamping import press
from noise_core.modifiers import Stamp, StreamErosion
from noise_core.modifiers.stamp import _MODES
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

SIZE = 4000.0


def hills(grid, seed=3, relief=300.0):
    source = Fractal(source=Perlin(frequency=3.0), octaves=7)
    return source.sample_grid(grid, seed) * np.float32(relief)


def ripples(side=129, waves=8.0):
    """Return pixels that a formula gives between them too."""
    share = np.arange(side) / (side - 1.0)
    return wave(share, share[:, np.newaxis], waves)


def wave(x, y, waves=8.0):
    return (0.5 * np.sin(2.0 * np.pi * waves * x) * np.cos(np.pi * waves * y)).astype(np.float32)


def placement(draw):
    factors = (draw.uniform(0.4, 2.0) * draw.choice((-1.0, 1.0)) for _ in range(3))
    return Placement(
        at=(draw.uniform(-0.1, 1.1), draw.uniform(-0.1, 1.1)),
        z=draw.uniform(-100.0, 300.0),
        rotation=draw.uniform(-400.0, 400.0),
        scale=tuple(factors),
    )


def any_stamp(draw):
    return Stamp(
        pixels=ripples(draw.choice((17, 65))),
        placements=[placement(draw) for _ in range(draw.choice((1, 2, 4)))],
        size=draw.uniform(300.0, 3000.0),
        mode=draw.choice(_MODES),
        outline=draw.choice(("round", "square")),
        falloff=draw.uniform(0.0, 1.0),
    )


def local_places(grid, place, size):
    """Return how far samples lie from a center, in half widths of a square stamp along its own axes."""
    x, y = np.meshgrid(*(np.arange(count) * grid.spacing for count in grid.shape[::-1]))
    x, y = x - place.at[0] * SIZE, y - place.at[1] * SIZE
    turn = np.radians(place.rotation)
    along = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
    return tuple(2.0 * part / (size * factor) for part, factor in zip(along, place.scale))


def test_detail_survives_turns_and_scales():
    """Within 1.5 % of its height the land is what the formula of the pixels says, where samples are fine enough."""
    draw, grid, size = generator("turned"), Grid(513, 513, size=SIZE), 1600.0
    for _ in range(count_of(60)):
        turned = placement(draw)
        stamp = Stamp(
            pixels=ripples(), placements=[turned], size=size, outline="square", falloff=0.0
        )
        height = stamp.apply(np.zeros(grid.shape), grid).height
        u, v = local_places(grid, turned, size)
        expected = wave(0.5 + 0.5 * u, 0.5 + 0.5 * v) * 100.0 * turned.scale[2]
        inside = (np.abs(u) < 0.98) & (np.abs(v) < 0.98)
        # Pixels of 5 to 25 m on samples of 7.8 m: the finest are smoothed a little.
        worst = np.abs(height - expected)[inside].max(initial=0.0)
        assert worst <= 0.06 * 100.0 * abs(turned.scale[2])
        outside = (np.abs(u) > 1.0 + 1e-6) | (np.abs(v) > 1.0 + 1e-6)
        assert not height[outside].any()


def test_a_smaller_stamp_is_smoothed_and_not_torn():
    """Pixels much finer than the samples give their mean, not chance values of single pixels."""
    draw = generator("fine")
    grid = Grid(65, 65, size=SIZE)
    speckles = np.array([[draw.choice((-1.0, 1.0)) for _ in range(257)] for _ in range(257)])
    stamp = Stamp(pixels=speckles, size=1000.0, outline="square", falloff=0.0)
    height = stamp.apply(np.zeros(grid.shape), grid).height
    assert 0.0 < np.abs(height).max() < 35.0  # single pixels are 100 m high
    coarse = Stamp(size=1000.0).apply(np.zeros(grid.shape), grid).height
    fine = Grid(513, 513, size=SIZE)
    same = Stamp(size=1000.0).apply(np.zeros(fine.shape), fine).height[::8, ::8]
    assert np.abs(coarse - same).max() < 3.0


def test_nothing_changes_beyond_the_outline():
    draw, grid = generator("outline"), Grid(257, 257, size=SIZE)
    for _ in range(count_of(60)):
        stamp, ground = any_stamp(draw), hills(grid, draw.randrange(100))
        height = stamp.apply(ground, grid).height
        radii = []
        for each in stamp.placements:
            u, v = local_places(grid, each, stamp.size)
            far = np.hypot(u, v) if stamp.outline == "round" else np.maximum(abs(u), abs(v))
            radii.append(far)
        beyond = np.min(radii, axis=0) > 1.0 + 1e-6
        assert (height[beyond] == ground[beyond]).all()


def test_modes_keep_their_promise():
    grid = Grid(129, 129, size=SIZE)
    ground, place = hills(grid), Placement(z=80.0, rotation=20.0)
    results = {
        mode: Stamp(placements=[place], size=2000.0, mode=mode).apply(ground, grid).height
        for mode in _MODES
    }
    assert (results["max"] >= ground).all() and (results["max"] > ground).any()
    assert (results["min"] <= ground).all() and (results["min"] < ground).any()
    assert (results["smooth_max"] >= results["max"] - 1e-3).all()
    assert (results["smooth_min"] <= results["min"] + 1e-3).all()
    assert results["mix"][64, 64] == pytest.approx(180.0, abs=0.5)  # replaces
    assert results["add"][64, 64] == pytest.approx(ground[64, 64] + 100.0, abs=0.5)
    moved = Stamp(placements=[Placement(z=-50.0, rotation=20.0)], size=2000.0)
    assert (moved.apply(ground, grid).height == results["add"]).all()  # adds stand on the ground


@pytest.mark.parametrize("wrap", [False, True])
def test_parts_have_the_bits_of_the_whole(wrap):
    """Any part of a land, across the edges of a torus too."""
    draw = generator("parts")
    grid = Grid(97, 129, wrap=wrap, size=SIZE)
    level = Level.from_grid(grid)
    for _ in range(count_of(60)):
        stamp, ground = any_stamp(draw), hills(grid)
        whole = stamp.apply(ground, grid).height
        imprints, law = stamp._imprints(level), stamp._law()
        row, column = draw.randrange(97 if wrap else 60), draw.randrange(129 if wrap else 90)
        part = level.part(row, column, 37, 39)
        rows, columns = (row + np.arange(37)) % 97, (column + np.arange(39)) % 129
        piece = ground[np.ix_(rows, columns)].copy()
        for imprint in imprints:
            press(piece, part, imprint, law)
        assert piece.tobytes() == whole[np.ix_(rows, columns)].tobytes()


def test_a_torus_has_no_border():
    """A stamp over the edge is the one in the middle, moved."""
    grid = Grid(128, 128, wrap=True, size=SIZE)
    flat = np.zeros(grid.shape)
    middle = Stamp(placements=[Placement(rotation=33.0)], pixels=ripples(), size=3000.0)
    corner = middle.with_values(placements=[Placement(at=(1.0, 0.0), rotation=33.0)])
    expected = np.roll(middle.apply(flat, grid).height, (64, 64), (0, 1))
    assert corner.apply(flat, grid).height.tobytes() == expected.tobytes()


def test_neighboring_tiles_share_their_border():
    stamp = Stamp(placements=[Placement(at=(1.0, 0.4), rotation=10.0)], size=1500.0)
    left, right = (Grid(65, 65, origin=(x, 0.0), size=SIZE) for x in (0.0, 1.0))
    heights = [stamp.apply(np.zeros(grid.shape), grid).height for grid in (left, right)]
    assert heights[0][:, -1].tobytes() == heights[1][:, 0].tobytes()
    assert heights[0][:, -1].any()


def pits(height, near):
    """Return how many samples within a region are lower than all eight neighbors."""
    inner = height[1:-1, 1:-1]
    lowest = np.ones(inner.shape, bool)
    for down, along in itertools.product((-1, 0, 1), repeat=2):
        if down or along:
            rows, columns = height.shape
            other = height[1 + down : rows - 1 + down, 1 + along : columns - 1 + along]
            lowest &= inner < other
    return int((lowest & near[1:-1, 1:-1]).sum())


def test_erosion_joins_the_borders():
    """After erosion there are no more pits along the seam than on the same land without the stamp."""
    draw = generator("seams")
    volcano = Recipe.from_preset("volcano")
    form = Stamp.of_heights(volcano.evaluate(volcano.grid(129)).height, 2500.0)
    before = with_stamp = without = 0
    for number in range(count_of(24)):
        grid = Grid(193, 193, size=6000.0)
        ground = hills(grid, number, 500.0)
        mode = ("add", "max", "min", "mix")[number % 4]
        place = Placement(
            at=(draw.uniform(0.35, 0.65), draw.uniform(0.35, 0.65)),
            z=float(ground[96, 96]),
            rotation=draw.uniform(0.0, 360.0),
        )
        stamp = form.with_values(placements=[place], mode=mode, falloff=draw.uniform(0.0, 0.6))
        x, y = np.meshgrid(*[np.arange(193) / 192.0] * 2)
        away = np.hypot(x - place.at[0], y - place.at[1]) * 6000.0 / 1250.0
        seam = (away > 0.3) & (away < 1.1)
        eroded = StreamErosion().apply(ground, grid, number).height
        stamped = stamp.apply(ground, grid).height
        before += pits(stamped, seam)
        with_stamp += pits(StreamErosion().apply(stamped, grid, number).height, seam)
        without += pits(eroded, seam)
    print(f"pits along seams: {before} before erosion, {with_stamp} after it, {without} without")
    assert with_stamp <= without + 3.0 * count_of(24) ** 0.5  # chance of single pits
    assert before > 10 * with_stamp


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"at": (0.5,)}, r"Placement.at must be 2 numbers in \[-1000, 1000\]; got \(0.5,\)"),
        ({"at": (0.5, 2000.0)}, "Placement.at must be 2 numbers"),
        ({"z": "high"}, "Placement.z must be a number in"),
        ({"z": True}, "Placement.z must be a number in"),
        ({"rotation": float("nan")}, "Placement.rotation must be a number in"),
        ({"scale": (1.0, 0.0, 1.0)}, "Placement.scale must be 0.0001 or more, or -0.0001 or less"),
        ({"scale": 2.0}, "Placement.scale must be 3 numbers"),
    ],
)
def test_placements_are_refused_in_one_line(change, message):
    with pytest.raises(ParameterError, match=message):
        Placement(**change)
    plain = {
        key: list(value) if isinstance(value, tuple) else value for key, value in change.items()
    }
    with pytest.raises(ParameterError, match="placements.0.: Placement"):
        Placement.from_plain(plain, "placements[0]")


def test_placements_and_stamps_are_plain_data():
    draw = generator("plain")
    for _ in range(count_of(40)):
        stamp = any_stamp(draw)
        recipe = Recipe(layers=(Perlin(), stamp), size=SIZE)
        assert Recipe.from_json(recipe.to_json()) == recipe
    text = recipe.to_json().replace('"rotation"', '"turn"')
    with pytest.raises(RecipeError, match="placements.0. has the keys at, z, rotation, scale"):
        Recipe.from_json(text)


def test_level_heights_are_refused():
    with pytest.raises(ParameterError, match="heights must not be level; all are 7 m high"):
        Stamp.of_heights(np.full((4, 4), 7.0), 100.0)
    with pytest.raises(ParameterError, match="two rows and columns or more; got"):
        Stamp.of_heights(np.zeros((1, 4)), 100.0)
    stamp = Stamp.of_heights(np.pad(np.full((2, 2), 9.0), 1, constant_values=4.0), 100.0)
    assert stamp.height == 5.0 and stamp.pixels.min() == 0.0 and stamp.pixels.max() == 1.0
