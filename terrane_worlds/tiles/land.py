# SPDX-License-Identifier: GPL-3.0-or-later
"""The land that modifiers and maps work on: its grid, its tiles, and its engine."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy.typing as npt

from noise_core.base.grid import Grid

from ..base.tiling import Tiling
from .engine import Engine
from .fields import TiledField


@dataclasses.dataclass(frozen=True)
class Land:
    """A land while it is built.

    Attributes
    ----------
    grid : Grid
        Of the whole land.
    tiling : Tiling
        Of the land's heights and maps.
    engine : Engine
        Does the work of stages; their names are unique in this land alone, since `enter` gives each part
        of the work a land of its own.
    folder : Path
        Where fields that are needed for a while lie. The builder removes them.
    wanted : frozenset of str or None
        Names of the maps of modifiers that are read later; None for all of them.
    """

    grid: Grid
    tiling: Tiling
    engine: Engine
    folder: Path
    wanted: frozenset[str] | None = None

    def wants(self, name: str) -> bool:
        """Return whether a map of a modifier is read later; others need not be made."""
        return self.wanted is None or name in self.wanted

    def enter(self, name: str) -> Land:
        """Return the same land for a part of the work, with its own names of stages and fields."""
        return dataclasses.replace(self, engine=self.engine.enter(name), folder=self.folder / name)

    def new_field(
        self, name: str, dtype: npt.DTypeLike, tiling: Tiling | None = None
    ) -> TiledField:
        """Return a field in the land's folder; tiles that lie there from an earlier run stay.

        Parameters
        ----------
        name : str
            Unique in this land; part of a file's name.
        dtype : dtype
        tiling : Tiling, optional
            The land's own if not given.
        """
        return TiledField.create(self.folder / name, tiling or self.tiling, dtype)
