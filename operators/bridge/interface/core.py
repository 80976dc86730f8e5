# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of the core for operators and panels, which import it only through the bridge."""

# ruff: noqa: F401

from __future__ import annotations

from ....noise_core.base.checks import LONGEST_TEXT
from ....noise_core.base.errors import Cancelled, ParameterError, TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.base.json_texts import json_value
from ....noise_core.base.params import Declared, Parameter, title_of
from ....noise_core.io.elevation_reading.formats.raw import Raw
from ....noise_core.landscapes.look import Look
from ....noise_core.landscapes.plants import KINDS, Plants
from ....noise_core.landscapes.preset_library import (
    PLAIN,
    Preset,
    ant_label,
    ant_names,
    own_names,
    preset,
    preset_names,
    shipped_names,
)
from ....noise_core.landscapes.scene import Camera, DetailPatch, Planet, Sky, Surroundings, Water
from ....noise_core.masks.bases.mask import Mask
from ....noise_core.materials.by_example.settings import ByExample
from ....noise_core.modifiers.bases.modifier import Modifier
from ....noise_core.noises.bases.noise import Noise
from ....noise_core.recipes import chains
from ....noise_core.recipes.layers import NoiseLayer
from ....noise_core.recipes.recipe import Recipe
