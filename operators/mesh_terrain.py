# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on the user's meshes: make a terrain of one, erode it in one call, make an ordinary mesh of it again."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy
from bpy.app.translations import pgettext_tip
from bpy.props import IntProperty

from ..noise_core.base.errors import ParameterError
from ..noise_core.modifiers.bases.modifier import Modifier
from .bridge.datablocks import editing, meshes
from .bridge.interface.messages import Message, report
from .bridge.schema import settings, state
from .bridge.schema.declared_settings import declare
from .bridge.schema.exact_numbers import number
from .bridge.schema.keywords import keywords
from .bridge.tasks import steps
from .bridge.tasks.jobs import Work
from .bridge.tasks.steps import Steps
from .bridge.terrain import (
    evaluation,
    followers,
    layer_adding,
    map_layers,
    partial_lands,
    regrid,
    terrain_product,
    terrain_request,
    terrains,
    user_mesh,
    user_mesh_conversion,
)
from .eroding_operator import ErodingOperator, erosion_keywords
from .long_operator import LongOperator
from .maps import are_maps_given, chosen_maps, draw_maps, report_refusal
from .options import (
    redo_layout,
    report_other_users,
    single_user_property,
    switch_property,
    text_property,
)
from .recipe_keywords import declared_keywords

BORDERS = (
    declare("seamless", False, "Make opposite edges meet, erosion included"),
    keywords()["tile"]._replace(help="Tile coordinates of this mesh in an endless terrain, for random values"),
)  # fmt: skip
"""Parameters of a terrain that a mesh does not define."""


START = declare("start", "present", "Heights that the erosion starts from", label="Begin With", options={
    "present": "Current heights: erosions add up",
    "original": "Heights from before the mesh became a terrain; removes all layers",
})  # fmt: skip
"""Ground of an added layer."""


class _MeshOperator(LongOperator):
    """Mix-in of operators that make a terrain of the active mesh, and may add a layer to it."""

    writes = (state.active_mesh, state.active_object)

    layer: Modifier | None = None
    """The layer to add."""
    seed_offset: int | None = None
    """Of that layer; None takes a free one."""
    is_alone = False
    """Whether it replaces the other layers above the former heights."""

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse meshes that cannot be changed, or cannot become a terrain."""
        reason = state.why_not_change_object(context)
        return reason or user_mesh.recognition.why_not(state.active_object(context))

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Make the mesh a terrain, unless it is one, and evaluate its layers; all that follows the heights is updated.

        A mesh that was no terrain is an ordinary one again unless its heights are written.
        """
        recognized = yield self._recognition(context)
        self._adopt(context, recognized)
        try:
            evaluated = yield self._evaluation(context)
            writing = self._write(context, evaluated)
            yield from steps.in_object_mode(context, self.guard.resolve(), writing)
        finally:
            if recognized is not None and not self.is_written:
                self._give_back(context)
        obj = self.guard.owner.resolve()
        if recognized is not None and recognized.gap > 0.0:
            gap = recognized.gap
            report(self, {"WARNING"}, "Opposite edges were {:.3g} m apart and meet now", gap)
        report_other_users(self, meshes.mesh_of(obj))
        report_refusal(self, self.refused)
        yield from followers.follow(obj)
        return {"FINISHED"}

    def _recognition(self, context: bpy.types.Context) -> Work:
        """Return the work that recognizes the grid of the mesh; nothing of a terrain, which is checked."""
        obj = state.active_object(context)
        with editing.object_mode(context, obj):
            self.guard = editing.MeshGuard.of(obj)
            if state.is_terrain(obj):
                meshes.finite_positions_of(obj)  # refuses others
                self._check_terrain(obj)
                return lambda progress, cancel: None
            tile = (number(self.tile[0]), number(self.tile[1]))
            positions = meshes.basis_positions(meshes.mesh_of(obj))
            return user_mesh.recognition.work(obj, positions, is_seamless=self.seamless, tile=tile)

    def _adopt(
        self, context: bpy.types.Context, recognized: user_mesh.recognition.RecognizedMesh | None
    ) -> None:
        """Make the mesh a terrain whose only layer is its heights, unless it is a terrain."""
        obj = self.guard.resolve()
        self.is_written = False
        with editing.object_mode(context, obj):
            self.guard.check(obj)
            editing.editable_mesh(obj, single_user=self.single_user)
            if recognized is not None:
                user_mesh_conversion.adopt(obj, recognized)
            self.guard = editing.MeshGuard.of(obj)

    def _give_back(self, context: bpy.types.Context) -> None:
        """Make an ordinary mesh of one whose heights were not written, as far as it is there."""
        obj = self.guard.owner.find()
        if obj is not None and self.guard.mesh.refers_to(meshes.mesh_of(obj)):
            with editing.object_mode(context, obj):
                user_mesh_conversion.release(obj, keeps_heights=True)

    def _evaluation(self, context: bpy.types.Context) -> Work:
        """Return the work that evaluates the layers, with the new one if there is one."""
        obj, layer = self.guard.resolve(), self.layer
        with editing.object_mode(context, obj):
            mask = "" if layer is None else self.mask
            self.current_request = request = layer_adding.request_with(
                obj, layer, mask, self.seed_offset, is_alone=self.is_alone
            )
            maps = frozenset(chosen_maps(self)) if self._has_maps else None
            whole = dataclasses.replace(terrain_request.TerrainRequest.of(obj, request), maps=maps)
            return terrain_product.TERRAIN.work(obj, whole)

    @property
    def _has_maps(self) -> bool:
        """Whether maps are chosen by a keyword."""
        return self.layer is not None and are_maps_given(self)

    def _write(self, context: bpy.types.Context, result: evaluation.Evaluated) -> Steps[None]:
        """Take the steps that write heights, maps and settings."""
        obj = self.guard.resolve()
        self.guard.check(obj)
        find, built = self.guard.owner.resolve, terrains.built_grid(obj)
        values = (result.grid, result.height, result.maps)
        self.refused = yield from regrid.update_mesh(context, obj, built, *values)
        if self._has_maps:
            map_layers.want(meshes.mesh_of(find()), chosen_maps(self))
        layer_adding.write(find(), self.current_request, result, is_alone=self.is_alone)
        self.is_written = True
        terrain_product.refresh(find())

    def _check_terrain(self, obj: bpy.types.Object) -> None:
        """Raise a ParameterError if borders are given that differ from those that a terrain has."""
        reason = terrain_product.why_not_move(obj)
        if reason:
            raise ParameterError("{}: {}", obj.name, reason)
        measures = terrains.present_request(obj).measures
        for parameter in BORDERS:
            expected = getattr(measures, parameter.name)
            value = getattr(self, parameter.name)
            value = value if isinstance(value, bool) else tuple(map(number, value))
            if self.properties.is_property_set(parameter.name) and value != expected:
                raise ParameterError(
                    "{} must be {}, which the terrain {} has",
                    parameter.name,
                    expected,
                    obj.name,
                    got=value,
                )


