# SPDX-License-Identifier: GPL-3.0-or-later
"""Curriculum: kinds of ground side by side, each row harder than the one below."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...base.errors import ParameterError, format_value
from ...base.grid_sizes import is_whole
from ...lattice.hash import mix_bits
from .chance import Chance
from .ground import RobotGround
from .sub_terrain import SubTerrain

MOST_ROWS = 1000

Numbers = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class Patch:
    """One piece of ground of a curriculum.

    Attributes
    ----------
    kind : str
        Its key.
    row, column : int
    difficulty : float
    x, y : float
        Of its middle, in meters from that of the whole.
    ground : RobotGround
    """

    kind: str
    row: int
    column: int
    difficulty: float
    x: float
    y: float
    ground: RobotGround

    @property
    def name(self) -> str:
        """A name that no other patch has."""
        return f"{self.kind}_r{self.row}_c{self.column}"

    def describe(self) -> dict[str, object]:
        """Return what a sidecar says of it; a robot begins at `start`."""
        return {
            "name": self.name,
            "kind": self.kind,
            "row": self.row,
            "column": self.column,
            "difficulty": self.difficulty,
            "center": [self.x, self.y],
            "start": [self.x, self.y, self.ground.start],
        }


@dataclasses.dataclass(frozen=True, eq=False)
class Curriculum:
    """Kinds of ground as columns from west to east, and difficulties as rows from south to north.

    Parameters
    ----------
    terrains : sequence of SubTerrain
        All of one size.
    rows : int
        Number of difficulties.
    seed : int
        Unsigned, 32 bits. The ground of a kind depends on the seed, its key and its row alone.
    easiest, hardest : float
        Difficulties of the first and the last row, from 0 to 1; a single row has the hardest.
    border : float
        Width of the level ground around all, in meters.

    Raises
    ------
    ParameterError
        If a value is not allowed.

    Examples
    --------
    >>> from noise_core.robots import NarrowBeams, Pit
    >>> from noise_core.robots.bases.curriculum import Curriculum
    >>> course = Curriculum((Pit(), NarrowBeams()), rows=3, seed=7)
    >>> course.width, course.depth, [patch.difficulty for patch in course.patches[::2]]
    (16.0, 24.0, [0.0, 0.5, 1.0])
    """

    terrains: Sequence[SubTerrain]
    rows: int
    seed: int = 0
    easiest: float = 0.0
    hardest: float = 1.0
    border: float = 0.0

    def __post_init__(self) -> None:
        if not self.terrains or len({terrain.size for terrain in self.terrains}) > 1:
            raise ParameterError("a curriculum needs kinds of ground of one size")
        if not is_whole(self.rows) or not 1 <= self.rows <= MOST_ROWS:
            raise ParameterError(
                "rows must be from 1 to {}", MOST_ROWS, got=format_value(self.rows)
            )
        if not 0.0 <= self.easiest <= self.hardest <= 1.0:
            raise ParameterError(
                "difficulties must rise from 0 to 1",
                got=f"{self.easiest:g} to {self.hardest:g}",
            )
        if not 0.0 <= self.border <= 1000.0:
            raise ParameterError("border must be from 0 to 1000 m", got=format_value(self.border))
        if not is_whole(self.seed) or not 0 <= self.seed < 2**32:
            raise ParameterError("seed must be from 0 to 2^32 - 1", got=format_value(self.seed))

    @property
    def size(self) -> float:
        """Side of a patch, in meters."""
        return self.terrains[0].size

    @property
    def width(self) -> float:
        """Extent along x, in meters."""
        return len(self.terrains) * self.size + 2.0 * self.border

    @property
    def depth(self) -> float:
        """Extent along y, in meters."""
        return self.rows * self.size + 2.0 * self.border

    @cached_property
    def patches(self) -> tuple[Patch, ...]:
        """All patches, row by row."""
        return tuple(
            self._patch(row, column, terrain)
            for row in range(self.rows)
            for column, terrain in enumerate(self.terrains)
        )

    def _patch(self, row: int, column: int, terrain: SubTerrain) -> Patch:
        share = row / (self.rows - 1) if self.rows > 1 else 1.0
        difficulty = self.easiest + share * (self.hardest - self.easiest)
        seed = mix_bits(mix_bits(self.seed) ^ zlib.crc32(f"{terrain.key} {row}".encode()))
        x = (column + 0.5 - 0.5 * len(self.terrains)) * self.size
        y = (row + 0.5 - 0.5 * self.rows) * self.size
        ground = terrain.ground(difficulty, Chance(seed))
        return Patch(terrain.key, row, column, difficulty, x, y, ground)

    def heights(self, rows: int, columns: int) -> npt.NDArray[np.float32]:
        """Return the highest ground at samples that reach from edge to edge: shape (rows, columns), float32, in meters."""
        x = np.linspace(-0.5 * self.width, 0.5 * self.width, columns)
        y = np.linspace(-0.5 * self.depth, 0.5 * self.depth, rows)
        height = np.full((rows, columns), -np.inf)
        half = 0.5 * self.size
        for patch in self.patches:
            # Neighbors share the samples between them, which have the higher ground.
            part = tuple(
                slice(*np.searchsorted(axis, (middle - half - 1e-9, middle + half + 1e-9)))
                for axis, middle in ((y, patch.y), (x, patch.x))
            )
            inner_x = np.clip(x[part[1]] - patch.x, -half, half)
            inner_y = np.clip(y[part[0]] - patch.y, -half, half)
            np.maximum(height[part], patch.ground.on_grid(inner_x, inner_y), out=height[part])
        height[np.isneginf(height)] = 0.0
        return height.astype(np.float32)
