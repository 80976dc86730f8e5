# SPDX-License-Identifier: GPL-3.0-or-later
"""Woven threads: cloth, canvas, denim, wickerwork."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from .. import tilings
from ..base.arrays import Field, Index, Points
from ..base.params import choice, number
from ..base.torus import apply_matrix, square_lattice
from ..lattice import lattice_cells
from .bases.noise import noise_type
from .bases.pattern import Pattern, spread
from .bases.tiling import random_number

if TYPE_CHECKING:
    from ..base.torus import Lattice, Torus

_THINNER = 0x3D
"""Tells how much thinner a thread is from the number it has."""


class Threads(NamedTuple):
    """Positions of points on the threads.

    Attributes
    ----------
    height : ndarray, float32
        Of the upper thread, from -1 between the threads to 1 on the highest one.
    is_warp : ndarray of bool
        Whether a warp thread is on top.
    across : pair of ndarrays, float32
        Place across the room that the warp has, and the weft, from -1 to 1.
    crossing : ndarray, int32
        Which crossing of the draft it is, row by row.
    warp, weft : ndarrays, int32
        Which threads cross; the same for threads that a torus makes one.
    """

    height: Field
    is_warp: np.ndarray
    across: tuple[Field, Field]
    crossing: Index
    warp: Index
    weft: Index


@noise_type("weave", "Weave", family="shape")
class Weave(Pattern):
    """Threads over and under each other: cloth, canvas, denim, wickerwork.

    Notes
    -----
    A thread's middle runs level over a float and down in a parabola before it changes sides; its
    cross-section is a parabola too. Both are half as high as the thread is thick, so that a thread
    that dives under another one touches it from below. The surface is the higher of warp (along y)
    and weft (along x), without a gap but where the flank of a long float ends.

    A cell of the lattice is one repeat of the draft, so that on a wrapping grid whole
    repeats close: plain 2 x 2 threads, basket, twill and denim 4 x 4, herringbone 16 x 4 (warp by
    weft), satin 5 x 5.

    -1 stands for the gaps between the threads, 1 for the top of an even thread.

    References
    ----------
    Piti Irawan, Steve Marschner (2012). Specular reflection from woven cloth. ACM Transactions on
    Graphics 31(1).

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.noises import Weave
    >>> canvas = Weave(draft="plain", columns=16.0, rows=16.0, width=0.9)
    >>> field = canvas.sample_grid(Grid(256, 256, wrap=True))
    >>> low, high = canvas.bounds()
    >>> bool(low <= field.min() and field.max() <= high)
    True
    """

    output: str = choice(
        "height",
        help="Pattern of the threads",
        options={
            "height": "The surface of the cloth: -1 between threads, 1 on top of them",
            "thread": "1 where a warp thread (upright) is on top, -1 where a weft thread is",
            "across": "Place across the upper thread, -1 and 1 at its sides",
            "along": "Place along the upper thread, from -1 to 1 between two dives",
            "value": "One random value for each thread, all along it",
        },
    )
    draft: str = choice(
        "plain",
        help="Pattern of threads over and under",
        options={
            "plain": "One over, one under: canvas, linen",
            "basket": "Two side by side over two: sacking, wickerwork",
            "twill": "Two over, two under, shifted by one: diagonal ribs",
            "herringbone": "Twill that turns about after eight threads",
            "denim": "The warp over three and under one: steep ribs of warp",
            "satin": "The warp over four and under one, scattered: smooth and shining",
        },
    )
    columns: float = number(
        16.0,
        help="Warp threads per tile; a wrapping grid takes whole repeats of the draft",
        minimum=0.01,
        maximum=1e5,
        soft_minimum=2.0,
        soft_maximum=128.0,
        unit="frequency",
    )
    rows: float = number(
        16.0,
        help="Weft threads per tile; a wrapping grid takes whole repeats of the draft",
        minimum=0.01,
        maximum=1e5,
        soft_minimum=2.0,
        soft_maximum=128.0,
        unit="frequency",
    )
    width: float = number(
        0.9,
        help="Width of a thread, relative to its space; the remainder is open",
        minimum=0.1,
        maximum=1.0,
        unit="factor",
    )
    flatness: float = number(
        0.0,
        help="From round threads (0) to bands with a level top (1)",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    unevenness: float = number(
        0.2,
        help="Random thickness of the threads",
        minimum=0.0,
        maximum=0.9,
        unit="factor",
    )

    @property
    def is_random(self) -> bool:
        """See `Pattern.is_random`: thin threads show more of those below."""
        return self.unevenness > 0.0

    def layout(self) -> Weave:
        """See `Pattern.layout`: all but the output."""
        return cast("Weave", self.with_values(output="height"))

    def finest(self) -> float:
        """Return how many threads lie along a tile."""
        return max(self.columns, self.rows)

    def tiles(self, points: Points, seed: int, torus: Torus | None) -> Threads:
        """See `Pattern.tiles`."""
        draft = tilings.threads.thread_paths(self.draft)
        scale = ((self.columns / draft.columns, 0.0), (0.0, self.rows / draft.rows))
        lattice = square_lattice(1.0, None if torus is None else torus.through(scale))
        cells, offsets = lattice_cells.split_cells(lattice.coordinates(apply_matrix(scale, points)))
        (warp, x), (weft, y) = _thread(offsets[0], draft.columns), _thread(offsets[1], draft.rows)
        left, down = _wrap(cells, lattice)
        warp_number = left * np.int32(draft.columns) + warp
        weft_number = down * np.int32(draft.rows) + weft
        crossing = weft * np.int32(draft.columns) + warp
        quarter = (weft * np.int32(2) + _is_second(y)) * np.int32(2 * draft.columns)
        quarter = quarter + (warp * np.int32(2) + _is_second(x))
        place = quarter.astype(np.intp)  # once for all that is taken
        half = np.float32(0.5)
        warp_turn = draft.warp_turn.ravel().take(place)
        weft_turn = draft.weft_turn.ravel().take(place)
        over = draft.over.ravel().take(place)
        # The weft's middle is where the warp's is not.
        high = self._body(x, warp_number, seed, 0) + (over - warp_turn * np.square(y)) * half
        weft_height = self._body(y, weft_number, seed, 1) - (over - weft_turn * np.square(x)) * half
        one = np.float32(1.0)
        return Threads(
            np.clip(np.maximum(high, weft_height), -one, one),
            np.greater_equal(high, weft_height),
            (x, y),
            crossing,
            warp_number,
            weft_number,
        )

    def output_of(self, tiles: Threads, shape: tuple[int, ...], seed: int) -> Field:
        """See `Pattern.output_of`."""
        warp = tiles.is_warp
        field: Field
        if self.output == "height":
            field = tiles.height * np.float32(1.0)
        elif self.output == "thread":
            field = warp.astype(np.float32) * np.float32(2.0) - np.float32(1.0)
        elif self.output == "value":
            (warp_number,) = _by_thread(tiles.warp, lambda threads: (_number(threads, 1, seed),))
            (weft_number,) = _by_thread(tiles.weft, lambda threads: (_number(threads, 0, seed),))
            field = np.where(warp, warp_number, weft_number)
        else:
            first, second = tiles.across if self.output == "across" else self._along(tiles)
            share = warp.astype(np.float32)
            field = first * share + second * (np.float32(1.0) - share)
        return spread(field, shape)

    def _body(self, across: Field, index: Index, seed: int, kind: int) -> Field:
        """Return a thread's height above its middle: 1/2 on top, -1/2 at its sides and falling on."""
        top: Field | np.float32 = np.float32(0.5)
        if self.unevenness:
            over, top = _by_thread(index, lambda threads: self._uneven(threads, kind, seed))
            square = np.square(across * over)
        else:
            square = np.square(across * np.float32(1.0 / self.width))
        if self.flatness:
            flat = np.float32(self.flatness)
            square = square * (np.float32(1.0) - flat + square * flat)
        body: Field = top - square
        return body

    def _uneven(self, threads: Index, kind: int, seed: int) -> tuple[Field, Field]:
        """Return 1 over the width of some threads, and how high they are on top."""
        half = np.float32(0.5)
        thinner = _number(threads, kind, seed ^ _THINNER)
        thinner *= np.float32(0.5 * self.unevenness)
        thinner += np.float32(0.5 * self.unevenness)
        wide = np.float32(self.width) * (np.float32(1.0) - thinner)
        return np.float32(1.0) / wide, half - thinner * half

    def _along(self, tiles: Threads) -> tuple[Field, Field]:
        """Return the place along its float on the warp and on the weft.

        From -1 to 1: from where it comes up (or goes down) to where it goes down (or comes up).
        """
        draft, (x, y) = tilings.threads.thread_paths(self.draft), tiles.across
        half, one = np.float32(0.5), np.float32(1.0)
        return (
            draft.warp_start.ravel().take(tiles.crossing)
            + draft.warp_step.ravel().take(tiles.crossing) * ((y + one) * half),
            draft.weft_start.ravel().take(tiles.crossing)
            + draft.weft_step.ravel().take(tiles.crossing) * ((x + one) * half),
        )


