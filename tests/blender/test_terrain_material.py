# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of a terrain: it renders, follows its sockets, lasts, and does not pile up."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import bpy
import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))

import node_studio

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, attribute_names
from tests.blender.rendering import render_linear

TERRAIN = {"preset": "alps", "resolution": 65}

PALETTES = (
    "alpine", "desert", "dunes", "volcanic", "arctic", "tropical", "mars", "moon", "temperate", "badlands",
)  # fmt: skip
READ = {"flow", "cavity", "river"}


def add(**keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        status = bpy.ops.terrane.terrain_material(**{"detail_pixels": 32, **keywords})
    assert status == {"FINISHED"}
    return bpy.context.active_object.active_material


def node(material, name):
    return material.node_tree.nodes[f"Terrane {name}"]


def groups():
    return sorted(group.name for group in bpy.data.node_groups)


def picture(tmp_path, obj, pixels=64):
    """Render an object from above with Cycles; return the colors, shape (pixels, pixels, 3), linear."""
    scene = bpy.context.scene
    size = max(obj.dimensions)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 0.98 * size
    camera.location = (0.0, 0.0, 2.0 * size)
    camera.data.clip_end = 10.0 * size
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 3.0, (0.5, 0.2, 0.0)
    for one in (camera, sun):
        scene.collection.objects.link(one)
    scene.camera = camera
    shown = render_linear(tmp_path, pixels, samples=4)
    for one in (camera, sun):
        bpy.data.objects.remove(one)
    return shown


def is_pink(shown):
    """Return where a picture is magenta, Blender's color for missing data."""
    red, green, blue = np.moveaxis(shown, -1, 0)
    return (red > 0.5) & (blue > 0.5) & (green < 0.25 * red)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["layers", "ramp"])
@pytest.mark.parametrize("palette", PALETTES)
def test_every_palette_renders(terrain, tmp_path, palette, style):
    material = add(palette=palette, style=style)
    assert terrain.active_material == material and len(terrain.material_slots) == 1
    shown = picture(tmp_path, terrain, pixels=32)
    assert np.isfinite(shown).all() and not is_pink(shown).any()
    assert shown.mean() > 0.01 and shown.std() > 0.005


def test_all_palettes_are_tested():
    assert set(module("noise_core.materials.colors").LANDSCAPES) == set(PALETTES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "crown"), [(50.0, 0.25), (1200.0, 6.0), (4000.0, 6.0), (17000.0, 20.0)]
)
def test_crowns_are_as_large_as_trees_where_there_is_room_for_many(terrane, size, crown):
    bpy.ops.terrane.terrain_add(preset="rolling_hills", resolution=33, size=size)
    material = add(palette="temperate")
    assert node(material, "Crowns").inputs["Size"].default_value == pytest.approx(crown, rel=1e-3)


@pytest.mark.slow
def test_attributes_are_made_and_kept_with_the_terrain(terrain):
    attribute_names_before = attribute_names(terrain)
    assert not READ & (attribute_names_before - {"flow"})
    add()
    assert READ <= attribute_names(terrain)
    bpy.ops.terrane.terrain_update()
    assert READ <= attribute_names(terrain) and terrain.active_material is not None


def test_a_ramp_needs_no_attributes(terrain):
    attribute_names_before = attribute_names(terrain)
    add(style="ramp", colors=False)
    assert attribute_names(terrain) == attribute_names_before


def test_what_is_not_ours_is_left_alone(terrain):
    own = terrain.data.attributes.new("cavity", "FLOAT", "POINT")
    own.data.foreach_set("value", np.full(65 * 65, 0.25, np.float32))
    other = bpy.data.materials.new("Other")
    terrain.data.materials.append(other)
    terrain.data.materials.append(None)
    terrain.active_material_index = 1
    material = add()
    values = np.empty(65 * 65, np.float32)
    terrain.data.attributes["cavity"].data.foreach_get("value", values)
    assert (values == 0.25).all()
    assert [slot.material for slot in terrain.material_slots] == [other, material]


