# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivatives of noises: known ones, those of every shape, kinks, tiles; and the arithmetic of duals.

That every type's derivatives are those of its values stands in `contract_gradients.py`.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Cancelled, Grid
from noise_core.base.derivatives import (
    Dual,
    central_differences,
    difference_step,
    differentiate,
    split_parts,
)
from noise_core.base.elementary import power
from noise_core.base.plans import RowPlan
from noise_core.base.torus import Torus
from noise_core.noises import (
    Absolute,
    Blend,
    Cellular,
    Constant,
    Fractal,
    Invert,
    Perlin,
    Remap,
    Simplex,
    Terrace,
    Transform,
    Value,
    Warp,
    White,
)
from noise_core.noises.gradient import Gradient

POINTS = np.random.default_rng(5).uniform(-2.0, 2.0, (200, 2))


def test_a_ramp_has_its_slope():
    ramp = Gradient(shape="linear", center=(0.5, 0.5), angle=0.0, falloff=2.0, fade="linear")
    gradient = ramp.gradient([[0.4, 0.1], [0.6, 0.9]])
    np.testing.assert_allclose(gradient, [[1.0, 0.0]] * 2, atol=1e-6)
    turned = Gradient(shape="linear", center=(0.5, 0.5), angle=90.0, falloff=2.0, fade="linear")
    np.testing.assert_allclose(turned.gradient([[0.4, 0.1]]), [[0.0, 1.0]], atol=1e-6)


def test_a_cone_falls_away_from_its_top_on_all_sides():
    cone = Gradient(shape="radial", center=(0.0, 0.0), radius=1.0, falloff=1.0, fade="linear")
    angle = np.linspace(0.0, 6.0, 20)
    directions = np.stack((np.cos(angle), np.sin(angle)), axis=-1)
    np.testing.assert_allclose(cone.gradient(0.5 * directions), -2.0 * directions, atol=1e-5)
    assert np.isfinite(cone.gradient([[0.0, 0.0]])).all()


@pytest.mark.parametrize("frequency", [1.0, 7.0])
def test_perlin_has_its_lattice_slopes_at_the_lattice(frequency):
    corners = np.stack(np.meshgrid(np.arange(5.0), np.arange(4.0)), axis=-1) / frequency
    gradient = Perlin(frequency=frequency).gradient(corners, 3)
    np.testing.assert_allclose(
        np.hypot(gradient[..., 0], gradient[..., 1]), np.sqrt(2.0) * frequency, rtol=1e-4
    )


def test_flat_noises_have_none():
    for noise in (White(), Constant()):
        assert not noise.gradient(POINTS, 1).any()
        assert not noise.gradient_grid(Grid(9, 12, wrap=True), 1).any()


def test_a_kink_has_the_slope_of_one_side():
    # Perlin noise is zero at lattice points, where its absolute value is folded.
    corners = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1) / 8.0
    noise = Perlin(frequency=8.0)
    gradient, folded = noise.gradient(corners, 2), Absolute(source=noise).gradient(corners, 2)
    np.testing.assert_allclose(np.abs(folded), np.abs(gradient), atol=1e-4)


@pytest.mark.parametrize(
    "noise",
    [
        Perlin(frequency=5.0),
        Value(frequency=5.0, fade="cubic"),
        Simplex(frequency=5.0),
        Fractal(octaves=5.0),
        Fractal(octaves=3.0, rotation=30.0),
        Fractal(octaves=3.0, source=Simplex(frequency=3.0), kind="ridged"),
        Blend(first=Perlin(frequency=3.0), second=Simplex(frequency=4.0), mode="smooth_max"),
        Warp(levels=2),
        Transform(source=Perlin(), scale=(1.5, 0.5, 1.0), rotation=20.0),
    ],
    ids=lambda noise: type(noise).__name__,
)
def test_a_circle_leads_back_to_where_it_began(noise):
    """The derivatives along a closed way add up to nothing, as only those of a field do."""
    turn = np.arange(4096) * (2.0 * np.pi / 4096)
    way = np.stack((0.3 * np.cos(turn), 0.2 * np.sin(turn)), axis=-1) + (0.4, -0.7)
    step = np.stack((-0.3 * np.sin(turn), 0.2 * np.cos(turn)), axis=-1) * (2.0 * np.pi / 4096)
    rise = (noise.gradient(way, 4).astype(np.float64) * step).sum(axis=-1)
    assert abs(rise.sum()) < 2e-3 * np.abs(rise).sum()


