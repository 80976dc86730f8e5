# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains whose settings have keyframes or drivers, or that follow moving objects, change from frame to frame.

When the frame changes, Blender has evaluated all animation. A render does so on separate copies, and leaves
the settings that the panel shows as they are; so the settings are read from the evaluated object, and the
heights of the frame are written into the mesh before the render goes on. This is no edit: there is no undo step,
and the build record of the mesh says which settings its heights belong to (`mesh_record.py`). A frame has
the same bits after any other frame. A linked mesh is moved in memory, as Blender moves its shape keys.

Blender's dependency graph says which terrains follow: those that the evaluated objects show, directly or not.

* Renders, exports, and scripts in the background, get the whole. In a window, terrains with modifiers, and those whose
  noise takes too long for a frame, show a preview, which the live update finishes once the animation stands still.
* A render in a window runs in a thread of its own, which computes, and waits while the main thread writes.
* The sources of a driver may change between two frames: live update follows them.
* Curves, empties and other objects that a terrain follows shape the land of a frame as they are in it.
* Terrains that share a mesh move if their settings agree: see `shared_motion.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..datablocks import compat, meshes, scene_sources
from ..datablocks.ref import Ref
from ..datablocks.switch import Switch
from ..interface import timer
from ..interface.registering import Handlers
from ..schema import animation, live_switch, state
from ..tasks import jobs, live
from ..tasks.task import Task
from . import (
    animated_values,
    followed_slots,
    followed_sources,
    followers,
    frames,
    mesh_record,
    moving_exports,
    partial_lands,
    probes,
    regrid,
    shared_motion,
    terrains,
)
from .terrain_product import TERRAIN, why_not_move

if TYPE_CHECKING:  # imported with the first frame
    from concurrent.futures import Future

    from .evaluation import Evaluated

BAKED = "Terrane Motion"
"""Name of the modifier that plays a cache, of the action of baked shape keys, and of the property that marks them."""

_LOOK, _BEAT = 0.25, 0.01
"""Seconds between two looks for a render that waits, and while one renders."""

_waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
"""Calls that renders in a window wait for the main thread to do."""


_seen: dict[int, tuple[object, ...]] = {}
"""Animated values of terrains when they were last looked at, by UID."""

paused = Switch()
"""Whether no terrain follows: a bake reads frame after frame."""


def is_baked(terrain: bpy.types.Object) -> bool:
    """Return whether the motion of a terrain is baked."""
    keys: Any = meshes.mesh_of(terrain).shape_keys
    return BAKED in terrain.modifiers or (keys is not None and BAKED in keys)


def _follow(scene: bpy.types.Scene, depsgraph: Any) -> None:
    """Write the heights of this frame; Blender calls this when the frame has changed."""
    if paused.is_on or probes.is_on.is_on:
        return
    terrains = dict(scene_sources.evaluated(animated_values.animated_objects(), depsgraph))
    is_watched = _is_watched(depsgraph)
    if scene_sources.has_graph(depsgraph):
        for terrain, copy in terrains.items():
            _seen[Ref.of(terrain).uid] = _values(copy)
    elif moving_exports.is_export(depsgraph):
        _in_main_thread(partial(_mark, [Ref.of(terrain) for terrain in terrains]))
    _show_all(terrains, depsgraph, is_watched=is_watched)
    _start_serving()


def _is_watched(depsgraph: Any) -> bool:
    """Return whether a dependency graph is that of a window, which may show a preview."""
    return not bpy.app.background and scene_sources.has_graph(depsgraph)


def _mark(terrains: list[Ref[bpy.types.Object]]) -> None:
    """Let exporters sample terrains in every frame."""
    for terrain in terrains:
        owner = terrain.find()
        if owner is not None and not _refuses(owner, is_watched=False):
            moving_exports.mark(meshes.mesh_of(owner))


def _refuses(terrain: bpy.types.Object, *, is_watched: bool) -> bool:
    """Return whether a terrain must not be changed."""
    is_wanted = not is_watched or live_switch.is_live(terrain)
    return (
        not is_wanted
        or is_baked(terrain)
        or TERRAIN.must_wait(terrain)
        or bool(why_not_move(terrain))
    )


def _show_all(terrains: Iterable[bpy.types.Object], depsgraph: Any, *, is_watched: bool) -> None:
    """Show the frame of terrains, unless terrains that share a mesh have different frames, of which renders tell."""
    sharing: dict[Ref[bpy.types.Mesh], dict[str, Any]] = defaultdict(dict)
    keeps_points = scene_sources.has_graph(depsgraph)
    for terrain in terrains:
        refuses = _refuses(terrain, is_watched=is_watched)
        keeps = keeps_points and not is_baked(terrain) and bool(followed_slots.slots_of(terrain))
        if refuses and not keeps:
            continue
        with suppress(TerraneError):  # settings that cannot be read; the panel says why
            frame = frames.Frame.of(terrain, depsgraph, _in_main_thread)
            if frame is not None and keeps_points:
                followed_sources.store(terrain, frame.points)
            if frame is not None and not refuses:
                sharing[Ref.of(meshes.mesh_of(terrain))][frame.digest] = terrain, frame
    for frames_by_terrain in sharing.values():
        if len(frames_by_terrain) == 1:
            for terrain, frame in frames_by_terrain.values():
                with suppress(TerraneError):
                    _show(terrain, frame, is_watched=is_watched)
        elif not is_watched:
            twins = [terrain for terrain, _ in frames_by_terrain.values()]
            _in_main_thread(partial(shared_motion.tell, twins))


def _show(terrain: bpy.types.Object, frame: frames.Frame, *, is_watched: bool) -> None:
    """Evaluate a frame and write it, unless the mesh shows it."""
    record = mesh_record.of(meshes.mesh_of(terrain))
    # Live update cannot finish a terrain that it may not write.
    has_preview = is_watched and not TERRAIN.refusal(terrain)
    side = frames.preview_side(terrain, frame, record) if has_preview else None
    is_shown = record is not None and record.digest == frame.digest
    if record is None or (is_shown and not (record.is_preview and side is None)):
        return
    shape = terrains.vertices_of(terrain, frame.request.grid()).shape
    if mesh_record.grid_of(record).shape != shape:
        return  # another resolution: Update builds it
    has_masks = any(layer.mask for layer in frame.request.states)
    begin = partial(frames.work, terrain, frame, side)
    # To read a vertex group is to evaluate a mesh.
    work = _in_main_thread(begin) if has_masks else begin()
    result = frames.evaluate_frame(frame, side, work) if is_watched else jobs.at_once(work)
    _in_main_thread(partial(_write, frame, result, is_preview=side is not None))
    if has_preview:
        task = Task(TERRAIN, terrain)
        live.queue.tasks.touched[task.key] = task  # undo compares it
        if side is not None and not _is_playing():
            live.add(task)


def _write(frame: frames.Frame, result: Evaluated, *, is_preview: bool) -> None:
    """Move the vertices, and note which settings they are made of."""
    owner = frame.terrain.find()
    mesh = None if owner is None else meshes.mesh_of(owner)
    record = None if mesh is None else mesh_record.of(mesh)
    if owner is None or record is None:
        return
    regrid.move(mesh, record.details["size"], result.grid, result.height)
    compat.update_positions(mesh)
    mesh_record.remember(mesh, frame.digest, result.grid, result.height, is_preview=is_preview)
    if is_preview:
        followers.show_preview(owner)


def _is_playing() -> bool:
    """Return whether any window plays the animation."""
    manager = bpy.context.window_manager
    return (
        any(window.screen.is_animation_playing for window in manager.windows) if manager else False
    )


# --- events between frames ------------------------------------------------------------------------


def _on_change(_: Any, depsgraph: Any) -> None:
    """Follow the sources of drivers, and keyframes that are edited."""
    if not live.is_listening() or paused.is_on or probes.is_on.is_on:
        return
    for update in depsgraph.updates:
        obj = update.id.original
        is_terrain = isinstance(obj, bpy.types.Object) and state.is_terrain(obj)
        if not (is_terrain and animated_values.has_keys(obj)) or is_baked(obj):
            continue
        uid, values = Ref.of(obj).uid, _values(update.id)
        if _seen.get(uid) != values:
            _seen[uid] = values
            if TERRAIN.refusal(obj):  # live update would not write it
                terrains = dict(scene_sources.evaluated(shared_motion.sharing(obj), depsgraph))
                _show_all(terrains, depsgraph, is_watched=_is_watched(depsgraph))
            else:
                live.follow(obj)
        _start_serving()


def _values(terrain: Any) -> tuple[object, ...]:
    """Return the animated values of a terrain, or of an evaluated copy of it."""
    values: list[object] = []
    for path, index in animation.paths(terrain.original):
        with suppress(ValueError):  # of a layer that is gone
            value: Any = terrain.path_resolve(path)
            values.append(value if isinstance(value, (bool, int, float, str)) else value[index])
    return tuple(values)


def _on_load(*_: Any) -> None:
    _seen.clear()
    shared_motion.forget_told()
    frames.forget()
    terrains = list(animated_values.animated_objects())
    if terrains:
        _start_serving()
    if all(meshes.mesh_of(terrain).is_editable for terrain in terrains):
        return
    # The files that have the others may have been saved in other frames.
    for scene in {window.scene for window in bpy.context.window_manager.windows}:
        scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)


# --- renders --------------------------------------------------------------------------------------


def _before_render(scene: bpy.types.Scene, *_: Any) -> None:
    """Tell of unfinished terrains, and of those that stand still for their mesh, before the first frame."""
    for text in partial_lands.notes(scene):
        _in_main_thread(partial(partial_lands.tell, text))
    shared_motion.forget_told()
    for twins in list(shared_motion.apart_in(scene)):
        _in_main_thread(partial(shared_motion.tell, twins))


def _in_main_thread(make: Callable[[], Any]) -> Any:
    """Call a function, or let the main thread do so if this is the thread of a render; return its result.

    If Blender itself waits for the render to end, its timer no longer runs, and this thread calls it.
    """
    if live.is_main_thread():
        return make()
    from concurrent.futures import Future  # here: it is slow to import, and few renders wait

    wish: Future[Any] = Future()
    _waiting.append((wish, make))
    try:
        return wish.result(live.PATIENCE)
    except TimeoutError:
        return make() if wish.cancel() else wish.result()


def _start_serving() -> None:
    """Start the timer that serves waiting renders: they must not start a timer themselves."""
    if live.is_main_thread():
        timer.call(_serve)


def _serve() -> float:
    """Do the calls that renders wait for."""
    while _waiting:
        wish, make = _waiting.pop(0)
        if not wish.set_running_or_notify_cancel():
            continue
        try:
            wish.set_result(make())
        except TerraneError as error:
            wish.set_exception(error)
        finally:
            if not wish.done():  # a render must not wait for ever
                wish.set_exception(RuntimeError("a frame was not written"))
    return _BEAT if jobs.is_rendering() else _LOOK


def _end() -> None:
    timer.cancel(_serve)
    _seen.clear()
    frames.forget()
    shared_motion.forget_told()


_handlers = Handlers(
    ("frame_change_post", _follow),
    ("depsgraph_update_post", _on_change),
    ("load_post", _on_load),
    ("render_init", _before_render),
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
