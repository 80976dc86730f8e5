# SPDX-License-Identifier: GPL-3.0-or-later
"""What the landscapes of the presets look like when the examples render them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

Color = tuple[float, float, float]


@dataclass(frozen=True)
class Air:
    """Sun, sky and haze.

    Attributes
    ----------
    sun : tuple of two floats
        Its height above the horizon, and where it stands as on a compass (y is north), in degrees.
    sun_color : Color
        Of its light.
    sun_strength : float
        Of its light.
    haze, glow : Color
        Of the air far away, and of that towards the sun.
    low_sky, high_sky : Color
        Of the sky above the haze, and overhead.
    sky_light : float
        How bright haze and sky are.
    reach : float
        How far one sees at the foot of the terrain, in its widths.
    depth : float
        How far up the haze reaches, in widths of the terrain.
    clouds : float
        How much of the sky they cover, from 0 to 1.
    cloud, cloud_shade : Color
        Of clouds in the light, and of their darkest parts.
    cumulus : float
        How much of the sky heaps of cloud cover, from 0 to 1, beside the thin ones of `clouds`.
    cumulus_seed : int
        Where they stand.
    is_dark : bool
        There is no air at all.
    earth : tuple of three floats or None
        In a dark sky: its height above the horizon, where it stands as on a compass, and how wide
        it is, in degrees.
    earth_light : float
        How bright it is.
    """

    sun: tuple[float, float] = (21.0, 285.0)
    sun_color: Color = (1.0, 0.86, 0.70)
    sun_strength: float = 7.0
    haze: Color = (0.36, 0.56, 0.88)
    glow: Color = (1.25, 0.98, 0.66)
    low_sky: Color = (0.22, 0.42, 0.78)
    high_sky: Color = (0.045, 0.14, 0.42)
    sky_light: float = 0.85
    reach: float = 2.6
    depth: float = 0.10
    clouds: float = 0.45
    cloud: Color = (1.0, 0.98, 0.95)
    cloud_shade: Color = (0.62, 0.68, 0.78)
    cumulus: float = 0.0
    cumulus_seed: int = 1
    is_dark: bool = False
    earth: tuple[float, float, float] | None = None
    earth_light: float = 1.6


@dataclass(frozen=True)
class Camera:
    """Where the picture is taken from; places are shares of the width and depth, from 0 to 1.

    Attributes
    ----------
    eye, target : tuple of two floats
        Where it stands and where it looks, seen from above.
    lift : float
        How high it stands above the ground there, in widths of the terrain.
    aim : float
        How high above the ground there the target lies, in widths of the terrain.
    lens : float
        Focal length in millimeters; 50 is a narrow view, 24 a wide one.
    """

    eye: tuple[float, float] = (0.45, 0.03)
    target: tuple[float, float] = (0.55, 0.62)
    lift: float = 0.10
    aim: float = 0.0
    lens: float = 32.0


@dataclass(frozen=True)
class Plants:
    """The trees of a landscape.

    Attributes
    ----------
    trees : int
        How many are tried; about one in ten finds a place that suits it.
    fields : float
        How many fields lie along a side, with hedges around them; 0 for none.
    height : float
        Of a grown tree, in meters.
    steepest : float
        Degrees; trees keep to gentler ground.
    """

    trees: int = 200000
    fields: float = 0.0
    height: float = 13.0
    steepest: float = 29.0


@dataclass(frozen=True)
class Look:
    """A landscape: its material, its waters, and what is around it.

    Attributes
    ----------
    palette : str
        Of the material that Terrane makes for terrains.
    settings : dict
        More keywords of `terrane.terrain_material`.
    water : tuple of two Colors
        Shallow, and deep.
    clear : float
        How deep one sees into it, in widths of the terrain.
    waves : float
        How rough it is.
    has_sea, has_lakes : bool
        Whether there is a sea at height 0, and water in basins.
    plants : Plants or None
        Trees that stand on it; where there are none, those that the material draws must do.
    around : str
        What lies around: "mirror" images, "lowlands", or "nothing".
    air : Air
    camera : Camera
    """

    palette: str = "alpine"
    settings: dict[str, object] = field(default_factory=dict)
    water: tuple[Color, Color] = ((0.05, 0.16, 0.15), (0.004, 0.020, 0.035))
    clear: float = 0.0025
    waves: float = 0.35
    has_sea: bool = False
    has_lakes: bool = True
    plants: Plants | None = None
    around: str = "mirror"
    air: Air = field(default_factory=Air)
    camera: Camera = field(default_factory=Camera)


DESERT = Air(
    sun=(20.0, 285.0),
    haze=(0.54, 0.58, 0.68),
    low_sky=(0.28, 0.46, 0.78),
    glow=(1.0, 0.86, 0.68),
    clouds=0.5,
)

LOOKS = {
    "": Look(),
    "alps": Look(
        air=Air(clouds=0.3, cumulus=0.14, cumulus_seed=4),
        camera=Camera((0.20, 0.05), (0.42, 0.75), 0.05, -0.06, 35.0),
    ),
    "badlands": Look(
        "badlands",
        air=replace(
            DESERT,
            sun=(14.0, 256.0),
            sun_color=(1.0, 0.78, 0.54),
            sun_strength=10.5,
            clouds=0.25,
            cumulus=0.11,
            cumulus_seed=3,
        ),
        camera=Camera((0.35, 0.40), (0.50, 0.75), 0.04, 0.005, 30.0),
    ),
    "canyon": Look(
        "desert",
        air=replace(
            DESERT,
            sun=(17.0, 322.0),
            sun_color=(1.0, 0.80, 0.58),
            sun_strength=10.0,
            clouds=0.25,
            cumulus=0.12,
            cumulus_seed=5,
        ),
        camera=Camera((0.54, 0.60), (0.16, 0.44), 0.025, 0.0, 28.0),
    ),
    "coast": Look(
        "temperate",
        water=((0.03, 0.19, 0.18), (0.004, 0.030, 0.052)),
        clear=0.004,
        has_sea=True,
        air=Air(
            sun=(13.0, 228.0),
            sun_color=(1.0, 0.80, 0.56),
            sun_strength=11.5,
            haze=(0.46, 0.56, 0.74),
            low_sky=(0.25, 0.42, 0.74),
            reach=3.0,
            clouds=0.15,
            cumulus=0.13,
            cumulus_seed=3,
        ),
        camera=Camera((0.29, 0.605), (0.74, 0.40), 0.038, -0.006, 26.0),
    ),
    "crater_field": Look(
        "mars",
        has_lakes=False,
        air=Air(
            sun=(12.0, 28.0),
            sun_color=(1.0, 0.93, 0.80),
            sun_strength=13.0,
            haze=(0.64, 0.50, 0.34),
            glow=(0.86, 0.88, 0.94),
            low_sky=(0.60, 0.46, 0.30),
            high_sky=(0.20, 0.155, 0.13),
            clouds=0.75,
            cloud=(0.94, 0.87, 0.80),
            cloud_shade=(0.66, 0.54, 0.45),
            reach=2.0,
            depth=0.05,
        ),
        camera=Camera((0.38, 0.67), (0.62, 0.50), 0.048, 0.041, 25.0),
    ),
    "dunes": Look(
        "desert",
        {"rock": False, "grass": False, "scree": False, "river": False},
        has_lakes=False,
        air=Air(
            sun=(15.0, 350.0),
            sun_color=(1.0, 0.88, 0.70),
            sun_strength=10.0,
            haze=(0.54, 0.61, 0.72),
            glow=(1.15, 0.98, 0.72),
            low_sky=(0.26, 0.45, 0.78),
            high_sky=(0.05, 0.15, 0.42),
            clouds=0.7,
            cumulus=0.07,
            cumulus_seed=3,
            reach=3.0,
        ),
        camera=Camera((0.10, 0.40), (0.60, 0.55), 0.026, 0.0, 30.0),
    ),
    "fjords": Look(
        has_sea=True,
        # Morning mist: so thin a layer lies on the water, and the summits are clear.
        air=Air(
            sun=(17.0, 236.0),
            sun_color=(1.0, 0.85, 0.66),
            sun_strength=11.5,
            haze=(0.64, 0.72, 0.85),
            glow=(1.15, 0.96, 0.72),
            reach=0.012,
            depth=0.012,
            clouds=0.2,
            cumulus=0.11,
            cumulus_seed=2,
        ),
        camera=Camera((0.55, 0.69), (0.80, 0.475), 0.040, 0.010, 30.0),
    ),
    "glacial_valley": Look(
        settings={"snow_line": 0.52, "tree_line": 0.30},
        air=Air(
            sun=(17.0, 200.0),
            sun_color=(1.0, 0.84, 0.64),
            sun_strength=10.0,
            clouds=0.25,
            cumulus=0.12,
            cumulus_seed=6,
        ),
        camera=Camera((0.50, 0.70), (0.88, 0.52), 0.045, 0.012, 28.0),
    ),
    "high_plateau": Look(
        "temperate",
        air=Air(
            sun=(14.0, 68.0),
            sun_color=(1.0, 0.84, 0.62),
            sun_strength=11.0,
            clouds=0.25,
            cumulus=0.12,
            cumulus_seed=1,
        ),
        camera=Camera((0.61, 0.90), (0.76, 0.50), 0.042, 0.022, 26.0),
    ),
    "island": Look(
        "tropical",
        water=((0.02, 0.27, 0.26), (0.003, 0.035, 0.075)),
        clear=0.007,
        has_sea=True,
        around="nothing",
        air=Air(
            sun=(27.0, 235.0),
            sun_color=(1.0, 0.91, 0.77),
            sun_strength=10.0,
            haze=(0.42, 0.60, 0.86),
            reach=5.0,
            depth=0.05,
            clouds=0.2,
            cumulus=0.12,
            cumulus_seed=2,
        ),
        camera=Camera((0.73, 0.09), (0.50, 0.46), 0.026, 0.0, 28.0),
    ),
    "mesa": Look(
        "desert",
        air=replace(
            DESERT, sun=(15.0, 292.0), sun_strength=10.0, clouds=0.3, cumulus=0.12, cumulus_seed=2
        ),
        camera=Camera((0.23, 0.34), (0.40, 0.62), 0.042, -0.005, 25.0),
    ),
    "moon": Look(
        "moon",
        air=Air(
            is_dark=True,
            sun=(22.0, 312.0),
            sun_color=(1.0, 0.98, 0.95),
            sun_strength=10.5,
            earth=(9.0, 23.0, 4.5),
            earth_light=2.2,
        ),
        camera=Camera((0.20, 0.26), (0.42, 0.50), 0.08, 0.03, 28.0),
    ),
    "mountain_range": Look(
        settings={"snow_line": 0.52, "tree_line": 0.36, "rock_slope": 32.0},
        air=Air(
            sun=(21.0, 336.0),
            sun_color=(1.0, 0.89, 0.74),
            sun_strength=11.0,
            reach=2.0,
            clouds=0.2,
            cumulus=0.14,
            cumulus_seed=6,
        ),
        camera=Camera((0.34, 0.86), (0.055, 0.60), 0.06, -0.012, 34.0),
    ),
    "river_delta": Look(
        "temperate",
        has_sea=True,
        air=Air(
            sun=(14.0, 244.0),
            sun_color=(1.0, 0.82, 0.58),
            sun_strength=11.0,
            haze=(0.44, 0.53, 0.70),
            glow=(1.0, 0.78, 0.52),
            low_sky=(0.24, 0.40, 0.70),
            depth=0.03,
            clouds=0.1,
            cloud=(1.0, 0.93, 0.82),
            cumulus=0.13,
            cumulus_seed=3,
        ),
        camera=Camera((0.55, 0.77), (0.48, 0.35), 0.045, 0.0, 28.0),
    ),
    "rolling_hills": Look(
        "temperate",
        air=Air(
            sun=(15.0, 278.0),
            sun_strength=13.0,
            haze=(0.46, 0.56, 0.70),
            reach=1.1,
            depth=0.02,
            clouds=0.25,
            cumulus=0.20,
            cumulus_seed=4,
        ),
        camera=Camera((0.455, 0.035), (0.585, 0.6), 0.026, -0.006, 30.0),
        plants=Plants(fields=10.0),
    ),
    "volcano": Look(
        "volcanic",
        {"snow_line": 0.80},
        around="lowlands",
        air=Air(
            sun=(10.0, 217.0),
            sun_color=(1.0, 0.72, 0.46),
            sun_strength=13.0,
            haze=(0.50, 0.52, 0.66),
            glow=(1.2, 0.82, 0.52),
            low_sky=(0.34, 0.43, 0.68),
            reach=2.0,
            depth=0.03,
            clouds=0.62,
            cloud=(1.0, 0.80, 0.66),
            cloud_shade=(0.62, 0.58, 0.68),
        ),
        camera=Camera((0.92, 0.05), (0.44, 0.50), 0.06, -0.060, 30.0),
    ),
}
