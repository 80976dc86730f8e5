# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths keep their grade, pads are level, and nothing but the curve and the ground counts."""

from __future__ import annotations

import random

import numpy as np
import pytest

from noise_core import Grid, ParameterError
from noise_core.curves.land_curve import CurvePoint, LandCurve
from noise_core.erosion.earthworks.kinds import KINDS
from noise_core.modifiers import Path
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.level import Level
from noise_core.stages.description import Part
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

SIZE = 4000.0


def hills(grid, seed=3, relief=300.0):
    source = Fractal(source=Perlin(frequency=3.0), octaves=7)
    return source.sample_grid(grid, seed) * np.float32(relief)


def winding(draw, width, *, closed=False):
    """Return a Bezier curve across the land without sharp turns."""
    count = 5
    points = []
    for place in range(count):
        x, y = 0.1 + 0.8 * place / (count - 1), draw.uniform(0.3, 0.7)
        points.append(
            CurvePoint(
                at=(x, y),
                left=(x - 0.08, y),
                right=(x + 0.08, y),
                width=width,
                z=draw.uniform(-30.0, 30.0),
            )
        )
    return LandCurve(points=points, closed=closed)


def between(field, level, places):
    """Return heights at places in meters, linear between samples."""
    column, row = places[:, 0] / level.step_x, places[:, 1] / level.step_y
    left, low = np.floor(column).astype(int), np.floor(row).astype(int)
    right, up = column - left, row - low
    near = field[low, left] * (1 - right) + field[low, left + 1] * right
    far = field[low + 1, left] * (1 - right) + field[low + 1, left + 1] * right
    return near * (1 - up) + far * up


def test_the_grade_is_kept_where_the_bed_has_two_and_a_half_samples():
    draw = generator("grades")
    grid = Grid(513, 513, size=SIZE)
    level = Level.from_grid(grid)
    worst = 0.0
    for number in range(count_of(40)):
        curve = winding(draw, 2.5 * level.step_x)
        path = Path(curves=[curve], grade=0.1, reach=200.0, tolerance=0.05)
        ground = hills(grid, number)
        height = path.apply(ground, grid).height.astype(np.float64)
        from noise_core.curves.chains import chain_of
        from noise_core.erosion.earthworks.ground_reading import stations

        chain = stations(chain_of(curve, SIZE, 0.05), SIZE, 3.0 * level.step_x)
        places = chain.vertices[:, :2] * SIZE
        rise = np.abs(np.diff(between(height, level, places)))
        worst = max(worst, float((rise / np.diff(chain.lengths(SIZE))).max()))
        assert np.abs(height - ground).max() > 1.0
    assert worst <= 0.1 * 1.02


def test_nothing_changes_beyond_the_reach():
    from noise_core.maps import CurveDistance

    grid = Grid(257, 257, size=SIZE)
    ground, curve = hills(grid), winding(generator("reach"), 40.0)
    for kind in KINDS:
        path = Path.of_kind(kind, curves=[curve], reach=120.0, width_noise=0.0)
        changed = path.apply(ground, grid).height != ground
        far = CurveDistance(curves=[curve], farthest=5000.0).values(ground, grid) > 141.0
        assert changed.any(), kind
        assert not changed[far].any(), kind


def test_pads_are_flat_to_the_bit():
    draw = generator("pads")
    grid = Grid(257, 257, size=SIZE)
    level = Level.from_grid(grid)
    from noise_core.curves.chains import chain_of
    from noise_core.curves.inside import inside

    for number in range(count_of(60)):
        x, y, side = draw.uniform(0.2, 0.7), draw.uniform(0.2, 0.7), draw.uniform(0.02, 0.1)
        corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + 0.8 * side))
        outline = LandCurve(
            points=[CurvePoint(at=at, z=draw.uniform(0.0, 50.0)) for at in corners], closed=True
        )
        for heights in ("follow", "given"):
            pad = Path.of_kind("pad", curves=[outline], heights=heights)
            relief = pad.apply(hills(grid, number), grid)
            within = inside(chain_of(outline, SIZE, 0.1), level)
            assert within.any() and np.ptp(relief.height[within]) == 0.0
            assert (relief.maps["bed"][within] == 1.0).all()


