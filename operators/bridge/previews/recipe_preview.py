# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of the settings in a panel, which follows the sliders.

Every property of settings says when it is set; that notes only that the picture is no longer true. A
timer then has it drawn in a thread: during a gesture as coarsely as it can be had quickly, some ten
times a second at most, and finely when nothing has changed for a moment. Panels that draw it say so:
what nobody sees is not drawn. There is one picture for each kind of editor, which is written over.
"""

from __future__ import annotations

import time  # noqa: TID251 (how long drawing takes decides how fine it is, never what it shows)
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ....noise_core.arrays import Field
from ....noise_core.blocks import Cancel, Progress
from ....noise_core.errors import TerraneError
from .. import changes, state, thumbnails
from ..live import live_pace
from ..live.live_pace import Pace
from ..registering import undone_if_failed
from ..schema.layer_cache import text_of
from ..thumbnails import settings_key
from ..work import aside, jobs, windows
from ..work.jobs import Work
from . import recipe_pictures, variations

SIDE = 256
"""Pixels along each side."""

COARSEST = 64
"""Samples along each side, at least: less shows nothing."""

QUICK = 0.06
"""Seconds that a picture may take during a gesture."""

PAUSE = 0.1
"""Seconds from one picture to the next, at least."""

SETTLED = 0.3
"""Seconds without a change after which the picture is drawn finely."""

TICK = 0.02
"""Seconds between two looks at what is to be done."""

Owner = tuple[type, int]
"""A kind of datablock, and Blender's number of it."""


@dataclass
class _Place:
    """The picture in one kind of editor.

    Attributes
    ----------
    owner : Owner or None
        Whose settings it shows; None if it shows nothing yet.
    is_seen : bool
        Whether a panel has drawn it since it was begun last.
    is_stale : bool
        Whether the settings have changed since it was begun last.
    changed : float
        When they changed last.
    is_coarse : bool
        Whether a finer one is due.
    begun : float
        When the last one was begun.
    samples : int
        Along each side of the one that is being drawn, 0 if none is.
    is_long : bool
        Whether that is expected to take long.
    """

    owner: Owner | None = None
    is_seen: bool = False
    is_stale: bool = False
    changed: float = 0.0
    is_coarse: bool = False
    begun: float = 0.0
    samples: int = 0
    is_long: bool = False

    @property
    def is_due(self) -> bool:
        """Whether there is anything to be done for it."""
        return bool(self.samples) or (self.is_seen and (self.is_stale or self.is_coarse))

    def note_change(self) -> None:
        """Note that the picture is no longer true."""
        self.is_stale, self.changed = True, time.perf_counter()


_places = {kind: _Place() for kind in windows.EDITORS}
_pace = Pace()


def follow(context: bpy.types.Context) -> None:
    """Note that a panel draws the picture, so that it will follow the settings.

    Nothing is worked out here, for Blender is drawing; see `thumbnails.settings_icon`.
    """
    place = _places.get("" if context.area is None else context.area.type)
    if place is None:
        return
    owner = _owner(context)
    place.is_seen = True
    if place.owner != owner:
        place.owner = owner
        place.note_change()
    if place.is_due:
        _wake()


def update_now(context: bpy.types.Context, kind: str) -> None:
    """Draw the picture of one kind of editor here and now: for scripts and tests.

    Raises
    ------
    TerraneError
        If the settings cannot be read.
    """
    order = recipe_pictures.order_of(context, state.active_settings(context))
    thumbnails.show(settings_key(kind), jobs.at_once(recipe_pictures.work(order, SIDE)))


def register() -> None:
    """Listen to changes, undo and loaded files."""
    with undone_if_failed(unregister):
        changes.subscribe(_heard)
        for handlers, function in _handlers():
            handlers.append(function)


def unregister() -> None:
    """Listen no longer."""
    for handlers, function in _handlers():
        if function in handlers:
            handlers.remove(function)
    changes.unsubscribe(_heard)
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    for kind in _places:
        _places[kind] = _Place()


def _handlers() -> Any:
    own = bpy.app.handlers
    return ((own.undo_post, _undone), (own.redo_post, _undone), (own.load_post, _loaded))


def _heard(owner: bpy.types.ID) -> None:
    _note((type(owner), owner.session_uid))


def _note(owner: Owner | None) -> None:
    """Note that the pictures of somebody's settings, or all of them, are no longer true."""
    for place in _places.values():
        if place.owner is not None and owner in (None, place.owner):
            place.note_change()
            if place.is_due:
                _wake()


@persistent
def _undone(*_: Any) -> None:
    _note(None)


@persistent
def _loaded(*_: Any) -> None:
    variations.forget()
    _note(None)


def _wake() -> None:
    if not bpy.app.background and not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=0.0, persistent=True)


def _tick() -> float | None:
    due = [(kind, place) for kind, place in _places.items() if place.is_due]
    if jobs.running() is None:
        for kind, place in due:
            _look_after(kind, place)
    return TICK if due else None


def _look_after(kind: str, place: _Place) -> None:
    """Begin what is due for one place."""
    now = time.perf_counter()
    if place.samples:
        # For a coarser one, which is quicker; what ends soon is shown, or nothing ever would be.
        if place.is_stale and place.is_long and aside.give_up(settings_key(kind)):
            place.samples = 0
        return
    if now - place.begun < PAUSE or not (place.is_stale or now - place.changed > SETTLED):
        return
    try:
        order = _order(kind)
    except TerraneError:
        order = None  # the settings cannot be read; other parts of the panel say why
    if order is None:
        place.is_stale = place.is_coarse = False
        return
    _begin(kind, place, order)


def _begin(kind: str, place: _Place, order: recipe_pictures.Order) -> None:
    """Have a picture drawn: coarsely if the settings have just changed, and it takes long."""
    what = live_pace.structure(order.recipe, text_of(order.recipe))
    expected = _pace.expected(what, SIDE * SIDE, is_whole=False)
    samples = SIDE
    if place.is_stale and expected > QUICK:
        samples = max(COARSEST, int(SIDE * (QUICK / expected) ** 0.5))
    begun = place.begun = time.perf_counter()
    place.samples, place.is_coarse = samples, samples < SIDE
    place.is_long = samples == SIDE and expected > QUICK
    place.is_stale = place.is_seen = False

    def done(picture: Field) -> None:
        if place.begun == begun:
            place.samples = 0
            thumbnails.show(settings_key(kind), picture)
            windows.redraw_panels(bpy.context)

    def refused() -> None:
        if place.begun == begun:
            place.samples, place.is_coarse = 0, False

    work = _timed(recipe_pictures.work(order, SIDE, samples), samples, what)
    aside.run(settings_key(kind), work, done, refused)


def _timed(work: Work, samples: int, what: Any) -> Work:
    """Return work that notes how long it takes."""

    def timed(progress: Progress, cancel: Cancel) -> Field:
        start = time.perf_counter()
        made: Field = work(progress, cancel)
        _pace.note(what, samples * samples, time.perf_counter() - start, is_whole=False)
        return made

    return timed


def _order(kind: str) -> recipe_pictures.Order | None:
    """Return what is to be drawn in an editor of a kind; None if none is open."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == kind:
                context: Any = bpy.context
                with context.temp_override(window=window, area=area):
                    return recipe_pictures.order_of(context, state.active_settings(context))
    return None


def _owner(context: bpy.types.Context) -> Owner:
    owner = state.active_settings(context).id_data
    return (type(owner), owner.session_uid)
