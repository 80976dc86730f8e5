# SPDX-License-Identifier: GPL-3.0-or-later
"""Every check of the modifiers' contract catches a modifier that breaks just that promise."""

from __future__ import annotations

import pytest

from noise_core import modifier_types
from tests.core import contract_modifiers, modifier_mutants
from tests.core.test_modifier_contract import CHECKS

CAUGHT = [
    (modifier_mutants.DoubleHeights, contract_modifiers.check_any_shape),
    (modifier_mutants.DropsAColumn, contract_modifiers.check_any_shape),
    (modifier_mutants.MakesMore, contract_modifiers.check_any_shape),
    (modifier_mutants.UndefinedOnLevelGround, contract_modifiers.check_finite_for_any_heights),
    (modifier_mutants.UndefinedFarOut, contract_modifiers.check_any_size),
    (modifier_mutants.Idle, contract_modifiers.check_defaults_change_something),
    (modifier_mutants.Explodes, contract_modifiers.check_defaults_change_something),
    (modifier_mutants.WritesHeight, contract_modifiers.check_input_is_left_alone),
    (modifier_mutants.GivesBackHeight, contract_modifiers.check_input_is_left_alone),
    (modifier_mutants.CountsItsCalls, contract_modifiers.check_same_seed_same_bits),
    (modifier_mutants.CountsProcessors, contract_modifiers.check_threads_agree),
    (modifier_mutants.ForgetsTheMask, contract_modifiers.check_mask),
    (modifier_mutants.ForgetsTheOpacity, contract_modifiers.check_opacity),
    (modifier_mutants.NegativeMaps, contract_modifiers.check_maps_are_described),
    (modifier_mutants.RunsBackwards, contract_modifiers.check_progress_rises),
    (modifier_mutants.Deaf, contract_modifiers.check_cancel_stops),
    (modifier_mutants.CatchesItsCancel, contract_modifiers.check_cancel_stops),
    (modifier_mutants.HasBorders, contract_modifiers.check_torus_has_no_border),
    (modifier_mutants.SinksAtTheSeam, contract_modifiers.check_seam_is_like_the_interior),
    (modifier_mutants.Tears, contract_modifiers.check_border_is_not_torn),
    (modifier_mutants.Pins, contract_modifiers.check_border_is_not_pinned),
    (modifier_mutants.TakesAnything, contract_modifiers.check_refuses_bad_arguments),
]


@pytest.mark.parametrize(
    ("cls", "check"), CAUGHT, ids=lambda part: part.__name__.removeprefix("check_")
)
def test_a_broken_modifier_is_caught(cls, check):
    # pytest.raises itself fails with an exception of its own that is no AssertionError.
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check(cls())


@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.__name__[6:])
def test_a_sound_modifier_passes(check):
    check(modifier_mutants.SoundModifier())


def test_every_check_has_a_mutant():
    assert {check for _, check in CAUGHT} == set(CHECKS.values())


def test_no_mutant_is_registered():
    assert not {cls for cls, _ in CAUGHT} & set(modifier_types().values())
