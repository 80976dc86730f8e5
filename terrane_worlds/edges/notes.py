# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of the notes: files of their own while a world is built, then one file a tile in the store.

::

    world.zarr/edges/
        numbers                 results for the whole land, by the names of stages
        tiles/2049x2049/3_1     samples that a tile reads around itself, and results handed to it
        whole/.../0_2           tiles of fields that are worked on as a whole, as far as tiles read them
"""

from __future__ import annotations

import dataclasses
import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noise_core.base import atomic_files

from ..base import durable, ledger, sealed
from ..base.errors import DamageError
from ..base.ledger import Files
from ..base.tiling import Tiling, Window
from ..tiles.engine import Engine
from ..tiles.fields import TiledField
from ..tiles.sources import fields_of
from . import frames
from .packing import EdgeFile, Entry

Values = npt.NDArray[Any]

EDGES = "edges"
"""Folder in the store, and in the build's own one."""

TILE, WHOLE, DERIVED = "tile", "whole", "derived"
"""Kinds of fields: worked on tile by tile, as a whole, or by the work of `Engine.derive`."""

NUMBERS = "numbers"
"""File with the numbers of the whole land."""

CHILDREN = "children"
"""Name of a number: whether tiles of the second level need the four tiles of the finest one in them."""


@dataclasses.dataclass(frozen=True)
class Notes:
    """The notes of a build.

    Attributes
    ----------
    scratch : Path
        Where they lie while the world is built.
    store : Path
    fields : Path
        The folder of all fields.
    land : Tiling
        Of the finest level.
    """

    scratch: Path
    store: Path
    fields: Path
    land: Tiling

    def kind_of(self, field: TiledField) -> str:
        """Return the kind of a field; most are tiles."""
        mark = self._mark(field)
        return next((kind for kind in (WHOLE, DERIVED) if os.path.exists(f"{mark}.{kind}")), TILE)

    def set_kind(self, field: TiledField, kind: str, work: object = None) -> None:
        """Note that a field is of another kind than a tile, and the work that derives it."""
        mark = Path(f"{self._mark(field)}.{kind}")
        if kind == TILE:
            return
        ledger.note(mark)
        if mark.exists():
            return
        durable.make_folder(mark.parent, is_flushed=False)
        if work is None:
            mark.touch()  # several workers may do this at once
        else:
            sealed.write(mark, [pickle.dumps(work, pickle.HIGHEST_PROTOCOL)], str(mark))

    def work_of(self, field: TiledField) -> Callable[[Window], object]:
        """Return the work that derives a field."""
        mark = Path(f"{self._mark(field)}.{DERIVED}")
        work: Callable[[Window], object] = pickle.loads(sealed.read(mark, str(mark)))
        return work

    def add_frame(self, reader: Tiling, tile: Window, field: TiledField, window: Window) -> None:
        """Note the samples of a field that a tile reads outside itself, if they are more than those noted."""
        path = self._folder(reader, tile) / "read" / name_of(field, self.fields)
        name = self._name(path)
        inner = frames.own_part(reader, tile, field.tiling)
        if frames.levels_between(reader, field.tiling) < 0:
            durable.make_folder(self.scratch, is_flushed=False)
            (self.scratch / CHILDREN).touch()
            ledger.note(self.scratch / CHILDREN)
        if frames.holds(inner, window):
            return
        ledger.note(path)
        if path.exists():
            noted = EdgeFile.read(path, name).entries["frame"].window
            assert noted is not None
            if frames.holds(noted, window):
                return
            window = frames.join(noted, window)
        values = field.load(window)
        parts = frames.frame(values, window, frames.cut(window, inner))
        EdgeFile({"frame": Entry.of(parts, window)}).write(path, name)

    def add_told(
        self, stage: str, tiling: Tiling, tile: Window, results: tuple[Values, ...]
    ) -> None:
        """Note the results for the whole land that are handed to a tile."""
        path = self._folder(tiling, tile) / "told" / stage
        EdgeFile({"told": Entry.of(results)}).write(path, self._name(path))
        ledger.note(path)

    def add_whole(self, field: TiledField, window: Window) -> None:
        """Note the tiles of a field in which a window lies."""
        for place in sorted(frames.places_under(field.tiling, window)):
            path = whole_path(self.store, name_of(field, self.fields), place)
            ledger.note(path)
            if not path.exists():
                tile = frames.tile_at(place, field.tiling)
                name = path.relative_to(self.store).as_posix()  # another worker may write it too
                EdgeFile({"tile": Entry.of([field.load(tile)], tile)}).write(path, name)

    def add_numbers(self, name: str, numbers: object) -> None:
        """Note numbers of the whole land."""
        path = self.scratch / "numbers" / name
        EdgeFile(facts=numbers).write(path, self._name(path))
        ledger.note(path)

    def gather(self, engine: Engine) -> None:
        """Put all notes into the store.

        Raises
        ------
        DamageError
            If one that was taken is missing, or damaged.
        """
        self._check(engine.files)
        folder = self.scratch / "tiles"
        tiles = sorted(path.relative_to(folder).as_posix() for path in folder.glob("*/*"))
        engine.run("edges", _Gather(self), tiles)
        numbers_folder = self.scratch / "numbers"
        numbers = {
            name: EdgeFile.read(path, self._name(path)).facts
            for name, path in _files_in(numbers_folder)
        }
        numbers[CHILDREN] = (self.scratch / CHILDREN).exists()
        EdgeFile(facts=numbers).write(self.store / NUMBERS, NUMBERS)

    def _check(self, files: Files) -> None:
        """Raise a DamageError if a note is missing, or one of a whole field is damaged."""
        for path in map(Path, files):
            if path.is_relative_to(self.store / "whole"):
                EdgeFile.read(path, path.relative_to(self.store).as_posix())
            elif path.is_relative_to(self.scratch) and not path.exists():
                raise DamageError("{}: is missing", path)

    def _name(self, path: Path) -> str:
        return path.relative_to(self.scratch).as_posix()

    def _mark(self, field: TiledField) -> Path:
        return self.scratch / "kinds" / name_of(field, self.fields)

    def _folder(self, reader: Tiling, tile: Window) -> Path:
        row, column = frames.place_of(tile, reader)
        return self.scratch / "tiles" / shape_text(reader) / f"{row}_{column}"


