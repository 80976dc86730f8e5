# SPDX-License-Identifier: GPL-3.0-or-later
"""A material holds the core's pixels, with color spaces and nodes; it lasts, and does not pile up."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import bpy
import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))

import node_studio

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, pixels


def add(**keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        status = bpy.ops.terrane.material_add(**{"width": 64, "height": 64, **keywords})
    assert status == {"FINISHED"}


def expected(key, rows=64, columns=64, seed=0, **values):
    """Return the textures of the core."""
    surfaces, grid = module("noise_core.materials.surfaces"), module("noise_core").Grid
    material = surfaces.surface(key, **values)
    where = grid(rows, columns, wrap=True, size=material.size)
    return material.textures(where, seed, tuple(surfaces.MAPS))


def nodes(material, kind):
    return [node for node in material.node_tree.nodes if node.bl_idname == kind]


def only(material, kind):
    (node,) = nodes(material, kind)
    return node


def source(socket):
    """Return the image that a socket is linked to."""
    node = socket.links[0].from_node
    return node.image.name


def principled(material):
    return only(material, "ShaderNodeBsdfPrincipled")


@pytest.fixture
def plane(terrane):
    bpy.ops.mesh.primitive_plane_add(size=2.0)
    return bpy.context.active_object


def test_nodes_and_color_spaces(plane):
    add(surface="granite")
    material = plane.active_material
    assert material.name == "Granite" and not material.use_fake_user
    shader = principled(material)
    assert source(shader.inputs["Base Color"]) == "Granite Base Color"
    assert source(shader.inputs["Roughness"]) == "Granite Roughness"
    normal = only(material, "ShaderNodeNormalMap")
    assert normal.space == "TANGENT" and source(normal.inputs["Color"]) == "Granite Normal"
    assert shader.inputs["Normal"].links[0].from_node == normal
    displacement = only(material, "ShaderNodeDisplacement")
    assert source(displacement.inputs["Height"]) == "Granite Height"
    assert displacement.inputs["Scale"].default_value == pytest.approx(expected("granite").depth)
    output = only(material, "ShaderNodeOutputMaterial")
    assert output.inputs["Displacement"].links[0].from_node == displacement
    assert output.inputs["Surface"].links[0].from_node == shader
    assert material.displacement_method == "DISPLACEMENT"
    images = {image.name: image for image in bpy.data.images}
    assert {name: image.colorspace_settings.name for name, image in images.items()} == {
        "Granite Base Color": "sRGB",
        "Granite Roughness": "Non-Color",
        "Granite Normal": "Non-Color",
        "Granite Height": "Non-Color",
    }
    assert {name for name, image in images.items() if image.is_float} == {
        "Granite Normal",
        "Granite Height",
    }
    assert all(image.packed_file and not image.is_dirty for image in images.values())
    for node in nodes(material, "ShaderNodeTexImage"):
        assert node.extension == "REPEAT"
        assert node.inputs["Vector"].links[0].from_node.bl_idname == "ShaderNodeMapping"


def test_pixels_are_those_of_the_core(plane):
    add(surface="cracked_mud", seed=5, width=96, maps={"base_color", "normal", "height", "cavity"})
    wanted = expected("cracked_mud", 64, 96, 5)
    images = bpy.data.images
    encode = module("noise_core.materials.colors").linear_to_srgb
    color = pixels(images["Cracked Mud Base Color"])
    np.testing.assert_allclose(color[..., :3], encode(wanted["base_color"]), atol=0.5 / 255 + 1e-5)
    cavity = pixels(images["Cracked Mud Cavity"])
    np.testing.assert_allclose(cavity[..., 1], wanted["cavity"], atol=0.5 / 255 + 1e-5)
    height = pixels(images["Cracked Mud Height"])
    np.testing.assert_array_equal(height[..., 0], wanted["height"])
    np.testing.assert_array_equal(height[..., 3], 1.0)
    normal = pixels(images["Cracked Mud Normal"])
    np.testing.assert_array_equal(normal[..., :3], wanted.encode("normal"))


def test_floats_are_linear_and_exact(plane):
    add(surface="granite", storage="float")
    image = bpy.data.images["Granite Base Color"]
    assert image.is_float and image.colorspace_settings.name == "Linear Rec.709"
    np.testing.assert_array_equal(pixels(image)[..., :3], expected("granite")["base_color"])


SOCKETS = {
    "base_color": "Base Color",
    "roughness": "Roughness",
    "metallic": "Metallic",
    "emission": "Emission Color",
    "opacity": "Alpha",
}


@pytest.mark.slow
def test_what_is_the_same_everywhere_needs_no_image(plane):
    surfaces = module("noise_core.materials.surfaces")
    for key in surfaces.surface_names():
        add(surface=key, width=8, height=8)
        shader, one = principled(plane.active_material), surfaces.surface(key)
        wanted = {name for name in (*SOCKETS, "height") if one.constant(name) is None}
        wanted |= {"normal"} if "height" in wanted else set()  # what is flat points up
        assert len(nodes(plane.active_material, "ShaderNodeTexImage")) == len(wanted)
        for name, socket in SOCKETS.items():
            constant, own = one.constant(name), shader.inputs[socket]
            assert own.is_linked == (constant is None), f"{key}: {name}"
            if constant is not None:
                shown = np.ravel(own.default_value)[: len(constant)]
                np.testing.assert_allclose(shown, constant, atol=1e-6)
        is_dark = one.constant("emission") == (0.0, 0.0, 0.0)
        assert shader.inputs["Emission Strength"].default_value == (0.0 if is_dark else 1.0)


def seam_and_rest(values, axis):
    """Return the mean step across the seam, and the largest mean step across any other line."""
    steps = np.abs(values - np.roll(values, 1, axis))
    lines = steps.mean(axis=tuple(other for other in range(values.ndim) if other != axis))
    return lines[0], lines[1:].max()


def test_textures_tile(plane):
    add(surface="cracked_mud", seamless=False, width=512, height=512)
    seam, rest = seam_and_rest(pixels(bpy.data.images["Cracked Mud Height"]), 0)
    assert seam > rest, "what does not tile would not be seen"
    add(surface="cracked_mud", width=512, height=512)
    for name in ("Cracked Mud Height", "Cracked Mud Base Color"):
        for axis in (0, 1):
            seam, rest = seam_and_rest(pixels(bpy.data.images[name]), axis)
            assert seam <= rest, (name, axis)


def test_exposed_parameters(plane):
    add(surface="granite", parameters=json.dumps({"scale": 20, "color": [0.1, 0.5, 0.2]}))
    wanted = expected("granite", scale=20, color=(0.1, 0.5, 0.2))
    np.testing.assert_array_equal(
        pixels(bpy.data.images["Granite Height"])[..., 0], wanted["height"]
    )
    mean = wanted["base_color"].reshape(-1, 3).mean(axis=0)
    np.testing.assert_allclose(plane.active_material.diffuse_color[:3], mean, atol=1e-5)


def test_the_panels_settings(plane):
    group = bpy.context.scene.terrane_material
    group.surface, group.seed, group.width, group.height = "granite", 9, 48, 32
    group.surface_granite.scale = 17
    group.surface_granite.color = (0.2, 0.3, 0.4)
    group.mapping, group.scale = "object", 2.0
    assert bpy.ops.terrane.material_add(from_panel=True) == {"FINISHED"}
    wanted = expected("granite", 32, 48, 9, scale=17, color=(0.2, 0.3, 0.4))
    height = pixels(bpy.data.images["Granite Height"])
    np.testing.assert_array_equal(height[..., 0], wanted["height"])
    # A keyword wins over the panel.
    add(from_panel=True, parameters='{"scale": 30}', seed=1)
    wanted = expected("granite", 64, 64, 1, scale=30, color=(0.2, 0.3, 0.4))
    height = pixels(bpy.data.images["Granite Height"])
    np.testing.assert_array_equal(height[..., 0], wanted["height"])


def test_every_surface_has_settings_that_are_its_defaults(terrane):
    surfaces, group = module("noise_core.materials.surfaces"), bpy.context.scene.terrane_material
    read_values = module("operators.bridge.schema.values").read_values
    for key in surfaces.surface_names():
        material = surfaces.surface(key)
        values = read_values(
            getattr(group, f"surface_{key}"), material.parameters, material.settings
        )
        assert values == dict(material.settings)
        colors = {
            parameter.name
            for parameter in surfaces.surface(key).parameters
            if parameter.unit == "color"
        }
        properties = getattr(group, f"surface_{key}").bl_rna.properties
        assert {prop.identifier for prop in properties if prop.subtype == "COLOR"} == colors


def test_object_mapping(plane):
    add(surface="cracked_mud", mapping="object", scale=2.0)
    material = plane.active_material
    assert {node.projection for node in nodes(material, "ShaderNodeTexImage")} == {"BOX"}
    mapping = only(material, "ShaderNodeMapping")
    wanted = expected("cracked_mud")
    np.testing.assert_allclose(mapping.inputs["Scale"].default_value, 2.0 / wanted.size, rtol=1e-6)
    assert mapping.inputs["Vector"].links[0].from_socket.name == "Object"
    assert "Cracked Mud Normal" not in bpy.data.images
    assert not principled(material).inputs["Normal"].is_linked
    displacement = only(material, "ShaderNodeDisplacement")
    assert displacement.inputs["Scale"].default_value == pytest.approx(wanted.depth / 2.0)
    assert material.displacement_method == "BOTH"
    add(surface="cracked_mud", mapping="object", displacement=False)
    assert nodes(material, "ShaderNodeDisplacement") == []
    bump = only(material, "ShaderNodeBump")
    assert bump.inputs["Distance"].default_value == pytest.approx(wanted.depth)
    assert principled(material).inputs["Normal"].links[0].from_node == bump


@pytest.mark.parametrize("mapping", ["uv", "object"])
def test_the_layout_can_be_read(plane, mapping):
    add(surface="cracked_mud", mapping=mapping, occlusion=0.5)
    layout = module("operators.bridge.nodetree.layout")
    assert not list(node_studio.layout_faults(plane.active_material.node_tree, layout))


def test_size_and_depth_in_meters(plane):
    add(surface="cracked_mud", size=3.0)
    displacement = only(plane.active_material, "ShaderNodeDisplacement")
    wanted = expected("cracked_mud")
    deeper = wanted.depth * 3.0 / wanted.size
    assert displacement.inputs["Scale"].default_value == pytest.approx(deeper)
    add(surface="cracked_mud", depth=0.3)
    displacement = only(plane.active_material, "ShaderNodeDisplacement")
    assert displacement.inputs["Scale"].default_value == pytest.approx(0.3)
    steep = pixels(bpy.data.images["Cracked Mud Normal"])[..., 2].min()
    assert steep < wanted.encode("normal")[..., 2].min()


def test_a_tile_that_is_no_square_keeps_its_shape(plane):
    add(surface="granite", width=64, height=32, scale=3.0)
    mapping = only(plane.active_material, "ShaderNodeMapping")
    np.testing.assert_allclose(mapping.inputs["Scale"].default_value, (3.0, 6.0, 3.0))


def test_ambient_occlusion_darkens_the_color(plane):
    add(surface="cracked_mud", occlusion=0.75)
    mix = only(plane.active_material, "ShaderNodeMix")
    assert mix.data_type == "RGBA" and mix.blend_type == "MULTIPLY"
    assert mix.inputs[0].default_value == 0.75
    assert source(mix.inputs[6]) == "Cracked Mud Base Color"
    assert source(mix.inputs[7]) == "Cracked Mud Ambient Occlusion"
    assert principled(plane.active_material).inputs["Base Color"].links[0].from_node == mix


def test_adding_again_does_not_pile_up(plane):
    add(surface="granite")
    material = plane.active_material
    first, tree = sorted(bpy.data.images.keys()), len(material.node_tree.nodes)
    for seed in range(3):
        add(surface="granite", seed=seed)
    assert bpy.data.materials.keys() == ["Granite"] and plane.active_material == material
    assert sorted(bpy.data.images.keys()) == first and len(material.node_tree.nodes) == tree
    assert len(plane.material_slots) == 1
    add(surface="granite", mapping="object")
    assert "Granite Normal" not in bpy.data.images
    add(surface="granite", name="Floor")
    assert {"Granite", "Floor"} == set(bpy.data.materials.keys())
    assert plane.active_material.name == "Floor" and len(plane.material_slots) == 1


def test_what_is_the_users_stays(plane):
    theirs = bpy.data.materials.new("Granite")
    image = bpy.data.images.new("Granite Height", 4, 4)
    add(surface="granite")
    ours = plane.active_material
    assert ours != theirs and ours.name == "Granite.001" and image.size[0] == 4
    note = ours.node_tree.nodes.new("ShaderNodeValue")
    note.name = "Mine"
    ours["price"] = 5
    holder = bpy.data.materials.new("Holder")
    used = bpy.data.images["Granite.001 Base Color"]
    module("operators.bridge.datablocks.compat").node_tree(holder)
    holder.node_tree.nodes.new("ShaderNodeTexImage").image = used
    add(surface="granite", name="Granite.001", seed=3)
    assert plane.active_material == ours and ours["price"] == 5
    assert "Mine" in ours.node_tree.nodes
    follows = only(holder, "ShaderNodeTexImage").image
    assert follows == bpy.data.images["Granite.001 Base Color"]
    assert source(principled(ours).inputs["Base Color"]) == follows.name


def test_only_created(plane):
    add(surface="granite", apply=False)
    assert plane.active_material is None and len(plane.material_slots) == 0
    assert bpy.data.materials["Granite"].use_fake_user


def test_the_active_slot(plane):
    for name in ("One", "Two", "Three"):
        plane.data.materials.append(bpy.data.materials.new(name))
    plane.active_material_index = 1
    add(surface="granite")
    assert [material.name for material in plane.data.materials] == ["One", "Granite", "Three"]


def test_without_an_object(terrane):
    add(surface="granite")
    assert bpy.data.materials["Granite"].use_fake_user
    bpy.ops.object.empty_add()
    add(surface="granite")


def test_it_is_saved_and_loaded(plane, tmp_path):
    add(surface="cracked_mud", occlusion=1.0)
    before = {image.name: pixels(image) for image in bpy.data.images}
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert set(before) == set(bpy.data.images.keys()) and len(before) >= 4
    for name, values in before.items():
        np.testing.assert_array_equal(pixels(bpy.data.images[name]), values)
    again = module("operators.bridge.nodetree.surface_material").request_of(
        bpy.data.materials["Cracked Mud"]
    )
    assert (again.key, again.width) == ("cracked_mud", 64)


def test_undo_in_one_step(plane):
    name = plane.name
    add(surface="granite", seed=1)
    bpy.ops.ed.undo_push(message="first")
    first = pixels(bpy.data.images["Granite Height"])
    add(surface="granite", seed=2)
    bpy.ops.ed.undo_push(message="second")
    second = pixels(bpy.data.images["Granite Height"])
    assert (first != second).any()
    bpy.ops.ed.undo()
    np.testing.assert_array_equal(pixels(bpy.data.images["Granite Height"]), first)
    assert bpy.data.objects[name].active_material.name == "Granite"
    bpy.ops.ed.redo()
    np.testing.assert_array_equal(pixels(bpy.data.images["Granite Height"]), second)


@pytest.mark.parametrize("mapping", ["uv", "object"])
def test_cycles_renders_it(plane, mapping):
    values = {"surface": "cracked_mud", "occlusion": 0.5, "mapping": mapping}
    add(**values)
    scene = bpy.context.scene
    bpy.ops.object.camera_add(location=(0.0, 0.0, 2.0))
    scene.camera = bpy.context.active_object
    bpy.ops.object.light_add(type="SUN", rotation=(0.6, 0.2, 0.0))
    bpy.context.active_object.data.energy = 3.0
    scene.render.engine, scene.cycles.samples = "CYCLES", 4
    scene.cycles.use_denoising = False  # some builds go without
    scene.render.resolution_x = scene.render.resolution_y = 32
    scene.view_settings.view_transform = "Raw"
    path = bpy.app.tempdir + "render.exr"
    scene.render.image_settings.file_format, scene.render.filepath = "OPEN_EXR", path
    bpy.ops.render.render(write_still=True)
    shown = pixels(bpy.data.images.load(path))[8:24, 8:24, :3]
    assert np.isfinite(shown).all() and shown.min() >= 0.0
    # Clay is brown: a missing image would be pink, with no green at all.
    red, green, blue = shown.reshape(-1, 3).mean(axis=0)
    assert red > green > blue > 0.02
    assert shown[..., 1].std() > 0.005, "no cracks to be seen"


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"parameters": "{"}, "parameters must be JSON"),
        ({"parameters": "[1]"}, "parameters must be a JSON object"),
        ({"parameters": '{"sclae": 3}'}, "sclae"),
        ({"parameters": '{"scale": 1000}'}, "scale must be in"),
        ({"scale": 0.0}, "Material.scale must be in"),
        ({"width": 0}, "Material.width must be in"),
        ({"size": -1.0}, "Material.size must be in"),
        ({"depth": -0.5}, "Material.depth must be in"),
        ({"occlusion": 2.0}, "Material.occlusion must be in"),
    ],
)
def test_wrong_values_are_one_line(plane, keywords, message):
    with pytest.raises(RuntimeError, match=message) as caught:
        add(surface="granite", **keywords)
    assert len(str(caught.value).strip().splitlines()) == 1
    assert len(bpy.data.materials) == 0 and len(bpy.data.images) == 0


def test_an_unknown_surface(plane):
    with pytest.raises(TypeError, match="granit"):
        add(surface="granit")


def test_a_linked_object_is_refused(plane, tmp_path):
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = there.objects
    obj = bpy.data.objects[0]
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    with pytest.raises(RuntimeError, match="is linked from another file"):
        add(surface="granite")
    assert len(bpy.data.materials) == 0


# What is ours is found though it could not get its name, and what is another's is left alone.


def test_a_name_that_is_the_users_does_not_pile_up(plane):
    theirs = bpy.data.materials.new("Granite")
    for seed in range(3):
        add(surface="granite", seed=seed, width=8, height=8)
    assert set(bpy.data.materials.keys()) == {"Granite", "Granite.001"}
    assert len(bpy.data.images) == 4 and plane.active_material != theirs


def test_a_name_that_is_too_long_does_not_pile_up(plane):
    name = "Granite " * 40
    for seed in range(2):
        add(surface="granite", seed=seed, name=name, width=8, height=8)
    assert len(bpy.data.materials) == 1 and len(bpy.data.images) == 4


def test_what_was_renamed_was_set_aside(plane):
    add(surface="granite", width=8, height=8)
    kept = plane.active_material
    kept.name = "Kept"
    add(surface="granite", seed=1, width=8, height=8)
    assert plane.active_material != kept
    assert set(bpy.data.materials.keys()) == {"Kept", "Granite"}


def test_a_material_without_marks_of_its_name_is_found_by_it(plane):
    add(surface="granite", width=8, height=8)
    for one in (plane.active_material, *bpy.data.images):
        del one["terrane_asked"], one["terrane_given"]
    add(surface="granite", seed=1, width=8, height=8)
    assert bpy.data.materials.keys() == ["Granite"] and len(bpy.data.images) == 4


def test_one_image_in_two_of_our_nodes(plane):
    add(surface="granite", width=8, height=8)
    tree = plane.active_material.node_tree.nodes
    tree["Terrane roughness"].image = tree["Terrane base_color"].image
    add(surface="granite", width=8, height=8, seed=1)
    shader = principled(plane.active_material)
    assert source(shader.inputs["Base Color"]) == "Granite Base Color"
    assert source(shader.inputs["Roughness"]) == "Granite Roughness"
    assert len(bpy.data.images) == 4


def shown(material):
    return {node.name: node.image for node in nodes(material, "ShaderNodeTexImage")}


def test_another_material_of_ours_keeps_what_it_shows(plane):
    add(surface="granite", name="A", width=8, height=8)
    first = plane.active_material
    shown_before = shown(first)
    values = pixels(shown_before["Terrane roughness"])
    add(surface="granite", name="B", width=8, height=8)
    second = plane.active_material
    second.node_tree.nodes["Terrane roughness"].image = shown_before["Terrane roughness"]
    for seed in (1, 2):
        add(surface="granite", name="B", seed=seed, width=8, height=8)
        assert shown(first) == shown_before
    np.testing.assert_array_equal(pixels(shown_before["Terrane roughness"]), values)
    assert shown(second)["Terrane roughness"].name == "B Roughness"
    assert len(bpy.data.images) == 8


def test_a_copy_keeps_its_textures(plane):
    add(surface="granite", width=8, height=8)
    material = plane.active_material
    copy = material.copy()
    shown_before, recipe = shown(copy), copy["terrane_surface"]
    for seed in (1, 2):
        add(surface="granite", seed=seed, width=8, height=8)
    assert plane.active_material == material
    assert shown(copy) == shown_before and copy["terrane_surface"] == recipe
    assert set(shown(material).values()).isdisjoint(shown_before.values())
    assert len(bpy.data.images) == 8
    # Asked for by its name, it is made anew too, and what nobody shows any more is gone.
    add(surface="granite", name=copy.name, seed=3, width=8, height=8)
    assert plane.active_material == copy and len(bpy.data.images) == 8


def test_the_users_nodes_stay_linked_to_ours(plane):
    add(surface="granite", width=8, height=8)
    tree = plane.active_material.node_tree
    hue = tree.nodes.new("ShaderNodeHueSaturation")
    mix = tree.nodes.new("ShaderNodeMix")
    mix.data_type = "RGBA"
    color = tree.nodes["Terrane base_color"].outputs["Color"]
    tree.links.new(color, hue.inputs["Color"])
    tree.links.new(hue.outputs["Color"], mix.inputs[7])
    shader = principled(plane.active_material)
    tree.links.new(mix.outputs[2], shader.inputs["Base Color"])
    for mapping in ("uv", "object"):
        add(surface="granite", seed=1, width=8, height=8, mapping=mapping)
        shader = principled(plane.active_material)
        assert shader.inputs["Base Color"].links[0].from_socket == mix.outputs[2]
        assert hue.inputs["Color"].links[0].from_node.name == "Terrane base_color"
        assert len(hue.inputs["Color"].links) == 1


def drawing():
    """Add a Grease Pencil object; Blender 4.3 made another kind of it."""
    kinds = set(dir(bpy.ops.object))
    name = "gpencil_add" if "gpencil_add" in kinds else "grease_pencil_add"
    getattr(bpy.ops.object, name)(type="STROKE")
    return bpy.context.active_object


def test_grease_pencil_is_refused(terrane):
    obj = drawing()
    with pytest.raises(RuntimeError, match="is Grease Pencil, whose materials have no nodes"):
        add(surface="granite", width=8, height=8)
    assert not bpy.data.images and "Granite" not in bpy.data.materials
    add(surface="granite", width=8, height=8, apply=False)
    assert all(
        slot.material is None or slot.material.is_grease_pencil for slot in obj.material_slots
    )


def test_a_tile_has_its_size_in_meters_on_a_terrain(terrane):
    terrain = add_terrain(preset="rolling_hills", resolution=33, size=2000.0)
    add(surface="grass", scale=2.0)
    material, wanted = terrain.active_material, expected("grass").size
    scale = tuple(only(material, "ShaderNodeMapping").inputs["Scale"].default_value)
    np.testing.assert_allclose(scale[:2], 2.0 * 2000.0 / wanted, rtol=1e-6)
    terrain.scale.x = 0.5
    bpy.context.view_layer.update()
    add(surface="grass")
    scale = tuple(only(material, "ShaderNodeMapping").inputs["Scale"].default_value)
    np.testing.assert_allclose(scale[:2], (1000.0 / wanted, 2000.0 / wanted), rtol=1e-6)
    add(surface="grass", size=2000.0)  # as before: one tile over the terrain
    scale = tuple(only(material, "ShaderNodeMapping").inputs["Scale"].default_value)
    np.testing.assert_allclose(scale[:2], (0.5, 1.0), rtol=1e-6)


def test_a_surface_is_chosen_by_its_picture(terrane):
    group, browser = (
        bpy.context.scene.terrane_material,
        module("operators.bridge.textures.surface_browser"),
    )
    items = [item[0] for item in browser.picture_items()]
    assert items == ["AS_IT_IS", *module("noise_core.materials.surfaces").surface_names()]
    group.surface_picture = "snow"
    assert group.surface == group.surface_picture == "snow"
    group.surface_picture = "AS_IT_IS"
    assert group.surface == "snow"


def test_the_picture_follows_the_settings_and_makes_no_datablock(terrane, monkeypatch):
    browser = module("operators.bridge.textures.surface_browser")
    thumbnails = module("operators.bridge.interface.thumbnails")
    shown, group = [], bpy.context.scene.terrane_material
    monkeypatch.setattr(thumbnails, "show", lambda key, picture: shown.append(picture))
    group.surface = "snow"
    before = len(bpy.data.images), len(bpy.data.materials)
    browser.unregister()
    for seed in (1, 1, 2):
        group.seed = seed
        browser.follow(group, group.surface_snow)
    assert len(shown) == 2 and not np.array_equal(*shown)
    assert shown[0].shape == (256, 256, 3)
    group.surface_snow.drift = 1.0
    browser.follow(group, group.surface_snow)
    assert len(shown) == 3
    assert before == (len(bpy.data.images), len(bpy.data.materials))


def test_settings_of_a_surface_are_saved_and_undone_and_the_picture_follows(
    terrane, tmp_path, monkeypatch
):
    browser = module("operators.bridge.textures.surface_browser")
    asked = []
    # Not its placeholder in the browser, which undoing would empty.
    pictures = module("operators.bridge.tasks.pictures")
    monkeypatch.setattr(pictures, "draw", lambda key, work, show: asked.append(work.args))
    group = bpy.context.scene.terrane_material
    group.surface, group.size, group.packing, group.surface_snow.drift = "snow", 1.5, "orm", 0.75
    kept = {
        name: getattr(group, name) for name in ("surface", "size", "packing", "depth", "mapping")
    }
    path = str(tmp_path / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    group.surface, group.size, group.packing = "moss", 0.0, "single"
    bpy.ops.wm.open_mainfile(filepath=path)
    group = bpy.context.scene.terrane_material
    assert {name: getattr(group, name) for name in kept} == kept
    assert group.surface_snow.drift == 0.75
    bpy.ops.ed.undo_push(message="before")
    group.size, group.packing = 3.0, "single"
    bpy.ops.ed.undo_push(message="after")
    browser.unregister()
    browser.follow(group, group.surface_snow)
    bpy.ops.ed.undo()
    browser.unregister()
    group = bpy.context.scene.terrane_material
    browser.follow(group, group.surface_snow)
    assert [(key, values["drift"], size) for key, values, _, size in asked] == [
        ("snow", 0.75, 3.0),
        ("snow", 0.75, 1.5),
    ]
    assert bpy.context.scene.terrane_material.packing == "orm"
