# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON Schema of recipes: presets keep it, and recipes drawn from it load, or are refused for what it cannot say."""

from __future__ import annotations

import base64
import json
import random as chance
import re
import zlib
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from noise_core import Recipe, RecipeError, TerraneError, preset, preset_names, recipe_schema
from noise_core.recipes.preset_files import recipe_of
from tests.drawing import count_of, generator

ROOT = Path(__file__).resolve().parents[2]

SCHEMA = recipe_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

DEEPEST = 5
"""Objects inside each other, from which on a draw takes no more optional ones."""

BEYOND_A_SCHEMA = (
    "with x rising$",
    r"^Recipe\.curves must (each be named|hold all curves)",
    r"\.\w+ must be curves, or names in a recipe that has them$",
    r"LandCurve\.points must lie in two places or more$",
    r"^Placement\.scale must be",
    r"^LayerMask\.layer must name a (layer|group in which)",
    r"\.apply: height must be (finite|in \[-1e\+12, 1e\+12\])$",
    r"^Recipe\.depth must be a number in .* for a size of",
    r"^Recipe\.evaluate: heights must be finite",
    r"\.\w+ must leave at most \d+ cells per tile",
    r"\.octave_shift must move the finest octave by at most \d+ of its cells$",
    r"\.\w+ must move (points|the noise) by at most [\d.e+]+ tiles",
    r"^Group\.chain must only change values, since a layer in the group",
    r"Remap\.from_maximum must be at least",
    r"points must have [\d, ]+ coordinates$",
    r"points must lie within .* tiles of the origin",
    r"^Recipe: more than \d+ noises stand one inside the other",
)
"""What a schema cannot say, in the messages of refused recipes."""

pytestmark = pytest.mark.newest


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA, allow_nan=False)) == SCHEMA


def test_the_file_for_the_site_and_the_wheel_is_the_same():
    file = ROOT / "docs" / "recipe.schema.json"
    assert json.loads(file.read_text(encoding="utf-8")) == SCHEMA, "python tools/recipe_schema.py"


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_keeps_it(name):
    errors = [error.message for error in VALIDATOR.iter_errors(recipe_of(name))]
    assert errors == []


def test_all_values_of_a_recipe_keep_it():
    """As `to_json` writes them: no value is left out."""
    for name in preset_names()[::6]:
        assert VALIDATOR.is_valid(json.loads(preset(name).recipe.to_json()))


class Draw:
    """Values drawn from a schema."""

    def __init__(self, random: chance.Random) -> None:
        self.random = random

    def recipe(self) -> object:
        """Draw a recipe that has mostly the curves that its layers name."""
        plain = self.value(SCHEMA)
        if self.random.random() < 0.9:
            names = re.findall(r'"(Curve \d)"', json.dumps(plain["layers"]))
            curve = SCHEMA["$defs"]["curve"]
            plain["curves"] = {name: self.value(curve, 1) for name in names}
        return plain

    def value(self, schema: dict, depth: int = 0) -> object:
        while "$ref" in schema:
            schema = SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        if "const" in schema:
            return schema["const"]
        if "anyOf" in schema:
            return self.value(self._choose(schema["anyOf"], depth), depth)
        kind = schema["type"]
        if isinstance(kind, list):
            kind = self.random.choice(kind)
        return getattr(self, kind)(schema, depth)

    def _choose(self, options: list[dict], depth: int) -> dict:
        plain = [option for option in options if "$ref" not in option]
        return self.random.choice(plain if plain and depth >= DEEPEST else options)

    def object(self, schema: dict, depth: int) -> dict:
        entries = schema.get("properties", {})
        if "float32_zlib_base64" in entries:
            return self.pixels()
        drawn = {}
        for name, entry in entries.items():
            share = 0.4 if depth < DEEPEST else 0.1
            if name in schema.get("required", ()) or name == "layers" and depth == 0:
                drawn[name] = self.value(entry, depth + 1)
            elif self.random.random() < share and not (depth >= DEEPEST and nests(entry)):
                drawn[name] = self.value(entry, depth + 1)
        if "additionalProperties" in schema and schema["additionalProperties"]:
            for number in range(self.random.randint(0, 2)):
                drawn[f"Curve {number}"] = self.value(schema["additionalProperties"], depth + 1)
        return drawn

    def array(self, schema: dict, depth: int) -> list:
        first = schema.get("prefixItems", [])
        least = schema.get("minItems", 0)
        most = min(schema.get("maxItems", len(first)), max(least, 3))
        count = self.random.randint(least, most) if depth < DEEPEST else least
        return [
            self.value(first[place] if place < len(first) else schema["items"], depth + 1)
            for place in range(count)
        ]

    def number(self, schema: dict, depth: int) -> float:
        random = self.random
        low, high = schema.get("minimum", -1e3), schema.get("maximum", 1e3)
        if "exclusiveMinimum" in schema:
            return random.uniform(50.0, 200.0)
        default = schema.get("default")
        if isinstance(default, (int, float)) and random.random() < 0.6:
            near = default * 2.0 ** random.uniform(-2.0, 2.0) if default else random.uniform(-1, 1)
            return min(max(near, low), high)
        return random.choice((low, high, random.uniform(low, high)))

    def integer(self, schema: dict, depth: int) -> int:
        low, high = schema.get("minimum", -9), schema.get("maximum", 9)
        near = schema.get("default", low)
        return self.random.randint(max(low, near - 3), min(high, near + 3))

    def boolean(self, schema: dict, depth: int) -> bool:
        return self.random.random() < 0.5

    def null(self, schema: dict, depth: int) -> None:
        return None

    def string(self, schema: dict, depth: int) -> str:
        names = ("Curve 0", "Curve 1") if schema.get("minLength") else ("Base", "Top", "")
        return self.random.choice(names)

    def pixels(self) -> dict:
        rows, columns = self.random.randint(1, 4), self.random.randint(1, 4)
        field = np.linspace(-1.0, 1.0, rows * columns, dtype="<f4")
        packed = base64.b64encode(zlib.compress(field.tobytes())).decode("ascii")
        return {"rows": rows, "columns": columns, "float32_zlib_base64": packed}


