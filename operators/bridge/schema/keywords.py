# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that operators and panels offer for any recipe: its first chain and its measures.

Limits, defaults and help come from the noise that each belongs to, so that nothing is declared twice.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from typing import Any

from ....noise_core.base.params import Parameter
from ....noise_core.maps.bases.map import Map
from ....noise_core.materials.by_example.settings import ByExample
from ....noise_core.materials.colorings.bases.coloring import coloring_types
from ....noise_core.materials.colors import PALETTES, hexadecimal
from ....noise_core.noises.bases.noise import noise_types
from ....noise_core.noises.fractal import Fractal
from ....noise_core.noises.perlin import Perlin
from ....noise_core.noises.warp import Warp
from ....noise_core.recipes import chains

NOISE_KEYWORDS = ("noise", "fractal", "seed", "octaves", "frequency", "persistence", "lacunarity", "warp")  # fmt: skip
"""Keywords of every operator that makes noise, in addition to a preset."""

TERRAIN_KEYWORDS = ("size", "depth", "height", "resolution", "seamless", "tile")
"""Keywords of a terrain's measures."""

_KINDS: Mapping[type, Any] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    tuple: "vector",
    str: "choice",
}


def declare(
    name: str,
    default: Any,
    help: str,
    limits: tuple[float, float] = (-math.inf, math.inf),
    slider: tuple[float, float] | None = None,
    **more: Any,
) -> Parameter:
    """Return the declaration of an option that no type of the core has; its default tells the kind.

    The ends of the slider are the limits unless given; for the rest see `Parameter`.
    """
    (least, most), (left, right) = limits, slider or limits
    size = len(default) if isinstance(default, tuple) else 1
    return Parameter(
        _KINDS[type(default)], default, help, name=name, size=size,
        minimum=least, maximum=most, soft_minimum=left, soft_maximum=right, **more,
    )  # fmt: skip


MEASURES = (
    declare("seed", 0, "Any other number gives another terrain of the same kind", (-0x80000000, 0x7FFFFFFF)),
    declare("size", 100.0, "Width in meters", (1e-3, 1e7), (1.0, 50000.0), unit="length", usual=12000.0),
    declare("depth", 1.0, "Depth as a share of the width; 1 is a square",
            (0.01, 100.0), (0.25, 4.0), label="Depth Ratio"),
    declare("height", 20.0, "Meters that a noise of 1 stands for: the ground lies between this above 0 and as much below",
            (-1e6, 1e6), (0.0, 10000.0), label="Height Scale", unit="length", usual=2000.0),
    declare("resolution", 512, "Vertices along the longer side", (2, 16384), (16, 4096), usual=512.0),
    declare("seamless", False, "Opposite edges meet, erosion included: copies side by side join, and the noise repeats after each"),
    declare("tile", (0.0, 0.0), "Which piece of an endless land this is, in terrains to the right and up; neighbors join without erosion",
            (-1e5, 1e5), (-10.0, 10.0)),
)  # fmt: skip


DISPLACE = (
    declare("strength", 0.1, "How far a noise of 1 moves a vertex, in the mesh's own units",
            (-1e6, 1e6), (-10.0, 10.0), unit="length"),
    declare("tile", 0.0, "Length of a tile in the mesh's own units; 0 takes its largest dimension",
            (0.0, 1e6), (0.0, 100.0), label="Tile Size", unit="length"),
    declare("direction", "normal", "Where the vertices move to", options={
        "normal": "Outwards, along the vertex normals",
        "x": "Along the mesh's own X axis",
        "y": "Along the mesh's own Y axis",
        "z": "Along the mesh's own Z axis",
        "vector": "Along a vector",
    }),
    declare("vector", (0.0, 0.0, 1.0), "The direction, in the mesh's own axes; its length is ignored",
            visible_when=("direction", ("vector",))),
    declare("as_shape_key", False, "Keep the mesh as it is, and add a shape key that is moved", label="As Shape Key"),
)  # fmt: skip
"""Parameters of a displacement."""

ELEVATION_FILES = (".tif", ".tiff", ".gtiff", ".hgt", ".asc", ".r16", ".raw", ".npy")
"""Extensions of files that become a terrain when they are dropped; PNG and OpenEXR are dropped as images."""

PIXELS = tuple(
    declare(name, 1024, text, (1, 65536), (64, 8192))
    for name, text in (("width", "Pixels along the bottom"), ("height", "Pixels along the side"))
)  # fmt: skip

