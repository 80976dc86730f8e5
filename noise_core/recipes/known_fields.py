# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise on grids that is asked for again and again, with other numbers in some of its layers."""

from __future__ import annotations

from collections.abc import Iterator

from ..base import blocks
from ..base.arrays import Field
from ..base.blocks import Cancel, Progress
from ..base.grid import Grid
from ..types.noise import Noise

Key = tuple[Noise, int, Grid]

_SAMPLES = 1 << 24
"""Most samples of all fields that are kept: 64 MB."""


class KnownFields:
    """Fields of the layers of a noise, kept for the next one that has the same layer.

    Layers are what values are blended of, and what filters of values change. Any thread may ask.
    """

    def __init__(self) -> None:
        self._fields: dict[Key, Field] = {}

    def sample(
        self,
        noise: Noise,
        seed: int,
        grid: Grid,
        *,
        progress: Progress = blocks.unheard,
        cancel: Cancel | None = None,
    ) -> Field:
        """Return a noise on a grid, as a new array with the bits of `Noise.sample_grid`.

        Parameters
        ----------
        noise : Noise
        seed : int
        grid : Grid
        progress, cancel : callable, optional
            See `blocks.Progress` and `blocks.Cancel`.

        Raises
        ------
        ParameterError, Cancelled
        """
        leaves = list(_leaves(noise, seed))
        missing = [one for one in dict.fromkeys(leaves) if (*one, grid) not in self._fields]
        made: dict[tuple[Noise, int], Field] = {}
        for number, (one, own) in enumerate(missing):

            def report(share: float, done: int = number) -> None:
                progress((done + share) / len(missing))

            made[one, own] = one.sample_grid(grid, own, progress=report, cancel=cancel)
        found = {one: made[one] if one in made else self._fields[*one, grid] for one in leaves}
        self._keep(found, grid)
        return _joined(noise, seed, found)

    def _keep(self, found: dict[tuple[Noise, int], Field], grid: Grid) -> None:
        """Keep fields, the newest last; the oldest go where there are too many."""
        fields = dict(self._fields)
        for one, field in found.items():
            fields.pop((*one, grid), None)
            fields[*one, grid] = field
        total = sum(field.size for field in fields.values())
        for key in list(fields):
            if total <= _SAMPLES:
                break
            total -= fields.pop(key).size
        self._fields = fields  # at once: another thread may read it


def _leaves(noise: Noise, seed: int) -> Iterator[tuple[Noise, int]]:
    """Yield the noises that a noise is made of place by place, with their seeds."""
    parts = noise.parts(seed)
    if not parts:
        yield noise, seed
    for part, own in parts:
        yield from _leaves(part, own)


def _joined(noise: Noise, seed: int, found: dict[tuple[Noise, int], Field]) -> Field:
    parts = noise.parts(seed)
    if not parts:
        return found[noise, seed].copy()
    fields = [_joined(part, own, found) for part, own in parts]
    noise.join(fields)
    return fields[0]
