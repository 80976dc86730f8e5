# SPDX-License-Identifier: GPL-3.0-or-later
"""Painting of masks and heights: the painted datablocks, and Blender's modes for them.

A mask is a vertex group, painted in Weight Paint, or an image, painted on the terrain in Texture Paint
or in the Image Editor. Heights are painted on an image that replaces the noise. It starts as a picture
of the noise, so that the terrain changes only with the first stroke.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy
import numpy as np

from ....noise_core.base.errors import Message, RecipeError, TerraneError
from ....noise_core.base.grid import Grid
from ....noise_core.noises.raster import Raster
from ....noise_core.recipes.layers import NoiseLayer, flatten
from ..datablocks import images
from ..datablocks.editing import active_override, why_not_mode
from ..datablocks.linked import is_writable
from ..datablocks.meshes import mesh_of
from ..datablocks.ref import Ref
from ..datablocks.vertex_groups import write_weights
from . import layer_list, layers, mask_settings, masks, settings, state

MODES = {"GROUP": "WEIGHT_PAINT", "IMAGE": "TEXTURE_PAINT"}
"""Modes of objects by the kind of mask; see `masks.names`."""

LARGEST = 2048
"""Pixels along the longer side of a new image: finer than brushes, and quick to paint on."""

PAINTED = "terrane_painted"
"""Name of the custom property that marks images for painting."""

BASIS_PIXELS = "0.pixels"
"""Path of the pixels of a chain's basis; see `type_choice.Extras`."""

_LONGEST_NAME = 59
"""Bytes of the name of a painted mask: Blender's names have 63, four of which may be a number."""


def is_painting(context: bpy.types.Context) -> bool:
    """Return whether the current Image Editor, or else the active object, is in a paint mode."""
    space = _image_space(context)
    if space is not None:
        return bool(space.ui_mode == "PAINT")
    active = context.active_object
    return active is not None and active.mode in MODES.values()


def why_not(context: bpy.types.Context, group: Any) -> str:
    """Return why masks and heights of some settings cannot be painted now, "" if they can."""
    owner = masks.owner_of(group)
    if is_painting(context):
        is_mode = _image_space(context) is None
        return why_not_mode(context.active_object) if is_mode else ""
    is_plain = not state.is_terrain(owner) if owner is not None else _image_space(context) is None
    if is_plain:
        return Message("Select a terrain first: masks are painted on it")
    if owner is not None and (reason := state.why_not_through_part(context)):
        return reason
    if owner is not None and owner.mode not in ("OBJECT", "EDIT"):
        return Message("Switch to Object Mode or Edit Mode first")
    return "" if owner is None else why_not_mode(owner)


def new_group(owner: bpy.types.Object, title: str, old: str, fill: float) -> str:
    """Add a vertex group to paint to a terrain, which is not in Edit Mode; return its name.

    The weights of the old mask are copied if it has one value per vertex; else all are `fill`.
    """
    weights = masks.weights(owner, old) if old else None
    if weights is None:
        weights = np.full(len(mesh_of(owner).vertices), fill, np.float32)
    group = owner.vertex_groups.new(name=_free(owner, title))
    write_weights(group, weights)
    return group.name


def new_image(owner: masks.Owner, title: str, grid: Grid, fill: float) -> str:
    """Create an image of one gray to paint as a mask, and return its name."""
    values = np.full(_shape(grid), fill, np.float32)
    return images.new_image(_free(owner, title), values, float_buffer=False).name


