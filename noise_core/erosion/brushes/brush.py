# SPDX-License-Identifier: GPL-3.0-or-later
"""Declaration of a brush: its kind, size and strength."""

from __future__ import annotations

from ...base.declared import declared_type
from ...base.errors import ParameterError
from ...base.grid import Grid
from ...base.params import Declared, choice, number

AUTOMATIC = 0.1
"""Diameter of a brush without a size, as a share of a terrain's width."""


@declared_type
class Brush(Declared):
    """A round brush for heights.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.erosion.brushes.brush import Brush
    >>> Brush(kind="smooth").radius_on(Grid(129, 129, size=1000.0))
    50.0
    """

    key = "brush"
    label = "Brush"

    kind: str = choice(
        "erode",
        help="What the brush does to the ground",
        options={
            "erode": "Cut gullies and valleys where water runs off",
            "deposit": "Lay down sediment that fills hollows first",
            "smooth": "Even out bumps",
            "flatten": "Level the ground to the height where the stroke begins",
            "slump": "Let slopes slide that are too steep",
        },
    )
    size: float = number(
        0.0,
        help="Diameter of the brush",
        automatic=(AUTOMATIC, "terrain"),
        minimum=0.0,
        maximum=1e7,
        soft_maximum=2000.0,
        unit="length",
    )
    strength: float = number(
        0.5,
        help="How much a stroke changes",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    angle: float = number(
        33.0,
        help="Steepest slope in degrees at which loose ground comes to rest",
        minimum=1.0,
        maximum=85.0,
        soft_minimum=15.0,
        soft_maximum=60.0,
        unit="angle",
        visible_when=("kind", ("deposit", "slump")),
    )

    def radius_on(self, grid: Grid) -> float:
        """Return the radius on a grid, in meters.

        Raises
        ------
        ParameterError
            If the brush is wider than the shorter side of the grid, or half a sample.
        """
        diameter = self.size or AUTOMATIC * grid.width
        most = grid.spacing * (min(grid.shape) - (0 if grid.wrap else 1))
        if not 0.5 * grid.spacing <= diameter <= most:
            limits = (0.5 * grid.spacing, most)
            raise ParameterError("Brush.size must be in [{:g}, {:g}] m", *limits, got=diameter)
        return 0.5 * diameter