@pytest.mark.parametrize("heights", ["given", "follow"])
@pytest.mark.parametrize("wrap", [False, True])
def test_the_order_of_curves_changes_no_bit(heights, wrap):
    draw = generator("order")
    grid = Grid(140, 129, wrap=wrap, size=SIZE)
    ground = hills(grid)
    curves = [winding(draw, 60.0, closed=bool(place % 2)) for place in range(4)]
    values = {"heights": heights, "reach": 300.0, "most_cut": 20.0, "detail": 0.3}
    whole = Path(curves=curves, **values).apply(ground, grid)
    draw.shuffle(curves)
    again = Path(curves=curves, **values).apply(ground, grid)
    assert again.height.tobytes() == whole.height.tobytes()
    for name, field in whole.maps.items():
        assert again.maps[name].tobytes() == field.tobytes(), name


@pytest.mark.parametrize("kind", ["road", "lake"])
def test_given_heights_are_the_same_in_tiles_and_on_a_torus(kind):
    from noise_core.erosion.earthworks import profile

    draw = generator(f"tiles of {kind}s")
    for wrap in (False, True):
        grid = Grid(130, 130, wrap=wrap, size=SIZE)
        ground, level = hills(grid), Level.from_grid(grid)
        curves = [winding(draw, width, closed=kind == "lake") for width in (60.0, 30.0)]
        path = Path.of_kind(kind, curves=curves, heights="given", reach=300.0, cut_angle=30.0)
        whole = path.apply(ground, grid)
        works = path._works(SIZE)
        law, chains = works.profile, works.alignment.chains(level.step_x)
        packed = profile.pack([profile.course(chain, None, SIZE, law) for chain in chains])
        for row in range(0, 130, 26):
            for column in range(0, 130, 26):
                part = level.part(row, column, 26, 26)
                values = ground[row : row + 26, column : column + 26]
                fields = works.shape(
                    part,
                    [Part(values, part)],
                    lambda share: None,
                    grid=grid,
                    courses=packed,
                    widest=30.0,
                    seed=0,
                )
                expected = (whole.height, *(whole.maps[name] for name in path.makes))
                for field, field_of_whole in zip(fields, expected, strict=True):
                    piece = field_of_whole[row : row + 26, column : column + 26]
                    assert field.tobytes() == piece.tobytes()


def test_a_lake_is_full_up_to_its_curve_and_as_deep_as_told():
    from noise_core.curves.chains import chain_of
    from noise_core.curves.inside import inside
    from noise_core.flow_routing.water_levels import standing_water

    draw, grid = generator("lakes"), Grid(129, 129, size=SIZE)
    full = 0
    for number in range(max(count_of(60), 4)):
        ground, shore = hills(grid, number), winding(draw, 8.0, closed=True)
        depth, heights = draw.uniform(1.0, 40.0), draw.choice(("follow", "given"))
        lake = Path.of_kind("lake", curves=[shore], heights=heights, water=depth)
        relief = lake.apply(ground, grid)
        pond, within = (
            relief.maps["pond"],
            inside(chain_of(shore, SIZE, 0.1), Level.from_grid(grid)),
        )
        if not pond.any():  # narrower than its shore
            continue
        full += 1
        surface = (relief.height + pond)[pond > 0.0]
        assert np.ptp(surface) < 1e-3 and pond.max() <= depth * 1.0001
        assert not pond[~within].any()
        water = standing_water(relief.height, grid, drawn=pond).levels
        np.testing.assert_allclose(water[pond > 1e-3], surface.mean(), atol=1e-3)
        if heights == "given":
            lowest, missed = (
                min(point.z for point in shore.points),
                lake._works(SIZE).alignment.closeness,
            )
            assert surface.mean() == pytest.approx(lowest, abs=missed), "pieces may miss a point"
    assert full >= 2


def test_a_surface_lies_where_the_bed_is_and_none_over_a_tunnel():
    grid = Grid(257, 257, size=SIZE)
    ground, curve = hills(grid), winding(generator("surfaces"), 60.0)
    for surface, firm in (
        ("none", 0.0),
        ("earth", 1.0 / 3.0),
        ("gravel", 2.0 / 3.0),
        ("asphalt", 1.0),
    ):
        path = Path.of_kind("road", curves=[curve], surface=surface, most_cut=5.0, most_fill=5.0)
        maps = path.apply(ground, grid).maps
        np.testing.assert_array_equal(maps["road"], maps["bed"] * np.float32(firm))
        assert maps["gap"].any() and not maps["road"][maps["gap"] == 1.0].any()
        assert not maps["pond"].any()


