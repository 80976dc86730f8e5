# SPDX-License-Identifier: GPL-3.0-or-later
"""The mask of a layer, shown over its terrain or image: red where the layer acts, white where it does not.

The overlay is drawn by this module and belongs to the session: no attribute, color or setting of the user's changes,
and nothing of it is saved or rendered. It follows the settings as a picture does, belongs to one layer of one terrain
or image, and ends when another layer is chosen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, part_of
from ....noise_core.base.errors import Message, TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.rasters import resampling
from ....noise_core.recipes.mask_values import mask_values, place_below
from ....noise_core.recipes.recipe import Recipe
from ..datablocks.ground import vertex_field
from ..datablocks.ref import Ref
from ..interface.messages import redraw_panels
from ..interface.registering import Handlers
from ..schema import changes, layer_list, layers, state
from ..tasks import pictures
from ..tasks.jobs import Work
from ..tasks.pace import Update, structure
from ..tasks.product import Product
from ..tasks.task import Task
from ..terrain import evaluation, terrain_product, terrains
from ..terrain.terrain_request import TerrainRequest
from ..terrain.terrains import Request
from ..terrain.user_mesh.heights import UserMeshHeights
from . import mask_drawing, picture_records, recipe_pictures

Owner = bpy.types.Object | bpy.types.Image
"""A terrain, or an image of noise."""

_LAYER = ("type", "name", "seed_offset")
"""Properties of an entry by which the overlay knows its layer."""

_BELOW_SHARE = 0.9
"""Share of the progress for the ground below the layer."""

_FINEST = 1024
"""Pixels along the longer side of an image's mask."""

_KEPT = 2
"""Grounds below a layer that are kept: while a mask is adjusted, they do not change. One is coarse."""


@dataclass(frozen=True, eq=False)
class MaskRequest:
    """The mask of a layer at one moment."""

    below: Recipe  # the recipe without its layer and those that act later
    recipe: Recipe
    number: int  # of the layer
    grid: Grid
    painted: Mapping[int, Field]
    """Painted masks of this layer and of those below it, by their numbers; of any resolution."""
    user_mesh: UserMeshHeights | None = None
    beyond: tuple[float, ...] = ()
    """Coordinates of an image along further dimensions."""
    is_image: bool = False

    def values(self, grid: Grid, progress: Progress, cancel: Cancel) -> Field:
        """Return where the layer acts."""
        where = {
            number: resampling.stretch(field, grid, is_texture=grid.wrap)
            for number, field in self.painted.items()
        }
        own = where.pop(self.number, None)
        part = part_of(progress, 0.0, _BELOW_SHARE)
        if self.beyond:
            ground = self.below.evaluate(
                grid, evolution=self.beyond, masks=where, progress=part, cancel=cancel
            ).height
        else:
            ground = _ground(self.below, grid, where, part, cancel)
        return mask_values(self.recipe, self.number, ground, grid, own, cancel=cancel)


_grounds: dict[tuple[Recipe, Grid], Field] = {}


def _ground(
    below: Recipe, grid: Grid, where: dict[int, Field], progress: Progress, cancel: Cancel
) -> Field:
    """Return the ground of a recipe, from the cache unless masks were painted, which change without a trace."""
    key = (below, grid)
    known = None if where else _grounds.get(key)
    if known is not None:
        return known
    height = evaluation.relief(below, grid, where, progress, cancel).height
    if not where:
        _grounds[key] = height
        for old in list(_grounds)[:-_KEPT]:
            _grounds.pop(old, None)  # another thread may have stored it first
    return height


class MaskOverlay(Product):
    """The overlay of one layer; there is one at a time."""

    key = "mask overlay"
    settled = 0.3
    pause = 0.1
    quick = 0.06
    smallest = 64
    is_urgent = False
    is_wanted = staticmethod(lambda owner: True)

    def __init__(self) -> None:
        self.task = Task(self, name="Show Mask")
        self.owner: Ref[Any] | None = None
        self.layer: tuple[Any, ...] = ()

    def begin(self, owner: Owner) -> None:
        """Show the mask of the active layer of a terrain or an image."""
        if self.owner is None:
            _handlers.register()
        entry = layer_list.active_entry(getattr(owner, state.PROPERTY))
        self.owner, self.layer = Ref.of(owner), _identity(entry)
        self.follow()

    def end(self) -> None:
        """Show no mask."""
        if self.owner is not None:
            _handlers.unregister()
        self.owner = None
        pictures.queue.discard(self.task.key)
        _grounds.clear()
        mask_drawing.hide()

    def follow(self) -> None:
        """Show the present mask, unless another layer was chosen."""
        if self.entry() is None:
            self.end()
        else:
            pictures.add(self.task)

    def entry(self) -> Any | None:
        """Return the entry of the layer, None if another one is active, or it has no mask any more."""
        shown = None if self.owner is None else self.owner.find()
        if shown is None or not layer_list.is_built(getattr(shown, state.PROPERTY)):
            return None
        entry = layer_list.active_entry(getattr(shown, state.PROPERTY))
        if entry is None or _identity(entry) != self.layer or not layer_list.is_masked(entry):
            return None
        return entry

    def request(self, owner: Any) -> MaskRequest | None:
        """Return the request for the present mask; None if there is none, or it cannot be read."""
        if self.entry() is None or self.owner is None:
            return None
        try:
            return _request(self.owner.resolve())
        except TerraneError:
            return None  # other parts of the panel show the reason

    def update(self, owner: Any, request: MaskRequest) -> Update:
        """Return the update: a coarse mask comes first."""
        cost = structure(request.below, request.below.to_json())
        return Update(request, "", cost, request.grid.shape, can_preview=True)

    def holders(self, owner: Any) -> tuple[()]:
        """Return nothing: no datablock holds it."""
        return ()

    def lacks_more(self, owner: Any, request: Any, *, is_thorough: bool) -> bool:
        """Return that it has to be made."""
        return True

    def work(self, owner: Any, request: MaskRequest, side: int | None = None) -> Work:
        """Evaluate the mask; return its values at the vertices, in their order, or at the pixels of an image."""
        grid, user_mesh = request.grid, request.user_mesh

        def evaluate(progress: Progress, cancel: Cancel) -> Field:
            is_whole = side is None or side >= max(grid.shape)
            coarse = grid if is_whole else resampling.coarse_grid(grid, side or 2)
            values = request.values(coarse, progress, cancel)
            if not is_whole:
                values = np.clip(resampling.spread(values, coarse, grid), 0.0, 1.0)
            if request.is_image:
                return values
            if user_mesh is not None:
                return user_mesh.gather(values, grid).ravel()
            return vertex_field(values, grid).ravel()

        return evaluate

    def write(self, owner: Any, request: Any, result: Any, *, is_preview: bool = False) -> str:
        """Draw it from now on."""
        shown = None if self.owner is None else self.owner.find()
        if shown is not None and self.entry() is not None:
            mask_drawing.show(shown, result)
        return ""