@pytest.mark.slow
def test_twice_is_once(terrain):
    first = add(palette="alpine")
    names = (groups(), len(bpy.data.images), len(bpy.data.materials))
    count = len(first.node_tree.nodes)
    mine = first.node_tree.nodes.new("ShaderNodeValue")
    again = add(palette="alpine")
    assert again == first and len(again.node_tree.nodes) == count + 1
    assert mine.name in again.node_tree.nodes
    assert names == (groups(), len(bpy.data.images), len(bpy.data.materials))
    moon = add(palette="moon")
    assert moon == first and "Terrane Grass" not in moon.node_tree.nodes
    assert node(moon, "Soil").inputs["Color"].default_value[0] == pytest.approx(0.052)


@pytest.mark.slow
def test_two_terrains_share_groups_and_tiles(terrain):
    first = add()
    names = (groups(), len(bpy.data.images))
    bpy.ops.terrane.terrain_add(preset="alps", resolution=33, seed=3)
    second = add()
    assert second != first and names == (groups(), len(bpy.data.images))
    assert node(first, "Soil").node_tree == node(second, "Soil").node_tree


def measures(material):
    inputs = node(material, "Masks").inputs
    return {name: inputs[name].default_value for name in ("Width", "Lowest", "Highest")}


@pytest.mark.slow
def test_a_terrain_with_anothers_material_gets_its_own(terrain):
    first = add()
    mine = first.node_tree.nodes.new("ShaderNodeValue")
    measures_before = measures(first)
    second = add_terrain(preset="alps", resolution=33, size=30.0)
    second.data.materials.clear()
    second.data.materials.append(first)
    for _ in range(2):
        own = add(palette="moon")
    assert own != first and len(second.material_slots) == 1 and len(bpy.data.materials) == 2
    assert mine.name in own.node_tree.nodes
    assert terrain.active_material == first and measures(first) == measures_before != measures(own)
    bpy.context.view_layer.objects.active = terrain
    assert add() == first


@pytest.mark.slow
def test_a_linked_duplicate_keeps_the_material(terrain):
    first = add()
    twin = terrain.copy()
    bpy.context.collection.objects.link(twin)
    assert add(palette="moon") == first == twin.active_material


@pytest.mark.slow
def test_the_users_nodes_stay_linked_to_ours(terrain):
    material = add()
    tree = material.node_tree
    hue = tree.nodes.new("ShaderNodeHueSaturation")
    color = node(material, "Principled BSDF").inputs["Base Color"]
    source = color.links[0].from_socket
    ends = source.node.name, source.name
    tree.links.new(source, hue.inputs["Color"])
    tree.links.new(hue.outputs["Color"], color)
    for palette in ("alpine", "moon"):
        add(palette=palette)
        link = node(material, "Principled BSDF").inputs["Base Color"].links[0]
        assert link.from_node == hue
        link = hue.inputs["Color"].links[0]
        assert (link.from_node.name, link.from_socket.name) == ends


@pytest.mark.slow
def test_lost_details_are_made_anew(terrain):
    material = add()
    kept = {one.name for one in bpy.data.images}
    for image in list(bpy.data.images):
        bpy.data.images.remove(image)
    add()
    assert {one.name for one in bpy.data.images} == kept
    assert_details(material)
    for image in bpy.data.images:
        image.unpack(method="REMOVE")
        image.buffers_free()
    add()
    assert {one.name for one in bpy.data.images} == kept
    assert_details(material)


def assert_details(material):
    """Check that all images of details are there, with pixels."""
    results = [
        inner.image
        for outer in material.node_tree.nodes
        if outer.name.startswith("Terrane Detail") and outer.type == "GROUP"
        for inner in outer.node_tree.nodes
        if inner.type == "TEX_IMAGE"
    ]
    assert len(results) > 3 and all(
        one is not None and tuple(one.size) == (32, 32) for one in results
    )


