# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether somebody changes a mesh while it is read step by step."""

from __future__ import annotations

from typing import Any

import bpy

from .. import meshes
from ..work import attendance
from .subjects import Thing


class ChangedMeanwhileError(Exception):
    """What was read in the steps before is not what is there now."""


class Watch:
    """See whether a mesh object stays as it is, as long as ``with contextlib.closing(...)`` lasts.

    Blender tells which geometry it has evaluated anew: what it had to do before is done first.

    Parameters
    ----------
    context : Context
        Whose scene is looked at.
    thing : Object
        A mesh object in Object Mode.
    """

    def __init__(self, context: bpy.types.Context, thing: bpy.types.Object) -> None:
        self._thing = Thing.of(thing)
        self._mesh_number = meshes.mesh_of(thing).session_uid
        self._numbers = {self._thing.number, self._mesh_number}
        self._is_changed = False
        # Blender tells handlers apart by what they are, not by equality.
        self._updated: Any = lambda scene, depsgraph=None: self._look(depsgraph)
        self._undone: Any = lambda *arguments: self._note()
        if not attendance.is_at_once():
            context.evaluated_depsgraph_get()
            for handlers, function in self._handlers():
                handlers.append(function)

    def close(self) -> None:
        """Look no longer."""
        for handlers, function in self._handlers():
            if function in handlers:  # they are gone when a file was loaded
                handlers.remove(function)

    def found(self) -> bpy.types.Object:
        """Return the object.

        Raises
        ------
        ChangedMeanwhileError
            If it is not as it was.
        TerraneError
            If it is gone.
        """
        thing = self._thing.found()
        mesh = meshes.mesh_of(thing)
        if self._is_changed or thing.mode != "OBJECT" or mesh.session_uid != self._mesh_number:
            raise ChangedMeanwhileError(thing.name)
        return thing

    def mesh(self) -> bpy.types.Mesh:
        """Return the object's mesh; see `found`."""
        return meshes.mesh_of(self.found())

    def _handlers(self) -> tuple[tuple[Any, Any], ...]:
        own = bpy.app.handlers
        return (
            (own.depsgraph_update_post, self._updated),
            (own.undo_post, self._undone),
            (own.redo_post, self._undone),
        )

    def _look(self, depsgraph: Any) -> None:
        if depsgraph is not None and any(
            one.is_updated_geometry and one.id.original.session_uid in self._numbers
            for one in depsgraph.updates
        ):
            self._note()

    def _note(self) -> None:
        self._is_changed = True
