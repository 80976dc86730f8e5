# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that operators and panels offer for any recipe: its first chain and its measures.

Limits, defaults and help come from the noise that each belongs to, so that nothing is declared twice.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping

from ....noise_core import chains
from ....noise_core.base.params import Parameter
from ....noise_core.materials.colors import PALETTES, hexadecimal
from ....noise_core.noises.fractal import Fractal
from ....noise_core.noises.perlin import Perlin
from ....noise_core.noises.warp import Warp
from ....noise_core.types.coloring import coloring_types
from ....noise_core.types.noise import noise_types

NOISE_KEYWORDS = ("noise", "fractal", "seed", "octaves", "frequency", "persistence", "lacunarity", "warp")  # fmt: skip
"""Keywords of every operator that makes noise, in addition to a preset."""

TERRAIN_KEYWORDS = ("size", "depth", "height", "resolution", "seamless", "tile")
"""Keywords of a terrain's measures."""

MEASURES = (
    Parameter(
        "integer", 0, "Any other number gives another terrain of the same kind", name="seed",
        minimum=-0x80000000, maximum=0x7FFFFFFF, soft_minimum=-0x80000000, soft_maximum=0x7FFFFFFF,
    ),
    Parameter(
        "number", 100.0, "Width in meters", name="size", unit="length",
        minimum=1e-3, maximum=1e7, soft_minimum=1.0, soft_maximum=50000.0, usual=12000.0,
    ),
    Parameter(
        "number", 1.0, "Depth as a share of the width; 1 is a square", name="depth",
        label="Depth Ratio",
        minimum=0.01, maximum=100.0, soft_minimum=0.25, soft_maximum=4.0,
    ),
    Parameter(
        "number", 20.0, "Meters that a noise of 1 stands for: the ground lies between this above 0 and as much below",
        name="height", label="Height Scale", unit="length",
        minimum=-1e6, maximum=1e6, soft_minimum=0.0, soft_maximum=10000.0, usual=2000.0,
    ),
    Parameter(
        "integer", 512, "Vertices along the longer side", name="resolution",
        minimum=2, maximum=16384, soft_minimum=16, soft_maximum=4096, usual=512.0,
    ),
    Parameter(
        "boolean", False,
        "Opposite edges meet, erosion included: copies side by side join, and the noise repeats after each",
        name="seamless",
    ),
    Parameter(
        "vector", (0.0, 0.0),
        "Which piece of an endless land this is, in terrains to the right and up; neighbors join without erosion",
        name="tile", size=2,
        minimum=-1e5, maximum=1e5, soft_minimum=-10.0, soft_maximum=10.0,
    ),
)  # fmt: skip


DISPLACE = (
    Parameter(
        "number", 0.1, "How far a noise of 1 moves a vertex, in the mesh's own units",
        name="strength", unit="length",
        minimum=-1e6, maximum=1e6, soft_minimum=-10.0, soft_maximum=10.0,
    ),
    Parameter(
        "number", 0.0, "Length of a tile in the mesh's own units; 0 takes its largest dimension",
        name="tile", label="Tile Size", unit="length",
        minimum=0.0, maximum=1e6, soft_minimum=0.0, soft_maximum=100.0,
    ),
    Parameter(
        "choice", "normal", "Where the vertices move to", name="direction",
        options={
            "normal": "Outwards, along the vertex normals",
            "x": "Along the mesh's own X axis",
            "y": "Along the mesh's own Y axis",
            "z": "Along the mesh's own Z axis",
            "vector": "Along a vector",
        },
    ),
    Parameter(
        "vector", (0.0, 0.0, 1.0), "The direction, in the mesh's own axes; its length is ignored",
        name="vector", size=3, visible_when=("direction", ("vector",)),
    ),
    Parameter(
        "boolean", False, "Keep the mesh as it is, and add a shape key that is moved",
        name="as_shape_key", label="As Shape Key",
    ),
)  # fmt: skip
"""Parameters of a displacement."""

PIXELS = tuple(
    Parameter(
        "integer", 1024, text, name=name,
        minimum=1, maximum=65536, soft_minimum=64, soft_maximum=8192,
    )
    for name, text in (("width", "Pixels along the bottom"), ("height", "Pixels along the side"))
)  # fmt: skip

