# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports carry the motion of keyed terrains, and leave nothing behind."""

from __future__ import annotations

import time

import bpy
import numpy as np
import pytest

from tests.blender import test_motion_elsewhere as shown
from tests.blender.extension import module

FIRST, LAST = shown.FRAMES[0], shown.FRAMES[-1]


def alembic(path, **more):
    if not bpy.app.build_options.alembic:
        pytest.skip("this Blender was built without Alembic")
    bpy.ops.wm.alembic_export(filepath=path, start=FIRST, end=LAST, **more)


def usd(path, **more):
    if not bpy.app.build_options.usd:
        pytest.skip("this Blender was built without USD")
    bpy.ops.wm.usd_export(filepath=path, export_animation=True, **more)


IMPORTS = {
    ".abc": lambda path: bpy.ops.wm.alembic_import(filepath=path),
    ".usdc": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path),
}


def imported(path):
    bpy.ops.wm.read_homefile(use_empty=True)
    IMPORTS[path.suffix](str(path))
    return shown.spans(bpy.context.scene)


def check(path):
    found = imported(path)
    np.testing.assert_allclose(found / found[0], (1.0, 2.5, 4.0), rtol=1e-3)


def directly(terrain):
    return bpy.context.scene


def instanced(terrain):
    scene = bpy.context.scene
    scene.collection.objects.link(shown.instanced(terrain, None))
    return scene


def with_a_driver(terrain):
    shown.driven(terrain)
    return bpy.context.scene


@pytest.mark.parametrize("show", [directly, instanced, with_a_driver])
@pytest.mark.parametrize("mode", ["RENDER", "VIEWPORT"])
@pytest.mark.parametrize(("export", "ending"), [(alembic, ".abc"), (usd, ".usdc")])
def test_an_export_moves_as_the_terrain(terrane, tmp_path, export, ending, mode, show):
    if show is not instanced or export is alembic:
        show(shown.keyed_terrain()).frame_end = LAST
        path = tmp_path / f"terrain{ending}"
        export(str(path), evaluation_mode=mode)
        check(path)


def test_an_export_in_a_thread_of_its_own_moves(terrane, tmp_path):
    """A window exports in a thread; its main thread goes on, and serves what the exporter waits for."""
    motion, live = (module(f"operators.bridge.{name}") for name in ("terrain.motion", "tasks.live"))
    shown.keyed_terrain()
    path, threads, frames = tmp_path / "terrain.abc", set(), set()

    def note(scene, depsgraph):
        threads.add(live.is_main_thread())
        frames.add(depsgraph.scene_eval.frame_current)

    bpy.app.handlers.frame_change_post.append(note)
    alembic(str(path), as_background_job=True)
    end = time.monotonic() + 60.0
    while LAST not in frames and time.monotonic() < end:
        motion._serve()  # as the timer of a window does
        time.sleep(0.02)
    size = -1
    while size != (size := path.stat().st_size):
        motion._serve()
        time.sleep(0.5)
    bpy.app.handlers.frame_change_post.remove(note)
    assert threads == {False}, "the exporter did not work in a thread"
    check(path)


def test_an_export_of_a_linked_terrain_moves(terrane, tmp_path, linked):
    terrain = shown.keyed_terrain()
    linked(terrain)
    path = tmp_path / "terrain.abc"
    alembic(str(path))
    check(path)


@pytest.mark.parametrize(("export", "ending"), [(alembic, ".abc"), (usd, ".usdc")])
def test_an_export_leaves_nothing(terrane, tmp_path, export, ending):
    terrain, path = shown.keyed_terrain(), str(tmp_path / f"terrain{ending}")
    bpy.context.scene.frame_end = LAST
    export(path)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert terrain.data.animation_data is None
    export(path)
    bpy.context.view_layer.update()
    assert terrain.data.animation_data is None
    terrain.data.animation_data_create().nla_tracks.new().name = "Mine"
    export(path)
    bpy.context.view_layer.update()
    assert [track.name for track in terrain.data.animation_data.nla_tracks] == ["Mine"]
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert bpy.context.scene.objects["Terrain"].data.animation_data is None


def glb(path):
    return bpy.ops.export_scene.gltf(filepath=str(path))


@pytest.mark.parametrize("step", [1, 5])
def test_gltf_moves_once_the_motion_is_baked(exporter, tmp_path, step, caplog):
    terrain = shown.keyed_terrain()
    bpy.context.scene.frame_end = LAST
    glb(tmp_path / "still.glb")
    bpy.ops.terrane.motion_bake(start=FIRST, end=LAST, step=step, target="keys")
    hint = "stands still in glTF: Bake Motion to shape keys first"
    assert [hint in record.message for record in caplog.records].count(True) == 1
    bpy.context.scene.frame_set(FIRST)
    glb(tmp_path / "moving.glb")
    assert [hint in record.message for record in caplog.records].count(True) == 1
    low = shown.span_of(terrain.data)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.render.fps = 24
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "moving.glb"))
    (obj,) = bpy.data.objects
    spans = []
    for frame in shown.FRAMES:
        bpy.context.scene.frame_set(frame)
        mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        spans.append(shown.span_of(mesh))
    assert spans[0] == pytest.approx(low, rel=1e-3)
    np.testing.assert_allclose(np.array(spans) / spans[0], (1.0, 2.5, 4.0), rtol=1e-3)


def test_a_render_marks_nothing(terrane, tmp_path):
    scene = shown.lit(shown.keyed_terrain())
    shown.prepare(scene)
    scene.render.filepath = str(tmp_path / "one.png")
    exports = module("operators.bridge.terrain.moving_exports")
    marks = []
    bpy.app.handlers.render_post.append(lambda *_: marks.append(len(exports._marked)))
    bpy.ops.render.render(write_still=True)
    bpy.app.handlers.render_post.pop()
    assert marks == [0]


def test_an_obj_sequence_moves(terrane, tmp_path):
    shown.keyed_terrain()
    bpy.ops.wm.obj_export(
        filepath=str(tmp_path / "o.obj"), export_animation=True, start_frame=FIRST, end_frame=LAST
    )
    spans = []
    for frame in shown.FRAMES:
        lines = (tmp_path / f"o{frame:04}.obj").read_text().splitlines()
        up = [float(line.split()[2]) for line in lines if line.startswith("v ")]
        spans.append(max(up) - min(up))
    np.testing.assert_allclose(np.array(spans) / spans[0], (1.0, 2.5, 4.0), rtol=1e-3)


def test_a_terrain_in_no_scene_is_updated(terrane):
    terrain = shown.keyed_terrain()
    terrain.animation_data_clear()
    scene = bpy.context.scene
    scene.collection.objects.link(shown.instanced(terrain, None))
    span_before = shown.span(scene)
    terrain.terrane.height = 2.0 * terrain.terrane.height
    with bpy.context.temp_override(object=terrain, active_object=terrain):
        assert bpy.ops.terrane.terrain_update(from_panel=True) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert shown.span(scene) == pytest.approx(2.0 * span_before, rel=1e-3)
