# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of a landscape's parts, drawn on a stand-in, and what its buttons do to the ground."""

from __future__ import annotations

import bpy
import pytest

from tests.blender.extension import module


class Drawn:
    """Stands in for a layout: remembers operators and panels in order, and opens every panel."""

    def __init__(self):
        self.seen = []

    def __getattr__(self, name):
        return lambda *arguments, **keywords: self

    def operator(self, name, **keywords):
        self.seen.append(name.removeprefix("terrane."))
        return self

    def panel(self, name, **keywords):
        assert keywords["default_closed"]
        self.seen.append(name)
        return self, self


def drawn():
    panel = module("ui.landscape").TERRANE_PT_landscape
    layout = Drawn()

    class Shown:
        """The panel, with the stand-in as its layout."""

    shown = Shown()
    shown.layout = layout
    panel.draw(shown, bpy.context)
    return layout.seen


@pytest.fixture
def terrain(terrane):
    bpy.context.scene.world = None
    bpy.ops.terrane.terrain_add(preset="fjords", resolution=33)
    return bpy.context.active_object


ADDING = [
    *("terrain_material", "colors_add", "water_add", "surroundings_add", "sky_add", "camera_add"),
    *("scatter_add", "detail_patch_add"),
]
PANELS = ["ground", "water", "surroundings", "sky", "camera", "plants"]


def test_a_terrain_alone_has_a_button_for_each_part_from_the_ground_up(terrain):
    assert drawn() == ADDING


def test_parts_that_are_there_are_closed_panels_in_the_same_order(terrane):
    bpy.context.scene.world = None
    bpy.ops.terrane.landscape_add(preset="fjords", resolution=33)
    seen = drawn()
    panels = [one for one in seen if one.startswith("TERRANE_") and "plants_" not in one]
    assert panels == [f"TERRANE_{name}" for name in PANELS]
    assert seen.count("landscape_part_remove") == len(PANELS) + 1  # the colors have no panel


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


def test_the_panels_update_paints_no_water_under_the_mesh_of_water(terrane):
    bpy.ops.terrane.landscape_add(preset="fjords", resolution=33)
    tree = bpy.context.active_object.active_material.node_tree
    before = sorted(one.name for one in tree.nodes)
    bpy.ops.terrane.terrain_material(from_panel=True)
    assert sorted(one.name for one in tree.nodes) == before
    bpy.ops.terrane.landscape_part_remove(part="water")
    bpy.ops.terrane.terrain_material(from_panel=True)
    assert sorted(one.name for one in tree.nodes) != before


def test_a_terrains_ground_stands_in_one_place(terrain):
    panel = module("ui.material").TERRANE_PT_terrain_material
    assert not panel.poll(bpy.context)
    bpy.ops.mesh.primitive_grid_add()
    assert panel.poll(bpy.context)
