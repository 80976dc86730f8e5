# SPDX-License-Identifier: GPL-3.0-or-later
"""Every shipped preset can be read, has a description, and gives a field."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from noise_core import Modifier, Noise, Recipe, RecipeError, layer_types, noise_types
from noise_core.landscapes.preset_library import (
    FOLDER,
    PLAIN,
    Heading,
    broken_presets,
    heading,
    load_preset,
    look_again,
    own_names,
    parse_preset,
    preset,
    preset_names,
)
from noise_core.masks import NoiseMask
from noise_core.recipes.chains import elements, is_joint
from noise_core.recipes.layers import Group, NoiseLayer, flatten


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
    said = heading(name)
    assert said == Heading(shipped.label, shipped.description, shipped.group)


@pytest.mark.parametrize("name", preset_names())
def test_preset_gives_a_field_that_is_not_flat(name: str) -> None:
    recipe = load_preset(name)
    height = recipe.evaluate(recipe.grid(33)).height
    assert np.isfinite(height).all() and np.ptp(height) > 0.05 * abs(recipe.height)


@pytest.mark.parametrize("shape", [(65, 65), (34, 50)])
@pytest.mark.parametrize("name", preset_names())
def test_tiles_of_a_preset_without_erosion_join_to_the_bit(name: str, shape) -> None:
    recipe = load_preset(name).bound()
    layers = [one for one in recipe.layers if not one.needs_neighbors]
    recipe = dataclasses.replace(recipe, layers=layers)
    depth = recipe.grid(shape).depth

    def tile(x: int, y: int) -> np.ndarray:
        return recipe.evaluate(recipe.grid(shape, origin=(x, y * depth))).height

    for x, y in ((0, 0), (-3, 2)):
        here = tile(x, y)
        np.testing.assert_array_equal(here[:, -1], tile(x + 1, y)[:, 0])
        np.testing.assert_array_equal(here[-1], tile(x, y + 1)[0])


@pytest.mark.parametrize("name", preset_names())
def test_preset_is_written_in_the_present_format(name: str) -> None:
    plain = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    newest = json.loads(load_preset(name).to_json())
    assert plain["recipe"]["format"] == newest["format"]


@pytest.mark.parametrize("name", preset_names())
def test_panels_can_show_all_of_a_preset(name: str) -> None:
    """Every chain is a list of registered types; no joint and no noise hides in a parameter."""
    recipe = load_preset(name)
    names = [layer.name for _, layer in flatten(recipe.layers) if not isinstance(layer, Modifier)]
    assert all(names) and len(set(names)) == len(names)
    for _, layer in flatten(recipe.layers):
        assert type(layer) is layer_types()[layer.key]
        chains = [layer.mask.noise] if isinstance(getattr(layer, "mask", None), NoiseMask) else []
        if isinstance(layer, NoiseLayer):
            chains.append(layer.noise)
        parts = [part for chain in chains for part in elements(chain)]
        if isinstance(layer, Group):
            parts += layer.chain
        for part in parts:
            assert type(part) is noise_types()[part.key] and not is_joint(type(part))
            for parameter in part.parameters():
                value = getattr(part, parameter.name)
                assert parameter.kind != "number_or_noise" or not isinstance(value, Noise)


@pytest.mark.parametrize("name", preset_names())
def test_all_noise_layers_of_a_preset_are_one_noise(name: str) -> None:
    recipe = load_preset(name)
    assert all(layer.needs_neighbors for layer in recipe.layers_on_grid)


def test_preset_recipes_survive_json() -> None:
    for name in preset_names():
        assert Recipe.from_json(load_preset(name).to_json()) == load_preset(name)


@pytest.mark.parametrize("name", (*preset_names(), PLAIN))
def test_a_recipe_comes_from_a_preset_with_its_size(name: str) -> None:
    assert Recipe.from_preset(name) == load_preset(name)
    assert Recipe.from_preset(name).size == preset(name).size
    other = Recipe.from_preset(name, seed=-1)
    assert other == dataclasses.replace(load_preset(name), seed=0xFFFFFFFF)


@pytest.mark.parametrize("name", ["alp", "", "../presets/alps", "ALPS", None, 3])
def test_no_recipe_comes_from_what_is_no_preset(name) -> None:
    with pytest.raises(RecipeError, match=r"^preset must be one of alps, .*; got "):
        Recipe.from_preset(name)


def test_sizes_of_presets_are_in_the_recipe() -> None:
    assert Recipe.from_preset("alps").size == 12000.0
    assert load_preset("dunes").size == 500.0
    assert preset(PLAIN).size == 100.0
    plain = json.loads(preset("alps").to_json())
    assert plain["recipe"]["size"] == 12000.0 and "size" not in plain


def test_unknown_preset_says_which_there_are() -> None:
    with pytest.raises(RecipeError, match=r"preset must be one of .*alps.*; got 'alp'"):
        preset("alp")


PLAIN_FILE = json.loads((FOLDER / "alps.json").read_text(encoding="utf-8"))


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    """Return a folder of a user's own presets; afterwards there are the shipped ones alone."""
    yield tmp_path
    look_again()


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ("{", "not JSON: "),
        ("[" * 100_000, "not JSON: nested too deeply"),
        ([], "must be an object with description, label, recipe, .*; got list"),
        ({"label": "Mine"}, "must be an object with .*; got label"),
        ({**PLAIN_FILE, "size": 5.0}, "must be an object with .*; got .*, size$"),
        ({**PLAIN_FILE, "recipe": {"format": 2}}, "Recipe: format 2 is newer than this Terrane"),
        ({**PLAIN_FILE, "recipe": {"layers": []}}, "Recipe: format must be 1; got None"),
        (
            {**PLAIN_FILE, "label": " "},
            "label and description must be a line of text each; got ' '",
        ),
        ({**PLAIN_FILE, "label": "\ud800"}, "label and description must be a line of text each"),
        ({**PLAIN_FILE, "description": "a\nb"}, "label and description must be a line of text"),
        ({**PLAIN_FILE, "look": []}, "look must be an object of .*; got \\[\\]"),
        ({**PLAIN_FILE, "look": {"palette": []}}, "look.palette must be one of .*; got \\[\\]"),
        ({**PLAIN_FILE, "look": {"sea": 10**400}}, "look.sea must be a number .*; got inf"),
        ({**PLAIN_FILE, "recipe": None}, "Recipe: must be a JSON object; got NoneType"),
    ],
)
def test_a_broken_file_of_a_users_own_is_left_out_and_named(own, plain, message) -> None:
    text = plain if isinstance(plain, str) else json.dumps(plain)
    (own / "mine.json").write_text(text, encoding="utf-8")
    (own / "whole.json").write_text(json.dumps(PLAIN_FILE), encoding="utf-8-sig")
    look_again(own)
    assert own_names() == ("whole",)
    assert list(broken_presets()) == ["mine"]
    assert re.match(message, broken_presets()["mine"])


def test_a_users_own_preset_survives_its_file(own) -> None:
    (own / "mine.json").write_text(json.dumps(PLAIN_FILE), encoding="utf-8")
    look_again(own)
    assert preset("mine").size == preset("mine").recipe.size == 12000.0
    assert Recipe.from_preset("mine", seed=3).seed == 3
    assert parse_preset("mine", preset("mine").to_json()) == preset("mine")
