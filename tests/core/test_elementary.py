# SPDX-License-Identifier: GPL-3.0-or-later
"""Elementary functions made of exact arithmetic: right within the stated error, and the same bits everywhere."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest

from noise_core.base.elementary import cosine_sine_of, power, power_of, tangent_of

pytestmark = pytest.mark.bits

EXPONENTS = (0.0625, 0.1, 1.0 / 3.0, 0.45, 0.5, 0.55, 1.0, 1.3, 2.7, 3.9, 4.0, 5.5, 7.3, 15.9, 16.0)


def numbers(limit: float) -> np.ndarray:
    """Return float32s of all sizes whose logarithm is at most that large, whole ones, and 0 to 1."""
    place = np.arange(1, 40001) * 0.6180339887498949 % 1.0
    spread = np.exp((2.0 * place - 1.0) * min(limit, 80.0))
    return np.concatenate((spread, place, np.arange(5000), [0.0, 1.0])).astype(np.float32)


def units_off(result: np.ndarray, exact: np.ndarray) -> np.ndarray:
    return np.abs(result - exact) / np.spacing(exact.astype(np.float32))


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_powers_are_as_exact_as_stated(exponent):
    base = numbers(80.0 / exponent)
    base = base[base.astype(np.float64) ** exponent < 1e38]
    exact = base.astype(np.float64) ** exponent
    halves = (2.0 * exponent).is_integer()
    stated = (
        max(0.5, exponent)
        if halves
        else next(
            units
            for most, units in ((1.0, 0.501), (4.0, 0.52), (8.0, 0.75), (16.0, 4.0))
            if exponent <= most
        )
    )
    is_normal = (exact > 1.2e-38) | (exact == 0.0)
    assert units_off(power(base, exponent), exact)[is_normal].max() <= stated


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_powers_rise_and_keep_zero_and_one(exponent):
    base = np.unique(numbers(80.0 / exponent))
    base = base[base.astype(np.float64) ** exponent < 1e38]
    assert (np.diff(power(base, exponent)) >= 0.0).all()
    ends = power(np.array([0.0, -0.0, 1.0], np.float32), exponent)
    np.testing.assert_array_equal(ends, [0.0, 0.0, 1.0])


def test_powers_of_numbers_too_small_for_full_precision():
    base = np.array([1e-38, 1e-39], np.float32)
    np.testing.assert_allclose(power(base, 0.45), base.astype(np.float64) ** 0.45, rtol=3e-3)


def test_powers_of_any_shape_and_layout():
    base = np.linspace(0.0, 9.0, 40000, dtype=np.float32).reshape(200, 200)
    expected = power(base, 0.45)
    assert expected.dtype == np.float32 and expected.shape == base.shape
    np.testing.assert_array_equal(power(base.T[::2], 0.45), expected.T[::2])
    np.testing.assert_array_equal(power(base[3:4, 5:6], 0.45), expected[3:4, 5:6])
    assert power(base[:0], 0.45).shape == (0, 200)
    assert base[0, 1] == np.float32(9.0 / 39999.0), "wrote into its argument"


def test_too_large_powers_are_infinite():
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert power(np.full(3, 1e30, np.float32), 2.0).tolist() == [np.inf] * 3


def test_bits_of_powers_are_the_same_everywhere():
    """On other processors too: no operation here can be fused with another."""
    digest = hashlib.sha256()
    for exponent in EXPONENTS:
        base = np.arange(0x3A000000, 0x47000000, 40009, dtype=np.int32).view(np.float32)
        if exponent < 8.0:
            digest.update(power(base, exponent).astype("<f4").tobytes())
        digest.update(np.array([power_of(float(x), exponent) for x in base[::99]], "<f8").tobytes())
    assert digest.hexdigest()[:16] == "4cec08b37e42d75f"


def test_single_powers():
    for base in (1e-5, 0.3, 0.99, 1.9, 2.03, 77.0, 1e9):
        for exponent in (-3.0, 0.0, 0.1, 0.5, 2.2, 7.0, -1.7, 65.0):
            if abs(exponent * math.log2(base)) < 900.0:
                assert power_of(base, exponent) == pytest.approx(base**exponent, rel=1e-13)
    assert power_of(0.0, 0) == 1.0 and power_of(0.0, 3) == 0.0
    assert power_of(2.0, 9) == 512.0 and power_of(1.1, 2) == 1.1 * 1.1


def test_angles():
    for degrees in np.linspace(-1080.0, 1080.0, 4001).tolist():
        cosine, sine = cosine_sine_of(degrees)
        assert cosine == pytest.approx(math.cos(math.radians(degrees)), abs=1e-14)
        assert sine == pytest.approx(math.sin(math.radians(degrees)), abs=1e-14)
    for quarter, exact in enumerate(((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))):
        for turns in (-2, 0, 5):
            vectors = cosine_sine_of(90.0 * quarter + 360.0 * turns)
            assert vectors == exact and "-0.0" not in str(vectors)
    assert tangent_of(60.0) == pytest.approx(math.sqrt(3.0), rel=1e-15)
    assert tangent_of(89.9999) == pytest.approx(math.tan(math.radians(89.9999)), rel=1e-9)
