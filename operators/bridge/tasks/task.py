# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of the queue, for datablocks and pictures; their updates, and how long these take.

Times are estimated from earlier runs, by a recipe's structure: which noises and modifiers it has, and how
many of each. Its numbers may change while a slider is dragged, which changes the cost little.
"""

from __future__ import annotations

import collections
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ....noise_core.recipes.recipe import Recipe
from ..datablocks.ref import Ref
from ..schema import live_switch
from .jobs import Work
from .steps import Steps

AT_ONCE = 0.05
"""Seconds that the whole may take without a preview before it."""

_KNOWN = 64
"""Structures to remember, quick and whole runs apart."""

_LAST = 3
"""Runs whose median counts: a single run may have been delayed by other programs."""

_NOISE = 5e-8
"""Seconds a sample of an unknown recipe without modifiers: eight octaves of Perlin noise take half."""

_MODIFIER = 4e-6
"""Seconds a sample and modifier of an unknown recipe: about what stream erosion takes."""

_DOUBT = 8.0
"""Factor by which an unmeasured run may exceed the guess: warps and other noises, on slower
machines, take several times as long as Perlin noise."""

_SPREAD = 2e-8
"""Seconds a sample to interpolate a coarse preview: 15 ns measured for heights, 25 for the pixels of an image."""

_TYPES = re.compile(r'"type": "(\w+)"')

Key = tuple[str, Any]
"""The kind of task, and an identifier within that kind; of two tasks with the same key only one is queued."""

Structure = tuple[Any, ...]


def structure(recipe: Recipe, text: str) -> Structure:
    """Return the properties that determine a recipe's cost, from the recipe and its JSON text."""
    active = tuple(one.key for one in recipe.modifiers if not one.muted)
    return (tuple(sorted(_TYPES.findall(text))), active)


@dataclass(frozen=True)
class Update:
    """The update that is due for a task, by its settings at one moment."""

    settings: str  # their digest
    structure: Structure  # what its cost depends on
    shape: tuple[int, int]  # rows and columns of the whole
    request: Any  # for the task's own use; holds nothing of Blender's that may be freed
    is_shown: bool = False  # a preview of these settings is shown already
    can_preview: bool = False  # a preview can be written into the existing datablock
    is_costly: bool = False  # the whole takes long to write, however quickly it is computed
    is_light: bool = False  # only values change: nothing of Blender's has to be evaluated for it
    is_provisional: bool = False  # not all settings were read: it is good for a preview only
    instant: Callable[[], Any] | None = None  # computes such a preview from known data, in full

    def samples(self, side: int | None) -> int:
        """Return how many samples the whole has, or a preview with so many along its longer side."""
        whole = self.shape[0] * self.shape[1]
        return whole if side is None else max(1, round(whole * (side / max(self.shape)) ** 2))


class Task(ABC):
    """Task of the queue: finds its owner, plans an update, and writes the result."""

    settled = 0.15
    """Seconds without a change after which a gesture seems to rest: the whole follows its preview."""

    pause = 0.0
    """Seconds from the beginning of one run to that of the next, at least."""

    quick = 0.025
    """Seconds that a preview is meant to take: with Blender's drawing some twenty a second."""

    smallest = 48
    """Samples along the longer side of a preview, at least: less shows nothing."""

    is_urgent = True
    """Whether the main thread waits a moment for it, or does it itself if it is short."""

    waits_for_rest = False
    """Whether it begins only after `settled` seconds without a change."""

    key: Key
    title: str  # for the progress bar
    changed = 0.0  # when its settings changed last
    begun = 0.0  # when work on it began last
    has_preview = False  # a preview of the newest settings is shown
    is_thorough = False  # what was painted, which is no setting, is compared too: that takes time

    def find(self) -> Any | None:
        """Return the owner, None if it was removed; looked up each time, since undo moves it."""
        return self

    def is_wanted(self, owner: Any) -> bool:
        """Return whether the task is to be done at all."""
        return True

    def must_wait(self, owner: Any) -> bool:
        """Return whether the task has to wait, for example while a mesh is edited."""
        return False

    def refusal(self, owner: Any) -> str:
        """Return why the task cannot be done; empty if it can."""
        return ""

    def state(self, owner: Any) -> object:
        """Return the state that a refusal depends on besides the settings; it is read often."""
        return None

    @abstractmethod
    def plan(self, owner: Any) -> Update | None:
        """Return the update that is due, None if there is none; a TerraneError says why it cannot be known."""

    def quick_plan(self, owner: Any) -> Update | None:
        """Return the update that a preview is due for, if it is known without reading all settings."""
        return None

    @abstractmethod
    def work(self, owner: Any, update: Update, side: int | None) -> Work:
        """Return the work on the whole, or on a preview with so many samples along its longer side."""

    @abstractmethod
    def write(
        self, owner: Any, update: Update, result: Any, *, is_preview: bool
    ) -> str | Steps[str]:
        """Write the result of the work; return a message for the user, or an empty text.

        Long work is a generator of steps, which removes partial results when it is closed.
        """


