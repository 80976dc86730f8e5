# SPDX-License-Identifier: GPL-3.0-or-later
"""Hexagonal tiles of an image: the formula, that nothing repeats, links, messages, undo, files."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.panels import shown_by
from tests.blender.rendering import emit_color, render_with_and_without
from tests.blender.test_near_ground import PIXELS, plane, rendered, repetition  # noqa: F401

SIDE = 64


def new_image(values, name="Photo", space="Non-Color"):
    """Return an image of floats, shape (rows, columns, 3)."""
    rows, columns = values.shape[:2]
    image = bpy.data.images.new(name, columns, rows, float_buffer=True)
    image.colorspace_settings.name = space
    pixels = np.ones((rows, columns, 4), np.float32)
    pixels[..., :3] = values
    image.pixels.foreach_set(pixels.ravel())
    image.pack()
    return image


@pytest.fixture
def photo(terrane):
    """Return a seamless image of few soft waves, another one in each channel."""
    y, x = np.mgrid[:SIDE, :SIDE] * (2.0 * np.pi / SIDE)
    waves = (np.sin(x + 1.0) * np.cos(y), np.sin(2.0 * x - y), np.cos(x + 2.0 * y + 0.5))
    return new_image(0.5 + 0.3 * np.stack(waves, axis=-1))


@pytest.fixture
def speckled(terrane):
    """Return a seamless image of random dots, which shows each repetition."""
    rng = np.random.default_rng(5)
    dots = np.repeat(rng.random((SIDE // 4, SIDE // 4, 1)) ** 3.0, 3, axis=2)
    return new_image(dots.repeat(4, axis=0).repeat(4, axis=1), "Speckled")


def add(plane, **keywords):  # noqa: F811
    """Add the group to the plane's material; return its node."""
    assert bpy.ops.terrane.hex_tiling_add(**keywords) == {"FINISHED"}
    return plane.active_material.node_tree.nodes.active


def seen(plane, tmp_path, source):  # noqa: F811
    """Return the colors of an output at the middles of pixels."""
    tree = plane.active_material.node_tree
    for one in [one for one in tree.nodes if one.type == "OUTPUT_MATERIAL"]:
        tree.nodes.remove(one)
    emit_color(plane, source)
    cycles = bpy.context.scene.cycles
    cycles.pixel_filter_type, cycles.filter_width = "GAUSSIAN", 0.01
    return rendered(tmp_path, samples=1)


# --- the formula ----------------------------------------------------------------------------------


def _rotated(x, bits):
    return (x << np.uint32(bits)) | (x >> np.uint32(32 - bits))


def _hash(*keys):
    """Return Bob Jenkins's hash of three or four floats as Blender has it, from 0 to 1."""
    first = np.uint32((0xDEADBEEF + (len(keys) << 2) + 13) & 0xFFFFFFFF)
    x, y, z, *rest = (np.asarray(one, np.float32).view(np.uint32) for one in keys)
    a, b, c = x + first, y + first, z + first
    for fourth in rest:
        for bits in (4, 6, 8, 16, 19, 4):
            a = (a - c) ^ _rotated(c, bits)
            c = c + b
            a, b, c = b, c, a
        a = a + fourth
    for bits in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - _rotated(b, bits)
        a, b, c = b, c, a
    # Seven turns of the three names: the last one that was changed stands in b.
    return b.astype(np.float64) / 0xFFFFFFFF


def _bilinear(pixels, x, y):
    rows, columns = pixels.shape[:2]
    x, y = x * columns - 0.5, y * rows - 0.5
    left, low = np.floor(x).astype(int), np.floor(y).astype(int)
    u, v = (x - left)[..., np.newaxis], (y - low)[..., np.newaxis]
    (a, b), (c, d) = (
        [pixels[(low + up) % rows, (left + on) % columns] for on in (0, 1)] for up in (0, 1)
    )
    return (a * (1.0 - u) + b * u) * (1.0 - v) + (c * (1.0 - u) + d * u) * v


def reference(pixels, x, y, seed=0.0, turn=1.0, rows=1.7, sharpness=6.0, room=1.0):
    """Return the colors of the group at places in widths of the image."""
    skew = 3.0**-0.5
    across, up = x * rows - skew * y * rows, 2.0 * skew * y * rows
    column, row = np.floor(across), np.floor(up)
    right, above = across - column, up - row
    upper = right + above > 1.0
    corners = (
        (column + upper, row + upper, np.abs(1.0 - right - above)),
        (column + 1.0, row, np.where(upper, 1.0 - above, right)),
        (column, row + 1.0, np.where(upper, 1.0 - right, above)),
    )
    mean, total, square, blended = pixels.mean(axis=(0, 1)), 0.0, 0.0, 0.0
    for i, j, hat in corners:
        weight = np.maximum(hat, 1e-4) ** sharpness
        key = (i, j, np.full_like(i, seed))
        chance = [_hash(*key), _hash(*key, np.full_like(i, 1.0)), _hash(*key, np.full_like(i, 2.0))]
        angle = (chance[0] - 0.5) * turn * 2.0 * np.pi
        off_x, off_y = x - (i + 0.5 * j) / rows, y - j * 0.5 / skew / rows
        turned = (
            off_x * np.cos(angle) - off_y * np.sin(angle),
            off_x * np.sin(angle) + off_y * np.cos(angle),
        )
        at = [one + (move - 0.5) * room + 0.5 for one, move in zip(turned, chance)]
        blended = blended + weight[..., np.newaxis] * (_bilinear(pixels, *at) - mean)
        total, square = total + weight, square + weight**2
    # The sum of the weights is 1, and the blend is divided by their length: both at once.
    return np.clip(blended / np.sqrt(square)[..., np.newaxis] + mean, *_range(pixels))


