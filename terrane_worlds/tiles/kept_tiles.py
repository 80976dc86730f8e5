# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles of fields that stay in memory: of a build by one process, if all of its fields fit there.

A build that is killed loses them, and does the layer anew that they belong to. So they are for worlds of which a layer
takes minutes; the fields of finished layers are flushed to files.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]

TileNumber = tuple[int, int]
"""Row and column among the tiles."""


class KeptTiles:
    """Tiles in memory by the folders that their fields would have on the disk."""

    def __init__(self) -> None:
        self._fields: dict[str, dict[TileNumber, Values]] = {}

    def put(self, folder: str, number: TileNumber, values: Values) -> None:
        """Keep a copy of the values of a tile."""
        self._fields.setdefault(folder, {})[number] = np.array(values, order="C")

    def get(self, folder: str, number: TileNumber) -> Values | None:
        """Return the values of a tile, which must not be written to; None if it is not kept."""
        return self._fields.get(folder, {}).get(number)

    def take(self, folder: str) -> dict[TileNumber, Values]:
        """Return the tiles of a field, and keep them no longer."""
        return self._fields.pop(folder, {})

    def remove_below(self, folder: Path, used: Container[str]) -> None:
        """Keep no tiles of the fields below a folder, but for those that are used."""
        below = [name for name in self._fields if folder in Path(name).parents]
        for name in below:
            if name not in used:
                del self._fields[name]


KEPT: ContextVar[KeptTiles | None] = ContextVar("KEPT", default=None)
"""Those of the present build; None if its fields lie in files."""


@contextmanager
def keeping(tiles: KeptTiles | None) -> Iterator[None]:
    """Have fields keep their tiles in memory for the time of a block."""
    token = KEPT.set(tiles)
    try:
        yield
    finally:
        KEPT.reset(token)
