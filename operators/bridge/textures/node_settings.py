# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of small tools: noise as nodes, hexagonal tiles of an image, and textures that look like an example."""

from __future__ import annotations

from ....noise_core.materials.by_example.settings import ByExample
from ..interface.registering import Parts
from ..schema.declared_settings import DeclaredSettings, declare
from ..schema.picture_options import PIXELS, SEAMLESS

NODES = (
    declare("target", "new", "Material that receives the nodes", label="Material", options={
        "new": "New material for the active object",
        "active": "Active material; linked inputs are kept",
    }),
    declare("mapping", "uv", "Coordinates of the noise on the object", options={
        "uv": "Active UV map, flat: its square is one tile",
        "object": "The object's axes, solid, as if cut from a block",
    }),
    declare("tile", 0.0, "Length of a tile in the object's units",
            (0.0, 1e6), (0.0, 100.0), label="Tile Size", unit="length", visible_when=("mapping", ("object",)),
            automatic="its largest dimension"),
    declare("bump", 0.05, "Height of the bumps in meters, from low to high; 0 has none",
            (0.0, 1e5), (0.0, 1.0), unit="length"),
)  # fmt: skip
"""Use of a group of noise nodes in a material."""

HEX_TILING = (
    declare("content", "auto", "Content of the image", options={
        "auto": "Normals if bluish without color space, or linked to Normal Map; else colors",
        "color": "Colors or numbers",
        "normal": "Tangent space normals, which rotate with the tiles",
    }),
    declare("mapping", "uv", "Coordinates of the texture on the object", options={
        "uv": "Active UV map",
        "object": "The object's axes, seen from above",
    }),
    declare("tile_size", 1.0, "Width of the image, as a fraction of the UV map or in the object's units",
            (1e-4, 1e5), (0.01, 10.0)),
    declare("seamless", True, "The image's opposite edges meet; otherwise hexagons stay within the image",
            label="Seamless Image"),
    declare("rotation", 0.0, "Rotation of the whole texture", (-36000.0, 36000.0), (-180.0, 180.0), unit="angle"),
    declare("seed", 0, "Seed of the tiles", (-0x80000000, 0x7FFFFFFF)),
    declare("turn", 1.0, "Random rotation of the hexagons; 0 for directional patterns such as ripples",
            (0.0, 1.0), unit="factor"),
    declare("rows", 1.7, "Rows of hexagons along the image: fewer keep larger shapes, more repeat less",
            (0.05, 100.0), (0.5, 4.0), label="Hexagons"),
    declare("sharpness", 6.0, "Sharpness of the seams between hexagons: less blends widely, more ghosts less",
            (0.5, 64.0), (1.0, 16.0)),
    declare("contrast", 1.0, "Keeps the image's contrast where hexagons blend; 0 fades it there",
            (0.0, 1.0), unit="factor"),
    declare("strength", 1.0, "Strength of the normals", (0.0, 10.0), (0.0, 2.0),
            visible_when=("content", ("auto", "normal"))),
)  # fmt: skip
"""Hexagonal tiles of an image in a shader."""

BY_EXAMPLE = (
    *PIXELS,
    declare("seed", 0, "Seed: each value gives a different texture", (-0x80000000, 0x7FFFFFFF),
            label="Texture Seed"),
    *ByExample.parameters(),
    SEAMLESS,
)  # fmt: skip
"""Parameters of a texture that looks like an example."""

NODE_SETTINGS = DeclaredSettings(
    "terrane_nodes", "Terrane Nodes", "TERRANE_PG_nodes", "Noise as nodes", NODES
)

HEX_SETTINGS = DeclaredSettings(
    *("terrane_hex_tiling", "Terrane Hex Tiling", "TERRANE_PG_hex_tiling", "Hexagons of an image"),
    HEX_TILING,
)

EXAMPLE_SETTINGS = DeclaredSettings(
    *("terrane_by_example", "Terrane by Example", "TERRANE_PG_example", "Textures by example"),
    BY_EXAMPLE,
)

_groups = Parts(NODE_SETTINGS, HEX_SETTINGS, EXAMPLE_SETTINGS)
register, unregister = _groups.register, _groups.unregister
