# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains whose settings have keyframes or drivers follow them from frame to frame.

When the frame changes, Blender has evaluated all animation. A render does so on copies of its own, and leaves
the settings that the panel shows as they are; so the settings are read from the evaluated object, and the
heights of the frame are written into the mesh before the render goes on. Nothing of that is an edit: no undo step,
and the build record of the mesh says which settings its heights are made of (`made.py`). The same frame has
the same bits, whichever one came before.

* Renders, and scripts in the background, get the whole. In a window, terrains with modifiers, and those whose
  noise takes too long for a frame, show a preview, which the live update finishes once the animation stands still.
* A render in a window runs in a thread of its own, which computes, and waits while the main thread writes.
* What moves a driver may change between two frames: live update follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..datablocks import compat, editing, meshes
from ..datablocks.ref import Ref
from ..datablocks.switch import Switch
from ..interface import timer
from ..interface.registering import Handlers
from ..schema import animation, live_switch, state
from ..tasks import jobs, live
from . import followers, frames, ground, made, regrid
from .terrain_task import TerrainTask

if TYPE_CHECKING:  # imported with the first frame
    from concurrent.futures import Future

    from .evaluation import Evaluated

BAKED = "Terrane Motion"
"""Name of the modifier that plays a cache, and of the action of baked shape keys."""

_LOOK, _BEAT = 0.25, 0.01
"""Seconds between two looks for a render that waits, and while one renders."""

_waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
"""What renders in a window wait for the main thread to do."""


_seen: dict[int, tuple[object, ...]] = {}
"""Animated values of terrains when they were last looked at, by UID."""

paused = Switch()
"""Whether no terrain follows: a bake reads frame after frame."""


def is_animated(thing: bpy.types.Object) -> bool:
    """Return whether an object is a terrain whose settings have keyframes or drivers."""
    return (
        thing.type == "MESH"
        and thing.animation_data is not None
        and state.is_terrain(thing)
        and bool(animation.paths(thing))
    )


def is_baked(terrain: bpy.types.Object) -> bool:
    """Return whether the motion of a terrain is baked."""
    keys = meshes.mesh_of(terrain).shape_keys
    return BAKED in terrain.modifiers or (keys is not None and not keys.use_relative)


def _follow(scene: bpy.types.Scene, depsgraph: Any) -> None:
    """Write the heights of this frame; Blender calls this when the frame has changed."""
    if paused.is_on:
        return
    is_render = depsgraph.mode == "RENDER"
    for terrain in _animated(scene):
        if not is_render:
            _seen[Ref.of(terrain).uid] = _values(terrain)
        with suppress(TerraneError):  # settings that cannot be read; the panel says why
            frame = None if _refuses(terrain, is_render) else frames.Frame.of(terrain, depsgraph)
            if frame is not None:
                _show(terrain, frame, is_render=is_render)
    _look_again()


def _animated(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    objects: Any = scene.objects
    return filter(is_animated, objects)


def _refuses(terrain: bpy.types.Object, is_render: bool) -> bool:
    """Return whether a terrain stays as it is."""
    is_wanted = is_render or bpy.app.background or live_switch.is_live(terrain)
    task = TerrainTask(terrain)
    return (
        not is_wanted or is_baked(terrain) or task.must_wait(terrain) or bool(task.refusal(terrain))
    )


def _show(terrain: bpy.types.Object, frame: frames.Frame, *, is_render: bool) -> None:
    """Evaluate a frame and write it, unless the mesh shows it."""
    record = made.Made.of(meshes.mesh_of(terrain))
    is_watched = not (is_render or bpy.app.background)
    side = frames.preview_side(terrain, frame, record) if is_watched else None
    is_shown = record is not None and record.settings == frame.digest
    if record is None or (is_shown and not (record.is_preview and side is None)):
        return
    if (record.rows, record.columns) != ground.vertex_grid(frame.asked.grid()).shape:
        return  # another resolution: Update builds it
    has_masks = any(one.mask for one in frame.asked.states)
    begin = partial(frames.work, terrain, frame, side)
    # To read a vertex group is to evaluate a mesh.
    begun = _in_main_thread(begin) if has_masks else begin()
    result = frames.evaluate_measured(frame, side, begun) if is_watched else jobs.at_once(begun)
    _in_main_thread(partial(_write, frame, result, is_preview=side is not None))
    if is_watched:
        task = TerrainTask(terrain)
        live.queue.touched[task.key] = task  # undo compares it
        if side is not None and not _is_playing():
            live.add(task)


def _write(frame: frames.Frame, result: Evaluated, *, is_preview: bool) -> None:
    """Move the vertices, and note which settings they are made of."""
    owner = frame.terrain.find()
    mesh = None if owner is None else meshes.mesh_of(owner)
    record = None if mesh is None else made.Made.of(mesh)
    if owner is None or record is None or not editing.is_writable(mesh):
        return
    regrid.move(mesh, record.built, result.grid, result.height)
    compat.update_positions(mesh)
    made.remember(mesh, frame.digest, result.grid, result.height, is_preview=is_preview)
    if is_preview:
        followers.show_preview(owner)


def _is_playing() -> bool:
    """Return whether any window plays the animation."""
    manager = bpy.context.window_manager
    return any(one.screen.is_animation_playing for one in manager.windows) if manager else False


# --- events between frames ------------------------------------------------------------------------


def _on_change(_: Any, depsgraph: Any) -> None:
    """Follow what moves drivers, and keyframes that are edited."""
    if not live.is_listening() or paused.is_on:
        return
    for update in depsgraph.updates:
        thing = update.id.original
        if isinstance(thing, bpy.types.Object) and is_animated(thing) and not is_baked(thing):
            uid, values = Ref.of(thing).uid, _values(thing)
            if _seen.get(uid) != values:
                _seen[uid] = values
                live.follow(thing)
            _look_again()


def _values(terrain: bpy.types.Object) -> tuple[object, ...]:
    """Return the animated values of a terrain."""
    values: list[object] = []
    for path, index in animation.paths(terrain):
        with suppress(ValueError):  # of a layer that is gone
            value: Any = terrain.path_resolve(path)
            values.append(value if isinstance(value, (bool, int, float, str)) else value[index])
    return tuple(values)


def _on_load(*_: Any) -> None:
    _seen.clear()
    frames.forget()
    for scene in bpy.data.scenes:
        if any(_animated(scene)):
            _look_again()


# --- renders in a window --------------------------------------------------------------------------


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


def _look_again() -> None:
    """Look for renders that wait, from now on: they must not call a timer themselves."""
    if live.is_main_thread():
        timer.call(_serve)


def _serve() -> float:
    """Do what renders wait for."""
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


_handlers = Handlers(
    ("frame_change_post", _follow),
    ("depsgraph_update_post", _on_change),
    ("load_post", _on_load),
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
