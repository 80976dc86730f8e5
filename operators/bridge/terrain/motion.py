# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains whose settings have keyframes or drivers follow them from frame to frame.

When the frame changes, Blender has evaluated all animation. A render does so on copies of its own, and leaves
the settings that the panel shows as they are; so the settings are read from the evaluated object, and the
heights of the frame are written into the mesh before the render goes on. Nothing of that is an edit: no undo step,
and the build record of the mesh says which settings its heights are made of (`made.py`). The same frame has
the same bits, whichever one came before.

* Renders, and scripts in the background, get the whole. While the viewport of a window plays, terrains with
  modifiers show a preview, which the live update finishes once it stands still.
* A render in a window runs in a thread of its own, which computes, and waits while the main thread writes.
* What moves a driver may change between two frames: live update follows it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy

from ....noise_core.base.blocks import part_of
from ....noise_core.base.errors import TerraneError
from ....noise_core.rasters import resampling
from ..datablocks import compat, editing, meshes
from ..datablocks.ref import Ref
from ..datablocks.switch import Switch
from ..interface import timer
from ..interface.registering import Handlers
from ..schema import animation, live_switch, masks, preferences, state
from ..tasks import jobs, live
from . import evaluation, ground, made, regrid, terrains
from .terrain_task import TerrainTask

if TYPE_CHECKING:  # imported with the first frame
    from concurrent.futures import Future

    from ....noise_core.recipes.known_fields import KnownFields
    from .evaluation import Evaluated

BAKED = "Terrane Motion"
"""Name of the modifier that plays a cache, and of the action of baked shape keys."""

_LOOK, _BEAT = 0.25, 0.01
"""Seconds between two looks for a render that waits, and while one renders."""

_waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
"""What renders in a window wait for the main thread to do."""


@functools.cache
def known_fields() -> KnownFields:
    """Return the noise of the last frames: what does not move is not computed again."""
    from ....noise_core.recipes.known_fields import KnownFields  # here: few terrains move

    return KnownFields()


_seen: dict[int, tuple[object, ...]] = {}
"""Animated values of terrains when they were last looked at, by UID."""

paused = Switch()
"""Whether no terrain follows: a bake reads frame after frame."""


@dataclass(frozen=True)
class Frame:
    """The settings of a terrain in a frame."""

    terrain: Ref[bpy.types.Object]
    asked: terrains.Request
    digest: str

    @classmethod
    def of(cls, terrain: bpy.types.Object, depsgraph: Any) -> Frame | None:
        """Return those of an evaluated terrain, None if the dependency graph has no copy of it."""
        evaluated = terrain.evaluated_get(depsgraph)
        if not evaluated.is_evaluated:
            return None
        asked = terrains.present_request(evaluated)
        return cls(Ref.of(terrain), asked, made.digest(asked))


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


def work(owner: bpy.types.Object, frame: Frame, side: int | None = None) -> jobs.Work:
    """Read the masks, and return the work that gives the heights of a frame as `Evaluated`.

    A preview has so many samples along its longer side.
    """
    grid, recipe = frame.asked.grid(), frame.asked.acting
    is_coarse = side is not None and side < max(grid.shape)
    coarse = resampling.coarse_grid(grid, side) if is_coarse else grid
    where = masks.fields(owner, frame.asked, coarse, grid.depth if is_coarse else None)

    def make(progress: Any, cancel: Any) -> Evaluated:
        count = 1 + len(recipe.layers_on_grid)
        first = part_of(progress, 0.0, 1.0 / count)
        noise = known_fields().sample(
            recipe.noise, recipe.seed, coarse, progress=first, cancel=cancel
        )
        options = {"masks": where, "progress": progress, "cancel": cancel}
        height = recipe.evaluate(coarse, ground=noise, **options).height
        if is_coarse:
            height = resampling.spread(height, coarse, grid)
        return evaluation.Evaluated(ground.vertex_grid(grid), ground.vertex_field(height, grid), {})

    return make


def _follow(scene: bpy.types.Scene, depsgraph: Any) -> None:
    """Write the heights of this frame; Blender calls this when the frame has changed."""
    if paused.is_on:
        return
    is_render = depsgraph.mode == "RENDER"
    for terrain in _animated(scene):
        if not is_render:
            _seen[Ref.of(terrain).uid] = _values(terrain)
        with suppress(TerraneError):  # settings that cannot be read; the panel says why
            frame = None if _refuses(terrain, is_render) else Frame.of(terrain, depsgraph)
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


def _show(terrain: bpy.types.Object, frame: Frame, *, is_render: bool) -> None:
    """Evaluate a frame and write it, unless the mesh shows it."""
    record = made.Made.of(meshes.mesh_of(terrain))
    side = None
    if not (is_render or bpy.app.background) and frame.asked.acting.needs_grid:
        side = preferences.preview_cap()
    is_shown = record is not None and record.settings == frame.digest
    if record is None or (is_shown and not (record.is_preview and side is None)):
        return
    if (record.rows, record.columns) != ground.vertex_grid(frame.asked.grid()).shape:
        return  # another resolution: Update builds it
    has_masks = any(one.mask for one in frame.asked.states)
    begin = partial(work, terrain, frame, side)
    # To read a vertex group is to evaluate a mesh.
    result = jobs.at_once(_in_main_thread(begin) if has_masks else begin())
    _in_main_thread(partial(_write, frame, result, is_preview=side is not None))
    if not is_render and not bpy.app.background:
        task = TerrainTask(terrain)
        live.queue.touched[task.key] = task  # undo compares it
        if side is not None and not _is_playing():
            live.add(task)


def _write(frame: Frame, result: Evaluated, *, is_preview: bool) -> None:
    """Move the vertices, and note which settings they are made of."""
    owner = frame.terrain.find()
    mesh = None if owner is None else meshes.mesh_of(owner)
    record = None if mesh is None else made.Made.of(mesh)
    if owner is None or record is None or not editing.is_writable(mesh):
        return
    regrid.move(mesh, record.built, result.grid, result.height)
    compat.update_positions(mesh)
    made.remember(mesh, frame.digest, result.grid, result.height, is_preview=is_preview)


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


_handlers = Handlers(
    ("frame_change_post", _follow),
    ("depsgraph_update_post", _on_change),
    ("load_post", _on_load),
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
