# SPDX-License-Identifier: GPL-3.0-or-later
"""Glaciers wear valleys into troughs."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import erosion, stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.elementary import tangent_of
from ..base.params import choice, land_curves, number
from ..curves import named
from ..erosion import glaciers
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..curves.land_curve import LandCurve
    from ..erosion.glaciers.glaciation import Glaciation
    from ..rasters import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_AUTOMATIC = 0.06
"""Thickness of ice as a share of the relief, if none is given: glaciers of the Alps at their largest extent."""

_THINNEST, _THICKEST = 0.01, 2.0
"""Likewise, at least and at most: the flow of still thinner or thicker ice is not resolved."""

_FLOOR, _DEPTH, _REACH, _BANK = 0.008, 0.5, 0.08, 0.5
"""Of the valleys of drawn rivers: half of the width of the floor in widths of the terrain; depth below the ground beside
it in thicknesses of the ice; how far the walls go, again in widths; and their rise over run at most."""

_SIDE, _RISE, _SUNK = 0.045, 0.25, 0.05
"""Of the troughs that ice makes of them: half of their width in widths of the terrain; by how much their floors rise to
the sides, as rise over run; and depth below the lowest ground across in thicknesses of the ice."""

_LEAST_RELIEF = 1e-30
"""Meters, above the smallest float32 of full precision: less is level ground."""


@modifier_type("glacial_erosion", "Glacial Erosion")
class GlacialErosion(Modifier):
    """Glaciers cover the ground and wear it down.

    Snow becomes ice above the equilibrium line. It flows down the valleys, melts below the line, and
    leaves troughs with flat floors and steep walls, hanging valleys, cirques, and sharp ridges between them.

    Notes
    -----
    Ice flows by the shallow-ice approximation: Glen's law, and sliding. The ice is always near to its
    steady state, since it adapts much sooner than its bed: it has at least three quarters of its
    thickness there. It wears its bed where it slides, and the bottoms of narrow valleys less than their
    sides. The most that falls in a year has no unit here: thickness and strength say how much ice there
    is and how long it stays, the same at any size. Ice flows on levels of up to 600 samples; finer ones
    add their own detail, which is polished away where ice was. Where edges do not meet, ice flows on over
    the border, and as much comes: beyond it the land goes on as it does at the opposite border.

    References
    ----------
    Guillaume Cordonnier, Guillaume Jouvet, Adrien Peytavie, Jean Braun, Marie-Paule Cani, Bedrich Benes, Eric
    Galin, Eric Guerin, James Gain (2023). Forming terrains by glacial erosion. ACM Transactions on Graphics 42.
    J. F. Nye (1952). The mechanics of glacier flow. Journal of Glaciology 2.
    Jean Braun, Dan Zwartz, Jonathan H. Tomkin (1999). A new surface-processes model combining glacial and
    fluvial erosion. Annals of Glaciology 28.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import GlacialErosion
    >>> from noise_core.noises import Fractal
    >>> grid = Grid(65, 65, size=16000.0)
    >>> mountains = 1500.0 * (1.0 + Fractal(kind="ridged").sample_grid(grid, seed=2))
    >>> relief = GlacialErosion().apply(mountains, grid, seed=2)
    >>> sorted(relief.maps)
    ['abrasion', 'ice']
    >>> bool(relief.maps["ice"].max() > 10.0)
    True
    """

    makes: ClassVar[Mapping[str, str]] = {
        "ice": "Thickness of the ice, in meters",
        "abrasion": "Ground worn by ice, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"ice", "abrasion"})

    strength: float = number(
        1.0,
        help="Duration of the ice age: 0.3 rounds valley floors, 2 leaves wide troughs",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=2.0,
        unit="factor",
    )
    equilibrium_line: float = number(
        0.5,
        help="Height of the snow line of glaciers, from 0 (lowest ground) to 1 (highest)",
        minimum=-1.0,
        maximum=2.0,
        soft_minimum=0.0,
        soft_maximum=1.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    thickness: float = number(
        0.0,
        help="Typical ice thickness in valleys in meters",
        automatic=(1.0 / 8.0, "relief"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    widening: float = number(
        1.0,
        help="Width and flatness of valley floors; 0 only deepens the valleys",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=2.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    wall_angle: float = number(
        45.0,
        help="Steepest walls above the ice, in degrees",
        minimum=5.0,
        maximum=85.0,
        soft_minimum=30.0,
        soft_maximum=70.0,
        unit="angle",
        advanced=True,
        visible_when=("strength", 0.0),
    )
    leaves: str = choice(
        "ground",
        help="State of the terrain at the end",
        options={
            "ground": "Bed of the glaciers, with the ice melted",
            "ice": "Surface of the glaciers",
        },
    )
    rivers: tuple[LandCurve | str, ...] = land_curves(
        tuple, help="Curves along which the largest glaciers flow, from their heads down"
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Measure the relief, let ice flow on coarse levels, and lay its wear and its ice on the land."""
        ice_age = None if self.strength == 0.0 else self.glaciation(*run.typical_range(height))
        if ice_age is None:
            return stages.StagedRelief(
                height, {name: stages.fill(run, name, 0.0) for name in self.makes}
            )
        size, drawn = run.grid.width, None
        if self.rivers:
            chains = named.only_chains(self.rivers, "GlacialErosion.rivers", size)
            height, drawn = erosion.drawn.valleys.lead(
                run, height, chains, _valley(size, ice_age.unit)
            )
        wear, ice = ice_age.wear_down(run, height)
        lay = functools.partial(self._lay, relief=ice_age.relief, unit=ice_age.unit)
        makes = ("height", *self.makes)
        stage = stages.Local(
            "lay", lay, across=stages.continuation.within_borders, makes=makes, held=0.0
        )
        result, *maps = run.local(stage, height, wear, ice)
        run.drop((wear, ice))
        if drawn is not None and self.leaves == "ground":
            trough = _trough(size, ice_age.unit)
            result, _ = erosion.drawn.valleys.cut(run, result, drawn, len(self.rivers), trough)
        return stages.StagedRelief(result, dict(zip(self.makes, maps)))

    def _lay(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        relief: float,
        unit: float,
    ) -> tuple[Field, ...]:
        """Return the ground after the ice age, or the ice on it, and the maps in meters."""
        height = parts[0].values
        wear, ice = (
            stages.continuation.values_on(part, target) * np.float32(scale)
            for part, scale in zip(parts[1:], (relief, unit))
        )
        result = height - wear
        if self.leaves == "ice":
            result += ice
        return result, ice, np.maximum(wear, np.float32(0.0), out=wear)

    def glaciation(self, lowest: float, highest: float) -> Glaciation | None:
        """Return the parameters of an ice age on ground of typical heights; None if that is level."""
        relief = highest - lowest
        if relief < _LEAST_RELIEF:
            return None
        share = self.thickness / relief if self.thickness > 0.0 else _AUTOMATIC
        return glaciers.glaciation.Glaciation(
            lowest=lowest,
            relief=relief,
            unit=min(max(share, _THINNEST), _THICKEST) * relief,
            line=self.equilibrium_line,
            strength=self.strength,
            widening=self.widening,
            wall=tangent_of(self.wall_angle),
        )


def _valley(size: float, unit: float) -> erosion.drawn.valleys.ValleyLaw:
    """Return the valleys of drawn rivers before the ice, whose thickness is in meters."""
    half = _FLOOR * size
    return erosion.drawn.valleys.ValleyLaw(half, _DEPTH * unit, _BANK, _REACH * size, half)


def _trough(size: float, unit: float) -> erosion.drawn.valleys.ValleyLaw:
    """Return the troughs after it: their lowest line is the curve, and basins of lakes stay."""
    side, half = _SIDE * size, _FLOOR * size
    return erosion.drawn.valleys.ValleyLaw(half, _SUNK * unit, _RISE, side, half, side, falls=False)
