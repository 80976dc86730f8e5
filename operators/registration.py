# SPDX-License-Identifier: GPL-3.0-or-later
"""All operators, in the order of their registration."""

from __future__ import annotations

from . import elements, layers
from .bridge.registering import Classes
from .contact_sheet import TERRANE_OT_contact_sheet, TERRANE_OT_contact_sheet_take
from .erosion_compare import TERRANE_OT_erosion_compare
from .image_erode import TERRANE_OT_image_erode
from .image_new import TERRANE_OT_image_new
from .image_update import TERRANE_OT_image_update
from .images_bake import TERRANE_OT_images_bake
from .images_save import TERRANE_OT_images_save
from .job_cancel import TERRANE_OT_job_cancel
from .job_finish import TERRANE_OT_job_finish
from .live_watch import TERRANE_OT_live_watch
from .manual_open import TERRANE_OT_manual_open
from .maps_bake import TERRANE_OT_maps_bake
from .mask_paint import TERRANE_OT_mask_paint
from .material_add import TERRANE_OT_material_add
from .mesh_displace import TERRANE_OT_mesh_displace
from .nodes_add import TERRANE_OT_nodes_add
from .preset_delete import TERRANE_OT_preset_delete
from .preset_load import TERRANE_OT_preset_load
from .preset_save import TERRANE_OT_preset_save
from .ramp_new import TERRANE_OT_ramp_new
from .recipe_copy import TERRANE_OT_recipe_copy
from .recipe_load import TERRANE_OT_recipe_load
from .recipe_paste import TERRANE_OT_recipe_paste
from .recipe_save import TERRANE_OT_recipe_save
from .seed_new import TERRANE_OT_seed_new
from .sequence_save import TERRANE_OT_sequence_save
from .terrain_add import TERRANE_OT_terrain_add
from .terrain_erode import TERRANE_OT_terrain_erode
from .terrain_material import TERRANE_OT_terrain_material
from .terrain_revert import TERRANE_OT_terrain_revert
from .terrain_update import TERRANE_OT_terrain_update

CLASSES = (
    TERRANE_OT_terrain_add,
    TERRANE_OT_terrain_update,
    TERRANE_OT_terrain_erode,
    TERRANE_OT_terrain_revert,
    TERRANE_OT_erosion_compare,
    TERRANE_OT_maps_bake,
    TERRANE_OT_image_erode,
    TERRANE_OT_material_add,
    TERRANE_OT_nodes_add,
    TERRANE_OT_terrain_material,
    TERRANE_OT_images_bake,
    TERRANE_OT_images_save,
    TERRANE_OT_job_cancel,
    TERRANE_OT_live_watch,
    TERRANE_OT_job_finish,
    TERRANE_OT_mesh_displace,
    TERRANE_OT_image_new,
    TERRANE_OT_image_update,
    TERRANE_OT_preset_load,
    TERRANE_OT_preset_save,
    TERRANE_OT_preset_delete,
    TERRANE_OT_contact_sheet,
    TERRANE_OT_contact_sheet_take,
    TERRANE_OT_sequence_save,
    TERRANE_OT_ramp_new,
    TERRANE_OT_seed_new,
    *layers.CLASSES,
    *elements.CLASSES,
    TERRANE_OT_recipe_copy,
    TERRANE_OT_recipe_paste,
    TERRANE_OT_recipe_load,
    TERRANE_OT_recipe_save,
    TERRANE_OT_mask_paint,
    TERRANE_OT_manual_open,
)

_own = Classes(*CLASSES)
register, unregister = _own.register, _own.unregister
