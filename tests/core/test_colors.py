# SPDX-License-Identifier: GPL-3.0-or-later
"""Color spaces and ramps, against values from their sources and against plain arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.materials.colors import (
    PALETTES,
    Ramp,
    hexadecimal,
    linear_to_srgb,
    srgb_to_linear,
    to_linear,
)
from noise_core.materials.colors.spaces import linear_to_oklab, oklab_to_linear

BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def test_srgb_has_the_values_of_the_standard():
    # 0.5 encoded is 0.2140 in light; the line near black has slope 1 / 12.92.
    np.testing.assert_allclose(
        srgb_to_linear([0.0, 0.02, 0.5, 1.0]), [0, 0.02 / 12.92, 0.21404, 1], atol=1e-5
    )
    values = np.linspace(0.0, 1.0, 1001)
    np.testing.assert_allclose(linear_to_srgb(srgb_to_linear(values)), values, atol=1e-7)


@pytest.mark.parametrize(
    ("color", "lab"),
    # From the table in Ottosson's article, its XYZ turned into linear sRGB.
    [
        (WHITE, (1.0, 0.0, 0.0)),
        (RED, (0.6280, 0.2249, 0.1258)),
        ((0.0, 1.0, 0.0), (0.8664, -0.2339, 0.1795)),
        (BLUE, (0.4520, -0.0325, -0.3115)),
    ],
)
def test_oklab_has_the_published_values(color, lab):
    np.testing.assert_allclose(linear_to_oklab(color), lab, atol=1e-3)
    np.testing.assert_allclose(oklab_to_linear(linear_to_oklab(color)), color, atol=1e-9)


@pytest.mark.parametrize("text", ["#b5651d", "#000000", "#ffffff", "#7f8081"])
def test_hexadecimal_colors_come_back(text):
    assert hexadecimal(to_linear(text, "test")) == text


def test_short_hexadecimal_colors_double_their_digits():
    assert to_linear("#b62", "test") == to_linear("#bb6622", "test")


@pytest.mark.parametrize(
    "color",
    ["b5651d", "#12345", "#gggggg", (1, 2, 3), (0.1, 0.2), None, 3, (True, 0, 0), ("a",) * 3],
)
def test_what_is_no_color_is_refused(color):
    with pytest.raises(ParameterError, match=r'test must be "#rrggbb" or three'):
        to_linear(color, "test")


def test_linear_ramp_in_light_is_interpolation():
    stops = ((-1.0, RED), (0.25, (0.2, 0.4, 0.6)), (2.0, BLUE))
    values = np.linspace(-2.0, 3.0, 999, dtype=np.float32).reshape(27, 37)
    colors = Ramp(stops, space="linear").colors(values)
    assert colors.shape == (3, 27, 37) and colors.dtype == np.float32
    for channel in range(3):
        expected = np.interp(values, [p for p, _ in stops], [c[channel] for _, c in stops])
        np.testing.assert_allclose(colors[channel], expected, atol=1e-3)


def test_smooth_ramp_is_level_at_its_stops():
    ramp = Ramp(((0.0, BLACK), (0.5, WHITE), (1.0, BLACK)), "smooth", "linear")
    near = ramp.colors(np.array([0.0, 0.004, 0.25, 0.496, 0.5, 0.504], np.float32))[0]
    np.testing.assert_allclose(near, [0.0, 0.0, 0.5, 1.0, 1.0, 1.0], atol=1e-3)


def test_constant_ramp_changes_at_its_stops_to_the_bit():
    ramp = Ramp(((0.0, BLACK), (0.3, RED), (0.7, BLUE)), "constant")
    below, at = np.nextafter(np.float32(0.3), np.float32(0.0)), np.float32(0.3)
    found = ramp.colors(np.array([-5.0, below, at, 0.69, 0.7, 9.0], np.float32)).T
    np.testing.assert_array_equal(found, [BLACK, BLACK, RED, RED, BLUE, BLUE])


def test_oklab_ramp_passes_through_the_middle_that_the_eye_sees():
    found = Ramp(((0.0, RED), (1.0, BLUE))).colors(np.array([0.5], np.float32)).ravel()
    middle = (linear_to_oklab(RED) + linear_to_oklab(BLUE)) / 2.0
    np.testing.assert_allclose(found, oklab_to_linear(middle), atol=1e-4)
    gray = Ramp(((0.0, BLACK), (1.0, WHITE))).colors(np.array([0.5], np.float32)).ravel()
    np.testing.assert_allclose(gray, 0.125, atol=1e-4)  # half as light, an eighth of the light


def test_ramp_of_one_stop_is_one_color():
    colors = Ramp(((0.5, "#808080"),)).colors(np.array([[-1.0, 0.5, 7.0]], np.float32))
    assert (colors == np.float32(to_linear("#808080", "test")[0])).all()


def test_ramp_keeps_what_it_is_given():
    values = np.linspace(0.0, 1.0, 64, dtype=np.float32)
    before = values.copy()
    PALETTES["alpine"].colors(values)
    np.testing.assert_array_equal(values, before)


@pytest.mark.parametrize("interpolation", ["constant", "linear", "smooth"])
def test_ramp_takes_any_shape_and_what_is_no_number(interpolation):
    ramp = Ramp(((0.2, RED), (0.8, BLUE)), interpolation)
    values = np.array([0.1, 0.5, 0.9], np.float32)
    colors = ramp.colors(values)
    np.testing.assert_array_equal(ramp.colors(values.reshape(3, 1, 1)).reshape(3, 3), colors)
    np.testing.assert_array_equal(ramp.colors(0.5), colors[:, 1])
    hard = ramp.colors(np.array([np.nan, -np.inf, np.inf], np.float32)).T
    np.testing.assert_allclose(hard, [RED, RED, BLUE], atol=1e-6)


@pytest.mark.parametrize("name", PALETTES)
def test_palettes_stay_in_range(name):
    colors = PALETTES[name].colors(np.linspace(-0.1, 1.1, 500, dtype=np.float32))
    assert np.isfinite(colors).all() and colors.min() >= 0.0 and colors.max() <= 1.0
    assert np.abs(np.diff(colors)).max() < 0.06, "a palette has no edges"


@pytest.mark.parametrize(
    "stops", [(), ((0.0,),), ((1.0, RED), (0.0, BLUE)), ((0.0, RED), (0.0, BLUE)), 5, ((np.nan, RED),), (("a", RED),)]
)  # fmt: skip
def test_stops_that_are_none_are_refused(stops):
    with pytest.raises(ParameterError, match=r"Ramp\.stops must"):
        Ramp(stops)


def test_unknown_options_are_refused():
    with pytest.raises(ParameterError, match=r"Ramp\.interpolation must be one of 'constant'"):
        Ramp(((0.0, RED),), "cubic")
    with pytest.raises(ParameterError, match=r"Ramp\.space must be one of 'linear'"):
        Ramp(((0.0, RED),), space="hsv")
