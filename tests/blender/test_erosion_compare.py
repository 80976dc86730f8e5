# SPDX-License-Identifier: GPL-3.0-or-later
"""Before and after: the ground before an erosion is shown, and the eroded one comes back to the bit."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, attribute_names, positions


def key_positions(thing, name: str) -> np.ndarray:
    key = thing.data.shape_keys.key_blocks[name]
    return module("operators.bridge.datablocks.meshes").key_positions(key).copy()


def compare() -> None:
    assert bpy.ops.terrane.erosion_compare() == {"FINISHED"}


def is_before() -> bool:
    return module("operators.bridge.terrain.before").is_shown(bpy.context.active_object)


def grid():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=24, y_subdivisions=24, size=100.0)
    thing = bpy.context.active_object
    placed = positions(thing.data)
    placed[:, 2] = 8.0 * np.sin(placed[:, 0] * 0.11) * np.cos(placed[:, 1] * 0.07) + 0.1
    module("operators.bridge.datablocks.meshes").set_positions(thing.data, placed)
    return thing


def eroded():
    """Return an eroded mesh, with its vertices before and after."""
    thing = grid()
    before = positions(thing.data)
    bpy.ops.terrane.terrain_erode(modifier="stream_erosion", seed=3)
    after = positions(thing.data)
    assert not np.array_equal(before, after)
    return thing, before, after


def test_there_and_back_to_the_bit(terrane):
    thing, before, after = eroded()
    names = attribute_names(thing)
    for _ in range(3):
        compare()
        np.testing.assert_array_equal(positions(thing.data), before)
        assert is_before()
        compare()
        np.testing.assert_array_equal(positions(thing.data), after)
        assert not is_before() and attribute_names(thing) == names
    bpy.ops.terrane.terrain_revert()
    np.testing.assert_array_equal(positions(thing.data), before)


@pytest.mark.parametrize("preset", ["canyon", "mesa"])
def test_a_terrains_recipe_tells_its_ground_before(terrane, preset):
    thing = add_terrain(preset=preset, resolution=65)
    after, names = positions(thing.data), attribute_names(thing)
    settings = module("operators.bridge.schema.settings")
    recipe = settings.read(thing.terrane)
    size = thing.terrane.size
    bare = type(recipe)(layers=(recipe.noise,), seed=recipe.seed, height=recipe.height)
    wanted = bare.evaluate(module("noise_core").Grid(65, 65, size=size)).height
    compare()
    np.testing.assert_array_equal(positions(thing.data)[:, 2], wanted.reshape(-1))
    assert settings.read(thing.terrane) == recipe
    compare()
    np.testing.assert_array_equal(positions(thing.data), after)
    assert attribute_names(thing) == names


def test_layers_of_noise_stay_in_the_ground_before(terrane):
    thing = add_terrain(preset="canyon", resolution=33)
    compare()
    without = positions(thing.data)
    compare()
    bpy.ops.terrane.layer_add(type="perlin")
    bpy.ops.terrane.terrain_update()
    compare()
    assert not np.array_equal(positions(thing.data), without)


def test_undo_and_redo(terrane):
    _, before, after = eroded()
    bpy.ops.ed.undo_push(message="eroded")

    def heights():
        return positions(bpy.context.active_object.data)

    bpy.ops.terrane.erosion_compare("EXEC_DEFAULT", True)
    np.testing.assert_array_equal(heights(), before)
    bpy.ops.ed.undo()
    np.testing.assert_array_equal(heights(), after)
    assert not is_before()
    bpy.ops.ed.redo()
    np.testing.assert_array_equal(heights(), before)
    assert is_before()
    compare()
    np.testing.assert_array_equal(heights(), after)


def test_it_is_saved_and_loaded_as_it_is_shown(terrane, tmp_path):
    _, before, after = eroded()
    compare()
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    np.testing.assert_array_equal(positions(bpy.context.active_object.data), before)
    compare()
    np.testing.assert_array_equal(positions(bpy.context.active_object.data), after)


def test_what_is_edited_meanwhile_is_kept(terrane):
    thing, before, after = eroded()
    compare()
    thing.data.vertices[40].co.z += 2.5
    compare()
    now = positions(thing.data)
    assert now[40, 2] == pytest.approx(after[40, 2] + 2.5, abs=1e-5)
    others = np.arange(len(now)) != 40
    np.testing.assert_array_equal(now[others], after[others])
    bpy.ops.terrane.terrain_revert()
    now = positions(thing.data)
    assert now[40, 2] == pytest.approx(before[40, 2] + 2.5, abs=1e-5)
    np.testing.assert_array_equal(now[others], before[others])


def test_shape_keys_come_back_to_the_bit(terrane):
    thing = grid()
    thing.shape_key_add(name="Basis")
    thing.shape_key_add(name="Other")
    other = key_positions(thing, "Other")
    other[:, 2] += np.linspace(0.0, 1.3, len(other), dtype=np.float32)
    key = thing.data.shape_keys.key_blocks["Other"]
    module("operators.bridge.datablocks.meshes").set_key_positions(key, other)
    thing.active_shape_key_index = 0
    bpy.ops.terrane.terrain_erode(modifier="stream_erosion", seed=3)
    after = [key_positions(thing, name) for name in ("Basis", "Other")]
    for _ in range(2):
        compare()
        np.testing.assert_array_equal(key_positions(thing, "Other"), other)
        compare()
        for name, wanted in zip(("Basis", "Other"), after):
            np.testing.assert_array_equal(key_positions(thing, name), wanted)


def test_in_edit_mode(terrane):
    thing, before, after = eroded()
    bpy.ops.object.mode_set(mode="EDIT")
    compare()
    assert thing.mode == "EDIT"
    compare()
    bpy.ops.object.mode_set(mode="OBJECT")
    np.testing.assert_array_equal(positions(thing.data), after)


def test_while_the_ground_before_is_shown(terrane):
    """It is not eroded again, it can be reverted, and an update forgets both."""
    thing, before, _ = eroded()
    compare()
    with pytest.raises(RuntimeError, match="Show After first"):
        bpy.ops.terrane.terrain_erode(modifier="stream_erosion")
    bpy.ops.terrane.terrain_revert()
    np.testing.assert_array_equal(positions(thing.data), before)
    assert not is_before() and not [
        one for one in attribute_names(thing) if one.startswith("terrane")
    ]
    bpy.ops.terrane.terrain_add(preset="canyon", resolution=33)
    after = positions(bpy.context.active_object.data)
    compare()
    bpy.ops.terrane.terrain_update()
    assert not is_before()
    np.testing.assert_array_equal(positions(bpy.context.active_object.data), after)


def test_live_updates_wait_until_the_eroded_ground_is_back(terrane):
    update, scene = module("operators.bridge.tasks.live"), bpy.context.scene
    scene.terrane_live = True
    thing = add_terrain(preset="canyon", resolution=33)
    compare()
    shown = positions(thing.data)
    thing.terrane.seed += 1
    update.update_now()
    np.testing.assert_array_equal(positions(thing.data), shown)
    assert "Show After" in update.note(thing)
    compare()
    thing.terrane.seed += 1
    update.update_now()
    assert not np.array_equal(positions(thing.data), shown) and update.note(thing) == ""


def test_what_was_never_eroded_has_nothing_to_compare(terrane):
    grid()
    with pytest.raises(RuntimeError, match="Erode this mesh first"):
        bpy.ops.terrane.erosion_compare()
    bpy.ops.terrane.terrain_add(preset="rolling_hills", resolution=17)
    with pytest.raises(RuntimeError, match="Erode this mesh first"):
        bpy.ops.terrane.erosion_compare()


def test_a_terrain_that_is_not_what_its_settings_say(terrane):
    bpy.ops.terrane.terrain_add(preset="canyon", resolution=17)
    bpy.context.scene.terrane_live = False
    bpy.context.active_object.terrane.seed += 1
    before = positions(bpy.context.active_object.data)
    with pytest.raises(RuntimeError, match="press Update first"):
        bpy.ops.terrane.erosion_compare()
    np.testing.assert_array_equal(positions(bpy.context.active_object.data), before)
