# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces as files: all shipped ones can be read, and a broken one takes nothing else away."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from noise_core import Grid, RecipeError
from noise_core.materials.surfaces import (
    Surface,
    broken_surfaces,
    look_again,
    surface,
    surface_names,
)
from noise_core.materials.surfaces.library_files import FOLDER

pytestmark = pytest.mark.newest

PLAIN = json.loads((FOLDER / "brick.json").read_text(encoding="utf-8"))


@pytest.fixture
def own(tmp_path):
    """Return a folder of a user's own surfaces; afterwards there are the shipped ones alone."""
    yield tmp_path
    look_again()


@functools.cache  # reading all of them takes a while
def shipped():
    """Return the names of the shipped surfaces, and of those that cannot be read."""
    look_again()
    return surface_names(), frozenset(broken_surfaces())


def own_broken(folder):
    """Return the errors of files other than shipped ones, which have their own test."""
    _, broken = shipped()
    look_again(folder)
    return {name: text for name, text in broken_surfaces().items() if name not in broken}


def write(folder, name, plain):
    text = plain if isinstance(plain, str) else json.dumps(plain)
    (folder / f"{name}.json").write_text(text, encoding="utf-8")


def test_every_shipped_file_can_be_read():
    assert dict(broken_surfaces()) == {}
    for path in FOLDER.glob("*.json"):
        Surface.from_json(path.read_text(encoding="utf-8"))  # with all its fields
    assert surface_names() == tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def test_a_users_own_surface(own):
    before, _ = shipped()
    write(own, "my_wall", {**PLAIN, "label": "My Wall"})
    assert own_broken(own) == {}
    look_again(own, own / "not_there")
    assert set(surface_names()) == {*before, "my_wall"}
    assert surface("my_wall").label == "My Wall"
    name = surface("my_wall").parameters[0].name
    with pytest.raises(Exception, match=f"{name}|exposed"):
        surface("my_wall", **{name: "no such value"})
    look_again()
    assert surface_names() == before


def chain(count, is_turned=False):
    """Return a surface with so many fields, of which each needs the one before it, or after it."""
    fields = {"a0": {"type": "perlin"}} | {
        f"a{number}": f"a{number - 1} * 0.5" for number in range(1, count)
    }
    if is_turned:
        fields = dict(reversed(fields.items()))
    return {**PLAIN, "fields": {**PLAIN["fields"], **fields}}


@pytest.mark.parametrize(
    ("name", "plain", "message"),
    [
        ("torn", '{"label": "Torn",', "not JSON"),
        ("list", [], "must be a JSON object"),
        ("deep", "[" * 100_000, "not JSON: nested too deeply"),
        ("large", {**PLAIN, "size": 10**400}, "Surface.size must be in [1e-05, 1e+09]; got inf"),
        ("empty", {"format": 1}, "must have a key"),
        ("bare", {}, "format must be"),
        ("odd", {**PLAIN, "color": 1}, "Surface: keys must be of "),
        ("wrong", {**PLAIN, "size": "large"}, "Surface.size must be in"),
        ("My Wall", PLAIN, "must be lower_case"),
        ("chain", chain(2500), "Surface.fields must be at most 1000 fields; got 2518"),
        ("long", chain(900), "at most 100 fields may each need the next; got more, with 'a"),
        (
            "turned",
            chain(900, True),
            "at most 100 fields may each need the next; got more, with 'a",
        ),
        ("grown", {**PLAIN, "description": "x" * (1 << 20)}, "a file of at most 1048576 bytes"),
    ],
)
def test_a_broken_one_is_left_out_and_named(own, name, plain, message):
    before, _ = shipped()
    write(own, name, plain)
    write(own, "whole", PLAIN)
    broken = own_broken(own)
    assert set(surface_names()) == {*before, "whole"}
    assert list(broken) == [name] and message in broken[name]
    assert len(broken[name]) <= 300 and len(broken[name].splitlines()) == 1
    with pytest.raises(RecipeError, match="surface '.*'"):
        surface(name)


def test_a_long_chain_of_fields_is_made(own):
    for is_turned in (False, True):
        plain = chain(100, is_turned)
        write(own, "linked", {**plain, "maps": {**plain["maps"], "roughness": "a99"}})
        assert own_broken(own) == {}
        surface("linked").textures(Grid(4, 4, wrap=True))


def test_a_byte_order_mark_is_no_harm(own):
    (own / "marked.json").write_text(json.dumps(PLAIN), encoding="utf-8-sig")
    assert own_broken(own) == {} and "marked" in surface_names()


def test_one_that_is_no_text(own):
    (own / "bytes.json").write_bytes(b"\xff\xfe\x00{")
    assert "it is not text in UTF-8" in own_broken(own)["bytes"]


def test_one_whose_fields_need_each_other_in_a_long_row(own):
    """Deeper than Python can follow."""
    chain = {f"a{number}": f"a{number - 1} + 1" for number in range(2500, 0, -1)}
    write(own, "long", {**PLAIN, "fields": {**PLAIN["fields"], "a0": "1", **chain}})
    write(own, "whole", PLAIN)
    broken = own_broken(own)
    assert list(broken) == ["long"] and "\n" not in broken["long"] and len(broken["long"]) < 300
    assert "whole" in surface_names()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(own):
    os.mkfifo(own / "pipe.json")
    assert own_broken(own)["pipe"] == "cannot be read: it is no file"


def test_a_shipped_one_keeps_its_name(own):
    write(own, "brick", {**PLAIN, "label": "Not Brick"})
    ((name, text),) = own_broken(own).items()
    assert surface("brick").label == PLAIN["label"]
    assert "already" in text and name == f"brick in {own}"


ODD = (
    None,
    3,
    -1.0,
    True,
    "x",
    "(",
    [],
    [1, "a"],
    {},
    {"a": 1},
    {"type": "x"},
    1e400,
    10**400,
    "2**1e400",
)


def spoiled(plain) -> Iterator[object]:
    """Yield copies of plain data with one entry, anywhere, replaced or taken out."""
    if isinstance(plain, dict):
        for key in plain:
            yield {other: value for other, value in plain.items() if other != key}
            yield {**plain, f"{key}_": plain[key]}
            for value in (*ODD, *spoiled(plain[key])):
                yield {**plain, key: value}
    elif isinstance(plain, list):
        for place, item in enumerate(plain):
            for value in (*ODD, *spoiled(item)):
                yield [*plain[:place], value, *plain[place + 1 :]]


# The second where few examples will do: see conftest.py.
SPOILED = ("terrazzo", "brick")[settings().max_examples < 10 :]


@pytest.mark.parametrize("name", SPOILED)
def test_whatever_is_wrong_is_a_recipe_error(name):
    """Nothing else may come out of a file, or it would not be left out but stop everything."""
    plain = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    refused = 0
    for text in map(json.dumps, spoiled(plain)):
        try:
            Surface.from_json(text)
        except RecipeError as error:
            refused += 1
            assert len(str(error).splitlines()) == 1
    assert refused > 300
