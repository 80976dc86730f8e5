# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wished for, what was refused, and what there is to say about it.

A refusal is no end: as soon as what it may depend on is another (see `Target.state`), it is worth
another try. Whoever hears of changes asks for that with `look_again`, which compares and computes
nothing; so nobody has to ask while nothing happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ....noise_core.errors import Message
from ..work import windows
from .live_target import Key, Target
from .live_work import Wish

FAILED = Message("An error in Terrane: Blender's console says which. Press Update to try again")


class Wishes:
    """Targets that may not be what their settings say."""

    def __init__(self) -> None:
        self.waiting: dict[Key, Wish] = {}
        """The newest last."""
        self.notes: dict[Key, str] = {}
        """What the user should know, by target."""
        self.touched: dict[Key, Target] = {}
        """What has changed since the file was loaded: undo may part it from its settings."""
        self._refused: dict[Key, tuple[Wish, object]] = {}

    def add(self, target: Target, now: float, *, is_thorough: bool) -> None:
        """Wish for a target to be looked at; see `Wish`."""
        self._refused.pop(target.key, None)
        old = self.waiting.pop(target.key, None)  # to the end: the newest comes last
        is_thorough |= old is not None and old.is_thorough
        self.waiting[target.key] = Wish(target, now, is_thorough=is_thorough)

    def fulfil(self, key: Key, note: str = "") -> None:
        """There is nothing more to do for a target, for a reason or because all is done."""
        self.waiting.pop(key, None)
        self._refused.pop(key, None)
        self._say(key, note)

    def refuse(self, key: Key, note: str) -> None:
        """Nothing can be done for a target until something else has changed."""
        wish = self.waiting.get(key)
        owner = None if wish is None else wish.target.found()
        self.fulfil(key, note)
        if wish is not None and owner is not None:
            self._refused[key] = (wish, wish.target.state(owner))

    def look_again(self) -> None:
        """Wish again for whatever was refused in a state that it is no longer in."""
        for key, (wish, state) in list(self._refused.items()):
            owner = wish.target.found()
            if owner is None:
                self.fulfil(key)
            elif not wish.target.must_wait(owner) and wish.target.state(owner) != state:
                del self._refused[key]
                self.waiting = {key: wish, **self.waiting}

    def clear(self) -> None:
        """Forget everything."""
        for all_of_them in (self.waiting, self._refused, self.notes, self.touched):
            all_of_them.clear()

    @contextmanager
    def dropping(self, key: Key) -> Iterator[None]:
        """Drop a wish if there is an error that nobody expects: it is raised once, not at every look."""
        is_well = False
        try:
            yield
            is_well = True
        finally:
            if not is_well:
                self.fulfil(key, FAILED)

    def _say(self, key: Key, note: str) -> None:
        if self.notes.get(key, "") == note:
            return
        self.notes.pop(key, None)
        if note:
            self.notes[key] = note
        windows.redraw_panels(bpy.context)
