# SPDX-License-Identifier: GPL-3.0-or-later
"""Land drawn by curves: exact on curves, the same at every resolution, spread to the last bit that counts."""

from __future__ import annotations

import itertools
from unittest import mock

import numpy as np
import pytest

from noise_core import CurvePoint, Grid, LandCurve, NoiseLayer, ParameterError, Recipe
from noise_core.base.torus import Torus
from noise_core.curves import feature_frame, feature_ground, feature_land, features
from noise_core.curves.chains import chain_of
from noise_core.modifiers import StreamErosion
from noise_core.noises import FeatureCurves, Transform
from noise_core.rasters import membrane
from tests import drawing

SIZE, HEIGHT = 12000.0, 1000.0
SMOOTH = {
    f"{kind}_roughness_{side}": 0.0
    for kind, sides in (
        ("ridge", ("left", "right")),
        ("valley", ("left", "right")),
        ("coast", ("inland", "sea")),
    )
    for side in sides
}
METERS = {"size": SIZE, "height": HEIGHT}


def line(*places, **values):
    """Return a polyline through places x, y, z."""
    return LandCurve(points=[CurvePoint(at=(x, y), z=z, **values) for x, y, z in places])


def wander(generator, points=6):
    """Return a random Bezier curve within the tile."""
    x, y = generator.uniform(0.1, 0.9), generator.uniform(0.1, 0.9)
    turn, rows = generator.uniform(0.0, 6.28), []
    for _ in range(points):
        turn += generator.uniform(-0.6, 0.6)
        step = np.array([np.cos(turn), np.sin(turn)]) * 0.04
        x, y = np.clip((x, y) + 3.0 * step, 0.02, 0.98).tolist()
        left, right = (tuple(((x, y) + sign * step).tolist()) for sign in (-1.0, 1.0))
        rows.append(
            CurvePoint(
                at=(x, y), z=generator.uniform(100.0, 1500.0), width=1.0, left=left, right=right
            )
        )
    return LandCurve(points=rows)


def draw(name, cases):
    """Yield lands of random curves."""
    generator = drawing.generator(name)
    for _ in range(drawing.count_of(cases)):
        curves = [wander(generator) for _ in range(generator.randrange(1, 6))]
        cut = generator.randrange(len(curves) + 1)
        yield FeatureCurves(ridges=curves[:cut], valleys=curves[cut:], **METERS)


CROSS = line((0.1, 0.5, 300.0), (0.9, 0.5, 700.0), width=0.0)


def around(curve, *, aside):
    """Return places beside the middle of a straight curve from left to right, with `aside` in meters."""
    start, stop = (np.array(point.at) for point in curve.points)
    along = (stop - start) / np.hypot(*(stop - start))
    left = np.array([-along[1], along[0]])
    return 0.5 * (start + stop) + np.asarray(aside)[:, np.newaxis] / SIZE * left


def test_curves_keep_their_heights():
    for noise in draw("on curves", 60):
        smooth = noise.with_values(**SMOOTH)
        for curve in (*noise.ridges, *noise.valleys):
            vertices = chain_of(curve, SIZE, features.FINE * SIZE).vertices
            middles = 0.5 * (vertices[1:] + vertices[:-1])
            apart = np.abs(smooth.sample(middles[:, :2]) * HEIGHT - middles[:, 2])
            # Where curves cross at different heights, the ground lies between them.
            assert np.median(apart) < 0.001


def test_slopes_beside_a_curve_are_those_asked_for():
    noise = FeatureCurves(
        ridges=[CROSS],
        ridge_slope_left=40.0,
        ridge_slope_right=10.0,
        reach=3000.0,
        **METERS,
        **SMOOTH,
    )
    near = noise.sample(around(CROSS, aside=[40.0, 20.0, 0.0, -20.0, -40.0])) * HEIGHT
    falls = np.degrees(np.arctan(np.diff(near) / 20.0))
    np.testing.assert_allclose(falls, (40.0, 40.0, -10.0, -10.0), atol=1.5)


def test_valleys_rise_and_tilt_leans_the_ground():
    valley = FeatureCurves(
        ridges=[],
        valleys=[CROSS],
        valley_slope_left=20.0,
        valley_slope_right=20.0,
        **METERS,
        **SMOOTH,
    )
    left, bed, right = valley.sample(around(CROSS, aside=[30.0, 0.0, -30.0]))
    assert left > bed + 0.008 and right > bed + 0.008
    tilted = line((0.1, 0.5, 300.0), (0.9, 0.5, 700.0), width=0.0, tilt=20.0)
    left, bed, right = valley.with_values(valleys=[tilted]).sample(
        around(tilted, aside=[30.0, 0.0, -30.0])
    )
    assert left > bed + 0.016 and abs(right - bed) < 0.002


