# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update of terrains and images while a slider is dragged.

Every property of a group of settings reports when it is set (`changes.py`). Each report adds a task to
the queue and requests a tick of the timer, so that many simultaneous changes, as when a preset is
loaded, count as one. Blender evaluates the scene before it draws the change of a slider; short updates
run then, so that the old heights are not drawn first. `queue.py` defines the order of the work.

Undo
----
Blender ends every gesture on a slider with one undo step, but a timer writes
outside of it: the step may hold heights that lag behind its settings, and undo leaves a mesh as it
is that did not change between two steps. With a second step for the right heights the user would have
to undo twice. So the heights store the settings that they were made from (`datablocks/record.py`) in the same
datablock, where both always match. After undo and redo all datablocks that were updated live are compared
with their settings, and computed again where they differ. The same settings give the same bits. This also
holds if the full update was not ready at the end of the gesture, or if another operator's undo step
comes in between.

A file that was saved during a preview is updated in full when it is loaded, in the background too, so that
no preview is rendered or exported.

In the background there are no timers, so there is no live update: see `update_now`. Renders always
match the settings, in the background and in a window (`Renders`).
"""

from __future__ import annotations

import threading
import time  # noqa: TID251 (how long a render waits, never what it shows)
from collections.abc import Callable
from typing import Any

import bpy

from ....noise_core.base.errors import Message
from ..datablocks.ref import Ref
from ..interface import timer
from ..interface.registering import Handlers
from ..schema import changes, live_switch
from . import jobs
from .pace import known_updates
from .product import Product
from .queue import TaskQueue
from .steps import Steps
from .task import Task, product_of

PREVIEW = Message("Preview: press Update to finish")

PATIENCE = 5.0
"""Seconds without a sign of life from the main thread after which a render waits no longer."""

_LOOK = 0.1
"""Seconds between two looks of a render at the main thread."""


class Renders:
    """Renders in a window, which wait until the updates of their scene are done.

    A render begins in another thread, which must not access data that Blender's main thread may be
    drawing. Blender calls the render's handlers before it reads the scene. There the thread waits, while
    the timer of the main thread finishes the updates. If Blender itself waits for the render to end, as
    before it quits, the timer no longer runs; then the render continues with the data as they are.
    """

    def __init__(self) -> None:
        self._waiting: dict[threading.Event, str] = {}
        self._beaten = 0.0

    @property
    def are_waiting(self) -> bool:
        """Whether there is a render that waits."""
        return bool(self._waiting)

    def wait(self, scene: str) -> None:
        """Wait, in a render's own thread, until `serve` finds nothing due for a scene of this name."""
        is_done = threading.Event()
        self._beaten = time.perf_counter()
        self._waiting[is_done] = scene
        while not is_done.wait(_LOOK) and time.perf_counter() - self._beaten < PATIENCE:
            pass
        self._waiting.pop(is_done, None)

    def serve(self, is_due: Callable[[bpy.types.Scene], bool]) -> None:
        """Release the renders whose scenes are up to date; in the main thread, which shows that it is alive."""
        self._beaten = time.perf_counter()
        for is_done, name in tuple(self._waiting.items()):
            scene = bpy.data.scenes.get(name)
            if scene is None or not is_due(scene):
                is_done.set()

    def release(self) -> None:
        """Release all renders."""
        for is_done in tuple(self._waiting):
            is_done.set()


queue = TaskQueue()

change_detectors: list[Callable[[], None]] = []
"""Functions called before an update; each detects changes that Blender does not report."""

unclaimed_listeners: list[Callable[[bpy.types.ID], None]] = []
"""Functions called with datablocks without a task whose settings have changed."""

_renders = Renders()


def add(task: Task) -> None:
    """Compare a datablock with its settings and its paint, and update it if they differ."""
    queue.add(task, is_thorough=True)
    timer.call(tick)


def make_soon(product: Product, owner: bpy.types.ID) -> Steps[None]:
    """Make a product in a separate task, which no operator waits for; at once if there are no such tasks."""
    if bpy.app.background or not product.is_wanted(owner):
        yield from product.run(owner)
    else:
        add(Task(product, owner))


def follow(owner: bpy.types.ID) -> None:
    """Update a datablock whose settings have changed without being set, as by a driver."""
    _on_setting(owner)


