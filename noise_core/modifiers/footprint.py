# SPDX-License-Identifier: GPL-3.0-or-later
"""Level ground under objects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from .. import stages
from ..base.params import land_curves, number
from ..curves import land_curve
from .bases.modifier import Modifier, modifier_type
from .path import Path

if TYPE_CHECKING:
    from ..base.arrays import Field
    from ..base.grid import Grid
    from ..curves.land_curve import LandCurve
    from ..rasters.level import Level
    from ..stages import Raster, Runner, StagedRelief

_CELL = math.sqrt(2.0) * (1.0 + 1e-6)
"""Diagonal of a cell in its sides: so far from an outline may the corners of a cell lie that it touches."""


_WIDEST = 1e6
"""Meters of a bed."""


def _square() -> tuple[LandCurve, ...]:
    """Return the default: an outline in the middle of the land."""
    places = ((0.45, 0.45), (0.55, 0.45), (0.55, 0.55), (0.45, 0.55))
    points = [land_curve.CurvePoint(at=place, width=0.0) for place in places]
    return (land_curve.LandCurve(points=points, closed=True),)


@modifier_type("footprint", "Footprint")
class Footprint(Modifier):
    """Level ground within outlines, such as those of houses, at the heights of their points.

    Nothing changes farther from an outline than the margin and the reach.

    Notes
    -----
    It is a `Path` around and within closed curves. Each cell of the grid that an outline touches is level, even if the
    margin is narrower than a cell, so that no ground sticks into a house.

    References
    ----------
    E. Galin, A. Peytavie, N. Marechal, E. Guerin (2010). Procedural generation of roads. Computer Graphics
    Forum 29(2).

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import CurvePoint, Grid, LandCurve
    >>> from noise_core.modifiers import Footprint

    A house of 10 m on samples that lie 12 m apart:

    >>> corners = [(0.502, 0.502), (0.512, 0.502), (0.512, 0.512), (0.502, 0.512)]
    >>> house = LandCurve(points=[CurvePoint(at=at, z=60.0) for at in corners], closed=True)
    >>> grid = Grid(81, 81, size=960.0)
    >>> ground = np.broadcast_to(np.arange(81.0), grid.shape)
    >>> level = Footprint(curves=[house]).apply(ground, grid).height
    >>> [float(height) for height in level[40:42, 40:42].ravel()]
    [60.0, 60.0, 60.0, 60.0]
    """

    makes: ClassVar[Mapping[str, str]] = {
        name: Path.makes[name] for name in ("cut", "fill", "bed", "gap")
    }
    amounts: ClassVar[frozenset[str]] = frozenset(makes)
    keeps_border: ClassVar[str] = "only the ground under outlines and beside them changes"

    curves: tuple[LandCurve | str, ...] = land_curves(
        _square, help="Outlines within which the ground is level"
    )
    margin: float = number(
        1.0,
        help="Width of the level ground around each outline in meters, at least a cell of the terrain",
        minimum=0.0,
        maximum=1e5,
        soft_maximum=20.0,
        unit="length",
    )
    angle: float = number(
        34.0,
        help="Slope of the banks around the level ground in degrees, near 90 for retaining walls",
        minimum=1.0,
        maximum=89.0,
        unit="angle",
    )
    reach: float = number(
        30.0,
        help="Distance from the level ground in meters beyond which nothing changes",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=200.0,
        unit="length",
    )
    offset: float = number(
        0.0,
        help="Height of the level ground above the heights of the outlines in meters",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-5.0,
        soft_maximum=5.0,
        unit="length",
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Level the ground."""
        staged = self.path(run.level.step_x).stages(run, height, seed)
        return stages.StagedRelief(staged.height, {name: staged.maps[name] for name in self.makes})

    def refine(self, height: Field, level: Level, land: Field, grid: Grid) -> Field:
        """Return a part of a level with the level ground; see `Path.refine`."""
        return self.path(level.step_x).refine(height, level, land, grid)

    def path(self, step: float) -> Path:
        """Return the path that levels the ground of samples that lie so many meters apart."""
        return Path(
            curves=self.curves,
            heights="given",
            inside=True,
            width=min(2.0 * max(self.margin, _CELL * step), _WIDEST),
            cut_angle=self.angle,
            fill_angle=self.angle,
            reach=self.reach,
            offset=self.offset,
            crossfall=0.0,
        )
