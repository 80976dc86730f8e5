# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of distances, and of rivers as wide as they are drawn, have in tiles the bits of the whole."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noise_core import Grid
from noise_core.base.arrays import Field
from noise_core.maps import River, RiverDistance, Sea
from noise_core.maps.bases.map import Map
from noise_core.rasters.distance_field import distance_transform
from terrane_worlds.maps import REGISTRY
from terrane_worlds.rasters.distances import Distances, rows_of_tiles

from .lands import assert_same_bits, many
from .tiled_modifiers import WIDTH, build_land, hills, read, store

MAPS = {
    "river": River(),
    "wide river": River(width=150.0, threshold=3e3),
    "river distance": RiverDistance(),
    "no river": RiverDistance(threshold=1e12),
    "shore": Sea(kind="shore"),
    "no sea": Sea(kind="shore", level=-9000.0),
    "no land": Sea(kind="shore", level=9000.0),
    "far shore": Sea(kind="shore", level=-149.0),
}


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("shape", "side"), [((257, 193), 64), ((130, 130), 50), ((97, 210), 100)])
@pytest.mark.parametrize("one", MAPS.values(), ids=MAPS)
def test_tiles_have_the_bits_of_the_whole(
    one: Map, shape: tuple[int, int], side: int, wrap: bool, tmp_path: Path
) -> None:
    grid = Grid(*shape, wrap=wrap, size=WIDTH)
    land, height = build_land(grid, side, tmp_path), hills(grid)
    field = REGISTRY.find(one, "map")(one, land.enter("map"), store(land, height))
    assert_same_bits(read(field), one.values(height, grid))


@dataclasses.dataclass(frozen=True)
class _IsOne:
    def __call__(self, values: Field) -> npt.NDArray[np.bool_]:
        return np.asarray(values == 1.0)


@given(
    st.integers(1, 60), st.integers(1, 200), st.integers(9, 70), st.booleans(),
    st.sampled_from([0.0, 0.0005, 0.003, 0.05, 0.9]), st.integers(0, 999),
)  # fmt: skip
@many
def test_distances_are_those_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory,
    rows: int,
    columns: int,
    side: int,
    wrap: bool,
    share: float,
    seed: int,
) -> None:
    """Some rows are so far from all targets that they get the envelope of their parabolas."""
    targets = np.random.default_rng(seed).random((rows, columns)) < share
    land = build_land(
        Grid(rows, columns, wrap=wrap, size=100.0), side, tmp_path_factory.mktemp("land")
    )
    distances = Distances.measure(store(land, targets.astype(np.float32)), _IsOne(), land)
    parts = [distances.of_rows(row)[1] for row in rows_of_tiles(land.tiling)]
    assert_same_bits(np.concatenate(parts), distance_transform(targets, wrap))
