# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures as packed images: of materials, and on their own.

Textures of a material are new images at every change, since undo knows no pixels. Images on their own,
the ones of *Bake Images*, keep their datablocks, so that everything that uses them keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import bpy

from ....noise_core.materials.surfaces import MAPS
from ..datablocks import compat, images, ownership
from ..datablocks.images import Content

MARK, BAKED_MARK = "terrane_texture", "terrane_baked"
"""Custom properties with the name of the map: of textures of a material, and of images on their own."""


def _image_name(owner: str, name: str) -> str:
    """Return the name of the image of a map."""
    return f"{owner} {MAPS[name].label}"


def new_texture(owner: str, name: str, packed: Content) -> bpy.types.Image:
    """Return a new image of a map of a material, given the names of both."""
    label = _image_name(owner, name)
    abandoned = ownership.find(
        bpy.data.images, label, lambda one: one.get(MARK) == name and one.users == 0
    )
    if abandoned is not None:  # so that the new one can have its name
        bpy.data.images.remove(abandoned)
    image = images.create_packed_image(label, packed)
    image[MARK] = name
    ownership.note(image, label)
    return image


def take_over(
    material: bpy.types.Material,
    before: Iterable[Any],
    after: Mapping[str, bpy.types.Image],
) -> None:
    """Replace the textures of a material by new ones, in all places where they are used.

    Terrane's nodes in the material, which are removed by now, have shown the ones before; the user's
    nodes change too. Another material of Terrane's that shows them keeps them, since its request
    describes them. The new ones are given by map, and take the names of the old ones.
    """
    nodes: Any = compat.node_tree(material).nodes
    for old in dict.fromkeys(before):
        if MARK not in old or old.library is not None:
            continue
        new = after.get(old[MARK])
        if ownership.is_in_another(old, material):
            for node in nodes if new is not None else ():
                if node.type == "TEX_IMAGE" and node.image == old:
                    node.image = new
        elif new is not None:
            name = old.name
            old.user_remap(new)
            bpy.data.images.remove(old)
            new.name = name
            ownership.note(new, new[ownership.ASKED])
        elif old.users == 0:
            bpy.data.images.remove(old)


def write_images(owner: str, contents: Mapping[str, Content]) -> list[bpy.types.Image]:
    """Create images of maps, whose names begin with the owner's, or write new pixels into those baked before."""
    made = []
    for name, packed in contents.items():
        label = _image_name(owner, name)
        image = ownership.find(bpy.data.images, label, partial(_is_baked, name))
        if image is None:
            image = images.create_image(label, packed)
            image[BAKED_MARK] = name
            ownership.note(image, label)
        else:
            images.write_content(image, packed)
        made.append(image)
    return made


def _is_baked(name: str, image: bpy.types.Image) -> bool:
    return image.get(BAKED_MARK) == name and images.can_be_packed(image)