def nests(schema: dict) -> bool:
    """Return whether values of a schema hold other objects."""
    return "$ref" in json.dumps(schema)


def refusal(plain: object) -> str:
    """Load and evaluate a recipe; return the message if it is refused."""
    try:
        recipe = Recipe.from_json(json.dumps(plain))
        relief = recipe.evaluate(recipe.grid((7, 9)) if recipe.depth is None else recipe.grid(9))
    except TerraneError as error:
        assert "\n" not in str(error)
        return re.sub(r"; got .*", "", str(error))
    assert np.isfinite(relief.height).all()
    return ""


def test_drawn_recipes_load_and_evaluate_or_are_refused_for_what_it_cannot_say():
    draw = Draw(generator("recipes of the schema"))
    evaluated = 0
    for _ in range(count_of(1000)):
        plain = draw.recipe()
        VALIDATOR.validate(plain)
        message = refusal(plain)
        evaluated += not message
        if message and not any(re.search(reason, message) for reason in BEYOND_A_SCHEMA):
            pytest.fail(f"{message}\n{json.dumps(plain)}")
    assert evaluated >= count_of(1000) // 2


@pytest.mark.parametrize(
    "layer, words",
    [
        ({"type": "perlin"}, "type must be one of"),
        ({"type": "blur", "radios": 3.0}, "has the parameters"),
        ({"type": "blur", "radius": -1.0}, "Blur.radius must be in"),
        ({"type": "blur", "radius": "3"}, "Blur.radius must be a number"),
        ({"type": "blur", "muted": 1}, "Blur.muted must be True or False"),
        ({"type": "noise", "mode": "added"}, "NoiseLayer.mode must be one of"),
        ({"type": "noise", "chain": []}, "must have at least one noise"),
        ({"type": "noise", "chain": [{"type": "perlin"}, {"type": "value"}]}, "takes no source"),
        (
            {
                "type": "noise",
                "chain": [{"type": "perlin"}, {"type": "fractal", "source": {"type": "perlin"}}],
            },
            "source from the chain",
        ),
        ({"type": "path", "curves": "Road"}, "must be a list"),
        (
            {"type": "path", "curves": [{"points": [{"z": 1.0}, {"z": 2.0}]}]},
            "must have the keys at",
        ),
        ({"type": "stamp", "placements": [{"at": [0.5]}]}, "Placement.at must be 2 numbers"),
        (
            {"type": "blur", "mask": {"type": "map", "map": {"type": "normal"}}},
            "one number per sample",
        ),
        (3, "must be an object"),
    ],
)
def test_both_refuse(layer, words):
    plain = {"format": 1, "layers": [layer]}
    assert not VALIDATOR.is_valid(plain)
    with pytest.raises(RecipeError, match=words):
        Recipe.from_json(json.dumps(plain))


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"format": 2},
        {"format": 1, "seed": 1 << 40},
        {"format": 1, "seed": 0.5},
        {"format": 1, "size": 0.0},
        {"format": 1, "height": "high"},
        {"format": 1, "width": 3.0},
        {"format": 1, "depth": -1.0},
        {"format": 1, "layers": {}},
        {"format": 1, "curves": {"": {"points": [{"at": [0, 0]}, {"at": [1, 1]}]}}},
        [],
    ],
)
def test_both_refuse_other_recipes(plain):
    assert not VALIDATOR.is_valid(plain)
    with pytest.raises(RecipeError):
        Recipe.from_json(json.dumps(plain))
