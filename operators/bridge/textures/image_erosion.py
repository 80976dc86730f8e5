# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the erosion of images, stored with the scene.

Parameters are in the groups that layers have; panels show that of the chosen type. Scripts cannot set a group
in a call, so operators also have all parameters as plain keywords: ``modifier="thermal_erosion", talus_angle=30``.
"""

from __future__ import annotations

import functools
from typing import Any

import bpy
import numpy as np
from bpy.props import EnumProperty, StringProperty

from ....noise_core.base.arrays import Field
from ....noise_core.base.errors import Message, ParameterError
from ....noise_core.base.grid import Grid
from ..datablocks import images
from ..interface.registering import Settings
from ..schema import layers, state
from ..schema.declared_settings import declare
from ..schema.keywords import keywords
from ..schema.modifier_values import DEFAULT_TYPE, opacity_parameter
from ..schema.properties import blender_property, declared_properties, new_group

PROPERTY = "terrane_image_erosion"
"""Name of the group on a scene."""

SEAMLESS = declare("seamless", False, "Keep the image seamless")

IMAGE_MEASURES = (
    declare("size", 1000.0, "Width of the image's ground in meters", (1e-3, 1e7), (1.0, 20000.0), unit="length"),
    declare("height", 200.0, "Height from black to white in meters", (1e-6, 1e6), (1.0, 5000.0), unit="length"),
    SEAMLESS,
    declare("in_place", False, "Change the image itself instead of a copy", label="In Place"),
)  # fmt: skip
"""Parameters that an image of heights does not define."""


def modifier_properties(options: frozenset[Any] = frozenset()) -> dict[str, Any]:
    """Return the properties that select a modifier and set its parameters, in the groups that layers have."""
    return {
        "modifier": EnumProperty(
            name="Modifier",
            description="Modifier of the terrain",
            items=state.modifier_items(),
            default=DEFAULT_TYPE,
            options=set(options),
        ),
        "seed": blender_property(keywords()["seed"], is_strict=False, options=options),
        "opacity": blender_property(opacity_parameter(), is_strict=False, options=options),
        **layers.LAYER_TYPES.properties(options),
    }


def mask_property(options: frozenset[Any] = frozenset()) -> Any:
    """Return the property that names the image that is the mask of an erosion."""
    return StringProperty(
        name="Mask",
        description="Image that masks the erosion: 0 keeps, 1 erodes",
        options=set(options),
    )


def image_mask(name: str, grid: Grid) -> Field:
    """Return an image, from 0 to 1, stretched over a grid; raise a ParameterError if there is none."""
    from ....noise_core.rasters.resampling import resample_field  # here: Blender starts without

    image = bpy.data.images.get(name)
    if image is None:
        raise ParameterError("mask must name {}", Message("an image"), got=repr(name))
    pixels = np.clip(images.unsigned_pixels(image), 0.0, 1.0)
    return resample_field(pixels, grid.shape, is_smooth=False)


@functools.cache
def _classes() -> tuple[type[bpy.types.PropertyGroup], ...]:
    """Return the group of a scene."""
    properties = {
        **modifier_properties(),
        "mask": mask_property(),
        **declared_properties(IMAGE_MEASURES),
    }
    return (new_group("TERRANE_PG_image_erosion", "How images are eroded", properties),)


_settings = Settings(PROPERTY, "Image Erosion", _classes)
register, unregister, of = _settings.register, _settings.unregister, _settings.of
