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

known = contract_modifiers.known

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


def _is(cls, name):
    """Return whether a type is an exception of a kind."""
    return contract_modifiers.KNOWN.get(cls.key, {}).get(name, False)


@pytest.mark.parametrize("check", CHECKS_OF_DEFAULTS)
@EVERY_TYPE
def test_defaults(cls, check):
    values = {}
    if check is contract_modifiers.check_torus_has_no_border:
        values = known(cls, "steady")
    if check in (
        contract_modifiers.check_any_size,
        contract_modifiers.check_finite_for_any_heights,
    ):
        values = known(cls, "few_steps")
    if check in OF_TWO_RESULTS:
        values = known(cls, "few_steps", "fewer_steps")
    if check is contract_modifiers.check_border_is_not_pinned and (
        _is(cls, "drains_at_the_border") or _is(cls, "is_inland")
    ):
        return
    check(cls(**values))


@pytest.mark.parametrize("check", DECLARATION_CHECKS.values(), ids=lambda check: check.__name__[6:])
@EVERY_TYPE
def test_declaration(cls, check):
    if check is contract_declarations.check_has_references and _is(cls, "is_without_literature"):
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
            values = known(cls, "steady")
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
    few = known(cls, "few_steps")
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
                modifier = cls(**{**known(cls, "few_steps"), parameter.name: tiny})
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
    modifier = modifier.with_values(**known(cls, "few_steps"))
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


def test_exceptions_name_types_and_parameters_that_exist():
    for key, entry in contract_modifiers.KNOWN.items():
        cls = modifier_types()[key]
        for values in (
            known(cls, "steady", "few_steps", "fewer_steps"),
            *known(cls, "runs").values(),
        ):
            assert cls(**values).key == key
        assert entry.keys() <= {
            *("steady", "few_steps", "fewer_steps", "step", "runs"),
            *("drains_at_the_border", "is_inland", "is_without_literature"),
        }