@dataclasses.dataclass(frozen=True)
class _Gather:
    """Put the notes of a tile into one file."""

    notes: Notes

    def __call__(self, tile: str) -> None:
        entries: dict[str, Entry] = {}
        folder = self.notes.scratch / "tiles" / tile
        for name, path in _files_in(folder):
            relative = path.relative_to(self.notes.scratch).as_posix()
            (entries[name],) = EdgeFile.read(path, relative).entries.values()
        path = self.notes.store / "tiles" / tile
        ledger.note(path, EdgeFile(entries).write(path, f"tiles/{tile}", is_flushed=True))


def name_of(field: TiledField, fields: Path) -> str:
    """Return the name of a field below the folder of all."""
    return Path(field.folder).relative_to(fields).as_posix()


def kind_of_derived(
    work: object,
    derived: Sequence[TiledField],
    kind_of: Callable[[TiledField], str],
    land: Tiling,
) -> str:
    """Return the kind of fields that are derived from others; see `Engine.derive`.

    Parameters
    ----------
    work : callable
    derived : sequence of TiledField
    kind_of : callable
        Gives the kind of a field that the work reads.
    land : Tiling
        Of the finest level.
    """
    if frames.levels_between(land, derived[0].tiling) > 0:
        return DERIVED
    inputs = fields_of(work) - set(derived)
    return DERIVED if all(kind_of(field) == DERIVED for field in inputs) else TILE


def is_computed(land: Tiling, reader: Tiling, derived: Tiling) -> bool:
    """Return whether a derived field is computed where tiles of a level read it, or stored as a whole.

    The fields under a tile of a coarser level have four times as many samples on each finer one, but its own
    values are few.
    """
    level = frames.levels_between(land, reader)
    return level <= 1 and frames.levels_between(reader, derived) <= 1


def shape_text(tiling: Tiling) -> str:
    """Return the name of a level's folder."""
    return f"{tiling.rows}x{tiling.columns}"


def whole_path(store: Path, name: str, place: frames.TilePlace) -> Path:
    """Return the file of a tile of a field that is worked on as a whole."""
    return store / "whole" / name / f"{place[0]}_{place[1]}"


def _files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != atomic_files.PART:  # of a builder that was killed
            yield path.relative_to(folder).as_posix(), path


# --- numbers -------------------------------------------------------------------------------------


_LINE = "[]"
"""After the name of a dtype: an array of one axis."""


def to_plain(value: object) -> Any:
    """Return numbers as JSON can say them; a TypeError if they are none."""
    if value is None or isinstance(value, (bool, int)) or type(value) is float:
        return value
    if isinstance(value, np.generic) and value.dtype.kind in "bif":
        return {value.dtype.name: value.item()}
    if isinstance(value, (tuple, list)):
        return [to_plain(item) for item in value]
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "bif":
        return {f"{value.dtype.name}{_LINE}": value.tolist()}
    raise TypeError(f"no number: {type(value).__name__}")


def from_plain(value: Any) -> Any:
    """Return numbers that JSON has said; lists become tuples."""
    if isinstance(value, list):
        return tuple(from_plain(item) for item in value)
    if isinstance(value, dict):
        ((name, number),) = value.items()
        dtype = np.dtype(name.removesuffix(_LINE))
        if dtype.kind not in "bif":
            raise ValueError(f"no number: {name}")
        return np.array(number, dtype) if name.endswith(_LINE) else dtype.type(number)
    return value
