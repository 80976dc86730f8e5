# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine that notes, while it builds, the samples and results that each tile needs from outside itself."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Generic

from ..base.tiling import Tiling, Window
from ..tiles.engine import Array, Engine, Item, Result
from ..tiles.fields import TAPE, Tape, TiledField, Values
from ..tiles.sources import Source
from . import frames
from .notes import DERIVED, TILE, WHOLE, Notes, is_computed, kind_of_derived, to_plain


@dataclasses.dataclass(frozen=True)
class Recorder(Tape):
    """Notes the windows that the work on one tile reads.

    Attributes
    ----------
    notes : Notes
    tiling : Tiling or None
    tile : Window or None
        None for work on a land as a whole.
    """

    notes: Notes
    tiling: Tiling | None
    tile: Window | None

    def read(self, field: TiledField, window: Window) -> Values:
        """See `Tape.read`."""
        if self.tiling is not None and self.tile is not None:
            self._note(field, window, self.tiling, self.tile)
        return field.load(window)

    def write(self, field: TiledField, tile: Window, values: Values) -> None:
        """See `Tape.write`."""
        field.save(tile, values)
        if self.tile is None:
            self.notes.set_kind(field, WHOLE)

    def remove(self, field: TiledField) -> None:
        """See `Tape.remove`; work removes none."""

    def _note(self, field: TiledField, window: Window, tiling: Tiling, tile: Window) -> None:
        notes = self.notes
        kind = notes.kind_of(field)
        if kind == TILE:
            notes.add_frame(tiling, tile, field, window)
        elif kind == DERIVED and is_computed(notes.land, tiling, field.tiling):
            if frames.levels_between(notes.land, field.tiling) > 0:  # others are noise
                with using_tape(_Probe(notes, tiling, tile)):
                    notes.work_of(field)(window)
        else:
            notes.add_whole(field, window)


class _Probe(Recorder):
    """Notes the windows that are read to derive a window, which is not kept."""

    def write(self, field: TiledField, tile: Window, values: Values) -> None:
        """See `Tape.write`."""


@contextlib.contextmanager
def using_tape(tape: Tape) -> Iterator[None]:
    """Have all fields read and written over a tape for the time of a block."""
    token = TAPE.set(tape)
    try:
        yield
    finally:
        TAPE.reset(token)


@dataclasses.dataclass(frozen=True)
class _Recorded(Generic[Item, Result]):
    """Work whose reading is noted."""

    work: Callable[[Item], Result]
    notes: Notes
    tiling: Tiling | None

    def __call__(self, item: Item) -> Result:
        tile = None if self.tiling is None else window_of(item)
        with using_tape(Recorder(self.notes, self.tiling, tile)):
            return self.work(item)


@dataclasses.dataclass(frozen=True)
class Noted:
    """A source whose tiles are noted as they are read.

    Attributes
    ----------
    source : Source
    notes : Notes
    """

    source: Source
    notes: Notes

    def read(self, window: Window) -> Values:
        """Return the values of a tile."""
        with using_tape(Recorder(self.notes, self.notes.land, window)):
            return self.source.read(window)


@dataclasses.dataclass(frozen=True)
class Recording(Engine):
    """See `Engine`.

    Attributes
    ----------
    notes : Notes
    """

    notes: Notes = dataclasses.field(kw_only=True)

    @classmethod
    def of(cls, engine: Engine, notes: Notes) -> Recording:
        """Return an engine that does the same work, and takes notes."""
        settings = {
            attribute.name: getattr(engine, attribute.name)
            for attribute in dataclasses.fields(engine)
        }
        return cls(**settings, notes=notes)

    def run(
        self, stage: str, work: Callable[[Item], Result], items: Sequence[Item]
    ) -> Sequence[Result]:
        """See `Engine.run`."""
        tiling = tiling_of_items(items)
        return self._note(stage, super().run(stage, _Recorded(work, self.notes, tiling), items))

    def ask(
        self,
        stage: str,
        work: Callable[[Item], Result],
        items: Sequence[Item] | Callable[[], Sequence[Item]],
    ) -> Sequence[Result]:
        """See `Engine.ask`."""
        return self._note(stage, super().run(stage, work, items() if callable(items) else items))

    def derive(
        self, stage: str, work: Callable[[Window], object], fields: Sequence[TiledField]
    ) -> None:
        """See `Engine.derive`."""
        tiles = fields[0].tiling.tiles
        kind = kind_of_derived(work, fields, self.notes.kind_of, self.notes.land)
        for field in fields:
            self.notes.set_kind(field, kind, work)
        if kind == TILE:
            self.run(stage, work, tiles)
        else:
            super().run(stage, work, tiles)

    def hand_out(
        self,
        stage: str,
        work: Callable[[Item], Result],
        make: Callable[..., Item],
        tiles: Sequence[Window],
        solve: Callable[[], Sequence[tuple[Array, ...]]],
    ) -> Sequence[Result]:
        """See `Engine.hand_out`."""
        shares, tiling = solve(), frames.tiling_of(tiles)
        for tile, share in zip(tiles, shares):
            self.notes.add_told(f"{self.part}{stage}", tiling, tile, share)
        return self.run(stage, work, [make(tile, *share) for tile, share in zip(tiles, shares)])

    def solve(self, name: str, make: Callable[[], Result]) -> Result:
        """See `Engine.solve`."""
        results = make()
        self.notes.add_numbers(f"{self.part}{name}", to_plain(results))
        return results

    def _note(self, stage: str, results: Sequence[Result]) -> Sequence[Result]:
        """Note results that are numbers; others are joined, and the results handed to tiles are noted."""
        is_told = any(result is not None for result in results)
        with contextlib.suppress(TypeError):
            self.notes.add_numbers(f"{self.part}{stage}", to_plain(results) if is_told else None)
        return results


def window_of(item: object) -> Window | None:
    """Return the tile that an item is, or is about; None if it is about no tile."""
    tile = getattr(item, "tile", item)
    return tile if isinstance(tile, Window) else None


def tiling_of_items(items: Sequence[object]) -> Tiling | None:
    """Return the tiles that items are about; None if it is none."""
    tiles = [tile for tile in map(window_of, items) if tile is not None]
    return frames.tiling_of(tiles) if len(tiles) == len(items) > 0 else None