def is_listening() -> bool:
    """Return whether a change that Blender reports comes from the user, in the main thread."""
    return not queue.writing.is_on and is_main_thread()


def update_now(*, is_preview: bool = False) -> None:
    """Update everything whose settings have changed, or preview it, and wait: for scripts and tests.

    Only datablocks in scenes with live update are updated; in a window the timer does this a moment later.
    """
    if live_switch.is_on(bpy.context):
        for detect in change_detectors:
            detect()
    if not is_preview:
        queue.tasks.add_previews()
    queue.finish(is_preview=is_preview)


def note(owner: bpy.types.ID | None) -> str:
    """Return a message about a datablock's live update; empty if there is none."""
    product = None if owner is None else product_of(owner)
    if product is None:
        return ""
    task = Task(product, owner)
    if product.is_wanted(owner):
        waiting = queue.waiting.get(task.key)
        if waiting is not None and not waiting.is_thorough and product.must_wait(owner):
            return product.why_waiting(owner)
        result = queue.tasks.results.get(task.key)
        if result is not None or waiting is not None:
            return "" if result is None else result.note
    return PREVIEW if product.shows_preview(owner) else ""


def tick() -> float | None:
    """Advance the queue, and release renders whose scenes are up to date."""
    try:
        queue.is_awaited = _renders.are_waiting
        return queue.step()
    finally:
        _renders.serve(queue.is_due_in)


def is_main_thread() -> bool:
    """Return whether this is Blender's main thread; renders call handlers in another one."""
    return threading.current_thread() is threading.main_thread()


def _on_setting(owner: bpy.types.ID) -> None:
    """Note that the settings of a datablock have changed."""
    product = None if queue.writing.is_on else product_of(owner)
    if product is None:
        for listen in unclaimed_listeners if is_listening() else ():
            listen(owner)
    elif product.is_wanted(owner):
        queue.add(Task(product, owner))
        timer.call(tick)


def _forget_update(owner: bpy.types.ID) -> None:
    """Forget the last update of settings that have changed in more than numbers."""
    known_updates.pop(Ref.of(owner).uid, None)


def _before_draw(*_: Any) -> None:
    """Run short updates; in the background nothing is drawn."""
    if not bpy.app.background and not queue.is_idle and is_main_thread():
        queue.step_before_draw()


def _on_change(*_: Any) -> None:
    """Retry refused tasks whose state has changed; Blender calls this at every change."""
    if is_listening():
        queue.tasks.retry_refused()
        _wake()


def _on_render(scene: Any, *_: Any) -> None:
    """Finish the updates that a render shows: for a script in this thread, for a user while the render waits."""
    if not is_main_thread():
        if not queue.is_idle:
            _renders.wait(scene.name)
    elif not queue.writing.is_on and jobs.running() is None:
        queue.tasks.add_previews()
        queue.finish(scene=scene)


def _on_undo(*_: Any) -> None:
    """Compare all results written outside of Blender's undo steps with their settings."""
    known_updates.clear()
    for task in list(queue.tasks.touched.values()):
        owner = task.find()
        if owner is not None:
            task.product.undo(owner)
            queue.add(task, is_thorough=True)
    _wake()


def _on_rest(*_: Any) -> None:
    """Finish the previews that a file was saved with, or that an animation has left."""
    queue.tasks.add_previews()
    if bpy.app.background:
        queue.finish()
    _wake()


def _wake() -> None:
    """Ask for a tick, unless there is nothing to do."""
    if not queue.is_idle:
        timer.call(tick)


def _forget(*_: Any) -> None:
    known_updates.clear()
    queue.clear()
    _renders.release()


def _register() -> None:
    changes.subscribe(_on_setting)
    changes.subscribe(_forget_update, ignores_numbers=True)


def _end() -> None:
    changes.unsubscribe(_on_setting)
    changes.unsubscribe(_forget_update)
    timer.cancel(tick)
    _forget()
    jobs.end_all()


_handlers = Handlers(
    ("depsgraph_update_pre", _before_draw),
    ("depsgraph_update_post", _on_change),
    ("render_init", _on_render),
    ("undo_post", _on_undo),
    ("redo_post", _on_undo),
    ("load_pre", _forget),
    ("load_post", _on_rest),
    ("animation_playback_post", _on_rest),
    begin=_register,
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
