# SPDX-License-Identifier: GPL-3.0-or-later
"""Roads, river beds, lakes, dams, cliffs, trails and pads along drawn curves."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import rasters, stages
from ..base.arrays import Field
from ..base.blocks import Progress
from ..base.errors import ParameterError, format_value
from ..base.grid import Grid
from ..base.params import boolean, choice, land_curves, number
from ..curves import chains, land_curve, named
from ..erosion import earthworks
from ..lattice.hash import child_seed
from .bases.modifier import Modifier, modifier_type

if TYPE_CHECKING:
    from ..curves.chains import Chain, Table
    from ..curves.land_curve import LandCurve
    from ..erosion.earthworks.banks import BankLaw
    from ..erosion.earthworks.profile import ProfileLaw
    from ..rasters import Level
    from ..stages import Part, Raster, Read, Runner, StagedRelief

_TOLERANCE = 1.0 / 65536.0
"""Of chains, in widths of the land, if none is given: 0.18 m of 12 km."""

_TOLERANCE_OF_WIDTH = 1.0 / 32.0
"""The same in widths of the narrowest bed, if that is more."""

_SMOOTHED = 0.25
"""Deviation of the ground whose bumps are kept, in reaches, if that is more than the width of the bed."""

_SHORE = 0.75
"""Samples from the curve of a lake to the edge of its shore: diagonal steps do not get past it."""

_BUMP = 4.0
"""Widths of the bed from one widening to the next."""

KINDS: Mapping[str, Mapping[str, object]] = {
    "road": {"grade": 0.08, "crossfall": 0.03},
    "river_bed": {
        **{"grade": 0.0, "crossfall": 0.0, "downhill": True, "offset": -2.0, "works": "cut"},
        **{"cut_angle": 25.0, "reach": 60.0, "width_noise": 0.3, "detail": 0.2},
    },
    "lake": {
        **{"inside": True, "water": 8.0, "surface": "none"},
        **{"cut_angle": 12.0, "reach": 200.0},
    },
    "dam": {"heights": "given", "works": "fill", "fill_angle": 30.0, "reach": 300.0},
    "cliff": {
        **{"grade": 0.0, "crossfall": 1.0, "offset": 25.0, "sides": "left", "works": "fill"},
        **{"fill_angle": 10.0, "reach": 300.0, "detail": 1.0, "surface": "none"},
    },
    "trail": {
        **{"grade": 0.25, "crossfall": 0.2, "cut_angle": 60.0, "fill_angle": 40.0, "reach": 10.0},
        **{"width_noise": 0.3, "detail": 0.5, "surface": "earth"},
    },
    "pad": {"inside": True, "reach": 60.0, "surface": "earth"},
}
"""Values of the kinds of paths; all else is as it is by default."""

CLOSED = frozenset(kind for kind, values in KINDS.items() if values.get("inside"))
"""Kinds whose curves are closed."""

KIND_HELP: Mapping[str, str] = {
    "road": "A road that follows the ground, no steeper than 8 %",
    "trail": "A trail that follows the ground, no steeper than 25 %",
    "river_bed": "A bed that falls from its higher end to the other one",
    "lake": "A basin inside a closed curve, filled with water up to it",
    "dam": "An embankment up to the heights of the points",
    "cliff": "Raised ground to the left of the curve",
    "pad": "Level ground inside a closed curve",
}
"""What the kinds are for."""


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
        curves, courses = self._find_courses(run, height)
        widest = _widest(curves)
        rough = any((chain.vertices[:, chains.ROUGH] > 0.0).any() for chain in curves)
        sources = [height]
        if (self.detail or rough) and widest:
            sources.append(self._smooth(run, height, max(2.0 * widest, _SMOOTHED * self.reach)))
        work = functools.partial(
            self.shape, grid=run.grid, courses=courses, widest=widest, seed=seed
        )
        names = ("height", *self.makes)
        stage = stages.Local("path", work, 0, makes=names, held=0.5)
        result, *maps = run.local(stage, *sources)
        return stages.StagedRelief(result, dict(zip(self.makes, maps)))

    def refine(self, height: Field, level: Level, land: Field, grid: Grid) -> Field:
        """Return a part of a level with beds and banks, without the maps.

        Beds that follow the ground follow that of the whole land, so that they meet those around the part. The bed keeps
        no bumps.

        Parameters
        ----------
        height : ndarray of shape level.shape, float32
        level : Level
            Finer than that of the land, with tiles; see `Level.steps_per_tile`.
        land : ndarray of shape grid.shape, float32
            Heights of the whole land.
        grid : Grid
            Of the land, without wrap.
        """
        return self._refine(height, level, land, grid)[0]

    def refine_surface(self, level: Level, land: Field, grid: Grid) -> tuple[Field, Field]:
        """Return the maps bed and road of a part of a level; see `refine`."""
        *_, bed, _ = self._refine(np.zeros(level.shape, np.float32), level, land, grid)
        return bed, earthworks.surfaces.firmness(bed, self.surface)

    def _refine(self, height: Field, level: Level, land: Field, grid: Grid) -> tuple[Field, ...]:
        run = stages.MemoryRunner(rasters.Level.from_grid(grid), grid=grid)
        _, courses = self._find_courses(run, run.take(land))
        ground = earthworks.banks.Ground(height, level)
        law = dataclasses.replace(self._bank_law(), detail=0.0, width_noise=0.0)
        return earthworks.banks.shape(ground, earthworks.profile.unpack(courses), law)

    def _find_courses(
        self, run: Runner, height: Raster
    ) -> tuple[Sequence[Chain], tuple[Table, ...]]:
        """Return the chains of the curves, and the beds along them, packed."""
        size = run.grid.width
        curves, law = self._chains(size, run.level.step_x), self._profile_law(size)
        if law.reads_ground and curves:
            return curves, self._read_courses(run, height, curves, law)
        found = [earthworks.profile.course(chain, None, size, law) for chain in curves]
        return curves, earthworks.profile.pack(found)

    def _chains(self, size: float, step: float) -> list[Chain]:
        """Return the curves as chains of straight pieces, with the width of the bed."""
        found = []
        for curve in named.only_curves(self.curves, "Path.curves"):
            chain = chains.chain_of(curve, size, self._tolerance(size))
            if self.width or self._lake_depth:
                # The shore of a lake is as narrow as a grid can hold water by.
                least = _SHORE * step if self._lake_depth else 0.0
                vertices = chain.vertices.copy()
                vertices[:, chains.HALF] = max(0.5 * self.width, least)
                chain = chains.Chain(vertices, chain.closed)
            found.append(chain)
        return found

    def _tolerance(self, size: float) -> float:
        """Return by how much pieces may miss a curve, in meters."""
        widths = [
            self.width or point.width
            for curve in named.only_curves(self.curves, "Path.curves")
            for point in curve.points
        ]
        return self.tolerance or max(
            _TOLERANCE * size, _TOLERANCE_OF_WIDTH * min(widths, default=0.0)
        )

    def _profile_law(self, size: float) -> ProfileLaw:
        return earthworks.profile.ProfileLaw(
            follows=self.heights == "follow",
            offset=self.offset,
            grade=self.grade,
            crossfall=self.crossfall,
            downhill=self.downhill,
            is_level=self.inside,
            holds_water=self._lake_depth > 0.0,
            most_cut=self.most_cut,
            most_fill=self.most_fill,
            tolerance=self._tolerance(size),
        )

    def _read_courses(
        self, run: Runner, height: Raster, curves: Sequence[Chain], law: ProfileLaw
    ) -> tuple[Table, ...]:
        """Return beds whose heights depend on the ground along the curves."""
        size, step = run.grid.width, run.level.step_x
        dense = [earthworks.profile.stations(chain, size, step) for chain in curves]
        probes = [earthworks.profile.probe(chain, run.level) for chain in dense]
        rows, columns = (np.concatenate(places, axis=1) for places in zip(*probes))
        places = rasters.Level(3, rows.shape[1], step, step, False)
        read = functools.partial(read_places, rows=rows, columns=columns, level=run.level)
        ground = run.gather("ground", read, height, places)
        solver = functools.partial(find_courses, curves=dense, size=size, law=law)
        return run.solve("profile", solver, ground)

    def _smooth(self, run: Runner, height: Raster, deviation: float) -> Raster:
        """Return the ground without its bumps."""
        reach = functools.partial(rasters.boxes.source_part, deviation=deviation)
        across = functools.partial(stages.continuation.around, reach=reach)
        wide = run.level.widen(rasters.boxes.margin(run.level, deviation))
        work = functools.partial(smooth_part, deviation=deviation)
        stage = stages.Local("smooth", work, reach, across=across, held=5.5)
        (result,) = run.local(stage, stages.continuation.widen(run, height, wide), on=run.level)
        return result

    def shape(
        self,
        target: Level,
        parts: Sequence[Part],
        progress: Progress,
        *,
        grid: Grid,
        courses: Sequence[Table],
        widest: float,
        seed: int,
    ) -> tuple[Field, ...]:
        """Return the height of a part of a land with beds and banks, and the maps."""
        height = parts[0].values
        ground = earthworks.banks.Ground(
            height,
            target,
            height - parts[1].values if len(parts) > 1 else None,
            self._widening(stages.grid_of(grid, target), widest, seed),
        )
        found = earthworks.profile.unpack(courses)
        shaped, cut, fill, bed, gap = earthworks.banks.shape(ground, found, self._bank_law())
        road = earthworks.surfaces.firmness(bed, self.surface)
        pond = np.zeros_like(height)
        if self._lake_depth:
            pond = earthworks.surfaces.standing_depth(shaped, target, found)
        progress(1.0)
        return shaped, cut, fill, bed, gap, road, pond

    @property
    def _lake_depth(self) -> float:
        """Depth of closed curves that are full of water, in meters."""
        return self.water if self.inside else 0.0

    def _bank_law(self) -> BankLaw:
        return earthworks.banks.BankLaw(
            cut=float(rasters.steepness.rise_over_run(self.cut_angle)),
            fill=float(rasters.steepness.rise_over_run(self.fill_angle)),
            reach=self.reach,
            sides=self.sides,
            works=self.works,
            fills_inside=self.inside,
            depth=self._lake_depth,
            detail=self.detail,
            width_noise=self.width_noise,
        )

    def _widening(self, grid: Grid, widest: float, seed: int) -> Field | None:
        """Return where beds are wider, and where narrower, from -1 to 1."""
        if not self.width_noise or not widest:
            return None
        from ..noises.perlin import Perlin

        frequency = grid.width / (2.0 * widest * _BUMP)
        noise = Perlin(frequency=min(max(frequency, 1e-4), 1e6))
        return noise.sample_grid(grid, child_seed(seed, 1))


def _widest(curves: Sequence[Chain]) -> float:
    """Return half of the width of the widest bed, in meters."""
    return max((float(chain.vertices[:, chains.HALF].max()) for chain in curves), default=0.0)


def read_places(target: Level, read: Read, *, rows: Table, columns: Table, level: Level) -> Field:
    """Return the ground at places; see `earthworks.profile.read_ground`."""
    return earthworks.profile.read_ground(target, read, rows, columns, level)


def find_courses(
    parts: Sequence[Part],
    progress: Progress,
    *,
    curves: Sequence[Chain],
    size: float,
    law: ProfileLaw,
) -> tuple[Table, ...]:
    """Return beds along chains, packed, of the ground at all their stations."""
    ground, courses, first = parts[0].values.astype(np.float64), [], 0
    for chain in curves:
        count = len(chain.vertices)
        courses.append(
            earthworks.profile.course(chain, ground[:, first : first + count], size, law)
        )
        first += count
    return earthworks.profile.pack(courses)


def smooth_part(
    target: Level, parts: Sequence[Part], progress: Progress, *, deviation: float
) -> Field:
    """Return the smoothed height of a part of a land."""
    (part,) = parts
    inner = stages.continuation.within_borders(part.level, target)
    return rasters.boxes.blur(part.values, part.level, deviation, progress, inner)
