# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures become images with the right color spaces, packed into the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import bpy

from ....noise_core.arrays import Field
from ....noise_core.surfaces import MAPS
from ..datablocks import compat, images, ownership
from ..datablocks.images import Content

MARK = "terrane_texture"
"""Custom property of the images that are ours, with the name of the map: only these are replaced."""

EXACT = frozenset({"height", "normal"})
"""Maps that 8 bits are not enough for: steps in them are seen as terraces."""


def is_exact(name: str) -> bool:
    """Return whether a map needs floats."""
    return name in EXACT


def image_name(owner: str, name: str) -> str:
    """Return what the image of a map is called."""
    return f"{owner} {MAPS[name].label}"


def content(name: str, field: Field, storage: str) -> Content:
    """Return a map as it is packed into its image; any thread may do it.

    Parameters
    ----------
    name : str
        Of the map.
    field : ndarray of shape (rows, columns) or (rows, columns, 3), float32
        Values as they are stored: colors as sRGB if they get 8 bits, linear if floats.
    storage : {"mixed", "float"}
    """
    is_float = storage == "float" or is_exact(name)
    return images.content(field, float_buffer=is_float, is_color=MAPS[name].is_color)


def new_texture(owner: str, name: str, packed: Content) -> bpy.types.Image:
    """Return a new image of a map of a material, given the names of both."""
    label = image_name(owner, name)
    _drop_abandoned(label, name)
    image = images.create_packed_image(label, packed)
    image[MARK] = name
    ownership.note(image, label)
    return image


def is_ours(image: Any | None) -> bool:
    """Return whether an image was made here, and may be replaced."""
    return image is not None and MARK in image and image.library is None


def take_over(
    material: bpy.types.Material,
    before: Iterable[bpy.types.Image],
    after: Mapping[str, bpy.types.Image],
) -> None:
    """Let new textures of a material take the places of those it had, wherever these are used.

    Unless another material of ours shows them: it keeps them, for they are what it says it was made of.

    Parameters
    ----------
    material : Material
        Without its own nodes by now; those of the user's in it change too.
    before : iterable of Image
        What our nodes in it have shown.
    after : mapping of str to Image
        The new ones, by map.
    """
    for old in dict.fromkeys(before):
        if not is_ours(old):
            continue
        new = after.get(old[MARK])
        if ownership.is_in_another(old, material):
            _exchange(material, old, new)
        elif new is not None:
            _replace(old, new)
        elif old.users == 0:
            bpy.data.images.remove(old)


def _exchange(
    material: bpy.types.Material, old: bpy.types.Image, new: bpy.types.Image | None
) -> None:
    """Let the nodes of one material alone show another image."""
    nodes: Any = compat.node_tree(material).nodes
    for node in nodes:
        if new is not None and node.type == "TEX_IMAGE" and node.image == old:
            node.image = new


def _replace(old: bpy.types.Image, new: bpy.types.Image) -> None:
    """Let all that uses an image of ours use another one, which takes its name.

    Writing other pixels into the old one could not be undone: Blender's undo knows no pixels.
    """
    name = old.name
    old.user_remap(new)
    bpy.data.images.remove(old)
    new.name = name
    ownership.note(new, new[ownership.ASKED])


def _drop_abandoned(label: str, name: str) -> None:
    """Remove an image of ours that nothing uses, so that a new one can have its name."""

    def is_abandoned(image: bpy.types.Image) -> bool:
        return image.get(MARK) == name and image.users == 0

    image = ownership.find(bpy.data.images, label, is_abandoned)
    if image is not None:
        bpy.data.images.remove(image)
