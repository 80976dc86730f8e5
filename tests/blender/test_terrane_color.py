# SPDX-License-Identifier: GPL-3.0-or-later
"""The color attribute of terrains: as the material renders, as the thumbnail, never in the user's way."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain

NAME = "Terrane Color"
SIDE = 129


def colors_of(terrain):
    """Return the linear colors of the vertices, shape (rows, columns, 3)."""
    found = terrain.data.attributes[NAME]
    assert (found.data_type, found.domain) == ("BYTE_COLOR", "POINT")
    values = np.empty(len(found.data) * 4, np.float32)
    found.data.foreach_get("color", values)
    side = round(len(found.data) ** 0.5)
    return values.reshape(side, side, 4)[..., :3]


@pytest.fixture
def colored(terrane):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=SIDE)
    bpy.ops.terrane.colors_add()
    return bpy.context.active_object


def test_colors_are_active_and_rendered(colored):
    attributes = colored.data.attributes
    assert attributes.active_color_name == attributes.default_color_name == NAME
    assert np.ptp(colors_of(colored)) > 0.5


def test_the_users_own_colors_stay_the_active_ones(terrane):
    terrain = add_terrain(preset="alps", resolution=33)
    terrain.data.color_attributes.new("Mine", "FLOAT_COLOR", "POINT")
    bpy.ops.terrane.colors_add()
    attributes = terrain.data.attributes
    assert attributes.active_color_name == attributes.default_color_name == "Mine"
    assert NAME in attributes


def test_data_of_the_users_under_that_name_stays(terrane):
    terrain = add_terrain(preset="alps", resolution=33)
    terrain.data.attributes.new(NAME, "FLOAT", "FACE")
    with pytest.raises(RuntimeError, match="has other data of the name Terrane Color"):
        bpy.ops.terrane.colors_add()
    assert terrain.data.attributes[NAME].data_type == "FLOAT"
    assert "terrane_colors" not in terrain


@pytest.mark.slow
@pytest.mark.parametrize("how", ["landscape_add", "terrain_material", "terrain_add"])
def test_operators_color_terrains_unless_told_otherwise(terrane, how):
    bpy.context.scene.world = None
    usual = how != "terrain_add"  # which scripts call for its heights alone
    for value in (None, True, False):
        given = {} if value is None else {"colors": value}
        if how == "terrain_material":
            bpy.ops.terrane.terrain_add(preset="mesa", resolution=33)
            bpy.ops.terrane.terrain_material(mapping="none", **given)
        else:
            given |= {"new_terrain": True} if how == "landscape_add" else {}
            getattr(bpy.ops.terrane, how)(preset="mesa", resolution=33, **given)
        has_colors = NAME in bpy.context.active_object.data.attributes
        assert has_colors == (usual if value is None else value)


def test_a_mesh_that_is_no_terrain_has_a_material_alone(terrane):
    bpy.ops.mesh.primitive_grid_add()
    bpy.ops.terrane.terrain_material(mapping="none")
    obj = bpy.context.active_object
    assert obj.active_material is not None and not obj.data.color_attributes


def test_colors_go_without_a_trace(terrane):
    terrain = add_terrain(preset="alps", resolution=33)
    before = (list(terrain.keys()), list(terrain.data.keys()), terrain.data.attributes.keys())
    bpy.ops.terrane.colors_add()
    bpy.ops.terrane.landscape_part_remove(part="colors")
    assert (list(terrain.keys()), list(terrain.data.keys())) == before[:2]
    assert terrain.data.attributes.keys() == before[2]


@pytest.mark.slow
def test_colors_follow_the_heights_and_the_material(colored):
    first = colors_of(colored)
    bpy.ops.terrane.terrain_update(seed=9)
    second = colors_of(colored)
    assert np.abs(first - second).mean() > 0.02
    bpy.ops.terrane.terrain_material(mapping="none", palette="mars")
    third = colors_of(colored).mean(axis=(0, 1))
    assert third[0] > 1.5 * third[1] > 1.5 * third[2]
    bpy.ops.terrane.terrain_update(resolution=65)
    assert colors_of(colored).shape[0] == 65


def test_colors_follow_when_a_drag_ends(colored):
    live, first = module("operators.bridge.tasks.live"), colors_of(colored)
    colored.terrane.seed += 1
    live.update_now(is_preview=True)
    np.testing.assert_array_equal(colors_of(colored), first)
    live.update_now()
    assert np.abs(colors_of(colored) - first).mean() > 0.02


def test_removed_by_hand_they_do_not_come_back(colored):
    colored.data.attributes.remove(colored.data.attributes[NAME])
    bpy.ops.terrane.terrain_update(seed=9)
    assert NAME not in colored.data.attributes
    bpy.ops.terrane.colors_add()
    assert NAME in colored.data.attributes
    bpy.ops.terrane.terrain_update(seed=3)
    assert np.ptp(colors_of(colored)) > 0.3


@pytest.mark.wide
@pytest.mark.parametrize("preset", ["dunes", "moon", "canyon", "mesa"])
def test_no_snow_lies_where_none_falls(terrane, preset):
    bpy.ops.terrane.terrain_add(preset=preset, resolution=SIDE, colors=True)
    colors = colors_of(bpy.context.active_object)
    spread = np.ptp(colors, axis=-1) / colors.max(axis=-1)
    assert not ((colors.min(axis=-1) > 0.6) & (spread < 0.15)).any()


def test_snow_lies_on_the_alps(colored):
    colors = colors_of(colored)
    assert 0.05 < (colors.min(axis=-1) > 0.7).mean() < 0.6


def test_the_attribute_has_the_colors_of_the_thumbnail(colored):
    core = module("noise_core.materials.ground.colors")
    look = module("noise_core.landscapes.preset_library").preset("alps")
    plan = module("noise_core.pictures.thumbnail").plan_of(look.look)
    grid = look.recipe.grid(SIDE)
    relief = look.recipe.evaluate(grid)
    expected = np.moveaxis(core.land_colors(relief.height, grid, plan, relief.maps), 0, -1)
    np.testing.assert_allclose(colors_of(colored), expected, atol=0.012)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("preset", "side"),
    [
        *((name, SIDE) for name in ("alps", "mesa", "river_delta")),
        # Between a vertex with much snow and one without, more than half of the way is white.
        ("snowy_ridge", 2 * SIDE - 1),
        ("valley_road", 2 * SIDE - 1),
    ],
)
def test_the_material_renders_these_colors(terrane, preset, side, tmp_path):
    terrain = add_terrain(preset=preset, resolution=side)
    bpy.ops.terrane.terrain_material(mapping="none")
    rendered = _bake(terrain, side, tmp_path / "base.exr")
    core = module("noise_core.materials.ground.colors")
    core.expose(rendered)
    ours = np.moveaxis(colors_of(terrain), -1, 0)
    mean, expected = ours.mean(axis=(1, 2)), rendered.mean(axis=(1, 2))
    # The sheen of water is the picture's alone: see land_colors.
    np.testing.assert_allclose(mean, expected, rtol=0.05, atol=0.02)
    both = [one.mean(axis=0).ravel() for one in (ours, rendered)]
    assert np.corrcoef(both)[0, 1] > 0.75, "what is where differs"


def _bake(terrain, side, path):
    """Return the base color of a terrain's material from above, shape (3, rows, columns)."""
    tree = terrain.active_material.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    emission = tree.nodes.new("ShaderNodeEmission")
    tree.links.new(shader.inputs["Base Color"].links[0].from_socket, emission.inputs["Color"])
    output = tree.get_output_node("ALL")
    tree.links.new(emission.outputs[0], output.inputs["Surface"])
    scene, camera = bpy.context.scene, bpy.data.cameras.new("Above")
    camera.type, camera.ortho_scale = "ORTHO", terrain.terrane.size
    camera.clip_end = 1e6
    eye = bpy.data.objects.new("Above", camera)
    scene.collection.objects.link(eye)
    scene.camera, eye.location.z = eye, 5e4
    for obj in scene.objects:
        obj.hide_render = obj not in (terrain, eye)
    scene.render.engine, scene.cycles.samples = "CYCLES", 4
    scene.cycles.use_denoising, scene.cycles.max_bounces = False, 0
    scene.render.resolution_x = scene.render.resolution_y = side
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    pixels = np.array(image.pixels[:], np.float32).reshape(side, side, 4)[..., :3]
    return np.ascontiguousarray(np.moveaxis(pixels, -1, 0))


