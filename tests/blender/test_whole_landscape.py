# SPDX-License-Identifier: GPL-3.0-or-later
"""A landscape with all its parts is ordinary data: its file renders the same without the extension."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.rendering import render_with_and_without


@pytest.mark.wide
def test_a_saved_landscape_renders_the_same_without_the_extension(terrane, tmp_path):
    scene = bpy.context.scene
    scene.world = scene.camera = None
    assert bpy.ops.terrane.landscape_add(preset="rolling_hills", resolution=129) == {"FINISHED"}
    parts = {obj.get("terrane_part") for obj in scene.objects}
    assert {"plants", "land", "sun", "camera"} <= parts, parts
    assert bpy.context.active_object.active_material is not None
    own, other = render_with_and_without(tmp_path)
    assert own.reshape(18, 32, 4)[:9].std() > 0.05
    np.testing.assert_array_equal(other, own)
