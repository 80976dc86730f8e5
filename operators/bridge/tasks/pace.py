# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates of computing times, from measurements of earlier runs, and the resolution of previews.

Measurements are stored by a recipe's structure: which noises and modifiers it has, and how many of each.
Its numbers may change while a slider is dragged, which changes the cost little.
"""

from __future__ import annotations

import collections
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ....noise_core.recipe import Recipe

AT_ONCE = 0.05
"""Seconds that the whole may take without a preview before it."""

QUICK = 0.025
"""Seconds that a preview is meant to take: with Blender's drawing some twenty a second."""

SMALLEST = 48
"""Samples along the longer side of a preview: less shows nothing."""

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

Structure = tuple[object, ...]


def structure(recipe: Recipe, text: str) -> Structure:
    """Return the properties that determine a recipe's cost, from the recipe and its JSON text."""
    active = tuple(one.key for one in recipe.modifiers if not one.muted)
    return (tuple(sorted(_TYPES.findall(text))), active)


@dataclass(frozen=True)
class Update:
    """The update that is due for a task, by its settings at one moment.

    Attributes
    ----------
    settings : str
        Digest of the settings.
    structure : Structure
        What its cost depends on.
    shape : tuple of two ints
        Rows and columns of the whole.
    request : Any
        The rest, for the task's own use; holds nothing of Blender's that may be freed.
    is_shown : bool
        Whether a preview of these settings is shown already.
    can_preview : bool
        Whether a preview can be written into the existing datablock.
    is_costly : bool
        Whether the whole takes long to write, however quickly it is computed.
    is_light : bool
        Whether only values change, and nothing of Blender's has to be evaluated for it.
    is_provisional : bool
        Whether it was planned without reading all settings, and is good for a preview only.
    instant : callable, optional
        Computes such a preview from known data, at full resolution, in a moment.
    """

    settings: str
    structure: Structure
    shape: tuple[int, int]
    request: Any
    is_shown: bool = False
    can_preview: bool = False
    is_costly: bool = False
    is_light: bool = False
    is_provisional: bool = False
    instant: Callable[[], Any] | None = None

    def samples(self, side: int | None) -> int:
        """Return how many samples the whole has, or a preview with so many along its longer side."""
        whole = self.shape[0] * self.shape[1]
        return whole if side is None else max(1, round(whole * (side / max(self.shape)) ** 2))


class Pace:
    """Measured costs, in seconds a sample: of quick runs (values alone) and of whole ones."""

    def __init__(self) -> None:
        self._rates: collections.OrderedDict[tuple[Structure, bool], collections.deque[float]] = (
            collections.OrderedDict()
        )

    def note(self, what: Structure, samples: int, seconds: float, *, is_whole: bool) -> None:
        """Store how long a run has taken, if that is measurable."""
        if seconds <= 0.0:
            return
        rates = self._rates.setdefault((what, is_whole), collections.deque(maxlen=_LAST))
        rates.append(seconds / samples)
        self._rates.move_to_end((what, is_whole))
        while len(self._rates) > _KNOWN:
            self._rates.popitem(last=False)

    def estimate(self, what: Structure, samples: int, *, is_whole: bool) -> float:
        """Return how many seconds a run will take; infinity for a whole one that was never measured."""
        return samples * self._rate(what, is_whole=is_whole)

    def at_most(self, what: Structure, samples: int, *, is_whole: bool) -> float:
        """Return the same, several times as long if it was never measured."""
        doubt = 1.0 if (what, is_whole) in self._rates else _DOUBT
        return doubt * self.estimate(what, samples, is_whole=is_whole)

    def _rate(self, what: Structure, *, is_whole: bool) -> float:
        """Return the median of the last measurements (the lower of two), or a guess."""
        known = self._rates.get((what, is_whole))
        if known is not None:
            return sorted(known)[(len(known) - 1) // 2]
        if is_whole:
            return math.inf
        active = what[1]
        return _NOISE + _MODIFIER * len(active) if isinstance(active, tuple) else _NOISE

    def quick_side(
        self,
        what: Structure,
        shape: tuple[int, int],
        cap: int,
        quick: float = QUICK,
        smallest: int = SMALLEST,
    ) -> int:
        """Return how many samples a quick run may have along its longer side.

        Full resolution is used if it is quick enough.

        Parameters
        ----------
        what : Structure
            Of the recipe.
        shape : tuple of two ints
            Rows and columns of the whole.
        cap : int
            The user's limit for coarser previews.
        quick : float
            Seconds that the run may take.
        smallest : int
            Samples that it has at least.
        """
        affordable = quick / self._rate(what, is_whole=False)
        if shape[0] * shape[1] <= affordable:
            return max(shape)
        side = math.sqrt(affordable * max(shape) / min(shape))
        return int(min(max(side, smallest), cap, max(shape)))

    def is_slow(self, update: Update) -> bool:
        """Return whether an update is so slow that a preview comes first."""
        expected = self.estimate(update.structure, update.samples(None), is_whole=True)
        return update.is_costly or expected > AT_ONCE

    def duration(self, update: Update, side: int | None) -> float:
        """Return how many seconds an update takes at most, or its preview with so many samples along a side."""
        whole = update.shape[0] * update.shape[1]
        is_spread = side is not None and side < max(update.shape)
        at_most = self.at_most(update.structure, update.samples(side), is_whole=side is None)
        return at_most + _SPREAD * whole if is_spread else at_most

    def measure(self, update: Update, side: int | None, seconds: float) -> None:
        """Store how long an update, or its preview, has taken."""
        self.note(update.structure, update.samples(side), seconds, is_whole=side is None)
