# SPDX-License-Identifier: GPL-3.0-or-later
"""Every registered modifier keeps every promise: with its defaults, at its limits, with any values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid, Modifier, ParameterError, Recipe, modifier_types
from noise_core.masks.bases.mask import SeededNoise
from noise_core.noises import Perlin
from tests.core import contract_declarations, contract_modifiers
from tests.core.strategies import LAYERS, SEEDS, instances, limits
from tests.core.test_contract import DECLARATION_CHECKS, OF_A_CLASS, checks_in, is_ordinary

TYPES = list(modifier_types().values())
EVERY_TYPE = pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.key)

WITHOUT_LITERATURE = {"normalize"}
"""Types of plain arithmetic; one of them may still name its source."""

TIED_TO_PLACES = {
    "amplify": {"strength": 0.0},
    "coastal_erosion": {"rock_variation": 0.0},
    "debris_flow": {"amount": 0.0},
    "gully_erosion": {"depth": 0.0},
    "meanders": {"strength": 0.0},
    "stream_erosion": {"randomness": 0.0, "layer_bend": 0.0},
    "strata": {"tilt": 0.0, "irregularity": 0.0},
    "tectonics": {"strength": 0.0},
    "terraces": {"irregularity": 0.0},
    "wind_erosion": {"strength": 0.0},
}
"""Types whose chance, direction or cells belong to places, with the values that turn it off.

