# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines drawn by hand: fitted by few points, and cast on the ground."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import CurvePoint, LandCurve
from noise_core.curves.chains import chain_of
from noise_core.curves.fitting import fit_bezier, fit_polyline
from noise_core.rasters.sight_lines import first_hit
from tests.drawing import count_of, generator


def numbers(name):
    """Return a generator of arrays for the draws of a test."""
    return np.random.default_rng(generator(name).getrandbits(32))


def hand_drawn(chance, *, closed=False):
    """Return a winding line with the jitter of a hand, and that jitter, in meters."""
    count = int(chance.integers(60, 400))
    share = np.linspace(0.0, 1.0, count, endpoint=not closed)
    phases, sizes = chance.uniform(0.0, 2.0 * np.pi, (2, 3)), chance.uniform(10.0, 120.0, (2, 3))
    waves = np.arange(1, 4)[:, np.newaxis] * 2.0 * np.pi * share
    x, y = (
        (size[:, np.newaxis] * np.sin(waves + phase[:, np.newaxis])).sum(axis=0)
        for phase, size in zip(phases, sizes)
    )
    jitter = float(chance.uniform(0.0, 1.0))
    line = np.stack((x + (0.0 if closed else 900.0) * share, y, 50.0 * share), axis=1)
    line[:, :2] += chance.uniform(-jitter, jitter, (count, 2))
    return line, jitter


def apart(line, places, *, closed):
    """Return how far drawn points lie from a fitted curve, given by points or by points and handles."""
    on_line, sides = (places, None) if places.ndim == 2 else (places[0], places[1:])
    points = [
        CurvePoint(
            at=tuple(on_line[place, :2] / 1e3),
            left=None if sides is None else tuple(sides[0, place, :2] / 1e3),
            right=None if sides is None else tuple(sides[1, place, :2] / 1e3),
        )
        for place in range(len(on_line))
    ]
    chain = chain_of(LandCurve(points=points, closed=closed), 1e3, 1e-3)
    ends = chain.vertices[:, :2] * 1e3
    start, along = ends[:-1], np.diff(ends, axis=0)
    to_point = line[:, np.newaxis, :2] - start
    length = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip((to_point * along).sum(axis=2) / length, 0.0, 1.0)
    rest = to_point - share[..., np.newaxis] * along
    return np.sqrt((rest**2).sum(axis=2).min(axis=1))


@pytest.mark.parametrize("fit", [fit_bezier, fit_polyline])
@pytest.mark.parametrize("closed", [False, True])
def test_fitted_lines_stay_within_the_tolerance(fit, closed):
    chance = numbers(f"fit {fit.__name__} {closed}")
    for _ in range(count_of(200)):
        line, _ = hand_drawn(chance, closed=closed)
        tolerance = float(chance.uniform(0.5, 12.0))
        places = fit(line, tolerance, closed=closed)
        assert apart(line, places, closed=closed).max() <= tolerance * (1.0 + 1e-3)


def test_smooth_lines_need_few_points_and_have_no_kinks():
    chance = numbers("smooth lines")
    for _ in range(count_of(100)):
        share = np.linspace(0.0, 1.0, 300)
        bends, jitter = chance.uniform(2.0, 9.0), chance.uniform(0.0, 1.5)
        line = np.stack((900.0 * share, 100.0 * np.sin(bends * share), 0.0 * share), axis=1)
        line[:, :2] += chance.uniform(-jitter, jitter, (300, 2))
        points, before, after = fit_bezier(line, 2.0 + 2.0 * jitter)
        assert len(points) <= 12
        to_here, from_here = (points - before)[1:-1, :2], (after - points)[1:-1, :2]
        lengths = np.hypot(*to_here.T) * np.hypot(*from_here.T)
        assert (np.einsum("ij,ij->i", to_here, from_here) > 0.999 * lengths).all()


def test_corners_stay_corners():
    side = np.linspace(0.0, 200.0, 60)
    line = np.zeros((119, 3))
    line[:60, 0], line[60:, 0], line[60:, 1] = side, 200.0, side[1:]
    points, before, after = fit_bezier(line, 3.0)
    assert len(points) == 3
    np.testing.assert_allclose(points[1, :2], (200.0, 0.0), atol=4.0)
    assert (after - points)[0, 1] == pytest.approx(0.0, abs=2.0)


def test_heights_are_those_that_were_drawn():
    share = np.linspace(0.0, 1.0, 50)
    line = np.stack((300.0 * share, 50.0 * np.sin(4.0 * share), 7.0 + 90.0 * share), axis=1)
    points, before, after = fit_bezier(line, 1.0)
    assert set(points[:, 2]) <= set(line[:, 2])
    np.testing.assert_allclose((after - points)[:-1, 2], np.diff(points[:, 2]) / 3.0)
    assert fit_polyline(line, 1.0)[-1].tolist() == line[-1].tolist()


def test_two_points_are_a_curve():
    line = np.array([(0.0, 0.0, 1.0), (10.0, 5.0, 2.0)])
    assert fit_bezier(line, 1.0)[0].tolist() == line.tolist() == fit_polyline(line, 1.0).tolist()


def test_rays_meet_the_ground_first_where_they_enter_it():
    chance = numbers("rays")
    height = chance.uniform(0.0, 4.0, (21, 31)).astype(np.float32)
    for _ in range(count_of(300)):
        target = np.array([*chance.uniform(0.0, 20.0, 2), 0.0])
        origin = np.array([*chance.uniform(0.0, 20.0, 2), float(chance.uniform(5.0, 60.0))])
        hit = first_hit(height, origin, target - origin)
        assert hit is not None
        share = (hit - origin)[2] / (target - origin)[2]
        np.testing.assert_allclose(hit, origin + share * (target - origin), atol=1e-9)
        x, y = np.clip(hit[:2], 0.0, (30.0, 20.0))
        column, row = min(int(x), 29), min(int(y), 19)
        corners = height[row : row + 2, column : column + 2]
        assert corners.min() - 1e-3 <= hit[2] <= corners.max() + 1e-3


@pytest.mark.parametrize(
    "origin, direction",
    [((0, 0, 10), (0, 0, 1)), ((-5, 2, 10), (0, 0, -1)), ((2, 2, -10), (0, 0, -1))],
)
def test_rays_that_miss_the_land(origin, direction):
    ground = np.zeros((5, 5), np.float32)
    assert first_hit(ground, np.array(origin, float), np.array(direction, float)) is None


def test_ground_goes_on_within_the_margin():
    ground = np.full((5, 5), 3.0, np.float32)
    origin, down = np.array([-2.0, 2.0, 10.0]), np.array([0.0, 0.0, -1.0])
    assert first_hit(ground, origin, down, 2.5).tolist() == [-2.0, 2.0, 3.0]
    assert first_hit(ground, origin, down, 1.5) is None