def test_a_bed_is_level_across_its_width():
    wide = line((0.1, 0.5, 400.0), (0.9, 0.5, 400.0), width=600.0)
    noise = FeatureCurves(ridges=[], valleys=[wide], **METERS, **SMOOTH)
    np.testing.assert_allclose(
        noise.sample(around(wide, aside=[290.0, 100.0, 0.0, -290.0])), 0.4, atol=1e-5
    )


def test_land_lies_inside_closed_coasts_however_they_turn():
    corners = [(0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7)]
    for order in (corners, corners[::-1]):
        coast = LandCurve(points=[CurvePoint(at=at) for at in order], closed=True)
        noise = FeatureCurves(ridges=[], coasts=[coast], **METERS, **SMOOTH)
        inside, outside = noise.sample([[0.5, 0.5], [0.5, 0.15]])
        assert inside > 0.02 and outside < -0.02


def test_contours_tell_heights_alone():
    contour = line((0.1, 0.5, 250.0), (0.9, 0.5, 250.0))
    noise = FeatureCurves(ridges=[], contours=[contour], **METERS)
    np.testing.assert_allclose(noise.sample_grid(Grid(33, 33)), 0.25, atol=1e-5)
    assert noise.bounds()[0] <= 0.25 <= noise.bounds()[1]


def test_resolutions_have_the_same_bits():
    for noise in draw("resolutions", 20):
        smooth = noise.with_values(**SMOOTH)
        coarse, fine = (smooth.sample_grid(Grid(side, side)) for side in (129, 257))
        assert np.array_equal(coarse, fine[::2, ::2])
        coarse, fine = (noise.sample_grid(Grid(side, side), 3) for side in (129, 257))
        assert np.abs(coarse - fine[::2, ::2]).max() <= 1e-5 * np.ptp(fine)


def test_heights_are_spread_as_far_as_they_go():
    """More cycles change the ground by less than 0.2 % of its relief on average, and mostly by less than 0.03 %."""
    errors = []
    for noise in draw("spread", 40):
        smooth = noise.with_values(**SMOOTH)
        ground = smooth.sample_grid(Grid(129, 129))
        with mock.patch.object(feature_land, "CYCLES", 20):
            feature_ground._solve.cache_clear()
            whole = smooth.sample_grid(Grid(129, 129))
        feature_ground._solve.cache_clear()
        errors.append(np.abs(ground - whole).mean() / np.ptp(whole))
    assert max(errors) < 0.002 and np.median(errors) < 0.0003


def test_membranes_do_what_they_promise():
    """Each free sample is the mean of its neighbors, and held ones stay."""
    weights, targets = np.zeros((2, 1, 65, 65), np.float32)
    weights[0, 20, 10:50] = 1e4
    targets[0, 20, 10:50] = 5.0
    weights[0, 50, 30] = 1e4
    for wrap in (False, True):
        part = slice(None, 64 if wrap else 65)
        arrays = [np.ascontiguousarray(array[:, part, part]) for array in (targets, weights)]
        (ground,) = membrane.solve(*arrays, np.zeros_like(arrays[0]), wrap=wrap, cycles=40)
        assert np.abs(ground[20, 10:50] - 5.0).max() < 0.01 and abs(ground[50, 30]) < 0.01
        mean = sum(np.roll(ground, step, axis) for step in (1, -1) for axis in (0, 1)) / 4.0
        inner = slice(1, -1)
        free = arrays[1][0, inner, inner] == 0.0
        assert np.abs(ground - mean)[inner, inner][free].max() < 1e-3


def test_nothing_drawn_is_level():
    noise = FeatureCurves(ridges=[], **METERS)
    assert not noise.sample_grid(Grid(9, 9), 5).any()
    assert noise.bounds() == (0.0, 0.0)


def test_curves_far_away_and_across_many_tiles():
    far = line((30.0, -12.0, 500.0), (37.0, -12.5, 900.0))
    noise = FeatureCurves(ridges=[far], **METERS, **SMOOTH)
    np.testing.assert_allclose(noise.sample([[30.0, -12.0], [37.0, -12.5]]), (0.5, 0.9), atol=1e-4)


