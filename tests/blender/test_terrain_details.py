# SPDX-License-Identifier: GPL-3.0-or-later
"""Details of the ground suit their distance from the camera, and edges of layers break up."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.rendering import add_plane_with_camera, emit_color, render_linear

PIXELS = 128
RATIO = 4.37
APART = 2.0


@pytest.fixture
def plane(terrane):
    """A large plane with an empty material, and a camera that looks down on it."""
    return add_plane_with_camera()


def seen(tmp_path, plane, distance, samples=16):
    """Return a picture of the plane from above, shape (PIXELS, PIXELS), linear."""
    scene = bpy.context.scene
    plane.scale = (4.0 * distance,) * 3
    scene.camera.location = (0.31 * distance, 0.17 * distance, distance)
    scene.camera.data.clip_start, scene.camera.data.clip_end = 1e-3 * distance, 10.0 * distance
    scene.camera.data.angle = 0.5
    return render_linear(tmp_path, PIXELS, samples).mean(axis=-1)


def grain(picture):
    """Return the mean of the frequencies in a picture, in waves a pixel."""
    power = np.abs(np.fft.fft2(picture - picture.mean())) ** 2
    along = np.fft.fftfreq(PIXELS)
    frequency = np.hypot(*np.meshgrid(along, along))
    return float((power * frequency).sum() / power.sum())


def detailed(plane, **values):
    """Let the plane show the color of details; return their node."""
    details = module("operators.bridge.nodetree.terrain_material.details")
    tile_images = module("operators.bridge.nodetree.terrain_material.tile_images")
    core = module("noise_core.base.blocks")
    packed = tile_images.bake_tiles(["gravel"], 256)(core.unheard, lambda: False)["gravel"]
    groups = module("operators.bridge.nodetree.shared_groups")
    image = tile_images.write_image("gravel", 256, packed)
    group = details.find_or_create_group("gravel", 256, image, "top", groups.AlikeGroups())
    tree = plane.active_material.node_tree
    node = tree.nodes.new("ShaderNodeGroup")
    node.node_tree = group
    coordinates = tree.nodes.new("ShaderNodeNewGeometry")
    tree.links.new(coordinates.outputs["Position"], node.inputs["Position"])
    # Tiles are as large as pictures, or there would be no telling what is fine from what is coarse.
    for name, value in {"Apart": APART, **values}.items():
        node.inputs[name.replace("_", " ")].default_value = value
    emit_color(plane, node.outputs["Detail Color"])
    return node


def test_a_tile_is_baked_once(terrane, monkeypatch):
    tile_images = module("operators.bridge.nodetree.terrain_material.tile_images")
    core = module("noise_core.base.blocks")
    first, second = (
        tile_images.bake_tiles([name], 64)(core.unheard, lambda: False)
        for name in ("gravel", "moss")
    )
    assert first.keys() == {"gravel", "gravel relief"} and first["gravel"].shape == (64, 64)
    monkeypatch.setattr(tile_images, "tile", lambda *_: pytest.fail("it was baked again"))
    both = tile_images.bake_tiles(["gravel", "moss"], 64)(core.unheard, lambda: False)
    assert both == {**first, **second}


@pytest.mark.slow
def test_details_look_alike_from_near_and_from_afar(plane, tmp_path):
    detailed(plane, Size=5000.0, Smallest=0.01)
    results = [grain(seen(tmp_path, plane, 10.0 * RATIO**step)) for step in range(4)]
    assert max(results) < 1.15 * min(results)
    assert 0.02 < min(results)


@pytest.mark.slow
def test_a_terrain_may_be_as_wide_as_it_likes(plane, tmp_path):
    node = detailed(plane, Smallest=0.01)
    results = []
    for width in (1e3, 1e4, 1e5):
        node.inputs["Size"].default_value = width / 30.0
        results.append(grain(seen(tmp_path, plane, 30.0)))
    # Steps of the ladder lie differently; tiles of a tenth and of all of their size would be far off.
    assert max(results) < 1.6 * min(results)


def test_there_are_no_larger_tiles_than_told(plane, tmp_path):
    node = detailed(plane, Size=5.0, Smallest=1.0)
    distance = 5.0 * APART * RATIO
    coarse = grain(seen(tmp_path, plane, distance))
    node.inputs["Size"].default_value = 5000.0
    assert coarse > 1.5 * grain(seen(tmp_path, plane, distance))


def test_there_are_no_smaller_tiles_than_told(plane, tmp_path):
    node = detailed(plane, Size=5000.0, Smallest=20.0)
    coarse = grain(seen(tmp_path, plane, 20.0))
    node.inputs["Smallest"].default_value = 0.5
    assert coarse < 0.85 * grain(seen(tmp_path, plane, 20.0))


@pytest.mark.slow
@pytest.mark.parametrize("step", [2.5, 3.0])
def test_nothing_jumps_as_the_camera_moves(plane, tmp_path, step):
    """Where one copy takes the place of another, and elsewhere: all fade."""
    node = detailed(plane, Size=5000.0, Smallest=0.01)
    shown = []
    # As if the camera moved by some percent, but without that the picture moves.
    for apart in (APART * 1.02, APART / 1.02):
        node.inputs["Apart"].default_value = apart
        shown.append(seen(tmp_path, plane, APART * 5000.0 / RATIO**step))
    assert np.abs(shown[1] - shown[0]).mean() < 0.1 * shown[0].std()


def test_from_far_away_details_fade(plane, tmp_path):
    node = detailed(plane, Size=5.0, Smallest=1.0)
    node.inputs["Seen Up To"].default_value = 10.0
    np.testing.assert_allclose(seen(tmp_path, plane, 60.0, samples=4), 1.0, atol=0.01)


@pytest.fixture
def layer(plane):
    """A layer that covers a share of the plane's ground, half of it by default."""
    folder = "operators.bridge.nodetree.terrain_material"
    layers, land = (module(f"{folder}.{name}") for name in ("ground_layers", "ground_masks"))
    tree = plane.active_material.node_tree
    masks, node = (tree.nodes.new("ShaderNodeGroup") for _ in range(2))
    masks.node_tree = land.masks_group()
    masks.inputs["Width"].default_value = 1.0  # of the plane in its own axes
    node.node_tree = layers.layer_group()
    place = tree.nodes.new("ShaderNodeCombineXYZ")
    tree.links.new(place.outputs[0], node.inputs["Place"])
    tree.links.new(masks.outputs["Ribs"], node.inputs["Grain"])
    for name, value in {"Lowest": 0.0, "Height Fade": 1.0, "Ragged": 0.0, "Amount": 9.0}.items():
        node.inputs[name].default_value = value
    emit_color(plane, node.outputs["Mask"])

    def placed(height, broken):
        place.inputs[0].default_value = height
        node.inputs["Broken"].default_value = broken

    return placed


@pytest.mark.parametrize("height", [-0.2, 0.0, 0.2])
def test_broken_edges_cover_as_much_in_spots(layer, plane, tmp_path, height):
    layer(height, 0.0)
    whole = seen(tmp_path, plane, 100.0, samples=4)
    layer(height, 1.0)
    spots = seen(tmp_path, plane, 100.0, samples=4)
    assert whole.std() < 0.01 and 0.1 < whole.mean() < 0.9
    assert spots.mean() == pytest.approx(whole.mean(), abs=0.1)
    # All or nothing would differ from the mean by 0.4 to 0.5.
    assert spots.std() > 0.25


@pytest.mark.parametrize(("height", "share"), [(-0.6, 0.0), (0.6, 1.0)])
def test_what_is_whole_or_bare_stays_so(layer, plane, tmp_path, height, share):
    layer(height, 1.0)
    np.testing.assert_allclose(seen(tmp_path, plane, 100.0, samples=4), share, atol=1e-3)
