# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages on export targets: every command runs, and the tables of fields agree with its sidecar."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from noise_core.commands.command_line import run
from noise_core.io.targets.bases.target import find_target, target_types

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "targets").glob("*.md"))
PROGRAM = "python -m noise_core "
COMMAND = re.compile(rf"^    {PROGRAM}(export .*)$", re.MULTILINE)
PICTURE = re.compile(r"^!\[.+\]\(\.\./images/(target_\w+\.jpg)\)$", re.MULTILINE)
LARGEST = 300_000

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def commands(text):
    """Return the arguments of the page's exports, by their targets."""
    results = [shlex.split(line) for line in COMMAND.findall(text)]
    return {one[one.index("--target") + 1]: one for one in results}


def table(text):
    """Return the page's values of each target's fields, by their names, without empty cells."""
    lines = re.search(r"^(\| field \|.*)\n\| --- .*\n((?:\|.*\n)+)", text, re.MULTILINE)
    head, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in
                   (lines[1], *lines[2].splitlines()))  # fmt: skip
    said = {}
    for column, target in enumerate(head[1:-1], 1):
        said[target.strip("`")] = {row[0]: row[column] for row in rows if row[column]}
    return said


def is_said(text, value):
    """Return whether a cell says a value; numbers may be rounded to the digits that it has."""
    if isinstance(value, list):
        parts = text.strip("[]").split(", ")
        return len(parts) == len(value) and all(map(is_said, parts, value))
    if isinstance(value, bool) or isinstance(value, str):
        return text == (value if isinstance(value, str) else str(value).lower())
    if not re.fullmatch(r"-?\d+(\.\d+)?", text):
        return False
    digits = len(text.partition(".")[2])
    return abs(float(text) - value) <= 0.5 * 10.0**-digits * (1.0 + 1e-6)


def wrong(said, fields):
    """Return the names of fields that a table leaves out, makes up, or says otherwise."""
    return sorted(
        name
        for name in {*said, *fields}
        if name not in said or name not in fields or not is_said(said[name], fields[name])
    )


def test_every_target_has_a_page_and_every_page_is_linked():
    named = [target for page in PAGES for target in commands(page.read_text(encoding="utf-8"))]
    assert sorted(named) == sorted(target_types())
    text = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| .*\(targets/(\w+\.md)\)", text, re.MULTILINE))
    for page in PAGES:
        for target in commands(page.read_text(encoding="utf-8")):
            assert rows[target] == page.name


@every_page
def test_the_fields_are_those_of_the_sidecar(page, tmp_path, monkeypatch):
    text = page.read_text(encoding="utf-8")
    said, made = table(text), commands(text)
    assert set(said) == set(made)
    monkeypatch.chdir(tmp_path)
    for target, arguments in made.items():
        assert run(arguments, lambda _: None, lambda _: None, "noise_core") == 0
        name = arguments[arguments.index("--name") + 1] if "--name" in arguments else arguments[1]
        sidecar = tmp_path / "out" / f"{name}{find_target(target).sidecar_suffix}"
        fields = json.loads(sidecar.read_text(encoding="utf-8"))["fields"]
        assert wrong(said[target], fields) == []


@every_page
def test_there_is_one_picture_and_it_is_small(page):
    (name,) = PICTURE.findall(page.read_text(encoding="utf-8"))
    assert name == f"target_{page.stem}.jpg"
    assert (ROOT / "docs" / "images" / name).stat().st_size < LARGEST


@every_page
def test_the_parts_are_the_same_on_all_pages(page):
    headings = re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    first, used, *others = headings
    assert first == "Export" and used.startswith("In ")
    assert others == ["Fields", "Traps", "Tests"]


@pytest.mark.parametrize(
    "change, name",
    [
        (("328.9274", "328.9275"), "Z Scale"),
        (("| Z Scale |", "| Scale Z |"), "Scale Z"),
        (("505 x 505", "505 x 506"), "Heightmap Resolution"),
        (("-41173.17", "41173.17"), "Location Z"),
    ],
)
def test_a_wrong_table_is_seen(change, name):
    fields = {
        "Heightmap Resolution": "505 x 505",
        "X Scale": 2380.952380952381,
        "Y Scale": 2380.952380952381,
        "Z Scale": 328.9274099717708,
        "Location Z": -41173.171914414175,
    }
    text = (ROOT / "docs" / "targets" / "unreal.md").read_text(encoding="utf-8")
    assert wrong(table(text)["unreal"], fields) == []
    assert change[0] in text
    assert name in wrong(table(text.replace(*change))["unreal"], fields)


def test_lists_and_switches_are_compared():
    assert is_said("[46.875, 46.875, 1]", [46.875, 46.875, 1.0])
    assert not is_said("[46.875, 46.875]", [46.875, 46.875, 1.0])
    assert not is_said("[46.875, 46.876, 1]", [46.875, 46.875, 1.0])
    assert is_said("false", False) and not is_said("true", False) and not is_said("0", False)
    assert not is_said("", 0.0) and not is_said("about 1", 1.0)
