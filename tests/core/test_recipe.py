# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes: what they evaluate to, their JSON, its errors, and modifiers."""

from __future__ import annotations

import base64
import dataclasses
import json
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import (
    Cancelled,
    Grid,
    Modifier,
    ParameterError,
    Recipe,
    RecipeError,
    Relief,
    modifier_types,
    noise_types,
)
from noise_core.base import blocks
from noise_core.base.grid import SIZE
from noise_core.base.params import integer, number
from noise_core.lattice.hash import child_seed
from noise_core.masks import LayerMask, NoiseMask
from noise_core.modifiers import Blur, StreamErosion, ThermalErosion
from noise_core.modifiers.bases import modifier as modifier_module
from noise_core.modifiers.bases.modifier import modifier_type
from noise_core.noises import Constant, Fractal, Perlin, Raster, Value
from noise_core.noises.bases.noise import Noise
from noise_core.recipes.layers import NoiseLayer, layer_types
from noise_core.recipes.recipe_data import FORMAT
from tests.core.strategies import SEEDS, blended_layers, modifier_stacks, noises


@pytest.fixture
def raising():
    """Register a modifier type for one test: adds meters, and records its arguments."""

    @modifier_type("test_raising", "Raising")
    class Raising(Modifier):
        """Raises everything."""

        amount: float = number(1.0, help="Meters", minimum=-100.0, maximum=100.0)
        times: int = integer(1, help="How often", minimum=0, maximum=5)

        makes = {"seed": "What it was given"}
        amounts = frozenset({"seed"})

        def relief(self, height, grid, seed, progress):
            for turn in range(self.times):
                blocks.checkpoint()
                progress((turn + 1) / self.times)
            raised = height + np.float32(self.amount * self.times)
            return Relief(raised, {"seed": np.full(grid.shape, seed & 0xFFFF, np.float32)})

    yield Raising
    del modifier_module._REGISTRY._types["test_raising"]


RECIPE = Recipe(layers=Fractal(source=Value(frequency=3.0), octaves=2.5), seed=7, height=20.0)


def test_the_height_is_the_noise_in_meters():
    relief = RECIPE.evaluate(Grid(9, 12))
    expected = RECIPE.noise.sample_grid(Grid(9, 12), 7) * np.float32(20.0)
    assert relief.height.dtype == np.float32
    assert relief.height.tobytes() == expected.tobytes()
    assert dict(relief.maps) == {}


def test_evolution_moves_along_further_axes():
    still, moved = (RECIPE.evaluate(Grid(9, 12), evolution=e).height for e in ((0.0,), (0.5,)))
    assert np.abs(still - moved).max() > 0.5


def test_modifiers_are_applied_in_order_with_seeds_of_their_own(raising):
    modifiers = (raising(amount=2.0), raising(amount=-0.5, times=3, seed_offset=1))
    recipe = Recipe(layers=(Perlin(), *modifiers), seed=11)
    relief = recipe.evaluate(Grid(8, 8))
    expected = Perlin().sample_grid(Grid(8, 8), 11) + np.float32(2.0) + np.float32(-1.5)
    np.testing.assert_array_equal(relief.height, expected)
    # Maps of one name that are amounts add up.
    seeds = [child_seed(11, place) & 0xFFFF for place in (1, 2)]
    assert (relief.maps["seed"] == sum(seeds)).all()


