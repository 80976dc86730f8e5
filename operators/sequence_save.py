# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a picture that moves as a sequence of files."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from .bridge.keywords import SEQUENCE
from .bridge.messages import Message, report
from .bridge.pictures import file_writing, sequences
from .bridge.textures import surface_files, surface_settings
from .bridge.values import read_values
from .bridge.work.jobs import Work
from .long_operator import refuses
from .picture_operator import PictureOperator, picture_keywords
from .recipe_keywords import NOT_REMEMBERED, declared_keywords

FORMATS = tuple(one for one in surface_settings.FILES if one.name in ("file_format", "bits"))
WHERE = (*(one.name for one in FORMATS), "directory", "overwrite")
"""Options that the panel has together with those of surfaces."""


class TERRANE_OT_sequence_save(PictureOperator, bpy.types.Operator):
    """Write an image that moves as a sequence of files, one a frame: clouds_0001.png and so on."""

    bl_idname = "terrane.sequence_save"
    bl_label = "Save Sequence"
    bl_description = "Write an image that moves as a sequence of files, one a frame: clouds_0001.png and so on; a loop has no jump"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    doing = Message("Saving the Sequence")

    __annotations__ = {
        **picture_keywords(),
        **declared_keywords(SEQUENCE),
        **surface_settings.option_properties(FORMATS, NOT_REMEMBERED),
        "directory": surface_settings.directory_property(frozenset({"SKIP_SAVE"})),
        "name": StringProperty(
            name="Name",
            description="Begins the names of the files; the coloring's or the preset's if empty",
            options={"SKIP_SAVE"},
        ),
        "overwrite": BoolProperty(
            name="Overwrite",
            description="Replace files that are there already",
            options={"SKIP_SAVE"},
        ),
        "load": BoolProperty(
            name="Load",
            description="Load the files as one image that plays them",
            default=True,
            options={"SKIP_SAVE"},
        ),
    }

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it while nothing else of ours is at work."""
        return not refuses(cls)

    def prepare(self, context: bpy.types.Context) -> Work:
        """Read the settings and the masks, and look whether there are such files."""
        self.asked_picture = made = self.picture(context)
        self._take_where(context)
        steps: dict[str, Any] = read_values(
            self.properties, SEQUENCE, {one.name: one.default for one in SEQUENCE}
        )
        files = sequences.Frames(
            surface_files.absolute_directory(self.directory),
            self.name or surface_files.file_stem(self.picture_name()),
            steps["frames"],
            steps["step"],
            self.file_format,
            int(self.bits),
        )
        sequences.check(made, files)
        if not self.overwrite:
            file_writing.check_free(files.paths())
        self.tell_borders(context)
        around = self.surroundings(context, made)
        return sequences.work(made, *around, files, overwrite=self.overwrite)

    def finish(self, context: bpy.types.Context, result: Any) -> set[str]:
        """Load what was written, and say so."""
        if self.load:
            image = sequences.load(result, self.asked_picture)
            sequences.show(context, image, len(result))
        first, last = result[0], result[-1]
        report(
            self,
            {"INFO"},
            "Wrote {} frames to {}: {} to {}",
            len(result),
            first.parent,
            first.name,
            last.name,
        )
        return {"FINISHED"}

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the image's size and kind, and what the files are like."""
        super().draw_options(layout, context)
        layout.prop(self, "frames")
        if self.motion == "endless":
            layout.prop(self, "step")
        for name in (*WHERE, "name", "load"):
            layout.prop(self, name)

    def _take_where(self, context: bpy.types.Context) -> None:
        """Take what is not given from the panel, if it calls."""
        stored = self._stored_options(context)
        if stored is None:
            return
        sources = [(stored, one.name) for one in SEQUENCE]
        sources += [(surface_settings.of(context), name) for name in WHERE]
        for source, name in sources:
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(source, name))
