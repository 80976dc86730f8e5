# SPDX-License-Identifier: GPL-3.0-or-later
"""Every shipped preset can be read, says what it is, and gives a field."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noise_core import Grid, Recipe, RecipeError
from noise_core.preset_library import FOLDER, load_preset, preset, preset_names


def test_there_are_presets_and_alps_is_one() -> None:
    assert "alps" in preset_names()
    assert preset_names() == tuple(sorted(preset_names()))


@pytest.mark.parametrize("name", preset_names())
def test_preset_describes_itself(name: str) -> None:
    shipped = preset(name)
    assert shipped.name == name
    assert shipped.label and not shipped.label.endswith(".")
    assert 10 <= len(shipped.description) <= 80 and not shipped.description.endswith(".")
    assert shipped.size > 0.0


@pytest.mark.parametrize("name", preset_names())
def test_preset_gives_a_field_that_is_not_flat(name: str) -> None:
    recipe = load_preset(name)
    height = recipe.evaluate(Grid(33, 33, size=preset(name).size)).height
    assert np.isfinite(height).all() and np.ptp(height) > 0.05 * abs(recipe.height)


@pytest.mark.parametrize("name", preset_names())
def test_preset_is_written_in_the_newest_format(name: str) -> None:
    plain = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    newest = json.loads(load_preset(name).to_json())
    assert plain["recipe"]["format"] == newest["format"]


def test_preset_recipes_survive_json() -> None:
    for name in preset_names():
        assert Recipe.from_json(load_preset(name).to_json()) == load_preset(name)


def test_unknown_preset_says_which_there_are() -> None:
    with pytest.raises(RecipeError, match=r"preset must be one of .*alps.*; got 'alp'"):
        preset("alp")