def _range(pixels):
    return pixels.min(axis=(0, 1)), pixels.max(axis=(0, 1))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"seed": 5, "turn": 0.25, "rows": 2.5, "sharpness": 3.0},
        {"seamless": False, "rows": 2.0},
    ],
)
def test_the_nodes_show_the_formula(plane, photo, tmp_path, changes):  # noqa: F811
    node = add(plane, image="Photo", tile_size=0.3, **changes)
    shown = seen(plane, tmp_path, node.outputs["Color"])
    pixels = np.array(photo.pixels[:]).reshape(SIDE, SIDE, 4)[..., :3]
    y, x = (np.mgrid[:PIXELS, :PIXELS] + 0.5) / PIXELS / 0.3
    numbers = {name: float(one) for name, one in changes.items() if name != "seamless"}
    if "seamless" in changes:
        numbers["room"] = 1.0 - 1.5 / 2.0
    off = np.abs(shown - reference(pixels, x, y, **numbers)).max(axis=-1)
    assert np.median(off) < 1e-3 and np.quantile(off, 0.995) < 0.01


def test_nothing_repeats_and_the_contrast_stays(plane, speckled, tmp_path):  # noqa: F811
    node = add(plane, image="Speckled", tile_size=0.25)
    shown = seen(plane, tmp_path, node.outputs["Color"])
    tree = plane.active_material.node_tree
    plain = tree.nodes.new("ShaderNodeTexImage")
    plain.image = speckled
    mapping = tree.nodes.new("ShaderNodeMapping")
    mapping.inputs["Scale"].default_value = (4.0,) * 3
    tree.links.new(node.inputs["Vector"].links[0].from_socket, mapping.inputs["Vector"])
    tree.links.new(mapping.outputs[0], plain.inputs["Vector"])
    usual = seen(plane, tmp_path, plain.outputs["Color"])
    assert repetition(usual, 32) > 0.9 and repetition(shown, 32) < 0.25
    assert shown.mean() == pytest.approx(usual.mean(), abs=0.03)
    assert shown.std() == pytest.approx(usual.std(), rel=0.1)
    pale = seen(plane, tmp_path, _with(node, Contrast=0.0).outputs["Color"])
    assert pale.std() < 0.95 * shown.std()


def _with(node, **values):
    for name, value in values.items():
        node.inputs[name].default_value = value
    return node


def slope_map(name="Bent"):
    """Return a normal map that leans along X everywhere."""
    return new_image(np.full((8, 8, 3), (0.8, 0.5, 0.9), np.float32), name)


def test_normals_turn_with_the_texture_and_with_its_tiles(plane, tmp_path):  # noqa: F811
    slope_map()
    node = add(plane, image="Bent", content="normal", turn=0.0, rotation=90.0, tile_size=0.4)
    shown = seen(plane, tmp_path, node.outputs["Color"])
    np.testing.assert_allclose(np.median(shown, axis=(0, 1)), (0.5, 0.8, 0.9), atol=0.01)
    node = _with(node, Turn=1.0, Rotation=0.0)
    flat = seen(plane, tmp_path, node.outputs["Color"])[..., :2] * 2.0 - 1.0
    assert np.median(np.linalg.norm(flat, axis=-1)) == pytest.approx(0.6, abs=0.02)
    assert flat.min() < -0.4 and flat.max() > 0.4


# --- where it goes --------------------------------------------------------------------------------


def textured(plane, image):  # noqa: F811
    """Give the plane a material with an Image Texture, mapped and linked; return the node."""
    tree = plane.active_material.node_tree
    nodes = {kind: tree.nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "Mapping", "TexImage", "BsdfPrincipled")}  # fmt: skip
    tree.links.new(nodes["TexCoord"].outputs["UV"], nodes["Mapping"].inputs["Vector"])
    tree.links.new(nodes["Mapping"].outputs["Vector"], nodes["TexImage"].inputs["Vector"])
    for ours, theirs in (("Color", "Base Color"), ("Alpha", "Alpha")):
        tree.links.new(nodes["TexImage"].outputs[ours], nodes["BsdfPrincipled"].inputs[theirs])
    nodes["TexImage"].image, nodes["TexImage"].interpolation = image, "Cubic"
    tree.nodes.active = nodes["TexImage"]
    return nodes["TexImage"]


