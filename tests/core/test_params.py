# SPDX-License-Identifier: GPL-3.0-or-later
"""A parameter is declared once; from there come its checks, its texts and its plain form."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid, Noise, ParameterError, TerraneError, modifier_types, noise_types
from noise_core.base.declared import declared_type
from noise_core.base.errors import Cancelled, RecipeError
from noise_core.base.params import (
    Declared,
    Parameter,
    boolean,
    choice,
    curve,
    integer,
    noise,
    number,
    number_or_noise,
    pixels,
    vector,
)
from noise_core.base.registry import Registry
from noise_core.modifiers import FillLakes, StreamErosion
from noise_core.noises import Fractal, Perlin, Value
from tests.core.contract_modifiers import grid_of, terrain

pytestmark = pytest.mark.bits


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Everything(Declared):
    """One parameter of each kind."""

    key = "everything"
    label = "Everything"

    width: float = number(1.0, help="Width", minimum=0.25, maximum=4.0, soft_maximum=2.0)
    free: float = number(0.0, help="Any number")
    count: int = integer(3, help="How many", minimum=1, maximum=9, soft_maximum=5)
    is_on: bool = boolean(True, help="Whether", label="Enabled")
    shape: str = choice(
        "round", help="Form", options={"round": "Like a ball", "flat": "Like a disc"}
    )
    offset: tuple[float, ...] = vector((0.0, 1.0), help="Where", minimum=-2.0, maximum=2.0)
    profile: tuple[tuple[float, float], ...] = curve(((0.0, 0.0), (1.0, 1.0)), help="Curve")
    source: object = noise(Perlin, help="Child")
    factor: object = number_or_noise(0.5, help="Share", minimum=0.0, maximum=1.0)
    picture: object = pixels(lambda: np.zeros((2, 3)), help="Picture")


def test_order_names_and_kinds_are_those_of_the_declaration():
    assert [(p.name, p.kind) for p in Everything.parameters()] == [
        ("width", "number"),
        ("free", "number"),
        ("count", "integer"),
        ("is_on", "boolean"),
        ("shape", "choice"),
        ("offset", "vector"),
        ("profile", "curve"),
        ("source", "noise"),
        ("factor", "number_or_noise"),
        ("picture", "pixels"),
    ]


def test_soft_limits_are_the_hard_ones_if_not_given():
    width, free, count, *_ = Everything.parameters()
    assert (width.soft_minimum, width.soft_maximum) == (0.25, 2.0)
    assert (free.minimum, free.soft_maximum) == (-math.inf, math.inf)
    assert (count.soft_minimum, count.soft_maximum) == (1, 5)


def test_title_is_the_label_or_made_of_the_name():
    titles = {parameter.name: parameter.title for parameter in Everything.parameters()}
    assert titles["is_on"] == "Enabled"
    assert titles["factor"] == "Factor"
    assert {p.name: p.title for p in _Spoken.parameters()} == {"two_words": "Two Words"}


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class _Spoken(Declared):
    two_words: float = number(0.0, help="Words")


def test_a_subclass_has_the_parameters_of_its_base_first():
    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class Longer(_Spoken):
        more: float = number(0.0, help="More")

    assert [parameter.name for parameter in Longer.parameters()] == ["two_words", "more"]
    assert [parameter.name for parameter in _Spoken.parameters()] == ["two_words"]


@pytest.mark.parametrize(
    ("name", "given_", "kept"),
    [
        ("width", 2, 2.0),
        ("width", np.float32(0.5), 0.5),
        ("width", np.int64(3), 3.0),
        ("count", np.uint8(4), 4),
        ("is_on", np.bool_(False), False),
        ("offset", [1, 2], (1.0, 2.0)),
        ("offset", np.array([0.5, -0.5], np.float32), (0.5, -0.5)),
        ("profile", [[0, 1], [2, 3]], ((0.0, 1.0), (2.0, 3.0))),
        ("profile", np.array([[0, 1], [2, 3]]), ((0.0, 1.0), (2.0, 3.0))),
        ("factor", 1, 1.0),
        ("factor", Value(), Value()),
    ],
)
def test_values_are_kept_as_plain_python(name, given_, kept):
    value = getattr(Everything(**{name: given_}), name)
    assert value == kept
    assert type(value) is type(kept)
    if isinstance(kept, tuple):
        assert {type(part) for part in np.ravel(np.array(value, object))} == {float}


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("width", 0.0, "Everything.width must be in [0.25, 4]; got 0.0"),
        ("width", math.nan, "Everything.width must be in [0.25, 4]; got nan"),
        ("width", "1", "Everything.width must be a number in [0.25, 4]; got '1'"),
        ("width", True, "Everything.width must be a number in [0.25, 4]; got True"),
        ("free", math.inf, "Everything.free must be in [-inf, inf]; got inf"),
        ("free", 10**400, "Everything.free must be in [-inf, inf]; got inf"),
        ("count", 10, "Everything.count must be in [1, 9]; got 10"),
        ("count", 2.0, "Everything.count must be an integer in [1, 9]; got 2.0"),
        ("is_on", 1, "Everything.is_on must be True or False; got 1"),
        ("shape", "Round", "Everything.shape must be one of 'round', 'flat'; got 'Round'"),
        ("offset", (1.0,), "Everything.offset must be 2 numbers; got (1.0,)"),
        ("offset", (1.0, 3.0), "Everything.offset must be in [-2, 2]; got 3.0"),
        ("offset", np.array(1.0), "Everything.offset must be 2 numbers; got array(1.)"),
        ("profile", 7, "Everything.profile must be pairs (x, y); got 7"),
        (
            "profile",
            ((1.0, 0.0), (1.0, 1.0)),
            "Everything.profile must be at least two finite pairs (x, y) with x rising; "
            "got ((1.0, 0.0), (1.0, 1.0))",
        ),
        ("source", 1.0, "Everything.source must be a noise; got 1.0"),
        ("factor", 1.5, "Everything.factor must be in [0, 1]; got 1.5"),
        ("factor", None, "Everything.factor must be a number in [0, 1]; got None"),
        ("picture", "x", "Everything.picture must be an array of numbers; got str"),
        (
            "picture",
            [[1e300]],
            "Everything.picture must be finite; got nan or inf",
        ),
        (
            "picture",
            np.zeros(3),
            "Everything.picture must be an array of shape (rows, columns); got (3,)",
        ),
    ],
)
def test_errors_say_who_what_is_allowed_and_what_came(name, value, text):
    with pytest.raises(ParameterError) as caught:
        Everything(**{name: value})
    assert str(caught.value) == text


def test_pixels_are_a_copy_that_nobody_can_write():
    own = np.ones((2, 2))
    made = Everything(picture=own)
    own[:] = 5.0
    assert made.picture.dtype == np.float32
    assert made.picture.max() == 1.0
    with pytest.raises(ValueError, match="read-only"):
        made.picture[0, 0] = 2.0


def test_pixels_count_in_equality_and_hash():
    one, same, other = (Everything(picture=np.full((2, 2), v)) for v in (1.0, 1.0, 2.0))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != Everything(picture=np.full((1, 4), 1.0))


def test_a_default_made_by_a_function_is_made_anew():
    assert Everything().source == Perlin()
    assert Everything().source is not Everything().source


def test_types_with_equal_values_are_not_equal():
    assert Value(frequency=3.0) != Perlin(frequency=3.0)
    assert len({Value(), Value(), Perlin()}) == 2


def test_with_values_leaves_the_original():
    one = Everything()
    variant = one.with_values(count=5)
    assert (one.count, variant.count) == (3, 5)
    with pytest.raises(ParameterError):
        one.with_values(count=99)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_number_is_taken_if_and_only_if_it_is_within(value):
    if 0.25 <= value <= 4.0:
        assert Everything(width=value).width == value
    else:
        with pytest.raises(ParameterError):
            Everything(width=value)


@pytest.mark.parametrize("make", [declared_type, dataclasses.dataclass(frozen=True)])
def test_an_attribute_without_declaration_is_named(make):
    class Plain(Declared):
        key, label = "plain", "Plain"
        steep: float = 1.5

    with pytest.raises(TypeError, match=r"^Plain\.steep must be declared by .* got 1\.5$"):
        make(Plain).parameters()


def test_errors_are_one_family():
    assert issubclass(ParameterError, TerraneError)
    assert issubclass(ParameterError, ValueError)
    assert issubclass(RecipeError, TerraneError)
    assert issubclass(RecipeError, ValueError)
    assert issubclass(Cancelled, TerraneError)
    assert not issubclass(Cancelled, ValueError)


def _named(key, *, text="Width"):
    body = {"__annotations__": {"width": "float"}, "width": number(1.0, help=text)}
    cls = dataclasses.dataclass(frozen=True, kw_only=True, eq=False)(type("Odd", (Declared,), body))
    cls.key, cls.label = key, "Odd"
    return cls


def test_the_registry_refuses_what_would_hurt_later():
    registry = Registry("noise_core.noises")
    registry.add(_named("odd"))
    elsewhere = _named("odd")
    elsewhere.__module__ = "elsewhere"
    for cls, text in (
        (elsewhere, "Odd: key 'odd' is Odd's"),
        (_named("Odd"), "Odd: key must be lower_case; got 'Odd'"),
        (_named("2d"), "Odd: key must be lower_case; got '2d'"),
        (_named("silent", text=""), "Odd.width has no help text"),
    ):
        with pytest.raises(ValueError) as caught:
            registry.add(cls)
        assert str(caught.value) == text


def test_a_type_that_is_defined_again_replaces_itself():
    """As by a cell of a notebook that runs twice, or a module that is loaded again."""
    registry = Registry("noise_core.noises")
    registry.add(_named("odd"))
    registry.add(again := _named("odd"))
    assert registry.get("odd") is again


def test_the_mapping_of_types_cannot_be_changed():
    with pytest.raises(TypeError):
        noise_types()["perlin"] = Value  # type: ignore[index]
    assert noise_types()["perlin"] is Perlin


def test_a_type_is_found_by_its_name_and_others_are_not():
    import noise_core.noises as noises

    assert noises.Perlin is Perlin
    with pytest.raises(AttributeError, match="has no attribute 'NoSuchNoise'"):
        _ = noises.NoSuchNoise


def test_limits_of_whole_numbers_are_said_with_all_digits():
    seed = Parameter("integer", 0, "Seed", name="seed", minimum=-0x80000000, maximum=0x7FFFFFFF)
    with pytest.raises(ParameterError) as error:
        seed.check(0x80000000, "Terrain")
    assert str(error.value) == ("Terrain.seed must be in [-2147483648, 2147483647]; got 2147483648")


# --- parameters without an effect ----------------------------------------------------------------

HIDDEN = [
    (cls, parameter)
    for cls in (*noise_types().values(), *modifier_types().values())
    for parameter in cls.parameters()
    if parameter.visible_when is not None
]


def hiding_values(cls, parameter):
    """Return the values that hide a parameter, of the parameter that it watches."""
    name, expected = parameter.visible_when
    watched = next(one for one in cls.parameters() if one.name == name)
    if isinstance(expected, tuple):
        return [key for key in watched.options if key not in expected]
    if isinstance(expected, bool):
        return [not expected]
    return [int(expected) if watched.kind == "integer" else expected]


def other_values(parameter, value):
    """Return some other values of a parameter."""
    if parameter.kind == "choice":
        return [key for key in parameter.options if key != value]
    if parameter.kind == "boolean":
        return [not value]
    if parameter.kind == "vector":
        return [tuple(one + 0.3 for one in value)]
    ends = parameter.soft_minimum, parameter.soft_maximum
    between = (ends[0] + ends[1]) / 2.0
    convert = int if parameter.kind == "integer" else float
    return [convert(one) for one in (*ends, between) if one != value]


def bits(declared):
    """Return all that a noise or modifier gives, as bytes."""
    if isinstance(declared, Noise):
        return declared.sample_grid(Grid(31, 33), 7).tobytes()
    field = terrain(40, 48)
    relief = declared.apply(field, grid_of(field), 3)
    return b"".join(one.tobytes() for one in (relief.height, *relief.maps.values()))


@pytest.mark.newest
@pytest.mark.parametrize(
    ("cls", "parameter"), HIDDEN, ids=lambda one: getattr(one, "name", None) or one.key
)
def test_parameters_that_are_not_visible_have_no_effect(cls, parameter):
    watched = parameter.visible_when[0]
    hiding = hiding_values(cls, parameter)
    assert hiding, "always visible"
    for value in hiding:
        declared = cls(**{watched: value})
        assert not parameter.is_visible(declared)
        bits_before = bits(declared)
        for other in other_values(parameter, getattr(declared, parameter.name)):
            assert bits(declared.with_values(**{parameter.name: other})) == bits_before


def test_what_is_visible_hangs_on_a_choice_a_number_or_a_switch():
    def visible(cls, name, **values):
        one = next(parameter for parameter in cls.parameters() if parameter.name == name)
        return one.is_visible(cls(**values))

    assert visible(Fractal, "gain", kind="ridged") and not visible(Fractal, "gain", kind="fbm")
    assert visible(StreamErosion, "layer_bend", layer_thickness=1.0)
    assert not visible(StreamErosion, "layer_bend")
    assert visible(FillLakes, "level", sea=True) and not visible(FillLakes, "level")
    assert visible(Fractal, "octaves")


def test_advanced_parameters_are_few_and_marked():
    advanced = {parameter.name for parameter in Perlin.parameters() if parameter.advanced}
    assert advanced == {"fade", "gradients", "lattice"}
    for cls in (*noise_types().values(), *modifier_types().values()):
        own = [parameter for parameter in cls.parameters() if parameter.kind != "noise"]
        assert not own or any(not one.advanced for one in own), cls