@pytest.mark.slow
def test_groups_of_another_version_are_left_alone(terrain):
    add()
    old = bpy.data.node_groups["Terrane Layer"]
    old["terrane_group"] = "Terrane Layer 0"
    material = add()
    assert node(material, "Soil").node_tree != old


@pytest.mark.slow
def test_groups_with_other_sockets_are_left_alone(terrain):
    add()
    changed = bpy.data.node_groups["Terrane Layer"]
    changed.interface.remove(changed.interface.items_tree["Tint"])
    material = add()
    assert node(material, "Soil").node_tree != changed
    assert "Tint" in node(material, "Soil").inputs


@pytest.mark.slow
def test_it_survives_saving(terrain, tmp_path):
    add()
    shown = picture(tmp_path, terrain)
    path = str(tmp_path / "saved.blend")
    name = terrain.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = picture(tmp_path, bpy.data.objects[name])
    np.testing.assert_allclose(again, shown, atol=2e-3)


@pytest.mark.wide
def test_sockets_change_the_picture(terrain, tmp_path):
    material = add()
    picture_before = picture(tmp_path, terrain)
    for layer, socket, value in (
        ("Snow", "Lowest", -10.0),
        ("Rock", "Flattest", 5.0),
        ("Grass", "Amount", -5.0),
        ("Soil", "Color", (0.9, 0.1, 0.1, 1.0)),
        ("Soil", "Ground Bump", 200.0),
        ("Masks", "Highest", 5000.0),
    ):
        own = node(material, layer).inputs[socket]
        kept = own.default_value if isinstance(value, float) else tuple(own.default_value)
        own.default_value = value
        shown = picture(tmp_path, terrain)
        assert np.abs(shown - picture_before).mean() > 0.002, (layer, socket)
        own.default_value = kept
    np.testing.assert_allclose(picture(tmp_path, terrain), picture_before, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["Crags", "Ledges"])
def test_rock_has_crags_and_ledges(terrain, tmp_path, shape):
    material = add(snow=False, scree=False, river=False, rock_slope=0.0)
    shown = picture(tmp_path, terrain)
    node(material, "Bumps").inputs[shape].default_value = 0.0
    # Pixels here are larger than most crags, and Blender up to 4.3 takes slopes over a whole pixel,
    # later ones over a tenth of it (the filter width of their bump nodes). The same picture twice is the same to the bit.
    assert np.abs(picture(tmp_path, terrain) - shown).mean() > 0.0005


@pytest.mark.slow
def test_attributes_change_the_picture(terrain, tmp_path):
    add()
    picture_before = picture(tmp_path, terrain)
    for name in ("river", "scree", "deposit"):
        terrain.data.attributes.remove(terrain.data.attributes[name])
    without = picture(tmp_path, terrain)
    assert np.abs(without - picture_before).mean() > 5e-4 and not is_pink(without).any()


@pytest.mark.slow
def test_the_snow_line_is_where_it_is_said(terrain):
    material = add(snow_line=0.75)
    assert node(material, "Snow").inputs["Lowest"].default_value == pytest.approx(0.75)
    material = add(limits="palette")
    assert node(material, "Snow").inputs["Lowest"].default_value == pytest.approx(0.6)
    masks = node(material, "Masks").inputs
    heights = np.empty(65 * 65 * 3, np.float32)
    terrain.data.attributes["position"].data.foreach_get("vector", heights)
    low, high = masks["Lowest"].default_value, masks["Highest"].default_value
    assert heights[2::3].min() <= low < high <= heights[2::3].max()


@pytest.mark.slow
def test_layers_are_switched_off(terrain):
    material = add(woods=False, snow=False, scree=False)
    names = {node.label for node in material.node_tree.nodes}
    assert {"Soil", "Grass", "Rock"} <= names and not {"Woods", "Snow", "Scree"} & names
    off = {name: False for name in module("noise_core.materials.colors").LAYERS}
    material = add(**off)
    assert "Terrane Soil" in material.node_tree.nodes  # something has to be there