def height_image(group: Any, title: str, grid: Grid) -> bpy.types.Image:
    """Return the image with the heights of some settings; create a picture of the noise if needed.

    Raises a TerraneError if the settings cannot be read, or the terrain is not tile (0, 0).
    """
    if grid.origin != (0.0, 0.0):
        raise TerraneError("Heights are painted on tile (0, 0) alone: set the tile back first")
    settings.fill(group)
    recipe, states = settings.read(group), list(settings.states(group))
    numbered = enumerate(layer for _, layer in flatten(recipe.layers))
    noises = ((place, layer) for place, layer in numbered if isinstance(layer, NoiseLayer))
    place, layer = next(noises, (-1, None))
    if layer is None:
        raise RecipeError("Add a layer of noise first")
    held = dict(states[place].pictures).get(BASIS_PIXELS, 0)
    existing = Ref("IMAGE", held, "").find()
    if existing is not None and isinstance(layer.noise, Raster):
        return existing
    rows, columns = _shape(grid)
    spread = recipe.grid((rows, columns), wrap=grid.wrap)
    picture = layer.noise.sample_grid(spread, recipe.seed)
    image = images.new_image(title, picture * np.float32(0.5) + np.float32(0.5), float_buffer=True)
    noise = Raster(pixels=images.signed_pixels(image), edge="clamp")
    painted = layers.change_layers(
        recipe, lambda index, old: dataclasses.replace(old, noise=noise) if index == place else old
    )
    of_mask = (
        reference
        for reference in states[place].pictures
        if reference[0].startswith(mask_settings.MASK)
    )
    pictures = ((BASIS_PIXELS, Ref.of(image).uid), *of_mask)
    bypassed = tuple(pair for pair in states[place].bypassed if pair[0] != layers.OWN)
    states[place] = dataclasses.replace(states[place], pictures=pictures, bypassed=bypassed)
    settings.write(group, painted, states)
    return image


def paint_group(context: bpy.types.Context, owner: bpy.types.Object, name: str) -> None:
    """Switch to Weight Paint with a vertex group."""
    owner.vertex_groups.active_index = owner.vertex_groups[name].index
    _enter(context, owner, MODES["GROUP"])


def check_surface(context: bpy.types.Context, owner: masks.Owner) -> None:
    """Make sure that an image can be painted: in the current Image Editor, or else on the terrain.

    Raises a TerraneError if the terrain has no UV map to paint by.
    """
    if _image_space(context) is not None or not isinstance(owner, bpy.types.Object):
        return
    if not mesh_of(owner).uv_layers:
        raise TerraneError("{} has no UV map, by which an image lies on it: unwrap it", owner.name)


def paint_image(context: bpy.types.Context, owner: masks.Owner, image: bpy.types.Image) -> None:
    """Start painting an image on the surface that `check_surface` checks."""
    if is_writable(image):
        image[PAINTED] = True
    brushes: Any = context.scene.tool_settings.image_paint
    space = _image_space(context)
    if space is not None:
        space.image = image
        space.ui_mode = "PAINT"
        return
    brushes.mode, brushes.canvas = "IMAGE", image
    _enter(context, owner, MODES["IMAGE"])


def go_back(context: bpy.types.Context) -> None:
    """Leave the paint mode, and pack the painted image, so that the Blender file saves it."""
    space = _image_space(context)
    if space is not None:
        painted, space.ui_mode = space.image, "VIEW"
    else:
        painted = context.scene.tool_settings.image_paint.canvas
        _enter(context, context.active_object, "OBJECT")
    if painted is not None:
        keep(painted)


def keep(image: bpy.types.Image) -> None:
    """Pack the pixels of a painted image, unless it has a file, which the user saves.

    A Blender file stores only packed pixels.
    """
    has_file = image.source == "FILE" and image.packed_file is None
    if image.is_dirty and not has_file and images.is_single(image) and is_writable(image):
        images.pack_pixels(image)


def _image_space(context: bpy.types.Context) -> Any | None:
    """Return the current Image Editor, None in other editors."""
    space: Any = context.space_data
    return space if space is not None and space.type == "IMAGE_EDITOR" else None


def _enter(context: bpy.types.Context, obj: Any, mode: Any) -> None:
    if context.active_object != obj:  # one of its parts is: brushes paint on the active object
        context.view_layer.objects.active = obj
        obj.select_set(True)
    with active_override(context, obj):
        bpy.ops.object.mode_set(mode=mode)


def _shape(grid: Grid) -> tuple[int, int]:
    """Return rows and columns of an image as fine as a grid, at most `LARGEST`."""
    longer = max(grid.shape)
    share = min(1.0, LARGEST / longer)
    rows, columns = (max(2, round(share * count)) for count in grid.shape)
    return rows, columns


def _free(owner: masks.Owner, title: str) -> str:
    """Return an unused mask name, since a name finds only the first mask that has it.

    It is short enough: Blender cuts names by bytes, through a character too, and then cannot read them.
    """
    short = title.encode()[:_LONGEST_NAME].decode(errors="ignore")
    return layer_list.free_name(short, {name for name, _ in masks.names(owner)})
