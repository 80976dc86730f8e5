# SPDX-License-Identifier: GPL-3.0-or-later
"""All operators, in the order of their registration."""

from __future__ import annotations

from .image_new import TERRANE_OT_image_new
from .mesh_displace import TERRANE_OT_mesh_displace
from .preset_load import TERRANE_OT_preset_load
from .seed_new import TERRANE_OT_seed_new
from .terrain_add import TERRANE_OT_terrain_add
from .terrain_update import TERRANE_OT_terrain_update

CLASSES = (
    TERRANE_OT_terrain_add,
    TERRANE_OT_terrain_update,
    TERRANE_OT_mesh_displace,
    TERRANE_OT_image_new,
    TERRANE_OT_preset_load,
    TERRANE_OT_seed_new,
)
