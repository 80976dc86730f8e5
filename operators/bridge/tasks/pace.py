# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates of products, and estimates of how long they take.

Times are estimated from earlier runs, by a recipe's structure: which noises and modifiers it has, and how
many of each. Its numbers may change while a slider is dragged, which changes the cost little.
"""

from __future__ import annotations

import collections
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ....noise_core.recipes.recipe import Recipe

Structure = tuple[Any, ...]
"""Properties that determine the cost of an update."""


@dataclass(frozen=True)
class Update:
    """A request for a product at one moment, with its digest and its cost."""

    request: Any  # holds nothing of Blender's that may be freed
    digest: str = ""  # of the source and the request; empty if the request was not read in full
    structure: Structure = ()
    shape: tuple[int, int] = (1, 1)  # rows and columns of the whole
    is_shown: bool = False  # a preview of this request is shown already
    can_preview: bool = False  # a preview can be written into the existing datablock
    is_costly: bool = False  # the whole takes long to write, however quickly it is computed
    is_light: bool = False  # only values change: nothing of Blender's has to be evaluated for it
    is_provisional: bool = False  # not all settings were read: it is good for a preview only
    instant: Callable[[], Any] | None = None  # computes such a preview from known data, in full

    def samples(self, side: int | None) -> int:
        """Return how many samples the whole has, or a preview with so many along its longer side."""
        whole = self.shape[0] * self.shape[1]
        return whole if side is None else max(1, round(whole * (side / max(self.shape)) ** 2))


known_updates: dict[int, Update] = {}
"""Last update by the UID of its owner, while only seed and height may have changed: see `Product.quick_plan`."""


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


def structure(recipe: Recipe, text: str) -> Structure:
    """Return the properties that determine a recipe's cost, from the recipe and its JSON text."""
    active = tuple(modifier.key for modifier in recipe.modifiers if not modifier.muted)
    return (tuple(sorted(_TYPES.findall(text))), active)


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
        key = (update.structure, side is None)
        rates = self._rates.pop(key, None) or collections.deque(maxlen=_LAST)
        rates.append(seconds / update.samples(side))
        self._rates[key] = rates  # the newest comes last
        if len(self._rates) > _KNOWN:
            del self._rates[next(iter(self._rates))]

    def estimate(self, update: Update, side: int | None) -> float:
        """Return how many seconds an update will take; infinity for a whole one that was never measured."""
        rates = self._rates.get((update.structure, side is None))
        if rates is not None:
            rate = sorted(rates)[(len(rates) - 1) // 2]  # the lower of two
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
