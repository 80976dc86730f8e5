# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that make textures of a surface, as images or files.

Operators that make textures share their keywords: `SurfaceOperator`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, StringProperty

from .bridge.datablocks import images
from .bridge.interface.core import Parameter, TerraneError
from .bridge.interface.messages import Message, report
from .bridge.nodetree import surface_material
from .bridge.schema import state
from .bridge.schema.values import number
from .bridge.tasks.jobs import Work
from .bridge.textures import surface_baking, surface_files, surface_images, surface_settings
from .long_operator import LongOperator, refuses
from .options import (
    from_panel_property,
    json_property,
    name_property,
    overwrite_property,
    redo_layout,
    take_settings,
)
from .recipe_keywords import NOT_REMEMBERED

BAKED = tuple(one.name for one in surface_settings.BAKED)

FILES = tuple(one.name for one in surface_settings.FILES)

_IMAGE = tuple(one.name for one in surface_settings.IMAGE)


class SurfaceOperator(LongOperator):
    """Mix-in of operators that make textures of a surface.

    Given keywords take precedence; the others come from the panel if it calls the operator, or else
    from declared defaults. Parameters that a surface exposes are given as JSON.
    """

    if TYPE_CHECKING:
        # Type checkers do not know the generated keywords.
        def __setattr__(self, name: str, value: Any) -> None: ...

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while no other operator of Terrane runs."""
        return not refuses(cls)

    def request(self, context: bpy.types.Context) -> surface_baking.SurfaceRequest:
        """Return the surface that the keywords define, and show it in the redo panel.

        Raises
        ------
        TerraneError
            If a value is unknown or not allowed.
        """
        self.take_options(context, "surface", "seed", *_IMAGE)
        key = self.surface
        values = surface_baking.defaults(key)
        if self.from_panel:
            stored = surface_settings.of(context)
            values |= surface_baking.values_of(stored, key, values)
        given = surface_baking.values_of(self, key, values)
        is_set = getattr(self, surface_settings.group_name(key)).is_property_set
        values |= {name: value for name, value in given.items() if is_set(name)}
        values |= surface_baking.parse_parameters(key, self.parameters)
        size, depth = number(self.size), number(self.depth)
        request = surface_baking.SurfaceRequest(
            key, values, self.seed, self.width, self.height, size, depth, self.seamless
        )
        surface_baking.write_values(self, request)
        self.parameters = ""
        return request

    def take_options(self, context: bpy.types.Context, *names: str) -> None:
        """Take missing options from the panel, if it calls the operator."""
        take_settings(self, surface_settings.of(context) if self.from_panel else None, *names)

    def take_maps(self, context: bpy.types.Context) -> None:
        """Take the choice of maps from the panel, if it calls the operator and none is given."""
        if self.from_panel and not self.properties.is_property_set("maps"):
            self.maps = surface_settings.saved_maps(surface_settings.of(context))

    def draw_surface(self, layout: bpy.types.UILayout, *names: str) -> None:
        """Draw the surface, its exposed parameters, other keywords and the maps."""
        layout.prop(self, "surface")
        group = getattr(self, surface_settings.group_name(self.surface))
        column = layout.column()
        for one in surface_settings.exposed_parameters(self.surface):
            column.prop(group, one.name)
        layout.prop(self, "seed")
        column = layout.column(align=True)
        for name in _IMAGE:
            column.prop(self, name)
        for name in names:
            layout.prop(self, name)
        layout.column(align=True).prop(self, "maps")


def surface_keywords(*declared: Parameter, maps: Iterable[str], description: str) -> dict[str, Any]:
    """Return the annotations of the keywords of a `SurfaceOperator`.

    Parameters
    ----------
    *declared : Parameter
        Own options of the operator.
    maps : iterable of str
        The maps to make by default.
    description : str
        Description of the choice of maps.
    """
    text = "What the surface exposes as a JSON object; it wins over all else"
    return {
        **surface_settings.surface_properties(NOT_REMEMBERED),
        "parameters": json_property(text),
        **surface_settings.option_properties((*surface_settings.IMAGE, *declared), NOT_REMEMBERED),
        "maps": EnumProperty(
            name="Maps",
            description=description,
            items=surface_settings.map_items(),
            default=set(maps),
            options={"ENUM_FLAG", "SKIP_SAVE"},
        ),
        "from_panel": from_panel_property(),
    }


class TERRANE_OT_images_bake(SurfaceOperator, bpy.types.Operator):
    """Make a set of textures of a surface as images, packed into this file."""

    bl_idname = "terrane.images_bake"
    bl_label = "Bake Images"
    bl_description = "Make a set of textures of a surface as images, packed into this file; those of the same name that were baked before are made anew"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Baking Images")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.BAKED, maps=surface_settings.SAVED, description="The maps to make"
        ),
        "name": name_property("Begins the names of the images; the surface's if empty"),
    }

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings."""
        self.asked = self.request(context)
        self.take_options(context, *BAKED)
        self.take_maps(context)
        maps = surface_files.sort_maps(self.maps)
        return surface_images.bake_images(self.asked, maps, self.storage, self.normal)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Make the images, and show the first unless one of them is shown."""
        owner = self.name or self.asked.surface().label
        made = surface_images.write_images(owner, result)
        if images.active(context) not in made:
            images.show(context, made[0])
        images.redraw(context)
        if self.from_panel:
            state.show_kind(context, "surface")
        report(
            self, {"INFO"}, "Baked {} images: {}", len(made), ", ".join(one.name for one in made)
        )
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        self.draw_surface(redo_layout(self), *BAKED, "name")


class TERRANE_OT_images_save(SurfaceOperator, bpy.types.Operator):
    """Write seamless textures of a surface as files: granite_basecolor.png, granite_normal.png and others."""

    bl_idname = "terrane.images_save"
    bl_label = "Save Images"
    bl_description = "Write seamless textures of a surface as files: granite_basecolor.png, granite_normal.png and others"
    bl_options = {"REGISTER", "PRESET"}
    doing = Message("Saving Images")

    __annotations__ = {
        **surface_keywords(
            *surface_settings.FILES,
            maps=surface_settings.SAVED,
            description="The maps to write",
        ),
        "material": StringProperty(
            name="Material",
            description="A material that Terrane made: its surface is written, with its settings; else what the other keywords say",
            options={"SKIP_SAVE"},
        ),
        "directory": surface_settings.directory_property(frozenset({"SKIP_SAVE"})),
        "name": name_property(
            "Begins the names of the files; that of the material or surface if empty"
        ),
        "overwrite": overwrite_property(),
    }  # fmt: skip

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and check for existing files."""
        request = self._request(context)
        self.take_options(context, *FILES, "directory", "overwrite")
        self.take_maps(context)
        files = surface_files.TextureFiles(
            surface_files.absolute_directory(self.directory),
            self.name or surface_files.file_stem(self.material or request.key),
            surface_files.sort_maps(self.maps),
            self.file_format,
            int(self.bits),
            self.normal,
        )
        if not self.overwrite:
            files.check_free()
        return surface_files.write_files(request, files, overwrite=self.overwrite)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Report the names of the files."""
        names = ", ".join(path.name for path in result)
        report(self, {"INFO"}, "Wrote {} images to {}: {}", len(result), result[0].parent, names)
        return {"FINISHED"}

    def _request(self, context: bpy.types.Context) -> surface_baking.SurfaceRequest:
        """Return the surface of the material, or the one that the keywords define."""
        if not self.material:
            return self.request(context)
        material = bpy.data.materials.get(self.material)
        request = None if material is None else surface_material.request_of(material)
        if request is None:
            raise TerraneError("material must name one that Terrane made; got {!r}", self.material)
        return request
