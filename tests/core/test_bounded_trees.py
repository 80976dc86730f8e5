# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees, curves and pictures have a largest size; up to that everything works, beyond it is refused."""

from __future__ import annotations

import base64
import json
import time
import zlib

import numpy as np
import pytest

from noise_core import Grid, ParameterError, Recipe, RecipeError, noise_types
from noise_core.base.checks import MOST_CURVE_POINTS, MOST_PIXELS
from noise_core.noises import Absolute, Blend, Curve, Fractal, Perlin, Raster
from noise_core.noises.bases.noise import DEEPEST, DEEPEST_BUILT, MOST_BUILT, MOST_NOISES

AROUND = [
    (cls, parameter.name)
    for cls in noise_types().values()
    for parameter in cls.parameters()
    if parameter.kind == "noise"
]
GRID = Grid(3, 3)


def nested(cls, name, depth):
    """Return a noise with so many one inside the other."""
    plain = {"blend": {"first": Perlin(), "second": Perlin()}, "fractal": {"octaves": 1.0}}
    usual = {**plain, "warp": {"strength": 1e-3}}.get(cls.key, {})
    noise = Perlin()
    for _ in range(depth - 1):
        noise = cls(**{**usual, name: noise})
    return noise


def far_down(calls, function):
    """Call a function where Blender and a task queue already take so many calls."""
    return function() if calls == 0 else far_down(calls - 1, function)


@pytest.mark.newest
@pytest.mark.parametrize(("cls", "name"), AROUND, ids=lambda one: getattr(one, "key", one))
def test_the_deepest_tree_is_evaluated_and_saved(cls, name):
    if name == "displacement":  # each asks for two copies of the one within: 2^64 of them
        return
    # Evolution takes a dimension more each; gullies ask for what lies within several times.
    noise = nested(cls, name, {"evolution": 3, "gullies": 3}.get(cls.key, DEEPEST - 2))

    def work():
        if cls.key != "evolution":
            noise.sample_grid(GRID, threads=1)
            noise.gradient_grid(GRID, threads=1)
            noise.sample(np.zeros((2, 2)), threads=1)
            noise.gradient(np.zeros((2, 2)), threads=1)
            Recipe(layers=noise).evaluate(GRID, evolution=() if cls.key == "gullies" else (0.3,))
        recipe = Recipe(layers=noise)
        assert Recipe.from_json(recipe.to_json()) == recipe
        return hash(noise), repr(noise), noise.bounds(), noise.finest()

    begin = time.process_time()
    far_down(200, work)
    assert time.process_time() - begin < 60.0  # what doubles with each level would never end


def test_deeper_trees_are_refused():
    deepest = nested(Absolute, "source", DEEPEST)
    with pytest.raises(
        ParameterError, match="^Recipe.layers: Noise must have at most 64 noises one inside"
    ):
        Recipe(layers=Absolute(source=deepest))
    with pytest.raises(
        ParameterError, match="^Absolute must have at most 80 noises one inside the other"
    ):
        nested(Absolute, "source", DEEPEST_BUILT + 1)
    plain = json.loads(Recipe(layers=deepest).to_json())
    chain = plain["layers"][0]["chain"]
    chain.append({"type": "abs"})
    with pytest.raises(
        RecipeError, match="must have at most 64 noises one inside the other; got 65"
    ):
        Recipe.from_json(json.dumps(plain))
    chain.extend([{"type": "abs"}] * 300)
    with pytest.raises(RecipeError, match=r"layers\[0\].chain must be at most 80 objects; got 365"):
        Recipe.from_json(json.dumps(plain))
    noise = {"type": "perlin"}
    for _ in range(300):
        noise = {"type": "abs", "source": noise}
    plain["layers"][0]["chain"] = [noise]
    with pytest.raises(RecipeError, match="more than 80 noises stand one inside the other"):
        Recipe.from_json(json.dumps(plain))