def test_the_sum_of_two_noises_has_the_sum_of_their_slopes():
    first, second = Perlin(frequency=3.0), Value(frequency=5.0)
    both = Blend(first=first, second=second, mode="add", factor=1.0, seed_offset=0)
    np.testing.assert_allclose(
        both.gradient(POINTS, 9), first.gradient(POINTS, 9) + second.gradient(POINTS, 9), atol=1e-4
    )
    np.testing.assert_array_equal(
        Invert(source=first).gradient(POINTS, 9), -first.gradient(POINTS, 9)
    )


def test_a_turned_noise_has_turned_slopes():
    noise = Perlin(frequency=3.0)
    turned = Transform(source=noise, rotation=90.0)
    x, y = POINTS.T
    gradient = noise.gradient(np.stack((-y, x), axis=-1), 1)
    expected = np.stack((gradient[:, 1], -gradient[:, 0]), axis=-1)
    np.testing.assert_allclose(turned.gradient(POINTS, 1), expected, atol=1e-4)


def test_slopes_of_a_terrain_are_per_tile_whatever_its_size():
    noise = Fractal(octaves=3.0)
    small, large = Grid(9, 9, size=1.0), Grid(9, 9, size=4000.0)
    np.testing.assert_array_equal(noise.gradient_grid(small, 1), noise.gradient_grid(large, 1))


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(
    "source", [Perlin(frequency=4.0), Value(frequency=3.3), Simplex(frequency=3.0)]
)
def test_a_fine_grid_shows_its_own_differences(source, wrap):
    noise = Fractal(source=source, octaves=2.0)
    grid = Grid(400, 300, wrap=wrap)
    field = noise.sample_grid(grid, 6).astype(np.float64)
    gradient = noise.gradient_grid(grid, 6)
    step = 1.0 / (300 if wrap else 299)
    across = (np.roll(field, -1, 1) - np.roll(field, 1, 1)) / (2.0 * step)
    down = (np.roll(field, -1, 0) - np.roll(field, 1, 0)) / (2.0 * step)
    inner = np.s_[:] if wrap else np.s_[1:-1, 1:-1]
    tolerance = 0.02 * np.abs(gradient).max()
    np.testing.assert_allclose(gradient[..., 0][inner], across[inner], atol=tolerance)
    np.testing.assert_allclose(gradient[..., 1][inner], down[inner], atol=tolerance)


def test_a_tile_further_round_a_wrapping_grid_is_the_same():
    noise = Fractal(source=Simplex(frequency=3.7), octaves=3.0)
    home = noise.gradient_grid(Grid(24, 16, wrap=True), 2)
    depth = Grid(24, 16, wrap=True).depth
    for origin in ((1.0, 0.0), (-3.0, 2.0 * depth)):
        other = noise.gradient_grid(Grid(24, 16, wrap=True, origin=origin), 2)
        np.testing.assert_allclose(other, home, atol=1e-4 * np.abs(home).max())


def test_a_lattice_sum_is_a_product_and_no_blocks_of_points(monkeypatch):
    def refuse(*_: object) -> RowPlan:
        raise AssertionError("asked point by point")

    for cls in (Perlin, Value, Simplex, Fractal):
        monkeypatch.setattr(cls, "slopes", refuse)
    for source in (Perlin(frequency=4.0), Value(frequency=4.0), Simplex(frequency=4.0)):
        plain, folded = (
            Fractal(source=source, octaves=3.0, kind=kind) for kind in ("fbm", "billow")
        )
        for noise in (source, plain, folded):
            for wrap in (False, True):
                noise.gradient_grid(Grid(65, 65, wrap=wrap), 1)
        Remap(source=plain).gradient_grid(Grid(65, 65), 1)


