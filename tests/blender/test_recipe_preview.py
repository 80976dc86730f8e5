# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of the settings: its contents, its constant memory, and that it is not saved.

That it follows the sliders takes a window: see tests/gui/run_pictures.py.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module


def collection():
    return module("operators.bridge.interface.thumbnails")._collection


def drawn(kind: str = "VIEW_3D") -> np.ndarray:
    pictures = module("operators.bridge.textures.recipe_pictures")
    settings = module("operators.bridge.schema.state").active_settings(bpy.context)
    work = pictures.work(pictures.order_of(bpy.context, settings), 256)
    picture = module("operators.bridge.tasks.jobs").at_once(work)
    module("operators.bridge.interface.thumbnails").show(f"settings {kind}", picture)
    preview = collection()[f"settings {kind}"]
    assert tuple(preview.image_size) == (256, 256)
    return np.array(preview.image_pixels_float[:]).reshape(256, 256, 4)


@pytest.mark.slow
def test_it_shows_the_settings(terrane):
    bpy.ops.terrane.preset_load(preset="island")
    island = drawn()
    assert island[4, 4, 2] > island[4, 4, 0], "the sea"
    assert island[128, 128, 1] > island[128, 128, 2], "woods"
    bpy.context.scene.terrane.seed += 1
    assert abs(drawn() - island).max() > 0.2
    bpy.context.scene.terrane.seed -= 1
    assert np.array_equal(drawn(), island)


@pytest.mark.slow
def test_the_sea_stays_when_a_terrain_is_resized(terrane):
    bpy.ops.terrane.preset_load(preset="island")
    drawn_before, group = drawn(), bpy.context.scene.terrane
    group.size, group.height = group.size / 4.0, group.height / 4.0
    # Cliffs and beaches have heights in meters: they are others on smaller land, as on a tenth of the picture.
    assert abs(drawn() - drawn_before).mean() < 0.03


@pytest.mark.slow
def test_it_shows_the_active_terrain(terrane):
    bpy.ops.terrane.preset_load(preset="none")
    plain = drawn()
    bpy.ops.terrane.terrain_add(preset="dunes", resolution=9)
    dunes = drawn()
    assert abs(dunes - plain).max() > 0.2
    bpy.context.view_layer.objects.active = None
    assert np.array_equal(drawn(), plain)


@pytest.mark.slow
def test_layers_that_are_left_out_are_not_seen(terrane):
    bpy.ops.terrane.preset_load(preset="alps")
    eroded, group = drawn(), bpy.context.scene.terrane
    assert np.array_equal(drawn(), eroded)
    group.layers[1].solo = True
    alone = drawn()
    assert not np.array_equal(alone, eroded)
    group.layers[1].solo = False
    assert np.array_equal(drawn(), eroded)


def test_two_hundred_pictures_take_the_room_of_one(terrane):
    bpy.ops.terrane.preset_load(preset="none")
    drawn_before = drawn()
    count, images = len(collection()), len(bpy.data.images)
    group = bpy.context.scene.terrane
    for seed in range(200):
        group.seed = seed
        module("operators.bridge.interface.thumbnails").show(
            "settings VIEW_3D", drawn_before[..., :3]
        )
    assert len(collection()) == count and len(bpy.data.images) == images


def test_nothing_of_it_is_saved(terrane, tmp_path):
    bpy.ops.terrane.preset_load(preset="none")
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    size = (tmp_path / "file.blend").stat().st_size
    drawn()
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    assert abs((tmp_path / "file.blend").stat().st_size - size) < 10_000
    assert len(bpy.data.images) == 0


