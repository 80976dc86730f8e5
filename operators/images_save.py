# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the textures of a surface into files."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from .bridge.core import TerraneError
from .bridge.messages import report
from .bridge.nodetree.surface_material import material as surface_material
from .bridge.textures import surface_baking, surface_files, surface_settings
from .bridge.work.jobs import Work
from .long_operator import LongOperator, refuses
from .surface_keywords import SurfaceOperator, surface_keywords

FILES = tuple(one.name for one in surface_settings.FILES)


class TERRANE_OT_images_save(LongOperator, SurfaceOperator, bpy.types.Operator):
    """Write seamless textures of a surface as files: granite_basecolor.png, granite_normal.png and others."""

    bl_idname = "terrane.images_save"
    bl_label = "Save Images"
    bl_description = "Write seamless textures of a surface as files: granite_basecolor.png, granite_normal.png and others"
    bl_options = {"REGISTER", "PRESET"}
    doing = "Saving Images"

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
        "name": StringProperty(
            name="Name",
            description="Begins the names of the files; that of the material or surface if empty",
            options={"SKIP_SAVE"},
        ),
        "overwrite": BoolProperty(
            name="Overwrite",
            description="Replace files that are there already",
            options={"SKIP_SAVE"},
        ),
    }  # fmt: skip

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while nothing else of ours is at work."""
        return not refuses(cls)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings, and look whether there are such files."""
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
        """Say what was written."""
        names = ", ".join(path.name for path in result)
        report(self, {"INFO"}, f"Wrote {len(result)} images to {result[0].parent}: {names}")
        return {"FINISHED"}

    def _request(self, context: bpy.types.Context) -> surface_baking.SurfaceRequest:
        """Return what is to be written: a material's surface, or what the keywords say."""
        if not self.material:
            return self.request(context)
        material = bpy.data.materials.get(self.material)
        request = None if material is None else surface_material.request_of(material)
        if request is None:
            raise TerraneError(f"material must name one that Terrane made; got {self.material!r}")
        return request
