# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a terrain's material shows rivers, brooks and lakes: where the erosion that made them acts.

The beds of rivers and the flow of water are known everywhere, whatever mask the erosion has: they are
worked out for the whole terrain. So the material has to look at the masks itself. It can look at
painted ones; those of the recipe, by slope or by another layer, are on no mesh.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import bpy

from ...noise_core.errors import TerraneError
from . import masks, meshes, settings, stack, state
from .framed_nodes import FramedNodes
from .node_building import Source

_WET = frozenset({"flow", "lake"})
"""Maps that say where water is: the modifiers that make one count."""

_FRAME = "Painted Masks"

_COLUMN = -3.2
"""Left of the group that everything begins with, with room for all that an image needs."""

_ROW = 320.0
"""From one mask to the next below it: a node of an image is that high."""


@dataclass(frozen=True)
class WaterMask:
    """A painted mask that a material can read.

    Attributes
    ----------
    name : str
        Of an attribute, a vertex group or an image.
    is_image : bool
    """

    name: str
    is_image: bool


def masks_of(thing: bpy.types.Object) -> tuple[WaterMask, ...]:
    """Return the painted masks of a terrain's erosion; none if water may be anywhere.

    That is so if nothing makes water, if something makes it without a painted mask, or if a mask
    is not there, or is an image on a mesh without our UV map. Settings that cannot be read say
    nothing of masks either: any mesh may be a landscape.
    """
    if not state.is_terrain(thing):
        return ()
    group = getattr(thing, state.PROPERTY)
    notes = settings.notes(group)
    try:
        acting = stack.acting(settings.read(group), notes).modifiers
    except TerraneError:
        return ()
    names = [
        note.mask for one, note in zip(acting, notes) if not one.muted and _WET & one.makes.keys()
    ]
    kinds = dict(reversed(list(masks.names(thing))))  # of one name the first in the list counts
    found = [WaterMask(name, kinds[name] == "IMAGE") for name in names if name in kinds]
    has_map = meshes.UV_NAME in meshes.mesh_of(thing).uv_layers
    if len(found) < len(names) or any(one.is_image and not has_map for one in found):
        return ()
    return tuple(dict.fromkeys(found))


def share(sheet: FramedNodes, found: Iterable[WaterMask]) -> Source:
    """Place the nodes that read some masks; return how much any of them lets through, from 0 to 1."""
    largest: Source = 1.0
    for place, one in enumerate(found):
        top = -_ROW * place
        source = _image(sheet, one.name, top) if one.is_image else _stored(sheet, one.name, top)
        if place == 0:
            largest = source
            continue
        largest = sheet.math("MAXIMUM", largest, source)
        sheet.stand(largest.node, f"Either {place}", _FRAME, _COLUMN + 2.1, top)
    return largest


def _stored(sheet: FramedNodes, name: str, top: float) -> Source:
    source = sheet.attribute(name)
    sheet.stand(source.node, f"Mask {name}", _FRAME, _COLUMN, top)
    return source


def _image(sheet: FramedNodes, name: str, top: float) -> Source:
    """Read an image as Update does: its first channel, stretched over the terrain."""
    where = sheet.add("ShaderNodeUVMap")
    where.uv_map = meshes.UV_NAME
    picture = sheet.add("ShaderNodeTexImage", Vector=where.outputs["UV"])
    picture.image, picture.extension = bpy.data.images[name], "EXTEND"
    parts = sheet.add("ShaderNodeSeparateColor", Color=picture.outputs["Color"])
    sheet.stand(where, f"Place of {name}", _FRAME, _COLUMN, top)
    sheet.stand(picture, f"Mask {name}", _FRAME, _COLUMN + 0.6, top)
    sheet.stand(parts, f"Value of {name}", _FRAME, _COLUMN + 1.5, top)
    return parts.outputs["Red"]
