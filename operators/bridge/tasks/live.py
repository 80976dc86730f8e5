# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update: what is made of settings follows them while a slider is dragged.

Every property of a group of settings says when it is set (`changes.py`). That only adds a task to the
queue and asks for a tick of the timer, so that many changes at once, as when a preset is loaded, are
one. Blender evaluates the scene before it draws what the slider has changed; what can be done by then
is done then, so that no picture of the old heights comes first. `queue.py` says what is done when.

Undo
----
Blender ends every gesture on a slider with one undo step, and what a timer writes lies
outside of it: the step may hold heights that lag behind its settings, and undo leaves a mesh as it
is that did not change between two steps. A second step, with the right heights, would ask the user
to undo twice. So the heights say themselves what they were made of (`terrain/made.py`), in the same
datablock and therefore always truly; after undo and redo all that was updated live is compared
with its settings, and computed again where they differ. What comes of the same settings is the same to
the bit. That holds too when the whole was not ready at the end of the gesture, and when another
operator's step comes in between.

A file that was saved while a preview was shown is finished when it is loaded, in the background too:
what is rendered or exported there should be no preview.

In the background there are no timers, and so nothing is live: see `update_now`. But a render shows
what the settings say, there and in a window (`renders.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ....noise_core.base.errors import Message
from ..datablocks.ref import Ref
from ..interface import timer
from ..interface.registering import Handlers, undone_if_failed
from ..schema import changes, live_switch
from . import jobs
from .queue import TaskQueue
from .renders import Renders, is_main_thread
from .task import KINDS, Task, task_of

PREVIEW = Message("Only a preview: press Update to finish it")

queue = TaskQueue()

looks: list[Callable[[], None]] = []
"""Called before everything is updated: each notices changes of which Blender does not tell."""

_renders = Renders()


class LiveTask(Task):
    """A datablock that follows its settings."""

    kind = ""
    collection = ""
    """Attribute of ``bpy.data`` with all datablocks of its type."""

    def __init__(self, owner: Any) -> None:
        self.ref: Ref[Any] = Ref.of(owner)
        super().__init__((self.kind, self.ref.uid), f"Updating {owner.name}")

    def is_wanted(self, owner: Any) -> bool:
        """Return whether a scene that it is in is live."""
        return live_switch.is_live(owner)

    def is_in(self, scene: bpy.types.Scene, owner: Any) -> bool:
        """Return whether a render of a scene may show it."""
        return live_switch.shows(scene, owner)

    @classmethod
    def previews(cls) -> Iterator[Task]:
        """Yield the tasks of all datablocks that show a preview."""
        for owner in getattr(bpy.data, cls.collection):
            task = cls.of(owner)
            if task is not None and task.shows_preview(owner):
                yield task


def add_kind(owner_type: type, kind: type[Task]) -> None:
    """Let datablocks of a type follow their settings."""
    KINDS[owner_type] = kind


def remove_kind(owner_type: type) -> None:
    """Let them follow no longer."""
    KINDS.pop(owner_type, None)


def add(task: Task) -> None:
    """Compare a datablock with its settings, and with what was painted, and update it if they differ."""
    queue.add(task, is_thorough=True)
    _wake()


def is_listening() -> bool:
    """Return whether what Blender reports now was done by the user, in the main thread."""
    return not queue.is_writing and is_main_thread()


def update_now(*, is_preview: bool = False) -> None:
    """Update everything whose settings have changed, and wait for it: for scripts and tests.

    Only what is in a scene whose switch is on; in a window that comes by itself a moment later.

    Parameters
    ----------
    is_preview : bool
        Show previews only.
    """
    if live_switch.is_on(bpy.context):
        for look in looks:
            look()
    if not is_preview:
        queue.adopt()
    queue.finish(is_preview=is_preview)


def note(owner: bpy.types.ID | None) -> str:
    """Return what the user should know about a datablock's live update; nothing if all is well."""
    own = None if owner is None else task_of(owner)
    if own is None:
        return ""
    if live_switch.is_live(owner):
        waiting = queue.waiting.get(own.key)
        if waiting is not None and not waiting.is_thorough and own.must_wait(owner):
            return own.why_waiting(owner)
        result = queue.results.get(own.key)
        if result is not None or waiting is not None:
            return "" if result is None else result.note
    return PREVIEW if own.shows_preview(owner) else ""


def tick() -> float | None:
    """Do what the timer is for: go on with the queue, and let renders go on that need wait no longer."""
    try:
        queue.is_awaited = _renders.are_waiting
        return queue.step()
    finally:
        _renders.serve(queue.is_due_in)


def _on_setting(owner: bpy.types.ID) -> None:
    """Note that the settings of a datablock have changed."""
    if queue.is_writing:
        return
    own = task_of(owner)
    if own is not None and own.is_wanted(owner):
        # Before anything is written: it may be gone by then, and back by undo.
        queue.touched[own.key] = own
        queue.add(own)
        _wake()


def _wake() -> None:
    """Ask for a tick, unless there is nothing to do."""
    if not queue.is_idle:
        timer.call(tick)


def _forget() -> None:
    queue.clear()
    _renders.release()


@persistent
def _before_draw(*_: Any) -> None:
    """Do what is quick; in the background nothing is drawn."""
    if not bpy.app.background and not queue.is_idle and is_main_thread():
        queue.step_before_draw()


@persistent
def _on_change(*_: Any) -> None:
    """See what has changed besides settings; this is called at every change in Blender."""
    if is_listening():
        queue.look_again()
        _wake()


@persistent
def _on_render(scene: Any, *_: Any) -> None:
    """Finish what a render is to show: a script's here and now, a user's while its thread waits."""
    if not is_main_thread():
        if not queue.is_idle:
            _renders.wait(scene.name)
    elif not queue.is_writing and jobs.running() is None:
        queue.adopt()
        queue.finish(scene=scene)


@persistent
def _on_undo(*_: Any) -> None:
    """Compare with its settings everything that was written outside of Blender's undo steps."""
    for own in list(queue.touched.values()):
        owner = own.find()
        if owner is not None:
            own.undo(owner)
            queue.add(own, is_thorough=True)
    _wake()


@persistent
def _on_load_start(*_: Any) -> None:
    _forget()


@persistent
def _on_load(*_: Any) -> None:
    """Finish the previews that a file was saved with."""
    queue.adopt()
    if bpy.app.background:
        queue.finish()
    _wake()


_handlers = Handlers(
    ("depsgraph_update_pre", _before_draw),
    ("depsgraph_update_post", _on_change),
    ("render_init", _on_render),
    ("undo_post", _on_undo),
    ("redo_post", _on_undo),
    ("load_pre", _on_load_start),
    ("load_post", _on_load),
)


def register() -> None:
    """Listen to changes, undo and loaded files."""
    with undone_if_failed(unregister):
        changes.subscribe(_on_setting)
        _handlers.register()


def unregister() -> None:
    """Listen no longer, and leave nothing running."""
    _handlers.unregister()
    changes.unsubscribe(_on_setting)
    timer.cancel(tick)
    _forget()
