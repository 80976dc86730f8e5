# SPDX-License-Identifier: GPL-3.0-or-later
"""A border changes as if the land went on beyond it, by every modifier that leads no water.

One land is a torus, and the same samples are a land with borders. Near the borders of the one, heights change as much in
the mean as at the same places of the other. Those that lead water are held to less in `test_rims`.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from noise_core import Grid, Modifier, modifier_types
from noise_core.noises import Fractal, Perlin
from tests.drawing import IS_DEEP, count_of, generator
from tests.drawn_values import draw_values

pytestmark = pytest.mark.newest

SIDE = 256
WIDTH = 12_000.0
SEEDS = 24
AT = (0, 2, 8, 32)
"""Samples from the border."""

ALLOWED = 0.05
"""Difference of mean changes, as a share of the mean size of changes on the torus."""

ERRORS, OF_FEW = 4.0, 8.0
"""Standard errors that chance may add, and where fewer lands tell the errors themselves less well."""

LAND = Fractal(source=Perlin(frequency=8.0), octaves=6)
RELIEF = 500.0

DRAWN = 20
"""Settings of each type, in a deep run."""

DRY = [cls for cls in modifier_types().values() if not cls.routes_water and not cls.keeps_border]


def test_most_modifiers_lead_no_water() -> None:
    assert len(DRY) >= 10


def ring(change: np.ndarray, away: int) -> float:
    """Return the mean of the samples that lie so many from the nearest border."""
    down, along = (np.minimum(np.arange(n), np.arange(n)[::-1]) for n in change.shape)
    return float(change[np.minimum(down[:, np.newaxis], along) == away].mean(dtype=np.float64))


@dataclasses.dataclass(frozen=True)
class Changes:
    """Mean changes of lands.

    Attributes
    ----------
    opened, whole : ndarray of shape (seeds, len(AT))
        Near borders, and at the same places of the torus.
    size : ndarray of shape (seeds,)
        Mean size of changes on the torus.
    """

    opened: np.ndarray
    whole: np.ndarray
    size: np.ndarray

    @classmethod
    def of(cls, modifier: Modifier, seeds: list[int]) -> Changes:
        """Modify the same lands with and without borders."""
        rows = [_changes(modifier, seed) for seed in seeds]
        return cls(*(np.array(column) for column in zip(*rows)))

    @property
    def difference(self) -> np.ndarray:
        """Of the mean changes, as shares of the mean size."""
        return (self.opened - self.whole).mean(axis=0) / self.size.mean()

    @property
    def error(self) -> np.ndarray:
        """Standard errors of the means near borders and on the torus together, likewise."""
        variance = self.opened.var(axis=0, ddof=1) + self.whole.var(axis=0, ddof=1)
        return np.sqrt(variance / len(self.size)) / self.size.mean()

    @property
    def paired_error(self) -> np.ndarray:
        """Standard error of the difference, likewise."""
        spread = (self.opened - self.whole).std(axis=0, ddof=1)
        return spread / len(self.size) ** 0.5 / self.size.mean()


def _changes(modifier: Modifier, seed: int) -> tuple[list[float], list[float], float]:
    torus, opened = Grid(SIDE, SIDE, wrap=True, size=WIDTH), Grid(SIDE + 1, SIDE + 1, size=WIDTH)
    height = LAND.sample_grid(torus, seed) * np.float32(RELIEF)
    around = np.pad(height, (0, 1), mode="wrap")
    whole = np.pad(modifier.apply(height, torus, seed).height, (0, 1), mode="wrap") - around
    near = modifier.apply(around, opened, seed).height - around
    size = float(np.abs(whole[:-1, :-1]).mean(dtype=np.float64))
    return [ring(near, away) for away in AT], [ring(whole, away) for away in AT], size


def assert_goes_on(changes: Changes, case: str) -> None:
    """Raise an AssertionError if borders change otherwise than a land that goes on."""
    if changes.size.mean() < 1e-3:  # nothing, or next to it, has changed
        return
    off, errors = np.abs(changes.difference), ERRORS if len(changes.size) >= SEEDS else OF_FEW
    table = f"{case}: {changes.difference.round(3)}, errors {changes.error.round(3)}"
    assert (off <= errors * changes.error + 1e-3).all(), table
    # Where the lands themselves differ, as by chance that belongs to places, so few tell no smaller share.
    assert (off <= np.maximum(ALLOWED, errors * changes.paired_error)).all(), table


@pytest.mark.parametrize("cls", DRY, ids=lambda cls: cls.key)
def test_borders_change_as_if_the_land_went_on(cls: type[Modifier]) -> None:
    draw = generator(f"open borders {cls.key}")
    count = SEEDS if IS_DEEP else 8
    seeds = [draw.randrange(1 << 31) for _ in range(count)]
    assert_goes_on(Changes.of(cls(), seeds), "default settings")


@pytest.mark.parametrize("cls", DRY, ids=lambda cls: cls.key)
def test_so_they_do_with_drawn_settings(cls: type[Modifier]) -> None:
    draw = generator(f"drawn open borders {cls.key}")
    for _ in range(count_of(DRAWN)):
        values = draw_values(draw, cls)
        seeds = [draw.randrange(1 << 31) for _ in range(8)]
        assert_goes_on(Changes.of(cls(**values), seeds), str(values))
