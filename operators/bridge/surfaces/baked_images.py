# SPDX-License-Identifier: GPL-3.0-or-later
"""The textures of a surface as images in the Blender file, without a material."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ....noise_core.blocks import Cancel, Progress
from ....noise_core.errors import ParameterError
from ....noise_core.surfaces import MAPS
from ..datablocks import images, ownership
from ..datablocks.images import Content
from ..work.jobs import Work
from .surface_baking import Request, contents_of, textures_of
from .texture_images import image_name

MARK = "terrane_baked"
"""Custom property of the images that are ours, with the name of the map: only these are made anew."""


def work(request: Request, maps: tuple[str, ...], storage: str, normal: str) -> Work:
    """Return the work that gives the contents of the images of all maps, by name.

    Parameters
    ----------
    request : Request
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
        raise ParameterError(f"maps must be some of {', '.join(MAPS)}; got none")

    def bake(progress: Progress, cancel: Cancel) -> dict[str, Content]:
        textures = textures_of(request, maps, progress, cancel, normal)
        return contents_of(textures, maps, storage, cancel)

    return bake


def write(owner: str, contents: Mapping[str, Content]) -> list[bpy.types.Image]:
    """Make images of maps, or make those anew that were made before; whatever uses them keeps them.

    Parameters
    ----------
    owner : str
        Begins the names of all.
    contents : mapping of str to Content
        What `work` gave.
    """
    made = []
    for name, packed in contents.items():
        label = image_name(owner, name)
        image = _found(label, name)
        if image is None:
            image = images.create_image(label, packed)
            image[MARK] = name
            ownership.note(image, label)
        else:
            images.write_content(image, packed)
        made.append(image)
    return made


def _found(label: str, name: str) -> bpy.types.Image | None:
    """Return the image of a map that was baked under a name before."""

    def is_ours(image: bpy.types.Image) -> bool:
        return image.get(MARK) == name and images.can_be_packed(image)

    found: bpy.types.Image | None = ownership.find(bpy.data.images, label, is_ours)
    return found
