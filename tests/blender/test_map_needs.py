# SPDX-License-Identifier: GPL-3.0-or-later
"""Default maps of a terrain: those that cost nothing, and those that something reads."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain

ERODED = {"flow", "wear", "deposit", "lake"}


@pytest.fixture
def read(terrane, monkeypatch):
    """Return the maps that were read off a finished relief, the slow way."""
    catalog, names = module("operators.bridge.terrain.catalog"), []
    real = catalog.read_from

    def noted(surface, readers, *rest):
        names.extend(readers)
        return real(surface, readers, *rest)

    monkeypatch.setattr(catalog, "read_from", noted)
    yield names
    module("operators.bridge.tasks.live").queue.clear()


def recipe(*modifiers):
    noises = module("noise_core.noises")
    noise = noises.Perlin(frequency=3.0)
    return module("noise_core").Recipe(layers=(noise, *modifiers), height=30.0).to_json()


def modifier(name, **values):
    return getattr(module("noise_core.modifiers"), name)(**values)


def add(*modifiers, **keywords):
    keywords = {"resolution": 33, "size": 300.0, "recipe": recipe(*modifiers), **keywords}
    return add_terrain(**keywords)


def maps(obj):
    return set(module("operators.bridge.terrain.catalog").entries()) & set(
        obj.data.attributes.keys()
    )


def update(obj):
    assert bpy.ops.terrane.terrain_update() == {"FINISHED"}


def follow(obj):
    obj.terrane.seed += 1
    module("operators.bridge.tasks.live").update_now()


AGAIN = pytest.mark.parametrize("again", [update, follow])


@AGAIN
def test_plain_noise_has_none(read, again):
    obj = add(modifier("Blur"))
    assert maps(obj) == set()
    again(obj)
    assert maps(obj) == set() and read == []
    record = module("operators.bridge.terrain.map_layers").MapChoice.of(obj.data)
    assert record == type(record)(), "nobody has chosen"


@AGAIN
def test_what_modifiers_make_is_kept(read, again):
    obj = add(modifier("StreamErosion"), modifier("ThermalErosion"))
    assert maps(obj) == {*ERODED, "scree"}
    obj.terrane.layers[2].muted = True
    again(obj)
    assert maps(obj) == ERODED and read == []
    obj.terrane.layers[1].muted = True
    again(obj)
    assert maps(obj) == set() and read == []


def by_material(obj):
    material = bpy.data.materials.new("Reader")
    tree = module("operators.bridge.datablocks.compat").node_tree(material)
    tree.nodes.new("ShaderNodeAttribute").attribute_name = "flow"
    obj.data.materials.append(None)
    obj.data.materials.append(material)


def by_group_in_a_material_of_the_object(obj):
    inner = bpy.data.node_groups.new("Inner", "ShaderNodeTree")
    inner.nodes.new("ShaderNodeAttribute").attribute_name = "flow"
    material = bpy.data.materials.new("Reader")
    tree = module("operators.bridge.datablocks.compat").node_tree(material)
    tree.nodes.new("ShaderNodeGroup").node_tree = inner
    obj.data.materials.append(bpy.data.materials.new("Other"))
    obj.material_slots[0].link = "OBJECT"
    obj.material_slots[0].material = material


def by_geometry_nodes_of_another_object(obj):
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    tree.nodes.new("GeometryNodeInputNamedAttribute").inputs["Name"].default_value = "flow"


def by_an_input_of_a_modifier(obj):
    tree = bpy.data.node_groups.new("Tree", "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    number = tree.interface.new_socket("W", in_out="INPUT", socket_type="NodeSocketFloat")
    used = obj.modifiers.new("Nodes", "NODES")
    used.node_group = tree
    if hasattr(used, "properties"):
        own = getattr(used.properties.inputs, number.identifier)
        own.type, own.attribute_name = "ATTRIBUTE", "flow"
    else:
        used[f"{number.identifier}_use_attribute"] = True
        used[f"{number.identifier}_attribute_name"] = "flow"


def by_a_mask(obj):
    obj.data.attributes.new("flow", "FLOAT", "POINT")
    obj.terrane.layers[1].painted_mask = "flow"


def by_a_choice(obj):
    assert bpy.ops.terrane.terrain_update(maps={"flow"}) == {"FINISHED"}


def by_an_older_choice(obj):
    names = sorted(module("operators.bridge.terrain.catalog").modifier_maps())
    details = {"written": [], "wanted": names, "eroded": []}
    obj.data["terrane_made_maps"] = json.dumps({"digest": "", "details": details})


READERS = [
    by_material,
    by_group_in_a_material_of_the_object,
    by_geometry_nodes_of_another_object,
    by_an_input_of_a_modifier,
    by_a_mask,
    by_a_choice,
    by_an_older_choice,
]


@pytest.mark.wide
@AGAIN
@pytest.mark.parametrize("needed", READERS)
def test_what_somebody_reads_is_made(read, needed, again):
    obj = add(modifier("Blur"))
    needed(obj)
    again(obj)
    assert maps(obj) == {"flow"}
    values = np.empty(33 * 33, np.float32)
    obj.data.attributes["flow"].data.foreach_get("value", values)
    assert values.max() > 0.1 and set(read) == {"flow"}


def test_a_muted_layer_needs_no_mask(read):
    obj = add(modifier("Blur"))
    obj.terrane.layers[1].painted_mask, obj.terrane.layers[1].muted = "flow", True
    update(obj)
    assert maps(obj) == set() and read == []


def test_another_objects_material_does_not_count_unless_the_mesh_is_shared(read):
    obj = add()
    other = bpy.data.objects.new("Other", bpy.data.meshes.new("Other"))
    by_material(other)
    update(obj)
    assert maps(obj) == set()
    sharing = bpy.data.objects.new("Sharing", obj.data)
    obj.data.materials.append(None)
    sharing.material_slots[0].link = "OBJECT"
    sharing.material_slots[0].material = other.data.materials[1]
    update(obj)
    assert maps(obj) == {"flow"}


@AGAIN
def test_baked_maps_come_to_the_rest(read, again):
    """Whoever bakes one map has not chosen against those that erosion will make."""
    obj = add()
    assert bpy.ops.terrane.maps_bake(maps={"slope"}) == {"FINISHED"}
    read.clear()
    again(obj)
    assert maps(obj) == {"slope"} and read == ["slope"]
    bpy.ops.terrane.layer_add(type="stream_erosion")
    again(obj)
    assert maps(obj) == {"slope", *ERODED}
    # A choice is one.
    bpy.ops.terrane.terrain_update(maps={"wear"})
    again(obj)
    assert maps(obj) == {"wear"}
    assert bpy.ops.terrane.maps_bake(maps={"slope"}) == {"FINISHED"}
    again(obj)
    assert maps(obj) == {"wear", "slope"}


@pytest.mark.slow
def test_the_flow_for_a_material_is_read_without_making_the_terrain_again(read, monkeypatch):
    obj = add(modifier("ThermalErosion"))
    core = module("noise_core.recipes.recipe").Recipe
    monkeypatch.setattr(core, "evaluate", lambda *given, **keywords: pytest.fail("made again"))
    assert bpy.ops.terrane.terrain_material(detail_pixels=16) == {"FINISHED"}
    assert maps(obj) == {"scree", "flow", "cavity", "river"}


@pytest.mark.parametrize("name", ["slope", "cavity", "ambient_occlusion"])
def test_any_map_that_geometry_nodes_read_is_made(read, name):
    obj = add()
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    tree.nodes.new("GeometryNodeInputNamedAttribute").inputs["Name"].default_value = name
    update(obj)
    assert maps(obj) == {name}
    bpy.data.node_groups.remove(tree)
    update(obj)
    assert maps(obj) == set()


def test_an_attribute_of_the_users_is_no_map_because_nodes_read_it(read):
    obj = add()
    obj.data.attributes.new("slope", "FLOAT", "POINT").data[5].value = 7.0
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    tree.nodes.new("GeometryNodeInputNamedAttribute").inputs["Name"].default_value = "slope"
    update(obj)
    assert obj.data.attributes["slope"].data[5].value == 7.0 and read == []


def test_a_name_in_the_nodes_of_another_object_that_reads_the_terrain_counts(read):
    obj = add()
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    for name, kind in (("Terrain", "NodeSocketObject"), ("Map", "NodeSocketString")):
        tree.interface.new_socket(name, in_out="INPUT", socket_type=kind)
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    other = bpy.data.objects.new("Other", bpy.data.meshes.new("Other"))
    used = other.modifiers.new("Nodes", "NODES")
    used.node_group = tree
    compat = module("operators.bridge.datablocks.compat")
    compat.set_modifier_input(used, "Map", "slope")
    update(obj)
    assert maps(obj) == set()
    compat.set_modifier_input(used, "Terrain", obj)
    update(obj)
    assert maps(obj) == {"slope"}