@pytest.mark.parametrize("colors", ["gray", "palette"])
def test_images_are_shown_as_they_would_be_made(terrane, colors):
    pictures = module("operators.bridge.textures.recipe_pictures")
    bpy.ops.terrane.preset_load(preset="none")
    group = bpy.context.scene.terrane
    options = group.image_options
    options.width = options.height = 64
    options.colors, options.palette, options.float_buffer = colors, "heat", False
    area = type("Area", (), {"type": "IMAGE_EDITOR"})()
    context = type("Context", (), {"area": area})()
    order = pictures.order_of(context, group)
    result = module("operators.bridge.tasks.jobs").at_once(pictures.work(order, 64))
    assert bpy.ops.terrane.image_new(
        preset="none", coloring=colors, palette="heat", width=64, height=64, float_buffer=False
    ) == {"FINISHED"}
    image = bpy.data.images[-1]
    expected = np.array(image.pixels[:]).reshape(64, 64, 4)[..., :3]
    assert np.allclose(result, expected, atol=1.0 / 255.0)


# --- painted masks ------------------------------------------------------------------------------


@pytest.fixture
def masked(terrane):
    """Return a terrain whose one layer, a plain of half its height, is masked by "east"."""
    core, layers = module("noise_core"), module("noise_core.recipes.layers")
    noises = module("noise_core.noises")
    plain = layers.NoiseLayer(noise=noises.Constant(value=1.0), mode="add", height=15.0)
    recipe = core.Recipe(layers=(noises.Perlin(frequency=5.0), plain), height=30.0)
    bpy.ops.terrane.terrain_add(recipe=recipe.to_json(), resolution=65, size=100.0)
    module("operators.bridge.textures.recipe_pictures")._kept.clear()
    yield bpy.context.object
    module("operators.bridge.textures.recipe_pictures")._kept.clear()


