# SPDX-License-Identifier: GPL-3.0-or-later
"""The indented code of the pages on relief and on layers runs, in the order of the page, on fewer samples."""

from __future__ import annotations

import re

import numpy as np
import pytest

from noise_core import Recipe
from tests.page_code import indented

SIDE = 65


def program(page):
    """Return all plain Python of a page as one program."""
    blocks = [
        one for one in indented(page) if not re.match(r"bpy|import bpy|\{|\w+ -|blender", one)
    ]
    return re.sub(r"\.grid\(\d+\)", f".grid({SIDE})", "".join(blocks))


def run(page, **names):
    code = program(page)
    assert "noise_core" in code
    exec(compile(code, page, "exec"), names)
    return names


def test_the_page_on_relief():
    ways = np.linspace(-1.0, 1.0, SIDE)
    heights = (200.0 * np.hypot(ways, ways[:, np.newaxis])).astype(np.float32)
    mask = np.ones((SIDE, SIDE), np.float32)
    result = run("docs/relief.md", my_heights=heights, my_mask=mask, height=heights)
    assert result["relief"].height.shape == (SIDE, SIDE)
    assert result["detailed"].shape == (SIDE, SIDE)
    assert 0.0 <= result["snow"].min() <= result["snow"].max() <= 1.0


def test_the_page_on_layers():
    result = run("docs/layers.md")
    assert result["relief"].height.shape == (SIDE, SIDE)
    assert Recipe.from_json(result["text"]) == result["recipe"]
    assert result["rougher"] != result["recipe"]


def test_the_json_of_the_page_on_layers():
    (text,) = (one for one in indented("docs/layers.md") if one.startswith('{"format"'))
    assert [layer.name for layer in Recipe.from_json(text).layers][:2] == ["Base", "Craters"]


@pytest.mark.parametrize("page", ["docs/relief.md", "docs/layers.md"])
def test_there_is_code(page):
    assert len(program(page).splitlines()) > 10
