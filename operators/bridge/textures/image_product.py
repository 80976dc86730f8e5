# SPDX-License-Identifier: GPL-3.0-or-later
"""Live update of images, and packing of painted ones before a file is saved.

Encoding the pixels for the packed file takes longer than computing them, and Blender has to decode it
before it draws. So while a slider is dragged the pixels are only shown; afterwards a thread encodes them
and they are packed.

Strokes change the pixels in memory, and a Blender file stores only packed ones. Terrane's button that
leaves Texture Paint packs them, but a user may leave it in other ways, or save the file during painting.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, cast

import bpy
import numpy as np

from ....noise_core import rasters
from ....noise_core.base.errors import Message
from ..datablocks import images, linked
from ..datablocks.record import Record
from ..datablocks.ref import Ref
from ..interface.registering import Handlers
from ..schema import painting, state
from ..tasks import live
from ..tasks.pace import Update, known_updates, structure
from ..tasks.product import IMAGE_KEY, Product
from ..tasks.task import PRODUCTS
from ..terrain import layer_times
from . import live_ramps, picture_records, pictures

if TYPE_CHECKING:  # imported when something is to be updated
    from ....noise_core.base.arrays import Field
    from ....noise_core.base.blocks import Cancel, Progress
    from ..tasks.jobs import Work
    from .picture_records import ImageRequest

PAINTED = Message("Press Update to replace the painted or saved image")
UNKNOWN = Message("Press Update once to follow the settings live")
TILED = Message("The image has tiles, frames or views: make another image")
WAITS = Message("Paused while painting")


class ImageProduct(Product):
    """Image of a recipe or a coloring."""

    key, owners, collection = IMAGE_KEY, bpy.types.Image, "images"
    is_of = staticmethod(state.is_picture)

    def must_wait(self, owner: bpy.types.Image) -> bool:
        """Wait until painting has ended."""
        return str(bpy.context.mode) == "PAINT_TEXTURE"

    def why_waiting(self, owner: bpy.types.Image) -> str:
        """Return a message about the end of painting."""
        return WAITS

    def refusal(self, owner: bpy.types.Image) -> str:
        """Refuse images that the user has changed or that cannot be written."""
        if reason := linked.why_not_write(owner):
            return reason
        if not images.is_single(owner):
            return TILED
        record = Record.of(owner, self.key)
        if record is None:
            return UNKNOWN
        is_ours = record.is_preview or not owner.is_dirty
        return "" if is_ours and images.packed_checksum(owner) == record.checksum else PAINTED

    def state(self, owner: bpy.types.Image) -> object:
        """Return the properties of the image that a refusal depends on, its record, and the names of all images."""
        packed = images.packed_checksum(owner)
        names = [image.name for image in bpy.data.images]
        kind = (linked.is_writable(owner), images.is_single(owner), owner.is_dirty)
        return (kind, Record.of(owner, self.key), packed, names)

    def request(self, owner: bpy.types.Image) -> ImageRequest | None:
        """Return the settings of the image; None while the panel shows those of surfaces, which make other images."""
        options = getattr(getattr(owner, state.PROPERTY), state.IMAGE_GROUP)
        return None if options.kind == "surface" else picture_records.present(owner)

    def digest(self, owner: bpy.types.Image, request: ImageRequest) -> str:
        """Return a digest of the settings."""
        return picture_records.digest(request)

    def holders(self, owner: bpy.types.Image) -> tuple[bpy.types.Image]:
        """Return the image."""
        return (owner,)

    def update(self, owner: bpy.types.Image, request: ImageRequest) -> Update:
        """Return the update to a request: a preview needs the same kind of image."""
        snapshot, picture = request.snapshot, request.picture
        shape = request.grid.shape
        can_preview = images.is_of_kind(
            owner, shape, float_buffer=picture.shape.float_buffer, is_color=picture.is_color
        )
        cost = structure(picture.recipe, snapshot.text)
        return Update(
            request,
            self.digest(owner, request),
            (*cost, request.look.coloring),
            shape,
            can_preview=can_preview,
            is_costly=True,
            is_light=can_preview,
        )

    def can_recall(self, owner: bpy.types.Image, update: Update) -> bool:
        """Return whether no mask and no other image counts, which `quick_plan` does not read."""
        states = update.request.snapshot.states
        return update.can_preview and not any(layer.mask or layer.pictures for layer in states)

    def quick_plan(self, owner: bpy.types.Image) -> Update | None:
        """Return the last update with the present seed, if nothing else has changed."""
        if (last := known_updates.get(Ref.of(owner).uid)) is None:
            return None
        request: ImageRequest = last.request
        picture, height = request.picture, request.snapshot.recipe.height
        group: Any = getattr(owner, state.PROPERTY)
        seed = group.seed
        is_other = group.height != np.float32(height) or images.shape_of(owner) != last.shape
        # Seeds are signed in Blender and unsigned in recipes.
        if is_other or (seed - picture.recipe.seed) % (1 << 32) == 0:
            return None
        shown = dataclasses.replace(picture, recipe=dataclasses.replace(picture.recipe, seed=seed))
        return dataclasses.replace(
            last,
            digest="",
            request=dataclasses.replace(request, picture=shown),
            is_shown=False,
            is_light=True,
            is_provisional=True,
        )

    def work(self, owner: bpy.types.Image, request: ImageRequest, side: int | None = None) -> Work:
        """Return the work on the packed file, or on the pixels of an interpolated preview."""
        snapshot, picture, grid = request.snapshot, request.picture, request.grid
        group = getattr(owner, state.PROPERTY)
        if side is None:
            masks = pictures.masks_of(picture, group, snapshot, grid)
            return pictures.packed_work(picture, grid, masks, request.seconds)
        coarse = grid
        if side < max(grid.shape):
            coarse = rasters.resampling.coarse_grid(grid, side)
            shape = dataclasses.replace(picture.shape, width=coarse.columns, height=coarse.rows)
            picture = dataclasses.replace(picture, shape=shape)
        masks = pictures.masks_of(picture, group, snapshot, coarse)
        work, channels = pictures.work(picture, coarse, masks), owner.channels

        def preview(progress: Progress, cancel: Cancel) -> Field:
            values = work(progress, cancel)
            if coarse is not grid:
                values = rasters.resampling.spread(values, coarse, grid)
            return images.pixels_of(values, channels)

        return preview

    def write(
        self, owner: bpy.types.Image, request: Any, result: Any, *, is_preview: bool = False
    ) -> str:
        """Show the pixels of a preview, or pack the full image."""
        if is_preview:
            cast(Any, owner.pixels).foreach_set(result)
            owner.update()
        else:
            images.write_content(owner, result)
            layer_times.note(owner, request.snapshot, request.seconds)
        images.redraw(bpy.context)
        return ""

    def record(
        self, owner: bpy.types.Image, update: Update, result: Any, *, is_preview: bool = False
    ) -> Record:
        """Return the record of the packed file."""
        return Record(update.digest, images.packed_checksum(owner), is_preview)

    def undo(self, owner: bpy.types.Image) -> None:
        """Show the packed file: undo does not restore the pixels."""
        if owner.packed_file is not None:
            cast(Any, owner).buffers_free()


IMAGE = ImageProduct()


def _forget(*_: Any) -> None:
    images.forget_checksums()


def _before_saving(*_: Any) -> None:
    for image in bpy.data.images:
        is_painted = image.is_dirty and image.get(painting.PAINTED)
        if is_painted and not IMAGE.shows_preview(image):
            painting.keep(image)


def _register() -> None:
    PRODUCTS.append(IMAGE)
    live.change_detectors.append(live_ramps.look)
    live_ramps.register()


def _end() -> None:
    live_ramps.unregister()
    live.change_detectors.clear()
    if IMAGE in PRODUCTS:
        PRODUCTS.remove(IMAGE)


_handlers = Handlers(
    ("undo_post", _forget),
    ("redo_post", _forget),
    ("load_pre", _forget),
    ("load_post", live_ramps.remember_all),
    ("save_pre", _before_saving),
    begin=_register,
    end=_end,
)
register, unregister = _handlers.register, _handlers.unregister
