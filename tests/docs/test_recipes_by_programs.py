# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/recipes_by_programs.md is true: its recipe keeps the schema, its commands run, its errors come."""

from __future__ import annotations

import json
import re
import shlex

import jsonschema
import pytest

from noise_core import recipe_schema
from noise_core.commands.command_line import COMMANDS, run
from tests.page_code import ROOT

PAGE = (ROOT / "docs/recipes_by_programs.md").read_text(encoding="utf-8")
(RECIPE,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
ERRORS = re.findall(r"^    (error: .*)$", PAGE, re.MULTILINE)
FEWER = {"2017": "505", "257": "65", "256": "32"}
"""Numbers of the page, and those that take less time."""


def call(line: str) -> tuple[int, list[str], list[str]]:
    said, noted = [], []
    return run(shlex.split(line), said.append, noted.append, "terrane-core"), said, noted


def test_the_recipe_keeps_the_schema_and_is_built(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    jsonschema.Draft202012Validator(recipe_schema()).validate(json.loads(RECIPE))
    (tmp_path / "land.json").write_text(RECIPE, encoding="utf-8")
    lines = [
        line
        for line in re.findall("^    terrane-core (.+)$", PAGE, re.MULTILINE)
        if "land.json" in line
    ]
    assert len(lines) == 3
    for line in lines:
        for number, fewer in FEWER.items():
            line = re.sub(rf"\b{number}\b", fewer, line)
        status, said, noted = call(line)
        assert status == 0, noted
        (keys,) = re.findall(rf"^\| `{line.split()[0]}` \| (.*) \|$", PAGE, re.MULTILINE)
        named = set(re.findall(r"`(\w+)`", keys))
        assert named <= set(json.loads(said[0])), line


def test_every_command_is_in_the_table():
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", PAGE, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(COMMANDS)


@pytest.mark.parametrize("text", ERRORS)
def test_errors_look_like_that(text, tmp_path, monkeypatch):
    """Each error of the page comes of a recipe with one thing wrong; "..." leaves out what is long."""
    monkeypatch.chdir(tmp_path)
    recipe = json.loads(RECIPE)
    if "strength" in text:
        recipe["layers"][2]["strength"] = 300.0
    elif "perling" in text:
        recipe["layers"][0]["chain"][0]["type"] = "perling"
    else:
        recipe["layers"][1] = {"type": "blur", "radios": 3.0}
    (tmp_path / "land.json").write_text(json.dumps(recipe), encoding="utf-8")
    status, said, noted = call("build land.json --side 32")
    assert (status, said, len(noted)) == (2, [], 1)
    pattern = re.escape(text).replace(re.escape("..."), ".*")
    assert re.fullmatch(pattern, noted[0]), noted[0]


def test_there_are_errors():
    assert len(ERRORS) == 3


def test_the_schema_is_published_with_the_site(site):
    published = json.loads((site / "recipe.schema.json").read_text(encoding="utf-8"))
    assert published == recipe_schema()
    assert "recipe.schema.json" in (site / "recipes_by_programs.html").read_text(encoding="utf-8")
