# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings that A.N.T. Landscape stores on its objects, by its own names.

References
----------
Jimmy Hazevoet and others (2009-2022). A.N.T. Landscape 0.1.8, an add-on of Blender 3.4.
(names, defaults and numbers of the options)
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ...base.errors import ParameterError, format_value

NOISES = {
    "multi_fractal": "Multi Fractal",
    "ridged_multi_fractal": "Ridged MFractal",
    "hybrid_multi_fractal": "Hybrid MFractal",
    "hetero_terrain": "Hetero Terrain",
    "fractal": "fBm Fractal",
    "turbulence_vector": "Turbulence",
    "variable_lacunarity": "Distorted Noise",
    "marble_noise": "Marble",
    "shattered_hterrain": "Shattered hTerrain",
    "strata_hterrain": "Strata hTerrain",
    "ant_turbulence": "Another Noise",
    "vl_noise_turbulence": "vlNoise turbulence",
    "vl_hTerrain": "vlNoise hTerrain",
    "distorted_heteroTerrain": "Distorted hTerrain",
    "double_multiFractal": "Double MultiFractal",
    "rocks_noise": "Noise Rocks",
    "slick_rock": "Slick Rock",
    "planet_noise": "Planet Noise",
    "blender_texture": "Blender Texture",
}
"""Types of noise in the order of their numbers, with their labels."""

BASES = {
    "BLENDER": "Blender",
    "PERLIN_ORIGINAL": "Perlin",
    "PERLIN_NEW": "New Perlin",
    "VORONOI_F1": "Voronoi F1",
    "VORONOI_F2": "Voronoi F2",
    "VORONOI_F3": "Voronoi F3",
    "VORONOI_F4": "Voronoi F4",
    "VORONOI_F2F1": "Voronoi F2-F1",
    "VORONOI_CRACKLE": "Voronoi Crackle",
    "CELLNOISE": "Cell Noise",
}
"""Bases in the order of their numbers, with their labels."""

EFFECTS = (
    "None", "Gradient", "Waves", "Zigzag", "Wavy", "Bump", "Dots", "Rings", "Spiral", "Square",
    "Blocks", "Grid", "Tech", "Crackle", "Cracks", "Rock", "Lunar", "Cosine", "Spikey", "Stone",
    "Flat Turb", "Flat Voronoi",
)  # fmt: skip

_KEYED = {"noise_type": NOISES, "basis_type": BASES, "vl_basis_type": BASES}
_NUMBERED = {
    "hard_noise": 2, "marble_bias": 4, "marble_sharp": 6, "marble_shape": 8, "fx_mix_mode": 9,
    "fx_type": 22, "fx_bias": 5, "edge_falloff": 4, "strata_type": 6,
}  # fmt: skip
"""Options that are numbered, with how many there are."""

DEFAULTS: Mapping[str, object] = {
    "ant_terrain_name": "Landscape", "land_material": "", "water_material": "",
    "texture_block": "", "at_cursor": True, "smooth_mesh": True, "tri_face": False,
    "sphere_mesh": False, "subdivision_x": 128, "subdivision_y": 128, "mesh_size": 2.0,
    "mesh_size_x": 2.0, "mesh_size_y": 2.0, "random_seed": 0, "noise_offset_x": 0.0,
    "noise_offset_y": 0.0, "noise_offset_z": 0.0, "noise_size_x": 1.0, "noise_size_y": 1.0,
    "noise_size_z": 1.0, "noise_size": 1.0, "noise_type": "hetero_terrain",
    "basis_type": "BLENDER", "vl_basis_type": "BLENDER", "distortion": 1.0, "hard_noise": 0,
    "noise_depth": 8, "amplitude": 0.5, "frequency": 2.0, "dimension": 1.0, "lacunarity": 2.0,
    "offset": 1.0, "gain": 1.0, "marble_bias": 0, "marble_sharp": 0, "marble_shape": 0,
    "height": 0.5, "height_invert": False, "height_offset": 0.0, "fx_mixfactor": 0.0,
    "fx_mix_mode": 0, "fx_type": 0, "fx_bias": 0, "fx_turb": 0.0, "fx_depth": 0,
    "fx_amplitude": 0.5, "fx_frequency": 2.0, "fx_size": 1.0, "fx_loc_x": 0.0, "fx_loc_y": 0.0,
    "fx_height": 1.0, "fx_invert": False, "fx_offset": 0.0, "edge_falloff": 3, "falloff_x": 4.0,
    "falloff_y": 4.0, "edge_level": 0.0, "maximum": 1.0, "minimum": -1.0, "vert_group": "",
    "strata": 5.0, "strata_type": 0, "water_plane": False, "water_level": 0.01,
    "remove_double": False,
}  # fmt: skip
"""Every setting that shapes the land or its mesh, with what it is before anyone changes it."""


class AntSettings:
    """Settings of A.N.T. Landscape, checked.

    Parameters
    ----------
    given : mapping of str to object
        By their names; missing ones have their defaults, and unknown names are left out. Options
        are keys or the numbers that a blend file stores.

    Raises
    ------
    ParameterError
        If a setting has a value that A.N.T. Landscape does not allow.
    """

    def __init__(self, keywords: Mapping[str, object]) -> None:
        self._values = {
            name: _read(name, keywords.get(name, default)) for name, default in DEFAULTS.items()
        }

    def text(self, name: str) -> str:
        """Return a text or the key of an option."""
        return str(self._values[name])

    def number(self, name: str) -> float:
        """Return a number."""
        return float(self._values[name])  # type: ignore[arg-type]

    def integer(self, name: str) -> int:
        """Return a whole number, or that of an option."""
        return int(self._values[name])  # type: ignore[call-overload, no-any-return]

    def is_on(self, name: str) -> bool:
        """Return a switch, or whether a text or a number is there."""
        return bool(self._values[name])

    @property
    def width(self) -> float:
        """Width of the mesh in Blender's units."""
        return self.number("mesh_size" if self.is_on("sphere_mesh") else "mesh_size_x")

    @property
    def depth(self) -> float:
        """Its depth, as a share of its width."""
        return 1.0 if self.is_on("sphere_mesh") else self.number("mesh_size_y") / self.width


def _read(name: str, value: object) -> object:
    default = DEFAULTS[name]
    if name in _KEYED:
        keys = tuple(_KEYED[name])
        if isinstance(value, int) and 0 <= value < len(keys):
            return keys[value]
        if value in keys:
            return value
    elif name in _NUMBERED:
        if str(value).isdigit() and int(str(value)) < _NUMBERED[name]:
            return int(str(value))
    elif isinstance(default, str):
        return str(value)
    elif isinstance(value, (bool, int, float)) and math.isfinite(value):
        # Blender keeps float32, which shows 0.15 as 0.15000000596.
        if isinstance(default, float):
            return float(str(np.float32(value)))
        return bool(value) if isinstance(default, bool) else int(value)
    raise ParameterError("{} of A.N.T. Landscape cannot be {}", name, format_value(value))
