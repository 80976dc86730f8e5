# SPDX-License-Identifier: GPL-3.0-or-later
"""Building a store: its arrays, tile by tile, then their overviews."""

from __future__ import annotations

import dataclasses
import logging
import shutil
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from noise_core.rasters.halving import halve

from ..base.errors import DamageError
from ..base.ledger import noting
from ..base.tiling import Tiling, Window
from ..edges.notes import EDGES, Notes
from ..edges.recording import Noted, Recording
from ..recipes.layers import build_ground, read_maps
from ..recipes.refusals import units_of
from ..store.attributes import write_group
from ..store.digest import joint_digest, text_of, tile_digest
from ..store.layout import (
    HEIGHT,
    StoredArray,
    change_attributes,
    group_of,
    halve_tiling,
    make_arrays,
    overview_factors,
)
from ..tiles.engine import Engine
from ..tiles.fields import TiledField, Values
from ..tiles.kept_tiles import KeptTiles, keeping
from ..tiles.land import Land
from ..tiles.sources import Source
from .order import BuildOrder

_LOG = logging.getLogger(__package__)

_ROWS = 128
"""Rows of a tile that are looked over at a time, an even number."""


@dataclasses.dataclass(frozen=True)
class _Facts:
    """Facts about samples that have been written.

    Attributes
    ----------
    digest : int
        See `digest.tile_digest`.
    lowest, highest : float
    """

    digest: int
    lowest: float
    highest: float

    @classmethod
    def join(cls, parts: Sequence[_Facts]) -> _Facts:
        """Return the facts of several parts."""
        return cls(
            sum(part.digest for part in parts),
            min(part.lowest for part in parts),
            max(part.highest for part in parts),
        )


@dataclasses.dataclass(frozen=True)
class _WriteBlock:
    """Write the tiles of a block, 2 x 2 of them, and their means: those of a whole tile of the overview.

    Attributes
    ----------
    source : Source
    tiling : Tiling
    array : StoredArray or None
    overview : StoredArray or None
        Of half as many samples along both sides.
    halves : TiledField or None
        For the means of the overview, from which the next ones are made.
    """

    source: Source
    tiling: Tiling
    array: StoredArray | None
    overview: StoredArray | None
    halves: TiledField | None

    def __call__(self, block: Window) -> _Facts:
        half = _halve_window(block)
        means = np.empty(half.shape, np.float32)
        facts = []
        for tile in self.tiling.tiles_of(block):
            values = self.source.read(tile)
            if self.array is not None:
                self.array.write(tile, values)
            inside = _halve_window(tile).within(half)
            facts.append(_look_over(tile, values, means[inside]))
        if self.overview is not None:
            self.overview.write(half, means)
        if self.halves is not None:
            # Into a file: a build that goes on reads it, and not the samples again.
            self.halves.save_file(_halve_window(half), halve(means))
        return _Facts.join(facts)


