# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of a mesh's figures beside those of measured land."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.helpers import pixels

TERRAIN = {"preset": "alps", "resolution": 129}


@pytest.mark.wide
def test_an_image_with_charts(terrain):
    assert bpy.ops.terrane.maps_figures() == {"FINISHED"}
    image = bpy.data.images[f"{terrain.name} figures"]
    assert tuple(image.size) == (1500, 920)
    assert image.packed_file is not None
    shown = pixels(image)
    assert shown[..., :3].std() > 0.05
    # The heading is at the top: dark letters on the left, nothing on the right.
    assert shown[-60:-20, 20:200, :3].min() < 0.4


@pytest.mark.slow
def test_a_changed_mesh_has_other_figures_in_the_same_image(terrain):
    bpy.ops.terrane.maps_figures()
    image = bpy.data.images[f"{terrain.name} figures"]
    pixels_before = pixels(image)
    for vertex in terrain.data.vertices:
        vertex.co.z *= 0.25
    bpy.ops.terrane.maps_figures()
    assert [one for one in bpy.data.images if one.name.startswith(terrain.name)] == [image]
    assert np.abs(pixels(image) - pixels_before).max() > 0.1


@pytest.mark.slow
def test_any_grid_is_measured(terrane):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=64, y_subdivisions=48, size=1000.0)
    obj = bpy.context.active_object
    for number, vertex in enumerate(obj.data.vertices):
        vertex.co.z = 40.0 * np.sin(0.3 * number)
    assert bpy.ops.terrane.maps_figures() == {"FINISHED"}
    assert f"{obj.name} figures" in bpy.data.images


def test_what_is_no_grid_is_refused(terrane):
    bpy.ops.mesh.primitive_monkey_add()
    images = len(bpy.data.images)
    with pytest.raises(RuntimeError, match="grid"):
        bpy.ops.terrane.maps_figures()
    assert len(bpy.data.images) == images
    bpy.ops.object.camera_add()
    with pytest.raises(RuntimeError, match="Select a mesh first"):
        bpy.ops.terrane.maps_figures()
