# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of relief that tests hold and `benchmarks` prints: likeness across resolutions, pits, and rails."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from noise_core import Recipe
from noise_core.flow_routing.outlets import border
from noise_core.flow_routing.routing import route
from noise_core.modifiers import StreamErosion
from noise_core.recipes.preset_library import preset, shipped_names
from noise_core.types.level import Level

Heights = npt.NDArray[np.float32]

CHANNEL = 200
"""Cells that drain through one that counts as a channel."""

STRAIGHT = 12
"""Cells of a channel in one direction of the grid that real rivers seldom run."""

SHALLOW = 0.5
"""Meters below its spill level from which on ground counts as a pit."""


def eroded_presets() -> tuple[str, ...]:
    """Return the names of the shipped presets that rivers have shaped."""
    return tuple(name for name in shipped_names() if streams_of(preset(name).recipe))


def streams_of(recipe: Recipe) -> list[StreamErosion]:
    """Return the stream erosions of a recipe."""
    return [one for one in recipe.modifiers if isinstance(one, StreamErosion) and not one.muted]


def sea_of(recipe: Recipe) -> float:
    """Return the level of the sea that its rivers end in, -inf if in none."""
    seas = [one.sea_level for one in streams_of(recipe) if one.outlets == "sea"]
    return seas[0] if seas else -np.inf


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
        level = Level(*height.shape, 1.0, 1.0, False)
        tree = route(height, level, border(level) | (height <= sea))
        land = height > sea
        pits = 100.0 * float(((tree.filled - height) > SHALLOW)[land].mean())
        ways, down = tree.directions.reshape(-1), tree.receivers
        channel = (tree.accumulate() > CHANNEL) & (ways > 0)
        goes_on = channel & channel[down] & (ways == ways[down])
        runs = np.ones(height.size, np.int32)
        starts = tree.starts.tolist()
        groups = [tree.order[start:stop] for start, stop in zip(starts[1:], starts[2:])]
        groups = [cells[goes_on[cells]] for cells in groups]
        for cells in groups:  # how far it goes on from here
            runs[cells] = runs[down[cells]] + 1
        for cells in reversed(groups):  # and how far it has come
            np.maximum.at(runs, down[cells], runs[cells])
        if not channel.any():
            return cls(pits, 0.0)
        return cls(pits, 100.0 * float((runs[channel] >= STRAIGHT).mean()))
