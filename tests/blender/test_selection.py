# SPDX-License-Identifier: GPL-3.0-or-later
"""What is selected decides the panels: each state is drawn on a stand-in for a layout, and its fields are counted."""

from __future__ import annotations

import bpy
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, part
from tests.blender.panels import EditorContext, FirstLayout, fields_of, panels_of

BOX = ["noise", "fractal", "seed", "octaves", "frequency", "persistence", "warp"]
"""The fields of noise in the order of the keywords of scripts."""

MOST = 14
"""Fields that a user may meet on the first screen."""

LAST = 3
"""Order of the panels below the first screen, `ui.sections.LAST`."""


PARTS = {
    "water": "water", "open_sea": "water", "land": "surroundings", "surroundings": "surroundings",
    "base": "surroundings", "sun": "sky", "camera": "camera", "plants": "plants",
    "detail_patch": "detail_patch", "cliffs": "cliffs",
}  # fmt: skip
"""Parts by the marks of their objects."""

FIRST = {
    "water": "sea", "surroundings": "kind", "sky": "sun_elevation", "camera": "terrane.camera_add",
    "plants": "group_size", "detail_patch": "patch_size", "cliffs": "steepness",
}  # fmt: skip
"""The first of their fields."""


def nothing():
    bpy.context.view_layer.objects.active = None


def plain_mesh():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4)


def terrain():
    add_terrain(preset="alps", resolution=17)


def mesh_terrain():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8)
    bpy.ops.terrane.terrain_from_mesh()


def planet():
    bpy.ops.terrane.planet_add(resolution=8)


def sea_of_a_planet():
    planet()
    bpy.context.view_layer.objects.active = part("planet_sea", bpy.context.active_object)


STATES = [nothing, plain_mesh, terrain, mesh_terrain, planet, sea_of_a_planet]


def box_of(shown):
    """Return the fields of noise among all that is shown, in order."""
    first = next(place for place, (_, name) in enumerate(shown) if name == BOX[0])
    return [name for _, name in shown[first : first + len(BOX)]]


def seeds_in(shown):
    return [name for label, name in shown if label == "Seed"]


@pytest.mark.parametrize("state", STATES)
def test_the_same_box_and_one_seed_in_every_state_of_the_viewport(terrane, state):
    state()
    context = EditorContext()
    assert box_of(fields_of(context, FirstLayout)) == BOX
    assert seeds_in(fields_of(context)) == ["seed"]


@pytest.mark.parametrize("state", [nothing, plain_mesh, terrain, mesh_terrain])
def test_the_first_screen_is_short(terrane, state):
    """Above the layers there are few fields, the box of noise among them; the window test sees that they fit."""
    state()
    context = EditorContext()
    first = [panel for panel in panels_of(context) if getattr(panel, "bl_order", 0) < LAST]
    shown = [name for _, name in fields_of(context, FirstLayout, first)]
    assert len(shown) <= MOST and set(BOX) < set(shown), shown


@pytest.mark.slow
def test_a_selected_part_comes_first(terrane):
    bpy.context.scene.world = None
    bpy.ops.terrane.landscape_add(preset="coast", resolution=65)
    land = bpy.context.active_object
    bpy.ops.terrane.detail_patch_add(patch_size=2000.0, spacing=100.0)
    marked = {obj.get("terrane_part"): obj for obj in bpy.context.scene.objects}
    assert PARTS.keys() - {"surroundings", "base"} <= marked.keys()
    for mark, name in PARTS.items():
        if mark not in marked:
            continue
        bpy.context.view_layer.objects.active = marked[mark]
        context = EditorContext()
        shown = fields_of(context)
        assert [panel.__name__ for panel in panels_of(context)][0] == "TERRANE_PT_part", mark
        assert module("ui.landscape").selected_part(context).name == name
        assert seeds_in(shown) == ["seed"], mark
        assert box_of(shown) == BOX, mark
        assert shown[0][1] == FIRST[name], (mark, shown[:4])
    bpy.context.view_layer.objects.active = land
    assert "TERRANE_PT_part" not in [panel.__name__ for panel in panels_of(EditorContext())]


@pytest.mark.parametrize("kind", ["noise", "coloring", "surface"])
@pytest.mark.parametrize("has_image", [False, True])
def test_the_image_editor_shows_the_box_for_noise_and_one_seed(terrane, kind, has_image):
    image = None
    if has_image:
        bpy.ops.terrane.image_new(width=16, height=16)
        image = bpy.data.images[-1]
    context = EditorContext("IMAGE_EDITOR", image)
    options = module("operators.bridge.schema.state").active_settings(context).image_options
    options.kind = kind
    shown = fields_of(context)
    assert seeds_in(shown) == ["seed"]
    if kind == "noise":
        assert box_of(shown) == BOX
    if kind == "surface":
        assert "octaves" not in [name for _, name in shown]
