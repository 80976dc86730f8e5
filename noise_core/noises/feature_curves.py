# SPDX-License-Identifier: GPL-3.0-or-later
"""Land drawn by ridges, valleys, coasts and contour lines."""

from __future__ import annotations

import functools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from .. import rasters
from ..base.arrays import MAX_HEIGHT, Field, Points
from ..base.errors import Message, ParameterError
from ..base.grid import SIZE
from ..base.params import cells_per_tile, land_curves, number
from ..base.plans import point_plan
from ..curves import feature_ground, features, land_curve, named
from ..lattice.hash import MOST_CELLS
from .bases.noise import Noise, noise_type
from .fractal import Fractal
from .perlin import Perlin

if TYPE_CHECKING:
    from ..base.grid import Axes
    from ..base.plans import RowPlan
    from ..base.torus import Torus
    from ..curves.feature_ground import Kinds
    from ..curves.features import Manner
    from ..curves.land_curve import LandCurve

_REACH = 1.0 / 16.0
"""Of slopes, in widths of a tile, if none is given."""

_FADING = 8.0 / 15.0
"""Of its slope times its reach, by which the ground falls beside a curve: the integral of (1 - q^2)^2."""

_BUMPS = 1.0 / 40.0
"""Height of bumps, in widths of a tile, if none is given."""


def _ridge() -> tuple[LandCurve, ...]:
    """Return the default: one ridge along the land."""
    places = ((0.15, 0.35, 6.0), (0.4, 0.6, 12.0), (0.6, 0.45, 9.0), (0.85, 0.65, 4.0))
    points = [land_curve.CurvePoint(at=(x, y), z=z) for x, y, z in places]
    return (land_curve.LandCurve(points=points),)


_SHORTEST = 1e-6
"""Meters of a length that counts: float32 cannot divide by much less."""


def _slope(default: float, help: str) -> float:
    """Declare a slope in degrees."""
    return number(
        default,
        help=f"{help} in degrees",
        minimum=-80.0,
        maximum=80.0,
        soft_minimum=0.0,
        soft_maximum=60.0,
        unit="angle",
    )


def _told(meters: float) -> float:
    """Return a length, 0 if it is so short that it counts as automatic."""
    return meters if meters >= _SHORTEST else 0.0


def _share(default: float, help: str) -> float:
    """Declare the share of the bumps on a side of curves."""
    return number(
        default,
        help=f"Share of the bumps {help}",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        advanced=True,
    )