def viewport(color_type, **more):
    """Return a stand-in for a viewport of a new file, but for its color and further settings of its shading."""
    shading = {
        "color_type": color_type, "light": "STUDIO", "studio_light": "Default", "show_cavity": False,
        "show_object_outline": True, "curvature_ridge_factor": 1.0, "curvature_valley_factor": 1.0,
    }  # fmt: skip
    overlay = {"show_floor": True, "show_axis_x": True, "show_axis_y": True}
    return SimpleNamespace(
        shading=SimpleNamespace(**{**shading, **more}), overlay=SimpleNamespace(**overlay)
    )


def screen_of(context):
    return context.window.screen


def settings_of(view):
    return {**vars(view.shading), **vars(view.overlay)}


class Screen(dict):
    areas = ()


@pytest.fixture
def window(terrane, monkeypatch):
    """Return a context of a window with a usual viewport and one whose color the user has chosen."""
    viewports = module("operators.bridge.terrain.viewports")
    views = [viewport("MATERIAL"), viewport("OBJECT")]
    monkeypatch.setattr(viewports, "views", lambda context: views)
    screen = Screen()
    context = type("Context", (), {"window": type("Window", (), {"screen": screen})})
    return viewports, context, views


def test_solid_view_shows_colors_once_and_can_be_set_back(window):
    viewports, context, views = window
    befores = [settings_of(view) for view in views]
    assert viewports.show_colors(context)
    assert [view.shading.color_type for view in views] == ["VERTEX", "OBJECT"]
    assert views[0].shading.studio_light == "paint.sl"
    assert not (views[0].overlay.show_floor or views[0].overlay.show_axis_x)
    assert not views[0].shading.show_object_outline and settings_of(views[1]) == befores[1]
    views[0].shading.color_type = "MATERIAL"  # the user does not want it
    assert not viewports.show_colors(context) and views[0].shading.color_type == "MATERIAL"
    viewports.toggle_colors(context)
    assert {view.shading.color_type for view in views} == {"VERTEX"}
    assert viewports.shows_colors(context)
    viewports.toggle_colors(context)
    assert [settings_of(view) for view in views] == [befores[0], befores[0]]
    assert set(screen_of(context)) == {viewports._NOTED}


