# SPDX-License-Identifier: GPL-3.0-or-later
"""What an image was made of is kept with it, in settings like those of a terrain."""

from __future__ import annotations

import dataclasses
from typing import Any

import bpy

from ...noise_core.errors import TerraneError
from . import picture_settings, settings, state
from .keywords import IMAGE
from .picture_settings import Look
from .pictures import ImageShape
from .terrains import Request
from .values import assign, read_values


def editable(image: bpy.types.Image | None, name: str) -> bpy.types.Image:
    """Return an image that can be made anew.

    Raises
    ------
    TerraneError
        If there is none, it was not made of a recipe, or it is linked from another file.
    """
    if image is None:
        raise TerraneError(f"image must name an image; got {name!r}")
    if not state.is_picture(image):
        raise TerraneError(f"{image.name} was not made by Terrane: make a new image")
    if image.library is not None or not image.is_editable:
        raise TerraneError(f"{image.name} is linked from another file: make it local first")
    return image


def remember(image: bpy.types.Image, request: Request, shape: ImageShape, look: Look) -> None:
    """Store what an image was made of."""
    group = getattr(image, state.PROPERTY)
    settings.write(group, request.recipe, request.pictures, request.notes)
    group.preset, group.size = request.preset, request.measures.size
    options = getattr(group, state.IMAGE_GROUP)
    assign(options, dataclasses.asdict(shape))
    picture_settings.write_chosen(options, look)
    # The recipe has the very noise that was coloured; once tuned it is no longer the colouring's.
    is_own = request.recipe.noise == picture_settings.own_noise(look.colouring)
    options.source = (
        "own" if is_own or not picture_settings.is_formula(look.colouring) else "recipe"
    )
    group.is_picture = True


def snapshot(image: bpy.types.Image) -> tuple[object, ...]:
    """Return what an image's settings say, for comparing.

    Raises
    ------
    TerraneError
        If they cannot be read.
    """
    group: Any = getattr(image, state.PROPERTY)
    options = getattr(group, state.IMAGE_GROUP)
    base = {one.name: one.default for one in IMAGE}
    choices = tuple(getattr(options, name) for name in (*picture_settings.CHOICES, "kind"))
    choices = (*choices, picture_settings.ramp_text(options))
    formula = options.colouring
    values = picture_settings.read_group(options, formula, picture_settings.defaults(formula))
    return (
        settings.read(group),
        settings.notes(group),
        read_values(options, IMAGE, base),
        (*choices, options.colours, formula),
        values,
    )
