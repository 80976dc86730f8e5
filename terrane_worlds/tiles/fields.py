# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields while a world is built: one file a tile, or all tiles in memory (see `kept_tiles`).

All work reads and writes them by `TiledField` alone. A `Tape` that is put in between notes the windows read, or
gives values that lie elsewhere: see `edges`.
"""

from __future__ import annotations

import io
import logging
import os
import shutil
from collections.abc import Callable, Container, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..base import durable, sealed
from ..base.errors import DamageError, WorldError
from ..base.tiling import Tiling, Window
from .kept_tiles import KEPT, TileNumber, Values

_LOG = logging.getLogger(__package__)


class Tape(Protocol):
    """Recorder between work and the files of fields."""

    def read(self, field: TiledField, window: Window) -> Values:
        """Return the values of a window, which may be written to."""

    def write(self, field: TiledField, tile: Window, values: Values) -> None:
        """Take the values of a tile."""

    def remove(self, field: TiledField) -> None:
        """Forget a field."""


TAPE: ContextVar[Tape | None] = ContextVar("TAPE", default=None)
"""The one of the work that is done here and now; None for files."""


@dataclass(frozen=True)
class TiledField:
    """A field in a folder, a file for each tile; another process finds it there too.

    Attributes
    ----------
    folder : str
    tiling : Tiling
    dtype : str
        As NumPy names it.
    """

    folder: str
    tiling: Tiling
    dtype: str

    @classmethod
    def create(cls, folder: Path, tiling: Tiling, dtype: npt.DTypeLike) -> TiledField:
        """Return a field without tiles; those that lie there already stay."""
        if TAPE.get() is None:
            durable.make_folder(folder, is_flushed=False)
        return cls(str(folder), tiling, np.dtype(dtype).name)

    def read(self, window: Window) -> Values:
        """Return the values of a window, across edges that meet.

        Raises
        ------
        DamageError
            If a tile of it is not there.
        WorldError
            If it cannot be read.
        """
        tape = TAPE.get()
        return self.load(window) if tape is None else tape.read(self, window)

    def load(self, window: Window) -> Values:
        """Return the values of a window from memory or from its files; see `read`."""
        kept = KEPT.get()

        def tile_at(row: int, column: int) -> Values:
            in_memory = None if kept is None else kept.get(self.folder, (row, column))
            if in_memory is not None:
                return in_memory
            path = self._path(row, column)
            try:
                tile: Values = np.load(path, mmap_mode="r")
            except FileNotFoundError as error:
                raise DamageError("{}: is missing", path) from error
            except OSError as error:
                raise WorldError("{}: cannot be read: {}", path, error.strerror) from error
            return tile

        return self.assemble(window, tile_at)

    def assemble(self, window: Window, tile_at: Callable[[int, int], Values]) -> Values:
        """Return the values of a window, given those of tiles by their row and column among the tiles."""
        values = np.empty(window.shape, self.dtype)
        for rows, tile_row, from_rows in self._pieces(window.row, window.rows, 0):
            for columns, tile_column, from_columns in self._pieces(
                window.column, window.columns, 1
            ):
                tile = tile_at(tile_row, tile_column)
                values[rows, columns] = tile[from_rows, from_columns]
        return values

    def write(self, tile: Window, values: Values) -> None:
        """Write the values of one tile: whole, or not at all if the process ends in between.

        Raises
        ------
        TerraneError
            If it cannot be written, as on a full disk.
        """
        tape = TAPE.get()
        if tape is None:
            self.save(tile, values)
        else:
            tape.write(self, tile, values)

    def save(self, tile: Window, values: Values) -> None:
        """Keep the values of one tile in memory, or write them into its file; see `write`."""
        kept = KEPT.get()
        if kept is None:
            self.save_file(tile, values)
        else:
            kept.put(self.folder, self._number(tile), np.asarray(values, self.dtype))

    def save_file(self, tile: Window, values: Values) -> None:
        """Write the values of one tile into its file, wherever others are; see `write`."""
        self._write_file(self._number(tile), np.ascontiguousarray(values, self.dtype))

    def _number(self, tile: Window) -> TileNumber:
        return tile.row // self.tiling.side, tile.column // self.tiling.side

    def _write_file(self, number: TileNumber, whole: Values) -> None:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(
            header, np.lib.format.header_data_from_array_1_0(whole)
        )
        path = self._path(*number)
        sealed.write(Path(path), (header.getvalue(), whole.data), path)

    def flush(self) -> None:
        """Flush it to files on the disk, so that they are there after a power loss.

        Raises
        ------
        WorldError
            If that is impossible.
        """
        if TAPE.get() is None:
            kept = KEPT.get()
            for number, values in ({} if kept is None else kept.take(self.folder)).items():
                self._write_file(number, values)
            durable.sync(*Path(self.folder).glob("*.npy"))

    def remove(self) -> None:
        """Remove its files: nothing that is still to be done may read them."""
        tape = TAPE.get()
        if tape is None:
            if (kept := KEPT.get()) is not None:
                kept.take(self.folder)
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            tape.remove(self)

    def _path(self, row: int, column: int) -> str:
        return os.path.join(self.folder, f"{row}_{column}.npy")

    def _pieces(self, start: int, count: int, axis: int) -> Iterator[tuple[slice, int, slice]]:
        """Yield, for each tile along an axis, where its part lies in the window and in the tile."""
        size, side, at = self.tiling.shape[axis], self.tiling.side, start
        while at < start + count:
            place = at % size if self.tiling.wrap else at
            number, first = divmod(place, side)
            length = min(min(side, size - number * side) - first, start + count - at)
            yield slice(at - start, at - start + length), number, slice(first, first + length)
            at += length


def remove_unused(folder: Path, used: Container[str]) -> None:
    """Remove all fields below a folder but those in folders that are used."""
    kept = KEPT.get()
    if kept is not None:
        kept.remove_below(folder, used)
    for inner in {file.parent for file in folder.rglob("*.npy")}:
        if str(inner) not in used:
            shutil.rmtree(inner, ignore_errors=True)


def remove_damaged(folder: Path) -> None:
    """Remove the tiles of all fields in a folder that are not as they were written, and say so.

    Work that reads one of them raises a `DamageError`; the others are of no use anymore.
    """
    for path in sorted(folder.rglob("*.npy")):
        if not sealed.is_whole(path, str(path)):
            _LOG.warning("Terrane: %s: is damaged, and removed", path)
            path.unlink()
