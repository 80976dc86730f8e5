# SPDX-License-Identifier: GPL-3.0-or-later
"""The landscapes that ship: a palette of layers for each of the ramps of `ramp.py` by height.

Colors are those of photographs in diffuse light: albedo of fresh snow 0.8 to 0.9, dry sand 0.3 to
0.4, granite 0.2 to 0.3, dark soil 0.1, forests 0.05, basalt 0.07, the Moon 0.12 on average.

Frictions are those of tires, as it begins and while it slips. Dry concrete stands for rock, gravel for scree, an earth
road for soil (wet for beds of rivers, dry below woods), packed snow for snow: Wong. Sand gives way within
itself, at the tangent of its angle of internal friction, 28 degrees: Wong. Grass is the mean of long and short
ryegrass, dry, under locked wheels: Cenek.

References
----------
J. Y. Wong (1993). Theory of Ground Vehicles, 2nd edition: average values of the coefficient of road adhesion (from
Taborek, 1957); terrain values of dry sand.
P. D. Cenek, N. J. Jamieson, M. W. McLarin. Frictional characteristics of roadside grass types. Opus International
Consultants, table 4.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

from .landscapes import UNLIMITED, GroundLayer, Landscape, RockBands
from .ramp import PALETTES

_ROCK = ("granite", "limestone")
_STRATA = ("sandstone_strata", "sandstone", "granite")
_STONES = ("gravel", "pebbles", "granite")
_EARTH = ("gravel", "granite", "cracked_mud")
_TURF = ("grass", "moss", "granite")
_SAND = ("sand_ripples",)
_SNOW = ("snow",)
_DUST = ("moss", "gravel")
"""Of dust: as fine clumps as those of moss. A texture says nothing of the color."""

# Layers that several landscapes have, each with its own colors.
_SOIL = GroundLayer(
    color=(0.125, 0.105, 0.060), second=(0.165, 0.148, 0.115), tint=0.6, surfaces=_EARTH, bump=0.03,
    friction=0.68, sliding_friction=0.65,
)  # fmt: skip
_GRASS = GroundLayer(
    color=(0.051, 0.069, 0.026), second=(0.148, 0.130, 0.066), tint=0.7, bump=0.015,
    detail=0.5, smothers=0.5, surfaces=_TURF,
    amount=0.80, softness=0.30, highest=0.58, fade=0.22, steepest=41.0, slope_fade=10.0,
    ragged=0.8, broken=0.8, flow=0.35, wear=-0.1, curvature=-0.15,
    friction=0.37, sliding_friction=0.37,
)  # fmt: skip
_WOODS = GroundLayer(
    color=(0.020, 0.036, 0.015), second=(0.046, 0.060, 0.024), tint=0.3, bump=0.9,
    detail=1.0, smothers=0.8,
    amount=0.55, softness=0.08, highest=0.42, fade=0.10, steepest=41.0, slope_fade=8.0,
    ragged=0.9, flow=0.30, curvature=-0.10, friction=0.68, sliding_friction=0.65,
)  # fmt: skip
_BEACH = GroundLayer(
    color=(0.40, 0.33, 0.22), second=(0.30, 0.25, 0.17), bump=0.006, detail=0.4,
    surfaces=_SAND, amount=1.0, highest=7.0, fade=8.0, steepest=20.0, slope_fade=10.0,
    is_shore=True, friction=0.53, sliding_friction=0.53,
)  # fmt: skip
_BARE = GroundLayer(
    color=(0.118, 0.110, 0.102), second=(0.200, 0.186, 0.168), bump=0.14, detail=0.85,
    smothers=0.8, surfaces=_ROCK,
    softness=0.25, flattest=41.0, slope_fade=7.0, ragged=0.8, wear=0.1, curvature=0.15,
    friction=0.85, sliding_friction=0.75,
)  # fmt: skip
_SCREE = GroundLayer(
    color=(0.24, 0.22, 0.19), second=(0.17, 0.155, 0.135), bump=0.05, surfaces=_STONES,
    amount=0.0, softness=0.3, steepest=41.0, slope_fade=6.0, deposit=0.9, curvature=-0.1,
    friction=0.60, sliding_friction=0.55,
)  # fmt: skip
_BED = GroundLayer(
    color=(0.26, 0.23, 0.17), second=(0.19, 0.175, 0.135), bump=0.015, surfaces=_STONES,
    amount=-0.1, softness=0.25, steepest=20.0, slope_fade=8.0, flow=0.9, deposit=0.2,
    friction=0.55, sliding_friction=0.45,
)  # fmt: skip
_WHITE = GroundLayer(
    color=(0.86, 0.88, 0.92), second=(0.78, 0.83, 0.91), roughness=0.6, bump=0.004, detail=0.15,
    smothers=0.9, surfaces=_SNOW,
    amount=1.0, softness=0.30, lowest=0.60, fade=0.22, steepest=32.0, slope_fade=7.0,
    steeper=6.0, ragged=1.1, broken=0.8, curvature=-0.40, cover="snow", friction=0.20, sliding_friction=0.15,
)  # fmt: skip

_ROAD = GroundLayer(
    color=(0.17, 0.14, 0.10), second=(0.24, 0.22, 0.19), roughness=0.92, bump=0.006, detail=0.35,
    smothers=0.9, surfaces=("gravel",), softness=0.1, ragged=0.25, broken=0.2,
    lowest=0.5 * UNLIMITED, cover="road", thin=1.0 / 3.0, full=1.0, friction=0.60, sliding_friction=0.55,
)  # fmt: skip

_ALPINE = Landscape(
    label="Alpine",
    help="Woods and meadows below gray rock and snow",
    ramp=PALETTES["alpine"],
    strata=RockBands(color=(0.36, 0.31, 0.25), strength=0.12, count=22.0),
    layers={
        "soil": _SOIL,
        "grass": _GRASS,
        "woods": _WOODS,
        "sand": _BEACH,
        "rock": _BARE,
        "scree": _SCREE,
        "river": _BED,
        "snow": _WHITE,
    },
)

_DESERT = Landscape(
    label="Desert",
    help="Red rock in layers, pale sand, a few dry shrubs",
    ramp=PALETTES["desert"],
    strata=RockBands(color=(0.55, 0.38, 0.25), strength=0.85, count=16.0),
    shallow=(0.045, 0.044, 0.030),
    deep=(0.020, 0.020, 0.013),
    clear=1.0,
    layers={
        "soil": dataclasses.replace(_SOIL, color=(0.34, 0.165, 0.080), second=(0.45, 0.27, 0.15)),
        "grass": dataclasses.replace(
            _GRASS, color=(0.085, 0.088, 0.040), second=(0.16, 0.125, 0.055), amount=0.10,
            softness=0.10, highest=2.0, steepest=27.0, flow=0.45,
        ),
        "sand": dataclasses.replace(
            _BEACH, color=(0.47, 0.255, 0.118), second=(0.57, 0.355, 0.195), bump=0.012,
            amount=0.62, softness=0.5, highest=2.0, fade=0.2, steepest=13.0, deposit=0.5,
            is_shore=False,
        ),
        "rock": dataclasses.replace(
            _BARE, color=(0.31, 0.112, 0.052), second=(0.37, 0.175, 0.088), surfaces=_STRATA,
            flattest=29.0,
        ),
        "scree": dataclasses.replace(_SCREE, color=(0.36, 0.19, 0.11), second=(0.30, 0.15, 0.08)),
        "river": dataclasses.replace(_BED, color=(0.46, 0.31, 0.20), second=(0.38, 0.24, 0.14)),
    },
)  # fmt: skip

_DUNES = dataclasses.replace(
    _DESERT,
    label="Dunes",
    help="Sand alone, in ripples",
    layers={name: _DESERT.layers[name] for name in ("soil", "sand")},
)

_VOLCANIC = Landscape(
    label="Volcanic",
    help="Black lava and ash, rust around the crater, green only at the foot",
    ramp=PALETTES["volcanic"],
    strata=RockBands(color=(0.20, 0.115, 0.075), strength=0.22, count=12.0),
    layers={
        "soil": dataclasses.replace(_SOIL, color=(0.060, 0.050, 0.044), second=(0.125, 0.080, 0.060)),
        "grass": dataclasses.replace(
            _GRASS, color=(0.050, 0.063, 0.024), second=(0.098, 0.086, 0.042), highest=0.36,
            fade=0.26, flow=0.25,
        ),
        "woods": dataclasses.replace(_WOODS, highest=0.26, amount=0.62),
        "sand": dataclasses.replace(_BEACH, color=(0.060, 0.055, 0.052), second=(0.10, 0.088, 0.078)),
        "rock": dataclasses.replace(
            _BARE, color=(0.062, 0.056, 0.053), second=(0.125, 0.090, 0.074), flattest=33.0, detail=0.6,
            surfaces=("lava", *_ROCK),
        ),
        "scree": dataclasses.replace(_SCREE, color=(0.135, 0.080, 0.060), second=(0.085, 0.062, 0.052)),
        "river": dataclasses.replace(_BED, color=(0.085, 0.075, 0.068), second=(0.12, 0.10, 0.088)),
        "snow": dataclasses.replace(_WHITE, lowest=0.97, amount=0.6),
    },
)  # fmt: skip

_ARCTIC = Landscape(
    label="Arctic",
    help="Snow down to the shore, dark rock, tundra and moss in between",
    ramp=PALETTES["arctic"],
    strata=RockBands(color=(0.30, 0.28, 0.26), strength=0.15, count=20.0),
    shallow=(0.030, 0.048, 0.050),
    deep=(0.006, 0.014, 0.019),
    clear=5.0,
    layers={
        "soil": dataclasses.replace(_SOIL, color=(0.115, 0.100, 0.080), second=(0.17, 0.155, 0.135)),
        "grass": dataclasses.replace(
            _GRASS, color=(0.075, 0.080, 0.030), second=(0.145, 0.105, 0.050), highest=0.34,
        ),
        "sand": dataclasses.replace(_BEACH, color=(0.19, 0.175, 0.155), second=(0.13, 0.12, 0.11)),
        "rock": dataclasses.replace(_BARE, color=(0.085, 0.080, 0.080), second=(0.15, 0.14, 0.135)),
        "scree": dataclasses.replace(_SCREE, color=(0.20, 0.19, 0.18), second=(0.14, 0.13, 0.125)),
        "river": dataclasses.replace(_BED, color=(0.22, 0.21, 0.19), second=(0.16, 0.15, 0.14)),
        "snow": dataclasses.replace(_WHITE, lowest=0.26, fade=0.22, steepest=37.0, amount=0.95),
    },
)  # fmt: skip

_TROPICAL = Landscape(
    label="Tropical",
    help="Forest up to the ridges, bright beaches, red earth and dark rock",
    ramp=PALETTES["tropical"],
    strata=RockBands(color=(0.30, 0.25, 0.20), strength=0.10, count=22.0),
    shallow=(0.10, 0.34, 0.32),
    deep=(0.005, 0.019, 0.028),
    clear=6.0,
    layers={
        "soil": dataclasses.replace(_SOIL, color=(0.155, 0.105, 0.055), second=(0.14, 0.12, 0.07)),
        "grass": dataclasses.replace(
            _GRASS, color=(0.046, 0.076, 0.022), second=(0.145, 0.130, 0.060), amount=0.95,
            highest=1.2, steepest=46.0,
        ),
        "woods": dataclasses.replace(
            _WOODS, color=(0.021, 0.047, 0.015), second=(0.052, 0.080, 0.026), amount=0.66,
            highest=0.93, fade=0.14, steepest=46.0,
        ),
        "sand": dataclasses.replace(
            _BEACH, color=(0.62, 0.54, 0.39), second=(0.50, 0.42, 0.29), highest=9.0
        ),
        "rock": dataclasses.replace(
            _BARE, color=(0.095, 0.082, 0.068), second=(0.165, 0.14, 0.11), flattest=40.0
        ),
        "scree": _SCREE,
        "river": dataclasses.replace(_BED, color=(0.23, 0.19, 0.13), second=(0.17, 0.14, 0.095)),
        "snow": dataclasses.replace(_WHITE, lowest=1.5),
    },
)  # fmt: skip

_MARS = Landscape(
    label="Mars",
    help="Rust and dust; dark basalt where the ground is steep",
    ramp=PALETTES["mars"],
    strata=RockBands(color=(0.40, 0.24, 0.15), strength=0.40, count=24.0),
    crevices=0.35,
    layers={
        "soil": dataclasses.replace(
            _SOIL, color=(0.20, 0.088, 0.048), second=(0.38, 0.215, 0.130), tint=0.8, surfaces=_DUST
        ),
        "sand": dataclasses.replace(
            _BEACH, color=(0.44, 0.270, 0.165), second=(0.33, 0.170, 0.095), amount=0.42,
            softness=0.6, highest=2.0, steepest=14.0, deposit=0.4, curvature=-0.5, is_shore=False,
        ),
        "rock": dataclasses.replace(
            _BARE, color=(0.098, 0.048, 0.032), second=(0.215, 0.105, 0.062), flattest=23.0
        ),
        "scree": dataclasses.replace(_SCREE, color=(0.25, 0.125, 0.072), second=(0.17, 0.09, 0.058)),
        "river": dataclasses.replace(
            _BED, color=(0.37, 0.20, 0.115), second=(0.30, 0.15, 0.085), flow=0.35
        ),
        "snow": dataclasses.replace(_WHITE, color=(0.80, 0.78, 0.76), second=(0.70, 0.62, 0.55), lowest=1.5),
    },
)  # fmt: skip

_MOON = Landscape(
    label="Moon",
    help="Gray dust and stones, darker in the plains, brighter on the heights",
    ramp=PALETTES["moon"],
    strata=RockBands(color=(0.22, 0.215, 0.21)),
    crevices=0.22,
    layers={
        "soil": dataclasses.replace(
            _SOIL, color=(0.052, 0.052, 0.054), second=(0.225, 0.220, 0.212), tint=1.0, roughness=1.0,
            detail=0.45, surfaces=_DUST,
        ),
        "rock": dataclasses.replace(
            _BARE, color=(0.175, 0.171, 0.165), second=(0.31, 0.303, 0.29), flattest=27.0,
            bump=0.08, detail=0.6,
        ),
        "scree": dataclasses.replace(
            _SCREE, color=(0.26, 0.255, 0.247), second=(0.185, 0.181, 0.178), amount=0.22,
            curvature=0.35, steepest=35.0,
        ),
    },
)  # fmt: skip

_TEMPERATE = Landscape(
    label="Temperate",
    help="Green hills and woods, pale rock, bright beaches",
    ramp=PALETTES["temperate"],
    strata=RockBands(color=(0.42, 0.36, 0.27), strength=0.50, count=18.0),
    layers={
        "soil": dataclasses.replace(_SOIL, color=(0.135, 0.100, 0.058), second=(0.20, 0.165, 0.105)),
        "grass": dataclasses.replace(
            _GRASS, color=(0.049, 0.084, 0.025), second=(0.158, 0.146, 0.064), tint=0.85, amount=0.90,
            highest=1.1, steepest=41.0, curvature=-0.25,
        ),
        "woods": dataclasses.replace(
            _WOODS, second=(0.056, 0.062, 0.022), highest=0.72, fade=0.2, amount=0.38, steepest=38.0,
            curvature=-0.30,
        ),
        "sand": _BEACH,
        "rock": dataclasses.replace(
            _BARE, color=(0.20, 0.165, 0.125), second=(0.29, 0.245, 0.19), flattest=37.0
        ),
        "scree": dataclasses.replace(_SCREE, color=(0.28, 0.245, 0.19), second=(0.20, 0.175, 0.14)),
        "river": _BED,
        "snow": dataclasses.replace(_WHITE, lowest=1.5),
    },
)  # fmt: skip

_BADLANDS = Landscape(
    label="Badlands",
    help="Bare clay in pale, red and brown layers",
    ramp=PALETTES["badlands"],
    strata=RockBands(color=(0.60, 0.51, 0.41), strength=0.85, count=13.0),
    shallow=(0.045, 0.043, 0.028),
    deep=(0.024, 0.022, 0.014),
    clear=0.7,
    crevices=0.35,
    layers={
        "soil": dataclasses.replace(
            _SOIL, color=(0.44, 0.345, 0.245), second=(0.40, 0.275, 0.185), tint=0.2
        ),
        "grass": dataclasses.replace(
            _GRASS, color=(0.125, 0.125, 0.055), second=(0.22, 0.18, 0.085), amount=0.05,
            softness=0.10, highest=2.0, steepest=18.0, flow=0.35,
        ),
        "rock": dataclasses.replace(
            _BARE, color=(0.36, 0.21, 0.14), second=(0.45, 0.32, 0.23), flattest=15.0,
            slope_fade=10.0, bump=0.05, detail=0.5, surfaces=("cracked_mud", *_ROCK),
        ),
        "scree": dataclasses.replace(_SCREE, color=(0.44, 0.32, 0.23), second=(0.38, 0.25, 0.17)),
        "river": dataclasses.replace(_BED, color=(0.54, 0.44, 0.34), second=(0.47, 0.36, 0.26)),
    },
)  # fmt: skip

COVERS: Mapping[str, GroundLayer] = MappingProxyType(
    {"snow": dataclasses.replace(_WHITE, lowest=0.5 * UNLIMITED), "road": _ROAD}
)
"""Layers, by their maps of thickness, that lie on landscapes without them as well, if a land has the map. Their
names are those of the maps."""

LANDSCAPES: Mapping[str, Landscape] = MappingProxyType(
    {
        "alpine": _ALPINE,
        "desert": _DESERT,
        "dunes": _DUNES,
        "volcanic": _VOLCANIC,
        "arctic": _ARCTIC,
        "tropical": _TROPICAL,
        "mars": _MARS,
        "moon": _MOON,
        "temperate": _TEMPERATE,
        "badlands": _BADLANDS,
    }
)
"""By name. Names are for ever: they stand in saved files."""
