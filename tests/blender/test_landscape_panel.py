# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of a landscape's parts, drawn on a stand-in, and the effects of its buttons on the ground."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain


class Drawn:
    """Stands in for a layout: remembers operators and panels in order, and opens every panel."""

    def __init__(self):
        self.seen, self.texts = [], []

    def __getattr__(self, name):
        return lambda *arguments, **keywords: self

    def operator(self, name, **keywords):
        self.seen.append(name.removeprefix("terrane."))
        self.texts.append(keywords.get("text"))
        return self

    def panel(self, name, **keywords):
        assert keywords["default_closed"]
        self.seen.append(name)
        return self, self


def drawn():
    """Return the buttons and sections of the panel, in order."""
    return draw().seen


def draw():
    """Return a stand-in for a layout on which the panel has been drawn."""
    panel = module("ui.landscape").TERRANE_PT_landscape
    layout = Drawn()

    class Shown:
        """The panel, with the stand-in as its layout."""

    shown = Shown()
    shown.layout = layout
    panel.draw(shown, bpy.context)
    return layout


@pytest.fixture
def terrain(terrane):
    bpy.context.scene.world = None
    return add_terrain(preset="fjords", resolution=33)


ADDING = [
    *("terrain_material", "colors_add", "water_add", "surroundings_add", "sky_add", "camera_add"),
    *("cliffs_add", "scatter_add", "detail_patch_add"),
]
PANELS = ["ground", "water", "surroundings", "sky", "camera", "plants"]


def test_a_terrain_alone_has_a_button_for_each_part_from_the_ground_up(terrain):
    assert drawn() == ADDING


def test_a_world_of_the_users_can_be_replaced_from_the_panel(terrain):
    mine = bpy.context.scene.world = bpy.data.worlds.new("Mine")
    layout = draw()
    assert layout.seen == ADDING and "Replace World" in layout.texts
    assert layout.replace is True  # what the button gives the operator
    bpy.ops.terrane.sky_add(replace=True, cumulus=0.0)
    assert bpy.context.scene.world != mine and "Replace World" not in draw().texts
    bpy.ops.terrane.landscape_part_remove(part="sky")
    assert bpy.context.scene.world == mine


@pytest.mark.slow
def test_parts_that_are_there_are_closed_panels_in_the_same_order(terrane):
    bpy.context.scene.world = None
    bpy.ops.terrane.landscape_add(preset="fjords", resolution=33)
    seen = drawn()
    panels = [one for one in seen if one.startswith("TERRANE_") and "plants_" not in one]
    assert panels == [f"TERRANE_{name}" for name in PANELS]
    assert seen.count("landscape_part_remove") == len(PANELS) + 1  # the colors have no panel


def test_the_detail_patch_has_its_settings_in_the_panel(terrane):
    terrain = add_terrain(preset="alps", resolution=65, size=640.0)
    bpy.ops.terrane.camera_add()
    bpy.ops.terrane.detail_patch_add(patch_size=40.0, spacing=2.0)
    seen = drawn()
    assert seen[-5:] == [
        *("TERRANE_detail_patch", "detail_patch_add", "landscape_part_remove"),
        *("detail_patch_add", "landscape_remove"),
    ]
    group = bpy.context.scene.terrane_detail_patch
    assert (group.patch_size, group.spacing, group.roughness) == (40.0, 2.0, 1.0)
    patch = next(child for child in terrain.children if child.get("terrane_part") == "detail_patch")
    wide = np.ptp([vertex.co.x for vertex in patch.data.vertices])
    group.patch_size, group.roughness = 80.0, 0.0
    bpy.ops.terrane.detail_patch_add()  # the button in the header moves it alone
    assert np.ptp([vertex.co.x for vertex in patch.data.vertices]) == pytest.approx(wide, rel=0.2)
    group.patch_size, group.roughness = 80.0, 0.0
    bpy.ops.terrane.detail_patch_add(from_panel=True)
    wider = np.ptp([vertex.co.x for vertex in patch.data.vertices])
    assert wider == pytest.approx(2.0 * wide, rel=0.2)
    assert patch["terrane_roughness"] == 0.0


@pytest.mark.slow
def test_the_ground_is_removed_with_its_material_and_added_again(terrane):
    bpy.ops.terrane.landscape_add(preset="fjords", resolution=33)
    terrain, count = bpy.context.active_object, len(bpy.data.materials)
    bpy.ops.terrane.landscape_part_remove(part="ground")
    assert terrain.active_material is None and len(bpy.data.materials) == count - 1
    assert "TERRANE_ground" not in drawn()
    bpy.ops.terrane.terrain_material()
    assert terrain.active_material is not None and "TERRANE_ground" in drawn()


