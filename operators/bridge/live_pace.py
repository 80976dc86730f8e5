# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a recipe will take, by how long it took last time; and what to show until it is done.

A recipe is known by its structure: which noises and modifiers it has, how many of each. The
numbers in it may change while a slider is dragged; that changes the cost by little.
"""

from __future__ import annotations

import collections
import math
import re
from dataclasses import dataclass, field

from ...noise_core.recipe import Recipe

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

_TYPES = re.compile(r'"type": "(\w+)"')

Structure = tuple[object, ...]


def structure(recipe: Recipe, text: str) -> Structure:
    """Return what a recipe's cost depends on most, by its JSON text as well."""
    active = tuple(one.key for one in recipe.modifiers if not one.muted)
    return (tuple(sorted(_TYPES.findall(text))), active)


@dataclass
class Pace:
    """Measured costs, in seconds a sample, of quick runs (values alone) and of whole ones."""

    _quick: collections.OrderedDict[Structure, float] = field(
        default_factory=collections.OrderedDict
    )
    _whole: collections.OrderedDict[Structure, float] = field(
        default_factory=collections.OrderedDict
    )

    def note(self, what: Structure, samples: int, seconds: float, *, is_whole: bool) -> None:
        """Remember how long a run has taken, if a clock could tell."""
        if seconds <= 0.0:
            return
        known = self._whole if is_whole else self._quick
        known[what] = seconds / samples
        known.move_to_end(what)
        while len(known) > _KNOWN:
            known.popitem(last=False)

    def expected(self, what: Structure, samples: int, *, is_whole: bool) -> float:
        """Return how many seconds a run will take; a whole one for ever if it was never measured."""
        if is_whole:
            return samples * self._whole.get(what, math.inf)
        return samples * self._quick.get(what, _guess(what))

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