@pytest.mark.slow
@pytest.mark.parametrize(("mapping", "projection"), [("triplanar", "BOX"), ("top", "FLAT")])
def test_details_lie_as_told(terrain, mapping, projection):
    material = add(mapping=mapping, detail_size=123.0, detail_pixels=64)
    details = [node for node in material.node_tree.nodes if node.name.startswith("Terrane Detail ")]
    assert details
    for detail in details:
        widest = 25.0 if "sand" in detail.name else 123.0
        assert detail.inputs["Size"].default_value == pytest.approx(widest)
        inside = [each for each in detail.node_tree.nodes if each.bl_idname == "ShaderNodeTexImage"]
        assert {each.projection for each in inside} == {projection}
        for each in inside:
            assert tuple(each.image.size) == (64, 64) and each.image.packed_file is not None
            assert each.image.colorspace_settings.name == "Non-Color"


def test_without_details_there_are_no_images(terrain, tmp_path):
    add(mapping="none")
    assert not [image for image in bpy.data.images if image.source != "VIEWER"]
    assert picture(tmp_path, terrain).std() > 0.005


@pytest.mark.slow
def test_water_lies_below_its_level(terrain, tmp_path):
    material = add(water="sea", water_level=1e5)
    shown = picture(tmp_path, terrain)
    assert node(material, "Water").inputs["Deep"].default_value[2] > 0.0
    assert shown.std() < 0.1 * picture_of(terrain, tmp_path, water="none").std() + 0.05
    assert "Terrane Water" not in terrain.active_material.node_tree.nodes


def picture_of(obj, tmp_path, **keywords):
    add(**keywords)
    return picture(tmp_path, obj)


@pytest.mark.slow
@pytest.mark.parametrize("add_mesh", ["primitive_monkey_add", "primitive_ico_sphere_add"])
def test_any_mesh_will_do(terrane, tmp_path, add_mesh):
    getattr(bpy.ops.mesh, add_mesh)()
    obj = bpy.context.active_object
    attribute_names_before = attribute_names(obj)
    add(palette="desert")
    assert attribute_names(obj) == attribute_names_before
    shown = picture(tmp_path, obj)
    assert shown.std() > 0.01 and not is_pink(shown).any()


@pytest.mark.slow
def test_a_mesh_without_anything(terrane):
    obj = bpy.data.objects.new("Empty", bpy.data.meshes.new("Empty"))
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    assert add() == obj.active_material


@pytest.mark.slow
def test_in_edit_mode(terrain):
    bpy.ops.object.mode_set(mode="EDIT")
    add()
    assert terrain.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert READ <= attribute_names(terrain)


@pytest.mark.slow
def test_shared_meshes(terrain):
    other = bpy.data.objects.new("Other", terrain.data)
    bpy.context.collection.objects.link(other)
    material = add()
    assert other.active_material == material and len(bpy.data.meshes) == 1


@pytest.mark.slow
def test_not_applied(terrain):
    status = bpy.ops.terrane.terrain_material(apply=False, name="Kept", detail_pixels=32)
    assert status == {"FINISHED"} and terrain.active_material is None
    assert bpy.data.materials["Kept"].use_fake_user


@pytest.mark.slow
def test_undo(terrain):
    bpy.ops.ed.undo_push(message="before")
    name = terrain.name
    bpy.ops.terrane.terrain_material("EXEC_DEFAULT", True, detail_pixels=32)
    assert bpy.data.objects[name].active_material is not None
    bpy.ops.ed.undo()
    obj = bpy.data.objects[name]
    assert obj.active_material is None and "river" not in attribute_names(obj)
    bpy.ops.ed.redo()
    assert bpy.data.objects[name].active_material is not None


def test_there_is_no_mesh(terrane):
    with pytest.raises(RuntimeError, match="Select a mesh first"):
        bpy.ops.terrane.terrain_material()