@noise_type("feature_curves", "Feature Curves", family="shape")
class FeatureCurves(Noise):
    """Terrain from nothing but drawn lines: heights, slopes and roughness spread from curves over the ground between them.

    Notes
    -----
    On a curve the ground has the heights of its points, over their width, which is at most a quarter of a tile; tilt
    leans the ground on both sides. Slopes beside it fade toward the reach, and between curves the ground is a membrane.
    The level on which it is solved has 257 samples over one and a half tiles around the first one, over more tiles if
    curves need them; beyond, the ground goes on as at its border. Near curves their course is exact, whatever the
    resolution. On a wrapping grid curves come again after each period.

    Bumps are fractal noise: the share on both sides of curves is spread as heights are. On curves themselves the share of
    their points' roughness stays, so that lines are where they were drawn.

    The bounds are the heights of all points, what slopes add to them over their reach, and the bumps.

    References
    ----------
    Houssam Hnaidi, Eric Guerin, Samir Akkouche, Adrien Peytavie, Eric Galin (2010). Feature based terrain generation
    using diffusion equation. Computer Graphics Forum 29(7).

    Examples
    --------
    >>> from noise_core import CurvePoint, Grid, LandCurve
    >>> from noise_core.noises import FeatureCurves

    A ridge 400 m high over a valley at 50 m, in a land 4 km wide, in units of 1000 m:

    >>> ridge = LandCurve(points=[CurvePoint(at=(0.0, 0.75), z=400.0), CurvePoint(at=(1.0, 0.75), z=400.0)])
    >>> valley = LandCurve(points=[CurvePoint(at=(0.0, 0.25), z=50.0), CurvePoint(at=(1.0, 0.25), z=50.0)])
    >>> land = FeatureCurves(ridges=[ridge], valleys=[valley], height=1000.0, size=4000.0)
    >>> field = land.sample_grid(Grid(65, 65), seed=3)
    >>> print(field[[16, 48], 32].round(3))
    [0.05 0.4 ]
    """

    dimensions: ClassVar[tuple[int, ...]] = (2,)

    ridges: tuple[LandCurve | str, ...] = land_curves(
        _ridge, help="Curves from which the ground falls away on both sides"
    )
    valleys: tuple[LandCurve | str, ...] = land_curves(
        tuple, help="Curves from which the ground rises on both sides"
    )
    coasts: tuple[LandCurve | str, ...] = land_curves(
        tuple,
        help="Coastlines: dry ground to their left or inside, a sea floor on the other side",
    )
    contours: tuple[LandCurve | str, ...] = land_curves(
        tuple, help="Curves that the ground passes at their height, with any slope"
    )
    ridge_slope_left: float = _slope(30.0, "Fall from ridges to their left")
    ridge_slope_right: float = _slope(30.0, "Fall from ridges to their right")
    valley_slope_left: float = _slope(10.0, "Rise from valleys to their left")
    valley_slope_right: float = _slope(10.0, "Rise from valleys to their right")
    coast_slope_inland: float = _slope(8.0, "Rise of the dry ground from coasts")
    coast_slope_sea: float = _slope(8.0, "Fall of the sea floor from coasts")
    reach: float = number(
        0.0,
        help="Distance from curves in meters over which slopes fade",
        automatic=(_REACH, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=5000.0,
        unit="length",
    )
    bumps: float = number(
        0.0,
        help="Height of the bumps in meters where the ground is rough",
        automatic=(_BUMPS, "terrain"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=1000.0,
        unit="length",
    )
    ridge_roughness_left: float = _share(1.0, "to the left of ridges")
    ridge_roughness_right: float = _share(1.0, "to the right of ridges")
    valley_roughness_left: float = _share(0.3, "to the left of valleys")
    valley_roughness_right: float = _share(0.3, "to the right of valleys")
    coast_roughness_inland: float = _share(0.3, "on the dry ground beside coasts")
    coast_roughness_sea: float = _share(0.1, "on the sea floor")
    frequency: float = cells_per_tile(6.0)
    octaves: float = number(
        8.0, help="Number of octaves of the bumps", minimum=1.0, maximum=24.0, soft_maximum=12.0
    )
    persistence: float = number(
        0.48, help="Amplitude of each octave relative to the one before", minimum=0.0, maximum=1.0
    )
    height: float = number(
        0.0,
        help="Height of a noise of 1 in meters",
        automatic=(1.0, "recipe height"),
        minimum=0.0,
        maximum=MAX_HEIGHT,
        soft_maximum=2000.0,
        unit="length",
        advanced=True,
    )
    size: float = number(
        0.0,
        help="Width of a tile in meters",
        automatic=(1.0, "terrain"),
        minimum=0.0,
        maximum=1e9,
        soft_maximum=20000.0,
        unit="length",
        advanced=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "counts_meters", True)
        if self.finest() > MOST_CELLS:
            raise ParameterError(
                "FeatureCurves.octaves must leave at most {} cells per tile to the finest",
                MOST_CELLS,
                got=Message("{:g} octaves, up to {:g} cells", self.octaves, self.finest()),
            )

    def in_meters(self, height: float, size: float) -> FeatureCurves:
        """See `Noise.in_meters`."""
        own_height, own_size = _told(self.height), _told(self.size)
        if own_height and own_size:
            return self
        return replace(self, height=own_height or abs(height) or 1.0, size=own_size or size)

    @property
    def has_picture(self) -> bool:
        """See `Noise.has_picture`: curves are obeyed where they were drawn."""
        return True

    def finest(self) -> float:
        """Return how many cells of the last octave of bumps lie along a tile."""
        return self.frequency * 2.0 ** (math.ceil(self.octaves) - 1)

    def bounds(self) -> tuple[float, float]:
        """Return the lowest and highest ground that curves, slopes and bumps can make."""
        low, high = self._limits
        unit = 1.0 / self._height
        return (low - self._bump_height) * unit, (high + self._bump_height) * unit

    @property
    def _height(self) -> float:
        return _told(self.height) or 1.0

    @property
    def _size(self) -> float:
        return _told(self.size) or SIZE

    @property
    def _reach(self) -> float:
        return _told(self.reach) or _REACH * self._size

    @functools.cached_property
    def _bump_height(self) -> float:
        """In meters; 0 where nothing is rough."""
        if not any(any(manner.roughness) for curves, manner in self._kinds if curves):
            return 0.0
        return self.bumps or _BUMPS * self._size

    @functools.cached_property
    def _fractal(self) -> Fractal:
        return Fractal(
            source=Perlin(frequency=self.frequency),
            octaves=self.octaves,
            persistence=self.persistence,
        )

    @functools.cached_property
    def _kinds(self) -> Kinds:
        """The curves, with the ground beside them."""

        def manner(kind: str, sides: tuple[str, str], signs: tuple[float, float]) -> Manner:
            slopes, shares = (
                [float(getattr(self, f"{kind}_{noun}_{side}")) for side in sides]
                for noun in ("slope", "roughness")
            )
            left, right = (float(rasters.steepness.rise_over_run(slope)) for slope in slopes)
            falls = signs[0] * left, signs[1] * right
            return features.Manner(falls, (shares[0], shares[1]), by_inside=kind == "coast")

        sides = ("left", "right")
        kinds = {
            "ridges": (self.ridges, manner("ridge", sides, (1.0, 1.0))),
            "valleys": (self.valleys, manner("valley", sides, (-1.0, -1.0))),
            "coasts": (self.coasts, manner("coast", ("inland", "sea"), (-1.0, 1.0))),
            "contours": (self.contours, features.Manner(shapes=False)),
        }
        return tuple(
            (named.only_curves(curves, f"FeatureCurves.{name}"), beside)
            for name, (curves, beside) in kinds.items()
        )

    @functools.cached_property
    def _limits(self) -> tuple[float, float]:
        """Lowest and highest ground without bumps, in meters."""
        low, high = features.height_limits(self._kinds, _FADING * self._reach)
        return low, high

    def _ground(self, torus: Torus | None) -> feature_ground.FeatureGround:
        """Return the ground with the height of its bumps."""
        land = feature_ground.solve(self._kinds, self._size, self._reach, self._limits, torus)
        return feature_ground.FeatureGround(land, self._bump_height, self._height)

    def values(self, points: Points, seed: int, torus: Torus | None) -> Field:
        """See `Noise.values`."""
        return self._ground(torus).values(
            points, lambda flat: self._fractal.values(flat, seed, torus)
        )

    def plan(self, axes: Axes, seed: int) -> RowPlan:
        """See `Noise.plan`: the ground by rows and columns, curves at the samples near them."""
        ground = self._ground(axes.torus)
        if ground.is_turned:
            return point_plan(lambda points: self.values(points, seed, axes.torus), axes)
        bumps = self._fractal.plan(axes, seed) if self._bump_height else None
        return ground.plan(axes, bumps)