def test_a_curve_moved_on_a_torus_moves_the_result():
    grid = Grid(128, 128, wrap=True, size=SIZE)
    draw = generator("moved")
    places = [(draw.randrange(1024) / 1024, draw.randrange(1024) / 1024) for _ in range(5)]
    points = [CurvePoint(at=at, z=draw.uniform(-30.0, 30.0), width=60.0) for at in places]
    ground, curve = hills(grid), LandCurve(points=points)
    shift = (32, 48)
    across, along = shift[1] / 128, shift[0] / 128

    moved = LandCurve(
        points=[
            CurvePoint(at=(p.at[0] + across, p.at[1] + along), z=p.z, width=p.width) for p in points
        ]
    )
    for heights in ("given", "follow"):
        values = {"heights": heights, "reach": 300.0, "tolerance": 0.001}
        first = Path(curves=[curve], **values).apply(ground, grid).height
        second = Path(curves=[moved], **values).apply(np.roll(ground, shift, (0, 1)), grid).height
        assert second.tobytes() == np.roll(first, shift, (0, 1)).tobytes(), heights


def test_beyond_the_greatest_cut_and_fill_there_is_a_gap():
    grid = Grid(257, 257, size=SIZE)
    ground, curve = hills(grid, relief=500.0), winding(random.Random(5), 60.0)
    path = Path(curves=[curve], grade=0.05, most_cut=30.0, most_fill=30.0, reach=100.0)
    maps = path.apply(ground, grid).maps
    on_bed = maps["bed"] == 1.0
    assert maps["gap"].max() == 1.0 and on_bed.any()
    assert not (maps["gap"] + maps["bed"] > 1.0).any()
    whole = Path(curves=[curve], grade=0.05, reach=100.0).apply(ground, grid).maps
    assert whole["gap"].max() == 0.0 and whole["cut"].max() > 1.5 * maps["cut"].max()


def test_kinds_do_as_they_are_called():
    grid = Grid(257, 257, size=SIZE)
    ground, curve = hills(grid), winding(generator("kinds"), 40.0)
    changes = {
        kind: Path.of_kind(kind, curves=[curve]).apply(ground, grid).height - ground
        for kind in KINDS
    }
    assert changes["river_bed"].max() <= 0.0 and changes["river_bed"].min() < -1.0
    assert changes["dam"].min() >= 0.0 and changes["dam"].max() > 1.0
    assert changes["cliff"].min() >= -1e-3 and changes["cliff"].max() > 20.0
    with pytest.raises(ParameterError, match="^Path kind must be one of road, .*; got 'canal'$"):
        Path.of_kind("canal")


def test_a_river_bed_falls_from_its_higher_end():
    grid = Grid(257, 257, size=SIZE)
    level = Level.from_grid(grid)
    slope = np.linspace(200.0, 0.0, 257, dtype=np.float32)
    ground = np.repeat(slope[np.newaxis], 257, axis=0) + hills(grid, relief=30.0)
    line = [CurvePoint(at=(0.05, 0.5), width=60.0), CurvePoint(at=(0.95, 0.5), width=60.0)]
    path = Path(
        curves=[LandCurve(points=line)], downhill=True, grade=0.0, crossfall=0.0, tolerance=0.01
    )
    bed = path.apply(ground, grid).height[128, 14:243]
    assert (np.diff(bed) <= 1e-3).all() and bed[0] - bed[-1] > 100.0
    assert level.step_x < 60.0


@pytest.mark.parametrize("size", [128.0, 1000.0, 12800.0])
def test_the_map_of_the_bed_is_as_wide_as_the_bed(size):
    width = 0.04 * size
    line = [CurvePoint(at=(x, 0.5), z=60.0, width=width) for x in (0.1, 0.9)]
    grid = Grid(129, 129, size=size)
    path = Path(curves=[LandCurve(points=line)], heights="given")
    bed = path.apply(np.zeros(grid.shape), grid).maps["bed"]
    assert bed[:, 64].sum() * size / 128.0 == pytest.approx(width, rel=1e-3)