def test_linked_meshes_are_refused(terrain, tmp_path):
    path, name = str(tmp_path / "library.blend"), terrain.data.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, there):
        there.meshes = [name]
    obj = bpy.data.objects.new("Linked", there.meshes[0])
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    with pytest.raises(RuntimeError, match="linked from another file: make it local first"):
        bpy.ops.terrane.terrain_material()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"palette": "venus"}, "venus"),
        ({"detail_pixels": 0}, r"TerrainMaterial.detail_pixels must be in \[16, 8192\]; got 0"),
        ({"bump": -1.0}, r"TerrainMaterial.bump must be in \[0, 10\]; got -1"),
        ({"snow_line": 7.0}, r"TerrainMaterial.snow_line must be in \[-1, 2\]; got 7"),
    ],
)
def test_wrong_values_are_refused(terrain, keywords, message):
    before = (len(bpy.data.materials), groups(), attribute_names(terrain))
    with pytest.raises((RuntimeError, TypeError), match=message):
        bpy.ops.terrane.terrain_material(**keywords)
    assert before == (len(bpy.data.materials), groups(), attribute_names(terrain))


@pytest.mark.slow
def test_no_link_is_dead_and_no_input_without_a_tooltip(terrain):
    material = add(water="both")
    for tree in (material.node_tree, *bpy.data.node_groups):
        assert all(link.is_valid for link in tree.links)
        for node in tree.nodes:
            assert node.bl_idname != "NodeUndefined"
        assert not list(node_studio.layout_faults(tree, module("operators.bridge.nodetree.layout")))
    for group in bpy.data.node_groups:
        for item in group.interface.items_tree:
            if item.item_type == "SOCKET":
                assert item.description, (group.name, item.name)


# --- painted masks of the erosion ---------------------------------------------------------------