def test_progress_is_shared_by_all_steps(raising):
    shares = []
    recipe = Recipe(layers=(Perlin(), raising(times=2), raising(times=4)))
    recipe.evaluate(Grid(8, 8), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(1 / 3)
    assert shares[-1] == pytest.approx(1.0)


def test_a_modifier_is_cancelled_too(raising):
    asked = []
    recipe = Recipe(layers=(Perlin(), raising(times=5)))

    def cancel():
        asked.append(None)
        return len(asked) > 2

    with pytest.raises(Cancelled):
        recipe.evaluate(Grid(8, 8), cancel=cancel)


def test_a_mask_says_where_a_modifier_acts(raising):
    grid = Grid(2, 3)
    height = np.zeros((2, 3), np.float32)
    mask = np.array([[0.0, 0.5, 1.0]] * 2, np.float32)
    relief = raising(amount=4.0).apply(height, grid, seed=6, mask=mask)
    np.testing.assert_array_equal(relief.height, [[0.0, 2.0, 4.0]] * 2)
    np.testing.assert_array_equal(relief.maps["seed"], [[0.0, 3.0, 6.0]] * 2)
    assert not height.any()


def test_opacity_and_a_noise_are_masks_in_the_recipe(raising):
    grid = Grid(4, 5)
    height = np.zeros((4, 5), np.float32)
    half = raising(amount=4.0, opacity=0.5).apply(height, grid).height
    np.testing.assert_array_equal(half, np.full((4, 5), 2.0))
    noisy = raising(amount=4.0, mask=NoiseMask(noise=Perlin(frequency=3.0), span="positive"))
    lifted = noisy.apply(height, grid, seed=5).height
    assert lifted.min() == 0.0 and 0.5 < lifted.max() <= 4.0
    assert lifted.tobytes() == noisy.apply(height, grid, seed=5).height.tobytes()
    assert lifted.tobytes() != noisy.apply(height, grid, seed=6).height.tobytes()
    masked = noisy.apply(height, grid, seed=5, mask=np.full((4, 5), 0.5)).height
    np.testing.assert_array_equal(masked, lifted / 2)


def test_a_muted_layer_is_left_out_and_stands_in_masks_still():
    grid, ground = Grid(9, 9, size=50.0), Perlin(frequency=2.0)
    base = NoiseLayer(noise=ground)
    layer = NoiseLayer(noise=Perlin(frequency=3.0), mask=LayerMask(limits="values"), seed_offset=1)
    loud = Recipe(layers=(base, layer), seed=3, height=70.0)
    muted = dataclasses.replace(loud, layers=(base.with_values(muted=True), layer))
    assert muted != loud and Recipe.from_json(muted.to_json()) == muted
    own = np.clip(ground.sample_grid(grid, 3), 0.0, 1.0)
    over = layer.noise.sample_grid(grid, layer.seed_in(3)) * 70.0
    height = muted.evaluate(grid).height
    np.testing.assert_allclose(height, own * over, atol=1e-4)
    assert np.ptp(height) > 0.1
    progress: list[float] = []
    muted.evaluate(grid, progress=progress.append)
    assert progress[-1] == 1.0 and progress == sorted(progress)
    progress.clear()
    flat = dataclasses.replace(muted, layers=muted.layers[:1])
    assert not flat.evaluate(grid, progress=progress.append).height.any()
    assert progress == [1.0]


def test_a_muted_modifier_is_left_out_and_changes_no_other(raising):
    grid = Grid(4, 5)
    loud = Recipe(layers=(Perlin(), raising(amount=2.0), raising(amount=1.0)))
    quiet = Recipe(
        layers=(Perlin(), raising(amount=2.0, muted=True), raising(amount=1.0, seed_offset=1))
    )
    difference = loud.evaluate(grid).height - quiet.evaluate(grid).height
    np.testing.assert_allclose(difference, 2.0, atol=1e-6)
    assert (quiet.evaluate(grid).maps["seed"] == child_seed(0, 2) & 0xFFFF).all()


def test_masks_belong_to_a_number_in_the_list(raising):
    grid = Grid(2, 3)
    recipe = Recipe(layers=(Constant(value=0.0), raising(amount=1.0), raising(amount=4.0)))
    mask = np.array([[0.0, 0.5, 1.0]] * 2, np.float32)
    relief = recipe.evaluate(grid, masks={2: mask})
    np.testing.assert_array_equal(relief.height, [[1.0, 3.0, 5.0]] * 2)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"height": np.zeros((3, 2))}, r"height must have the grid's shape \(2, 3\); got \(3, 2\)"),
        ({"height": np.full((2, 3), np.nan)}, "height must be finite; got nan or inf"),
        ({"mask": np.zeros(3)}, r"mask must have the grid's shape \(2, 3\); got \(3,\)"),
        ({"mask": np.full((2, 3), 1.5)}, r"mask must be in \[0, 1\]; got 1.5 to 1.5"),
        ({"seed": 1 << 40}, "seed must be in "),
    ],
)
def test_a_modifier_refuses_bad_fields(raising, change, text):
    arguments = {"height": np.zeros((2, 3)), "grid": Grid(2, 3), **change}
    with pytest.raises(ParameterError, match=rf"^Raising\.apply: {text}"):
        raising().apply(**arguments)


