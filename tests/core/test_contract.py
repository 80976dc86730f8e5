# SPDX-License-Identifier: GPL-3.0-or-later
"""Every registered noise type keeps every promise: with its defaults, at its limits, with any values."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Noise, ParameterError, Recipe, noise_types
from noise_core.base.arrays import MOST_DIMENSIONS
from noise_core.base.params import Parameter
from tests.core import contract, contract_declarations, contract_gradients, contract_grids
from tests.core.strategies import SEEDS, instances, limits

pytestmark = pytest.mark.bits

TYPES = list(noise_types().values())
EVERY_TYPE = pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.key)

WITHOUT_LITERATURE = {"shape", "combine", "domain"}
"""Families of plain arithmetic; a type in them may still name its source."""


FINEST = 1000.0
"""Cells along a tile up to which all promises are checked; `test_extremes.py` goes beyond."""


def ordinary(cls: type[Noise]) -> st.SearchStrategy[Noise]:
    """Return a strategy for noises of one type that are neither absurdly fine nor chaotic."""
    return instances(cls).filter(is_ordinary)


def is_ordinary(noise: Noise) -> bool:
    is_fine = contract.finest(noise) > FINEST
    return not is_fine and contract.magnification(noise) <= 1000.0 and cost(noise) <= 40


def has_known_slopes(noise: Noise) -> bool:
    """Return whether differences in float32 can tell the derivatives."""
    is_coarse = contract_gradients.detail(noise) <= FINEST and contract.magnification(noise) <= 50.0
    return is_coarse and not has_slow_spiral(noise)


def has_slow_spiral(noise: Noise) -> bool:
    """Return whether a spiral has waves of more than a tile: its angle hardly turns in a step, and is float32.

    `test_wave.py` compares its slopes with its formula.
    """
    own = getattr(noise, "shape", "") == "spiral" and noise.frequency < 1.0
    return own or any(has_slow_spiral(child) for child in noise.children().values())


def cost(noise: Noise) -> float:
    """Return about how many simple noises are evaluated for one sample."""
    counts = (getattr(noise, name, 1) for name in ("octaves", "levels", "per_cell"))
    times = math.prod(counts)
    return times * max(1.0, sum(cost(child) for child in noise.children().values()))


def light(cls: type[Noise]) -> Noise:
    """Return a type's defaults, but with three octaves where it has more, and with two where its children have."""
    noise = cls()
    if getattr(noise, "octaves", 1.0) > 3.0:
        noise = noise.with_values(octaves=3.0)
    children = {
        name: child.with_values(octaves=2.0)
        for name, child in noise.children().items()
        if getattr(child, "octaves", 1.0) > 2.0
    }
    return noise.with_values(**children)


def checks_in(module: object) -> dict[str, Callable]:
    """Return the check functions that a module defines itself, by name."""
    return {
        name: function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if name.startswith("check_") and function.__module__ == module.__name__
    }


FIELD_CHECKS = {
    **checks_in(contract),
    **checks_in(contract_grids),
    **checks_in(contract_gradients),
}
DECLARATION_CHECKS = checks_in(contract_declarations)
OF_A_CLASS = {
    name
    for name, check in DECLARATION_CHECKS.items()
    if "cls" in inspect.signature(check).parameters
}


OF_BITS_AND_TYPES = {
    contract.check_shape_and_type,
    contract.check_values_are_the_callers,
    contract.check_seeds_are_values,
    contract.check_seeds_plan_is_plans,
    contract.check_same_seed_same_bits,
    contract.check_window_equals_whole,
    contract_grids.check_threads_agree,
    contract_grids.check_plan_writes_any_rows,
    contract_grids.check_refuses_bad_arguments,
    contract_gradients.check_gradient_shape_and_type,
    contract_gradients.check_gradient_is_the_same_again,
    contract_gradients.check_gradient_refuses_bad_arguments,
}
"""What a NumPy decides on: types, errors, and how it adds up in arrays of another size. All else follows
from the bits, which `test_same_bits.py` compares with each NumPy, on grids and at points."""

CHECKS_OF_DEFAULTS = [
    pytest.param(
        check,
        id=name[6:],
        marks=pytest.mark.ends if check in OF_BITS_AND_TYPES else pytest.mark.newest,
    )
    for name, check in FIELD_CHECKS.items()
]


@pytest.mark.parametrize("check", CHECKS_OF_DEFAULTS)
@EVERY_TYPE
def test_defaults(cls, check):
    check(light(cls))


@pytest.mark.parametrize("check", DECLARATION_CHECKS.values(), ids=lambda check: check.__name__[6:])
@EVERY_TYPE
def test_declaration(cls, check):
    if check is contract_declarations.check_has_references and cls.family in WITHOUT_LITERATURE:
        return
    check(cls if check.__name__ in OF_A_CLASS else cls())