class TERRANE_OT_terrain_from_mesh(_MeshOperator, bpy.types.Operator):
    """Make a terrain of the active grid; its heights become the bottom layer"""

    bl_idname = "terrane.terrain_from_mesh"
    bl_label = "Make Terrain of Mesh"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Making a Terrain of the Mesh")

    __annotations__ = {**declared_keywords(BORDERS), "single_user": single_user_property()}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        for name in ("seamless", "tile", "single_user"):
            layout.prop(self, name)


class TERRANE_OT_mesh_erode(ErodingOperator, _MeshOperator, bpy.types.Operator):
    """Erode the active terrain, or a regular grid of quads, which becomes a terrain"""

    bl_idname = "terrane.mesh_erode"
    bl_label = "Erode Mesh"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Eroding the Mesh")

    __annotations__ = {
        **erosion_keywords(START, *BORDERS, taken=("single_user",)),
        "seed": IntProperty(
            name="Seed Offset", description="Seed offset of the layer; automatic unless given",
            min=0, max=100_000, soft_max=32, options={"SKIP_SAVE"},
        ),
        "mask": text_property("Mask", "Vertex group, float attribute or image that masks the erosion: 0 keeps, 1 erodes"),
        "single_user": single_user_property(),
    }  # fmt: skip

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse meshes that cannot be changed, or neither are nor can become a terrain."""
        reason, obj = state.why_not_change_object(context), state.active_object(context)
        if reason or not state.is_terrain(obj):
            return reason or user_mesh.recognition.why_not(obj)
        return settings.why_unreadable(getattr(obj, state.PROPERTY)) or partial_lands.why_not(obj)

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Read the modifier, and erode the mesh."""
        self.layer = self.chosen_modifier(context)
        self.seed_offset = self.seed if self.properties.is_property_set("seed") else None
        self.is_alone = self.start == "original"
        return (yield from _MeshOperator.run(self, context))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        self.draw_modifier(layout)
        if (obj := state.active_object(context)) is not None:
            layout.prop_search(self, "mask", obj, "vertex_groups", results_are_suggestions=True)
        for name in ("start", "seamless", "tile", "single_user"):
            layout.prop(self, name)
        draw_maps(layout, self)


class TERRANE_OT_mesh_release(LongOperator, bpy.types.Operator):
    """Turn a terrain of a mesh back into that mesh, with its former heights"""

    bl_idname = "terrane.mesh_release"
    bl_label = "Make Ordinary Mesh"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Making an Ordinary Mesh")
    writes = (state.active_mesh, state.active_object)

    __annotations__ = {
        "apply": switch_property("Apply", "Keep the current heights and maps instead of the former heights")
    }  # fmt: skip

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the description of the chosen way to treat the heights."""
        if properties.apply:
            return str(pgettext_tip("Keep the present heights and maps, and remove the layers"))
        return str(pgettext_tip(str(cls.__doc__)))

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse meshes that cannot be changed, or did not become a terrain."""
        reason = state.why_not_change_object(context)
        if reason:
            return reason
        obj = state.active_object(context)
        if not state.is_terrain(obj) or user_mesh.grid.UserMeshGrid.of(meshes.mesh_of(obj)) is None:
            return Message("Select a mesh that became a terrain first")
        return ""

    def run(self, context: bpy.types.Context) -> Steps[set[str]]:
        """Restore the former heights, unless the present ones are kept, and forget the layers."""
        obj = state.active_object(context)
        with editing.object_mode(context, obj):
            guard = editing.MeshGuard.of(obj)
        yield None
        obj = guard.resolve()
        with editing.object_mode(context, obj):
            mesh = editing.editable_mesh(obj, single_user=False)
            user_mesh_conversion.release(obj, keeps_heights=self.apply)
        report_other_users(self, mesh)
        return {"FINISHED"}
