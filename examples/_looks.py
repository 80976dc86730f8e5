# SPDX-License-Identifier: GPL-3.0-or-later
"""What the landscapes of the presets look like when the examples render them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

Colour = tuple[float, float, float]
Soil = list[tuple[float, Colour]]


@dataclass(frozen=True)
class Air:
    """Sun, sky and haze.

    Attributes
    ----------
    sun : tuple of two floats
        Its height above the horizon, and where it stands as on a compass (y is north), in degrees.
    sun_colour : Colour
        Of its light.
    sun_strength : float
        Of its light.
    haze, glow : Colour
        Of the air far away, and of that towards the sun.
    low_sky, high_sky : Colour
        Of the sky above the haze, and overhead.
    sky_light : float
        How bright haze and sky are.
    reach : float
        How far one sees at the foot of the terrain, in its widths.
    depth : float
        How far up the haze reaches, in widths of the terrain.
    clouds : float
        How much of the sky they cover, from 0 to 1.
    cloud, cloud_shade : Colour
        Of clouds in the light, and of their darkest parts.
    is_dark : bool
        There is no air at all.
    """

    sun: tuple[float, float] = (21.0, 285.0)
    sun_colour: Colour = (1.0, 0.86, 0.70)
    sun_strength: float = 7.0
    haze: Colour = (0.36, 0.56, 0.88)
    glow: Colour = (0.98, 0.88, 0.74)
    low_sky: Colour = (0.22, 0.42, 0.78)
    high_sky: Colour = (0.045, 0.14, 0.42)
    sky_light: float = 0.85
    reach: float = 2.6
    depth: float = 0.10
    clouds: float = 0.45
    cloud: Colour = (1.0, 0.98, 0.95)
    cloud_shade: Colour = (0.62, 0.68, 0.78)
    is_dark: bool = False


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
        Focal length in millimetres; 50 is a narrow view, 24 a wide one.
    """

    eye: tuple[float, float] = (0.45, 0.03)
    target: tuple[float, float] = (0.55, 0.62)
    lift: float = 0.10
    aim: float = 0.0
    lens: float = 32.0


@dataclass(frozen=True)
class Look:
    """Colours of a landscape, linear, and how they lie on it.

    Attributes
    ----------
    soil : list of tuples of float and Colour
        Of gentle ground from the lowest (0) to the highest (1).
    rock, other_rock, pale_rock : Colour
        Of steep ground: two that take turns, and that of pale layers.
    rock_below : float
        Ground whose normal's upright part is less is bare.
    bands, layers : float
        How strongly layers of rock show, from 0 to 1, and how many there are.
    ragged : float
        How far borders between heights go up and down, as a share of the relief.
    cavities : float
        How much darker crevices are, and brighter edges.
    scree, silt, stream : Colour
        Of fallen stones, of what rivers leave, and of water in a bed.
    scree_share, silt_share : float
        How much of them is seen, from 0 to 1.
    rivers, streams : float
        How much is seen of the beds of rivers, and of the water in them.
    woods, other_woods : Colour
        Of trees.
    woods_share : float
        How much of the ground that suits them is wooded.
    woods_above, tree_line : float
        Between which heights, from 0 to 1, they grow.
    woods_below : float
        Ground whose normal's upright part is less is too steep for them.
    snow : float
        Height from 0 to 1 above which it lies; more than 1 for none.
    snow_below : float
        Ground whose normal's upright part is less is too steep for it.
    water : tuple of two Colours
        Shallow, and deep.
    lake_depth : float
        How deep lakes are at the most, in metres; 0 for up to the brim.
    clear : float
        How deep one sees into it, in widths of the terrain.
    waves : float
        How rough it is.
    has_sea, has_lakes : bool
        Whether there is a sea at height 0, and water in basins.
    bumps : float
        How rough the ground is.
    ripples : bool
        Whether wind has drawn ripples on the ground.
    around : str
        What lies around: "mirror" images, "lowlands", or "nothing".
    air : Air
    camera : Camera
    """

    soil: Soil
    rock: Colour = (0.115, 0.10, 0.088)
    other_rock: Colour = (0.19, 0.165, 0.14)
    pale_rock: Colour = (0.36, 0.31, 0.25)
    rock_below: float = 0.80
    bands: float = 0.0
    layers: float = 22.0
    ragged: float = 0.10
    cavities: float = 0.30
    scree: Colour = (0.24, 0.22, 0.19)
    silt: Colour = (0.26, 0.23, 0.17)
    stream: Colour = (0.05, 0.10, 0.11)
    scree_share: float = 0.7
    silt_share: float = 0.5
    rivers: float = 0.7
    streams: float = 0.8
    woods: Colour = (0.012, 0.030, 0.010)
    other_woods: Colour = (0.030, 0.052, 0.014)
    woods_share: float = 0.0
    woods_above: float = -1.0
    tree_line: float = 0.45
    woods_below: float = 0.72
    snow: float = 2.0
    snow_below: float = 0.82
    water: tuple[Colour, Colour] | None = ((0.05, 0.16, 0.15), (0.004, 0.020, 0.035))
    lake_depth: float = 0.0
    clear: float = 0.0025
    waves: float = 0.35
    has_sea: bool = False
    has_lakes: bool = True
    bumps: float = 0.7
    ripples: bool = False
    around: str = "mirror"
    air: Air = field(default_factory=Air)
    camera: Camera = field(default_factory=Camera)


