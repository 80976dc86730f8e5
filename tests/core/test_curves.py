# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves are refused when they are none, thinned within their tolerance, and measured as piece by piece."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from noise_core import Grid, ParameterError, Recipe, RecipeError
from noise_core.curves.chains import Z, chain_of, thin
from noise_core.curves.inside import inside
from noise_core.curves.land_curve import CurvePoint, LandCurve
from noise_core.curves.measures import curve_distance
from noise_core.maps import CurveDistance
from noise_core.masks import MapMask, ProductMask
from noise_core.modifiers import Blur, Path
from noise_core.noises import Perlin
from noise_core.rasters.level import Level
from tests.drawing import count_of, generator

pytestmark = pytest.mark.newest

SIZE = 3000.0


def drawn_curve(draw, *, closed=False, low=0.0, high=1.0):
    points = [
        CurvePoint(
            at=(draw.uniform(low, high), draw.uniform(low, high)),
            z=draw.uniform(0.0, 200.0),
            width=draw.uniform(4.0, 60.0),
        )
        for _ in range(draw.randint(3, 12))
    ]
    return LandCurve(points=points, closed=closed)


def test_curves_survive_json():
    draw = generator("curves")
    for number in range(count_of(200)):
        curve = drawn_curve(draw, closed=bool(number % 2))
        assert LandCurve.from_plain(curve.to_plain(), "Road") == curve
        assert hash(LandCurve.from_plain(curve.to_plain(), "Road")) == hash(curve)


@pytest.mark.parametrize(
    "plain, text",
    [
        (3, "curves.A must be an object; got 3"),
        ({"points": 1}, "curves.A.points must be a list; got 1"),
        ({"points": []}, "curves.A: LandCurve.points must be 2 to 100000 points; got 0"),
        ({"points": [{"at": [0, 0]}, {}]}, r"curves.A.points\[1\] must have the keys at; got none"),
        (
            {"points": [{"at": [0, 0], "hight": 1}] * 2},
            r"curves.A.points\[0\] has the keys at, ",
        ),
        ({"points": [{"at": [0, 0]}] * 2}, "curves.A: LandCurve.points must lie in two places"),
        ({"points": [{"at": [0, float("nan")]}] * 2}, r"curves.A.points\[0\]: CurvePoint.at must"),
        ({"points": [{"at": [0, 0], "width": -1}] * 2}, r"curves.A.points\[0\]: CurvePoint.width"),
        ({"closed": 1, "points": [{"at": [0, 0]}, {"at": [1, 0]}]}, "curves.A: LandCurve.closed"),
    ],
)
def test_no_curve_is_refused_in_one_line(plain, text):
    with pytest.raises(RecipeError, match=f"^Recipe: {text}") as caught:
        Recipe.from_plain({"format": 1, "curves": {"A": plain}})
    assert "\n" not in str(caught.value)


def test_unknown_and_unused_names_are_refused():
    road = LandCurve(points=[CurvePoint(at=(0.1, 0.5)), CurvePoint(at=(0.9, 0.6))])
    layers = (Perlin(), Path(curves=["Road"]))
    recipe = Recipe(layers=layers, curves={"Road": road}, size=SIZE)
    with pytest.raises(
        ParameterError, match="^Recipe.curves must hold all curves that layers name; got 'Road'"
    ):
        Recipe(layers=layers, curves={"Lane": road})
    with pytest.raises(ParameterError, match="^Path.curves must be .*; got 'Road'"):
        Recipe(layers=layers, size=SIZE).evaluate(Grid(9, 9))
    with pytest.raises(ParameterError, match="^Recipe.curves must each be named .*; got 'Road'$"):
        Recipe(layers=(Perlin(),), curves={"Road": road})
    with pytest.raises(
        ParameterError, match="^Path.curves must be curves, or names .*; got 'Road'"
    ):
        Path(curves=["Road"]).apply(np.zeros((9, 9)), Grid(9, 9, size=SIZE))
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe and hash(again) == hash(recipe)
    by_value = dataclasses.replace(recipe, layers=(Perlin(), Path(curves=[road])), curves={})
    grid = recipe.grid(65)
    assert recipe.evaluate(grid).height.tobytes() == by_value.evaluate(grid).height.tobytes()


def test_masks_name_curves_too():
    lake = LandCurve(
        points=[CurvePoint(at=at) for at in ((0.2, 0.2), (0.8, 0.2), (0.5, 0.8))], closed=True
    )
    inner = MapMask(map=CurveDistance(curves=["Lake"]), limits="below", high=0.0)
    mask = ProductMask(first=inner, second=MapMask(low=-1.0), low=0.5)
    recipe = Recipe(
        layers=(Perlin(), Blur(mask=mask)), curves={"Lake": lake}, size=SIZE, height=100.0
    )
    grid = recipe.grid(65)
    ground = Recipe(layers=(Perlin(),), size=SIZE, height=100.0).evaluate(grid).height
    changed = recipe.evaluate(grid).height != ground
    within = inside(chain_of(lake, SIZE, 0.1), Level.from_grid(grid))
    assert changed[within].mean() > 0.9 and not changed[~within].any()


