# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update: what is made of settings follows them while a slider is dragged.

Every property of a group of settings says when it is set (`changes.py`). That only notes whose
settings have changed and asks Blender for a timer, so that many changes at once, as when a preset
is loaded, are one. The timer then works on the newest state:

* What takes less than `live_pace.AT_ONCE` is made whole at once: by the main thread if it is really
  short, for waking another one may take longer than the work; otherwise in a thread, for which the
  timer waits a moment, to save the way round through Blender's main loop.
  Blender evaluates the scene before it draws what the slider has changed; what can be done by then
  is done then, so that no picture of the old heights comes first.
* A ramp of colors that is edited in Blender's own widget says nothing; it is looked at
  (`live_ramps.py`).
* What takes longer is first shown at a resolution that can be had quickly, and made whole when
  nothing has changed for `SETTLED` seconds. A whole that is being made is given up when something
  changes. After `LONG` seconds it is seen in the progress bar, and Esc gives it up.

Undo
----
Blender ends every gesture on a slider with one undo step of its own, and what a timer writes lies
outside of it: the step may hold heights that lag behind its settings, and undo leaves a mesh as it
is that did not change between two steps. A second step, with the right heights, would ask the user
to undo twice. So the heights say themselves what they were made of (`terrain/made.py`), in the same
datablock and therefore always truly; after undo and redo all that was updated live is compared
with its settings, and made anew where they differ. What comes of the same settings is the same to
the bit. That holds too when the whole was not ready at the end of the gesture, and when another
operator's step comes in between.

A file that was saved while a preview was shown is finished when it is loaded, in the background too:
what is rendered or exported there should be no preview.

In the background there are no timers, and so nothing is live: see `update_now`. But a render shows
what the settings say, there and in a window (`live_renders.py`).

What was painted is followed when its painting mode is left (`live_painting.py`). What was refused is
tried again when the reason may be gone (`live_wishes.py`). For both, Blender says after every change
that there was one; as a rule there is nothing to compare then.
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.handlers import persistent

from ....noise_core.errors import Message
from .. import changes, live_switch
from ..datablocks import images
from ..pictures import live_ramps
from ..registering import undone_if_failed
from ..work import jobs
from . import live_due, live_scenes, live_targets
from .live_dispatcher import LATER, Dispatcher
from .live_painting import Painting
from .live_renders import Renders, is_main_thread

PREVIEW = Message("Only a preview: press Update to finish it")

dispatcher = Dispatcher()

_painting = Painting()
_renders = Renders()


def update_now(*, is_preview: bool = False) -> None:
    """Update everything whose settings have changed, and wait for it: for scripts and tests.

    Only what is in a scene whose switch is on; in a window that comes by itself a moment later.

    Parameters
    ----------
    is_preview : bool
        Show previews only.
    """
    if live_switch.is_on(bpy.context):
        live_ramps.look()
    if not is_preview:
        dispatcher.adopt()
    dispatcher.finish(is_preview=is_preview)


def note(owner: bpy.types.ID | None) -> str:
    """Return what the user should know about a datablock's live update; nothing if all is well."""
    target = None if owner is None else live_targets.target_of(owner)
    if owner is None or target is None:
        return ""
    if live_scenes.is_live(owner):
        wish = dispatcher.wishes.waiting.get(target.key)
        if wish is not None and not wish.is_thorough and target.must_wait(owner):
            return target.why_waiting(owner)
        if wish is not None or target.key in dispatcher.notes:
            return dispatcher.notes.get(target.key, "")
    return PREVIEW if live_targets.shows_preview(owner) else ""


def register() -> None:
    """Listen to changes, undo and loaded files."""
    with undone_if_failed(unregister):
        changes.subscribe(_heard)
        live_ramps.register()
        for handlers, function in _handlers():
            handlers.append(function)


def unregister() -> None:
    """Listen no longer, and leave nothing running."""
    live_ramps.unregister()
    for handlers, function in _handlers():
        if function in handlers:
            handlers.remove(function)
    changes.unsubscribe(_heard)
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    _forget()


def _handlers() -> Any:
    own = bpy.app.handlers
    return (
        (own.depsgraph_update_pre, _before_drawing),
        (own.depsgraph_update_post, _changed),
        (own.render_init, _rendering),
        (own.undo_post, _undone),
        (own.redo_post, _undone),
        (own.load_pre, _loading),
        (own.load_post, _loaded),
    )


def _heard(owner: bpy.types.ID) -> None:
    dispatcher.notice(owner)
    _wake()


def _wake() -> None:
    """Ask Blender for the timer, unless it is on its way or there is nothing to do."""
    if bpy.app.background or dispatcher.is_idle:
        return
    if not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=0.0, persistent=True)


def _tick() -> float | None:
    manager = bpy.context.window_manager
    if manager is None or not manager.windows:
        return LATER
    is_well = False
    # A timer has no window of its own, and then no view layer either.
    context: Any = bpy.context
    with context.temp_override(window=context.window or manager.windows[0]):
        try:
            dispatcher.is_awaited = _renders.are_waiting
            wait = dispatcher.step()
            is_well = True
        finally:
            _renders.serve(lambda scene: live_due.is_due_in(dispatcher.wishes, scene))
            if not is_well:  # Blender takes a timer that fails away; the other wishes stay
                bpy.app.timers.register(_wake, first_interval=LATER, persistent=True)
    return wait


def _forget() -> None:
    dispatcher.clear()
    _painting.forget()
    _renders.release()


@persistent
def _before_drawing(*_: Any) -> None:
    """Do what is quick; in the background nothing is drawn."""
    if not bpy.app.background and not dispatcher.is_idle and is_main_thread():
        dispatcher.glance()


@persistent
def _changed(_: Any, depsgraph: Any) -> None:
    """See what has changed besides settings; this is called at every change in Blender."""
    if dispatcher.is_writing or not is_main_thread():
        return
    dispatcher.wishes.look_again()
    for target in _painting.ended(depsgraph.view_layer.objects.active):
        dispatcher.wish(target, is_thorough=True)
    _wake()


@persistent
def _rendering(scene: Any, *_: Any) -> None:
    """Finish what a render is to show: a script's here and now, a user's while its thread waits."""
    if not is_main_thread():
        if not dispatcher.is_idle:
            _renders.wait(scene.name)
    elif not dispatcher.is_writing and jobs.running() is None:
        dispatcher.adopt()
        dispatcher.finish(scene=scene)


@persistent
def _undone(*_: Any) -> None:
    """Compare with its settings whatever was written outside of Blender's undo steps."""
    images.forget_checksums()
    for target in list(dispatcher.touched.values()):
        owner = target.found()
        if owner is not None:
            target.undone(owner)
            dispatcher.wish(target, is_thorough=True)
    _wake()


@persistent
def _loading(*_: Any) -> None:
    images.forget_checksums()
    _forget()


@persistent
def _loaded(*_: Any) -> None:
    """Finish the previews that a file was saved with, and know its ramps."""
    live_ramps.loaded()
    dispatcher.adopt()
    if bpy.app.background:
        dispatcher.finish()
    _wake()
