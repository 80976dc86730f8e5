# SPDX-License-Identifier: GPL-3.0-or-later
"""Prefilter for quadratic B-splines: sharpens samples to compensate the spline's blur.

References
----------
Philippe Thevenaz, Thierry Blu, Michael Unser (2000). Interpolation revisited. IEEE Transactions
on Medical Imaging. (quasi-interpolation by B-splines)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Field
from ..base.grid import Axes

if TYPE_CHECKING:
    from ..base.plans import RowPlan
    from ..types.noise import Noise

MIDDLE, BESIDE = 1.25, -0.125
"""Weights of a sample and of each of its neighbors, along either axis: every quadratic passes
through the spline unchanged."""


def sharpening_plan(noise: Noise, axes: Axes, seeds: Sequence[int], factor: float) -> RowPlan:
    """Return the plan for sharpened samples of copies of a noise, times a factor.

    Parameters
    ----------
    noise : Noise
    axes : Axes
        One sample more on each side than there will be.
    seeds : sequence of int
    factor : float

    Returns
    -------
    RowPlan
        Its `out` has shape (copies, stop - start, columns - 2).
    """
    columns = len(axes.x)
    plan = noise.seeds_plan(axes, seeds)

    def rows(start: int, stop: int, out: Field) -> None:
        buffer = np.empty((len(seeds), stop - start + 2, columns), np.float32)
        plan(start, stop + 2, buffer)
        for field, channel in zip(buffer, out):
            _sharpen(field, factor, channel)

    return rows


def _sharpen(samples: Field, factor: float, out: Field) -> None:
    """Write samples sharpened along both axes, times a factor.

    `samples`, contiguous, has one more sample on each side than `out`.
    """
    width = samples.shape[1]
    flat = samples.reshape(-1)
    along = flat[width:-width] * np.float32(MIDDLE / BESIDE)
    along += flat[: -2 * width]
    along += flat[2 * width :]
    # Across too as if all rows were one: faster, and what the rows' ends get is left out.
    across = along * np.float32(MIDDLE / BESIDE)
    across[1:] += along[:-1]
    across[:-1] += along[1:]
    inner = across.reshape(-1, width)[:, 1:-1]
    np.multiply(inner, np.float32(factor * BESIDE * BESIDE), out=out)
