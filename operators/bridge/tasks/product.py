# SPDX-License-Identifier: GPL-3.0-or-later
"""Products: results that are made of settings, or of another product.

A product may be refused, reads its request, has a digest of that, is worked out without Blender's data, and is
written. An operator runs it; live update queues it as a `Task`. The datablocks that hold the result keep a
`Record` of the digest: after undo, redo and loading it tells which updates are due.
"""

from __future__ import annotations

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import bpy

from ..datablocks.record import Record, forget
from ..datablocks.ref import Ref
from ..schema import live_switch
from .jobs import Work, as_work
from .pace import Update, known_updates
from .steps import Steps, as_steps

TERRAIN_KEY, IMAGE_KEY, PLANET_KEY = "terrain", "picture", "planet"
"""Keys of the products whose records are read without the product."""


class Product(ABC):
    """Something that is made of the settings of its owner, or of the product `source` of the same owner.

    An owner is a datablock, or None for pictures of panels. A product with a source is made of its finished
    result: live update makes it when a gesture rests, and waits for the source.
    """

    key = ""
    """Its name, in tasks and records."""

    source: ClassVar[Product | None] = None

    owners: ClassVar[Any] = bpy.types.Object
    """Type of its owners."""

    collection = "objects"
    """Attribute of ``bpy.data`` with all datablocks of that type."""

    is_of: Callable[[Any], bool] = staticmethod(lambda owner: True)
    """Whether an owner has the settings, or the source, that the product is made of."""

    settled = 0.15
    """Seconds without a change after which a gesture seems to rest: the whole follows its preview."""

    pause = 0.0
    """Seconds from the beginning of one run to that of the next, at least."""

    quick = 0.025
    """Seconds that a preview is meant to take: with Blender's drawing some twenty a second."""

    smallest = 48
    """Samples along the longer side of a preview, at least: less shows nothing."""

    is_urgent = True
    """Whether the main thread waits a moment for it, or does it itself if it is short; not if it has a source."""

    waits_for_rest = False
    """Whether it begins only after `settled` seconds without a change, as if it has a source."""

    def __init_subclass__(cls) -> None:
        """Let products with a source wait for it, and have its owners."""
        if cls.source is not None:
            cls.is_of = staticmethod(cls.source.is_of)
            cls.is_urgent, cls.waits_for_rest = False, True

    # --- its life ---

    def refusal(self, owner: Any) -> str:
        """Return why the product must not be made; empty if it may be."""
        return ""

    def request(self, owner: Any) -> Any:
        """Return the settings that it is made from, besides the source; None if the owner does not have it.

        A TerraneError says why it cannot be read.
        """
        return None

    def digest(self, owner: Any, request: Any) -> str:
        """Return a digest of the source and of a request."""
        text = f"{self.version_of_source(owner)} {request!r}"
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def work(self, owner: Any, request: Any, side: int | None = None) -> Work:
        """Read its input, and return the work for a thread; a TerraneError says why it cannot be done.

        A preview has `side` samples along its longer side. Without work `write` does all.
        """
        return as_work(lambda: None)

    @abstractmethod
    def write(
        self, owner: Any, request: Any, result: Any, *, is_preview: bool = False
    ) -> str | Steps[str]:
        """Write the result of the work; return a message for the user, or an empty text.

        Long work is a generator of steps, which removes partial results when it is closed.
        """

    def holders(self, owner: Any) -> Sequence[bpy.types.ID]:
        """Return the datablocks that hold the result, which keep its record."""
        return (owner.data,)

    def record(
        self, owner: Any, update: Update, result: Any, *, is_preview: bool = False
    ) -> Record:
        """Return the record of a result that was just written: that of a product with a source fits the present one."""
        return Record(update.digest if self.source is None else self._present_digest(owner))

    # --- making it ---

    def run(self, owner: Any, request: Any = None) -> Steps[Any]:
        """Make it, whether or not it fits already, by default of the present request, and return the result of the work.

        None if it was removed while it ran.
        """
        ref, is_present = Ref.of(owner), request is None
        update = self.update(owner, self.request(owner) if is_present else request)
        result = yield self.work(owner, update.request)
        owner = ref.resolve()
        if is_present and self.request(owner) is None:
            return None
        yield from as_steps(self.finish(owner, update, result))
        return result

    def finish(
        self,
        owner: Any,
        update: Update,
        result: Any,
        *,
        is_preview: bool = False,
        is_live: bool = False,
    ) -> str | Steps[str] | None:
        """Write the result of the work on an update, and store its record; return the message of `write`.

        Live update also tells those that follow it, and writes nothing, which returns None, if the product has
        a source that has changed since.
        """
        if is_live and self.source is not None and self._present_digest(owner) != update.digest:
            return None
        written = self.write(owner, update.request, result, is_preview=is_preview)
        if not isinstance(written, str):
            return self._finish_steps(Ref.of(owner), update, result, written, is_live=is_live)
        for holder in self.holders(owner):
            record = self.record(owner, update, result, is_preview=is_preview)
            record.store(holder, self.key)
        if is_live:
            self.announce(owner, is_preview=is_preview)
        return written

    def _finish_steps(
        self, ref: Ref[Any], update: Update, result: Any, steps: Steps[str], *, is_live: bool
    ) -> Steps[str]:
        """Take the steps of `write`, then finish."""
        written = yield from steps
        owner = ref.resolve()
        for holder in self.holders(owner):
            self.record(owner, update, result).store(holder, self.key)
        if is_live:
            self.announce(owner)
        return written

    def announce(self, owner: Any, *, is_preview: bool = False) -> None:  # noqa: B027
        """Tell those that follow it of a new result."""

    def note(self, owner: Any) -> None:
        """Note that it fits the present source and request."""
        record = Record(self._present_digest(owner))
        for holder in self.holders(owner):
            record.store(holder, self.key)

    def forget(self, owner: Any) -> None:
        """Remove the record from an owner that does not have it any more."""
        for holder in self.holders(owner):
            forget(holder, self.key)

    def _present_digest(self, owner: Any) -> str:
        """Return the digest of the present source and request; empty if there is nothing to make."""
        request = self.request(owner)
        return "" if request is None else self.digest(owner, request)

    # --- beside its source ---

    def version(self, owner: Any) -> object:
        """Return a value that differs whenever the result differs, for those that follow."""
        records = [self.record_in(holder) for holder in self.holders(owner)]
        return ["" if record is None else record.digest for record in records]

    def version_of_source(self, owner: Any) -> object:
        """Return the version of the source; a part of it if the product depends on that alone."""
        return None if self.source is None else self.source.version(owner)

    def is_whole(self, owner: Any) -> bool:
        """Return whether the result is there as it was made, so that others can follow it."""
        return True

    def shape(self, owner: Any) -> tuple[int, int]:
        """Return the rows and columns of the result."""
        return (1, 1)

    def record_in(self, holder: bpy.types.ID) -> Record | None:
        """Return the record that a datablock keeps; None if there is no readable one."""
        return Record.of(holder, self.key)

    def is_made(self, owner: Any) -> bool:
        """Return whether it was made before, of anything."""
        return any(self.record_in(holder) is not None for holder in self.holders(owner))

    def is_due(self, owner: Any) -> bool:
        """Return whether the owner has it, made of another source or request."""
        return self.plan(owner) is not None

    # --- in live update ---

    is_wanted: Callable[[Any], bool] = staticmethod(live_switch.is_live)
    """Whether an owner's product is to be updated at all."""

    def must_wait(self, owner: Any) -> bool:
        """Return whether the update has to wait, for example while a mesh is edited or a preview is shown."""
        source = self.source
        return source is not None and (source.must_wait(owner) or source.shows_preview(owner))

    def why_waiting(self, owner: Any) -> str:
        """Return a message for the user while the update waits; empty if none is needed."""
        return ""

    def state(self, owner: Any) -> object:
        """Return the state that a refusal depends on besides the settings; it is read often."""
        source = self.source
        if source is None:
            return None
        return (source.is_whole(owner), source.shape(owner), self.request(owner))

    def update(self, owner: Any, request: Any) -> Update:
        """Return the update to a request, with its digest and its cost."""
        shape = (1, 1) if self.source is None else self.source.shape(owner)
        return Update(request, self.digest(owner, request), (self.key, ()), shape)

    def plan(self, owner: Any, *, is_thorough: bool = False) -> Update | None:
        """Return the update that is due, None if there is none; a TerraneError says why it cannot be known.

        A thorough plan compares painted masks too, which are no settings: that takes time.
        """
        request = self.request(owner)
        if request is None or not (self.source is None or self.source.is_whole(owner)):
            return None
        update = self.update(owner, request)
        if self.can_recall(owner, update):
            known_updates[Ref.of(owner).uid] = update
        records = [self.record_in(holder) for holder in self.holders(owner)]
        is_shown = all(record is not None and record.digest == update.digest for record in records)
        if not is_shown:
            return update
        if any(record is not None and record.is_preview for record in records):
            return dataclasses.replace(update, is_shown=True)
        return update if self.lacks_more(owner, request, is_thorough=is_thorough) else None

    def lacks_more(self, owner: Any, request: Any, *, is_thorough: bool) -> bool:
        """Return whether the result differs from a request in more than its record tells."""
        return False

    def can_recall(self, owner: Any, update: Update) -> bool:
        """Return whether an update tells `quick_plan` enough."""
        return False

    def quick_plan(self, owner: Any) -> Update | None:
        """Return the update that a preview is due for, if it is known without reading all settings."""
        return None

    def shows_preview(self, owner: Any) -> bool:
        """Return whether the owner shows a preview."""
        records = (self.record_in(holder) for holder in self.holders(owner))
        return any(record is not None and record.is_preview for record in records)

    def undo(self, owner: Any) -> None:  # noqa: B027 (most have nothing to do)
        """Repair data other than settings that undo or redo has left inconsistent."""

    def preview(self, owner: Any) -> None:  # noqa: B027
        """Take note of a preview of the source: parts that are slow to evaluate may be hidden until it is due."""

    def before_saving(self, owner: Any) -> None:  # noqa: B027
        """Show the parts that `preview` has hidden again: they belong in the file."""
