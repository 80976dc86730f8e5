# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the settings in panels, which follow the sliders.

Every property of the settings reports when it is set. The report marks the picture as outdated, and a
task draws it: coarsely during a gesture, some ten times a second at most, and finely when nothing has
changed for a moment. A picture is drawn only while a panel shows it. There is one picture for each kind
of editor, which is overwritten.
"""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ..datablocks.ref import Ref
from ..interface import messages, thumbnails
from ..interface.registering import Handlers
from ..interface.thumbnails import settings_key
from ..schema import changes, state
from ..tasks import pictures
from ..tasks.jobs import Work
from ..tasks.task import Task, Update, structure
from . import recipe_pictures, variations

SIDE = 256
"""Pixels along each side."""


class PreviewTask(Task):
    """The picture in one kind of editor."""

    settled = 0.3
    pause = 0.1
    quick = 0.06
    smallest = 64
    is_urgent = False

    def __init__(self, kind: str) -> None:
        self.key, self.title, self.kind = ("preview", kind), kind, kind
        self.owner: Ref[Any] | None = None  # whose settings it shows
        self.is_seen = False  # whether a panel has drawn it since work on it began last
        self.is_true = True  # whether it shows the present settings at full resolution

    def note_change(self) -> None:
        """Mark the picture as outdated, and draw it if a panel shows it."""
        self.is_true = False
        if self.is_seen:
            pictures.add(self)

    def plan(self, owner: Any) -> Update | None:
        """Return the picture that is due if a panel shows it."""
        if not self.is_seen:
            return None
        try:
            order = _order(self.kind)
        except TerraneError:
            order = None  # the settings cannot be read; other parts of the panel show the reason
        if order is None:
            self.is_true = True
            return None
        what = structure(order.recipe, order.recipe.to_json())
        return Update("", what, (SIDE, SIDE), order, can_preview=True)

    def work(self, owner: Any, update: Update, side: int | None) -> Work:
        """Draw it."""
        # A coarse picture is not the last: were it to be seen first, a Blender that draws slowly would begin
        # with a coarse one again and again.
        self.is_seen = self.is_seen and side is not None
        return recipe_pictures.work(update.request, SIDE, side)

    def write(self, owner: Any, update: Update, result: Any, *, is_preview: bool) -> str:
        """Show it."""
        thumbnails.show(settings_key(self.kind), result)
        self.is_true = not is_preview and self.changed <= self.begun
        messages.redraw_panels(bpy.context)
        return ""


tasks = {kind: PreviewTask(kind) for kind in messages.EDITORS}


def follow(context: bpy.types.Context) -> None:
    """Note that a panel draws the picture, so that it will follow the settings.

    Nothing is computed here, since Blender is drawing; see `thumbnails.settings_icon`.
    """
    task = tasks.get("" if context.area is None else context.area.type)
    if task is None:
        return
    owner = Ref.of(state.active_settings(context).id_data)
    task.is_seen = True
    if task.owner != owner:
        task.owner = owner
        task.note_change()
    elif not task.is_true and task.key not in pictures.queue.waiting:
        pictures.add(task)


def _on_setting(owner: bpy.types.ID) -> None:
    for task in tasks.values():
        if task.owner == Ref.of(owner):
            task.note_change()


def _on_undo(*_: Any) -> None:
    for task in tasks.values():
        if task.owner is not None:
            task.note_change()


def _on_load(*_: Any) -> None:
    variations.forget()
    _on_undo()


def _register() -> None:
    changes.subscribe(_on_setting)


def _end() -> None:
    changes.unsubscribe(_on_setting)
    pictures.clear()
    for kind in tasks:
        tasks[kind] = PreviewTask(kind)


_handlers = Handlers(
    *(("undo_post", _on_undo), ("redo_post", _on_undo), ("load_post", _on_load)),
    begin=_register,
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister


def _order(kind: str) -> recipe_pictures.Order | None:
    """Return the order for the picture in an open editor of a kind; None if none is open."""
    context: Any = bpy.context
    for window, area in messages.open_areas(context, kind):
        with context.temp_override(window=window, area=area):
            return recipe_pictures.order_of(context, state.active_settings(context))
    return None