_SEAMLESS = declare("seamless", True, "Opposite edges meet without a seam")

IMAGE = (
    *PIXELS,
    _SEAMLESS,
    declare("float_buffer", True, "32 bits a channel instead of 8: no steps in heights", label="32-bit Float"),
    declare("levels", "fixed", "How noise becomes gray", visible_when=("kind", ("noise",)), options={
        "fixed": "Black and white are the lowest and highest that the noise can reach, in every image; what modifiers lift beyond is cut off",
        "stretched": "Black and white are the lowest and highest in this image: all the contrast",
        "signed": "The noise as it is, below 0 too; needs 32-bit float and no colors",
    }),
    declare("motion", "still", "Whether it changes with the evolution", options={
        "still": "It stands still",
        "endless": "It moves on for ever: a slice of what has one dimension more",
        "loop": "It comes back to where it began, without a jump",
    }),
    declare("evolution", 0.0, "How far it has moved on, in tiles: a few hundredths a frame are slow",
            (-1000.0, 1000.0), (-2.0, 2.0), visible_when=("motion", ("endless", "loop"))),
    declare("loop_length", 1.0, "Tiles of evolution until it is as it was",
            (1e-3, 1000.0), (0.1, 4.0), visible_when=("motion", ("loop",))),
)  # fmt: skip
"""Parameters of an image."""

BY_EXAMPLE = (
    *PIXELS,
    declare("seed", 0, "Any other number gives another texture of the same kind", (-0x80000000, 0x7FFFFFFF)),
    *ByExample.parameters(),
    _SEAMLESS,
)  # fmt: skip
"""Parameters of a texture that looks like an example."""

HEX_TILING = (
    declare("content", "auto", "What the image holds", options={
        "auto": "A normal map if it is bluish and has no color space, or leads to a Normal Map node; else colors",
        "color": "Colors or numbers",
        "normal": "Normals of the tangent space, which turn with the tiles",
    }),
    declare("mapping", "uv", "Where on an object the texture lies", options={
        "uv": "By the active UV map",
        "object": "By the own axes of the object, from above",
    }),
    declare("tile_size", 1.0, "Width of the image: a share of the UV map, or in the units of the object",
            (1e-4, 1e5), (0.01, 10.0)),
    declare("seamless", True, "Opposite edges of the image meet; without it hexagons stay within the image, where 2 rows of them have room to differ",
            label="Seamless Image"),
    declare("rotation", 0.0, "Turns the texture as a whole", (-36000.0, 36000.0), (-180.0, 180.0), unit="angle"),
    declare("seed", 0, "Any other number gives other tiles", (-0x80000000, 0x7FFFFFFF)),
    declare("turn", 1.0, "How far tiles are turned by chance: 0 for what has a direction, as ripples and beds",
            (0.0, 1.0), unit="factor"),
    declare("rows", 1.7, "Rows of hexagons along the image: fewer keep larger shapes whole, more repeat them less",
            (0.05, 100.0), (0.5, 4.0), label="Hexagons"),
    declare("sharpness", 6.0, "How narrow the seams are between hexagons: less blends widely, more shows fewer ghosts of shapes",
            (0.5, 64.0), (1.0, 16.0)),
    declare("contrast", 1.0, "Keeps the contrast of the image where hexagons blend; 0 blends them plainly, which is paler there",
            (0.0, 1.0), unit="factor"),
    declare("strength", 1.0, "How steep the normals are", (0.0, 10.0), (0.0, 2.0),
            visible_when=("content", ("auto", "normal"))),
)  # fmt: skip
"""Hexagonal tiles of an image in a shader."""

SEQUENCE = (
    declare("frames", 48, "How many frames; a loop goes once around in them",
            (1, 100000), (2, 500), visible_when=("motion", ("endless", "loop"))),
    declare("step", 0.02, "How far it moves on from frame to frame, in tiles",
            (-10.0, 10.0), (0.0, 0.2), visible_when=("motion", ("endless",))),
)  # fmt: skip
"""Parameters of a sequence of images."""

BAKE = (
    declare("start", 1, "First frame; the scene's if it is not given", (-1048574, 1048574)),
    declare("end", 250, "Last frame; the scene's if it is not given", (-1048574, 1048574)),
    declare("step", 1, "Frames from one baked frame to the next; those between are interpolated", (1, 1000), (1, 10)),
    declare("erosion", False, "Erosion works from nothing at the first frame to all of it at the last", label="Erosion over Time"),
    declare("target", "cache", "Where the motion is kept", options={
        "cache": "A PC2 file that a Mesh Cache modifier plays, at any resolution and length",
        "keys": "Shape keys, within the .blend file: for few frames",
    }),
)  # fmt: skip
"""Parameters of a bake of a terrain's motion."""

