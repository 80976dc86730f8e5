# SPDX-License-Identifier: GPL-3.0-or-later
"""Every check of the contract catches a noise that breaks just that promise."""

from __future__ import annotations

import dataclasses

import pytest

from noise_core import noise_types
from noise_core.base.params import Declared, Parameter, choice, number
from tests.core import (
    contract,
    contract_declarations,
    contract_gradients,
    contract_grids,
    mutants,
)
from tests.core.test_contract import DECLARATION_CHECKS, FIELD_CHECKS, OF_A_CLASS

CAUGHT = [
    (mutants.DoublePrecision, contract.check_values_are_the_callers),
    (mutants.FlattensItsShape, contract.check_shape_and_type),
    (mutants.GivesAwayItsCache, contract.check_values_are_the_callers),
    (mutants.CopiesOneSeed, contract.check_seeds_are_values),
    (mutants.PlansOneSeed, contract.check_seeds_plan_is_plans),
    (mutants.ForgetsShiftOfOctaves, contract.check_octaves_are_seeds),
    (mutants.SmoothInName, contract.check_third_derivative),
    (mutants.OutOfBounds, contract.check_bounds),
    (mutants.EmptyBounds, contract.check_bounds),
    (mutants.NotANumber, contract.check_bounds),
    (mutants.Remembers, contract.check_same_seed_same_bits),
    (mutants.IgnoresSeed, contract.check_seed_matters),
    (mutants.HasASeedAfterAll, contract.check_seed_matters),
    (mutants.UsesHalfTheSeed, contract.check_seed_matters),
    (mutants.WritesItsInput, contract.check_inputs_are_not_written),
    (mutants.WritesTheAxes, contract.check_inputs_are_not_written),
    (mutants.NormalizedByTheBlock, contract.check_points_do_not_depend_on_company),
    (mutants.NormalizedByTheTile, contract.check_window_equals_whole),
    (mutants.SmoothedAtTheEdge, contract.check_window_equals_whole),
    (mutants.RoundsByTheWidth, contract.check_window_equals_whole),
    (mutants.SlopesRoundByTheWidth, contract.check_window_equals_whole),
    (mutants.KeepsState, contract_grids.check_threads_agree),
    (mutants.SumsFromTheStrip, contract_grids.check_threads_agree),
    (mutants.LeavesRowsOut, contract_grids.check_plan_writes_any_rows),
    (mutants.SumsFromTheStrip, contract_grids.check_plan_writes_any_rows),
    (mutants.NormalizedByTheTile, contract_grids.check_grid_equals_points),
    (mutants.ForgetsOrigin, contract_grids.check_grid_equals_points),
    (mutants.NotSeamless, contract_grids.check_repeats_after_its_periods),
    (mutants.SeamlessOnSquaresOnly, contract_grids.check_repeats_after_its_periods),
    (mutants.NotSeamless, contract_grids.check_seam_is_like_the_interior),
    (mutants.SeamlessOnSquaresOnly, contract_grids.check_seam_is_like_the_interior),
    (mutants.ForgetsOrigin, contract_grids.check_neighbors_share_borders),
    (mutants.NormalizedByTheTile, contract_grids.check_neighbors_share_borders),
    (mutants.FeelsMeters, contract_grids.check_meters_change_nothing),
    (mutants.DependsOnSpacing, contract_grids.check_resolutions_agree),
    (mutants.SingleCoordinates, contract_grids.check_far_tiles_are_as_fine),
    (mutants.CoarseCoordinates, contract_grids.check_precision_of_points),
    (mutants.TakesAnyDimension, contract_grids.check_refuses_other_dimensions),
    (mutants.TakesAnySeed, contract_grids.check_refuses_bad_arguments),
    (mutants.EndlesslyFine, contract_grids.check_finest_is_a_size),
    (mutants.DoublePrecisionSlopes, contract_gradients.check_gradient_shape_and_type),
    (mutants.GivesAwayOneSlope, contract_gradients.check_gradient_shape_and_type),
    (mutants.TooSteep, contract_gradients.check_gradient_is_the_slope),
    (mutants.SlopesPerCell, contract_gradients.check_gradient_is_the_slope),
    (mutants.SlopesOfOneTile, contract_gradients.check_gradient_is_the_slope),
    (mutants.GradientForgetsOrigin, contract_gradients.check_gradient_grid_equals_points),
    (mutants.GradientSwapsAxes, contract_gradients.check_gradient_grid_equals_points),
    (mutants.SlopesOfOneTile, contract_gradients.check_gradient_repeats_after_the_periods),
    (mutants.GradientKeepsState, contract_gradients.check_gradient_is_the_same_again),
    (mutants.WritesItsInput, contract_gradients.check_gradient_leaves_its_inputs),
    (mutants.GradientTakesAnySeed, contract_gradients.check_gradient_refuses_bad_arguments),
]


