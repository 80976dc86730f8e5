# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update of images.

Encoding the pixels for the packed file takes longer than computing them, and Blender has to decode it
before it draws. So while a slider is dragged the pixels are only shown; afterwards a thread encodes them
and they are packed.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import bpy
from bpy.app.handlers import persistent

from ....noise_core.base.errors import Message
from ..datablocks import editing, images
from ..interface.registering import Handlers, undo_on_failure
from ..schema import masks, state
from ..tasks import coarse_fields, live
from ..tasks.task import KINDS, LiveTask, Update, structure
from ..terrain import made
from . import live_ramps, made_pictures, picture_records, pictures

if TYPE_CHECKING:  # imported when something is to be updated
    from ....noise_core.base.arrays import Field
    from ....noise_core.base.blocks import Cancel, Progress
    from ....noise_core.base.grid import Grid
    from ..tasks.jobs import Work
    from ..terrain.terrains import Request
    from .pictures import Picture

PAINTED = Message("The image was painted on or saved as a file: only Update makes it anew")
UNKNOWN = Message("Press Update once: from then on the image follows the settings")
LINKED = Message("The image is linked from another file: make it local first")
TILED = Message("The image has tiles, frames or views: make another image")
WAITS = Message("Waits until nobody paints")


@dataclass(frozen=True)
class _ImageRequest:
    asked: Request
    picture: Picture
    grid: Grid


class ImageTask(LiveTask):
    """An image that was made of a recipe or a coloring."""

    kind, collection = "picture", "images"
    is_followed = staticmethod(state.is_picture)

    def must_wait(self, owner: bpy.types.Image) -> bool:
        """Wait until painting has ended."""
        brush: Any = bpy.context.mode
        return bool(brush == "PAINT_TEXTURE")

    def why_waiting(self, owner: bpy.types.Image) -> str:
        """Return a message about the end of painting."""
        return WAITS

    def refusal(self, owner: bpy.types.Image) -> str:
        """Refuse images that the user has changed or that cannot be written."""
        if not editing.is_writable(owner):
            return LINKED
        if not images.is_single(owner):
            return TILED
        record = made_pictures.MadePicture.of(owner)
        if record is None:
            return UNKNOWN
        is_ours = record.is_preview or not owner.is_dirty
        return "" if is_ours and images.packed_checksum(owner) == record.packed else PAINTED

    def state(self, owner: bpy.types.Image) -> object:
        """Return the properties of the image that a refusal depends on, its record, and the names of all images."""
        packed = images.packed_checksum(owner)
        names = [one.name for one in bpy.data.images]
        kind = (editing.is_writable(owner), images.is_single(owner), owner.is_dirty)
        return (kind, made_pictures.MadePicture.of(owner), packed, names)

    def plan(self, owner: bpy.types.Image) -> Update | None:
        """Compare the settings with those that the image was made from."""
        request, picture, look = picture_records.present(owner)
        digest = made_pictures.digest(request, picture.shape, look)
        record = made_pictures.MadePicture.of(owner)
        is_same = record is not None and record.settings == digest
        if is_same and record is not None and not record.is_preview:
            return None
        shape = (picture.shape.height, picture.shape.width)
        own = _ImageRequest(request, picture, picture.shape.grid(request.recipe))
        kind = (*structure(picture.recipe, made.recipe_text(request)), look.coloring)
        can_preview = images.is_of_kind(
            owner,
            shape,
            float_buffer=picture.shape.float_buffer,
            is_color=picture.is_color,
        )
        return Update(
            digest,
            kind,
            shape,
            own,
            is_shown=is_same,
            can_preview=can_preview,
            is_costly=True,
            is_light=can_preview,
        )

    def work(self, owner: bpy.types.Image, update: Update, side: int | None) -> Work:
        """Return the work on the packed file, or on the pixels of an interpolated preview."""
        own: _ImageRequest = update.request
        grid = own.grid
        if side is None:
            return pictures.packed_work(own.picture, grid, _masks(owner, own, grid))
        coarse, channels = (
            coarse_fields.coarse_grid(grid, min(side, max(grid.shape))),
            owner.channels,
        )
        shape = dataclasses.replace(own.picture.shape, width=coarse.columns, height=coarse.rows)
        rough = dataclasses.replace(own.picture, shape=shape)
        work = pictures.work(rough, coarse, _masks(owner, own, coarse))

        def preview(progress: Progress, cancel: Cancel) -> Field:
            return images.pixels_of(
                coarse_fields.spread(work(progress, cancel), coarse, grid), channels
            )

        return preview

    def write(
        self, owner: bpy.types.Image, update: Update, result: Any, *, is_preview: bool
    ) -> str:
        """Show the pixels of a preview, or pack the full image."""
        if is_preview:
            images.show_pixels(owner, result)
            packed = images.packed_checksum(owner)
            made_pictures.MadePicture(update.settings, packed, is_preview=True).store(owner)
        else:
            images.write_content(owner, result)
            made_pictures.remember(owner, update.settings)
        images.redraw(bpy.context)
        return ""

    def undo(self, owner: bpy.types.Image) -> None:
        """Show the packed file: undo does not restore the pixels."""
        if owner.packed_file is not None:
            cast(Any, owner).buffers_free()

    def shows_preview(self, owner: bpy.types.Image) -> bool:
        """Return whether the pixels are a preview."""
        record = made_pictures.MadePicture.of(owner)
        return record is not None and record.is_preview


def _masks(owner: bpy.types.Image, own: _ImageRequest, grid: Grid) -> dict[int, Field]:
    if own.picture.coloring is not None:
        return {}
    group = getattr(owner, state.PROPERTY)
    return masks.fields(masks.owner_of(group), own.asked, grid)


@persistent
def _forget(*_: Any) -> None:
    images.forget_checksums()


@persistent
def _on_load(*_: Any) -> None:
    live_ramps.remember_all()


_handlers = Handlers(
    ("undo_post", _forget),
    ("redo_post", _forget),
    ("load_pre", _forget),
    ("load_post", _on_load),
)


def register() -> None:
    """Let images follow their settings."""
    with undo_on_failure(unregister):
        KINDS[bpy.types.Image] = ImageTask
        live.looks.append(live_ramps.look)
        live_ramps.register()
        _handlers.register()


def unregister() -> None:
    """Stop images from following their settings."""
    _handlers.unregister()
    live_ramps.unregister()
    live.looks.clear()
    KINDS.pop(bpy.types.Image, None)
