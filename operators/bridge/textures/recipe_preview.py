# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the settings in panels, which follow the sliders, and contact sheets of variations to choose from.

Every property of the settings reports when it is set. The report marks the picture as outdated, and a
task draws it: coarsely during a gesture, some ten times a second at most, and finely when nothing has
changed for a moment. A picture is drawn only while a panel shows it. There is one picture for each kind
of editor, which is overwritten. There is one contact sheet at a time. It belongs to the settings that it was
made for, and to nothing that is saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, part_of
from ....noise_core.base.errors import TerraneError
from ....noise_core.recipes import variations
from ..datablocks import linked
from ..datablocks.ref import Ref
from ..interface import messages, thumbnails
from ..interface.registering import Handlers
from ..interface.thumbnails import settings_key
from ..schema import changes, layers, settings, state
from ..tasks import pictures
from ..tasks.jobs import Work
from ..tasks.pace import Update, structure
from ..tasks.product import Product
from ..tasks.task import Task
from . import mask_overlay, recipe_pictures

SIDE = 256
"""Pixels along each side."""

SHEETS = {
    "seeds": "The same settings with other seeds",
    "variations": "The same seed, with slightly different frequency, octaves, warp and settings",
}
"""Kinds of contact sheets."""

COUNT = 9
COLUMNS = 3


class PreviewPicture(Product):
    """The picture in one kind of editor."""

    settled = 0.3
    pause = 0.1
    quick = 0.06
    smallest = 64
    is_urgent = False

    key = "preview"
    is_wanted = staticmethod(lambda owner: True)

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.task = Task(self, name=kind)
        self.is_outdated = False  # whether settings have changed since work on it began last
        self.owner: Ref[Any] | None = None  # whose settings it shows
        self.is_seen = False  # whether a panel has drawn it since work on it began last
        self.is_true = True  # whether it shows the present settings at full resolution

    def note_change(self) -> None:
        """Mark the picture as outdated, and draw it if a panel shows it."""
        self.is_true, self.is_outdated = False, True
        if self.is_seen:
            pictures.add(self.task)

    def request(self, owner: Any) -> recipe_pictures.Order | None:
        """Return the order for the picture if a panel shows it."""
        if not self.is_seen:
            return None
        try:
            order = _order(self.kind)
        except TerraneError:
            order = None  # the settings cannot be read; other parts of the panel show the reason
        if order is None:
            self.is_true = True
        return order

    def update(self, owner: Any, request: recipe_pictures.Order) -> Update:
        """Return the update of the picture: a coarse one comes first."""
        cost_key = structure(request.recipe, request.recipe.to_json())
        return Update(request, "", cost_key, (SIDE, SIDE), can_preview=True)

    def holders(self, owner: Any) -> tuple[()]:
        """Return nothing: no datablock holds it."""
        return ()

    def lacks_more(self, owner: Any, request: Any, *, is_thorough: bool) -> bool:
        """Return that it has to be drawn while a panel shows it."""
        return True

    def work(self, owner: Any, request: Any, side: int | None = None) -> Work:
        """Draw it."""
        self.is_outdated = False
        # A coarse picture is not the last: were it to be seen first, a Blender that draws slowly would begin
        # with a coarse one again and again.
        self.is_seen = self.is_seen and side is not None
        return recipe_pictures.work(request, SIDE, side)

    def write(self, owner: Any, request: Any, result: Any, *, is_preview: bool = False) -> str:
        """Show it."""
        thumbnails.show(settings_key(self.kind), result)
        self.is_true = not (is_preview or self.is_outdated)
        messages.redraw_panels(bpy.context)
        return ""


previews = {kind: PreviewPicture(kind) for kind in messages.EDITORS}