def test_it_can_be_cancelled_and_says_how_far_it_is():
    shares: list[float] = []
    noise = Cellular()
    noise.gradient_grid(Grid(1500, 700), 1, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    with pytest.raises(Cancelled):
        noise.gradient_grid(Grid(1500, 700), 1, cancel=lambda: True)


def test_a_difference_step_is_a_power_of_two_and_small_for_the_cells():
    for finest in (0.0, 1e-4, 1.0, 3.0, 1024.0, 1e6):
        step = difference_step(finest, None)
        assert np.log2(step).is_integer()
        assert step * max(finest, 1.0) <= 2.0**-9
    thin = Torus(((1.0, 0.0), (0.0, 0.01)))
    assert difference_step(1.0, thin) <= 0.01 / 512
    assert difference_step(1.0, Torus(((1.0, 0.99), (0.0, 0.1)))) <= 0.1 / 512


def test_central_differences_are_taken_in_double_precision():
    points = tuple(np.array([1000.3, -250.7], np.float32) for _ in range(2))
    slopes = central_differences(
        lambda points: (points[0] - 2.0 * points[1] + 0.5).astype(np.float64), points, 2.0**-20
    )
    np.testing.assert_allclose(slopes, [[1.0, 1.0], [-2.0, -2.0]], atol=1e-5)


FUNCTIONS = {
    "sum": (lambda x, y: x + y + 1.0, lambda x, y: (1.0, 1.0)),
    "difference": (lambda x, y: 2.0 - x - y, lambda x, y: (-1.0, -1.0)),
    "product": (lambda x, y: x * y * 3.0, lambda x, y: (3.0 * y, 3.0 * x)),
    "quotient": (lambda x, y: x / y, lambda x, y: (1.0 / y, -x / y**2)),
    "square": (lambda x, y: np.square(x) - x * x * y, lambda x, y: (2 * x - 2 * x * y, -x * x)),
    "root": (
        lambda x, y: np.sqrt(x * y),
        lambda x, y: (0.5 * (y / x) ** 0.5, 0.5 * (x / y) ** 0.5),
    ),
    "power": (lambda x, y: power(x, 1.7), lambda x, y: (1.7 * x**0.7, 0.0)),
    "absolute": (lambda x, y: np.abs(-x) - abs(y), lambda x, y: (1.0, -1.0)),
    "minimum": (lambda x, y: np.minimum(x, 5.0) + np.maximum(y, 5.0), lambda x, y: (1.0, 0.0)),
    "clip": (lambda x, y: np.clip(x, 0.0, 5.0) + np.clip(y, 4.0, 5.0), lambda x, y: (1.0, 0.0)),
    "sign": (lambda x, y: np.copysign(x, -1.0) + np.copysign(1.0, y), lambda x, y: (-1.0, 0.0)),
    "steps": (lambda x, y: np.floor(x) + np.rint(y) + (x > y), lambda x, y: (0.0, 0.0)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@given(x=st.floats(0.1, 3.0), y=st.floats(0.1, 3.0))
def test_every_rule_of_arithmetic(name, x, y):
    function, expected = FUNCTIONS[name]
    points = tuple(np.array([number], np.float64) for number in (x, y))
    value, slopes = differentiate(lambda points: function(*points), points)
    np.testing.assert_allclose(value, function(*points), rtol=1e-6)
    wanted = [[number] for number in expected(x, y)]
    np.testing.assert_allclose(np.array(slopes), wanted, rtol=1e-4, atol=1e-6)


def test_a_dual_changes_in_place_and_leaves_what_it_was_made_of():
    value, slope = np.array([1.0, -2.0], np.float32), np.array([3.0, 4.0], np.float32)
    before = value.copy(), slope.copy()
    field = Dual.from_slopes(value, (slope,)).field
    field *= np.float32(2.0)
    np.abs(field, out=field)
    field[...] = field + np.float32(1.0)
    np.testing.assert_array_equal(split_parts(field, 1)[0], [3.0, 5.0])
    np.testing.assert_array_equal(split_parts(field, 1)[1][0], [6.0, -8.0])
    np.testing.assert_array_equal(value, before[0])
    np.testing.assert_array_equal(slope, before[1])


@pytest.mark.parametrize(
    "misuse", [np.asarray, np.exp, np.add.reduce, np.ones_like, lambda dual: dual.__setitem__(0, 1)]
)
def test_what_has_no_rule_is_refused_instead_of_losing_the_slopes(misuse):
    dual = Dual(np.ones(3, np.float32), {0: np.ones(3, np.float32)})
    with pytest.raises(TypeError):
        misuse(dual)


def test_terraces_are_level_between_their_cliffs():
    flat = Terrace(source=Perlin(frequency=4.0), steps=4, sharpness=1.0)
    assert not flat.gradient(POINTS, 1).any()


@pytest.mark.parametrize("fade", ["linear", "cubic", "quintic"])
@pytest.mark.parametrize("gradients", ["circle", "diagonal"])
@pytest.mark.parametrize("torus", [None, Torus(((1.0, 0.0), (0.0, 0.5)))])
@pytest.mark.parametrize("spread", [1.0, 100.0], ids=["together", "scattered"])
def test_slopes_written_out_have_the_bits_of_automatic_differentiation(
    fade, gradients, torus, spread
):
    noise = Perlin(frequency=3.3, fade=fade, gradients=gradients)
    points = tuple(spread * axis for axis in POINTS.T)
    value, slopes = noise.slopes(points, 7, torus)
    expected = differentiate(lambda moved: noise.values(moved, 7, torus), points)
    for found, known in zip((value, *slopes), (expected[0], *expected[1])):
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found.view(np.uint32), known.view(np.uint32))
