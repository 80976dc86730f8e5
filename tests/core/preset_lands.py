# SPDX-License-Identifier: GPL-3.0-or-later
"""Lands of presets, made once for all tests that look at them: the largest take seconds."""

from __future__ import annotations

import functools

from noise_core.landscapes.preset_library import preset
from noise_core.modifiers.bases.modifier import Relief


@functools.cache
def land(name: str, samples: int) -> Relief:
    """Return heights and maps of a square of a preset with all its layers, not to be written to."""
    recipe = preset(name).recipe
    relief = recipe.evaluate(recipe.grid(samples))
    for field in (relief.height, *relief.maps.values()):
        field.flags.writeable = False
    return relief
