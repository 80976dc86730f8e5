# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine that rebuilds some tiles alone, from the notes of a build."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..base.errors import WorldError
from ..base.tiling import Tiling, Window
from ..tiles.engine import Array, Engine, Item, Joined, Result
from ..tiles.fields import TiledField, Values
from . import frames
from .frames import TilePlace
from .notes import (
    DERIVED,
    NUMBERS,
    TILE,
    from_plain,
    is_computed,
    kind_of_derived,
    name_of,
    shape_text,
    whole_path,
)
from .packing import EdgeFile, Entry
from .recording import tiling_of_items, window_of

Reader = tuple[Tiling, TilePlace]
"""A tile of a level."""


class StoredNotes:
    """The notes in a store, read as they are needed.

    Parameters
    ----------
    store : Path
        Their folder.

    Raises
    ------
    WorldError
        If they are not there, or damaged.
    """

    def __init__(self, store: Path) -> None:
        self.store = store
        path = store / NUMBERS
        self.numbers = EdgeFile.read(path, NUMBERS).facts
        if not isinstance(self.numbers, dict):
            raise WorldError("{}: is damaged: it holds no numbers", path)
        self._tiles: dict[Reader, EdgeFile] = {}

    def entry(self, reader: Reader, name: str) -> Entry | None:
        """Return the note for a tile under a name."""
        if reader not in self._tiles:
            tiling, (row, column) = reader
            file = f"tiles/{shape_text(tiling)}/{row}_{column}"
            path = self.store / file
            # A tile that needs nothing has no file.
            self._tiles[reader] = EdgeFile.read(path, file) if path.exists() else EdgeFile()
        return self._tiles[reader].entries.get(name)


class RebuildTape:
    """The fields of some tiles, in memory.

    Parameters
    ----------
    notes : StoredNotes
    fields : Path
        The folder of all fields, in which there is nothing.
    land : Tiling
    places : sequence of tuple of int
        Rows and columns, among the tiles of the land, of the tiles that are rebuilt.
    """

    def __init__(
        self, notes: StoredNotes, fields: Path, land: Tiling, places: Sequence[TilePlace]
    ) -> None:
        self.notes = notes
        self.land = land
        self._fields = fields
        self._places = places
        self._reader: Reader | None = None
        self._tiles: dict[TiledField, dict[TilePlace, Values]] = {}
        self._works: dict[TiledField, Callable[[Window], object]] = {}
        self._computed: dict[tuple[TiledField, Reader | None], tuple[Window, Values]] = {}
        self._made: dict[TiledField, Values] = {}

    def own(self, tiling: Tiling) -> list[Window]:
        """Return the tiles of a level that are rebuilt."""
        tiles = {frames.place_in(place, self.land, tiling) for place in self._places}
        return [frames.tile_at(place, tiling) for place in sorted(tiles)]

    @contextlib.contextmanager
    def reading(self, tiling: Tiling, tile: Window) -> Iterator[Reader]:
        """Let a tile be the one that reads, for the time of a block."""
        reader = (dataclasses.replace(tiling, wrap=False), frames.place_of(tile, tiling))
        self._reader = reader
        try:
            yield reader
        finally:
            self._reader = None

    def derive(self, work: Callable[[Window], object], derived: Sequence[TiledField]) -> str:
        """Return the kind of fields that are derived, and keep the work that computes them."""

        def kind_of(field: TiledField) -> str:
            return DERIVED if field in self._works else TILE

        kind = kind_of_derived(work, derived, kind_of, self.land)
        if kind == DERIVED:
            self._works.update(dict.fromkeys(derived, work))
        return kind

    # --- the tape ----------------------------------------------------------------------------------

    def read(self, field: TiledField, window: Window) -> Values:
        """See `Tape.read`."""
        assert self._reader is not None
        tiling, place = self._reader
        if field in self._works and is_computed(self.land, tiling, field.tiling):
            return self._compute(field, window)
        if field not in self._tiles:
            return field.assemble(window, lambda *place: self._whole(field, place))
        name = name_of(field, self._fields)
        entry = self.notes.entry(self._reader, f"read/{name}")
        outer = window if entry is None or entry.window is None else entry.window
        inner = frames.own_part(tiling, frames.tile_at(place, tiling), field.tiling)
        inside = frames.cut(outer, inner)
        if not frames.holds(outer, window) or (entry is None and inside != window):
            raise WorldError("{}: is damaged: {} is not noted far enough", self.notes.store, name)
        values = np.empty(outer.shape, field.dtype)
        if entry is not None:
            self._fill(values, outer, inside, entry, name)
        if inside is not None:
            tiles = self._tiles[field]
            values[inside.within(outer)] = field.assemble(inside, lambda *place: tiles[place])
        return np.ascontiguousarray(values[window.within(outer)])

    def write(self, field: TiledField, tile: Window, values: Values) -> None:
        """See `Tape.write`."""
        stored = np.array(values, field.dtype)
        if field in self._works:
            self._made[field] = stored
        else:
            self._tiles.setdefault(field, {})[frames.place_of(tile, field.tiling)] = stored

    def remove(self, field: TiledField) -> None:
        """See `Tape.remove`."""
        self._tiles.pop(field, None)
        for key in [computed for computed in self._computed if computed[0] == field]:
            del self._computed[key]

    def _fill(
        self, values: Values, outer: Window, inside: Window | None, entry: Entry, name: str
    ) -> None:
        try:
            parts = [array.unpack() for array in entry.arrays]
            frames.fill_frame(values, outer, inside, parts)
        except ValueError as error:
            raise WorldError("{}: is damaged: {}: {}", self.notes.store, name, error) from error

    def _compute(self, field: TiledField, window: Window) -> Values:
        """Return a window of a field that can be had anywhere, which is kept for the tile."""
        key = (field, self._reader)
        want = window
        if key in self._computed:
            available, values = self._computed[key]
            if frames.holds(available, window):
                return values[window.within(available)].copy()
            want = frames.join(available, window)
        values = np.empty(want.shape, field.dtype)
        # Noise has no samples beyond the edges of its land.
        is_noise = frames.levels_between(self.land, field.tiling) == 0
        for part in frames.unwrap(want, field.tiling if is_noise else None):
            self._works[field](part.window)
            values[part.place] = self._made[field]
            self._made.clear()
        self._computed[key] = want, values
        return values[window.within(want)].copy()

    def _whole(self, field: TiledField, place: TilePlace) -> Values:
        path = whole_path(self.notes.store, name_of(field, self._fields), place)
        entry = EdgeFile.read(path, path.relative_to(self.notes.store).as_posix()).entries.get(
            "tile"
        )
        tile = frames.tile_at(place, field.tiling)
        try:
            if entry is None or [array.shape for array in entry.arrays] != [tile.shape]:
                raise ValueError("arrays of other shapes")
            return entry.arrays[0].unpack()
        except ValueError as error:
            raise WorldError("{}: is damaged: {}", path, error) from error


