# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials from recipes: complete sets of textures that tile exactly.

Examples
--------
>>> from noise_core import Grid
>>> from noise_core.materials.surfaces import surface
>>> textures = surface("granite", scale=24).textures(Grid(64, 64, wrap=True))
>>> textures["base_color"].shape, str(textures["base_color"].dtype)
((64, 64, 3), 'float32')
"""

from __future__ import annotations

from .library_files import broken_surfaces, look_again, picture_of, surface, surface_names
from .surface_type import Surface
from .texture_set import (
    MAPS,
    PACKED,
    STANDARD,
    MapKind,
    TextureSet,
    pack_maps,
    unpack_maps,
)

__all__ = [
    "MAPS",
    "PACKED",
    "STANDARD",
    "MapKind",
    "Surface",
    "TextureSet",
    "broken_surfaces",
    "look_again",
    "pack_maps",
    "picture_of",
    "surface",
    "surface_names",
    "unpack_maps",
]
