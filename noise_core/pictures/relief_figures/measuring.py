# SPDX-License-Identifier: GPL-3.0-or-later
"""All figures and curves of a land."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field, check_field
from ...base.grid import Grid, require_size
from ...erosion.stream.parameters import StreamErosionParameters
from ...rasters.level import Level
from ...recipes.recipe import Recipe
from . import ground, rivers
from .fits import Line

Values = npt.NDArray[np.float64]

MOST_PITS = 10.0
"""Per cent of the land in pits beyond which water stands rather than runs, as between dunes or in craters:
twice what measured mountains have at most (docs/realism.md)."""


@dataclass(frozen=True)
class Figures:
    """Geomorphic figures; None where land has nothing to measure. See docs/realism.md.

    Attributes
    ----------
    hypsometric_integral : float or None
        How high the ground lies on average between its lowest and its highest point.
    slope_mean, slope_95 : float or None
        Mean and 95th percentile, in degrees.
    steep_share : float or None
        Ground steeper than 34 degrees, in per cent.
    theta, theta_scatter : float or None
        Concavity of channels, and the scatter of the logarithm of slope about it.
    pits : float or None
        Ground more than half a meter below its spill level, in per cent.
    asp8 : float or None
        How far slopes prefer the eight directions of the grid, from 0 to 1.
    beta : float or None
        Exponent with which the power of waves falls with their frequency.
    straight : float or None
        Channels that run straight along the grid for a dozen samples or more, in per cent.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid, figures
    >>> tilted = np.add.outer(np.zeros(33), np.linspace(0.0, 100.0, 33))
    >>> found = figures(tilted, Grid.of(tilted, size=100.0))
    >>> round(found.slope_mean), round(found.hypsometric_integral, 2)
    (45, 0.5)
    """

    hypsometric_integral: float | None
    slope_mean: float | None
    slope_95: float | None
    steep_share: float | None
    theta: float | None
    theta_scatter: float | None
    pits: float | None
    asp8: float | None
    beta: float | None
    straight: float | None


@dataclass(frozen=True, eq=False)
class FigureCurves:
    """Curves behind the figures; empty where there is nothing to measure.

    Attributes
    ----------
    hypsometry : ndarray of shape (51,)
        See `ground.Hypsometry`.
    slopes : ndarray of shape (45,)
        See `ground.Slopes`.
    area, area_slope : ndarray of shape (bins,)
    least_channel : float
        See `rivers.SlopesAndAreas`.
    distance, profile : ndarray of shape (101,)
        See `rivers.measure_profile`.
    frequency, power : ndarray of shape (rings,)
        See `spectrum.Spectrum`.
    area_fit, power_fit : Line or None
        Through the logarithms of areas and slopes, and of frequencies and powers.
    """

    hypsometry: Values
    slopes: Values
    area: Values
    area_slope: Values
    least_channel: float
    distance: Values
    profile: Values
    frequency: Values
    power: Values
    area_fit: Line | None
    power_fit: Line | None


@dataclass(frozen=True, eq=False)
class Measurement:
    """Figures and curves of a land."""

    figures: Figures
    curves: FigureCurves


def measure(
    height: npt.ArrayLike,
    level: Level,
    sea: float = -math.inf,
    *,
    cancel: blocks.Cancel | None = None,
) -> Measurement:
    """Return the figures and the curves of a land.

    Parameters
    ----------
    height : array_like of shape (rows, columns)
        In meters, row 0 at the smallest y.
    level : Level
        Of that shape; its spacing may differ along x and y.
    sea : float
        In meters. Ground that does not lie above it is no land, and rivers end in it.
    cancel : callable, optional
        See `blocks.Cancel`.

    Raises
    ------
    ParameterError
        If the heights are not finite or have another shape.
    Cancelled
        If `cancel` said yes.

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import Grid
    >>> from noise_core.noises import Fractal
    >>> from noise_core.pictures.relief_figures.measuring import measure
    >>> from noise_core.rasters.level import Level
    >>> grid = Grid(129, 129, size=12800.0)
    >>> height = 600.0 * Fractal().sample_grid(grid, seed=1)
    >>> figures = measure(height, Level.from_grid(grid)).figures
    >>> 0.0 < figures.hypsometric_integral < 1.0, figures.slope_95 > figures.slope_mean
    (True, True)
    """
    checked = check_field(height, level.shape, "height")
    with blocks.cancellable(cancel):
        return _measure(checked, level, sea)


def figures(
    height: npt.ArrayLike,
    grid: Grid,
    *,
    sea_level: float = -math.inf,
    cancel: blocks.Cancel | None = None,
) -> Figures:
    """Return figures that tell real land from noise: slopes, channels, pits, waves; see docs/realism.md.

    Parameters
    ----------
    height : array_like of shape (rows, columns)
        In meters.
    grid : Grid
        Of the same shape, with a size.
    sea_level : float
        In meters. Ground that does not lie above it is no land, and rivers end in it.
    cancel : callable, optional
        See `Control`.

    Raises
    ------
    ParameterError
        If the heights are not finite or have another shape, or the grid has no size.
    Cancelled
        If `cancel` said yes.

    Examples
    --------
    >>> from noise_core import Recipe, figures
    >>> recipe = Recipe.from_preset("alps", seed=7)
    >>> relief = recipe.evaluate(recipe.grid(129))
    >>> found = figures(relief.height, relief.grid)
    >>> 0.0 < found.hypsometric_integral < 1.0, found.slope_95 > found.slope_mean
    (True, True)
    """
    sized = require_size(grid, "figures")
    return measure(height, Level.from_grid(sized), sea_level, cancel=cancel).figures


def _measure(height: Field, level: Level, sea: float) -> Measurement:
    land = np.asarray(height > sea)
    heights = ground.measure_hypsometry(height, land)
    slopes = ground.measure_slopes(height, level, land)
    waves = ground.measure_spectrum(height, level)
    water = rivers.Drainage.of(height, level, sea)
    falls, pits = rivers.measure_slopes_and_areas(water), rivers.measure_pits(water)
    fit = None if pits is None or pits > MOST_PITS else falls.fit
    profile = (np.empty(0), np.empty(0)) if fit is None else rivers.measure_profile(water)
    numbers = Figures(
        hypsometric_integral=heights.integral,
        slope_mean=slopes.mean,
        slope_95=slopes.percentile_95,
        steep_share=slopes.steep_share,
        theta=None if fit is None else -fit.slope,
        theta_scatter=None if fit is None else fit.scatter,
        pits=pits,
        asp8=slopes.grid_bias,
        beta=waves.beta,
        straight=None if fit is None else rivers.measure_straight(water),
    )
    return Measurement(numbers, _curves_of(heights, slopes, falls, waves, profile, fit))


def _curves_of(
    heights: ground.Hypsometry,
    slopes: ground.Slopes,
    falls: rivers.SlopesAndAreas,
    waves: ground.Spectrum,
    profile: tuple[Values, Values],
    fit: Line | None,
) -> FigureCurves:
    return FigureCurves(
        hypsometry=heights.curve,
        slopes=slopes.histogram,
        area=falls.area,
        area_slope=falls.slope,
        least_channel=falls.least_channel,
        distance=profile[0],
        profile=profile[1],
        frequency=waves.frequency,
        power=waves.power,
        area_fit=fit,
        power_fit=waves.fit,
    )


def sea_of(recipe: Recipe) -> float:
    """Return the level of the sea that its rivers end in, in meters; -inf if in none."""
    streams = [
        modifier
        for modifier in recipe.modifiers
        if isinstance(modifier, StreamErosionParameters) and not modifier.muted
    ]
    return next((stream.sea_level for stream in streams if stream.outlets == "sea"), -math.inf)