class _UnknownResults(Sequence[Any]):
    """Placeholder for results that the build did not record."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        raise self.error

    def __getitem__(self, number: Any) -> Any:
        raise self.error

    @property
    def error(self) -> WorldError:
        """Error that is raised where they are needed."""
        return WorldError("{} is not noted among the edges", self._name)


@dataclasses.dataclass(frozen=True)
class Rebuilding(Engine):
    """See `Engine`; does the work of some tiles alone.

    Attributes
    ----------
    tape : RebuildTape
        That is in place.
    """

    tape: RebuildTape = dataclasses.field(kw_only=True)

    def run(
        self, stage: str, work: Callable[[Item], Result], items: Sequence[Item]
    ) -> Sequence[Result]:
        """See `Engine.run`. Work for a land as a whole is left out: its fields are stored."""
        tiling = tiling_of_items(items)
        if tiling is not None:
            by_tile = {window_of(item): item for item in items}
            for tile in self.tape.own(tiling):
                with self.tape.reading(tiling, tile):
                    work(by_tile[tile])
        return self._read_note(stage) or [None] * len(items)

    def ask(
        self,
        stage: str,
        work: Callable[[Item], Result],
        items: Sequence[Item] | Callable[[], Sequence[Item]],
    ) -> Sequence[Result]:
        """See `Engine.ask`."""
        return self._read_note(stage)

    def derive(
        self, stage: str, work: Callable[[Window], object], fields: Sequence[TiledField]
    ) -> None:
        """See `Engine.derive`."""
        if self.tape.derive(work, fields) == TILE:
            self.run(stage, work, fields[0].tiling.tiles)

    def hand_out(
        self,
        stage: str,
        work: Callable[[Item], Result],
        make: Callable[..., Item],
        tiles: Sequence[Window],
        solve: Callable[[], Sequence[tuple[Array, ...]]],
    ) -> Sequence[Result]:
        """See `Engine.hand_out`."""
        tiling = frames.tiling_of(tiles)
        for tile in self.tape.own(tiling):
            with self.tape.reading(tiling, tile) as reader:
                work(make(tile, *self._told(reader, stage)))
        return self._read_note(stage)

    def solve(self, name: str, make: Callable[[], Result]) -> Result:
        """See `Engine.solve`."""
        noted = self._read_note(name)
        if isinstance(noted, _UnknownResults):
            raise noted.error
        return cast(Result, noted)

    def join(self, make: Callable[[], Result]) -> Joined[Result]:
        """See `Engine.join`."""
        return Joined(None)

    def _told(self, reader: Reader, stage: str) -> list[Array]:
        name = f"told/{self.part}{stage}"
        entry = self.tape.notes.entry(reader, name)
        try:
            if entry is None:
                raise ValueError("it is missing")
            return [array.unpack() for array in entry.arrays]
        except ValueError as error:
            raise WorldError(
                "{}: is damaged: {}: {}", self.tape.notes.store, name, error
            ) from error

    def _read_note(self, stage: str) -> Sequence[Any]:
        name = f"{self.part}{stage}"
        numbers = self.tape.notes.numbers
        noted: Sequence[Any] = (
            from_plain(numbers[name]) if name in numbers else _UnknownResults(name)
        )
        return noted
