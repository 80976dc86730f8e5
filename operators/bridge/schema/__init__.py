# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings made from declarations: layers of a recipe, chains, masks, images, and those of scenes and objects.

One converter serves them all. `properties` makes Blender's properties of declared parameters, `values` reads and writes
them and keeps other values as text, `exact_numbers` undoes the rounding of Blender's floats. Two forms of
settings are built on it: `declared_settings`, a property for each parameter of a scene or an object, and `type_choice`,
a choice among types with a group for each. `layers`, `elements` and `mask_settings` join such groups into trees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....noise_core.base.late_modules import late_modules

if not TYPE_CHECKING:  # a checker sees the modules themselves
    __getattr__ = late_modules(__name__)
