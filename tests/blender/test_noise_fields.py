# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of noise that panels show first: they act on every preset, and write the chain of one layer."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import bpy
import numpy as np
import pytest

from tests import drawing
from tests.blender.extension import module
from tests.blender.helpers import add_terrain, positions, read_recipe
from tests.blender.panels import FieldLayout

OTHER_VALUES = {"octaves": 3.0, "frequency": 13.0, "persistence": 0.62, "warp": 0.33}
"""Values that no preset has, not even where an image wraps and cells are whole."""


def fields() -> Any:
    """Return the module of the fields."""
    return module("operators.bridge.schema.noise_fields")


def preset_names() -> tuple[str, ...]:
    """Return the presets that are shipped."""
    return tuple(module("noise_core.landscapes.preset_library").preset_names())


def evaluated(obj: Any) -> np.ndarray:
    """Return the heights of the settings of a terrain on a small grid."""
    recipe = module("operators.bridge.schema.settings").read(obj.terrane)
    heights: np.ndarray = recipe.evaluate(recipe.grid(33)).height
    return heights


def updated(owner: Any) -> np.ndarray:
    """Return the places or pixels of a planet or an image after live update."""
    live = module("operators.bridge.tasks.live")
    live.update_now()
    assert not live.note(owner), live.note(owner)
    return positions(owner.data) if isinstance(owner, bpy.types.Object) else pixels(owner)


def pixels(image: bpy.types.Image) -> np.ndarray:
    """Return the pixels of an image."""
    values = np.empty(len(image.pixels), np.float32)
    image.pixels.foreach_get(values)
    return values


