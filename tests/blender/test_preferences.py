# SPDX-License-Identifier: GPL-3.0-or-later
"""The preferences of Terrane are obeyed, and never required."""

from __future__ import annotations

import threading

import bpy
import numpy as np
import pytest

from tests.blender.extension import PACKAGE, module
from tests.blender.helpers import add_terrain


@pytest.fixture
def page(terrane):
    """Return the preferences as after installing; changes of a test are undone."""
    page = bpy.context.preferences.addons[PACKAGE].preferences
    names = [
        name for name in page.bl_rna.properties.keys() if name not in ("rna_type", "bl_idname")
    ]
    yield page
    page = bpy.context.preferences.addons[PACKAGE].preferences  # registering makes it anew
    for name in names:
        page.property_unset(name)


@pytest.fixture
def workers(monkeypatch):
    """Return a list that receives the threads that each piece of work in strips was done by."""
    blocks, seen = module("noise_core.base.blocks"), []
    original = blocks.run

    def run(work, *arguments, **options):
        own = set()

        def watched(start, stop):
            own.add(threading.get_ident())
            work(start, stop)

        original(watched, *arguments, **options)
        seen.append(own)

    monkeypatch.setattr(blocks, "run", run)
    return seen


def test_the_page_has_what_is_declared_with_its_limits(page):
    preferences = module("operators.bridge.schema.preferences")
    for one in preferences.ALL:
        shown = page.bl_rna.properties[one.name]
        assert getattr(page, one.name) == one.default
        assert shown.description and shown.name == one.title
    assert preferences.value("threads") == 0 and preferences.value("live") is True
    assert preferences.preview_cap() == 256 and preferences.directory() == "//textures/"
    on_page = [name for _, names in preferences.PAGE for name in names]
    folders = ("assets", "directory")
    assert sorted(on_page) == sorted([*(one.name for one in preferences.ALL), *folders])


def test_what_is_set_is_read(page):
    preferences = module("operators.bridge.schema.preferences")
    page.threads, page.preview_cap, page.live, page.directory = 3, 128, False, "/somewhere"
    assert preferences.value("threads") == 3 and preferences.preview_cap() == 128
    assert preferences.value("live") is False and preferences.directory() == "/somewhere"


def test_without_an_installed_extension_everything_is_as_declared(page, monkeypatch):
    preferences = module("operators.bridge.schema.preferences")
    page.threads, page.preview_cap, page.live, page.size = 3, 64, False, 50.0
    monkeypatch.setattr(preferences, "PACKAGE", "terrane_of_nobody")
    assert preferences.value("threads") == 0 and preferences.preview_cap() == 256
    assert preferences.value("live") is True and preferences.directory() == "//textures/"
    assert preferences.terrain_size(12.0) == 12.0 and preferences.value("resolution") == 0
    bpy.ops.terrane.terrain_add(resolution=17)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_script_works_on_so_many_threads(page, workers, threads):
    page.threads = threads
    bpy.ops.terrane.terrain_add(resolution=1500, warp=0.1, maps=set())
    assert max(map(len, workers)) == threads


@pytest.mark.slow
def test_a_job_works_on_so_many_threads(page, workers):
    jobs, core = module("operators.bridge.tasks.jobs"), module("noise_core")
    recipe = core.Recipe(
        layers=module("noise_core.landscapes.preset_library").preset("alps").recipe.noise
    )
    work = module("operators.bridge.terrain.evaluation").work(
        recipe, core.Grid(1500, 1500), {}, set()
    )
    page.threads = 1
    job = jobs.start("Working", work)
    assert job.wait(20.0) and max(map(len, workers)) == 1
    assert not any(threading.get_ident() in own for own in workers)
    jobs.end(job)
    page.threads = 0
    workers.clear()
    job = jobs.start("Working", work)
    assert job.wait(20.0)
    jobs.end(job)
    assert max(map(len, workers)) > 1 or module("noise_core.base.blocks").processor_count() == 1


@pytest.mark.parametrize("processors, beside", [(1, 1), (2, 2), (3, 3), (4, 3), (16, 15)])
def test_a_job_leaves_one_of_many_processors_to_blender(page, monkeypatch, processors, beside):
    jobs, blocks = module("operators.bridge.tasks.jobs"), module("noise_core.base.blocks")
    for place in (jobs, blocks):
        monkeypatch.setattr(place, "processor_count", lambda: processors)

    def counts():
        def work(progress, cancel):
            return blocks.thread_count()

        job = jobs.start("Counting", work)
        beside = job.result()
        jobs.end(job)
        return beside, jobs.at_once(work)

    page.threads = 0
    assert counts() == (beside, processors), "a script has nobody to leave one to"
    page.threads = processors
    assert counts() == (processors, processors), "as its user wants it"


