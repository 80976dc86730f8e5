# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared options of images: size, motion, colors and coloring."""

from __future__ import annotations

import functools

from ....noise_core.base.params import Parameter
from ....noise_core.materials.colorings.bases.coloring import coloring_types
from ....noise_core.materials.colors import PALETTES, hexadecimal
from .declared_settings import declare
from .enum_items import summary

PIXELS = tuple(
    declare(name, 1024, text, (1, 65536), (64, 8192))
    for name, text in (("width", "Width in pixels"), ("height", "Height in pixels"))
)  # fmt: skip

SEAMLESS = declare("seamless", True, "Opposite edges meet without a seam")

IMAGE = (
    *PIXELS,
    SEAMLESS,
    declare("float_buffer", True, "32 bits a channel instead of 8, for heights without steps", label="32-bit Float"),
    declare("levels", "fixed", "Mapping of noise to gray", visible_when=("kind", ("noise",)), options={
        "fixed": "Black and white are the theoretical limits of the noise, equal in every image",
        "stretched": "Black and white are the lowest and highest values of this image",
        "signed": "Unchanged noise, negative values too; needs 32-bit float and no colors",
    }),
    declare("motion", "still", "Animate the image with its evolution", options={
        "still": "It stands still",
        "endless": "Endless motion through an extra dimension",
        "loop": "Motion that returns to its start without a jump",
    }),
    declare("evolution", 0.0, "Position along the animation, in tiles; a few hundredths a frame are slow",
            (-1000.0, 1000.0), (-2.0, 2.0), visible_when=("motion", ("endless", "loop"))),
    declare("loop_length", 1.0, "Length of the loop, in tiles of evolution",
            (1e-3, 1000.0), (0.1, 4.0), visible_when=("motion", ("loop",))),
)  # fmt: skip
"""Parameters of an image."""

SEQUENCE = (
    declare("frames", 48, "Number of frames; a loop repeats after them",
            (1, 100000), (2, 500), visible_when=("motion", ("endless", "loop"))),
    declare("step", 0.02, "Evolution from frame to frame, in tiles",
            (-10.0, 10.0), (0.0, 0.2), visible_when=("motion", ("endless",))),
)  # fmt: skip
"""Parameters of a sequence of images."""

COLORS = declare("colors", "gray", "Coloring of the noise", visible_when=("kind", ("noise",)), options={
    "gray": "Black to white: heights, masks, roughness",
    "palette": "Color ramp of a palette, from the lowest to the highest value",
    "ramp": "Custom color ramp",
})  # fmt: skip
"""Choice of the colors of a recipe in an image."""

PALETTE = declare("palette", "alpine", "Color ramp of the image", visible_when=("colors", ("palette",)), options={
    name: f"{len(ramp.stops)} colors, from {hexadecimal(ramp.stops[0][1])} to {hexadecimal(ramp.stops[-1][1])}"
    for name, ramp in PALETTES.items()
})  # fmt: skip

SOURCE = declare("source", "own", "Noise that is colored", options={
    "own": "The coloring's own noise",
    "recipe": "The recipe's noise, without modifiers",
})  # fmt: skip
"""Choice of the noise of a coloring."""

KIND = declare("kind", "noise", "Type of the image", options={
    "noise": "A recipe as an image, in gray or through a color ramp",
    "coloring": "An image by its own formula: marble, clouds, cells and others",
    "surface": "Textures of a material: color, normals, roughness and others",
})  # fmt: skip
"""Choice of the subject of the Image Editor's panel."""


@functools.cache
def coloring_choice() -> Parameter:
    """Return the choice of coloring: gray, a color ramp, or a formula."""
    formulas = {key: summary(cls) for key, cls in coloring_types().items()}
    text = "Coloring of the noise: gray, a color ramp or a formula"
    return declare("coloring", "gray", text, options={**COLORS.options, **formulas})