def test_a_modifier_type_stands_in_its_registry_only_while_it_is_registered(raising):
    assert modifier_types()["test_raising"] is raising
    assert "test_raising" not in noise_types()


def test_no_test_modifier_is_left_over():
    assert "test_raising" not in modifier_types()


def test_json_with_modifiers_comes_back(raising):
    recipe = Recipe(layers=(Perlin(), raising(amount=3.5), raising(times=2)), seed=-1)
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert again.modifiers == (raising(amount=3.5), raising(times=2))
    assert again.seed == 0xFFFFFFFF


@given(noises(), SEEDS, st.floats(-1e9, 1e9), st.floats(1e-3, 1e7), st.data())
def test_any_recipe_comes_back_from_json(noise, seed, height, size, data):
    stack = data.draw(modifier_stacks(modifier_types()))
    layers = data.draw(blended_layers())
    recipe = Recipe(layers=(noise, *layers, *stack), seed=seed, height=height, size=size)
    text = recipe.to_json()
    again = Recipe.from_json(text)
    assert again == recipe
    assert again.to_json() == text


def test_json_holds_every_value_and_the_format():
    plain = json.loads(Recipe(layers=Perlin()).to_json())
    assert plain["format"] == FORMAT == 1
    assert set(plain) == {"format", "seed", "size", "height", "layers"}
    (layer,) = plain["layers"]
    shared = {p.name for p in NoiseLayer.parameters()} - {"noise"}
    assert set(layer) == {"type", "chain"} | shared
    assert set(layer["chain"][0]) == {"type"} | {p.name for p in Perlin.parameters()}


def test_pixels_come_back_to_the_bit():
    pixels = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
    again = Recipe.from_json(Recipe(layers=Raster(pixels=pixels)).to_json())
    assert again.noise.pixels.tobytes() == pixels.tobytes()
    assert again.noise.pixels.shape == (5, 7)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": True}, r"rows and columns are \(True, 7\)"),
        ({"rows": 10**30}, r"rows and columns are \(1000000000000000000000000000000, 7\)"),
        ({"columns": 6}, "5 x 6 take 120 bytes, there are more"),
        ({"columns": 8}, "5 x 8 take 160 bytes, there are 140"),
        ({"float32_zlib_base64": "eJwDAA"}, "padding"),
    ],
)
def test_pixels_that_are_not_what_they_say_are_refused(change, message):
    plain = json.loads(Recipe(layers=Raster(pixels=np.zeros((5, 7)))).to_json())
    plain["layers"][0]["chain"][0]["pixels"].update(change)
    with pytest.raises(
        RecipeError, match=rf"^Recipe: layers\[0\].chain\[0\].pixels holds no pixels: .*{message}"
    ):
        Recipe.from_json(json.dumps(plain))


def test_what_is_packed_cannot_fill_the_memory():
    plain = json.loads(Recipe(layers=Raster(pixels=np.zeros((5, 7)))).to_json())
    packed = zlib.compress(bytes(1 << 26), 9)
    plain["layers"][0]["chain"][0]["pixels"]["float32_zlib_base64"] = base64.b64encode(
        packed
    ).decode()
    text = json.dumps(plain)
    tracemalloc.start()
    try:
        with pytest.raises(RecipeError, match="there are more"):
            Recipe.from_json(text)
        assert tracemalloc.get_traced_memory()[1] < 1 << 23
    finally:
        tracemalloc.stop()


def test_what_json_leaves_out_takes_its_default():
    recipe = Recipe.from_json('{"format": 1, "layers": [{"type": "noise"}]}')
    assert recipe == Recipe(layers=NoiseLayer())
    assert Recipe.from_json('{"format": 1}') == Recipe()
    assert Recipe.from_json('{"format": 1}').size == SIZE


def edited(**changes):
    plain = json.loads(RECIPE.to_json())
    plain.update(changes)
    return json.dumps(plain)