def follow(context: bpy.types.Context) -> None:
    """Note that a panel draws the picture, so that it will follow the settings.

    Nothing is computed here, since Blender is drawing; see `thumbnails.settings_icon`.
    """
    preview = previews.get("" if context.area is None else context.area.type)
    if preview is None:
        return
    owner = Ref.of(state.active_settings(context).id_data)
    preview.is_seen = True
    if preview.owner != owner:
        preview.owner = owner
        preview.note_change()
    elif not preview.is_true and preview.task.key not in pictures.queue.waiting:
        pictures.add(preview.task)


def _on_setting(owner: bpy.types.ID) -> None:
    for preview in previews.values():
        if preview.owner == Ref.of(owner):
            preview.note_change()


def _on_undo(*_: Any) -> None:
    for preview in previews.values():
        if preview.owner is not None:
            preview.note_change()


def _on_load(*_: Any) -> None:
    forget_sheet()
    _on_undo()


def _register() -> None:
    changes.subscribe(_on_setting)


def _end() -> None:
    changes.unsubscribe(_on_setting)
    pictures.clear()
    mask_overlay.overlay.end()
    for kind in previews:
        previews[kind] = PreviewPicture(kind)


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


@dataclass(frozen=True)
class Sheet:
    """Variations of one of `keywords.SHEETS` to choose from, with a number for each set of nine.

    The owner is the datablock with the settings that it was made for.
    """

    kind: str
    roll: int
    owner: Ref[Any]
    entries: tuple[variations.Variation, ...]

    def label(self, place: int) -> str:
        """Return the first difference of an entry, in a word or two."""
        (title, value), *further_changes = self.entries[place].changes
        return f"{title} {_text(value)}{' ...' if further_changes else ''}"

    def differences(self, place: int) -> str:
        """Return all differences of an entry."""
        return ", ".join(f"{title} {_text(value)}" for title, value in self.entries[place].changes)


present_sheet: Sheet | None = None


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace("_", " ")


def build_sheet(context: bpy.types.Context, kind: str, roll: int) -> tuple[Sheet, Work]:
    """Return a sheet for the active settings, if they can be varied, and the work that draws its pictures."""
    group = state.active_settings(context)
    recipe, states = settings.read(group), settings.states(group)
    if kind == "seeds":
        entries = variations.other_seeds(recipe, roll, COUNT)
    else:
        entries = variations.other_values(recipe, roll, COUNT, layers.acting(recipe, states))
    order = recipe_pictures.order_of(context, group)
    orders = [order.with_recipe(layers.acting(entry.recipe, states)) for entry in entries]
    sheet = Sheet(kind, roll, Ref.of(group.id_data), entries)

    def draw(progress: Progress, cancel: Cancel) -> list[Field]:
        drawn = []
        for place, entry_order in enumerate(orders):
            part = part_of(progress, place / COUNT, (place + 1) / COUNT)
            drawn.append(recipe_pictures.work(entry_order)(part, cancel))
        return drawn

    return sheet, draw


def show_sheet(sheet: Sheet, pictures: Sequence[Field]) -> None:
    """Show a contact sheet as the present sheet."""
    global present_sheet
    for place, picture in enumerate(pictures):
        thumbnails.show(_key(place), picture)
    present_sheet = sheet


def sheet_icon(place: int) -> int:
    """Return the number of the icon with the picture of an entry of the present sheet."""
    return thumbnails.icon(_key(place))


def take_variation(place: int) -> None:
    """Apply an entry of the present sheet to the settings that the sheet was made for."""
    if present_sheet is None:
        raise TerraneError("Make a contact sheet first")
    if not 0 <= place < len(present_sheet.entries):
        raise TerraneError("index must be in [0, {}]", len(present_sheet.entries) - 1, got=place)
    owner = present_sheet.owner.find()
    if owner is None:
        raise TerraneError("Make another contact sheet: the settings of this one are gone")
    linked.require_writable(owner)
    group = getattr(owner, state.PROPERTY)
    settings.write(group, present_sheet.entries[place].recipe, settings.states(group))


def forget_sheet() -> None:
    """Forget the present sheet: another file has other settings."""
    global present_sheet
    present_sheet = None


def _key(place: int) -> str:
    return f"sheet {place}"
