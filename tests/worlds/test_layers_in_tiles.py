# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers around modifiers, with opacities and masks, have the bits of the whole in tiles."""

from __future__ import annotations

import re

import pytest

from noise_core import Recipe
from noise_core.base.errors import ParameterError
from noise_core.maps import Height, Slope, Wetness
from noise_core.masks import LayerMask, MapMask, NoiseMask, ProductMask
from noise_core.modifiers import Amplify, Blur, SedimentErosion, ThermalErosion
from noise_core.noises import Cellular, Curve, Fractal, Perlin
from noise_core.recipes.layers import Group, NoiseLayer
from terrane_worlds import World, WorldError, modifiers
from tests.worlds.whole_fields import registered

HILLS = NoiseLayer(name="hills", noise=Fractal(source=Perlin(frequency=3.0), octaves=7))
CELLS = NoiseLayer(noise=Cellular(frequency=6.0), mode="max", seed_offset=2)
STEEP = MapMask(map=Slope(), low=20.0, falloff=8.0)
HIGH = MapMask(map=Height(), limits="between", low=-100.0, high=150.0, falloff=50.0)
PATCHES = NoiseMask(noise=Perlin(frequency=5.0))

RECIPES = {
    "modifiers": (HILLS, Blur(radius=300.0), CELLS, ThermalErosion()),
    "opacity": (HILLS, ThermalErosion(opacity=0.4), Blur(radius=300.0, opacity=0.5)),
    "noise mask": (HILLS, ThermalErosion(mask=PATCHES), ThermalErosion(mask=PATCHES, seed_offset=3)),
    "layer mask": (HILLS, Blur(radius=300.0, mask=LayerMask(layer="hills", low=0.1)), CELLS),
    "map mask": (HILLS, ThermalErosion(mask=STEEP), Blur(radius=300.0, mask=HIGH)),
    "both masks": (HILLS, Blur(radius=300.0, mask=ProductMask(first=STEEP, second=PATCHES))),
    "noise on slopes": (HILLS, CELLS.with_values(mask=STEEP), CELLS.with_values(mask=PATCHES)),
    "group on slopes": (
        HILLS,
        Blur(radius=300.0),
        Group(layers=(CELLS.with_values(mask=HIGH), HILLS), chain=(Curve(),), mask=STEEP),
    ),
    "muted": (HILLS, Blur(muted=True), ThermalErosion(), CELLS.with_values(muted=True)),
    "a modifier alone": (ThermalErosion(), HILLS),
}  # fmt: skip
SCALE = {"seed": 9, "height": 900.0, "size": 6000.0}
TYPES = {"modifier_types": (Blur, ThermalErosion), "map_types": (Slope, Height)}


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("name", list(RECIPES))
def test_bits_of_the_whole(tmp_path, name, wrap):
    recipe = Recipe(layers=RECIPES[name], **SCALE)
    world = World(recipe, 300, 420, 128, wrap)
    relief = recipe.evaluate(world.grid)
    made = sorted(relief.maps)
    with registered(**TYPES):
        world.build(tmp_path / "a.zarr", maps=[*made, "slope"])
    with World.open(tmp_path / "a.zarr") as opened:
        assert opened.height.values.tobytes() == relief.height.tobytes()
        for one in made:
            assert opened[one].values.tobytes() == relief.maps[one].tobytes(), one
        slope = Slope().values(relief.height, world.grid)
        assert opened.slope.values.tobytes() == slope.tobytes()
        assert opened.slope.units == "degrees"
    assert not (tmp_path / "a.zarr.build").exists()


def test_amounts_add_up():
    made = Recipe(layers=RECIPES["noise mask"], **SCALE).evaluate(World("alps", 99, 99).grid).maps
    assert set(made) & ThermalErosion.amounts, "the recipes above have amounts of two modifiers"


def test_a_build_that_is_interrupted_between_layers_goes_on(tmp_path):
    recipe = Recipe(layers=RECIPES["map mask"], **SCALE)
    world = World(recipe, 300, 420, 128)
    whole = recipe.evaluate(world.grid).height.tobytes()
    stages: list[str] = []
    with registered(**TYPES):
        while True:
            known = set(stages)

            def stop(status, known=known):
                stages.append(status.stage)
                if status.stage not in known and status.done == 2:
                    raise KeyboardInterrupt

            try:
                world.build(tmp_path / "a.zarr", progress=stop)
            except KeyboardInterrupt:
                continue
            break
    assert len(set(stages)) >= 3
    with World.open(tmp_path / "a.zarr") as opened:
        assert opened.height.values.tobytes() == whole


# --- what is refused -----------------------------------------------------------------------------


AMPLIFY = "must not depend on the whole land at once; Amplify does: " + Amplify.whole_land
WETNESS = "must not depend on the whole land at once; Wetness does: " + Wetness.whole_land
WET = CELLS.with_values(mask=MapMask(map=Wetness()))


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ((HILLS, Amplify()), f"Recipe.layers: number 2 {AMPLIFY}"),
        ((HILLS, WET), f"Recipe.layers: number 2: its mask {WETNESS}"),
        ((HILLS, Group(layers=(WET,))), f"Recipe.layers: number 2: its mask {WETNESS}"),
    ],
)
def test_what_is_not_exact_in_tiles_is_refused_before_the_build(tmp_path, layers, message):
    world = World(Recipe(layers=layers, **SCALE), 300, 420, 128)
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        world.build(tmp_path / "a.zarr")
    assert not list(tmp_path.iterdir())


def test_muted_layers_are_not_refused(tmp_path):
    layers = (HILLS, SedimentErosion(muted=True))
    World(Recipe(layers=layers, **SCALE), 40, 40, 32).build(tmp_path / "a.zarr")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["nothing"], "^maps must be of .*, each once; got 'nothing'$"),
        (["slope", "slope"], "^maps must be of .*, each once; got 'slope'$"),
        ("slope", "^World.build: maps must be a list of names; got 'slope'$"),
        (["normal"], "^maps must have 1 number a sample; 'normal' has 3$"),
        (["deposits"], "^maps must be of .*got 'deposits'$"),
        (["wetness"], "^maps must not depend on the whole land at once; Wetness does: slopes "),
    ],
)
def test_maps_that_there_are_not(tmp_path, names, message):
    world = World(Recipe(layers=(HILLS,), **SCALE), 40, 40, 32)
    with pytest.raises(ParameterError, match=message):
        world.build(tmp_path / "a.zarr", maps=names)


def test_checks_of_types_say_why(tmp_path, monkeypatch):
    def check(modifier, grid, tiling):
        raise ParameterError("radius must be below a tile")

    with registered(**TYPES):
        monkeypatch.setitem(modifiers.REGISTRY._checks, Blur, check)
        world = World(Recipe(layers=(HILLS, Blur()), **SCALE), 40, 40, 32)
        with pytest.raises(
            ParameterError, match="^Recipe.layers: number 2: radius must be below a tile$"
        ):
            world.build(tmp_path / "a.zarr")


def test_regions_of_recipes_with_modifiers_need_a_store(tmp_path):
    world = World(Recipe(layers=RECIPES["modifiers"], **SCALE), 300, 420, 128)
    with pytest.raises(
        WorldError, match="^World.region needs a finished store for this recipe; got None$"
    ):
        world.region(None, 0, 0, 10, 10)
    with registered(**TYPES):
        world.build(tmp_path / "a.zarr")
    whole = world.recipe.evaluate(world.grid).height
    assert (world.region(tmp_path / "a.zarr", 100, 120, 50, 200) == whole[100:150, 120:320]).all()