def edited_fractal(**changes):
    plain = json.loads(RECIPE.to_json())
    plain["layers"][0]["chain"][1].update(changes)
    return json.dumps(plain)


def edited_basis(plain):
    return edited(layers=[{"type": "noise", "chain": [plain]}])


def edited_pixels(**changes):
    plain = json.loads(Recipe(layers=Raster()).to_json())
    plain["layers"][0]["chain"][0]["pixels"].update(changes)
    return json.dumps(plain)


ALL_KEYS = ", ".join(noise_types())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Recipe: not JSON: "),
        ("{", "Recipe: not JSON: "),
        ("[" * 100_000, "Recipe: not JSON: "),
        ("[]", "Recipe: must be a JSON object; got list"),
        ("null", "Recipe: must be a JSON object; got NoneType"),
        ("{}", "Recipe: format must be 1; got None"),
        (edited(format="1"), "Recipe: format must be 1; got '1'"),
        (edited(format=1.0), "Recipe: format must be 1; got 1.0"),
        (edited(format=True), "Recipe: format must be 1; got True"),
        (edited(format=0), "Recipe: format must be 1; got 0"),
        (edited(format=-1), "Recipe: format must be 1; got -1"),
        (edited(format=2), "Recipe: format 2 is newer than this Terrane reads (1); update Terrane"),
        (edited(format=2, layers="of the future"), "Recipe: format 2 is newer than this Terrane reads (1); update Terrane"),
        (edited(format=10**400), "Recipe: format must be 1; got inf"),
        (edited(color="red"), "Recipe: keys must be of curves, depth, format, height, layers, seed, size; got 'color'"),
        (edited_basis(None), "Recipe: layers[0].chain[0] must be an object with a type; got None"),
        (edited_basis({}), f"Recipe: layers[0].chain[0].type must be one of {ALL_KEYS}; got None"),
        (edited_basis({"type": "perlim"}), f"Recipe: layers[0].chain[0].type must be one of {ALL_KEYS}; got 'perlim'"),
        (edited_basis({"type": ["perlin"]}), f"Recipe: layers[0].chain[0].type must be one of {ALL_KEYS}; got ['perlin']"),
        (edited_fractal(octave=3), "Recipe: layers[0].chain[1] (fractal) has the parameters "),
        (edited_fractal(octaves=99.0), "Recipe: layers[0].chain[1]: Fractal.octaves must be in [1, 24]; got 99.0"),
        (edited_fractal(octaves="3"), "Recipe: layers[0].chain[1]: Fractal.octaves must be a number in [1, 24]; got '3'"),
        (edited_fractal(kind="ridge"), "Recipe: layers[0].chain[1]: Fractal.kind must be one of 'fbm', "),
        (edited_fractal(source=3), "Recipe: layers[0].chain[1].source must be an object with a type; got 3"),
        (
            edited_basis({"type": "value", "frequency": -1}),
            "Recipe: layers[0].chain[0]: Value.frequency must be in [0.0001, 1e+06]; got -1.0",
        ),
        (edited_fractal(octaves=1e999).replace("Infinity", "1e999"), "Recipe: layers[0].chain[1]: Fractal.octaves must"),
        (edited_fractal(octaves=float("nan")), "Recipe: layers[0].chain[1]: Fractal.octaves must be in [1, 24]; got nan"),
        (edited_fractal(octaves=10**400), "Recipe: layers[0].chain[1]: Fractal.octaves must be in [1, 24]; got inf"),
        (edited(layers={}), "Recipe: layers must be a list; got {}"),
        (edited(layers=[{"type": "no_such"}]), f"Recipe: layers[0].type must be one of {', '.join(layer_types())}; got "),
        (edited(layers=[3]), "Recipe: layers[0] must be an object with a type; got 3"),
        (edited(seed="7"), "Recipe: seed and height must be numbers; got '7', 20.0"),
        (edited(seed=1.5), "Recipe: seed and height must be numbers; got 1.5, 20.0"),
        (edited(seed=1 << 33), "Recipe: seed must be in [-2147483648, 4294967295]; got 8589934592"),
        (edited(seed=True), "Recipe: seed must be an integer of 32 bits; got True"),
        (edited(height=None), "Recipe: seed and height must be numbers; got 7, None"),
        (edited(height=True), "Recipe.height must be a number; got True"),
        (edited(height=float("inf")), "Recipe.height must be in [-1e+12, 1e+12]; got inf"),
        (edited(height=10**400), "Recipe.height must be in [-1e+12, 1e+12]; got inf"),
        (edited(height=-1e39), "Recipe.height must be in [-1e+12, 1e+12]; got -1e+39"),
        (edited(size=0), "Recipe.size must be in "),
        (edited(size=-5.0), "Recipe.size must be in "),
        (edited(size=10**400), "Recipe.size must be in "),
        (edited(size="wide"), "Recipe.size must be a number; got 'wide'"),
        (edited(size=None), "Recipe.size must be a number; got None"),
        (edited(size=True), "Recipe.size must be a number; got True"),
        (edited_pixels(float32_zlib_base64="%%%"), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
        (edited_pixels(float32_zlib_base64=""), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
        (edited_pixels(float32_zlib_base64=7), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
        (edited_pixels(rows=1), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
        (edited_pixels(rows=-1), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
        (edited_pixels(rows="many"), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
        (edited_pixels(rows=None), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
        (edited_pixels(rows=float("inf")), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
        (edited_basis({"type": "raster", "pixels": []}), "Recipe: layers[0].chain[0].pixels holds no pixels: "),
    ],
)  # fmt: skip
def test_json_that_is_no_recipe_is_refused_with_its_reason(text, message):
    with pytest.raises(RecipeError) as caught:
        Recipe.from_json(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("depth", [101, 300, 3000])
def test_json_nested_without_end_is_refused(depth):
    text = '{"type": "perlin"}'
    for _ in range(depth):
        text = f'{{"type": "fractal", "source": {text}}}'
    with pytest.raises(RecipeError):
        Recipe.from_json(f'{{"format": 1, "layers": [{{"type": "noise", "chain": [{text}]}}]}}')


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"layers": "perlin"}, "Recipe.layers must be noises, groups and modifiers; got 'perlin'"),
        ({"layers": (Perlin(), 3)}, "Recipe.layers must be noises, groups and modifiers; got 3"),
        ({"layers": None}, "Recipe.layers must be noises, groups and modifiers; got None"),
        ({"height": "tall"}, "Recipe.height must be a number; got 'tall'"),
        ({"height": float("nan")}, "Recipe.height must be in [-1e+12, 1e+12]; got nan"),
        ({"size": "wide"}, "Recipe.size must be a number; got 'wide'"),
        ({"size": 0.0}, "Recipe.size must be in "),
        ({"size": float("nan")}, "Recipe.size must be in "),
        ({"seed": 0.5}, "Recipe: seed must be an integer of 32 bits; got 0.5"),
        ({"seed": -(1 << 31) - 1}, "Recipe: seed must be in [-2147483648, 4294967295]; got -2147483649"),
    ],
)  # fmt: skip
def test_bad_parts_are_refused(change, text):
    with pytest.raises(ParameterError) as caught:
        Recipe(**{"layers": Perlin(), **change})
    assert str(caught.value).startswith(text)


def test_a_recipe_is_a_plain_value():
    recipe = Recipe(layers=Perlin(), seed=np.int64(-1), height=np.float32(2.5), size=np.int64(100))
    assert (recipe.seed, recipe.height, recipe.size) == (0xFFFFFFFF, 2.5, 100.0)
    assert type(recipe.seed) is int
    assert type(recipe.height) is type(recipe.size) is float
    assert recipe == Recipe(layers=Perlin(), seed=0xFFFFFFFF, height=2.5)
    assert hash(recipe) == hash(Recipe(layers=Perlin(), seed=-1, height=2.5))
    with pytest.raises(AttributeError):
        recipe.seed = 3  # type: ignore[misc]


def test_the_grid_of_a_recipe_has_its_size():
    recipe = Recipe(layers=Perlin(), size=12e3)
    assert recipe.grid(1025) == Grid(1025, 1025, size=12e3)
    assert recipe.grid((33, 65), wrap=True, origin=(2, 1)) == Grid(
        33, 65, wrap=True, origin=(2.0, 1.0), size=12e3
    )
    for wrong in (0, 2.5, None, (3,), (3, 4, 5), "9", ("3", 4)):
        with pytest.raises(ParameterError, match=r"^(Grid\.(rows|columns)|Recipe\.grid: )"):
            recipe.grid(wrong)


def test_the_noise_is_the_same_at_every_size_and_erosion_is_not():
    small = Recipe(layers=(Perlin(), ThermalErosion()), height=20.0, size=50.0)
    large = dataclasses.replace(small, size=5000.0)
    heights = [one.evaluate(one.grid(17)).height for one in (small, large)]
    assert np.abs(heights[0] - heights[1]).max() > 1.0
    bare = [dataclasses.replace(one, layers=one.layers[:1]) for one in (small, large)]
    first, second = (one.evaluate(one.grid(17)).height for one in bare)
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("wrap", [False, True])
def test_grids_of_one_recipe_agree_on_the_samples_they_share(wrap):
    recipe = Recipe.from_preset("rough_field")
    assert not recipe.needs_grid
    counts = (64, 128) if wrap else (65, 129)
    coarse, fine = (recipe.evaluate(recipe.grid(count, wrap=wrap)).height for count in counts)
    np.testing.assert_allclose(fine[::2, ::2], coarse, atol=1e-4)


def test_what_is_no_text_is_no_recipe():
    for what in (None, {}, 3):
        with pytest.raises(RecipeError, match=f"^Recipe: not JSON: .*not {type(what).__name__}"):
            Recipe.from_json(what)


def test_a_mask_of_no_layer_is_refused(raising):
    recipe = Recipe(layers=(Perlin(), raising()))
    mask = np.ones((3, 4), np.float32)
    assert recipe.evaluate(Grid(3, 4), masks={0: mask}).height.shape == (3, 4)
    for place in (2, -1, "0"):
        with pytest.raises(
            ParameterError, match=rf"masks must be those of 2 layers, .*; got {place!r}$"
        ):
            recipe.evaluate(Grid(3, 4), masks={place: mask})


def test_amounts_add_up_and_other_maps_are_the_last():
    noise = Fractal(source=Perlin(frequency=3.0))
    first, second = StreamErosion(strength=0.5), StreamErosion(strength=0.1)
    grid = Grid(60, 70, size=3000.0)
    recipe = Recipe(layers=(noise, first, second), height=500.0)
    maps = recipe.evaluate(grid).maps
    one = first.apply(noise.sample_grid(grid) * 500, grid, first.seed_in(0))
    other = second.apply(one.height, grid, second.seed_in(0))
    for name in ("wear", "deposit"):
        np.testing.assert_allclose(maps[name], one.maps[name] + other.maps[name], atol=1e-3)
    for name in ("flow", "lake"):
        np.testing.assert_array_equal(maps[name], other.maps[name])


LAND = Recipe(layers=(Perlin(), NoiseLayer(noise=Perlin(frequency=9.0)), Blur(radius=2.0)), height=7.0)  # fmt: skip


def test_known_ground_gives_the_same_bits():
    grid = LAND.grid(33)
    whole = LAND.evaluate(grid).height
    assert np.array_equal(LAND.evaluate(grid, ground=LAND.ground(grid)).height, whole)


def test_known_ground_is_used_where_only_a_modifier_is_painted(monkeypatch):
    grid, painted = LAND.grid(33), np.linspace(0.0, 1.0, 33 * 33, dtype="f4").reshape(33, 33)
    ground, whole = LAND.ground(grid), LAND.evaluate(grid, masks={2: painted}).height
    monkeypatch.setattr(Noise, "sample_grid", lambda *a, **k: pytest.fail("evaluated again"))
    assert np.array_equal(LAND.evaluate(grid, ground=ground, masks={2: painted}).height, whole)


def test_known_ground_is_not_used_where_a_layer_of_it_is_painted():
    grid, painted = LAND.grid(33), np.zeros((33, 33), "f4")
    whole = LAND.evaluate(grid, masks={1: painted}).height
    assert not np.array_equal(whole, LAND.evaluate(grid).height)
    shown = LAND.evaluate(grid, ground=LAND.ground(grid), masks={1: painted}).height
    assert np.array_equal(shown, whole)