@pytest.mark.newest
@EVERY_TYPE
def test_resolutions_of_terrains_agree(cls):
    contract_grids.check_resolutions_agree(cls(), coarse=129)


@pytest.mark.newest
@EVERY_TYPE
def test_every_choice(cls):
    for parameter in cls.parameters():
        for place, value in enumerate(parameter.options or _switch(parameter)):
            if value == parameter.default:  # `test_defaults` does all of this and more
                continue
            noise = light(cls).with_values(**{parameter.name: value})
            with contract.only(2, 1 + place % 4):
                contract.check_bounds(noise)
            with contract.only(2 + place % 2):  # a window of four coordinates takes long
                contract.check_window_equals_whole(noise)
            with contract.only(2 + place % 3):
                contract_grids.check_grid_equals_points(noise)
                contract_grids.check_repeats_after_its_periods(noise)
            with contract.only(2 + place % 2):
                contract_gradients.check_gradient_is_the_slope(noise)
                contract_gradients.check_gradient_grid_equals_points(noise)


def _switch(parameter: Parameter) -> tuple[bool, ...]:
    return (True, False) if parameter.kind == "boolean" else ()


@pytest.mark.newest
@EVERY_TYPE
def test_every_limit(cls):
    lowest, highest = {}, {}
    for parameter in cls.parameters():
        if parameter.kind in ("number", "integer", "number_or_noise"):
            convert = int if parameter.kind == "integer" else float
            low, high = limits(parameter)
            lowest[parameter.name], highest[parameter.name] = convert(low), convert(high)
    for name in lowest:
        for extremes in (lowest, highest):
            _check_limit(cls(**{name: extremes[name]}))
    for together in (lowest, highest):
        try:
            noise = cls(**together)
        except ParameterError:  # a rule about two parameters together
            continue
        _check_limit(noise)


def _check_limit(noise: Noise) -> None:
    if is_ordinary(noise):
        with contract.only(2, 3):
            contract.check_bounds(noise)


SOME_DIMENSION = st.sampled_from((2, 3, 1, 2, 4))


@pytest.mark.newest
@EVERY_TYPE
@given(data=st.data())
def test_any_values_keep_bounds(cls, data):
    noise = data.draw(ordinary(cls))
    with contract.only(data.draw(SOME_DIMENSION)):
        contract.check_bounds(noise)
        contract.check_same_seed_same_bits(noise)
        contract_grids.check_finest_is_a_size(noise)


@pytest.mark.newest
@EVERY_TYPE
@given(data=st.data())
def test_any_values_repeat_on_a_torus(cls, data):
    noise = data.draw(ordinary(cls))
    with contract.only(data.draw(SOME_DIMENSION)):
        contract_grids.check_repeats_after_its_periods(noise)


@pytest.mark.newest
@EVERY_TYPE
@given(data=st.data())
def test_any_values_agree_however_they_are_asked(cls, data):
    noise = data.draw(ordinary(cls))
    with contract.only(data.draw(SOME_DIMENSION)):
        contract.check_window_equals_whole(noise)
        contract.check_inputs_are_not_written(noise)
        contract_grids.check_grid_equals_points(noise)


@pytest.mark.newest
@EVERY_TYPE
@given(data=st.data())
def test_any_values_have_derivatives(cls, data):
    noise = data.draw(ordinary(cls).filter(has_known_slopes))
    with contract.only(data.draw(SOME_DIMENSION)):
        contract_gradients.check_gradient_is_the_slope(noise)
        contract_gradients.check_gradient_grid_equals_points(noise)


@pytest.mark.newest
@EVERY_TYPE
@given(data=st.data())
def test_any_values_survive_json(cls, data):
    recipe = Recipe(
        layers=data.draw(instances(cls)),
        seed=data.draw(SEEDS),
        height=data.draw(st.floats(-1e6, 1e6)),
    )
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert hash(again) == hash(recipe)
    assert again.to_json() == recipe.to_json()
    contract_declarations.check_value_semantics(recipe.noise)


def test_types_are_sorted_and_distinct():
    assert list(noise_types()) == sorted(noise_types())
    for key, cls in noise_types().items():
        assert cls.key == key
        assert issubclass(cls, Noise)
        assert set(cls.dimensions) <= set(range(1, MOST_DIMENSIONS + 1))
    assert len({cls.label for cls in TYPES}) == len(TYPES), "two types with one label"


def test_each_type_stands_in_the_file_of_its_key():
    for key, cls in noise_types().items():
        module = cls.__module__.rpartition(".")[2]
        assert module.replace("_", "") == key.replace("_", ""), f"{key} in {module}.py"