NODES = (
    declare("target", "new", "Which material the nodes go to", label="Material", options={
        "new": "One of their own, which the active object is given",
        "active": "The active one: what is connected already stays, the rest follows the noise",
    }),
    declare("mapping", "uv", "Where on an object the noise lies", options={
        "uv": "By the active UV map, flat: its square is one tile",
        "object": "By the object's own axes, solid: cut out of a block, without seams",
    }),
    declare("tile", 0.0, "Length of a tile in the object's own units; 0 takes its largest dimension",
            (0.0, 1e6), (0.0, 100.0), label="Tile Size", unit="length", visible_when=("mapping", ("object",))),
    declare("bump", 0.05, "Height of the bumps in meters, from low to high as they mostly are; 0 makes none",
            (0.0, 1e5), (0.0, 1.0), unit="length"),
)  # fmt: skip
"""Use of a group of noise nodes in a material."""

COLORS = declare("colors", "gray", "What becomes of the noise", visible_when=("kind", ("noise",)), options={
    "gray": "Numbers from black to white: heights, masks, roughness",
    "palette": "A row of colors, from the lowest to the highest",
    "ramp": "A row of colors of your own",
})  # fmt: skip
"""Choice of the colors of a recipe in an image."""

PALETTE = declare("palette", "alpine", "The row of colors", visible_when=("colors", ("palette",)), options={
    name: f"{len(ramp.stops)} colors, from {hexadecimal(ramp.stops[0][1])} to {hexadecimal(ramp.stops[-1][1])}"
    for name, ramp in PALETTES.items()
})  # fmt: skip

SOURCE = declare("source", "own", "The noise that the coloring colors", options={
    "own": "The one that the coloring brings with it",
    "recipe": "That of the recipe; modifiers do not count",
})  # fmt: skip
"""Choice of the noise of a coloring."""

KIND = declare("kind", "noise", "What is made", options={
    "noise": "A recipe as an image: gray, or through a row of colors",
    "coloring": "A picture by a formula of its own: marble, clouds, cells and others",
    "surface": "A material as a set of textures: color, normals, roughness and others",
})  # fmt: skip
"""Choice of the subject of the Image Editor's panel."""


SHEETS = {
    "seeds": "The same settings with other seeds",
    "variations": "The same seed, with frequency, octaves, warp and the noise's own settings changed a little",
}
"""Kinds of contact sheets."""


@functools.cache
def coloring_choice() -> Parameter:
    """Return the choice of coloring: gray, a color ramp, or a formula."""
    formulas = {key: summary(cls) for key, cls in coloring_types().items()}
    text = "What becomes of the noise: numbers in gray, a row of colors, or a picture by a formula"
    return declare("coloring", "gray", text, options={**COLORS.options, **formulas})


@functools.cache
def keywords() -> Mapping[str, Parameter]:
    """Return the declarations of all keywords by name."""
    fractal, warp, perlin = (
        {one.name: one for one in cls.parameters()} for cls in (Fractal, Warp, Perlin)
    )
    kind = fractal["kind"]
    no_fractal = {chains.NONE: "The noise alone, without finer copies"}
    declared = (
        declare("noise", Perlin.key, "The noise that everything is made of",
                options={key: summary(cls) for key, cls in chains.basis_types().items()}),
        perlin["frequency"],
        dataclasses.replace(kind, name="fractal", options={**no_fractal, **kind.options}),
        *(fractal[name] for name in ("octaves", "persistence", "lacunarity")),
        dataclasses.replace(
            warp["strength"], name="warp", default=0.0, help="Bends the noise; 0 leaves it straight"
        ),
        *MEASURES,
    )  # fmt: skip
    return {one.name: one for one in declared}


def summary(cls: type) -> str:
    """Return the first line of a type's description, as a tooltip."""
    return (cls.__doc__ or "").strip().splitlines()[0].rstrip(".")


def map_summary(cls: type[Map]) -> str:
    """Return the first line of a map's description with its unit, as a tooltip."""
    return f"{summary(cls)}{f', in {cls.unit}' if cls.unit else ''}"


def noise_label(key: str) -> str:
    """Return the label of a noise type in menus."""
    return noise_types()[key].label