overlay = MaskOverlay()


def _identity(entry: Any) -> tuple[Any, ...]:
    return tuple(getattr(entry, name) for name in _LAYER)


def _request(owner: Owner) -> MaskRequest:
    """Return the request for the mask of the active layer; a TerraneError says if the settings are unreadable."""
    if isinstance(owner, bpy.types.Image):
        image = picture_records.present(owner)
        shape = image.picture.shape
        if max(shape.width, shape.height) > _FINEST:
            shape = recipe_pictures.reduce_shape(shape, _FINEST)
        found = _request_of(owner, image.snapshot, shape.grid(image.picture.recipe))
        return dataclasses.replace(found, beyond=shape.beyond, is_image=True)
    whole = TerrainRequest.of(owner, terrains.present_request(owner))
    user_mesh = UserMeshHeights.of(owner) if whole.is_user_mesh else None
    return dataclasses.replace(_request_of(owner, whole.snapshot, whole.grid), user_mesh=user_mesh)


def _request_of(owner: Owner, snapshot: Request, grid: Grid) -> MaskRequest:
    """Return the request for the mask of the active layer on a grid."""
    group: Any = getattr(owner, state.PROPERTY)
    number = layer_list.active_place(group)
    end = place_below(snapshot.recipe, number)
    below = [
        dataclasses.replace(layer, is_muted=layer.is_muted or place >= end)
        for place, layer in enumerate(snapshot.states)
    ]
    painted = recipe_pictures.read_masks(group, grid)
    return MaskRequest(
        layers.acting(snapshot.recipe, below),
        snapshot.recipe,
        number,
        grid,
        {place: field for place, field in painted.items() if place < end or place == number},
    )


def why_not(context: bpy.types.Context) -> str:
    """Return why the mask of the active layer cannot be shown, "" if it can."""
    group = state.active_settings(context)
    if not layer_list.is_built(group):
        return state.why_no_terrain(context)
    if group.is_picture and getattr(group, state.IMAGE_GROUP).kind != "noise":
        return Message("Only images of noise have layers with masks")
    entry = layer_list.active_entry(group)
    if entry is None or not layer_list.is_masked(entry):
        return Message("Choose a layer with a mask first")
    return ""


def is_shown(group: Any) -> bool:
    """Return whether the mask of the active layer of some settings is shown."""
    owner = overlay.owner
    return owner is not None and owner.refers_to(group.id_data) and overlay.entry() is not None


def toggle(context: bpy.types.Context) -> None:
    """Show the mask of the active layer, or none if it is shown."""
    group = state.active_settings(context)
    if not layer_list.is_built(group) or is_shown(group):
        overlay.end()
    else:
        overlay.begin(group.id_data)
    redraw_panels(context)


def _refresh(terrain: bpy.types.Object) -> None:
    """Draw the overlay on the new heights of a terrain."""
    if overlay.owner is not None and overlay.owner.refers_to(terrain):
        overlay.follow()


def _on_setting(owner: bpy.types.ID) -> None:
    if overlay.owner is not None and overlay.owner.refers_to(owner):
        overlay.follow()


def _on_undo(*_: Any) -> None:
    if overlay.owner is not None:
        overlay.follow()


def _on_load(*_: Any) -> None:
    overlay.end()


def _begin() -> None:
    changes.subscribe(_on_setting, owners=(bpy.types.Object, bpy.types.Image))
    terrain_product.refreshers.append(_refresh)


def _end() -> None:
    changes.unsubscribe(_on_setting)
    if _refresh in terrain_product.refreshers:
        terrain_product.refreshers.remove(_refresh)


_handlers = Handlers(
    *(("undo_post", _on_undo), ("redo_post", _on_undo), ("load_pre", _on_load)),
    begin=_begin,
    end=_end,
)
"""Registered while a mask is shown: few sessions show one."""
