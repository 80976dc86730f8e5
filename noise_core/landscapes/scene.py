# SPDX-License-Identifier: GPL-3.0-or-later
"""Water, sky, sun, haze and camera of a terrain's picture, and planets, as plain data.

Lengths that end in "widths" are shares of the terrain's width, so that one preset suits every size.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..base.declared import declared_type
from ..base.params import Declared, boolean, choice, integer, number, vector
from ..materials.colors import LANDSCAPES

SURROUNDINGS: Mapping[str, str] = MappingProxyType(
    {
        "none": "Nothing: the terrain ends at its border",
        "land": "The same terrain at low detail, which meets it without a step",
        "mirror": "Mirrored copies of the terrain, for views near its border",
        "sea": "Open sea at the water level",
        "base": "A block with cut sides, like a table model",
    }
)
"""What can lie around a terrain."""

RIVERS = 0.012
"""Share of a terrain that the smallest river drains, unless its preset says otherwise."""


@declared_type
class Sky(Declared):
    """Sun, sky, haze and clouds; or stars and Earth where there is no air.

    The sky is a model of light that air and dust scatter (Nishita, Sirai, Tadamura and Nakamae,
    Display of the Earth Taking into Account Atmospheric Scattering, 1993), as Blender has it.

    Examples
    --------
    >>> from noise_core.landscapes.scene import Sky
    >>> evening = Sky(sun_elevation=8.0, sun_direction=270.0, dust=2.0)
    >>> evening.sun_elevation, evening.has_air
    (8.0, True)
    """

    key = "sky"
    label = "Sky"

    sun_elevation: float = number(
        21.0,
        help="Height of the sun above the horizon",
        minimum=-90.0,
        maximum=90.0,
        soft_minimum=0.0,
        unit="angle",
    )
    sun_direction: float = number(
        285.0,
        help="Compass direction of the sun: 0 is north (Y), 90 east (X)",
        minimum=-360.0,
        maximum=360.0,
        soft_minimum=0.0,
        unit="angle",
    )
    sun_strength: float = number(
        10.0, help="Strength of the sun's light", minimum=0.0, maximum=1e4, soft_maximum=20.0
    )
    sun_color: tuple[float, ...] = vector(
        (1.0, 0.86, 0.70), help="Color of the sun's light", minimum=0.0, maximum=100.0, unit="color"
    )
    sky_strength: float = number(
        0.075,
        help="Brightness of the sky and the haze; 0 is black",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=0.5,
    )
    has_air: bool = boolean(True, help="Atmosphere; without it the sky is black", label="Air")
    air: float = number(
        1.0,
        help="Density of the air: less is darker, more is paler",
        label="Air Density",
        minimum=0.0,
        maximum=10.0,
        visible_when=("has_air", True),
    )
    dust: float = number(
        1.0,
        help="Density of dust in the air: more makes the sky whiter and the horizon brighter",
        minimum=0.0,
        maximum=10.0,
        visible_when=("has_air", True),
    )
    tint: tuple[float, ...] = vector(
        (1.0, 1.0, 1.0),
        help="Color that sky and haze are multiplied by",
        minimum=0.0,
        maximum=10.0,
        unit="color",
        visible_when=("has_air", True),
    )
    visibility: float = number(
        2.6,
        help="Visibility distance, where haze hides 2/3",
        unit="width",
        minimum=1e-3,
        maximum=1e6,
        soft_minimum=0.1,
        soft_maximum=20.0,
        visible_when=("has_air", True),
    )
    haze_height: float = number(
        0.1,
        help="Height of the haze layer, where its density is 1/3",
        unit="width",
        minimum=1e-3,
        maximum=1e6,
        soft_minimum=0.01,
        soft_maximum=1.0,
        visible_when=("has_air", True),
    )
    clouds: float = number(
        0.4,
        help="Fraction of the sky covered by thin clouds",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("has_air", True),
    )
    clouds_seed: int = integer(
        0, help="Seed of the thin clouds and of the shadows of clouds", minimum=0, maximum=2**31 - 1,
        soft_maximum=1000, visible_when=("clouds", 0.0),
    )  # fmt: skip
    cumulus: float = number(
        0.12,
        help="Fraction of the terrain under cumulus clouds; 0 for none",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.5,
        unit="factor",
        visible_when=("has_air", True),
    )
    cumulus_seed: int = integer(
        1, help="Seed of the cumulus clouds", minimum=0, maximum=2**31 - 1,
        soft_maximum=1000, visible_when=("cumulus", 0.0),
    )  # fmt: skip
    stars: float = number(
        0.0,
        help="Brightness of the stars; 0 for none",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=1.0,
        visible_when=("has_air", False),
    )
    earth_width: float = number(
        0.0,
        help="Width of Earth in the sky; 0 for none, 1.9 degrees from the Moon",
        minimum=0.0,
        maximum=90.0,
        soft_maximum=10.0,
        unit="angle",
        visible_when=("has_air", False),
    )
    earth_elevation: float = number(
        12.0,
        help="Height of Earth above the horizon",
        minimum=-90.0,
        maximum=90.0,
        unit="angle",
        visible_when=("earth_width", 0.0),
    )
    earth_direction: float = number(
        0.0,
        help="Compass direction of Earth: 0 is north (Y), 90 east (X)",
        minimum=-360.0,
        maximum=360.0,
        unit="angle",
        visible_when=("earth_width", 0.0),
    )


@declared_type
class Render(Declared):
    """Render settings of a preset's picture.

    Examples
    --------
    >>> from noise_core.landscapes.scene import Render
    >>> Render(samples=16).engine, Render(samples=16).samples
    ('cycles', 16)
    """

    key = "render"
    label = "Render Settings"

    engine: str = choice(
        "cycles",
        help="Render engine",
        options={"cycles": "Cycles, as in the images of the manual", "eevee": "EEVEE, faster"},
    )
    samples: int = integer(
        64, help="Samples of each pixel", minimum=1, maximum=65536, soft_maximum=1024
    )
    view_transform: str = choice(
        "AgX",
        help="View transform from light to the colors of the screen",
        options={"AgX": "Blender's usual one", "Filmic": "Softer highlights", "Standard": "None"},
    )


@declared_type
class Surroundings(Declared):
    """Surroundings of a terrain.

    Examples
    --------
    >>> from noise_core.landscapes.scene import Surroundings
    >>> list(Surroundings.parameters()[0].options)
    ['preset', 'none', 'land', 'mirror', 'sea', 'base']
    >>> Surroundings(kind="none").kind
    'none'
    """

    key = "surroundings"
    label = "Surroundings"

    kind: str = choice(
        "preset",
        help="Land or sea around the terrain",
        options={"preset": "As in the preset's preview", **SURROUNDINGS},
    )
    depth: float = number(
        0.04,
        help="Depth of the block below the lowest ground",
        unit="width",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=0.2,
        visible_when=("kind", ("base",)),
    )
    is_plain: bool = boolean(
        True,
        help="Use a plain color on the block instead of the terrain's material",
        label="Plain",
        visible_when=("kind", ("base",)),
    )
    color: tuple[float, ...] = vector(
        (0.10, 0.085, 0.075),
        help="Color of a plain block",
        minimum=0.0,
        maximum=1.0,
        unit="color",
        visible_when=("kind", ("base",)),
    )


@declared_type
class Water(Declared):
    """The sea, and the rivers between lakes and the sea.

    Examples
    --------
    >>> from noise_core.landscapes.scene import Water
    >>> Water(sea=True, level=-5.0).level, Water().sea
    (-5.0, False)
    """

    key = "water"
    label = "Water"

    sea: bool = boolean(False, help="Flood all ground below the level")
    level: float = number(
        0.0,
        help="Height of the sea, along the terrain's Z axis",
        minimum=-1e6,
        maximum=1e6,
        soft_minimum=-1000.0,
        soft_maximum=1000.0,
        unit="length",
        label="Sea Level",
        visible_when=("sea", True),
    )
    rivers: float = number(
        RIVERS,
        help="Drainage area of the smallest river, relative to the terrain; 0 makes none",
        minimum=0.0,
        maximum=1.0,
        soft_maximum=0.05,
        unit="factor",
    )
    river_width: float = number(
        1.0,
        help="Width of rivers; at 1 a river of the whole terrain has 1.2 % of its width",
        minimum=0.01,
        maximum=100.0,
        soft_minimum=0.2,
        soft_maximum=3.0,
        visible_when=("rivers", 0.0),
    )


@declared_type
class Camera(Declared):
    """Camera of a terrain's picture, in shares of its width and depth.

    Examples
    --------
    >>> from noise_core.landscapes.scene import Camera

    A wide lens at the south edge, which looks at the middle of the land:

    >>> camera = Camera(eye=(0.5, 0.0), target=(0.5, 0.5), lens=24.0)
    >>> camera.eye, camera.lens
    ((0.5, 0.0), 24.0)
    """

    key = "camera"
    label = "Camera"

    eye: tuple[float, ...] = vector(
        (0.45, 0.03),
        help="Camera position, 0 to 1 across the terrain's width and depth",
        label="Camera Position",
        minimum=-10.0,
        maximum=10.0,
    )
    target: tuple[float, ...] = vector(
        (0.55, 0.62),
        help="Point that the camera faces, 0 to 1 across the terrain's width and depth",
        label="Camera Target",
        minimum=-10.0,
        maximum=10.0,
    )
    lift: float = number(
        0.1,
        help="Camera height above the ground or the water",
        unit="width",
        label="Camera Height",
        minimum=0.0,
        maximum=10.0,
        soft_maximum=0.5,
    )
    aim: float = number(
        0.0,
        help="Height of the camera target above the ground",
        unit="width",
        label="Target Height",
        minimum=-10.0,
        maximum=10.0,
        soft_minimum=-0.2,
        soft_maximum=0.2,
    )
    lens: float = number(
        32.0, help="Focal length in millimeters: 24 is wide, 50 is narrow", label="Focal Length",
        minimum=1.0, maximum=5000.0, soft_minimum=15.0, soft_maximum=100.0,
    )  # fmt: skip


@declared_type
class DetailPatch(Declared):
    """Fine ground around a camera.

    Examples
    --------
    >>> from noise_core.landscapes.scene import DetailPatch
    >>> patch = DetailPatch(patch_size=60.0, spacing=0.5)
    >>> round(patch.patch_size / patch.spacing)
    120
    """

    key = "detail_patch"
    label = "Detail Patch"

    patch_size: float = number(
        120.0, help="Width of the fine ground around the camera", label="Size",
        minimum=1.0, maximum=1e5, soft_maximum=500.0, unit="length",
    )  # fmt: skip
    spacing: float = number(
        0.25, help="Distance between its vertices", minimum=0.01, maximum=100.0,
        soft_minimum=0.1, soft_maximum=0.5, unit="length",
    )  # fmt: skip
    roughness: float = number(
        1.0, help="Roughness of the ground between the terrain's vertices; 0 is smooth",
        minimum=0.0, maximum=10.0, soft_maximum=2.0,
    )  # fmt: skip
    rock: float = number(
        1.0, help="Depth of ledges and joints in bare rock; 0 has none",
        minimum=0.0, maximum=10.0, soft_maximum=2.0,
    )  # fmt: skip


@declared_type
class Cliffs(Declared):
    """A finer mesh of steep ground, with beds, joints and overhangs.

    Examples
    --------
    >>> from noise_core.landscapes.scene import Cliffs
    >>> cliffs = Cliffs(steepness=55.0, undercut=6.0)
    >>> cliffs.steepness, cliffs.undercut
    (55.0, 6.0)
    """

    key = "cliffs"
    label = "Cliffs"

    steepness: float = number(
        50.0, help="Slope from which ground gets a finer mesh",
        minimum=46.0, maximum=89.0, unit="angle",
    )  # fmt: skip
    ledge: float = number(
        0.0, help="Height from ledge to ledge; 0 is by the distance of the terrain's vertices",
        minimum=0.0, maximum=1e4, soft_maximum=40.0, unit="length", label="Ledge Height",
    )  # fmt: skip
    undercut: float = number(
        5.0, help="Depth of overhangs, as far as the terrain's vertices leave room",
        minimum=0.0, maximum=1e3, soft_maximum=10.0, unit="length",
    )  # fmt: skip
    roughness: float = number(
        1.0, help="Roughness of the faces of rock; 0 is smooth",
        minimum=0.0, maximum=10.0, soft_maximum=2.0,
    )  # fmt: skip
    blocks: float = number(
        0.4, help="Fraction of the ground below cliffs with fallen blocks",
        minimum=0.0, maximum=1.0, unit="factor",
    )  # fmt: skip
    vertices: int = integer(
        250_000, help="Number of vertices, at most; cliffs near the camera come first",
        minimum=1_000, maximum=1 << 22, soft_maximum=1_000_000, label="Maximum Vertices",
    )  # fmt: skip
    cliffs_seed: int = integer(
        0, help="Seed of beds, joints and blocks", minimum=0, maximum=2**31 - 1,
        soft_maximum=1000,
    )  # fmt: skip


@declared_type
class Planet(Declared):
    """The measures of a planet.

    Examples
    --------
    >>> from noise_core.landscapes.scene import Planet
    >>> mars = Planet(radius=3390000.0, sea_cover=0.0, atmosphere=False)
    >>> mars.radius, mars.sea_cover
    (3390000.0, 0.0)
    """

    key = "planet"
    label = "Planet"

    radius: float = number(
        2.0,
        help="Distance from the center to ground of noise 0",
        minimum=1e-3,
        maximum=1e7,
        soft_minimum=0.1,
        soft_maximum=1000.0,
        unit="length",
    )
    relief: float = number(
        0.04,
        help="Height of a noise of 1, relative to the radius; Earth has about 0.001",
        minimum=0.0,
        maximum=0.9,
        soft_maximum=0.25,
        unit="factor",
    )
    resolution: int = integer(
        256,
        help="Faces along an edge of the cube that becomes the sphere",
        minimum=2,
        maximum=4096,
        soft_minimum=32,
        soft_maximum=1024,
    )
    scale: float = number(
        1.0,
        help="Tiles of the noise along the diameter: more makes smaller continents",
        minimum=1e-3,
        maximum=1e3,
        soft_minimum=0.25,
        soft_maximum=4.0,
    )
    sea_cover: float = number(
        0.6,
        help="Fraction of the surface below the sea; 0 for none",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    ice_latitude: float = number(
        66.0,
        help="Latitude at which polar ice begins; 90 for none",
        minimum=0.0,
        maximum=90.0,
        unit="angle",
    )
    palette: str = choice(
        "alpine",
        help="Colors of the ground",
        options={key: landscape.help for key, landscape in LANDSCAPES.items()},
    )
    atmosphere: bool = boolean(True, help="Add a shell of air that glows in sunlight")
    air_depth: float = number(
        0.05,
        help="Depth of the air above the sea, relative to the radius",
        minimum=1e-3,
        maximum=1.0,
        soft_maximum=0.2,
        unit="factor",
        visible_when=("atmosphere", True),
    )
    clouds: float = number(
        0.5,
        help="Fraction of the planet under clouds; 0 for none",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
        visible_when=("atmosphere", True),
    )
    clouds_seed: int = integer(
        0, help="Seed of the clouds", minimum=0, maximum=2**31 - 1,
        soft_maximum=1000, visible_when=("clouds", 0.0),
    )  # fmt: skip
    craters: float = number(
        0.0,
        help="Density of impact craters; 1 is as many as the Moon's oldest ground has",
        minimum=0.0,
        maximum=1.0,
        unit="factor",
    )
    city_lights: float = number(
        0.0,
        help="Brightness of cities on the night side; 0 for none",
        minimum=0.0,
        maximum=100.0,
        soft_maximum=4.0,
        visible_when=("atmosphere", True),
    )
    rings: float = number(
        0.0,
        help="Outer radius of the rings, relative to the planet's; 0 for none",
        minimum=0.0,
        maximum=20.0,
        soft_maximum=3.0,
    )
    gas: str = choice(
        "none",
        help="Bands of clouds instead of solid ground",
        options={
            "none": "Solid ground",
            "jovian": "Brown and white bands with a red spot, as Jupiter's",
            "saturnian": "Pale yellow bands, as Saturn's",
            "neptunian": "Deep blue with white streaks, as Neptune's",
        },
    )
