# SPDX-License-Identifier: GPL-3.0-or-later
"""Roads, river beds, lakes, dams, cliffs, trails and pads along drawn curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters, stages
from ..base.arrays import Field
from ..base.errors import ParameterError, format_value
from ..base.grid import Grid
from ..base.params import boolean, choice, land_curves, number
from ..curves import land_curve, named
from ..erosion import earthworks
from ..erosion.earthworks.kinds import KINDS
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..curves.land_curve import LandCurve
    from ..erosion.earthworks.banks import BankLaw
    from ..erosion.earthworks.works import PathWorks
    from ..rasters import Level
    from ..stages import Raster, Runner, StagedRelief


def _across() -> tuple[LandCurve, ...]:
    """Return the default: one curve across the land."""
    places = ((-0.1, 0.5), (0.2, 0.4), (0.5, 0.55), (0.8, 0.4), (1.1, 0.5))
    points = [land_curve.CurvePoint(at=place) for place in places]
    return (land_curve.LandCurve(points=points),)


@modifier_type("path", "Path")
class Path(Modifier):
    """Level bed along drawn curves, with cuttings and embankments: a road, a river bed, a dam, a pad.

    Nothing changes farther from a curve than its bed and the reach.

    Notes
    -----
    A bed that follows the ground lies halfway between the lowest profile above it and the highest one below
    it that are nowhere steeper than the grade, as earthworks that use their own spoil do. Each piece of a
    curve bounds the ground beside it by the angles of its banks, the bed takes the height of the nearest one.

    References
    ----------
    E. Galin, A. Peytavie, N. Marechal, E. Guerin (2010). Procedural generation of roads. Computer Graphics
    Forum 29(2).

    Examples
    --------
    >>> import numpy as np
    >>> from noise_core import CurvePoint, Grid, LandCurve
    >>> from noise_core.modifiers import Path

    A pad 60 m high whose inside is level to the bit:

    >>> corners = [(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)]
    >>> outline = LandCurve(points=[CurvePoint(at=at, z=60.0) for at in corners], closed=True)
    >>> grid = Grid(65, 65, size=640.0)
    >>> pad = Path.of_kind("pad", curves=[outline], heights="given")
    >>> level = pad.apply(np.zeros(grid.shape), grid).height
    >>> bool((level[27:38, 27:38] == 60.0).all()), float(level[0, 0])
    (True, 0.0)
    """

    makes: ClassVar[Mapping[str, str]] = {
        "cut": "Ground that a path cut away, in meters",
        "fill": "Ground that a path piled up, in meters",
        "bed": "Share of the ground that is the bed of a path, from 0 to 1",
        "gap": "Share of the ground under bridges and above tunnels of a path, from 0 to 1",
        "road": "Firmness of the bed's surface: up to 1/3 earth, up to 2/3 gravel, up to 1 asphalt",
        "pond": "Depth of the water in closed beds, in meters",
    }
    amounts: ClassVar[frozenset[str]] = frozenset(makes)  # of several paths, too
    keeps_border: ClassVar[str] = "only the ground along curves changes"

    curves: tuple[LandCurve | str, ...] = land_curves(_across, help="Curves that the bed follows")
    heights: str = choice(
        "follow",
        help="Heights of the bed",
        options={
            "follow": "Those of the ground along the curve, no steeper than the grade",
            "given": "Those of the points of the curve",
        },
    )
    offset: float = number(
        0.0,
        help="Height of the bed above these heights in meters",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-50.0,
        soft_maximum=50.0,
        unit="length",
    )
    grade: float = number(
        0.1,
        help="Greatest rise over run along a bed that follows the ground; 0 is no limit",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=1.0,
        visible_when=("heights", ("follow",)),
    )
    crossfall: float = number(
        0.03,
        help="Greatest rise over run across a bed that follows the ground",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=1.0,
        visible_when=("heights", ("follow",)),
    )
    downhill: bool = boolean(False, help="Let the bed fall from the higher end to the other one")
    inside: bool = boolean(
        False, help="Make the inside of closed curves part of the bed, at one height"
    )
    width: float = number(
        0.0,
        help="Width of the bed in meters",
        automatic="the widths of the points",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
    )
    width_noise: float = number(
        0.0,
        help="Random change of the width along the bed, relative to it",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    sides: str = choice(
        "both",
        help="Side of the curve that changes, seen along it",
        options={"both": "Both sides", "left": "The left side", "right": "The right side"},
    )
    works: str = choice(
        "both",
        help="Earthworks that are done",
        options={
            "both": "Cuttings and embankments",
            "cut": "Cuttings alone",
            "fill": "Embankments alone",
        },
    )
    cut_angle: float = number(
        45.0,
        help="Slope of cuttings in degrees",
        minimum=1.0,
        maximum=89.0,
        unit="angle",
    )
    fill_angle: float = number(
        34.0,
        help="Slope of embankments in degrees",
        minimum=1.0,
        maximum=89.0,
        unit="angle",
    )
    reach: float = number(
        80.0,
        help="Distance from the edge of the bed in meters beyond which nothing changes",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=500.0,
        unit="length",
    )
    most_cut: float = number(
        0.0,
        help="Depth of a cutting in meters beyond which a tunnel takes its place; 0 never",
        label="Tunnel Depth",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
    )
    most_fill: float = number(
        0.0,
        help="Height of an embankment in meters beyond which a bridge takes its place; 0 never",
        label="Bridge Height",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=100.0,
        unit="length",
    )
    detail: float = number(
        0.0,
        help="Bumps of the ground that bed and banks keep: 0 none, 1 all",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    surface: str = choice(
        "gravel",
        help="Surface of the bed",
        options={
            "none": "That of the ground around",
            "earth": "Trodden earth",
            "gravel": "Gravel, with edges of earth",
            "asphalt": "Asphalt, with edges of gravel",
        },
    )
    water: float = number(
        0.0,
        help="Depth of the lake inside closed curves in meters, full of water up to them; 0 has none",
        label="Lake Depth",
        minimum=0.0,
        maximum=1e5,
        soft_maximum=50.0,
        unit="length",
        visible_when=("inside", True),
    )
    tolerance: float = number(
        0.0,
        help="Distance in meters by which straight pieces may miss the curve",
        automatic="1/32 of the bed's width, at least 1/65536 of the terrain's",
        minimum=0.0,
        maximum=1000.0,
        soft_maximum=10.0,
        unit="length",
        advanced=True,
    )

    @classmethod
    def of_kind(cls, kind: str, **values: object) -> Path:
        """Return a path with the values of a kind, and some others.

        Parameters
        ----------
        kind : {"road", "river_bed", "lake", "dam", "cliff", "trail", "pad"}
        **values : object
            Parameters by name.

        Raises
        ------
        ParameterError
            If there is no such kind, or a value is not allowed.

        Examples
        --------
        >>> from noise_core.modifiers import Path
        >>> Path.of_kind("trail", reach=15.0).grade
        0.25
        """
        if kind not in KINDS:
            raise ParameterError(
                "{} must be one of {}", "Path kind", ", ".join(KINDS), got=format_value(kind)
            )
        return cls(**{**KINDS[kind], **values})  # type: ignore[arg-type]  # each is checked

    def stages(self, run: Runner, height: Raster, seed: int) -> StagedRelief:
        """Find the heights along the curves, then change the ground beside them."""
        result, *maps = self._works(run.grid.width).lay(run, height, seed, tuple(self.makes))
        return stages.StagedRelief(result, dict(zip(self.makes, maps)))

    def refine(self, height: Field, level: Level, land: Field, grid: Grid) -> Field:
        """Return a part of a level with beds and banks, without the maps.

        Beds that follow the ground follow that of the whole land, so that they meet those around the part. The bed keeps
        no bumps.

        Parameters
        ----------
        height : ndarray of shape level.shape, float32
            In meters.
        level : Level
            Finer than that of the land, with tiles; see `Level.steps_per_tile`.
        land : ndarray of shape grid.shape, float32
            Heights of the whole land.
        grid : Grid
            Of the land, without wrap.
        """
        return self._works(grid.width).refine(height, level, land, grid)[0]

    def refine_surface(self, level: Level, land: Field, grid: Grid) -> tuple[Field, Field]:
        """Return the maps bed and road of a part of a level; see `refine`."""
        none = np.zeros(level.shape, np.float32)
        *_, bed, _ = self._works(grid.width).refine(none, level, land, grid)
        return bed, earthworks.surfaces.firmness(bed, self.surface)

    def _works(self, size: float) -> PathWorks:
        """Return the laws of the path on a land of a width in meters."""
        depth = self.water if self.inside else 0.0
        alignment = earthworks.alignment.Alignment(
            curves=named.only_curves(self.curves, "Path.curves"),
            size=size,
            width=self.width,
            tolerance=self.tolerance,
            holds_water=depth > 0.0,
        )
        profile = earthworks.profile.ProfileLaw(
            follows=self.heights == "follow",
            offset=self.offset,
            grade=self.grade,
            crossfall=self.crossfall,
            downhill=self.downhill,
            is_level=self.inside,
            holds_water=depth > 0.0,
            most_cut=self.most_cut,
            most_fill=self.most_fill,
            tolerance=alignment.closeness,
        )
        return earthworks.works.PathWorks(alignment, profile, self._bank_law(depth), self.surface)

    def _bank_law(self, depth: float) -> BankLaw:
        """Return the law of the ground beside the bed."""
        return earthworks.banks.BankLaw(
            cut=float(rasters.steepness.rise_over_run(self.cut_angle)),
            fill=float(rasters.steepness.rise_over_run(self.fill_angle)),
            reach=self.reach,
            sides=self.sides,
            works=self.works,
            fills_inside=self.inside,
            depth=depth,
            detail=self.detail,
            width_noise=self.width_noise,
        )
