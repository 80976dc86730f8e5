# SPDX-License-Identifier: GPL-3.0-or-later
"""The textures of a surface as images in the Blender file, without a material."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ...noise_core.arrays import Field
from ...noise_core.blocks import Cancel, Progress
from ...noise_core.errors import ParameterError
from ...noise_core.surfaces import MAPS
from . import images
from .jobs import Work
from .surface_baking import Request, encoded, textures_of
from .texture_images import image_name, is_exact

MARK = "terrane_baked"
"""Custom property of the images that are ours, with the name of the map: only these are made anew."""


def work(request: Request, maps: tuple[str, ...], storage: str, normal: str) -> Work:
    """Return the work that gives all maps, as images store them, by name.

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

    def bake(progress: Progress, cancel: Cancel) -> dict[str, Field]:
        textures = textures_of(request, maps, progress, cancel, normal)
        is_encoded = storage == "mixed"
        return {
            name: encoded(textures, name, is_encoded and MAPS[name].is_colour, cancel)
            for name in maps
        }

    return bake


def write(owner: str, fields: Mapping[str, Field], storage: str) -> list[bpy.types.Image]:
    """Make images of maps, or make those anew that were made before; whatever uses them keeps them.

    Parameters
    ----------
    owner : str
        Begins the names of all.
    fields : mapping of str to ndarray
        What `work` gave.
    storage : {"mixed", "float"}
    """
    made = []
    for name, field in fields.items():
        label = image_name(owner, name)
        image = bpy.data.images.get(label)
        kind = {
            "float_buffer": storage == "float" or is_exact(name),
            "is_colour": MAPS[name].is_colour,
        }
        if image is not None and image.get(MARK) == name and image.library is None:
            images.write_anew(image, field, **kind)
        else:
            image = images.new_image(label, field, **kind)
            image[MARK] = name
        made.append(image)
    return made
