# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and keywords that scripts outside of the repository use."""

from __future__ import annotations

import bpy
import pytest

NOISE = {"preset", "noise", "fractal", "seed", "octaves", "frequency", "persistence", "lacunarity"}
NOISE |= {"warp"}
TERRAIN = NOISE | {"resolution", "size", "height"}
IMAGE = NOISE | {"width", "height", "seamless", "name"}
KEYWORDS = {
    "landscape_add": TERRAIN,
    "terrain_add": TERRAIN,
    "terrain_update": TERRAIN,
    "mesh_displace": NOISE,
    "image_new": IMAGE,
    "planet_add": NOISE | {"resolution"},
    "heightmap_export": {"filepath", "target"},
    "heightmap_import": {"filepath"},
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_operators_have_the_keywords_that_scripts_write(name: str):
    operator = getattr(bpy.ops.terrane, name)
    assert KEYWORDS[name] - set(operator.get_rna_type().properties.keys()) == set()


def test_one_session_calls_them_all(tmp_path):
    given = {"noise": "perlin", "fractal": "fbm", "seed": 7, "octaves": 3.0, "frequency": 3.0}
    given |= {"persistence": 0.4, "lacunarity": 2.0, "warp": 0.1}
    add = bpy.ops.terrane
    assert add.terrain_add(**given, resolution=33, size=100.0, height=20.0) == {"FINISHED"}
    terrain = bpy.context.active_object
    assert len(terrain.data.vertices) == 33 * 33 and terrain.dimensions.x == pytest.approx(100.0)
    assert add.terrain_update(seed=8) == {"FINISHED"}
    path = str(tmp_path / "land.tif")
    assert add.heightmap_export(filepath=path, target="geotiff") == {"FINISHED"}
    assert add.heightmap_import(filepath=path) == {"FINISHED"}
    bpy.ops.mesh.primitive_uv_sphere_add()
    assert add.mesh_displace(**given) == {"FINISHED"}
    image = {"width": 32, "height": 16, "seamless": True, "name": "Noise"}
    assert add.image_new(**given, **image) == {"FINISHED"}
    assert tuple(bpy.data.images["Noise"].size) == (32, 16)
    assert add.planet_add(seed=7, resolution=32) == {"FINISHED"}
