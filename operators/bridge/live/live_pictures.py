# SPDX-License-Identifier: GPL-3.0-or-later
"""Images that follow their settings live.

To encode what is packed takes longer than to make it, and Blender has to read it before it draws. So
the pixels are only shown while a slider is dragged, and packed when it rests; threads encode them.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, cast

import bpy

from ....noise_core.arrays import Field
from ....noise_core.blocks import Cancel, Progress
from ....noise_core.grid import Grid
from .. import images, state
from ..geometry import editing
from ..pictures import made_pictures, packed_files, picture_records, pictures
from ..pictures.made_pictures import MadePicture
from ..pictures.pictures import Picture
from ..recipes import masks
from ..terrain import made
from ..terrain.terrains import Request
from ..work.jobs import Work
from .live_pace import structure
from .live_preview import coarse_grid, spread
from .live_target import Plan, Target

PAINTED = "The image was painted on or saved as a file: only Update makes it anew"
UNKNOWN = "Press Update once: from then on the image follows the settings"
LINKED = "The image is linked from another file: make it local first"
TILED = "The image has tiles, frames or views: make another image"
WAITS = "Waits until nobody paints"


@dataclass(frozen=True)
class _Order:
    asked: Request
    picture: Picture
    grid: Grid


class PictureTarget(Target):
    """An image that was made of a recipe or a coloring."""

    kind = "picture"

    def found(self) -> bpy.types.Image | None:
        """Return the image."""
        image: bpy.types.Image | None = self._among(bpy.data.images)
        return image if image is not None and state.is_picture(image) else None

    def must_wait(self, owner: bpy.types.Image) -> bool:
        """Wait until nobody paints on it."""
        brush: Any = bpy.context.mode
        return bool(brush == "PAINT_TEXTURE")

    def why_waiting(self, owner: bpy.types.Image) -> str:
        """Say when it goes on."""
        return WAITS

    def refusal(self, owner: bpy.types.Image) -> str:
        """Protect what is not ours to change."""
        if not editing.is_writable(owner):
            return LINKED
        if not images.is_single(owner):
            return TILED
        record = MadePicture.of(owner)
        if record is None:
            return UNKNOWN
        is_ours = record.is_preview or not owner.is_dirty
        return "" if is_ours and packed_files.checksum(owner) == record.packed else PAINTED

    def state(self, owner: bpy.types.Image) -> object:
        """Return whose image it is, what it was made of, and which others there are."""
        packed = packed_files.checksum(owner)
        names = [one.name for one in bpy.data.images]
        kind = (editing.is_writable(owner), images.is_single(owner), owner.is_dirty)
        return (kind, MadePicture.of(owner), packed, names)

    def plan(self, owner: bpy.types.Image, *, is_thorough: bool = False) -> Plan | None:
        """Compare what is asked for with what the image was made of."""
        request, picture, look = picture_records.present(owner)
        digest = made_pictures.digest(request, picture.shape, look)
        record = MadePicture.of(owner)
        is_same = record is not None and record.settings == digest
        if is_same and record is not None and not record.is_preview:
            return None
        shape = (picture.shape.height, picture.shape.width)
        order = _Order(request, picture, picture.shape.grid(request.recipe))
        kind = (*structure(picture.recipe, made.recipe_text(request)), look.coloring)
        can_preview = images.is_of_kind(
            owner,
            shape,
            float_buffer=picture.shape.float_buffer,
            is_color=picture.is_color,
        )
        return Plan(
            digest, kind, shape, is_same, can_preview, order, is_costly=True, is_light=can_preview
        )

    def work(self, owner: bpy.types.Image, plan: Plan, side: int | None) -> Work:
        """Make the whole as it is packed, or the pixels of a preview, which is spread over all of them."""
        order: _Order = plan.order
        grid = order.grid
        if side is None:
            return pictures.packed_work(order.picture, grid, _masks(owner, order, grid))
        coarse, channels = coarse_grid(grid, min(side, max(grid.shape))), owner.channels
        shape = dataclasses.replace(order.picture.shape, width=coarse.columns, height=coarse.rows)
        rough = dataclasses.replace(order.picture, shape=shape)
        work = pictures.work(rough, coarse, _masks(owner, order, coarse))

        def preview(progress: Progress, cancel: Cancel) -> Field:
            return images.shown(spread(work(progress, cancel), coarse, grid), channels)

        return preview

    def write(self, owner: bpy.types.Image, plan: Plan, result: Any, *, is_preview: bool) -> str:
        """Show the pixels of a preview; pack the whole."""
        if is_preview:
            images.show_pixels(owner, result)
            packed = packed_files.checksum(owner)
            MadePicture(plan.settings, packed, is_preview=True).store(owner)
        else:
            images.write_content(owner, result)
            made_pictures.remember(owner, plan.settings)
        images.redraw(bpy.context)
        return ""

    def undone(self, owner: bpy.types.Image) -> None:
        """Show what is packed: undo leaves the pixels of what it has undone."""
        if owner.packed_file is not None:
            cast(Any, owner).buffers_free()


def _masks(owner: bpy.types.Image, order: _Order, grid: Grid) -> dict[int, Field]:
    if order.picture.coloring is not None:
        return {}
    group = getattr(owner, state.PROPERTY)
    return masks.fields(masks.owner_of(group), order.asked, grid)
