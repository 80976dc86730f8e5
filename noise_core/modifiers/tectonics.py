# SPDX-License-Identifier: GPL-3.0-or-later
"""Plates push land up, pull it apart, and break it."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.grid import Grid
from ..base.params import bearing, number
from ..erosion import tectonics
from ..erosion.stream import between_samples
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..rasters.level import Level
    from ..stages import Part, Raster, Runner, StagedRelief

_AUTOMATIC_PLATE = 0.6
"""Size of a plate as a share of the terrain's width, if none is given: a terrain shows some borders."""

_AUTOMATIC_UPLIFT = 0.1
"""Height of belts as a share of the width, if none is given."""

_BELT = 0.35
"""Width of a belt's gentle flank, and of a rift with its shoulders, in plates."""

_SMALLEST, _LARGEST = 1.0 / 12.0, 16.0
"""Size of plates and distance of faults are within these multiples of the width, faults down to half of the first:
smaller ones are rubble, and there would be many; of larger ones nothing shows."""

_TAPS = 3
"""Samples around a place between samples that cubic interpolation takes."""

_HELD = 40.0
"""Bytes of memory for each sample that is moved."""


@modifier_type("tectonics", "Tectonics")
class Tectonics(Modifier):
    """Plates collide in folded belts, part in rifts and break along faults.

    Where plates slide past each other, ridges and valleys are offset, and basins open where the fault steps
    aside. It comes before erosion, which makes mountains and valleys of it.

    Notes
    -----
    Plates are cells around scattered points. They move to and fro along the direction of drift, and little
    across it: borders that lie across it are belts or rifts, those along it slide. What happens at a border
    follows from the distance along and across it, on bent coordinates; where three plates meet, shares of
    their borders add up without a seam. All of it is a function of the place, so that every resolution has the
    same. *Stream Erosion* in its mode *grow* takes the result for a picture of how fast the ground rises.

    References
    ----------
    Guillaume Cordonnier, Jean Braun, Marie-Paule Cani, Bedrich Benes, Eric Galin, Adrien Peytavie, Eric Guerin
    (2016). Large scale terrain generation from tectonic uplift and fluvial erosion. Computer Graphics Forum 35.
    Yann Cortial, Adrien Peytavie, Eric Galin, Eric Guerin (2019). Procedural tectonic planets. Computer Graphics
    Forum 38.
    Sean Willett, Christopher Beaumont, Philippe Fullsack (1993). Mechanical model for the tectonics of doubly
    vergent compressional orogens. Geology 21.
    James Jackson, Dan McKenzie (1983). The geometrical evolution of normal fault systems. Journal of Structural
    Geology 5.
    J. J. Walsh, J. Watterson (1988). Analysis of the relationship between displacements and dimensions of
    faults. Journal of Structural Geology 10.

    Examples
    --------
    >>> from noise_core import Grid
    >>> from noise_core.modifiers import Tectonics
    >>> import numpy as np
    >>> grid = Grid(65, 65, size=60000.0)
    >>> plain = np.zeros(grid.shape, np.float32)
    >>> plates = Tectonics(uplift=3000.0).apply(plain, grid, seed=9)
    >>> sorted(plates.maps)
    ['subsidence', 'uplift']
    >>> bool(plates.height.max() > 500.0)
    True
    """

    makes: ClassVar[Mapping[str, str]] = {
        "uplift": "Height that the ground rose, in meters",
        "subsidence": "Depth that the ground sank, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset({"uplift", "subsidence"})

    strength: float = number(
        1.0,
        help="Movement of the plates: higher belts, deeper rifts, longer offsets",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=2.0,
        unit="factor",
    )
    plate_size: float = number(
        0.0,
        help="Size of a plate in meters",
        automatic=(0.6, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=50000.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    drift: float = bearing(
        0.0,
        help="Direction of plate movements",
        visible_when=("strength", 0.0),
    )
    uplift: float = number(
        0.0,
        help="Height of mountain belts at colliding plates in meters",
        automatic=(1.0 / 10.0, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=5000.0,
        unit="length",
        visible_when=("strength", 0.0),
    )
    folds: float = number(
        0.2,
        help="Height of the folds along belts, relative to the uplift",
        minimum=0.0,
        maximum=2.0,
        soft_maximum=0.6,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    rift: float = number(
        0.4,
        help="Depth of rifts between parting plates, relative to the uplift",
        minimum=0.0,
        maximum=2.0,
        soft_maximum=1.0,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    slip: float = number(
        0.08,
        help="Offset of plates that slide past each other, in plate sizes",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.3,
        unit="factor",
        visible_when=("strength", 0.0),
    )
    faults: float = number(
        3.0,
        help="Number of faults across a plate besides rifts; 0 for none",
        minimum=0.0,
        maximum=16.0,
        soft_maximum=8.0,
        visible_when=("strength", 0.0),
    )
    throw: float = number(
        0.1,
        help="Height of the largest fault scarps, relative to the uplift",
        minimum=0.0,
        maximum=2.0,
        soft_maximum=0.4,
        unit="factor",
        visible_when=("faults", 0.0),
    )
    irregularity: float = number(
        1.0,
        help="Bending of plate borders and faults",
        minimum=0.0,
        maximum=2.0,
        unit="factor",
        advanced=True,
        visible_when=("strength", 0.0),
    )

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Move the ground as a function of the place."""
        if self.strength == 0.0:
            return stages.StagedRelief(
                height, {name: stages.fill(run, name, 0.0) for name in self.makes}
            )
        crust = self.crust(run.grid)
        move = functools.partial(crust.move, grid=run.grid, seed=seed)
        makes = ("rise", "east", "north")
        rise, *moved = run.local(stages.Local("move", move, makes=makes, held=_HELD), on=run.level)
        original = height
        if crust.scale.slip > 0.0:
            reach = math.ceil(crust.furthest / run.grid.spacing) + _TAPS
            stage = stages.Local("slip", _slip, reach, held=17.0)
            (height,) = run.local(stage, height, *moved)
        lay = stages.Local("lay", _lay, makes=("height", *self.makes), held=0.0)
        result, *maps = run.local(lay, height, rise)
        run.drop([rise, *moved, height], [original])
        return stages.StagedRelief(result, dict(zip(self.makes, maps)))

    def crust(self, grid: Grid) -> tectonics.crust.Crust:
        """Return the plates and faults that move the ground of a grid."""
        smallest, largest = _SMALLEST * grid.width, _LARGEST * grid.width
        plate = min(max(self.plate_size or _AUTOMATIC_PLATE * grid.width, smallest), largest)
        uplift = self.strength * (self.uplift or _AUTOMATIC_UPLIFT * grid.width)
        scale = tectonics.borders.BorderScale(
            width=_BELT * plate,
            uplift=uplift,
            folds=self.folds * uplift,
            rift=self.rift * uplift,
            slip=self.strength * self.slip * plate,
        )
        spacing = 0.0
        if self.faults > 0.0:
            spacing = min(max(plate / self.faults, 0.5 * smallest), largest)
        return tectonics.crust.Crust(
            scale, plate, self.drift, spacing, self.throw * uplift, self.irregularity
        )


def _slip(target: Level, parts: Sequence[Part], progress: Progress) -> Field:
    """Return heights as plates have moved them: each sample reads the place it came from."""
    height, east, north = (part.values for part in parts)
    scale = np.float32(-1.0 / target.step_x)
    return between_samples.resample(height, (north * scale, east * scale), parts[0].level.wrap)


def _lay(target: Level, parts: Sequence[Part], progress: Progress) -> tuple[Field, ...]:
    """Return the risen ground, and how far it rose and sank."""
    height, rise = (part.values for part in parts)
    zero = np.zeros(1, np.float32)
    return height + rise, np.maximum(rise, zero), np.maximum(-rise, zero)