@pytest.mark.slow
def test_results_do_not_depend_on_threads(page):
    heights = []
    for threads in (1, 3):
        page.threads = threads
        bpy.ops.terrane.terrain_add(preset="alps", resolution=300)
        mesh = bpy.context.active_object.data
        values = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.attributes["position"].data.foreach_get("vector", values)
        heights.append(values)
    np.testing.assert_array_equal(*heights)


def test_a_preset_is_as_wide_as_wished_and_of_the_same_shape(page):
    bpy.ops.terrane.preset_load(preset="alps")
    group = bpy.context.scene.terrane
    size, height = group.size, group.height
    page.size = 2.0 * size
    bpy.ops.terrane.preset_load(preset="alps")
    assert group.size == pytest.approx(2.0 * size) and group.height == pytest.approx(2.0 * height)
    page.size = 0.0
    bpy.ops.terrane.preset_load(preset="alps")
    assert (group.size, group.height) == (size, height)


def test_a_new_terrain_is_as_fine_as_its_preset_or_as_wished(page):
    """A preset gives the scene its resolution; the terrain that it makes keeps that with another preset."""
    group, library = bpy.context.scene.terrane, module("noise_core.landscapes.preset_library")
    fine, coarse = "rolling_hills", "alps"
    for name in (fine, coarse, fine):
        bpy.ops.terrane.preset_load(preset=name)
        assert group.resolution == library.preset(name).look.resolution
    page.resolution = 96
    bpy.ops.terrane.preset_load(preset=fine)
    assert group.resolution == 96
    terrain = add_terrain(from_panel=True)
    page.resolution = 0
    bpy.ops.terrane.preset_load(preset=fine)
    assert terrain.terrane.resolution == 96


def test_lengths_of_layers_are_in_proportion_to_the_wished_size(page):
    core, layers = module("noise_core"), module("noise_core.recipes.layers")
    terraces = core.modifier_types()["terraces"](spacing=30.0)
    fixed = layers.NoiseLayer(noise=core.noise_types()["perlin"](), height=40.0)
    recipe = core.Recipe(
        layers=(
            core.noise_types()["simplex"](),
            layers.Group(layers=(fixed,), height=60.0),
            terraces,
        ),
        height=100.0,
        size=1000.0,
    )
    settings = module("operators.bridge.schema.settings")
    page.size = 500.0
    scaled = settings.scale_to_preferred_size(recipe)
    assert (scaled.size, scaled.height) == (500.0, 50.0)
    first, group, modifier = scaled.layers
    assert (first.height, group.height, group.layers[0].height) == (0.0, 30.0, 20.0)
    assert modifier.spacing == 15.0
    np.testing.assert_allclose(
        scaled.evaluate(scaled.grid(65)).height,
        recipe.evaluate(recipe.grid(65)).height / 2.0,
        atol=1e-4,
    )
    page.size = 0.0
    assert settings.scale_to_preferred_size(recipe).layers == recipe.layers


def test_new_files_begin_as_wished(page, terrane):
    size, height = bpy.context.scene.terrane.size, bpy.context.scene.terrane.height
    page.size, page.resolution = size / 2.0, 96
    terrane.unregister()
    terrane.register()
    try:
        group = bpy.context.scene.terrane
        assert (group.size, group.resolution) == (pytest.approx(size / 2.0), 96)
        assert group.height == pytest.approx(height / 2.0)
        bpy.ops.terrane.terrain_add(from_panel=True)
        assert len(bpy.context.active_object.data.vertices) == 96 * 96
        assert bpy.context.active_object.dimensions.x == pytest.approx(size / 2.0, rel=1e-5)
    finally:
        page = bpy.context.preferences.addons[PACKAGE].preferences
        page.property_unset("size")
        page.property_unset("resolution")
        terrane.unregister()
        terrane.register()


def test_what_a_script_makes_depends_on_its_keywords_alone(page):
    first = add_terrain(preset="alps", resolution=65)
    page.size, page.resolution = 50.0, 33
    bpy.ops.terrane.terrain_add(preset="alps", resolution=65)
    assert bpy.context.active_object.dimensions == first.dimensions


def test_files_without_a_folder_go_where_the_preferences_say(page, tmp_path):
    page.directory = str(tmp_path / "made")
    keywords = {"surface": "granite", "maps": {"height"}, "width": 8, "height": 8}
    assert bpy.ops.terrane.images_save(**keywords) == {"FINISHED"}
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["granite_height.png"]
    other = tmp_path / "other"
    assert bpy.ops.terrane.images_save(**keywords, directory=str(other)) == {"FINISHED"}
    assert len(list(other.iterdir())) == 1
    page.directory = ""
    with pytest.raises(RuntimeError, match="//textures/.*save that first"):
        bpy.ops.terrane.images_save(**keywords)