def one_layer(chain):
    """Return the JSON text of a recipe with one noise layer."""
    return json.dumps({"format": 1, "layers": [{"type": "noise", "chain": chain}]})


def blends(leaves):
    """Return the JSON text of a recipe with a warp by a tree of blends with so many leaves."""
    level = [{"type": "perlin", "frequency": float(number)} for number in range(1, leaves + 1)]
    while len(level) > 1:
        level = [
            {"type": "blend", "first": a, "second": b} for a, b in zip(level[::2], level[1::2])
        ]
    warp = {"type": "warp", "displacement": level[0]}
    return one_layer([{"type": "constant"}, warp])


def test_trees_with_many_leaves_are_refused_at_once():
    assert Recipe.from_json(blends(256)).noise._count == 511 + 2
    for leaves, message in ((1024, "at most 2000"), (8192, "at most 2000")):
        with pytest.raises(RecipeError, match=f"{message} noises in it; got "):
            Recipe.from_json(blends(leaves))
    begin = time.process_time()
    noise = Perlin()
    with pytest.raises(ParameterError, match=f"^Blend must have at most {MOST_BUILT} noises in it"):
        for _ in range(40):  # 2^40 leaves, of which there is one
            noise = Blend(first=noise, second=noise)
    assert time.process_time() - begin < 0.5
    assert MOST_NOISES < MOST_BUILT


def test_fractals_in_fractals_ask_each_other_once():
    begin = time.process_time()
    nested(Fractal, "source", 40).bounds()
    assert time.process_time() - begin < 0.5


def test_curves_have_so_many_points_and_no_more():
    def points(count):
        return ((float(x), 0.5) for x in range(count))

    curve = Curve(points=points(MOST_CURVE_POINTS))
    assert len(curve.points) == MOST_CURVE_POINTS
    assert np.isfinite(curve.sample_grid(GRID)).all()
    with pytest.raises(ParameterError, match=r"^Curve\.points must be at most 1000 pairs"):
        Curve(points=points(10**9))
    text = one_layer([{"type": "constant"}, {"type": "curve", "points": list(points(10**5))}])
    with pytest.raises(RecipeError, match=r"Curve\.points must be at most 1000 pairs"):
        Recipe.from_json(text)


def packed_claim(rows, columns, data):
    pixels = {
        "rows": rows,
        "columns": columns,
        "float32_zlib_base64": base64.b64encode(zlib.compress(data, 9)).decode(),
    }
    return one_layer([{"type": "raster", "pixels": pixels}])


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        (24000, 24000, "24000 x 24000 are more than 67108864"),
        (8193, 8192, "8193 x 8192 are more than 67108864"),
        (1 << 20, 64, "1048576 x 64 take 268435456 bytes, there are fewer"),
        (8192, 8192, "8192 x 8192 take 268435456 bytes, there are fewer"),
        (10**400, 1, "rows and columns are "),
    ],
)
def test_pixels_claim_no_more_than_their_text_can_hold(rows, columns, message):
    # Of a mebibyte zlib leaves a kibibyte, which may hold that mebibyte and no more.
    text = packed_claim(rows, columns, bytes(1 << 20))
    begin = time.process_time()
    with pytest.raises(
        RecipeError, match=rf"^Recipe: layers\[0\].chain\[0\].pixels holds no pixels: {message}"
    ):
        Recipe.from_json(text)
    assert time.process_time() - begin < 0.2


def test_pixels_of_one_value_are_read():
    again = Recipe.from_json(packed_claim(512, 512, bytes(1 << 20)))
    assert again.noise.pixels.shape == (512, 512)


def test_more_pixels_than_a_recipe_can_hold_are_refused_before_they_are_copied():
    huge = np.broadcast_to(np.float32(0.5), (MOST_PIXELS, 2))
    with pytest.raises(
        ParameterError, match=r"^Raster\.pixels must be at most 67108864 pixels; got"
    ):
        Raster(pixels=huge)
