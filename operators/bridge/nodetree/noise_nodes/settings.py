# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of noise nodes in a material."""

from __future__ import annotations

from ...schema.declared_settings import DeclaredSettings, declare

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

_own = DeclaredSettings(
    "terrane_nodes", "Terrane Nodes", "TERRANE_PG_nodes", "Noise as nodes", NODES
)
register, unregister, of = _own.register, _own.unregister, _own.of