MEADOWS: Soil = [(0.0, (0.060, 0.085, 0.020)), (0.3, (0.085, 0.095, 0.028)), (0.55, (0.13, 0.115, 0.055)), (0.8, (0.16, 0.145, 0.115))]  # fmt: skip
STRAND: Soil = [(0.0, (0.40, 0.33, 0.22)), (0.06, (0.10, 0.11, 0.035)), (0.5, (0.12, 0.12, 0.045)), (1.0, (0.17, 0.15, 0.09))]  # fmt: skip
SANDSTONE: Soil = [(0.0, (0.34, 0.16, 0.075)), (0.3, (0.36, 0.19, 0.10)), (0.7, (0.46, 0.29, 0.16)), (1.0, (0.50, 0.36, 0.23))]  # fmt: skip
RED = dict(
    rivers=0.6,
    streams=0.0,
    rock=(0.30, 0.105, 0.048),
    other_rock=(0.36, 0.17, 0.085),
    pale_rock=(0.52, 0.36, 0.23),
    scree=(0.36, 0.19, 0.11),
    silt=(0.44, 0.29, 0.18),
    stream=(0.10, 0.12, 0.09),
)
DESERT = Air(
    sun=(20.0, 285.0),
    haze=(0.54, 0.58, 0.68),
    low_sky=(0.28, 0.46, 0.78),
    glow=(1.0, 0.86, 0.68),
    clouds=0.5,
)