def stepped(rows: int, columns: int) -> np.ndarray:
    """Return 0 in the west and 1 in the east."""
    return np.where(np.arange(columns) < columns // 2, 0.0, 1.0) * np.ones((rows, 1))


def give_group(obj) -> None:
    group = obj.vertex_groups.new(name="east")
    east = np.flatnonzero(stepped(65, 65).ravel())
    group.add(east.tolist(), 1.0, "REPLACE")


def give_attribute(obj) -> None:
    values = stepped(65, 65).ravel().astype(np.float32)
    obj.data.attributes.new("east", "FLOAT", "POINT").data.foreach_set("value", values)


def give_image(obj) -> None:
    image = bpy.data.images.new("east", 64, 64, float_buffer=True, is_data=True)
    pixels = np.ones((64, 64, 4), np.float32)
    pixels[..., :3] = stepped(64, 64)[..., np.newaxis]
    image.pixels.foreach_set(pixels.ravel())


@pytest.mark.slow
@pytest.mark.parametrize("give", [give_group, give_attribute, give_image])
def test_painted_masks_are_seen(masked, give):
    entry, everywhere = masked.terrane.layers[1], drawn()
    give(masked)
    entry.painted_mask = "east"
    shown = drawn()
    assert abs(shown - everywhere).max() > 0.2
    order = module("operators.bridge.textures.recipe_pictures").order_of(
        bpy.context, masked.terrane
    )
    grid = module("noise_core").Grid(256, 256, size=100.0)
    relief = order.recipe.evaluate(grid, masks={1: stepped(256, 256)})
    draw = module("noise_core.pictures.thumbnail").thumbnail
    expected = draw(relief.height, grid, order.look, order.recipe.height)
    apart = abs(shown[..., :3] - expected)
    apart[:, 110:150] = 0.0  # the step is as wide as a cell of the mesh, and throws a shade
    # Borders between layers are sharp: single pixels beside them may show the other one.
    assert np.quantile(apart, 0.999) < 0.06 and apart.mean() < 0.01


@pytest.mark.slow
def test_masks_are_read_once_a_gesture(masked, monkeypatch):
    previews, masks = (
        module("operators.bridge.textures.recipe_pictures"),
        module("operators.bridge.schema.masks"),
    )
    give_group(masked)
    masked.terrane.layers[1].painted_mask = "east"
    read, real, now = [], masks.field, [0.0]
    monkeypatch.setattr(masks, "field", lambda *given: read.append(given) or real(*given))
    monkeypatch.setattr(previews, "time", type("Clock", (), {"perf_counter": lambda: now[0]}))
    pictures = []
    for seed in range(5):
        masked.terrane.seed = seed
        pictures.append(drawn())
        now[0] += 0.9 * previews.KEPT
    assert len(read) == 1 and not np.array_equal(pictures[0], pictures[1])
    drawn_before = drawn()
    masked.vertex_groups["east"].add(list(range(65 * 65)), 1.0, "REPLACE")
    now[0] += 1.1 * previews.KEPT
    assert not np.array_equal(drawn(), drawn_before) and len(read) == 2
    now[0] += 1.1 * previews.KEPT
    masked.terrane.layers[1].muted = True
    drawn()
    assert len(read) == 2 and not previews._kept


@pytest.mark.slow
def test_masks_that_cannot_be_read_are_left_out(masked):
    entry = masked.terrane.layers[1]
    everywhere = drawn()
    entry.painted_mask = "nowhere"
    assert np.array_equal(drawn(), everywhere)
    give_group(masked)
    entry.painted_mask = "east"
    bpy.ops.object.mode_set(mode="EDIT")
    assert np.array_equal(drawn(), everywhere) and masked.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    seen = drawn()
    assert not np.array_equal(seen, everywhere)
    bpy.ops.object.mode_set(mode="EDIT")
    assert np.array_equal(drawn(), seen) and masked.mode == "EDIT"


def test_pictures_of_images_have_their_masks(terrane):
    pictures, core = module("operators.bridge.textures.recipe_pictures"), module("noise_core")
    module("operators.bridge.textures.recipe_pictures")._kept.clear()
    plain = module("noise_core.recipes.layers").NoiseLayer(height=30.0, seed_offset=1)
    recipe = core.Recipe(layers=(module("noise_core.noises").Perlin(), plain), height=30.0)
    group = bpy.context.scene.terrane
    module("operators.bridge.schema.settings").write_foreign(group, recipe)
    options = group.image_options
    options.width, options.height, options.float_buffer = 64, 32, False
    give_image(None)
    group.layers[1].painted_mask = "east"
    context = type("Context", (), {"area": type("Area", (), {"type": "IMAGE_EDITOR"})()})()
    order = pictures.order_of(context, group)
    result = module("operators.bridge.tasks.jobs").at_once(pictures.work(order, 64))
    bpy.ops.terrane.image_new(from_panel=True)
    expected = np.array(bpy.data.images[-1].pixels[:]).reshape(32, 64, 4)[..., :3]
    apart = abs(result[16:48] - expected)
    assert apart.max() < 0.1 and np.quantile(apart, 0.9) < 0.01
    bare = pictures.Order(order.recipe, order.measures, order.look, order.picture)
    unmasked = module("operators.bridge.tasks.jobs").at_once(pictures.work(bare, 64))
    assert abs(unmasked[16:48, :30] - expected[:, :30]).max() > 0.1


def test_a_coarse_picture_is_followed_by_a_fine_one_though_nothing_is_drawn_meanwhile(
    terrane, monkeypatch
):
    """Otherwise a Blender that draws slowly would begin with a coarse one for ever."""
    preview = module("operators.bridge.textures.recipe_preview")
    order = module("operators.bridge.textures.recipe_pictures").order_of
    scene = bpy.context.scene
    monkeypatch.setattr(preview, "_order", lambda kind: order(bpy.context, scene.terrane))
    task = preview.PreviewPicture("VIEW_3D")
    task.is_seen = True
    task.work(scene, task.plan(scene).request, 64)
    update = task.plan(scene)
    assert update is not None
    task.work(scene, update.request, None)
    assert task.plan(scene) is None, "until a panel shows it again"
