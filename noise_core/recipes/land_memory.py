# SPDX-License-Identifier: GPL-3.0-or-later
"""The land below a layer that changes again and again, so that only the layers from there on are evaluated."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..modifiers.bases.layer import Layer
from .folding import fold
from .layers import BlendedLayer

if TYPE_CHECKING:
    from ..base.arrays import Field
    from ..base.grid import Grid
    from .folding import Scope
    from .layered_land import LayeredLand

_LARGEST = 1 << 25
"""Most samples that are kept, of heights and maps together: 128 MB."""

_Context = tuple[Any, ...]
"""What all layers depend on: seed and height, the grid, and the noises that masks may name."""


@dataclasses.dataclass(frozen=True)
class KnownLand:
    """A land after the first layers of a recipe."""

    context: _Context
    layers: tuple[Layer, ...]
    land: LayeredLand[Field]


@dataclasses.dataclass(frozen=True)
class Recall:
    """What a memory knows of one evaluation, which tells it of its lands.

    Attributes
    ----------
    memory : LandMemory
    context, layers
        Of the evaluation.
    known : KnownLand or None
    place : int
        Number of the layer below which the land is kept; -1 for none.
    """

    memory: LandMemory
    context: _Context
    layers: tuple[Layer, ...]
    known: KnownLand | None
    place: int

    def note(self, place: int, land: LayeredLand[Field]) -> None:
        """Tell of the land below the layer of a number."""
        samples = land.height.size * (1 + len(land.maps))
        if place == self.place and samples <= _LARGEST:
            self.memory.kept = KnownLand(self.context, self.layers[:place], land)


class LandMemory:
    """What one evaluation leaves to the next one on the same grid; bits are the same with and without it.

    It keeps one land: that below the first layer in which the last two evaluations differed. Give each grid a memory
    of its own. Threads may share one.

    Examples
    --------
    >>> import dataclasses
    >>> from noise_core import Recipe
    >>> from noise_core.modifiers import Blur, ThermalErosion
    >>> from noise_core.noises import Perlin
    >>> from noise_core.recipes.land_memory import LandMemory
    >>> memory, numbers = LandMemory(), []
    >>> base = Recipe(layers=(Perlin(), ThermalErosion()), height=300.0, size=1000.0)
    >>> for radius in (1.0, 2.0, 3.0):
    ...     recipe = dataclasses.replace(base, layers=(*base.layers, Blur(radius=radius)))
    ...     relief = recipe.evaluate(recipe.grid(33), memory=memory, finished=numbers.append)
    >>> numbers[-3:]
    [(1,), (2,), (2,)]
    """

    def __init__(self) -> None:
        self.kept: KnownLand | None = None
        self._last: tuple[_Context, tuple[Layer, ...]] | None = None

    def find(self, layers: Sequence[Layer], scope: Scope, grid: Grid) -> KnownLand | None:
        """Return the land after the first layers, if it is kept."""
        kept = self.kept
        if kept is None or kept.layers != tuple(layers[: len(kept.layers)]):
            return None
        if len(kept.layers) < fold(layers, scope)[1]:
            return None  # the first layers are one noise now, whose last bits are its own
        return kept if kept.context == _context(layers, scope, grid) else None

    def begin(self, layers: Sequence[Layer], scope: Scope, grid: Grid) -> Recall:
        """Return what is known of an evaluation."""
        context, last = _context(layers, scope, grid), self._last
        self._last = (context, tuple(layers))
        known = self.find(layers, scope, grid)
        place = -1  # nothing is known of what changes before the second evaluation
        if last is not None and last[0] == context and last[1] != tuple(layers):
            pairs = enumerate(zip(last[1], layers))
            shorter = min(len(last[1]), len(layers))
            place = next((number for number, (old, new) in pairs if old != new), shorter)
        return Recall(self, context, tuple(layers), known, place)


def _context(layers: Sequence[Layer], scope: Scope, grid: Grid) -> _Context:
    noises = tuple(layer for layer in layers if isinstance(layer, BlendedLayer))
    return (scope.seed, scope.height, grid, noises)