All other types must give a moved result for a moved terrain.
"""

DRAINS_AT_THE_BORDER = {"fill_lakes"}
"""Types for which the border is where water leaves: no lake can stand there."""

CHECKS = checks_in(contract_modifiers)
OF_BITS_AND_TYPES = {
    contract_modifiers.check_any_shape,
    contract_modifiers.check_finite_for_any_heights,
    contract_modifiers.check_input_is_left_alone,
    contract_modifiers.check_same_seed_same_bits,
    contract_modifiers.check_mask,
    contract_modifiers.check_maps_are_described,
    contract_modifiers.check_refuses_bad_arguments,
}
"""What a NumPy decides on: types, errors, and how it adds up in arrays of another size. All else follows
from the bits, which `test_same_bits.py` and `test_golden_modifiers.py` compare with each NumPy."""

CHECKS_OF_DEFAULTS = [
    pytest.param(
        check, id=name[6:], marks=[] if check in OF_BITS_AND_TYPES else [pytest.mark.newest]
    )
    for name, check in CHECKS.items()
]
OF_TWO_RESULTS = {
    contract_modifiers.check_any_shape,
    contract_modifiers.check_input_is_left_alone,
    contract_modifiers.check_mask,
    contract_modifiers.check_opacity,
    contract_modifiers.check_same_seed_same_bits,
    contract_modifiers.check_threads_agree,
}
"""Checks that few steps show as well as many."""

COUNTS = {"number": float, "integer": int, "number_or_noise": float}


@pytest.mark.parametrize("check", CHECKS_OF_DEFAULTS)
@EVERY_TYPE
def test_defaults(cls, check):
    values = {}
    if check is contract_modifiers.check_torus_has_no_border:
        values = TIED_TO_PLACES.get(cls.key, {})
    if check in (
        contract_modifiers.check_any_size,
        contract_modifiers.check_finite_for_any_heights,
    ):
        values = contract_modifiers.FEW_STEPS.get(cls.key, {})
    if check in OF_TWO_RESULTS:
        values = contract_modifiers.FEWER_STEPS.get(cls.key, {})
    if check is contract_modifiers.check_border_is_not_pinned and cls.key in DRAINS_AT_THE_BORDER:
        return
    check(cls(**values))


@pytest.mark.parametrize("check", DECLARATION_CHECKS.values(), ids=lambda check: check.__name__[6:])
@EVERY_TYPE
def test_declaration(cls, check):
    if check is contract_declarations.check_has_references and cls.key in WITHOUT_LITERATURE:
        return
    check(cls if check.__name__ in OF_A_CLASS else cls())


@pytest.mark.newest
@EVERY_TYPE
def test_every_choice(cls):
    for parameter in cls.parameters():
        options = parameter.options or ((True, False) if parameter.kind == "boolean" else ())
        for value in options:
            if value == parameter.default:  # `test_defaults` does all of this and more
                continue
            modifier = cls(**{parameter.name: value})
            contract_modifiers.check_any_shape(modifier, contract_modifiers.SHAPES[:-1])
            values = TIED_TO_PLACES.get(cls.key, {})
            contract_modifiers.check_torus_has_no_border(
                modifier.with_values(**values), contract_modifiers.MOVES[1:2]
            )
            contract_modifiers.check_seam_is_like_the_interior(modifier)


@pytest.mark.newest
@EVERY_TYPE
def test_every_limit(cls):
    field = contract_modifiers.terrain(20, 17)
    grid = contract_modifiers.grid_of(field)
    for modifier in _at_limits(cls):
        relief = modifier.apply(field, grid, 3)
        contract_modifiers.assert_sound(modifier, relief, field.shape, repr(modifier))


def _at_limits(cls):
    """Yield a type with each number at its limits, alone and all together."""
    counts = [parameter for parameter in cls.parameters() if parameter.kind in COUNTS]
    ends = []
    for parameter in counts:
        low, high = limits(parameter)
        convert = COUNTS[parameter.kind]
        ends.append((parameter.name, convert(low), convert(high)))
    few = contract_modifiers.FEW_STEPS.get(cls.key, {})
    for name, low, high in ends:
        yield cls(**{**few, name: low})
        yield cls(**{**few, name: high})
    for side in (1, 2):
        try:
            yield cls(**{end[0]: end[side] for end in ends if end[0] != "opacity"})
        except ParameterError:  # a rule about two parameters together
            continue


@pytest.mark.newest
@EVERY_TYPE
def test_numbers_that_vanish_in_float32_are_like_zero(cls):
    field = contract_modifiers.terrain(12, 15)
    grid = contract_modifiers.grid_of(field)
    for parameter in cls.parameters():
        if parameter.kind in COUNTS and parameter.minimum <= 0.0 < parameter.maximum:
            for tiny in (5e-324, 1e-45, 1e-39, 1e-30) if parameter.kind != "integer" else (0,):
                modifier = cls(
                    **{**contract_modifiers.FEW_STEPS.get(cls.key, {}), parameter.name: tiny}
                )
                relief = modifier.apply(field, grid, 3)
                contract_modifiers.assert_sound(modifier, relief, field.shape, repr(modifier))


@st.composite
def worlds(draw: st.DrawFn) -> tuple[np.ndarray, Grid]:
    """Draw a grid of any shape and size with one of many height fields on it."""
    rows, columns = draw(st.integers(1, 26)), draw(st.integers(1, 26))
    size = draw(st.sampled_from((0.5, 100.0, 9000.0)))
    fields = [*contract_modifiers.odd_fields(rows, columns)]
    fields.append(("hills", contract_modifiers.terrain(rows, columns)))
    _, field = draw(st.sampled_from(fields))
    scale = draw(st.sampled_from((0.01, 1.0, 8.0)))
    return field * np.float32(scale), Grid(rows, columns, wrap=draw(st.booleans()), size=size)


def _ordinary(modifier: Modifier) -> bool:
    """Return whether the noises in it are neither absurdly fine nor chaotic."""
    values = [getattr(modifier, parameter.name) for parameter in modifier.parameters()]
    return all(is_ordinary(value) for value in values if hasattr(value, "sample_grid"))


@EVERY_TYPE
@given(data=st.data())
def test_any_values_give_sound_fields(cls, data):
    modifier = data.draw(instances(cls, 1).filter(_ordinary))
    modifier = modifier.with_values(**contract_modifiers.FEW_STEPS.get(cls.key, {}))
    field, grid = data.draw(worlds())
    seed = data.draw(SEEDS)
    kept = field.copy()
    layers = {
        name: SeededNoise(Perlin(frequency=3.0), 1 + place) for place, name in enumerate(LAYERS)
    }
    relief = modifier.apply(field, grid, seed, noises=layers)
    contract_modifiers.assert_sound(modifier, relief, field.shape, repr(modifier))
    assert field.tobytes() == kept.tobytes()
    again = modifier.apply(field, grid, seed, noises=layers)
    contract_modifiers.assert_same(relief, again, "asked again")
    nowhere = modifier.apply(field, grid, seed, mask=np.zeros_like(field), noises=layers)
    np.testing.assert_array_equal(nowhere.height, field)


@EVERY_TYPE
@given(data=st.data())
def test_any_values_survive_json(cls, data):
    recipe = Recipe(
        layers=(Perlin(), data.draw(instances(cls))), seed=data.draw(SEEDS), height=12.5
    )
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert again.to_json() == recipe.to_json()
    contract_declarations.check_value_semantics(recipe.modifiers[0])


def test_types_are_sorted_and_distinct():
    assert list(modifier_types()) == sorted(modifier_types())
    for key, cls in modifier_types().items():
        assert cls.key == key
        assert issubclass(cls, Modifier)
        assert cls.__module__.rpartition(".")[2] == key, f"{key} in {cls.__module__}"
    assert len({cls.label for cls in TYPES}) == len(TYPES), "two types with one label"


def test_exceptions_name_types_that_exist():
    named = {*TIED_TO_PLACES, *DRAINS_AT_THE_BORDER, *WITHOUT_LITERATURE}
    assert named <= set(modifier_types())
