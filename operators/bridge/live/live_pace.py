# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a recipe will take, by how long it took last time; and what to show until it is done.

A recipe is known by its structure: which noises and modifiers it has, how many of each. The
numbers in it may change while a slider is dragged; that changes the cost by little.
"""

from __future__ import annotations

import collections
import math
import re

from ....noise_core.recipe import Recipe
from ..schema.layers import modifiers_of

AT_ONCE = 0.05
"""Seconds that the whole may take without a preview before it."""

QUICK = 0.025
"""Seconds that a preview is meant to take: with Blender's drawing some twenty a second."""

SMALLEST = 48
"""Samples along the longer side of a preview: less shows nothing."""

_KNOWN = 64
"""Structures to remember."""

_NOISE = 5e-8
"""Seconds a sample of an unknown recipe without modifiers: eight octaves of Perlin noise take half."""

_MODIFIER = 4e-6
"""Seconds a sample and modifier of an unknown recipe: about what stream erosion takes."""

_DOUBT = 8.0
"""How much longer what was never measured may take than is guessed: warps and other noises, on slower
machines, take several times as long as Perlin noise."""

_TYPES = re.compile(r'"type": "(\w+)"')

Structure = tuple[object, ...]


def structure(recipe: Recipe, text: str) -> Structure:
    """Return what a recipe's cost depends on most, by its JSON text as well."""
    active = tuple(one.key for one in modifiers_of(recipe))
    return (tuple(sorted(_TYPES.findall(text))), active)


_LAST = 3
"""Runs whose median counts: one that was held up by something else says nothing."""


class _Rates:
    """Measured costs by structure, in seconds a sample."""

    def __init__(self) -> None:
        self._known: collections.OrderedDict[Structure, collections.deque[float]] = (
            collections.OrderedDict()
        )

    def note(self, what: Structure, rate: float) -> None:
        """Add a measurement."""
        self._known.setdefault(what, collections.deque(maxlen=_LAST)).append(rate)
        self._known.move_to_end(what)
        while len(self._known) > _KNOWN:
            self._known.popitem(last=False)

    def __contains__(self, what: Structure) -> bool:
        """Return whether there is any."""
        return what in self._known

    def get(self, what: Structure, otherwise: float) -> float:
        """Return the median of the last ones, the lower one of two."""
        known = self._known.get(what)
        return sorted(known)[(len(known) - 1) // 2] if known else otherwise


class Pace:
    """Measured costs of quick runs (values alone) and of whole ones."""

    def __init__(self) -> None:
        self._quick, self._whole = _Rates(), _Rates()

    def note(self, what: Structure, samples: int, seconds: float, *, is_whole: bool) -> None:
        """Remember how long a run has taken, if a clock could tell."""
        if seconds > 0.0:
            (self._whole if is_whole else self._quick).note(what, seconds / samples)

    def expected(self, what: Structure, samples: int, *, is_whole: bool) -> float:
        """Return how many seconds a run will take; a whole one for ever if it was never measured."""
        if is_whole:
            return samples * self._whole.get(what, math.inf)
        return samples * self._quick.get(what, _guess(what))

    def at_most(self, what: Structure, samples: int, *, is_whole: bool) -> float:
        """Return the same with doubts about what was never measured."""
        is_known = what in (self._whole if is_whole else self._quick)
        expected = self.expected(what, samples, is_whole=is_whole)
        return expected if is_known else _DOUBT * expected

    def quick_side(self, what: Structure, shape: tuple[int, int], cap: int) -> int:
        """Return how many samples a quick run may have along its longer side.

        All there are, if that is quick enough.

        Parameters
        ----------
        what : Structure
            Of the recipe.
        shape : tuple of two ints
            Rows and columns of the whole.
        cap : int
            The user's limit for what has to be coarser.
        """
        affordable = QUICK / self._quick.get(what, _guess(what))
        if shape[0] * shape[1] <= affordable:
            return max(shape)
        side = math.sqrt(affordable * max(shape) / min(shape))
        return int(min(max(side, SMALLEST), cap, max(shape)))


def _guess(what: Structure) -> float:
    """Return seconds a sample for what was never measured."""
    active = what[1]
    return _NOISE + _MODIFIER * len(active) if isinstance(active, tuple) else _NOISE
