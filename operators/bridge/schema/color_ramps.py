# SPDX-License-Identifier: GPL-3.0-or-later
"""Color ramps of nodes, and of texture datablocks, on which users edit them.

Blender's ramp widget exists on some datablocks only. A texture holds the ramp; Terrane reads it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import bpy

from ....noise_core.materials.colors import Ramp
from .exact_numbers import number

_INTERPOLATIONS = {"LINEAR": "linear", "CONSTANT": "constant", "EASE": "smooth"}
"""Interpolations of Blender that the core has too, for colors mixed as light; others are sampled."""

_PARTS = 128
"""Intervals between samples of other interpolations: within one step of 8 bits of Blender's."""

MOST_STOPS = 32
"""Largest number of stops of a ramp in Blender."""


RampStops = Sequence[tuple[float, tuple[float, ...]]]
"""Positions and linear colors of a color ramp, with or without alpha."""

_RAMP_MODES = ("color_mode", "interpolation", "hue_interpolation")
"""Settings of a ramp besides its colors, in the order in which they must be set."""


def read_ramp(node: Any) -> tuple[RampStops, Mapping[str, str]]:
    """Return the stops of a node's color ramp, and its interpolations by Blender's names."""
    ramp = node.color_ramp
    stops = tuple((stop.position, tuple(stop.color)) for stop in ramp.elements)
    return stops, {name: getattr(ramp, name) for name in _RAMP_MODES}


def write_ramp(node: Any, stops: RampStops, modes: Mapping[str, str] | None = None) -> None:
    """Give a node, or a texture, a color ramp."""
    ramp = node.color_ramp
    for name, mode in (modes or {}).items():
        setattr(ramp, name, mode)
    elements = ramp.elements
    while len(elements) < len(stops):
        elements.new(1.0)
    while len(elements) > len(stops):
        elements.remove(elements[-1])
    for element, (place, color) in zip(elements, stops):
        element.position, element.color = place, (*color, 1.0)[:4]


def to_json(texture: bpy.types.Texture) -> str:
    """Return the ramp of a texture as text; see `Ramp.from_json`."""
    ramp: Any = texture.color_ramp
    interpolation = _INTERPOLATIONS.get(ramp.interpolation) if ramp.color_mode == "RGB" else None
    if interpolation is not None:
        stops = [(stop.position, stop.color) for stop in ramp.elements]
    else:
        # With the stops themselves, where such a ramp has its corners.
        corners = {number(stop.position) for stop in ramp.elements}
        places = sorted({place / _PARTS for place in range(_PARTS + 1)} | corners)
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
    return (*how, *((stop.position, *stop.color) for stop in ramp.elements))


def new_texture(name: str, ramp: Ramp) -> bpy.types.Texture:
    """Return a new texture with the stops of a ramp, as many as Blender allows."""
    texture: Any = bpy.data.textures.new(name, "BLEND")
    texture.use_color_ramp = True
    names = {value: key for key, value in _INTERPOLATIONS.items()}
    modes = {"color_mode": "RGB", "interpolation": names[ramp.interpolation]}
    write_ramp(texture, ramp.stops[:MOST_STOPS], modes)
    return texture
