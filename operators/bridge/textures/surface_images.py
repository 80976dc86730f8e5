# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures as packed images with the right color spaces: of materials, and on their own.

Textures of a material are new images at every change, since undo knows no pixels. Images on their own,
the ones of *Bake Images*, keep their datablocks, so that everything that uses them keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import bpy

from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import ParameterError
from ....noise_core.materials.surfaces import MAPS
from ..datablocks import compat, images, ownership
from ..datablocks.images import Content
from ..tasks.jobs import Work
from .surface_baking import SurfaceRequest, contents_of, textures_of

MARK, BAKED_MARK = "terrane_texture", "terrane_baked"
"""Custom properties with the name of the map: of textures of a material, and of images on their own."""


def image_name(owner: str, name: str) -> str:
    """Return the name of the image of a map."""
    return f"{owner} {MAPS[name].label}"


def new_texture(owner: str, name: str, packed: Content) -> bpy.types.Image:
    """Return a new image of a map of a material, given the names of both."""
    label = image_name(owner, name)
    _remove_unused(label, name)
    image = images.create_packed_image(label, packed)
    image[MARK] = name
    ownership.note(image, label)
    return image


def is_ours(image: Any | None) -> bool:
    """Return whether an image is one of Terrane's and may be replaced."""
    return image is not None and MARK in image and image.library is None


def take_over(
    material: bpy.types.Material,
    before: Iterable[bpy.types.Image],
    after: Mapping[str, bpy.types.Image],
) -> None:
    """Replace the textures of a material by new ones, in all places where they are used.

    Another material of Terrane's that shows them keeps them, since its request describes them.

    Parameters
    ----------
    material : Material
        Terrane's nodes in it are removed by now; the user's change too.
    before : iterable of Image
        The ones that Terrane's nodes in it have shown.
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
    """Replace an image in the nodes of one material only."""
    nodes: Any = compat.node_tree(material).nodes
    for node in nodes:
        if new is not None and node.type == "TEX_IMAGE" and node.image == old:
            node.image = new


def _replace(old: bpy.types.Image, new: bpy.types.Image) -> None:
    """Replace an image everywhere by another one, which takes its name.

    Writing other pixels into the old one could not be undone: Blender's undo knows no pixels.
    """
    name = old.name
    old.user_remap(new)
    bpy.data.images.remove(old)
    new.name = name
    ownership.note(new, new[ownership.ASKED])


def _remove_unused(label: str, name: str) -> None:
    """Remove an unused image of Terrane's, so that a new one can have its name."""

    def is_abandoned(image: bpy.types.Image) -> bool:
        return image.get(MARK) == name and image.users == 0

    image = ownership.find(bpy.data.images, label, is_abandoned)
    if image is not None:
        bpy.data.images.remove(image)


def bake_images(request: SurfaceRequest, maps: tuple[str, ...], storage: str, normal: str) -> Work:
    """Return the work that computes the contents of the images of maps, by name.

    Parameters
    ----------
    request : SurfaceRequest
    maps : tuple of str
    storage : {"mixed", "float"}
        See `surface_settings.MATERIAL`.
    normal : {"opengl", "directx"}

    Raises
    ------
    ParameterError
        If no map is wanted.
    """
    if not maps:
        raise ParameterError("maps must be some of {}; got none", ", ".join(MAPS))

    def bake(progress: Progress, cancel: Cancel) -> dict[str, Content]:
        textures = textures_of(request, maps, progress, cancel, normal)
        return contents_of(textures, maps, storage, cancel)

    return bake


def write_images(owner: str, contents: Mapping[str, Content]) -> list[bpy.types.Image]:
    """Create images of maps, or write new pixels into existing ones.

    Parameters
    ----------
    owner : str
        Begins the names of all.
    contents : mapping of str to Content
        See `bake_images`.
    """
    made = []
    for name, packed in contents.items():
        label = image_name(owner, name)
        image = _find_image(label, name)
        if image is None:
            image = images.create_image(label, packed)
            image[BAKED_MARK] = name
            ownership.note(image, label)
        else:
            images.write_content(image, packed)
        made.append(image)
    return made


def _find_image(label: str, name: str) -> bpy.types.Image | None:
    """Return the image of a map that was baked before under a name."""

    def is_ours(image: bpy.types.Image) -> bool:
        return image.get(BAKED_MARK) == name and images.can_be_packed(image)

    found: bpy.types.Image | None = ownership.find(bpy.data.images, label, is_ours)
    return found