def test_a_material_of_the_users_stays_when_the_ground_is_removed(terrain):
    bpy.ops.terrane.terrain_material(mapping="none")
    mine = bpy.data.materials.new("Mine")
    terrain.data.materials.append(mine)
    bpy.ops.terrane.landscape_part_remove(part="ground")
    assert [slot.material for slot in terrain.material_slots] == [None, mine]


def test_removing_the_ground_puts_the_former_material_back(terrain):
    mine = bpy.data.materials.new("Mine")
    terrain.data.materials.append(mine)
    for _ in range(2):
        bpy.ops.terrane.terrain_material(mapping="none")
        assert terrain.active_material != mine
    bpy.ops.terrane.landscape_part_remove(part="ground")
    assert [slot.material for slot in terrain.material_slots] == [mine]
    assert not [key for key in terrain.keys() if key.startswith("terrane_replaced_")]


@pytest.mark.slow
def test_with_the_ground_go_its_nodes_and_images_and_undo_brings_them_back(terrane):
    bpy.context.scene.world = None
    kept = bpy.data.node_groups.new("Mine", "ShaderNodeTree")
    present_before = present()
    bpy.ops.terrane.terrain_add(preset="fjords", resolution=33)
    bpy.ops.terrane.terrain_material(detail_pixels=64)
    bpy.ops.ed.undo_push(message="ground")
    there = present()
    assert (
        len(there[0]) > len(present_before[0]) + 20 and len(there[1]) > len(present_before[1]) + 5
    )
    nodes = bpy.context.active_object.active_material.node_tree.nodes
    nodes.new("ShaderNodeGroup").node_tree = kept
    bpy.ops.terrane.landscape_part_remove(part="ground")
    assert present() == present_before and kept.users == 0
    bpy.ops.ed.undo_push(message="removed")
    bpy.ops.ed.undo()
    assert present() == there
    assert all(
        image.packed_file is not None for image in bpy.data.images if "terrane_detail" in image
    )


@pytest.mark.slow
def test_what_another_ground_shows_stays_when_one_is_removed(terrane):
    for place in (0.0, 100.0):
        bpy.context.scene.cursor.location.x = place
        bpy.ops.terrane.terrain_add(preset="alps", resolution=33)
        bpy.ops.terrane.terrain_material(detail_pixels=64)
    there, other = present(), bpy.context.active_object.active_material
    bpy.ops.terrane.landscape_part_remove(part="ground")
    assert present() == there
    shown = next(
        material
        for material in bpy.data.materials
        if material != other and "terrane_terrain" in material
    )
    assert shown.users == 1


def present():
    return [sorted(one.name for one in kind) for kind in (bpy.data.node_groups, bpy.data.images)]


@pytest.mark.slow
def test_the_panels_update_paints_no_water_under_the_mesh_of_water(terrane):
    bpy.ops.terrane.landscape_add(preset="fjords", resolution=33)
    tree = bpy.context.active_object.active_material.node_tree
    names_before = sorted(node.name for node in tree.nodes)
    bpy.ops.terrane.terrain_material(from_panel=True)
    assert sorted(node.name for node in tree.nodes) == names_before
    bpy.ops.terrane.landscape_part_remove(part="water")
    bpy.ops.terrane.terrain_material(from_panel=True)
    assert sorted(node.name for node in tree.nodes) != names_before


def test_a_terrains_ground_stands_in_one_place(terrain):
    panel = module("ui.material").TERRANE_PT_terrain_material
    assert not panel.poll(bpy.context)
    bpy.ops.mesh.primitive_grid_add()
    assert panel.poll(bpy.context)


@pytest.mark.parametrize("has_terrain", [False, True])
def test_a_landscape_can_be_added_from_the_panel_also_beside_a_terrain(terrane, has_terrain):
    if has_terrain:
        bpy.ops.terrane.terrain_add(preset="fjords", resolution=33)
    layout = Drawn()

    class Shown:
        """The panel, with the stand-in as its layout."""

    shown = Shown()
    shown.layout = layout
    module("ui.viewport").TERRANE_PT_terrain.draw(shown, bpy.context)
    assert "landscape_add" in layout.seen and "terrain_add" in layout.seen
    assert ("terrain_update" in layout.seen) == has_terrain
