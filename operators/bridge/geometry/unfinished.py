# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh that is made in several steps, and that nothing in a scene uses until it is done."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.errors import TerraneError


class Unfinished:
    """A new mesh, by its name and Blender's number: an undo may take it away.

    Used by ``with contextlib.closing(...)``.

    Parameters
    ----------
    name : str
        What Blender calls it.
    """

    def __init__(self, name: str) -> None:
        mesh = bpy.data.meshes.new(name)
        self._name, self._number = mesh.name, mesh.session_uid
        self._carrier: tuple[str, int] | None = None

    def close(self) -> None:
        """Remove it unless it was kept."""
        self._drop_carrier()
        mesh = _searched(bpy.data.meshes, self._name, self._number)
        if mesh is not None:
            bpy.data.meshes.remove(mesh)

    def mesh(self) -> bpy.types.Mesh:
        """Return the mesh; raise a TerraneError if it is gone."""
        mesh: bpy.types.Mesh | None = _searched(bpy.data.meshes, self._name, self._number)
        if mesh is None:
            raise self._gone()
        return mesh

    def carrier(self) -> bpy.types.Object:
        """Return an object with that mesh, in no scene: vertex groups are written through one."""
        if self._carrier is None:
            carrier = bpy.data.objects.new(self._name, self.mesh())
            self._carrier = carrier.name, carrier.session_uid
        found: bpy.types.Object | None = _searched(bpy.data.objects, *self._carrier)
        if found is None or found.data != self.mesh():
            raise self._gone()
        return found

    def kept(self) -> bpy.types.Mesh:
        """Return the mesh, which is finished now and stays."""
        mesh = self.mesh()
        self._drop_carrier()
        self._number = 0  # Blender gives no such number
        return mesh

    def _drop_carrier(self) -> None:
        if self._carrier is not None:
            carrier = _searched(bpy.data.objects, *self._carrier)
            self._carrier = None
            if carrier is not None:
                bpy.data.objects.remove(carrier)

    def _gone(self) -> TerraneError:
        return TerraneError("{} was removed meanwhile: nothing was changed", self._name)


def _searched(owners: Any, name: str, number: int) -> Any | None:
    named = owners.get(name)
    if named is not None and named.session_uid == number:
        return named
    return next((one for one in owners if one.session_uid == number), None)
