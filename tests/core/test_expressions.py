# SPDX-License-Identifier: GPL-3.0-or-later
"""Formulas: values, refusals, and fields that stay unchanged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noise_core import ParameterError
from noise_core.materials.surfaces.expressions import Expression
from noise_core.materials.surfaces.functions import FUNCTIONS

FIELDS = {
    "a": np.linspace(-2.0, 2.0, 12, dtype=np.float32).reshape(3, 4),
    "b": np.linspace(1.0, 0.0, 12, dtype=np.float32).reshape(3, 4),
    "color": np.linspace(0.0, 1.0, 36, dtype=np.float32).reshape(3, 3, 4),
    "tint": np.array([0.2, 0.4, 0.6], np.float32).reshape(3, 1, 1),
    "n": 0.25,
}


def value(text):
    return Expression(text, "test").value(FIELDS.__getitem__)


@pytest.mark.parametrize(
    "text",
    [
        "a + b * 2 - n",
        "-(a - 1) / 4",
        "a**3",
        "(a + n) * (b - n) * a",
        "2 - a",
        "a * a * a - b",
        "a",
    ],
)
def test_arithmetic_is_that_of_numpy(text):
    exact = {name: np.asarray(field, np.float64) for name, field in FIELDS.items()}
    found = value(text)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, eval(text, {}, exact), atol=1e-5)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2 * n + 1", 1.5),
        ("2**3 / 4", 2.0),
        ("min(3, n, 1)", 0.25),
        ("max(3, n, 1)", 3.0),
        ("abs(-2)", 2.0),
        ("sqrt(9) + sqrt(-9)", 3.0),
        ("floor(-0.5) + fract(-0.25)", -0.25),
        ("clamp(7) + clamp(-7) + clamp(7, 2, 5)", 6.0),
        ("mix(1, 3, n)", 1.5),
        ("step(0.5, 0.5) + step(0.5, 0.49)", 1.0),
        ("linearstep(1, 3, 2.5)", 0.75),
        ("linearstep(3, 1, 2.5)", 0.25),
        ("smoothstep(0, 1, 0.25)", 0.15625),
        ("wave(0) - wave(0.5) + wave(3.25)", 2.0),
        ("smooth_min(0, 0, 1)", -0.25),
        ("smooth_max(0, 0, 1)", 0.25),
        ("smooth_min(0, 5, 1)", 0.0),
        ("overlay(0.25, 0.5) + overlay(0.75, 0.5)", 1.0),
        ("luminance(0.5)", 0.5),
    ],
)
def test_numbers_alone_give_a_number(text, wanted):
    found = value(text)
    assert isinstance(found, float)
    assert found == pytest.approx(wanted, abs=1e-6)


def test_every_function_keeps_float32_and_agrees_with_its_numbers():
    for name, function in FUNCTIONS.items():
        if name in ("luminance", "saturation"):
            continue
        arguments = ["a", "b", "0.3"][: function.least]
        if function.constants == (0, 1):
            arguments = ["-0.5", "0.75", "a"]
        field = value(f"{name}({', '.join(arguments)})")
        assert field.dtype == np.float32 and field.shape == (3, 4), name
        for place in np.ndindex(3, 4):
            numbers = [
                str(float(FIELDS[argument][place])) if argument in FIELDS else argument
                for argument in arguments
            ]
            assert field[place] == pytest.approx(
                value(f"{name}({', '.join(numbers)})"), abs=1e-5
            ), name


def test_colors_and_fields_mix():
    mixed = value("mix(tint, color, b)")
    assert mixed.shape == (3, 3, 4) and mixed.dtype == np.float32
    expected = FIELDS["tint"] * (1 - FIELDS["b"]) + FIELDS["color"] * FIELDS["b"]
    np.testing.assert_allclose(mixed, expected, atol=1e-6)
    np.testing.assert_allclose(
        value("luminance(tint)").ravel(), 0.2126 * 0.2 + 0.7152 * 0.4 + 0.0722 * 0.6, atol=1e-6
    )
    assert np.ptp(value("saturation(tint, 0)")) < 1e-6
    np.testing.assert_allclose(value("saturation(tint, 1)"), FIELDS["tint"], atol=1e-6)


def test_fields_are_not_written_to():
    before = {name: np.copy(field) for name, field in FIELDS.items()}
    for text in (
        "-a + a * b - (a + b)",
        "mix(a, b, a) * b + a",
        "clamp(a) + max(a, b)",
        "a**1 + a",
    ):
        value(text)
    for name, field in before.items():
        np.testing.assert_array_equal(FIELDS[name], field)


def test_names_are_collected():
    assert Expression("mix(a, b, smoothstep(0, 1, c)) * 2", "test").names == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a +", "must be a formula"),
        ("", "must be a formula"),
        ("a; b", "must be a formula"),
        ("a.real", "must be arithmetic"),
        ("a[0]", "must be arithmetic"),
        ("a if b else a", "must be arithmetic"),
        ("(lambda: 1)()", "must be arithmetic"),
        ("'text'", "must be arithmetic"),
        ("a < b", "must be arithmetic"),
        ("a % 2", "must be arithmetic"),
        ("__import__('os')", "a function must be one of abs|a function must be one of"),
        ("mix(a, b)", r"must call mix\(a, b, t\)"),
        ("mix(a, b, t=1)", "must be arithmetic"),
        ("+".join("a" * 2000), "at most 2000 characters"),
        ("+".join("a" * 202), "at most 200 parts one inside the other"),
        ("-" * 1000 + "a", "at most 200 parts one inside the other"),
        ("1" * 400, "must be arithmetic with numbers"),
        ("a * 1e400", "must be arithmetic with numbers"),
        ("a" + ".b" * 900, "must be arithmetic with numbers"),
    ],
)
def test_what_is_no_formula_is_refused(text, message):
    with pytest.raises(ParameterError, match=message):
        Expression(text, "test")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / a", "what is divided by must be a number"),
        ("a / (n - n)", "must not divide by 0"),
        ("a**0.5", "an exponent must be a whole number"),
        ("a**99", "an exponent must be a whole number"),
        ("a**(n / 1e-308 / 1e-308)", "an exponent must be a whole number"),
        ("smoothstep(a, 1, b)", "argument 1 of smoothstep"),
        ("smoothstep(1, 1, b)", "low and high must differ"),
    ],
)
def test_what_cannot_be_computed_safely_is_refused(text, message):
    with pytest.raises(ParameterError, match=message):
        value(text)


KNOWN = {"n": 0.25, "none": 0.0, "one": 1.0, "tint": FIELDS["tint"]}
"""What `simplify` is told."""

_NAMES = st.sampled_from(["a", "b", "color", *KNOWN])
_NUMBERS = st.sampled_from(["0", "1", "-1", "0.3", "2"])


def _deeper(inner):
    """Return a strategy of formulas that are made of others; of colors, only formulas that take them."""
    pair = st.tuples(inner, inner)
    steps = st.sampled_from(["0, 1", "1, 0", "-0.4, 0.7", "n, one"])
    return st.one_of(
        st.tuples(pair, st.sampled_from("+-*")).map(lambda t: f"({t[0][0]} {t[1]} {t[0][1]})"),
        st.tuples(st.sampled_from(["smoothstep", "linearstep"]), steps, inner).map(
            lambda t: f"{t[0]}({t[1]}, {t[2]})"
        ),
        st.tuples(inner, steps, inner).map(lambda t: f"({t[0]} - smoothstep({t[1]}, {t[2]}))"),
        st.tuples(inner, inner, inner).map(lambda t: f"mix({t[0]}, {t[1]}, {t[2]})"),
        inner.map(lambda t: f"clamp({t})"),
        inner.map(lambda t: f"clamp({t}, 0.1, 0.6)"),
        inner.map(lambda t: f"-{t}"),
        inner.map(lambda t: f"abs({t})"),
        inner.map(lambda t: f"({t} / 4)"),
        inner.map(lambda t: f"clamp({t}) ** 3"),
        pair.map(lambda t: f"min({t[0]}, {t[1]})"),
    )


FORMULAS = st.recursive(_NAMES | _NUMBERS, _deeper, max_leaves=9)


@settings(max_examples=300)
@given(text=FORMULAS)
def test_simplified_formulas_have_the_same_values(text):
    fields = {**FIELDS, **KNOWN}
    before = {name: np.copy(field) for name, field in fields.items()}
    formula = Expression(text, "test")
    expected = formula.value(fields.__getitem__)
    simple = formula.simplify(KNOWN)
    assert simple.names <= formula.names - set(KNOWN)
    found = simple.value({name: fields[name] for name in simple.names}.__getitem__)
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(
        np.broadcast_to(found, np.broadcast_shapes(np.shape(found), np.shape(expected))),
        np.broadcast_to(expected, np.broadcast_shapes(np.shape(found), np.shape(expected))),
        atol=3e-5 * scale,
    )
    assert isinstance(found, float) or found.dtype == np.float32
    for name, field in before.items():
        np.testing.assert_array_equal(fields[name], field, err_msg="written to")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("none * a + b", {"b"}),
        ("mix(a, b, none)", {"a"}),
        ("mix(a, b, step(0.5, one))", {"b"}),
        ("smoothstep(0, 1, a) * step(0.5, none) - 2", set()),
        ("n * (a - none * b) * one", {"a"}),
        ("none * mix(a, b, color) + tint", set()),
    ],
)
def test_what_is_multiplied_by_nothing_is_not_asked_for(text, names):
    simple = Expression(text, "test").simplify(KNOWN)
    assert simple.names == names


def test_steps_that_are_turned_round_are_exact_at_their_ends():
    fields = {"a": np.array([[-1.0, 0.0, 0.3, 0.7, 5.0]], np.float32)}
    for text in ("1 - smoothstep(0.1, 0.6, a)", "0.3 * (1 - smoothstep(0.1, 0.6, a))"):
        found = Expression(text, "test").simplify({}).value(fields.__getitem__).ravel()
        high = np.float32(1.0 if text.startswith("1") else 0.3)
        assert found[:2] == pytest.approx(high, rel=3e-7) and (found[3:] == 0.0).all()
        assert 0.0 < found[2] < high
