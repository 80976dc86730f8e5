# SPDX-License-Identifier: GPL-3.0-or-later
"""Public callables take values of wrong types, or refuse them in one line of Terrane's own."""

from __future__ import annotations

import pytest

from noise_core import TerraneError
from noise_core.base.errors import MAX_MESSAGE_LENGTH
from tests.core import wrong_types

pytestmark = pytest.mark.newest

BACK = ("progress", "cancel", "finished")
"""What is called back may be any function; what that does is the caller's own."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Let files that wrong values name lie in a temporary folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    return {name: call for name, *call in wrong_types.calls(tmp_path_factory.mktemp("calls"))}


def cases(calls):
    """Return all cases: callables by name, with a parameter and the number of a wrong value."""
    return [
        (name, parameter, number)
        for name, (function, _) in calls.items()
        for parameter in wrong_types.parameters_of(function)
        for number, value in enumerate(wrong_types.WRONG)
        if not (parameter in BACK and callable(value))
    ]


def test_every_call_is_one_that_works(calls):
    for name, (function, arguments) in calls.items():
        if not name.startswith(("read_image", "read_pixels", "join_")):  # these need other files
            function(**arguments)


def test_wrong_types_are_taken_or_refused_in_one_line(calls):
    every = cases(calls)
    assert len(every) > 15_000
    for name, parameter, number in every:
        function, arguments = calls[name]
        value = wrong_types.WRONG[number]
        try:
            function(**{**arguments, parameter: value})
        except TerraneError as error:
            text = str(error)
            assert 0 < len(text) <= MAX_MESSAGE_LENGTH and len(text.splitlines()) == 1
        except Exception as error:
            raise AssertionError(f"{name}: {parameter}={value!r}") from error


@pytest.mark.parametrize(
    ("name", "parameter", "value", "message"),
    [
        ("read_maps", "maps", None, "read_maps: maps must be a mapping of names to maps; got None"),
        ("preset", "name", [], "preset must be the name of a preset; got []"),
        ("Recipe.evaluate", "progress", 3, "progress must be a function or None; got 3"),
        ("export_heightmap", "path", 3, "export_heightmap: path must be the path of a file; got 3"),
        ("ExportOptions", "dither", "no", "ExportOptions: dither must be True or False; got 'no'"),
        ("Control", "threads", 0, "threads must be a whole number of at least 1; got 0"),
        ("export_heightmap", "options", {"dither": True}, "export_heightmap: options must be ExportOptions; got {'dither': True}"),
        ("thumbnail", "look", None, "thumbnail: look must be a Look; got None"),
        ("measured_land", "elevation", 1.5, "measured_land: elevation must be an Elevation; got 1.5"),
        ("Recipe", "depth", "deep", "Recipe.depth must be a number in [0.01, 1e+06] for a size of 100, or None; got 'deep'"),
        ("read_pixels", "path", 0, "read_pixels: path must be the path of a file; got 0"),
    ],
)  # fmt: skip
def test_what_is_said(calls, name, parameter, value, message):
    function, arguments = calls[name]
    with pytest.raises(TerraneError) as refused:
        function(**{**arguments, parameter: value})
    assert str(refused.value) == message