LOOKS = {
    "": Look(MEADOWS, woods_share=0.4, snow=0.8),
    "alps": Look(
        MEADOWS,
        woods_share=0.62,
        tree_line=0.42,
        snow=0.60,
        camera=Camera((0.20, 0.05), (0.42, 0.75), 0.05, -0.06, 35.0),
    ),
    "badlands": Look(
        [
            (0.0, (0.44, 0.34, 0.24)),
            (0.35, (0.38, 0.25, 0.17)),
            (0.6, (0.46, 0.36, 0.27)),
            (1.0, (0.42, 0.29, 0.21)),
        ],
        rock=(0.36, 0.21, 0.14),
        other_rock=(0.44, 0.31, 0.22),
        pale_rock=(0.58, 0.48, 0.38),
        silt=(0.50, 0.40, 0.30),
        bands=0.8,
        layers=16.0,
        rock_below=0.94,
        air=replace(DESERT, sun=(18.0, 270.0)),
        rivers=0.4,
        streams=0.0,
        camera=Camera((0.35, 0.40), (0.50, 0.75), 0.03, 0.015, 30.0),
    ),
    "canyon": Look(
        SANDSTONE,
        **RED,
        bands=0.8,
        woods_share=0.25,
        woods=(0.04, 0.05, 0.02),
        other_woods=(0.07, 0.075, 0.03),
        air=replace(DESERT, sun=(24.0, 225.0)),
        camera=Camera((0.10, 0.45), (0.60, 0.60), 0.06, 0.0, 30.0),
    ),
    "coast": Look(
        STRAND,
        has_sea=True,
        woods_share=0.5,
        woods_above=0.45,
        tree_line=0.85,
        rock=(0.20, 0.18, 0.15),
        other_rock=(0.27, 0.24, 0.19),
        air=Air(sun=(22.0, 250.0)),
        camera=Camera((0.40, 0.42), (0.56, 0.78), 0.055, -0.01, 28.0),
    ),
    "crater_field": Look(
        [(0.0, (0.26, 0.12, 0.065)), (0.5, (0.34, 0.17, 0.09)), (1.0, (0.40, 0.24, 0.15))],
        rock=(0.16, 0.085, 0.055),
        other_rock=(0.25, 0.14, 0.09),
        silt=(0.38, 0.22, 0.13),
        has_lakes=False,
        rivers=0.0,
        streams=0.0,
        air=Air(
            sun=(14.0, 250.0),
            haze=(0.60, 0.40, 0.26),
            glow=(0.86, 0.76, 0.66),
            low_sky=(0.42, 0.30, 0.22),
            high_sky=(0.14, 0.11, 0.10),
            clouds=0.0,
            reach=1.8,
        ),
        camera=Camera((0.30, 0.40), (0.62, 0.72), 0.08, -0.02, 30.0),
    ),
    "dunes": Look(
        [(0.0, (0.48, 0.24, 0.10)), (0.5, (0.60, 0.33, 0.15)), (1.0, (0.72, 0.44, 0.22))],
        rock_below=0.0,
        ripples=True,
        rivers=0.0,
        streams=0.0,
        air=Air(
            sun=(12.0, 230.0),
            haze=(0.74, 0.60, 0.44),
            low_sky=(0.34, 0.48, 0.74),
            clouds=0.4,
            reach=3.0,
        ),
        camera=Camera((0.9, 0.2), (0.4, 0.6), 0.05, -0.02, 35.0),
    ),
    "fjords": Look(
        MEADOWS,
        has_sea=True,
        snow=0.62,
        woods_share=0.5,
        woods_above=0.22,
        tree_line=0.46,
        air=Air(sun=(19.0, 205.0)),
        camera=Camera((0.10, 0.45), (0.60, 0.62), 0.045, 0.0, 30.0),
    ),
    "glacial_valley": Look(
        MEADOWS,
        snow=0.52,
        woods_share=0.5,
        tree_line=0.3,
        air=Air(sun=(20.0, 275.0)),
        camera=Camera((0.62, 0.62), (0.30, 0.10), 0.03, -0.01, 30.0),
    ),
    "high_plateau": Look(
        [(0.0, (0.09, 0.10, 0.035)), (0.5, (0.16, 0.14, 0.07)), (1.0, (0.24, 0.20, 0.11))],
        woods_share=0.4,
        bands=0.5,
        rock=(0.20, 0.12, 0.075),
        other_rock=(0.27, 0.18, 0.115),
        pale_rock=(0.40, 0.32, 0.23),
        air=Air(sun=(24.0, 150.0)),
        camera=Camera((0.86, 0.62), (0.52, 0.80), 0.05, 0.0, 28.0),
    ),
    "island": Look(
        STRAND,
        has_sea=True,
        around="nothing",
        woods_share=0.7,
        woods_above=0.62,
        tree_line=0.88,
        snow=0.95,
        air=Air(sun=(22.0, 270.0)),
        camera=Camera((0.28, -0.02), (0.53, 0.5), 0.09, -0.02, 32.0),
    ),
    "mesa": Look(
        SANDSTONE,
        **RED,
        bands=0.9,
        layers=14.0,
        woods_share=0.2,
        woods=(0.05, 0.06, 0.025),
        other_woods=(0.09, 0.09, 0.04),
        air=replace(DESERT, sun=(18.0, 240.0)),
        camera=Camera((0.35, 0.85), (0.55, 0.55), 0.045, -0.02, 28.0),
    ),
    "moon": Look(
        [(0.0, (0.10, 0.10, 0.10)), (1.0, (0.30, 0.295, 0.285))],
        rock=(0.16, 0.155, 0.15),
        other_rock=(0.24, 0.235, 0.23),
        rivers=0.0,
        streams=0.0,
        air=Air(is_dark=True, sun=(17.0, 200.0), sun_colour=(1.0, 0.98, 0.95)),
        camera=Camera((0.60, 0.62), (0.30, 0.65), 0.06, -0.02, 32.0),
    ),
    "mountain_range": Look(
        MEADOWS,
        snow=0.50,
        woods_share=0.6,
        tree_line=0.36,
        air=Air(sun=(20.0, 240.0)),
        camera=Camera((0.95, 0.05), (0.80, 0.40), 0.05, 0.0, 32.0),
    ),
    "river_delta": Look(
        STRAND,
        has_sea=True,
        woods_share=0.5,
        woods_above=0.17,
        tree_line=0.9,
        air=Air(sun=(16.0, 330.0)),
        camera=Camera((0.45, 0.0), (0.52, 0.42), 0.13, 0.0, 28.0),
    ),
    "rolling_hills": Look(
        [(0.0, (0.055, 0.10, 0.018)), (0.5, (0.10, 0.13, 0.03)), (1.0, (0.20, 0.18, 0.06))],
        rock_below=0.5,
        woods_share=0.35,
        tree_line=0.8,
        rivers=0.0,
        streams=0.0,
        air=Air(sun=(12.0, 290.0), haze=(0.52, 0.58, 0.66), reach=1.1, depth=0.025),
        camera=Camera((0.45, 0.03), (0.55, 0.6), 0.05, 0.0, 35.0),
    ),
    "volcano": Look(
        [
            (0.0, (0.06, 0.08, 0.02)),
            (0.2, (0.07, 0.075, 0.03)),
            (0.4, (0.07, 0.06, 0.05)),
            (1.0, (0.11, 0.085, 0.075)),
        ],
        rock=(0.06, 0.05, 0.045),
        other_rock=(0.11, 0.08, 0.07),
        around="lowlands",
        lake_depth=120.0,
        woods_share=0.7,
        tree_line=0.28,
        air=Air(sun=(20.0, 280.0)),
        camera=Camera((0.30, 0.20), (0.52, 0.52), 0.17, 0.0, 32.0),
    ),
}
