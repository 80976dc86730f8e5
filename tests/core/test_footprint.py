# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of solids from above, and level ground within them."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from noise_core import Grid, Recipe
from noise_core.curves.land_curve import CurvePoint, LandCurve
from noise_core.curves.outlines import join, outlines_of
from noise_core.curves.unions import MOST_EDGES, Edges
from noise_core.landscapes.detail_patch import detail_heights
from noise_core.landscapes.patch_works import Works
from noise_core.landscapes.scene import DetailPatch
from noise_core.maps import Slope
from noise_core.masks import MapMask
from noise_core.modifiers import Blur, Footprint, Path
from noise_core.noises import Fractal, Perlin
from noise_core.rasters.windows import RasterWindow
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

SIDES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def box(middle, size, angle=0.0, base=0.0):
    """Return the vertices of a box."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size) / 2.0
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    flat = corners @ turn + np.array(middle)
    return np.concatenate([np.column_stack((flat, np.full(4, z))) for z in (base, base + 2.0)])


def solid(boxes):
    """Return vertices and triangles of boxes."""
    faces = [[(a, b, c), (a, c, d)] for a, b, c, d in SIDES]
    triangles = np.array(faces).reshape(-1, 3)
    return np.concatenate(boxes), np.concatenate([triangles + 8 * n for n in range(len(boxes))])


def within(ring, points):
    number = np.arange(len(ring))
    return Edges(ring, number, np.roll(number, -1), np.ones_like(number)).winding(points) > 0


def is_near(ring, points, gap=0.02):
    """Return which points lie within a distance of a ring."""
    along = np.roll(ring, -1, axis=0) - ring
    to_point = points[:, np.newaxis] - ring
    share = np.clip((to_point * along).sum(axis=2) / (along * along).sum(axis=1), 0.0, 1.0)
    apart = to_point - share[..., np.newaxis] * along
    return (np.hypot(apart[..., 0], apart[..., 1]) < gap).any(axis=1)


def covered(places, triangles, points):
    """Return which points triangles cover from above, each triangle by itself."""
    result = np.zeros(len(points), bool)
    for corners in places[triangles][:, :, :2]:
        sides = []
        for start, stop in zip(corners, np.roll(corners, -1, axis=0)):
            along, to_point = stop - start, points - start
            sides.append(along[0] * to_point[:, 1] - along[1] * to_point[:, 0])
        result |= np.all(np.array(sides) > 1e-9, axis=0) | np.all(np.array(sides) < -1e-9, axis=0)
    return result


def test_outlines_are_around_all_that_solids_cover():
    draw = generator("solids")
    points = np.stack(np.meshgrid(*[np.linspace(-2.0, 12.0, 90)] * 2), -1).reshape(-1, 2)
    for number in range(count_of(300)):
        boxes = []
        for _ in range(draw.randint(1, 10)):
            middle, size = ([draw.uniform(*ends) for _ in "xy"] for ends in ((0, 10), (0.3, 4)))
            if number % 2:  # walls that coincide
                middle, size = [round(x) for x in middle], [round(x) + 1.0 for x in size]
            angle = draw.choice([0.0, math.pi / 4, draw.uniform(0.0, 6.0)])
            boxes.append(box(middle, size, angle, draw.uniform(0.0, 5.0)))
        places, triangles = solid(boxes)
        outlines = outlines_of(places, triangles)
        inside = [within(each.ring, points) for each in outlines]
        true = covered(places, triangles, points)
        assert (true & ~np.any(inside, axis=0)).sum() <= 2
        for each, flags in zip(outlines, inside):
            middles = np.array([corners[:4, :2].mean(axis=0) for corners in boxes])
            bases = [
                corners[0, 2] for corners, there in zip(boxes, within(each.ring, middles)) if there
            ]
            beside = places[
                is_near(each.ring, places[:, :2]), 2
            ]  # the last millimeters do not count
            assert each.base == min(bases) or min(bases) > each.base in beside
            assert (flags & true).any() or each.ring.size < 20
        # The same of the boxes one by one.
        again = join([each for each_box in boxes for each in outlines_of(*solid([each_box]))])
        assert len(again) == len(outlines)
        assert sorted(each.base for each in again) == sorted(each.base for each in outlines)


def test_a_house_of_two_wings_and_a_chimney_is_one_outline():
    wings = [box((0, 0), (10, 4)), box((-3, 4), (4, 8)), box((0, 0), (1, 1), base=5.0)]
    (house,) = outlines_of(*solid(wings))
    assert (len(house.ring), house.base) == (6, 0.0)


def test_two_houses_of_one_mesh_have_two_bases():
    first, second = outlines_of(*solid([box((0, 0), (4, 4)), box((9, 0), (4, 4), base=-3.0)]))
    assert sorted([first.base, second.base]) == [-3.0, 0.0]


def test_a_courtyard_belongs_to_the_house():
    walls = [box((0, y), (10, 1)) for y in (-4, 4)] + [box((x, 0), (1, 9)) for x in (-4.5, 4.5)]
    outlines = outlines_of(*solid(walls))
    assert [len(each.ring) for each in outlines] == [4]


def test_lines_and_walls_have_no_outline():
    wall = np.array([[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]], float)
    assert outlines_of(wall, np.array([[0, 1, 2], [0, 2, 3]])) == []
    assert outlines_of(wall, np.empty((0, 3), np.intp)) == []


def test_leaves_get_a_hull():
    draw = np.random.default_rng(4)
    places = draw.uniform(0.0, 10.0, (3 * MOST_EDGES, 3))
    (hull,) = outlines_of(places, np.arange(3 * MOST_EDGES).reshape(-1, 3))
    assert within(hull.ring, places[:, :2]).mean() > 0.99


def hills(grid, seed=3, relief=300.0):
    source = Fractal(source=Perlin(frequency=3.0), octaves=7)
    return source.sample_grid(grid, seed) * np.float32(relief)


def house(x, y, width, size, angle, base):
    outline = outlines_of(*solid([box((x, y), (width, 0.7 * width), angle, base)]))
    points = [CurvePoint(at=tuple(at / size), z=base) for at in outline[0].ring]
    return LandCurve(points=points, closed=True)


def test_the_ground_under_a_house_is_level_to_the_bit_even_in_a_cell():
    """Between samples, too: all corners of the cells that the house touches are at its base."""
    draw, size = generator("houses"), 4000.0
    grid = Grid(257, 257, size=size)
    for number in range(count_of(60)):
        width, base = draw.choice([4.0, 10.0, 60.0, 300.0]), draw.uniform(-50.0, 50.0)
        place = draw.uniform(800.0, 3000.0), draw.uniform(800.0, 3000.0)
        curve = house(*place, width, size, draw.uniform(0.0, 6.0), base)
        ground = hills(grid, number)
        relief = Footprint(curves=[curve], margin=0.0).apply(ground, grid)
        corners = np.array([point.at for point in curve.points])
        share = np.linspace(0.0, 1.0, 40)[:, np.newaxis]
        edge = np.concatenate(
            [a + share * (b - a) for a, b in zip(corners, np.roll(corners, 1, 0))]
        )
        inner = np.concatenate([edge, corners.mean(axis=0) + 0.5 * (edge - corners.mean(axis=0))])
        low = np.floor(inner * 256).astype(int)
        touched = [relief.height[low[:, 1] + i, low[:, 0] + j] for i in (0, 1) for j in (0, 1)]
        assert (np.array(touched) == np.float32(base)).all()
        assert (relief.height != ground).any()


def test_nothing_changes_beyond_margin_and_reach():
    grid = Grid(257, 257, size=4000.0)
    ground, curve = hills(grid), house(2000, 2000, 100.0, 4000.0, 0.3, 10.0)
    from noise_core.maps import CurveDistance

    footprint = Footprint(curves=[curve], margin=40.0, reach=60.0, angle=20.0)
    changed = footprint.apply(ground, grid).height != ground
    distance = CurveDistance(curves=[curve], farthest=5000.0).values(ground, grid)
    assert not changed[distance > 100.1].any()
    level = footprint.apply(ground, grid).height[distance < 40.0]
    assert changed.any() and np.ptp(level) == 0.0


def test_banks_are_no_steeper_than_the_angle_within_half_the_reach():
    grid = Grid(513, 513, size=2000.0)
    curve = house(1000, 1000, 100.0, 2000.0, 0.0, 30.0)
    footprint = Footprint(curves=[curve], margin=10.0, angle=30.0, reach=200.0)
    line = footprint.apply(np.zeros(grid.shape), grid).height[256, 256:]
    steps = np.abs(np.diff(line)) / (2000.0 / 512)
    assert line[0] == 30.0 and line[-1] == 0.0
    assert np.tan(np.radians(28.0)) < steps.max() < np.tan(np.radians(32.0))


def test_a_footprint_is_a_pad():
    """One mechanism: the same bits as a path around the outline."""
    grid = Grid(129, 129, size=2000.0)
    curve = house(1000, 900, 150.0, 2000.0, 0.3, 20.0)
    pad = Path.of_kind(
        "pad", curves=[curve], heights="given", width=80.0, cut_angle=34.0, reach=30.0
    )
    footprint = Footprint(curves=[curve], margin=40.0)
    ground = hills(grid)
    for first, second in zip(
        *(each.apply(ground, grid).maps.values() for each in (pad, footprint))
    ):
        assert first.tobytes() == second.tobytes()


def test_a_house_of_10_m_in_alps_stands_level_in_the_detail_patch():
    """Between samples, too: to 1 mm, and no wider than margin and cell of the patch ask for."""
    recipe = Recipe.from_preset("alps", seed=5)
    grid = recipe.grid(513)
    base, size = 1600.0, recipe.size
    curve = house(0.4321 * size, 0.5432 * size, 10.0, size, 0.4, base)
    layers = (*recipe.layers, Footprint(curves=[curve], reach=20.0))
    recipe = dataclasses.replace(recipe, layers=layers)
    field = recipe.evaluate(grid).height
    row, column = 0.5432 * 512, 0.4321 * 512
    patch = DetailPatch(patch_size=200.0, spacing=0.5)
    window = RasterWindow.around(field.shape, grid.spacing, (row, column), 200.0, 0.5)
    works = Works.of(recipe, grid)
    fine = detail_heights(field, window, size, patch, None, works)
    coarse = detail_heights(field, window, size, patch, None)
    step = grid.spacing / window.parts
    y, x = np.mgrid[: fine.shape[0], : fine.shape[1]] * step
    places = np.stack(
        (x + window.columns[0] * grid.spacing, y + window.rows[0] * grid.spacing), -1
    ).reshape(-1, 2)
    ring = np.array([point.at for point in curve.points]) * size
    under = (within(ring, places) | is_near(ring, places, 1.4 * step)).reshape(fine.shape)
    assert under.sum() > 100 and np.abs(fine[under] - base).max() < 1e-3
    assert np.abs(coarse[under] - base).max() > 0.01
    beside = is_near(ring, places, 21.5 + 1.5).reshape(fine.shape) | under
    assert np.array_equal(fine[~beside], coarse[~beside])


def test_only_the_works_on_top_are_laid_again():
    ground = Fractal(source=Perlin(frequency=2.0))
    pad, road = Footprint(), Path()
    grid = Grid(33, 33, size=500.0)

    def works(*layers):
        recipe = Recipe(layers=(ground, *layers), size=500.0)
        return [type(layer) for layer in Works.of(recipe, grid).layers]

    assert works(pad) == [Footprint]
    assert works(pad, Path(heights="given")) == [Footprint, Path]
    assert works(Path(heights="given"), road) == [Path, Path]
    assert works(pad, Blur()) == []
    assert works(pad, Blur(muted=True)) == [Footprint]
    assert works(Footprint(opacity=0.5)) == []
    assert works(Footprint(mask=MapMask(map=Slope()))) == []