def _look_over(tile: Window, values: Values, means: Values) -> _Facts:
    """Return the facts of a tile and write its means of 2 x 2 samples, a few rows at a time.

    These stay in the cache.
    """
    facts = []
    for start in range(0, tile.rows, _ROWS):
        part = values[start : start + _ROWS]
        means[start // 2 : (start + _ROWS) // 2] = halve(part)
        digest = tile_digest(part, tile.row + start, tile.column)
        facts.append(_Facts(digest, float(part.min()), float(part.max())))
    return _Facts.join(facts)


def _halve_window(window: Window) -> Window:
    return Window(
        window.row // 2, window.column // 2, -(-window.rows // 2), -(-window.columns // 2)
    )


def build(order: BuildOrder, engine: Engine) -> str:
    """Build a store, or its missing parts, and return its digest.

    The results of an earlier build are checked. If it cannot go on from there, it begins again.

    Raises
    ------
    WorldError, TerraneError
        If files cannot be written, or workers die.
    """
    with keeping(KeptTiles() if order.in_memory else None):
        return _build_or_repair(order, engine)


def _build_or_repair(order: BuildOrder, engine: Engine) -> str:
    goes_on = order.begin()
    for forget in (order.clear_unfinished, order.clear) if goes_on else ():
        try:
            return _build(order, engine)
        except DamageError as error:
            _LOG.warning("Terrane: %s; the build goes on from before", error)
        forget()
        engine.files.clear()
        order.begin()
    return _build(order, engine)


def _build(order: BuildOrder, engine: Engine) -> str:
    _make_arrays(order)
    fields, plain = order.scratch / "fields", engine
    notes = Notes(order.scratch / EDGES, order.store / EDGES, fields, order.tiling)
    with noting(engine.files):
        if order.edges:
            write_group(order.store / EDGES)  # so that those who list the store's groups pass it by
            engine = Recording.of(engine, notes)
        engine = dataclasses.replace(engine, keeps_stages=not order.in_memory)
        # A rebuild from edges does all that the build did.
        wanted = None if order.edges else frozenset(order.maps)
        land = Land(order.grid, order.tiling, engine, fields, wanted)
        ground = build_ground(order.recipe, land)
        sources = {HEIGHT: ground.height, **read_maps(order.maps, ground, land)}
        if order.edges:
            sources = {name: Noted(source, notes) for name, source in sources.items()}
        land = Land(order.grid, order.tiling, plain, fields)
        digests = {
            name: _write_array(order, name, source, land.enter(name))
            for name, source in sources.items()
        }
        if order.edges:
            notes.gather(plain)
    digest = joint_digest(digests)
    order.finish(digest, engine.files)
    return digest


def _make_arrays(order: BuildOrder) -> None:
    units = {HEIGHT: "m", **units_of(order.maps, order.recipe)}
    places, tiling = order.grid.axes(), order.tiling
    axes = (places.y * order.grid.width, places.x * order.grid.width)
    for factor in (1, *overview_factors(tiling)):
        if factor > 1:
            tiling = halve_tiling(tiling, tiling.side)
            axes = (_halve_axis(axes[0]), _halve_axis(axes[1]))
        make_arrays(
            order.store,
            group_of(factor),
            tiling,
            axes,
            units,
            is_compressed=order.is_compressed,
        )


def _halve_axis(meters: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    whole = np.pad(meters, (0, len(meters) % 2), mode="edge")
    means: npt.NDArray[np.float64] = 0.5 * (whole[0::2] + whole[1::2])
    return means


def _write_array(order: BuildOrder, name: str, source: Source, land: Land) -> str:
    """Write an array and its overviews, and return its digest."""
    try:
        facts = _write_samples(order, name, source, land)
    except DamageError:
        # A damaged overview whose means were removed already is made anew from the samples.
        land.engine.forget()
        facts = _write_samples(order, name, source, land)
    shutil.rmtree(land.folder, ignore_errors=True)
    digest = text_of(facts.digest)
    change_attributes(
        order.store / name, digest=digest, minimum=facts.lowest, maximum=facts.highest
    )
    return digest


def _write_samples(order: BuildOrder, name: str, source: Source, land: Land) -> _Facts:
    """Write an array and its overviews, two sizes in each stage, and return the facts of its samples."""
    tilings = {1: land.tiling}
    for factor in overview_factors(land.tiling):
        tilings[factor] = halve_tiling(tilings[factor // 2], land.tiling.side)

    def array(factor: int) -> StoredArray | None:
        path = order.store / group_of(factor) / name
        is_stored = factor in tilings
        return StoredArray(str(path), tilings[factor], order.is_compressed) if is_stored else None

    facts = []
    for factor in list(tilings)[::2]:
        samples, overview, halves = array(factor), array(2 * factor), None
        assert samples is not None
        if 4 * factor in tilings:
            halved = halve_tiling(tilings[2 * factor], land.tiling.side // 2)
            halves = land.new_field(str(4 * factor), "float32", halved)
        is_stored = factor > 1 or order.edges != "only"
        work = _WriteBlock(source, samples.tiling, samples if is_stored else None, overview, halves)
        blocks = dataclasses.replace(samples.tiling, side=2 * samples.tiling.side).tiles
        written = land.engine.run("samples" if factor == 1 else f"overview_{factor}", work, blocks)
        facts.append(_Facts.join(written))
        source = halves or source
    return facts[0]