def test_it_takes_the_place_of_the_active_image_texture(plane, photo):  # noqa: F811
    old = textured(plane, photo)
    node = add(plane)
    links = {
        (one.from_node.type, one.to_node.type, one.to_socket.name) for one in node.id_data.links
    }
    assert links == {
        ("TEX_COORD", "MAPPING", "Vector"),
        ("MAPPING", "TEX_IMAGE", "Vector"),
        ("MAPPING", "GROUP", "Vector"),
        ("GROUP", "BSDF_PRINCIPLED", "Base Color"),
        ("GROUP", "BSDF_PRINCIPLED", "Alpha"),
    }
    assert old.image == photo and not old.outputs["Color"].is_linked
    copies = [one for one in node.node_tree.nodes if one.type == "TEX_IMAGE"]
    assert [(one.image, one.interpolation) for one in copies] == [(photo, "Cubic")] * 3


def test_a_texture_of_a_normal_map_node_holds_normals(plane):  # noqa: F811
    image = slope_map()
    tree, old = plane.active_material.node_tree, textured(plane, image)
    bend = tree.nodes.new("ShaderNodeNormalMap")
    tree.links.new(old.outputs["Color"], bend.inputs["Color"])
    node = add(plane)
    assert "Normal" in node.outputs and bend.inputs["Color"].links[0].from_node == node


def test_an_object_without_material_is_given_one(terrane, photo):
    bpy.ops.mesh.primitive_plane_add()
    thing = bpy.context.active_object
    node = add(thing, image="Photo", mapping="object", tile_size=3.0)
    assert thing.active_material.name == "Photo"
    shader = node.outputs["Color"].links[0].to_node
    assert shader.type == "BSDF_PRINCIPLED" and node.inputs["Tile Size"].default_value == 3.0
    assert node.inputs["Vector"].links[0].from_socket.name == "Object"
    other = add(thing, image="Photo")
    assert other.node_tree == node.node_tree, "one group shows an image"


def test_the_panel_gives_its_settings(plane, photo):  # noqa: F811
    textured(plane, photo)
    bpy.context.scene.terrane_hex_tiling.turn = 0.0
    assert add(plane, from_panel=True).inputs["Turn"].default_value == 0.0


def test_the_panels_show_every_setting(terrane):
    declared = {one.name for one in module("operators.bridge.textures.node_settings").HEX_TILING}
    wanted = {("TERRANE_PG_hex_tiling", one) for one in declared} | {"terrane.hex_tiling_add"}
    found = [
        one for key, one in vars(module("ui.image_editor")).items() if key.endswith("_hex_tiling")
    ]
    assert [shown_by(cls) for cls in found] == [wanted] * 2


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({}, "There is no image: make an Image Texture active, or name an image"),
        ({"image": "Nothing"}, "image must name an image; got 'Nothing'"),
        ({"image": "Lost"}, "has no pixels"),
        ({"image": "Tiles"}, "has tiles, frames or views"),
        ({"image": "Photo", "tile_size": -1.0}, "HexTiling.tile_size must be in"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_line(plane, photo, keywords, message):  # noqa: F811
    bpy.data.images.new("Lost", 8, 8).source = "FILE"
    bpy.data.images.new("Tiles", 8, 8, tiled=True)
    with pytest.raises(RuntimeError, match=message) as told:
        bpy.ops.terrane.hex_tiling_add(**keywords)
    assert len(str(told.value).strip().splitlines()) == 1
    assert not plane.active_material.node_tree.nodes and not bpy.data.node_groups


def test_a_linked_material_is_refused(plane, photo, linked):  # noqa: F811
    textured(plane, photo)
    linked(plane)
    new_image(np.zeros((4, 4, 3)), "Own")
    with pytest.raises(RuntimeError, match="is linked from another file: make it local"):
        bpy.ops.terrane.hex_tiling_add(image="Own")


def test_undo_takes_it_away(plane, photo):  # noqa: F811
    textured(plane, photo)
    name = plane.name
    bpy.ops.ed.undo_push(message="before")
    add(plane)
    bpy.ops.ed.undo_push(message="hex")
    bpy.ops.ed.undo()
    tree = bpy.data.objects[name].active_material.node_tree
    assert not [one for one in tree.nodes if one.type == "GROUP"] and not bpy.data.node_groups
    assert next(one for one in tree.nodes if one.type == "TEX_IMAGE").outputs["Color"].is_linked


@pytest.mark.slow
def test_a_saved_file_shows_the_same_without_terrane(plane, photo, tmp_path):  # noqa: F811
    node = add(plane, image="Photo", tile_size=0.3)
    emit_color(plane, node.outputs["Color"])
    seen_with, seen_without = render_with_and_without(tmp_path)
    assert seen_with.std() > 0.05
    np.testing.assert_array_equal(seen_with, seen_without)