class LiveTask(Task):
    """A datablock that follows its settings."""

    kind = ""
    collection = ""
    """Attribute of ``bpy.data`` with all datablocks of its type."""

    is_followed: Callable[[Any], bool]
    """Static: whether a datablock has settings that it can follow."""

    is_wanted = staticmethod(live_switch.is_live)

    def __init__(self, owner: Any) -> None:
        self.ref: Ref[Any] = Ref.of(owner)
        self.key, self.title = (self.kind, self.ref.uid), f"Updating {owner.name}"

    def find(self) -> Any | None:
        """Return the datablock, None if it was removed or follows no settings any more."""
        owner = self.ref.find()
        return owner if owner is not None and self.is_followed(owner) else None

    def why_waiting(self, owner: Any) -> str:
        """Return a message for the user while the task waits; empty if none is needed."""
        return ""

    @abstractmethod
    def undo(self, owner: Any) -> None:
        """Repair what undo or redo has left inconsistent besides the settings themselves."""

    @abstractmethod
    def shows_preview(self, owner: Any) -> bool:
        """Return whether its owner shows a preview."""


known_plans: dict[int, Update] = {}
"""Last plan by the UID of a datablock, while only its seed and height may have changed: see `quick_plan`."""

KINDS: dict[type[LiveTask], type] = {}
"""Tasks that follow the settings of datablocks, and the types of these."""


def task_of(owner: Any) -> LiveTask | None:
    """Return the task that follows the settings of a datablock, None if none does."""
    for kind, owned in KINDS.items():
        if type(owner) is owned and kind.is_followed(owner):
            return kind(owner)
    return None


# --- estimates ---


class Pace:
    """Measured costs, in seconds a sample: of previews (values alone) and of whole updates.

    The `side` of a preview is its samples along its longer side; None stands for the whole.
    """

    def __init__(self) -> None:
        self._rates: dict[tuple[Structure, bool], collections.deque[float]] = {}

    def measure(self, update: Update, side: int | None, seconds: float) -> None:
        """Store how long an update, or its preview, has taken, if that is measurable."""
        if seconds <= 0.0:
            return
        what = (update.structure, side is None)
        rates = self._rates.pop(what, None) or collections.deque(maxlen=_LAST)
        rates.append(seconds / update.samples(side))
        self._rates[what] = rates  # the newest comes last
        if len(self._rates) > _KNOWN:
            del self._rates[next(iter(self._rates))]

    def estimate(self, update: Update, side: int | None) -> float:
        """Return how many seconds an update will take; infinity for a whole one that was never measured."""
        known = self._rates.get((update.structure, side is None))
        if known is not None:
            rate = sorted(known)[(len(known) - 1) // 2]  # the lower of two
        elif side is None:
            return math.inf
        else:
            rate = _NOISE + _MODIFIER * len(update.structure[1])
        return rate * update.samples(side)

    def at_most(self, update: Update, side: int | None) -> float:
        """Return how many seconds an update takes at most, interpolation of its preview included."""
        is_known = (update.structure, side is None) in self._rates
        seconds = self.estimate(update, side) * (1.0 if is_known else _DOUBT)
        is_coarse = side is not None and side < max(update.shape)
        return seconds + _SPREAD * update.samples(None) if is_coarse else seconds

    def is_slow(self, update: Update) -> bool:
        """Return whether an update is so slow that a preview comes first."""
        return update.is_costly or self.estimate(update, None) > AT_ONCE
