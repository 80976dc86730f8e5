# SPDX-License-Identifier: GPL-3.0-or-later
"""Color ramps that users edit on texture datablocks.

Blender's ramp widget exists on some datablocks only. A texture holds the ramp; Terrane reads it.
"""

from __future__ import annotations

import json
from typing import Any

import bpy

from ....noise_core.materials.colors import Ramp
from ..nodetree import builder
from .values import number

_INTERPOLATIONS = {"LINEAR": "linear", "CONSTANT": "constant", "EASE": "smooth"}
"""Interpolations of Blender that the core has too, for colors mixed as light; others are sampled."""

_PARTS = 128
"""Intervals between samples of other interpolations: within one step of 8 bits of Blender's."""

MOST_STOPS = 32
"""Largest number of stops of a ramp in Blender."""


def to_json(texture: bpy.types.Texture) -> str:
    """Return the ramp of a texture as text; see `Ramp.from_json`."""
    ramp: Any = texture.color_ramp
    interpolation = _INTERPOLATIONS.get(ramp.interpolation) if ramp.color_mode == "RGB" else None
    if interpolation is not None:
        stops = [(one.position, one.color) for one in ramp.elements]
    else:
        # With the stops themselves, where such a ramp has its corners.
        own = {number(one.position) for one in ramp.elements}
        places = sorted({place / _PARTS for place in range(_PARTS + 1)} | own)
        stops = [(place, ramp.evaluate(place)) for place in places]
    if len(stops) > 1 and stops[0][0] == stops[-1][0]:
        stops = stops[-1:]  # all at one place: the last one counts
    plain = [
        [number(place), [min(max(number(part), 0.0), 1.0) for part in color[:3]]]
        for place, color in stops
    ]
    return json.dumps(
        {"stops": plain, "interpolation": interpolation or "linear", "space": "linear"}
    )


def fingerprint(texture: bpy.types.Texture) -> tuple[object, ...]:
    """Return a value that changes with anything of a texture's ramp; quick to compute."""
    ramp: Any = texture.color_ramp
    how = (ramp.interpolation, ramp.color_mode, ramp.hue_interpolation)
    return (*how, *((one.position, *one.color) for one in ramp.elements))


def new_texture(name: str, ramp: Ramp) -> bpy.types.Texture:
    """Return a new texture with the stops of a ramp, as many as Blender allows."""
    texture: Any = bpy.data.textures.new(name, "BLEND")
    texture.use_color_ramp = True
    back = {value: key for key, value in _INTERPOLATIONS.items()}
    modes = {"color_mode": "RGB", "interpolation": back[ramp.interpolation]}
    builder.write_ramp(texture, ramp.stops[:MOST_STOPS], modes)
    return texture
