# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a material of a surface."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from .bridge.core import TerraneError
from .bridge.datablocks import materials
from .bridge.messages import Message, report
from .bridge.nodetree.surface_material import material as surface_material
from .bridge.textures import surface_baking, surface_settings
from .bridge.values import number
from .bridge.work.jobs import Work
from .long_operator import LongOperator, refuses
from .surface_keywords import SurfaceOperator, surface_keywords

LOOK = tuple(one.name for one in surface_settings.MATERIAL)


class TERRANE_OT_material_add(LongOperator, SurfaceOperator, bpy.types.Operator):
    """Make a material of seamless textures, packed into this file, and give it to the active object."""

    bl_idname = "terrane.material_add"
    bl_label = "Add Material"
    bl_description = "Make a material of seamless textures, packed into this file; one of the same name that was made before is written anew"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Baking the Material")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.MATERIAL,
            maps=surface_settings.IN_MATERIAL,
            description="The maps to make; what is the same everywhere becomes a number, not an image",
        ),
        "apply": BoolProperty(
            name="Apply",
            description="Put the material into the active slot of the active object",
            default=True,
            options={"SKIP_SAVE"},
        ),
        "name": StringProperty(
            name="Name",
            description="Of the material; the surface's if empty",
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while nothing else of ours is at work."""
        return not refuses(cls)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and which slot is meant."""
        self.asked = self.request(context)
        self.take_options(context, *LOOK)
        self.look = surface_material.SurfaceLook(
            self.mapping,
            number(self.scale),
            number(self.occlusion),
            self.displacement,
            self.storage,
        )
        thing = context.active_object if self.apply else None
        reason = materials.why_not_apply(thing)
        if reason:
            raise TerraneError(reason)
        self.slot = materials.MaterialSlot.of(thing)
        maps = self.look.needed(self.maps)
        return surface_baking.bake(self.asked, maps, self.storage)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Make the images and the nodes."""
        name = self.name or self.asked.surface().label
        material = surface_material.write_material(name, self.asked, result, self.look)
        is_applied = self.slot is not None and materials.apply(material, self.slot)
        if not is_applied:
            material.use_fake_user = True  # or it would not be saved
        if self.apply and not is_applied:
            report(self, {"INFO"}, "{}: there is no object to give it to", material.name)
        elif is_applied and not self.look.is_box and not materials.has_uv_map(self.slot):
            report(
                self,
                {"WARNING"},
                "{} has no UV map: unwrap it, or map by object",
                self.slot.owner.name,
            )
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        self.draw_surface(layout)
        for name in (*LOOK, "apply", "name"):
            layout.prop(self, name)
        layout.column(align=True).prop(self, "maps")