def test_thinning_stays_within_its_tolerance():
    draw = generator("thinning")
    for _ in range(count_of(60)):
        angles = np.linspace(0.0, 6.0, 400)
        phase = draw.uniform(0.0, 9.0)
        table = np.zeros((400, 6))
        table[:, 0] = 0.5 + 0.3 * np.cos(angles)
        table[:, 1] = 0.5 + 0.2 * np.sin(2.0 * angles + phase)
        table[:, Z] = 40.0 * np.sin(5.0 * angles)
        tolerance = draw.uniform(0.5, 5.0)
        kept = thin(table, SIZE, tolerance)
        assert 2 < len(kept) < 300
        scale = np.array([SIZE, SIZE, 1.0])
        first, second = kept[:-1, :3] * scale, kept[1:, :3] * scale
        for row in table[:, :3] * scale:
            chord = second - first
            share = ((row - first) * chord).sum(axis=1) / (chord * chord).sum(axis=1)
            near = first + np.clip(share, 0.0, 1.0)[:, None] * chord
            assert np.sqrt(((row - near) ** 2).sum(axis=1)).min() <= tolerance * 1.000001


def test_a_bezier_curve_is_that_of_its_formula():
    points = [
        CurvePoint(at=(0.2, 0.2), z=10.0, right=(0.2, 0.6, 90.0)),
        CurvePoint(at=(0.8, 0.3), z=40.0, left=(0.7, 0.9)),
    ]
    vertices = chain_of(LandCurve(points=points), SIZE, 0.05).vertices
    share = np.linspace(0.0, 1.0, 20001)[:, None]
    third = 40.0 + (10.0 - 40.0) / 3.0
    net = np.array([(0.2, 0.2, 10.0), (0.2, 0.6, 90.0), (0.7, 0.9, third), (0.8, 0.3, 40.0)])
    weights = [
        math.comb(3, place) * share**place * (1.0 - share) ** (3 - place) for place in range(4)
    ]
    exact = sum(weight * row for weight, row in zip(weights, net)) * [SIZE, SIZE, 1.0]
    for row in vertices[:, :3] * [SIZE, SIZE, 1.0]:
        assert np.sqrt(((exact - row) ** 2).sum(axis=1)).min() < 0.2


@pytest.mark.parametrize("wrap", [False, True])
def test_distances_are_those_of_all_pieces(wrap):
    draw = generator(f"distances {wrap}")
    for _ in range(count_of(40)):
        grid = Grid(draw.randint(20, 90), draw.randint(20, 90), wrap=wrap, size=SIZE)
        level = Level.from_grid(grid)
        chains = [chain_of(drawn_curve(draw, low=-0.2, high=1.2), SIZE, 0.1) for _ in range(3)]
        reach = draw.choice((100.0, 700.0, 1e5))
        measured = curve_distance(chains, level, reach)
        rows, columns = np.indices(grid.shape)
        x, y = columns * level.step_x, rows * level.step_x
        best = np.full(grid.shape, np.inf)
        # Curves reach 1.4 tiles, and a torus of few rows is a fraction of one deep.
        i_most, j_most = (math.ceil(2.0 * SIZE / side) for side in (level.width, level.depth))
        moves = [(0, 0)]
        if wrap:
            moves = [(i, j) for i in range(-i_most, i_most + 1) for j in range(-j_most, j_most + 1)]
        for chain in chains:
            for first, second in zip(chain.vertices[:, :2] * SIZE, chain.vertices[1:, :2] * SIZE):
                along = second - first
                for i, j in moves:
                    to_x = x - first[0] - i * level.width
                    to_y = y - first[1] - j * level.depth
                    share = np.clip((to_x * along[0] + to_y * along[1]) / (along @ along), 0, 1)
                    apart = np.hypot(to_x - share * along[0], to_y - share * along[1])
                    np.minimum(best, apart, out=best)
        np.testing.assert_allclose(measured, np.minimum(best, reach), rtol=1e-5, atol=1e-2)


@pytest.mark.parametrize("wrap", [False, True])
def test_parts_order_and_torus_change_no_bit(wrap):
    draw = generator(f"parts {wrap}")
    for _ in range(count_of(40)):
        level = Level.from_grid(
            Grid(97, 75, wrap=wrap, size=SIZE, origin=(draw.choice((0.0, 0.37)), 0.0))
        )
        curves = [drawn_curve(draw, closed=bool(place % 2)) for place in range(4)]
        chains = [chain_of(curve, SIZE, 0.1) for curve in curves]
        whole = curve_distance(chains, level, 400.0)
        draw.shuffle(chains)
        assert curve_distance(chains, level, 400.0).tobytes() == whole.tobytes()
        row, column = draw.randint(0, 60), draw.randint(0, 40)
        part = level.part(row, column, 30, 31)
        expected = whole[row : row + 30, column : column + 31]
        assert curve_distance(chains, part, 400.0).tobytes() == expected.tobytes()
        if wrap:
            beyond = level.part(row - 50, column + 60, 30, 31)
            rows, columns = (np.arange(30) + row - 50) % 97, (np.arange(31) + column + 60) % 75
            expected = whole[rows][:, columns]
            assert curve_distance(chains, beyond, 400.0).tobytes() == expected.tobytes()


def test_inside_is_below_zero():
    square = [CurvePoint(at=at) for at in ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))]
    chain = chain_of(LandCurve(points=square, closed=True), SIZE, 0.1)
    level = Level.from_grid(Grid(101, 101, size=SIZE))
    field = curve_distance([chain], level, 5000.0)
    assert field[50, 50] == -750.0 and field[50, 0] == 750.0
    assert (field < 0.0).sum() == inside(chain, level).sum() - (
        field[inside(chain, level)] == 0.0
    ).sum()