@pytest.mark.parametrize(
    ("name", "value"), [("studio_light", "rim.sl"), ("light", "MATCAP"), ("show_cavity", True)]
)
def test_what_the_user_has_set_in_a_viewport_stays(window, name, value):
    viewports, context, views = window
    views[:] = [viewport("MATERIAL", **{name: value})]
    before = settings_of(views[0])
    assert viewports.show_colors(context)
    assert getattr(views[0].shading, name) == value and views[0].shading.color_type == "VERTEX"
    viewports.toggle_colors(context)
    assert settings_of(views[0]) == before


def test_the_settings_of_viewports_are_blenders(terrane):
    """Their defaults are those of a new file, whose screens background mode has too."""
    viewports = module("operators.bridge.terrain.viewports")
    bpy.ops.wm.read_homefile(use_empty=False)
    areas = bpy.data.screens["Layout"].areas
    space = next(area.spaces.active for area in areas if area.type == "VIEW_3D")
    assert space.shading.cavity_type == "SCREEN"
    for part, name, plain, look in viewports._LOOK:
        settings = getattr(space, part)
        assert getattr(settings, name) == plain, name
        setattr(settings, name, look)
        assert getattr(settings, name) == look, name
        setattr(settings, name, plain)


def test_a_terrain_in_edit_mode_is_colored(terrane):
    bpy.ops.terrane.terrain_add(preset="alps", resolution=33)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.terrane.terrain_material(mapping="none")
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert np.ptp(colors_of(bpy.context.active_object)) > 0.3


@pytest.mark.wide
def test_beaches_lie_where_the_sea_is_a_mesh(terrane):
    bpy.context.scene.world = None
    bpy.ops.terrane.landscape_add(preset="island", resolution=SIDE, sky=False, camera=False)
    masks = bpy.context.active_object.active_material.node_tree.nodes["Terrane Masks"].inputs
    assert (masks["Shore"].default_value, masks["Sea"].default_value) == (1.0, 0.0)
    colors = colors_of(bpy.context.active_object)
    is_sand = (colors[..., 0] > 0.5) & (colors[..., 0] > 1.15 * colors[..., 2])
    points = np.empty(SIDE * SIDE * 3, np.float32)
    bpy.context.active_object.data.attributes["position"].data.foreach_get("vector", points)
    z = points[2::3].reshape(SIDE, SIDE)
    assert is_sand[(z > 0.0) & (z < 4.0)].mean() > 0.3 > 0.02 > is_sand[z > 60.0].mean()


@pytest.mark.slow
def test_water_is_not_white_beside_colors(terrane):
    bpy.context.scene.world = None
    bpy.ops.terrane.landscape_add(preset="island", resolution=65, water=False, ground=False)
    bpy.ops.terrane.water_add()
    bpy.ops.terrane.surroundings_add(kind="sea")
    wet = [obj for obj in bpy.context.scene.objects if "sea" in str(obj.get("terrane_part"))]
    wet += [obj for obj in bpy.context.scene.objects if obj.get("terrane_part") == "water"]
    assert len(wet) == 2
    for one in wet:
        for color in (one.color, one.active_material.diffuse_color):
            assert color[0] < color[2] < 0.4


@pytest.mark.slow
def test_mirror_images_of_water_have_its_color(terrane):
    """In some versions Solid view shows instances in the color of the object that has them."""
    bpy.context.scene.world = None
    bpy.ops.terrane.landscape_add(preset="island", resolution=65, ground=False)
    bpy.ops.terrane.surroundings_add(kind="mirror")
    images, water = (
        next(obj for obj in bpy.context.scene.objects if obj.get("terrane_part") == part)
        for part in ("surroundings", "water")
    )
    assert tuple(images.color) == tuple(water.color) == tuple(water.active_material.diffuse_color)
