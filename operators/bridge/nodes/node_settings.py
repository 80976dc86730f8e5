# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel remembers of noise as nodes: how a material uses the group."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import PointerProperty

from ....noise_core.params import Parameter
from ..properties import group_class

PROPERTY = "terrane_nodes"
"""Name of the settings on a scene."""

NODES = (
    Parameter(
        "choice", "new", "Which material the nodes go to", name="target", label="Material",
        options={
            "new": "One of their own, which the active object is given",
            "active": "The active one: what is connected already stays, the rest follows the noise",
        },
    ),
    Parameter(
        "choice", "uv", "Where on an object the noise lies", name="mapping",
        options={
            "uv": "By the active UV map, flat: its square is one tile",
            "object": "By the object's own axes, solid: cut out of a block, without seams",
        },
    ),
    Parameter(
        "number", 0.0, "Length of a tile in the object's own units; 0 takes its largest dimension",
        name="tile", label="Tile Size", unit="length",
        minimum=0.0, maximum=1e6, soft_minimum=0.0, soft_maximum=100.0,
        visible_when=("mapping", ("object",)),
    ),
    Parameter(
        "number", 0.05, "Height of the bumps in meters, from low to high as they mostly are; 0 makes none",
        name="bump", unit="length",
        minimum=0.0, maximum=1e5, soft_minimum=0.0, soft_maximum=1.0,
    ),
)  # fmt: skip
"""How a material uses a group of nodes."""

_registered: list[type] = []


def register() -> None:
    """Make the property group and hang it on scenes."""
    cls = group_class("TERRANE_PG_nodes", NODES, description="Noise as nodes", is_metric=True)
    bpy.utils.register_class(cls)
    _registered.append(cls)
    setattr(bpy.types.Scene, PROPERTY, PointerProperty(type=cls, name="Terrane Nodes"))


def unregister() -> None:
    """Take it away again."""
    delattr(bpy.types.Scene, PROPERTY)
    while _registered:
        bpy.utils.unregister_class(_registered.pop())


def of(context: bpy.types.Context) -> Any:
    """Return the settings that the panel shows."""
    return getattr(context.scene, PROPERTY)
