# SPDX-License-Identifier: GPL-3.0-or-later
"""Straight lines through points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """A straight line, as a rule through logarithms.

    Attributes
    ----------
    slope, start : float
        It goes through `start` at 0.
    scatter : float
        Standard deviation of the points about it.
    """

    slope: float
    start: float
    scatter: float


def fit_line(x: Values, y: Values) -> Line | None:
    """Return the line of least squares through points; None if all have one x.

    Parameters
    ----------
    x, y : ndarray of shape (points,)

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core.pictures.relief_figures.fits import fit_line
    >>> x = np.arange(10.0)
    >>> line = fit_line(x, 3.0 - 0.5 * x)
    >>> round(line.slope, 6)
    -0.5
    """
    if not x.size or float(np.ptp(x)) == 0.0:
        return None
    mean_x, mean_y = float(x.mean()), float(y.mean())
    deviation = x - mean_x
    slope = float((deviation * (y - mean_y)).sum() / (deviation * deviation).sum())
    residual = y - mean_y - slope * deviation
    return Line(slope, mean_y - slope * mean_x, math.sqrt(float((residual * residual).mean())))
