# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of relief that tests hold and `benchmarks` prints: likeness across resolutions, pits, and rails."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from noise_core import Recipe
from noise_core.landscapes.preset_library import preset, shipped_names
from noise_core.modifiers import StreamErosion
from noise_core.pictures.relief_figures.measuring import sea_of
from noise_core.pictures.relief_figures.rivers import (
    CHANNEL,
    SHALLOW,
    STRAIGHT,
    Drainage,
    measure_pits,
    measure_straight,
)
from noise_core.rasters.level import Level

Heights = npt.NDArray[np.float32]

__all__ = ["CHANNEL", "SHALLOW", "STRAIGHT", "Rivers", "difference", "eroded_presets", "sea_of"]


def eroded_presets() -> tuple[str, ...]:
    """Return the names of the shipped presets that rivers have shaped."""
    return tuple(name for name in shipped_names() if streams_of(preset(name).recipe))


def streams_of(recipe: Recipe) -> list[StreamErosion]:
    """Return the stream erosions of a recipe."""
    return [one for one in recipe.modifiers if isinstance(one, StreamErosion) and not one.muted]


def difference(coarse: Heights, fine: Heights, relief: float) -> tuple[float, float]:
    """Return mean and 99th percentile of how far two resolutions differ, in per cent of the relief.

    Parameters
    ----------
    coarse, fine : ndarray of shape (n + 1, n + 1) and (k n + 1, k n + 1)
        Heights in meters, which share every k-th sample.
    relief : float
        In meters.
    """
    step = (len(fine) - 1) // (len(coarse) - 1)
    apart = np.abs(fine[::step, ::step].astype(np.float64) - coarse) * (100.0 / relief)
    return float(apart.mean()), float(np.quantile(apart, 0.99))


@dataclass(frozen=True)
class Rivers:
    """Rivers of a terrain.

    Attributes
    ----------
    pits : float
        Share of the land that lies in pits, in per cent.
    straight : float
        Share of channels that run straight along the grid for a dozen cells, in per cent.
    """

    pits: float
    straight: float

    @classmethod
    def of(cls, height: Heights, sea: float = -np.inf) -> Rivers:
        """Return the figures of heights in meters; there is no land below the sea."""
        water = Drainage.of(height, Level(*height.shape, 1.0, 1.0, False), sea)
        return cls(measure_pits(water) or 0.0, measure_straight(water) or 0.0)
