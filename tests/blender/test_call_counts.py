# SPDX-License-Identifier: GPL-3.0-or-later
"""Number of Terrane's functions that run from a slider to the vertices, which a reader has to follow.

A law about the source, not a timing: the clock stands still, so that every machine takes the same way.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import add_terrain, heights


@pytest.fixture
def live(terrane):
    """Return live update with a queue that learns nothing of this machine."""
    live = module("operators.bridge.tasks.live")
    real = live.queue
    live.queue = module("operators.bridge.tasks.queue").TaskQueue(clock=lambda: 0.0)
    yield live
    live.queue.clear()
    live.queue = real


def functions(step):
    """Return the functions of ours that run in a step, in all threads: file and name."""
    root, found = str(Path(module("noise_core").__file__).parents[1]), set()

    def note(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_name[0] != "<":
            found.add((code.co_filename[len(root) + 1 :], code.co_firstlineno, code.co_name))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        step()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


def dragged(live, name):
    """Return the functions that run between two steps of a dragged slider, as Blender calls them."""
    bpy.ops.terrane.terrain_add(
        noise="perlin", fractal="fbm", octaves=8, frequency=4, resolution=129
    )
    terrain = bpy.context.active_object
    values = [getattr(terrain.terrane, name) + step for step in range(5)]
    setattr(terrain.terrane, name, values[1])
    live.update_now()

    def step(value):
        setattr(terrain.terrane, name, value)
        live.queue.step_before_draw()

    for value in values[2:4]:
        step(value)
    heights_before = heights(terrain)
    found = functions(lambda: step(values[4]))
    now = heights(terrain)
    assert not np.array_equal(now, heights_before)
    live.update_now()
    np.testing.assert_array_equal(heights(terrain), now)
    return found


def dragged_image(live):
    """Return the functions that run between two steps of an image's dragged seed."""
    images_before = set(bpy.data.images)
    bpy.ops.terrane.image_new(noise="perlin", octaves=8, frequency=4, width=128, height=128)
    (image,) = set(bpy.data.images) - images_before
    image.terrane.seed = 11
    live.update_now()

    def step(value):
        image.terrane.seed = value
        live.queue.step_before_draw()

    for value in (12, 13):
        step(value)
    shown = np.array(image.pixels)
    found = functions(lambda: step(14))
    now = np.array(image.pixels)
    assert not np.array_equal(now, shown)
    live.update_now()
    np.testing.assert_array_equal(np.array(image.pixels), now)
    return found


def listed(found):
    return "\n".join(f"{path}:{line} {name}" for path, line, name in sorted(found))


@pytest.mark.parametrize(("name", "most"), [("height", 55), ("seed", 180)])
def test_few_functions_run_from_a_slider_to_the_vertices(live, name, most):
    found = dragged(live, name)
    assert len(found) <= most, listed(found)


def test_few_functions_run_from_a_slider_to_the_pixels(live):
    found = dragged_image(live)
    assert len(found) <= 217, f"{len(found)}\n{listed(found)}"


def test_a_height_alone_evaluates_no_noise(live, monkeypatch):
    noise, core = module("noise_core.noises.bases.noise").Noise, module("noise_core")
    modifiers = module("noise_core.modifiers")
    recipe = core.Recipe(
        layers=(module("noise_core.noises").Perlin(), modifiers.Blur()), height=5.0
    )
    for keywords in ({"noise": "perlin"}, {"recipe": recipe.to_json()}):
        terrain = add_terrain(**keywords, resolution=65)
        terrain.terrane.seed += 1
        live.update_now()
        with monkeypatch.context() as patch:
            patch.setattr(noise, "sample_grid", lambda *a, **k: pytest.fail("it was evaluated"))
            for is_preview in (True, False):
                terrain.terrane.height *= 1.7
                live.update_now(is_preview=is_preview)
        request = module("operators.bridge.terrain.terrains").present_request(terrain)
        expected = request.recipe.evaluate(request.grid()).height.reshape(-1)
        np.testing.assert_array_equal(heights(terrain), expected)


def test_a_layer_with_a_height_in_meters_keeps_it_while_the_height_is_dragged(live):
    core, noises = module("noise_core"), module("noise_core.noises")
    layer = core.NoiseLayer(noise=noises.Perlin(frequency=9.0), mode="add", height=4.0)
    recipe = core.Recipe(layers=(noises.Perlin(), layer), height=5.0)
    terrain = add_terrain(recipe=recipe.to_json(), resolution=65)
    terrain.terrane.seed += 1
    live.update_now()
    for is_preview in (True, False):
        terrain.terrane.height *= 1.7
        live.update_now(is_preview=is_preview)
        request = module("operators.bridge.terrain.terrains").present_request(terrain)
        expected = request.recipe.evaluate(request.grid()).height.reshape(-1)
        np.testing.assert_allclose(heights(terrain), expected, atol=1e-4)


@pytest.mark.parametrize("change", ["frequency", "undo", "modifier", "resolution"])
def test_what_else_has_changed_is_not_overlooked(live, change):
    """The settings are read again unless only seed and height have changed."""
    terrain = add_terrain(noise="perlin", resolution=65)
    name = terrain.name
    terrain.terrane.height = 3.0
    live.update_now()
    bpy.ops.ed.undo_push(message="height")
    if change == "frequency":
        bpy.context.scene.terrane_live = False  # nothing is live, so that nothing is planned
        terrain.terrane.layers[0].chain[0].perlin.frequency = 7.0
        bpy.context.scene.terrane_live = True
    elif change == "undo":
        terrain.terrane.layers[0].chain[0].perlin.frequency = 7.0
        bpy.ops.ed.undo_push(message="frequency")
        live.update_now()
        bpy.ops.ed.undo()
        terrain = bpy.data.objects[name]
        live.queue.clear()
    elif change == "modifier":
        bpy.ops.terrane.layer_add(type="terraces")
    else:
        terrain.terrane.resolution = 33
    terrain.terrane.height = 4.0
    request = module("operators.bridge.terrain.terrains").present_request(terrain)
    expected = request.recipe.evaluate(request.grid()).height.reshape(-1)
    for is_preview in (True, False):
        live.update_now(is_preview=is_preview)
        np.testing.assert_array_equal(heights(terrain), expected)
