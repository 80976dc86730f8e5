# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows of a world, rebuilt from its recipe and the edges in its store, tile by tile."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from noise_core.base.errors import ParameterError, format_value

from ..base.errors import WorldError
from ..base.tiling import Tiling, Window
from ..recipes.layers import build_ground, read_maps
from ..store.layout import HEIGHT
from ..tiles.fields import Values
from ..tiles.land import Land
from ..tiles.sources import Place
from . import frames
from .frames import TilePlace, places_under
from .notes import CHILDREN, EDGES
from .rebuilding import Rebuilding, RebuildTape, StoredNotes
from .recording import using_tape


def check_array(name: str, facts: Mapping[str, object]) -> None:
    """Raise a ParameterError if a store with these attributes has no such array."""
    maps = facts.get("maps")
    available = [HEIGHT, *(maps if isinstance(maps, list) else [])]
    if name not in available:
        raise ParameterError("array must be of {}", ", ".join(available), got=format_value(name))


def check_edges(store: Path, facts: Mapping[str, object]) -> None:
    """Raise a WorldError if a store with these attributes has no edges, or is not finished."""
    if facts.get("edges") is None:
        raise WorldError("{}: has no edges to rebuild regions from: build it with edges", store)
    if "digest" not in facts:
        raise WorldError("{}: is not finished: go on with its build", store)


def rebuild_window(place: Place, tiling: Tiling, store: Path, array: str, window: Window) -> Values:
    """Return a window of an array, with the bits that it has in the store.

    Parameters
    ----------
    place : Place
        The recipe and the grid of the whole world.
    tiling : Tiling
    store : Path
        With edges; no arrays are read.
    array : str
        The heights, or one of the store's maps.
    window : Window
        Within the world.

    Raises
    ------
    WorldError
        If the edges are damaged.
    """
    result = np.empty(window.shape, np.float32)
    notes = StoredNotes(store / EDGES)
    for places in _together(places_under(tiling, window)):
        if notes.numbers.get(CHILDREN):
            places = _with_siblings(places, tiling)
        for tile, values in _rebuild_tiles(place, tiling, notes, array, places):
            if (inside := frames.cut(window, tile)) is not None:
                result[inside.within(window)] = values[inside.within(tile)]
    return result


def _together(places: set[TilePlace]) -> list[list[TilePlace]]:
    """Return tiles in groups of those that lie in one tile of the next coarser level, which they share."""

    def coarser(place: TilePlace) -> TilePlace:
        return place[0] // 2, place[1] // 2

    order = sorted(places, key=lambda place: (coarser(place), place))
    return [list(group) for _, group in itertools.groupby(order, coarser)]


def _with_siblings(places: Sequence[TilePlace], tiling: Tiling) -> list[TilePlace]:
    """Return all tiles that lie in the tile of the next coarser level in which some do."""
    rows, columns = (tiling.rows - 1) // tiling.side, tiling.across - 1
    row, column = (at // 2 * 2 for at in places[0])
    return [
        (down, right)
        for down in range(row, min(row + 1, rows) + 1)
        for right in range(column, min(column + 1, columns) + 1)
    ]


def _rebuild_tiles(
    place: Place,
    tiling: Tiling,
    notes: StoredNotes,
    array: str,
    places: Sequence[TilePlace],
) -> list[tuple[Window, Values]]:
    fields = notes.store / "fields"
    tape = RebuildTape(notes, fields, tiling, places)
    with using_tape(tape):
        land = Land(place.grid, tiling, Rebuilding(tape=tape), fields)
        ground = build_ground(place.recipe, land)
        source = ground.height if array == HEIGHT else read_maps([array], ground, land)[array]
        pieces = []
        for tile in tape.own(tiling):
            with tape.reading(tiling, tile):
                pieces.append((tile, source.read(tile)))
        return pieces
