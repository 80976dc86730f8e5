# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of ground materials, for the panel, the operator and its redo panel."""

from __future__ import annotations

from .....noise_core.base.params import Parameter
from .....noise_core.materials.colors import LANDSCAPES, LAYERS
from ...schema.declared_settings import DeclaredSettings

MARK = "terrane_terrain"
"""Custom property of Terrane's terrain materials."""

DRY = "terrane_dry"
"""Name of an attribute: 1 where no water is shown, since a painted mask keeps erosion away."""

PROPERTY = "terrane_terrain_material"
"""Name of the group on a scene."""

PRESET = "preset"
"""A choice that leaves something to the terrain's preset."""

_IN_LAYERS = ("style", ("layers",))

LOOK = (
    Parameter(
        "choice", PRESET, "Preset of the colors and limits", name="palette",
        options={
            PRESET: "Colors of the preset that the terrain started from",
            **{key: landscape.help for key, landscape in LANDSCAPES.items()},
        },
    ),
    Parameter(
        "choice", "layers", "Style of the ground colors", name="style",
        options={
            "layers": "Rock, scree, soil, grass, sand and snow, by slope, height and traces of water",
            "ramp": "By height alone: fast",
        },
    ),
)  # fmt: skip
"""Palette and style."""

SWITCHES = tuple(
    Parameter("boolean", True, f"{text}, if the palette has it", name=name, visible_when=_IN_LAYERS)
    for name, text in LAYERS.items()
)
"""One per layer."""


def _limit(
    name: str, default: float, help: str, low: float, high: float, soft: float = 1.0
) -> Parameter:
    return Parameter(
        "number", default, help, name=name, visible_when=("limits", ("custom",)),
        minimum=low, maximum=high, soft_minimum=0.0, soft_maximum=soft,
    )  # fmt: skip


LIMITS = (
    Parameter(
        "choice", "palette", "Limits between the layers", name="limits",
        options={"palette": "Limits of the palette", "custom": "As set here"},
        visible_when=_IN_LAYERS,
    ),
    _limit("snow_line", 0.6, "Height of the snow line, from 0 (lowest) to 1 (highest); above 1 for no snow", -1.0, 2.0),
    _limit("tree_line", 0.42, "Height above which no trees grow: 0 is the lowest, 1 the highest", -1.0, 2.0),
    _limit("grass_line", 0.58, "Height above which no grass grows: 0 is the lowest, 1 the highest", -1.0, 2.0),
    _limit("rock_slope", 36.0, "Slope in degrees above which rock is bare", 0.0, 90.0, 90.0),
)  # fmt: skip
"""Limits of the layers."""

WATER = (
    Parameter(
        "choice", PRESET, "Painted water", name="water",
        options={
            PRESET: "Lakes, and the preset's sea; none under a mesh of water",
            "none": "Nowhere",
            "lakes": "Lakes that erosion has left",
            "sea": "Over all ground below the water level",
            "both": "Lakes, and ground below the water level",
        },
    ),
    Parameter(
        "number", 0.0, "Height of the sea in meters, along the object's Z axis", name="water_level",
        unit="length", minimum=-1e6, maximum=1e6, soft_minimum=-1000.0, soft_maximum=1000.0,
        visible_when=("water", ("sea", "both")),
    ),
)  # fmt: skip
"""Place of water."""

DETAIL = (
    Parameter(
        "choice", "triplanar", "Coordinates of detail textures on the ground", name="mapping",
        label="Detail",
        options={
            "triplanar": "From all sides, without stretching on cliffs",
            "top": "From above, faster to render",
            "none": "No textures, noise alone",
        },
        visible_when=_IN_LAYERS,
    ),
    Parameter(
        "number", 0.0, "Width of the largest textures in meters", automatic=(1.0 / 30.0, "terrain"),
        name="detail_size", unit="length",
        minimum=0.0, maximum=1e6, soft_minimum=0.0, soft_maximum=500.0,
        visible_when=("mapping", ("triplanar", "top")),
    ),
    Parameter(
        "integer", 512, "Pixels along a side of a tile", name="detail_pixels",
        minimum=16, maximum=8192, soft_minimum=128, soft_maximum=4096,
        visible_when=("mapping", ("triplanar", "top")),
    ),
    Parameter(
        "number", 1.0, "Strength of the bumps", name="bump", unit="factor",
        minimum=0.0, maximum=10.0, soft_minimum=0.0, soft_maximum=2.0,
    ),
)  # fmt: skip
"""Details finer than the mesh."""

ALL = (*LOOK, *SWITCHES, *LIMITS, *WATER, *DETAIL)


_own = DeclaredSettings(
    *(PROPERTY, "Ground Material", "TERRANE_PG_terrain_material"),
    "How a terrain's material is made",
    ALL,
)
register, unregister, of = _own.register, _own.unregister, _own.of