@pytest.mark.parametrize(
    ("cls", "check"), CAUGHT, ids=lambda part: part.__name__.removeprefix("check_")
)
def test_a_broken_noise_is_caught(cls, check):
    _assert_catches(check, cls())


def _assert_catches(check, subject):
    # pytest.raises itself fails with an exception of its own that is no AssertionError.
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check(subject)


@pytest.mark.parametrize("check", FIELD_CHECKS.values(), ids=lambda check: check.__name__[6:])
def test_a_sound_noise_passes(check):
    check(mutants.Sound())


def test_every_check_of_fields_has_a_mutant():
    assert {check for _, check in CAUGHT} == set(FIELD_CHECKS.values())


def test_no_mutant_is_registered():
    assert not {cls for cls, _ in CAUGHT} & set(noise_types().values())


def declared(**attributes):
    """Return an unregistered type made of some attributes, as its file would declare it."""
    annotations = {name: "float" for name in attributes if not name.startswith("_")}
    body = {"__annotations__": annotations, "__doc__": "Is good.", **attributes}
    cls = type("Odd", (Declared,), body)
    cls.key, cls.label = "odd", "Odd"
    return dataclasses.dataclass(frozen=True, kw_only=True, eq=False)(cls)


def altered(field, **changes):
    """Return a declaration with something about it changed behind the helpers' back."""
    parameter = field.metadata["terrane"]._replace(**changes)
    return dataclasses.field(default=field.default, metadata={"terrane": parameter})


def size(**keywords):
    return number(1.0, help="Width", minimum=0.0, maximum=2.0, **keywords)


def fade(**keywords):
    return choice("a", help="Shape", options={"a": "Straight", "b": "Bent"}, **keywords)


class Unchecked(Declared):
    """Takes anything."""

    def __post_init__(self):
        pass


class Changeable(Declared):
    """Lets itself be changed."""

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


class OnlyIdentical(Declared):
    """Is equal to itself only."""

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


class AllEqual(Declared):
    """Is equal to all of its type."""

    def _identity(self):
        return ()


def of(base):
    """Return a broken base as a type with two parameters."""
    body = {"__annotations__": {"size": "float", "fade": "str"}, "size": size(), "fade": fade()}
    cls = type("Odd", (base,), {**body, "__doc__": base.__doc__})
    cls.key, cls.label = "odd", "Odd"
    return (
        cls
        if base is Changeable
        else dataclasses.dataclass(frozen=True, kw_only=True, eq=False)(cls)
    )


BROKEN_DECLARATIONS = [
    ("no docstring", declared(size=size(), __doc__=None), "is_documented"),
    ("no help", declared(size=altered(size(), help=" ")), "is_documented"),
    (
        "option without help",
        declared(fade=altered(fade(), options={"a": "", "b": "B"})),
        "is_documented",
    ),
    ("no references", declared(size=size()), "has_references"),
    (
        "default outside the slider",
        declared(size=size(soft_minimum=1.5)),
        "declaration_is_consistent",
    ),
    (
        "slider beyond the limits",
        declared(size=size(soft_maximum=3.0)),
        "declaration_is_consistent",
    ),
    ("unknown default", declared(fade=altered(fade(), default="c")), "declaration_is_consistent"),
    (
        "watches an unknown option",
        declared(fade=fade(), size=size(visible_when=("fade", ("c",)))),
        "declaration_is_consistent",
    ),
    ("limits not checked", of(Unchecked), "limits_raise"),
    ("choice not checked", of(Unchecked), "other_kinds_refuse"),
    ("not equal to its twin", of(OnlyIdentical), "value_semantics"),
    ("equal to others", of(AllEqual), "value_semantics"),
]


@pytest.mark.parametrize(
    ("why", "cls", "name"), BROKEN_DECLARATIONS, ids=lambda part: str(part)[:30]
)
def test_a_broken_declaration_is_caught(why, cls, name):
    check = DECLARATION_CHECKS[f"check_{name}"]
    _assert_catches(check, cls if check.__name__ in OF_A_CLASS else cls())


def test_a_changeable_declaration_is_caught():
    cls = dataclasses.dataclass(kw_only=True, eq=False)(of(Changeable))
    _assert_catches(contract_declarations.check_is_frozen, cls())


def test_every_check_of_declarations_has_a_mutant():
    caught = {f"check_{name}" for _, _, name in BROKEN_DECLARATIONS} | {"check_is_frozen"}
    assert caught == set(DECLARATION_CHECKS)


def test_a_sound_declaration_passes():
    for name, check in DECLARATION_CHECKS.items():
        check(mutants.Sound if name in OF_A_CLASS else mutants.Sound())


def test_parameter_is_what_the_helpers_declare():
    assert isinstance(size().metadata["terrane"], Parameter)
