# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of a terrain's plants and stones as Blender renders them, read for files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.errors import TerraneError
from ....noise_core.io.instances import MeshInstances
from ..datablocks import compat, meshes
from . import parts, plants

_SHARE = "Viewport Share"


def read(context: bpy.types.Context, terrain: bpy.types.Object, unit: float) -> list[MeshInstances]:
    """Return all copies of each plant of a terrain, in meters from the origin of the scene.

    Parameters
    ----------
    unit : float
        Meters of one of Blender's units.

    Raises
    ------
    TerraneError
        If no plants grow on it.
    """
    obj = parts.find(context.scene, plants.PART, terrain)
    if obj is None:
        raise TerraneError("{} has no plants: add some first", terrain.name)
    matrices: dict[str, list[Any]] = {}
    models: dict[str, Any] = {}
    with _all_shown(obj):
        for instance in context.evaluated_depsgraph_get().object_instances:
            parent: Any = instance.parent
            if not instance.is_instance or parent is None or parent.original != obj:
                continue
            model: Any = instance.object.original
            models[model.name] = model
            matrix: Any = instance.matrix_world
            matrices.setdefault(model.name, []).append([tuple(row) for row in matrix])
    sets = []
    for name in sorted(models):
        placed = np.array(matrices[name], np.float64)
        placed[:, :3, 3] *= unit
        mesh = meshes.mesh_of(models[name])
        mesh.calc_loop_triangles()
        corners = np.empty(3 * len(mesh.loop_triangles), np.int32)
        mesh.loop_triangles.foreach_get("vertices", corners)
        points = meshes.positions_of(mesh) * np.float32(unit)
        sets.append(MeshInstances.of_matrices(name, points, corners.reshape(-1, 3), placed))
    return sets


@contextmanager
def _all_shown(obj: bpy.types.Object) -> Iterator[None]:
    """Let viewports show as many plants as renders meanwhile."""
    modifier: Any = obj.modifiers[0]
    share = compat.modifier_input(modifier, _SHARE)
    compat.set_modifier_input(modifier, _SHARE, 1.0)
    obj.update_tag()
    try:
        yield
    finally:
        compat.set_modifier_input(modifier, _SHARE, share)
        obj.update_tag()
