# SPDX-License-Identifier: GPL-3.0-or-later
"""Building a store: its arrays, tile by tile, then their overviews."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from noise_core.base.grid import Grid
from noise_core.io import atomic_files
from noise_core.rasters.halving import halve
from noise_core.recipes.recipe import Recipe

from .engine import Engine
from .fields import TiledField
from .land import Land
from .layers import build_ground, read_maps
from .refusals import units_of
from .sources import Source
from .store.digest import joint_digest, text_of, tile_digest
from .store.layout import (
    HEIGHT,
    StoredArray,
    change_attributes,
    check_identity,
    group_of,
    halve_tiling,
    make_arrays,
    make_group,
    overview_factors,
)
from .tiling import Tiling, Window


@dataclasses.dataclass(frozen=True)
class BuildOrder:
    """What is to be built, and where.

    Attributes
    ----------
    recipe : Recipe
    grid : Grid
        Of the whole world.
    tiling : Tiling
    store : Path
    identity : mapping of str to object
        Attributes of the store that tell it from others.
    facts : mapping of str to object
        More attributes.
    maps : tuple of str
        Names of the arrays beside the heights.
    is_compressed : bool
    """

    recipe: Recipe
    grid: Grid
    tiling: Tiling
    store: Path
    identity: Mapping[str, object]
    facts: Mapping[str, object]
    maps: tuple[str, ...] = ()
    is_compressed: bool = False

    @property
    def scratch(self) -> Path:
        """Folder for the journal and for fields that are needed for a while, beside the store."""
        return self.store.with_name(f"{self.store.name}.build")

    def digest_of_finished(self) -> str | None:
        """Return the digest of the store if it is finished; None if it is not, or is not there.

        Raises
        ------
        WorldError
            If it holds something else.
        """
        if not self.store.exists():
            return None
        return check_identity(self.store, self.identity).get("digest")

    def clean_up(self) -> None:
        """Remove what is of no use once the store is finished, the lock last."""
        for left in self.store.rglob(
            "*.partial"
        ):  # what zarr was writing when a builder was killed
            atomic_files.remove(left)
        for name in ("fields", "journal", "workers"):
            shutil.rmtree(self.scratch / name, ignore_errors=True)
        shutil.rmtree(self.scratch, ignore_errors=True)


@dataclasses.dataclass(frozen=True)
class _TileFacts:
    """What is known of a tile once it is written.

    Attributes
    ----------
    digest : int
        See `digest.tile_digest`.
    lowest, highest : float
    """

    digest: int
    lowest: float
    highest: float


@dataclasses.dataclass(frozen=True)
class _WriteTile:
    """Write a tile into the store, and its means of 2 x 2 samples into a field."""

    source: Source
    array: StoredArray
    halves: TiledField

    def __call__(self, tile: Window) -> _TileFacts:
        values = self.source.read(tile)
        self.array.write(tile, values)
        self.halves.write(_halve_window(tile), halve(values))
        digest = tile_digest(values, tile.row, tile.column)
        return _TileFacts(digest, float(values.min()), float(values.max()))


@dataclasses.dataclass(frozen=True)
class _WriteOverview:
    """Copy a tile of an overview into the store, and write its means into the field of the next."""

    field: TiledField
    array: StoredArray
    halves: TiledField | None

    def __call__(self, tile: Window) -> None:
        values = self.field.read(tile)
        self.array.write(tile, values)
        if self.halves is not None:
            self.halves.write(_halve_window(tile), halve(values))


def _halve_window(tile: Window) -> Window:
    return Window(tile.row // 2, tile.column // 2, -(-tile.rows // 2), -(-tile.columns // 2))


def build(order: BuildOrder, engine: Engine) -> str:
    """Build a store, or what is missing of it, and return its digest.

    Raises
    ------
    WorldError, TerraneError
        If files cannot be written, or workers die.
    """
    if not order.store.exists():
        for name in ("fields", "journal"):  # of a store that was removed
            shutil.rmtree(order.scratch / name, ignore_errors=True)
        make_group(order.store, {**order.identity, **order.facts})
    engine.remember("arrays", lambda: _make_arrays(order))
    land = Land(order.grid, order.tiling, engine, order.scratch / "fields")
    ground = build_ground(order.recipe, land)
    sources = {HEIGHT: ground.height, **read_maps(order.maps, ground, land)}
    digests = {
        name: _write_array(order, name, source, land.enter(name))
        for name, source in sources.items()
    }
    digest = joint_digest(digests)
    change_attributes(order.store, digest=digest)
    return digest


def _make_arrays(order: BuildOrder) -> None:
    units = {HEIGHT: "m", **units_of(order.maps, order.recipe)}
    places, tiling = order.grid.axes(), order.tiling
    axes = (places.y * order.grid.size, places.x * order.grid.size)
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
    tiling, side = land.tiling, land.tiling.side

    def array(factor: int, tiling: Tiling) -> StoredArray:
        path = order.store / group_of(factor) / name
        return StoredArray(str(path), tiling, order.is_compressed)

    field = land.new_field("2", "float32", halve_tiling(tiling, side // 2))
    facts = land.engine.run("samples", _WriteTile(source, array(1, tiling), field), tiling.tiles)
    factors = overview_factors(tiling)
    for factor in factors:
        tiling = halve_tiling(tiling, side)
        following = None
        if factor != factors[-1]:
            following = land.new_field(str(2 * factor), "float32", halve_tiling(tiling, side // 2))
        work = _WriteOverview(field, array(factor, tiling), following)
        land.engine.run(f"overview_{factor}", work, tiling.tiles)
        field = following or field
    shutil.rmtree(land.folder, ignore_errors=True)
    digest = text_of(sum(one.digest for one in facts))
    change_attributes(
        order.store / name,
        digest=digest,
        minimum=min(one.lowest for one in facts),
        maximum=max(one.highest for one in facts),
    )
    return digest
