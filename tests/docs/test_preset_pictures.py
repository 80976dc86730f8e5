# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of presets, in the documentation and in panels, are the thumbnails that the core draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from noise_core.landscapes.preset_library import FOLDER, preset, preset_names
from noise_core.pictures.thumbnail import thumbnail

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"

SIDE, BLOCKS = 256, 8
"""Samples of a thumbnail, half of those of a picture, and the blocks along a side that are compared."""

MEAN = 5.0 / 255.0
"""By how much blocks may differ on average: detail that so few samples lack gives 3, another palette 13 and more."""


@pytest.mark.parametrize("name", preset_names())
def test_a_picture_is_the_thumbnail(name: str) -> None:
    shown = preset(name)
    # Steps and crests have edges between samples: their pictures need as many of them.
    finer = 2
    grid = shown.recipe.grid(SIDE * finer)
    relief = shown.recipe.evaluate(grid)
    colors = thumbnail(relief.height, grid, shown.look, shown.recipe.height, maps=relief.maps)
    expected = blocks(colors[::-1], finer)
    for path in (IMAGES / f"preset_{name}.png", FOLDER / f"{name}.webp"):
        with Image.open(path) as picture:
            resized = picture.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX)
        stored = blocks(np.asarray(resized, np.float32) / 255.0)
        assert np.abs(stored - expected).mean() < MEAN, path.name


def blocks(colors: np.ndarray, finer: int = 1) -> np.ndarray:
    """Return the mean colors of the blocks of a picture of SIDE pixels, or finer."""
    size = finer * SIDE // BLOCKS
    return colors.reshape(BLOCKS, size, BLOCKS, size, 3).mean(axis=(1, 3))