def north(rows=65, columns=65):
    """Return 0 in the south and 1 in the north."""
    return np.repeat(np.arange(rows) >= rows // 2, columns).astype(np.float32)


def paint_attribute(obj, name="north"):
    obj.data.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", north())


def paint_group(obj, name="north"):
    obj.vertex_groups.new(name=name).add(np.flatnonzero(north()).tolist(), 1.0, "REPLACE")


def paint_image(obj, name="north"):
    image = bpy.data.images.new(name, 64, 64, float_buffer=True, is_data=True)
    pixels = np.ones((64, 64, 4), np.float32)
    pixels[..., :3] = north(64, 64).reshape(64, 64, 1)
    pixels[..., 1] = 0.5  # the first channel counts
    image.pixels.foreach_set(pixels.ravel())


PAINTERS = [paint_attribute, paint_group, paint_image]


def wet(tmp_path, obj):
    """Return where the material shows any trace of water, by the outputs of the group of masks."""
    material = obj.active_material
    tree = material.node_tree
    masks, output = node(material, "Masks"), node(material, "Material Output")
    emission = tree.nodes.new("ShaderNodeEmission")
    parts = tree.nodes.new("ShaderNodeSeparateXYZ")
    tree.links.new(masks.outputs["Traces"], parts.inputs[0])
    both = tree.nodes.new("ShaderNodeMath")
    tree.links.new(parts.outputs[0], both.inputs[0])
    tree.links.new(masks.outputs["Water Depth"], both.inputs[1])
    tree.links.new(both.outputs[0], emission.inputs["Color"])
    tree.links.new(emission.outputs[0], output.inputs["Surface"])
    return picture(tmp_path, obj).max(axis=2)


def dry(obj):
    """Return where water is held back, None if nowhere."""
    attribute = obj.data.attributes.get("terrane_dry")
    if attribute is None:
        return None
    values = np.empty(len(obj.data.vertices), np.float32)
    attribute.data.foreach_get("value", values)
    return values


def modifiers_of(obj):
    """Return the modifiers of a terrain's list, which has a river in it."""
    known = module("noise_core").modifier_types()
    results = [layer for layer in obj.terrane.layers if layer.type in known]
    assert "stream_erosion" in [one.type for one in results]
    return results


@pytest.mark.slow
@pytest.mark.parametrize("paint", PAINTERS)
def test_water_is_where_the_painted_mask_lets_erosion_be(terrain, tmp_path, paint):
    entries = modifiers_of(terrain)
    paint(terrain)
    for entry in entries:
        entry.painted_mask = "north"
    bpy.ops.terrane.terrain_update()
    assert dry(terrain) is None, "no material of ours asks for it"
    add()
    np.testing.assert_allclose(dry(terrain)[: 30 * 65], 1.0, atol=1e-6)
    np.testing.assert_allclose(dry(terrain)[35 * 65 :], 0.0, atol=1e-6)
    shown = wet(tmp_path, terrain)
    half = len(shown) // 2
    # Row 0 of a picture is its bottom; beside the step the mask has a ramp.
    assert shown[: half - 2].max() < 1e-6 and np.quantile(shown[half + 2 :], 0.9) > 0.05
    for entry in entries:
        entry.painted_mask = ""
    bpy.ops.terrane.terrain_update()
    assert dry(terrain) is None and wet(tmp_path, terrain)[: half - 2].max() > 0.05


def live_update(obj):
    obj.terrane.seed += 1
    module("operators.bridge.tasks.live").update_now()


@pytest.mark.slow
@pytest.mark.parametrize("again", [lambda obj: bpy.ops.terrane.terrain_update(), live_update])
def test_what_is_dry_follows_the_mask_and_the_grid(terrain, again):
    entries = modifiers_of(terrain)
    add()
    assert dry(terrain) is None
    paint_group(terrain)
    for entry in entries:
        entry.painted_mask = "north"
    again(terrain)
    np.testing.assert_allclose(dry(terrain), 1.0 - north(), atol=1e-6)
    terrain.vertex_groups["north"].add(list(range(65 * 65)), 0.25, "REPLACE")
    again(terrain)
    np.testing.assert_allclose(dry(terrain), 0.75, atol=1e-4)
    terrain.terrane.resolution = 33
    again(terrain)
    assert len(terrain.data.vertices) == 33 * 33
    np.testing.assert_allclose(dry(terrain), 0.75, atol=1e-3)
    for entry in entries:
        entry.painted_mask = ""
    again(terrain)
    assert dry(terrain) is None


@pytest.mark.slow
def test_which_painted_masks_count(terrain):
    painted_layers = module("operators.bridge.nodetree.terrain_material.water").painted_layers

    def named(obj):
        return tuple(dict.fromkeys(layer.mask for layer in painted_layers(obj)))

    while len(terrain.terrane.layers):
        bpy.ops.terrane.layer_remove()
    assert named(terrain) == ()
    for kind in ("stream_erosion", "thermal_erosion", "fill_lakes"):
        bpy.ops.terrane.layer_add(type=kind)
    stream, thermal, lakes = terrain.terrane.layers
    stream.painted_mask = thermal.painted_mask = "a"
    assert named(terrain) == (), "lakes are everywhere"
    lakes.painted_mask = "b"
    assert named(terrain) == ("a", "b")
    add()
    assert dry(terrain) is None, "neither is there"
    paint_attribute(terrain, "a")
    values = terrain.data.attributes.new("b", "FLOAT", "POINT").data
    values.foreach_set("value", np.full(65 * 65, 0.5, np.float32))
    add()
    np.testing.assert_allclose(dry(terrain), np.where(north() == 1.0, 0.0, 0.5), atol=1e-6)
    lakes.muted = True
    assert named(terrain) == ("a",)
    thermal.solo = True
    assert named(terrain) == ()
    bpy.data.objects.remove(terrain)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8)
    assert named(bpy.context.object) == ()
    add()
    assert dry(bpy.context.object) is None


@pytest.mark.slow
def test_what_is_dry_is_stored_from_edit_mode_too(terrain):
    entries = modifiers_of(terrain)
    paint_group(terrain)
    for entry in entries:
        entry.painted_mask = "north"
    bpy.ops.terrane.terrain_update()
    bpy.ops.object.mode_set(mode="EDIT")
    add()
    bpy.ops.object.mode_set(mode="OBJECT")
    np.testing.assert_allclose(dry(terrain), 1.0 - north(), atol=1e-6)
