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
from .bridge.schema import masks, settings, state
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
    regrid,
    terrain_product,
    terrains,
    user_mesh_conversion,
)
from .bridge.terrain.user_mesh import grid, heights, recognition
from .eroding_operator import ErodingOperator, erosion_keywords
from .long_operator import LongOperator
from .maps import draw_maps, report_refusal
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
    dataclasses.replace(keywords()["tile"], help="Which piece of an endless land this mesh is, in meshes to the right and up: chance depends on it"),
)  # fmt: skip
"""Parameters of a terrain that a mesh does not define."""


START = declare("start", "present", "What the erosion begins with", label="Begin With", options={
    "present": "The mesh as it is now: erosions add up",
    "original": "The heights from before the mesh became a terrain: all layers above them are removed",
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
        return reason or recognition.why_not(state.active_object(context))

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the mesh, unless it is a terrain."""
        obj = state.active_object(context)
        with editing.object_mode(context, obj):
            self.guard = editing.MeshGuard.of(obj)
            if state.is_terrain(obj):
                meshes.finite_positions_of(obj)  # refuses others
                self._check_terrain(obj)
                return lambda progress, cancel: None
            tile = (number(self.tile[0]), number(self.tile[1]))
            positions = meshes.basis_positions(meshes.mesh_of(obj))
            return recognition.work(obj, positions, is_seamless=self.seamless, tile=tile)

    def finish(self, context: bpy.types.Context, result: Any) -> Steps[set[str]]:
        """Make the mesh a terrain, and evaluate its layers; all that follows the heights is updated.

        A mesh that was no terrain is an ordinary one again unless its heights are written.
        """
        self._adopt(context, result)
        try:
            evaluated = yield self._evaluation(context)
            writing = self._write(context, evaluated)
            yield from steps.in_object_mode(context, self.guard.resolve(), writing)
        finally:
            if result is not None and not self.is_written:
                self._give_back(context)
        obj = self.guard.owner.resolve()
        if result is not None and result.gap > 0.0:
            report(self, {"WARNING"}, "Opposite edges were {:.3g} m apart and meet now", result.gap)
        report_other_users(self, meshes.mesh_of(obj))
        report_refusal(self, self.refused)
        yield from followers.follow(obj)
        return {"FINISHED"}

    def _adopt(
        self, context: bpy.types.Context, recognized: recognition.RecognizedMesh | None
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
            samples = request.grid()
            where = masks.fields(obj, request, samples)
            painted = masks.painted_checksum(obj, request, where)
            user_mesh = heights.UserMeshHeights.of(obj)
            maps = map_layers.choose_maps(obj, request.acting, request.states)
        if self._has_maps:
            maps = frozenset(self.maps)
        return evaluation.work(request.acting, samples, where, maps, painted, user_mesh)

    @property
    def _has_maps(self) -> bool:
        """Whether maps are chosen by a keyword."""
        return self.layer is not None and bool(self.properties.is_property_set("maps"))

    def _write(self, context: bpy.types.Context, result: evaluation.Evaluated) -> Steps[None]:
        """Take the steps that write heights, maps and settings."""
        obj = self.guard.resolve()
        self.guard.check(obj)
        find, built = self.guard.owner.resolve, terrains.built_grid(obj)
        values = (result.grid, result.height, result.maps)
        self.refused = yield from regrid.update_mesh(context, obj, built, *values)
        if self._has_maps:
            map_layers.want(meshes.mesh_of(find()), self.maps)
        layer_adding.write(find(), self.current_request, result, is_alone=self.is_alone)
        self.is_written = True
        for refresh in terrain_product.refreshers:
            refresh(find())

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
                    "{} must be {}, which the terrain {} has; got {}",
                    parameter.name,
                    expected,
                    obj.name,
                    value,
                )


class TERRANE_OT_terrain_from_mesh(_MeshOperator, bpy.types.Operator):
    """Make a terrain of the active mesh, if it is a regular grid of quads: its heights become the bottom layer, and erosion and noise lie above it. Vertices, materials, UV maps and vertex groups stay"""

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
    """Erode the active mesh, if it is a terrain or a regular grid of quads: a grid becomes a terrain, and a modifier is added on top of the layers"""

    bl_idname = "terrane.mesh_erode"
    bl_label = "Erode Mesh"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Eroding the Mesh")

    __annotations__ = {
        **erosion_keywords(START, *BORDERS, taken=("single_user",)),
        "seed": IntProperty(
            name="Seed Offset", description="Tells the random numbers of layers apart; a free one unless it is given",
            min=0, max=100_000, soft_max=32, options={"SKIP_SAVE"},
        ),
        "mask": text_property("Mask", "Where it acts: a vertex group, a float attribute or an image; 0 stays as it was, 1 changes"),
        "single_user": single_user_property(),
    }  # fmt: skip

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Refuse meshes that cannot be changed, or neither are nor can become a terrain."""
        reason, obj = state.why_not_change_object(context), state.active_object(context)
        if reason or not state.is_terrain(obj):
            return reason or recognition.why_not(obj)
        return settings.why_unreadable(getattr(obj, state.PROPERTY))

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the modifier and the mesh."""
        self.layer = self.chosen_modifier(context)
        self.seed_offset = self.seed if self.properties.is_property_set("seed") else None
        self.is_alone = self.start == "original"
        return _MeshOperator.prepare(self, context)

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
    """Make an ordinary mesh again of one that became a terrain: its former heights come back exactly, and the layers go"""

    bl_idname = "terrane.mesh_release"
    bl_label = "Make Ordinary Mesh"
    bl_options = {"REGISTER", "UNDO"}
    doing = Message("Making an Ordinary Mesh")
    writes = (state.active_mesh, state.active_object)

    __annotations__ = {
        "apply": switch_property("Apply", "Keep the present heights and maps instead of the former heights")
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
        if not state.is_terrain(obj) or grid.UserMeshGrid.of(meshes.mesh_of(obj)) is None:
            return Message("Select a mesh that became a terrain first")
        return ""

    def prepare(self, context: bpy.types.Context) -> Work:
        """Do nothing: the heights are stored."""
        obj = state.active_object(context)
        with editing.object_mode(context, obj):
            self.guard = editing.MeshGuard.of(obj)
        return lambda progress, cancel: None

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Restore the former heights, unless the present ones are kept, and forget the layers."""
        obj = self.guard.resolve()
        with editing.object_mode(context, obj):
            mesh = editing.editable_mesh(obj, single_user=False)
            user_mesh_conversion.release(obj, keeps_heights=self.apply)
        report_other_users(self, mesh)
        return {"FINISHED"}
