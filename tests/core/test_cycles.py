# SPDX-License-Identifier: GPL-3.0-or-later
"""Evolution on a circle comes back exactly, and goes equally fast all the way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core import Grid, ParameterError, coloring_types
from noise_core.materials.colorings import FourColorWarp, SeaLevel
from noise_core.noises import Fractal, Gullies, Perlin
from noise_core.noises.evolution import around


def test_it_begins_at_the_origin_along_the_third_dimension():
    assert around(0.0, 0.7) == (0.0, 0.0)
    third, fourth = around(1e-4, 2.0)
    assert third == pytest.approx(1e-4, rel=1e-6) and abs(fourth) < 1e-7


@pytest.mark.parametrize("length", [0.1, 1.0, 3.0])
def test_it_comes_back_after_its_length(length):
    places = np.array([around(length * (step / 48), length) for step in range(49)])
    np.testing.assert_array_equal(places[48], places[0])
    steps = np.hypot(*np.diff(places, axis=0).T)
    np.testing.assert_allclose(steps, steps[0], rtol=1e-9)
    # A polygon of 48 sides is a little shorter than its circle.
    assert steps.sum() == pytest.approx(length, rel=2e-3)
    np.testing.assert_allclose(around(5.0 * length, length), places[0], atol=1e-12)


@pytest.mark.parametrize("cls", coloring_types().values(), ids=lambda cls: cls.key)
def test_a_picture_loops(cls):
    grid = Grid(12, 16, wrap=True)
    frames = [cls().paint(grid, 3, around(step / 4, 1.0)) for step in range(5)]
    np.testing.assert_array_equal(frames[4], frames[0])
    assert all(np.abs(frames[step] - frames[0]).max() > 0.01 for step in (1, 2, 3))


@pytest.mark.parametrize(
    ("position", "length"), [(0.0, 0.0), (0.0, -1.0), (0.0, math.inf), (math.nan, 1.0), (0.0, "1")]
)
def test_wrong_numbers(position, length):
    with pytest.raises(ParameterError, match=r"around: (length|position) must be"):
        around(position, length)


def test_a_colorings_noise_can_be_another():
    noise = Fractal(source=Perlin(frequency=5.0), octaves=2.0)
    assert SeaLevel.name_of("noise") == "source" and SeaLevel().noise == Fractal()
    assert SeaLevel().with_noise(noise) == SeaLevel(source=noise)
    for cls in coloring_types().values():
        other = cls().with_noise(noise)
        assert type(other) is cls
        assert other.noise == (None if cls.name_of("noise") is None else noise)
    with pytest.raises(ParameterError, match="SeaLevel.source must be a noise"):
        SeaLevel().with_noise(3.0)


def test_a_noise_without_that_dimension_is_refused_by_the_picture():
    grid = Grid(8, 8)
    with pytest.raises(ParameterError, match=r"FourColorWarp\.paint: points must have 2"):
        FourColorWarp(source=Gullies()).paint(grid, 0, (0.3,))
    with pytest.raises(ParameterError, match=r"SeaLevel\.paint: points must lie within"):
        SeaLevel().paint(Grid(8, 8, origin=(1e9, 0.0)))
