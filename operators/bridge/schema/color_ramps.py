# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of colors that are edited with Blender's own ramp, which only some datablocks have.

So a ramp of the user's lives on a texture datablock, with its name and users; Terrane reads it.
"""

from __future__ import annotations

import json
from typing import Any

import bpy

from ....noise_core.base.errors import ParameterError
from ....noise_core.base.json_texts import json_value
from ....noise_core.materials.colors import Ramp
from ..nodetree.color_ramp import ColorRamp
from .values import number

_INTERPOLATIONS = {"LINEAR": "linear", "CONSTANT": "constant", "EASE": "smooth"}
"""Blender's that the core has too, if colors are mixed as light; others are sampled."""

_PARTS = 128
"""Between the samples of other interpolations: no step of 8 bits apart from Blender's."""

MOST_STOPS = 32
"""Of a ramp in Blender."""


def to_json(texture: bpy.types.Texture) -> str:
    """Return the ramp of a texture as text; see `ramp_from_json`."""
    ramp: Any = texture.color_ramp
    interpolation = _INTERPOLATIONS.get(ramp.interpolation) if ramp.color_mode == "RGB" else None
    if interpolation is not None:
        stops = [(one.position, one.color) for one in ramp.elements]
    else:
        # With the stops themselves, where such a row has its corners.
        own = {number(one.position) for one in ramp.elements}
        places = sorted({place / _PARTS for place in range(_PARTS + 1)} | own)
        stops = [(place, ramp.evaluate(place)) for place in places]
    if len(stops) > 1 and stops[0][0] == stops[-1][0]:
        stops = stops[-1:]  # all at one place: the last one rules
    plain = [[number(place), [_share(part) for part in color[:3]]] for place, color in stops]
    return json.dumps(
        {"stops": plain, "interpolation": interpolation or "linear", "space": "linear"}
    )


def fingerprint(texture: bpy.types.Texture) -> tuple[object, ...]:
    """Return what differs as soon as anything about a texture's ramp does; quick to have."""
    ramp: Any = texture.color_ramp
    how = (ramp.interpolation, ramp.color_mode, ramp.hue_interpolation)
    return (*how, *((one.position, *one.color) for one in ramp.elements))


def new_texture(name: str, ramp: Ramp) -> bpy.types.Texture:
    """Return a new texture whose ramp has the stops of another, as many as Blender allows."""
    texture: Any = bpy.data.textures.new(name, "BLEND")
    texture.use_color_ramp = True
    back = {value: key for key, value in _INTERPOLATIONS.items()}
    modes = {"color_mode": "RGB", "interpolation": back[ramp.interpolation]}
    ColorRamp(ramp.stops[:MOST_STOPS], modes).write(texture)
    return texture


def _share(part: float) -> float:
    """Return a part of a color from 0 to 1, which Blender's may leave."""
    return min(max(number(part), 0.0), 1.0)


def ramp_from_json(text: str) -> Ramp:
    """Return the ramp that text describes.

    Parameters
    ----------
    text : str
        ``[[0, "#102040"], [1, "#ffffff"]]``: places with colors, or an object with ``"stops"``,
        ``"interpolation"`` and ``"space"``; see `Ramp`.

    Raises
    ------
    ParameterError
        If it is something else.
    """
    try:
        plain = json_value(text)
    except ValueError as error:
        raise ParameterError("ramp must be JSON; {}; got {!r}", error, text) from error
    values = plain if isinstance(plain, dict) else {"stops": plain}
    unknown = sorted(set(values) - {"stops", "interpolation", "space"})
    if unknown or "stops" not in values:
        raise ParameterError(
            "ramp must have stops, and may have interpolation and space; got {!r}", text
        )
    if not all(isinstance(values.get(name, ""), str) for name in ("interpolation", "space")):
        raise ParameterError("ramp: interpolation and space must be text; got {!r}", text)
    return Ramp(**values)
