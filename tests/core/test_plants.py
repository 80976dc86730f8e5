# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as plain data, and the points that they stand on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noise_core import RecipeError
from noise_core.landscapes.look import Look
from noise_core.landscapes.plants import KINDS, Plants, kind_of
from noise_core.landscapes.point_sets import spread_points
from noise_core.landscapes.preset_library import preset, shipped_names

LAND = [name for name in shipped_names() if preset(name).group == "landforms"]


def nearest(points: np.ndarray) -> np.ndarray:
    """Return the distance of each point to its nearest neighbor, across the borders too."""
    away = np.abs(points[:, np.newaxis] - points[np.newaxis])
    away = np.minimum(away, 1.0 - away)
    squared = (away * away).sum(axis=-1)
    np.fill_diagonal(squared, np.inf)
    return np.asarray(np.sqrt(squared.min(axis=1)))


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("count", [16, 100, 400, 1024])
def test_every_beginning_of_the_points_is_spread_evenly(seed: int, count: int) -> None:
    points = spread_points(1024, seed)
    assert points.shape == (1024, 2) and points.dtype == np.float32
    assert points.min() >= 0.0 and points.max() < 1.0
    # The closest packing has 1.07, points by chance have hardly 0.02.
    assert nearest(points[:count]).min() * count**0.5 > 0.6


@pytest.mark.parametrize("seed", [0, 1, 7])
@pytest.mark.parametrize("count", [300, 512, 1024])
def test_points_do_not_lie_in_rows(seed: int, count: int) -> None:
    """No wave through the tile finds many of them in step: of a lattice it finds all, of chance the root."""
    places = spread_points(1024, seed)[:count].astype(np.float64)
    highest = int(1.6 * count**0.5)
    waves = np.arange(-highest, highest + 1)
    across, along = (np.exp(-2j * np.pi * np.outer(waves, places[:, axis])) for axis in (0, 1))
    power = np.abs(across @ along.T) ** 2 / count
    power[highest, highest] = 0.0
    assert power.max() < 0.08 * count


def test_points_are_the_same_each_time_and_others_with_another_seed() -> None:
    first = spread_points(64).tobytes()
    spread_points.cache_clear()
    assert spread_points(64).tobytes() == first != spread_points(64, 1).tobytes()


def test_every_parameter_belongs_to_one_kind_or_to_all() -> None:
    shared = Plants.of_kind("")
    parts = [Plants.of_kind(kind) for kind in KINDS]
    assert tuple(one for part in (shared, *parts) for one in part) == Plants.parameters()
    ends = [{one.name.partition("_")[2] for one in part} for part in parts]
    assert all(end == ends[0] for end in ends) and not any(kind_of(one) for one in shared)


def test_bare_lands_have_no_plants_and_green_ones_have_trees() -> None:
    def has(name: str, kind: str) -> bool:
        plants = preset(name).look.plants
        return plants is not None and getattr(plants, f"{kind}_density") > 0.0

    trees = {name for name in LAND if has(name, "conifers") or has(name, "broadleaves")}
    assert {"rolling_hills", "alps", "island", "coast", "river_delta", "fjords"} <= trees
    assert not trees & {"moon", "crater_field", "dunes", "mesa", "canyon", "badlands"}
    for name in ("moon", "crater_field"):
        assert not any(has(name, kind) for kind in KINDS if kind != "stones")


def test_plants_are_written_as_they_were_read() -> None:
    look = Look.from_plain({"plants": {"grass_density": 0.0, "mask": "woods"}})
    assert look.plants == Plants(grass_density=0.0, mask="woods") and Look().plants is None
    assert Look.from_plain(json.loads(json.dumps(look.to_plain()))) == look
    assert Look.from_plain({"plants": {}}).plants == Plants()


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({"trees": 1.0}, "look.plants must be an object of broadleaves_clumps"),
        (
            {"grass_density": -1.0},
            r"look.plants: Plants.grass_density must be in \[0, 1e\+06\]; got -1",
        ),
        ([], "look.plants must be an object of"),
    ],
)
def test_bad_plants_are_refused(plain: object, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        Look.from_plain({"plants": plain})
