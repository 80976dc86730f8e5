# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that an image was made from, stored with it like those of a terrain."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy

from ....noise_core.base.errors import TerraneError
from ....noise_core.layers import NoiseLayer
from ..datablocks import images
from ..datablocks.editing import is_writable
from ..schema import picture_settings, settings, state
from ..schema.keywords import IMAGE
from ..schema.picture_settings import ImageLook
from ..schema.values import assign, read_values
from ..terrain.terrains import Measures, Request
from . import live_ramps, made_pictures
from .pictures import ImageShape, Picture


def editable(image: bpy.types.Image | None, name: str) -> bpy.types.Image:
    """Return an image that can be made again from its settings.

    Raises
    ------
    TerraneError
        If there is none, it was not made from a recipe, it is linked from another file, or it has
        tiles, frames or views.
    """
    if image is None:
        raise TerraneError("image must name an image; got {!r}", name)
    if not state.is_picture(image):
        raise TerraneError("{} was not made by Terrane: make a new image", image.name)
    if not is_writable(image):
        raise TerraneError("{} is linked from another file: make it local first", image.name)
    if not images.is_single(image):
        raise TerraneError("{} has tiles, frames or views: make another image", image.name)
    return image


def remember(image: bpy.types.Image, request: Request, shape: ImageShape, look: ImageLook) -> None:
    """Store the settings that an image was made from."""
    group = getattr(image, state.PROPERTY)
    settings.write(group, request.recipe, request.states)
    group.preset = request.preset
    options = getattr(group, state.IMAGE_GROUP)
    assign(options, dataclasses.asdict(shape))
    picture_settings.write_look(options, look)
    # The recipe has the very noise that was colored; once tuned it is no longer the coloring's.
    is_own = request.recipe.noise == picture_settings.own_noise(look.coloring)
    options.source = "own" if is_own or not picture_settings.is_formula(look.coloring) else "recipe"
    group.is_picture = True
    asked, picture, as_read = present(image)
    made_pictures.remember(image, made_pictures.digest(asked, picture.shape, as_read))
    live_ramps.look([image])


def present(image: bpy.types.Image) -> tuple[Request, Picture, ImageLook]:
    """Return the request, picture and look of an image's settings.

    Raises
    ------
    TerraneError
        If they cannot be read, or a value is not allowed.
    """
    group: Any = getattr(image, state.PROPERTY)
    options = getattr(group, state.IMAGE_GROUP)
    shape = ImageShape(**read_values(options, IMAGE))
    look = picture_settings.read_look(options)
    recipe, states = settings.read(group), settings.states(group)
    noise = picture_settings.own_noise(look.coloring) if options.source == "own" else None
    if noise is not None:
        recipe, states = dataclasses.replace(recipe, layers=(NoiseLayer(noise=noise),)), ()
    request = Request(recipe, Measures.of(group), group.preset, states)
    picture = Picture(request.acting, shape, look.coloring_of(recipe.noise), look.ramp_of())
    return request, picture, look


def snapshot(image: bpy.types.Image) -> tuple[object, ...]:
    """Return all values of an image's settings, for comparing.

    Raises
    ------
    TerraneError
        If they cannot be read.
    """
    group: Any = getattr(image, state.PROPERTY)
    options = getattr(group, state.IMAGE_GROUP)
    choices = tuple(getattr(options, name) for name in (*picture_settings.CHOICES, "kind"))
    choices = (*choices, picture_settings.ramp_text(options))
    formula = options.coloring
    return (
        settings.read(group),
        settings.states(group),
        read_values(options, IMAGE),
        (*choices, options.colors, formula),
        picture_settings.read_group(options, formula),
    )