IMAGE = (
    *PIXELS,
    Parameter("boolean", True, "Opposite edges meet without a seam", name="seamless"),
    Parameter(
        "boolean", True, "32 bits a channel instead of 8: no steps in heights",
        name="float_buffer", label="32-bit Float",
    ),
    Parameter(
        "choice", "fixed", "How noise becomes gray", name="levels",
        options={
            "fixed": "Black and white are the lowest and highest that the noise can reach, in every image; what modifiers lift beyond is cut off",
            "stretched": "Black and white are the lowest and highest in this image: all the contrast",
            "signed": "The noise as it is, below 0 too; needs 32-bit float and no colors",
        },
        visible_when=("kind", ("noise",)),
    ),
    Parameter(
        "choice", "still", "Whether it changes with the evolution", name="motion",
        options={
            "still": "It stands still",
            "endless": "It moves on for ever: a slice of what has one dimension more",
            "loop": "It comes back to where it began, without a jump",
        },
    ),
    Parameter(
        "number", 0.0,
        "How far it has moved on, in tiles: a few hundredths a frame are slow",
        name="evolution",
        minimum=-1000.0, maximum=1000.0, soft_minimum=-2.0, soft_maximum=2.0,
        visible_when=("motion", ("endless", "loop")),
    ),
    Parameter(
        "number", 1.0, "Tiles of evolution until it is as it was", name="loop_length",
        minimum=1e-3, maximum=1000.0, soft_minimum=0.1, soft_maximum=4.0,
        visible_when=("motion", ("loop",)),
    ),
)  # fmt: skip
"""Parameters of an image."""

SEQUENCE = (
    Parameter(
        "integer", 48, "How many frames; a loop goes once around in them", name="frames",
        minimum=1, maximum=100000, soft_minimum=2, soft_maximum=500,
        visible_when=("motion", ("endless", "loop")),
    ),
    Parameter(
        "number", 0.02, "How far it moves on from frame to frame, in tiles", name="step",
        minimum=-10.0, maximum=10.0, soft_minimum=0.0, soft_maximum=0.2,
        visible_when=("motion", ("endless",)),
    ),
)  # fmt: skip
"""Parameters of a sequence of images."""

COLORS = Parameter(
    "choice", "gray", "What becomes of the noise", name="colors",
    options={
        "gray": "Numbers from black to white: heights, masks, roughness",
        "palette": "A row of colors, from the lowest to the highest",
        "ramp": "A row of colors of your own",
    },
    visible_when=("kind", ("noise",)),
)  # fmt: skip
"""Choice of the colors of a recipe in an image."""

PALETTE = Parameter(
    "choice", "alpine", "The row of colors", name="palette",
    options={
        name: f"{len(ramp.stops)} colors, from {hexadecimal(ramp.stops[0][1])} to "
        f"{hexadecimal(ramp.stops[-1][1])}"
        for name, ramp in PALETTES.items()
    },
    visible_when=("colors", ("palette",)),
)  # fmt: skip

SOURCE = Parameter(
    "choice", "own", "The noise that the coloring colors", name="source",
    options={
        "own": "The one that the coloring brings with it",
        "recipe": "That of the recipe; modifiers do not count",
    },
)  # fmt: skip
"""Choice of the noise of a coloring."""

KIND = Parameter(
    "choice", "noise", "What is made", name="kind",
    options={
        "noise": "A recipe as an image: gray, or through a row of colors",
        "coloring": "A picture by a formula of its own: marble, clouds, cells and others",
        "surface": "A material as a set of textures: color, normals, roughness and others",
    },
)  # fmt: skip
"""Choice of the subject of the Image Editor's panel."""


@functools.cache
def coloring_choice() -> Parameter:
    """Return the choice of coloring: gray, a color ramp, or a formula."""
    formulas = {key: summary(cls) for key, cls in coloring_types().items()}
    return Parameter(
        "choice", "gray",
        "What becomes of the noise: numbers in gray, a row of colors, or a picture by a formula",
        name="coloring", options={**COLORS.options, **formulas},
    )  # fmt: skip


@functools.cache
def keywords() -> Mapping[str, Parameter]:
    """Return the declarations of all keywords by name."""
    fractal, warp, perlin = (
        {one.name: one for one in cls.parameters()} for cls in (Fractal, Warp, Perlin)
    )
    kind = fractal["kind"]
    no_fractal = {chains.NONE: "The noise alone, without finer copies"}
    declared = (
        Parameter(
            "choice", Perlin.key, "The noise that everything is made of", name="noise",
            options={key: summary(cls) for key, cls in chains.basis_types().items()},
        ),
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


def noise_label(key: str) -> str:
    """Return the label of a noise type in menus."""
    return noise_types()[key].label
