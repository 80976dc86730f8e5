# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a mesh that noise displaces."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty

from .declared_settings import declare
from .properties import group_class

DISPLACE = (
    declare("strength", 0.1, "Distance that a noise of 1 moves a vertex, in the mesh's units",
            (-1e6, 1e6), (-10.0, 10.0), unit="length"),
    declare("tile", 0.0, "Length of a tile in the mesh's units",
            (0.0, 1e6), (0.0, 100.0), label="Tile Size", unit="length",
            automatic="its largest dimension"),
    declare("direction", "normal", "Direction of the displacement", options={
        "normal": "Vertex normals",
        "x": "Local X axis",
        "y": "Local Y axis",
        "z": "Local Z axis",
        "vector": "Along a vector",
    }),
    declare("vector", (0.0, 0.0, 1.0), "Direction in local axes; its length is ignored",
            visible_when=("direction", ("vector",))),
    declare("as_shape_key", False, "Displace a new shape key and keep the mesh", label="As Shape Key"),
)  # fmt: skip
"""Parameters of a displacement."""


def group() -> type[bpy.types.PropertyGroup]:
    """Return the group of the parameters and of the mask."""
    return group_class(
        "TERRANE_PG_displace",
        DISPLACE,
        description="How a mesh is displaced",
        extra={"mask": mask_property(set())},
    )


def mask_property(options: set[Any]) -> Any:
    """Return the property with the mask of a displacement."""
    return StringProperty(
        name="Mask",
        description="Vertex group or float attribute: 0 stays, 1 moves",
        options=options,
    )