def _number(threads: Index, kind: int, seed: int) -> Field:
    """Return the random value of some threads; warp and weft are of two kinds."""
    return random_number((threads, np.full((1,) * threads.ndim, kind, np.int32)), seed)


def _by_thread(index: Index, make: Callable[[Index], tuple[Field, ...]]) -> tuple[Field, ...]:
    """Return a value per thread at all places, computed once for each thread."""
    low, high = int(index.min()), int(index.max())
    if high - low >= index.size:
        return make(index)
    place = (index - np.int32(low)).astype(np.intp)
    threads = np.arange(low, high + 1, dtype=np.int32)
    return tuple(field.take(place) for field in make(threads))


def _thread(offset: Field, count: int) -> tuple[Index, Field]:
    """Return the thread of a repeat at each place, and the position across it, from -1 to 1."""
    along = offset * np.float32(count)
    thread: Index = np.minimum(np.floor(along).astype(np.int32), np.int32(count - 1))
    across = (along - thread.astype(np.float32)) * np.float32(2.0) - np.float32(1.0)
    return thread, across


def _is_second(place: Field) -> Index:
    second: Index = np.greater_equal(place, np.float32(0.0)).astype(np.int32)
    return second


def _wrap(cells: tuple[Index, ...], lattice: Lattice) -> tuple[Index, Index]:
    """Return repeats of the draft, wrapped so that threads continue through the torus."""
    right, up = cells
    if lattice.periods is None:
        return right, up
    # On a turned torus a thread may come round to another one, which is the same then.
    across, along = lattice.periods
    return (
        np.mod(right, np.int32(math.gcd(*across))),
        np.mod(up, np.int32(math.gcd(*along))),
    )