def test_a_torus_closes_and_keeps_its_curves():
    for wrap, periods in itertools.product((64, 48), ((1.0, 1.0), (1.0, 0.4))):
        torus = Torus(((periods[0], 0.0), (0.0, periods[1])))
        noise = FeatureCurves(
            ridges=[line((0.8, 0.1, 300.0), (1.3, 0.3, 600.0))], **METERS, **SMOOTH
        )
        x, y = np.random.default_rng(wrap).uniform(0.0, 1.0, (2, 200))
        here = noise.values((x, y), 0, torus)
        there = noise.values((x + 3.0 * periods[0], y - 2.0 * periods[1]), 0, torus)
        np.testing.assert_allclose(here, there, atol=2e-6)
        on_line = noise.values((np.array([0.05]), np.array([0.2])), 0, torus)
        np.testing.assert_allclose(on_line, 0.45, atol=1e-3)


def test_a_turned_torus_keeps_heights():
    noise = FeatureCurves(ridges=[CROSS], **METERS, **SMOOTH)
    turned = Transform(source=noise, rotation=30.0)
    field = turned.sample_grid(Grid(64, 64, wrap=True))
    assert np.isfinite(field).all() and field.max() > 0.55


def test_a_recipe_tells_its_meters():
    for layer, height in ((800.0, 800.0), (50.0, 800.0)):
        layers = (NoiseLayer(noise=FeatureCurves(ridges=["Crest"], **SMOOTH), height=layer),)
        recipe = Recipe(layers=layers, curves={"Crest": CROSS}, height=height, size=SIZE)
        ground = recipe.evaluate(recipe.grid(65)).height
        assert abs(ground[32, 32] - 500.0) < 0.5
        assert Recipe.from_json(recipe.to_json()) == recipe
    with_filter = FeatureCurves(ridges=["Crest"], **SMOOTH)
    turned = Recipe(
        layers=(Transform(source=with_filter, rotation=0.0),), curves={"Crest": CROSS},
        height=-700.0, size=SIZE,
    )  # fmt: skip
    assert abs(turned.evaluate(turned.grid(65)).height[32, 32] + 500.0) < 0.5


@pytest.mark.parametrize("height", [-1e12, -3e7, 0.0, 1e-9, 2e6, 1e12])
def test_any_height_of_a_recipe_will_do(height):
    recipe = Recipe(layers=(FeatureCurves(ridges=[CROSS], **SMOOTH),), height=height, size=SIZE)
    assert np.isfinite(recipe.evaluate(recipe.grid(17)).height).all()


def test_five_curves_and_erosion_agree_between_resolutions():
    curves = {"Crest": CROSS, "River": line((0.0, 0.1, 50.0), (1.0, 0.2, 0.0))}
    land = FeatureCurves(ridges=["Crest"], valleys=["River"])
    recipe = Recipe(layers=(land, StreamErosion()), curves=curves, height=HEIGHT, size=SIZE, seed=3)
    coarse, fine = (recipe.evaluate(recipe.grid(side)).height for side in (513, 1025))
    assert np.abs(coarse - fine[::2, ::2]).mean() < 0.005 * np.ptp(fine)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"ridges": [3]}, r"FeatureCurves.ridges must be curves, or names of curves of the recipe; got 3"),
        ({"coasts": 3}, r"FeatureCurves.coasts must be a list of at most \d+ curves; got 3"),
        ({"ridge_slope_left": 95.0}, r"FeatureCurves.ridge_slope_left must be in \[-80, 80\]; got 95.0"),
        ({"coast_roughness_sea": 2.0}, r"FeatureCurves.coast_roughness_sea must be in \[0, 1\]; got 2.0"),
        ({"frequency": 1e6, "octaves": 24.0}, r"FeatureCurves.octaves must leave at most \d+ cells per tile"),
    ],
)  # fmt: skip
def test_errors_say_who_and_what(values, text):
    with pytest.raises(ParameterError, match=text):
        FeatureCurves(**values)


def test_names_without_a_recipe_are_refused():
    with pytest.raises(
        ParameterError, match=r"FeatureCurves.valleys must be curves, or names in a"
    ):
        FeatureCurves(valleys=["Creek"]).sample([[0.5, 0.5]])


def test_frames_hold_all_curves():
    for low, high in (
        ((0.1, 0.1), (0.9, 0.9)),
        ((-3.0, 2.0), (-1.0, 2.5)),
        ((-900.0, 0.0), (900.0, 0.0)),
    ):
        pieces = features.feature_pieces(
            [((line((*low, 0.0), (*high, 0.0)),), features.Manner())], 1.0, 1e-3
        )
        frame = feature_frame.FeatureFrame.around(pieces, 0.0)
        column, row = frame.place(np.array([low[0], high[0]]), np.array([low[1], high[1]]))
        for place, count in ((column, frame.columns), (row, frame.rows)):
            assert (place >= 0.0).all() and (place <= count - 1).all()