def displaced(owner: Any) -> np.ndarray:
    """Return the places of a plain mesh that the button displaces by the settings of the panel."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8)
    assert bpy.ops.terrane.mesh_displace(from_panel=True) == {"FINISHED"}
    obj = bpy.context.active_object
    places: np.ndarray = positions(obj.data)
    bpy.data.objects.remove(obj)
    return places


def silent_fields(owner: Any, preset: str, result: Any) -> list[tuple[str, str, str]]:
    """Return the fields that change nothing without a reason, or act in spite of one."""
    settings, group, silent = module("operators.bridge.schema.settings"), owner.terrane, []
    recipe, before = settings.read(group), result(owner)
    for name, value in OTHER_VALUES.items():
        reason = fields().why_inactive(group, name)
        setattr(group, name, value)
        if np.array_equal(result(owner), before) != bool(reason):
            silent.append((preset, name, str(reason)))
        if not reason:
            assert getattr(group, name) == pytest.approx(value), (preset, name)
        settings.write(group, recipe)
    return silent


def drawn_presets(names: Any, purpose: str) -> Any:
    """Return some presets, or all in a deep run."""
    return drawing.generator(purpose).sample(names, max(4, drawing.count_of(len(names))))


def test_each_field_acts_on_each_preset_of_terrains_or_says_why_not() -> None:
    silent = []
    for preset in drawn_presets(preset_names(), "fields"):
        obj = add_terrain(preset=preset, resolution=17)
        silent += silent_fields(obj, preset, evaluated)
    assert not silent


def test_each_field_acts_on_each_planet_or_says_why_not(terrane: Any) -> None:
    planets, library = (module("noise_core.landscapes.planets.planet"), module("noise_core"))
    suitable = []
    for name in preset_names():
        try:
            planets.check_recipe(library.Recipe.from_preset(name))
            suitable.append(name)
        except library.base.errors.ParameterError:
            continue
    assert len(suitable) > 8
    silent = []
    for preset in ["", *drawn_presets(suitable, "planets")]:
        keywords = {"preset": preset} if preset else {}
        bpy.ops.terrane.planet_add(resolution=8, colors=False, view=False, **keywords)
        obj = bpy.context.active_object
        assert obj.terrane.preset == preset
        silent += silent_fields(obj, preset, updated)
    assert not silent


def test_each_field_acts_on_each_image_or_says_why_not(terrane: Any) -> None:
    silent = []
    for preset in drawn_presets(preset_names(), "images"):
        others = set(bpy.data.images)
        bpy.ops.terrane.image_new(preset=preset, width=24, height=24)
        (image,) = set(bpy.data.images) - others
        silent += silent_fields(image, preset, updated)
    assert not silent


def test_each_field_acts_on_a_mesh_to_displace(terrane: Any) -> None:
    bpy.ops.terrane.preset_load(preset="fbm")
    assert not silent_fields(bpy.context.scene, "fbm", displaced)


def test_a_preset_that_needs_a_grid_is_refused_by_name_in_the_panel_of_a_planet(
    terrane: Any,
) -> None:
    bpy.ops.terrane.planet_add(resolution=8, colors=False, view=False)
    planet, live = bpy.context.active_object, module("operators.bridge.tasks.live")
    places = positions(planet.data)
    bpy.ops.terrane.preset_load(preset="alps")
    live.update_now()
    assert "planet is made of noise alone" in str(live.note(planet))
    np.testing.assert_array_equal(positions(planet.data), places)
    bpy.ops.terrane.preset_load(preset="ridged")
    live.update_now()
    assert not live.note(planet) and not np.array_equal(positions(planet.data), places)


def test_layers_of_a_planet_act_and_painted_masks_are_refused(terrane: Any) -> None:
    bpy.ops.terrane.planet_add(resolution=8, colors=False, view=False)
    planet, live = bpy.context.active_object, module("operators.bridge.tasks.live")
    places = positions(planet.data)
    bpy.ops.terrane.layer_add(type="simplex")
    live.update_now()
    assert not np.array_equal(positions(planet.data), places)
    with pytest.raises(RuntimeError, match="Select a terrain first"):
        bpy.ops.terrane.mask_paint()
    planet.vertex_groups.new(name="Here")
    planet.terrane.layers[-1].painted_mask = "Here"
    live.update_now()
    assert "Remove the painted mask of Simplex" in str(live.note(planet))


MAKING = {
    "landscape_add": True, "terrain_add": True, "terrain_update": True, "planet_add": False,
    "planet_update": False, "mesh_displace": False, "image_new": False, "image_update": False,
}  # fmt: skip
"""Operators that make noise, and whether they have the measures of a terrain."""


@pytest.mark.parametrize("name", MAKING)
def test_the_keywords_of_noise_have_one_order_everywhere(terrane: Any, name: str) -> None:
    expected = ["preset", *module("operators.bridge.schema.keywords").NOISE_KEYWORDS]
    assert expected == (
        ["preset", "noise", "fractal", "seed", "octaves", "frequency"]
        + ["persistence", "lacunarity", "warp"]
    )
    operator = getattr(bpy.ops.terrane, name)
    keywords = [prop.identifier for prop in operator.get_rna_type().properties]
    places = [keywords.index(keyword) for keyword in expected]
    assert places == sorted(places)
    shown: list[tuple[str, str]] = []
    cls = next(
        cls for cls in module("operators.registration").CLASSES
        if getattr(cls, "bl_idname", "") == f"terrane.{name}"
    )  # fmt: skip
    cls.draw(DrawnOperator(cls, operator.get_rna_type(), FieldLayout(shown)), bpy.context)
    names = [prop for _, prop in shown]
    assert [prop for prop in names if prop in expected] == expected
    assert list(fields().SHOWN) == [prop for prop in expected[1:] if prop != "lacunarity"]


class DrawnOperator:
    """Stand-in for an operator with the defaults of its keywords whose redo panel is drawn."""

    def __init__(self, cls: Any, rna: Any, layout: Any) -> None:
        self.cls, self.bl_rna, self.layout = cls, rna, layout

    def __getattr__(self, name: str) -> Any:
        prop = self.bl_rna.properties.get(name)
        if prop is not None:
            return getattr(prop, "default", None)
        attribute = getattr(self.cls, name)
        return functools.partial(attribute, self) if inspect.isfunction(attribute) else attribute


@pytest.mark.parametrize("preset", ["none", "alps", "mountain_range", "clouds"])
def test_fields_are_those_of_the_chain(preset: str) -> None:
    obj = add_terrain(preset=preset, resolution=17)
    layer = fields().noise_layer(obj.terrane)
    assert layer == obj.terrane.layers[0]
    values = module("noise_core.recipes.chain_keywords").values(read_recipe(obj).base.noise)
    for name in fields().FIELDS:
        expected = values.get(name, getattr(obj.terrane, name))
        assert getattr(obj.terrane, name) == (
            expected if isinstance(expected, str) else pytest.approx(expected)
        )


def test_fields_follow_the_active_layer_of_noise() -> None:
    obj = add_terrain(preset="alps", resolution=17)
    bpy.ops.terrane.layer_add(type="simplex")
    assert obj.terrane.noise == "simplex"
    obj.terrane.frequency = 9.0
    added = obj.terrane.layers[obj.terrane.active_layer]
    assert added.chain[0].simplex.frequency == 9.0
    obj.terrane.active_layer = next(
        place for place, layer in enumerate(obj.terrane.layers) if layer.type == "stream_erosion"
    )
    assert obj.terrane.noise == "perlin"


def test_fractal_none_and_warp_zero_take_their_elements_out() -> None:
    obj = add_terrain(noise="perlin", fractal="ridged", octaves=5, warp=0.2, resolution=17)
    chain = obj.terrane.layers[0].chain
    assert [element.type for element in chain] == ["perlin", "fractal", "warp"]
    obj.terrane.octaves = 1.0
    assert obj.terrane.fractal == "ridged"
    obj.terrane.warp = 0.0
    obj.terrane.fractal = "none"
    assert [element.type for element in chain] == ["perlin"]
    obj.terrane.octaves = 4.0
    obj.terrane.warp = 0.1
    assert [element.type for element in chain] == ["perlin", "fractal", "warp"]
    assert obj.terrane.fractal == "fbm"


def test_frequency_keeps_the_proportions_of_a_chain() -> None:
    obj = add_terrain(preset="mountain_range", resolution=17)
    chains = module("noise_core.recipes.chains")
    before = read_recipe(obj).base.noise
    wanted = module("noise_core.recipes.chain_keywords").with_values(before, frequency=4.0)
    obj.terrane.frequency = 4.0
    after = read_recipe(obj).base.noise
    for old, new in zip(chains.elements(wanted), chains.elements(after)):
        assert type(old) is type(new)
        assert getattr(new, "frequency", 0.0) == pytest.approx(getattr(old, "frequency", 0.0))


def test_fields_of_a_new_scene_are_those_of_its_preset_and_fill_it() -> None:
    scene = bpy.data.scenes.new("New")
    assert not scene.terrane.is_filled
    assert scene.terrane.noise == "perlin"
    assert scene.terrane.frequency == pytest.approx(2.1)
    assert not scene.terrane.is_filled
    scene.terrane.frequency = 3.0
    assert scene.terrane.is_filled
    assert scene.terrane.layers[0].chain[0].perlin.frequency == 3.0


def test_one_value_is_one_notification() -> None:
    changes = module("operators.bridge.schema.changes")
    obj = add_terrain(preset="alps", resolution=17)
    owners: list[Any] = []
    changes.subscribe(owners.append)
    try:
        obj.terrane.frequency = 3.0
    finally:
        changes.unsubscribe(owners.append)
    assert owners == [obj]


def test_scripts_are_refused_what_changes_nothing() -> None:
    with pytest.raises(RuntimeError, match="frequency changes nothing"):
        bpy.ops.terrane.terrain_add(preset="stairs_up", frequency=9.0)
    with pytest.raises(RuntimeError, match="octaves changes nothing"):
        bpy.ops.terrane.terrain_add(fractal="none", octaves=9.0)
    with pytest.raises(RuntimeError, match="frequency changes nothing"):
        bpy.ops.terrane.landscape_add(preset="stairs_up", frequency=9.0)
    with pytest.raises(RuntimeError, match="frequency changes nothing"):
        bpy.ops.terrane.planet_add(preset="stairs_up", frequency=9.0, resolution=8)
    with pytest.raises(RuntimeError, match="frequency changes nothing"):
        bpy.ops.terrane.image_new(preset="stairs_up", frequency=9.0)


@pytest.mark.parametrize("preset", ["canyon", "meandering_river"])
def test_the_frequency_of_lands_with_water_acts(preset: str) -> None:
    plain, other = (
        evaluated(add_terrain(preset=preset, resolution=17, **keywords))
        for keywords in ({}, {"frequency": 9.0})
    )
    assert not np.array_equal(plain, other)
