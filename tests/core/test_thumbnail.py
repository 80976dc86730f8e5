# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures: light from the north-west, a sea, textures as grays, one size."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from noise_core import Grid, RecipeError
from noise_core.base.blocks import Cancelled
from noise_core.flow_routing.water_levels import DRAWN, held_water, standing_water
from noise_core.landscapes.look import Look
from noise_core.landscapes.preset_library import (
    broken_presets,
    look_again,
    own_names,
    preset,
    shipped_names,
)
from noise_core.materials.ground.colors import ground_colors
from noise_core.pictures.shaded_relief import shaded_relief
from noise_core.pictures.thumbnail import grays, plan_of, resize, thumbnail

GRID = Grid(48, 64, size=1000.0)


def hill() -> np.ndarray:
    y, x = np.mgrid[-1:1:48j, -1:1:64j]
    return (200.0 * np.exp(-6.0 * (x * x + y * y))).astype(np.float32)


def gray() -> np.ndarray:
    return np.full((3, 48, 64), 0.3, np.float32)


def drawn(height: np.ndarray, palette: str = "alpine", sea: float | None = None) -> np.ndarray:
    return thumbnail(height, GRID, Look(palette, sea), 1.0)


def test_light_comes_from_the_north_west() -> None:
    picture = shaded_relief(hill(), GRID, gray()).mean(axis=-1)
    assert picture.shape == (48, 64)
    assert picture[30, 24] > picture[17, 39] + 0.1, "row 0 is in the south"


def test_a_picture_is_of_colors_from_0_to_1() -> None:
    for height in (hill(), np.zeros((48, 64), np.float32), -hill()):
        for palette in ("alpine", "volcanic"):
            picture = drawn(height, palette, 50.0)
            assert picture.dtype == np.float32 and picture.shape == (48, 64, 3)
            assert picture.min() >= 0.0 and picture.max() <= 1.0


def test_what_lies_below_the_sea_is_water() -> None:
    dry, wet = drawn(hill()), drawn(hill(), sea=100.0)
    water = hill() < 90.0
    assert (wet[water][:, 2] > wet[water][:, 0]).all()
    assert not (dry[water][:, 2] > dry[water][:, 0]).all()


def test_heights_are_not_written_to() -> None:
    height, color = hill(), gray()
    shaded_relief(height, GRID, color)
    assert np.array_equal(height, hill()) and np.array_equal(color, gray())


def test_low_relief_is_drawn_as_well_as_high() -> None:
    contrasts = [np.ptp(shaded_relief(hill() * k, GRID, gray())) for k in (0.05, 1.0)]
    assert contrasts[0] > 0.5 * contrasts[1]


def test_it_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        shaded_relief(hill(), GRID, gray(), cancel=lambda: True)


def test_textures_are_grays() -> None:
    up = thumbnail(hill(), GRID, Look(is_flat=True), 3.0)
    down = thumbnail(hill(), GRID, Look(is_flat=True), -3.0)
    assert up.shape == (48, 64, 3) and up.min() == 0.0 and up.max() == 1.0
    assert np.allclose(up, 1.0 - down, atol=1e-6)
    assert grays(np.array([[-1.0, 0.5, 9.0]], np.float32), 0.0, 1.0)[..., 0].tolist() == [
        [0, 0.5, 1]
    ]
    assert not grays(np.full((2, 2), 5.0, np.float32)).any()


@pytest.mark.parametrize("shape", [(8, 8), (4, 8), (8, 3), (1, 1)])
def test_a_picture_becomes_a_square(shape: tuple[int, int]) -> None:
    made = resize(np.ones((*shape, 3), np.float32), 32)
    assert made.shape == (32, 32, 3)
    covered = 32 * max(1, round(32 * min(shape) / max(shape)))
    assert made[..., 0].sum() == covered
    same = np.linspace(0.0, 1.0, 48, dtype=np.float32).reshape(4, 4, 3)
    assert np.array_equal(resize(same, 4), same)


LANDFORMS = [name for name in shipped_names() if preset(name).group == "landforms"]


@pytest.mark.newest
@pytest.mark.parametrize("other", [0, 1])
@pytest.mark.parametrize("name", LANDFORMS)
def test_a_thumbnail_has_the_lakes_of_the_mesh_of_water(name: str, other: int) -> None:
    shown = preset(name)
    look, recipe = shown.look, dataclasses.replace(shown.recipe, seed=shown.recipe.seed + other)
    grid = recipe.grid(129)
    relief = recipe.evaluate(grid)
    lakes, expected = held_water(relief.maps), 0.0
    if look.sea is not None or look.has_lakes or look.rivers:
        drawn, rivers = relief.maps.get(DRAWN), look.water.rivers
        water = standing_water(
            relief.height, grid, sea=look.sea, lakes=lakes, drawn=drawn, rivers=rivers
        )
        is_wet = (water.levels > relief.height) | (
            relief.maps.get("channel", 0.0) > np.float32(0.0)
        )
        expected = float(is_wet.mean())
    _, wet = ground_colors(relief.height, grid, plan_of(look), relief.maps)
    assert float((wet > 0.0).mean()) == pytest.approx(expected, abs=0.01)


def test_lakes_are_as_level_as_the_sea() -> None:
    pit = hill().max() - hill()
    picture = thumbnail(pit, GRID, Look(rivers=0.01), 1.0)
    bed = thumbnail(pit, GRID, Look(rivers=0.0), 1.0)
    sides = (slice(29, 32), slice(22, 25)), (slice(16, 19), slice(39, 42))
    towards, away = (picture[side] for side in sides)
    assert (towards[..., 2] > towards[..., 0]).all(), "water fills the hollow"
    assert towards.mean() == pytest.approx(away.mean(), abs=0.03)
    assert bed[sides[1]].mean() > bed[sides[0]].mean() + 0.1


def test_own_presets_are_found_and_their_looks_read(tmp_path: Path) -> None:
    kept = preset("alps")
    mine = type(kept)("mine", "Mine", "My own", kept.recipe, Look("desert", 3.0))
    (tmp_path / "mine.json").write_text(mine.to_json(), encoding="utf-8")
    plain = json.loads(mine.to_json())
    wrong = ({"palette": "pink"}, {"sea": "deep"}, {"is_flat": 1}, {"color": 2}, [])
    for place, look in enumerate(wrong):
        text = json.dumps({**plain, "look": look})
        (tmp_path / f"wrong{place}.json").write_text(text, encoding="utf-8")
    try:
        look_again(tmp_path)
        assert own_names() == ("mine",) and preset("mine") == mine
        assert len(broken_presets()) == len(wrong)
        assert all(text.startswith("look") for text in broken_presets().values())
    finally:
        look_again()
    with pytest.raises(RecipeError, match="got 'mine'"):
        preset("mine")
