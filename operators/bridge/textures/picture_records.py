# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that an image was made from, stored with it like those of a terrain.

Blender's undo restores the packed file of an image, but not the pixels that it shows. So the checksum of
its record is that of the packed file, 0 if nothing is packed; a preview is shown instead of it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import bpy

from ....noise_core.base.errors import TerraneError
from ....noise_core.recipes.layers import NoiseLayer
from ..datablocks import images
from ..datablocks.linked import require_writable
from ..datablocks.record import Record
from ..schema import picture_settings, settings, state
from ..schema.picture_options import IMAGE
from ..schema.picture_settings import ImageLook
from ..schema.values import write_values
from ..tasks.product import IMAGE_KEY
from ..terrain import layer_times, mesh_record
from ..terrain.terrains import Measures, Request
from . import live_ramps
from .pictures import ImageShape, Picture

if TYPE_CHECKING:
    from ....noise_core.base.grid import Grid


@dataclass(frozen=True)
class ImageRequest:
    """Settings of an image at one moment: those of its noise, the picture of it, and its colors."""

    snapshot: Request
    picture: Picture
    look: ImageLook
    grid: Grid
    """Of the pixels."""
    seconds: dict[tuple[int, ...], float] = field(default_factory=dict, compare=False, repr=False)
    """Times of its layers, once the image is made; see `layer_times.Seconds`."""

    @classmethod
    def of(cls, snapshot: Request, shape: ImageShape, look: ImageLook) -> ImageRequest:
        """Return the request for an image of some settings, in a shape; a TerraneError says if it is too large."""
        coloring, ramp = look.coloring_of(snapshot.recipe.noise), look.ramp_of()
        picture = Picture(snapshot.acting, shape, coloring, ramp)
        return cls(snapshot, picture, look, shape.grid(snapshot.recipe))


def digest(request: ImageRequest) -> str:
    """Return a short text that differs whenever the request differs."""
    look = request.look
    values = sorted((name, repr(value)) for name, value in look.values.items())
    ramp = look.ramp if look.coloring == "ramp" else look.palette
    shape = repr(request.picture.shape)
    whole = [mesh_record.digest(request.snapshot), shape, look.coloring, ramp, values]
    return hashlib.blake2b(json.dumps(whole).encode(), digest_size=16).hexdigest()


def editable(image: bpy.types.Image | None, name: str) -> bpy.types.Image:
    """Return an image that can be updated from its settings; raise a TerraneError for any other."""
    if image is None:
        raise TerraneError("image must name an image", got=repr(name))
    if not state.is_picture(image):
        raise TerraneError("{} was not made by Terrane: make a new image", image.name)
    require_writable(image)
    if not images.is_single(image):
        raise TerraneError("{} has tiles, frames or views: make another image", image.name)
    return image


def remember(image: bpy.types.Image, image_request: ImageRequest) -> None:
    """Store the settings that an image was made from."""
    group = getattr(image, state.PROPERTY)
    request, look = image_request.snapshot, image_request.look
    settings.write(group, request.recipe, request.states)
    group.preset = request.preset
    # Those of the terrain that it shows, so that an update can tell whether it shows other land.
    borders = {name: getattr(request.measures, name) for name in ("seamless", "tile")}
    write_values(group, borders)
    options = getattr(group, state.IMAGE_GROUP)
    write_values(options, dataclasses.asdict(image_request.picture.shape))
    picture_settings.write_look(options, look)
    # The recipe has the very noise that was colored; once tuned it is no longer the coloring's.
    is_own = request.recipe.noise == picture_settings.own_noise(look.coloring)
    options.source = "own" if is_own or not picture_settings.is_formula(look.coloring) else "recipe"
    group.is_picture = True
    Record(digest(present(image)), images.packed_checksum(image)).store(image, IMAGE_KEY)
    layer_times.note(image, request, image_request.seconds)
    live_ramps.look([image])


def present(image: bpy.types.Image) -> ImageRequest:
    """Return the request in an image's settings; a TerraneError if they are unreadable."""
    group: Any = getattr(image, state.PROPERTY)
    options = getattr(group, state.IMAGE_GROUP)
    shape, look = ImageShape.of(options), picture_settings.read_look(options)
    recipe, states = settings.read(group), settings.states(group)
    noise = picture_settings.own_noise(look.coloring) if options.source == "own" else None
    if noise is not None:
        recipe, states = dataclasses.replace(recipe, layers=(NoiseLayer(noise=noise),)), ()
    request = Request(recipe, Measures.of(group), group.preset, states)
    return ImageRequest.of(request, shape, look)


def snapshot(image: bpy.types.Image) -> tuple[object, ...]:
    """Return all values of an image's settings, for comparing; a TerraneError if they are unreadable."""
    group: Any = getattr(image, state.PROPERTY)
    options = getattr(group, state.IMAGE_GROUP)
    names = (
        *(parameter.name for parameter in IMAGE),
        *picture_settings.CHOICES,
        "kind",
        "colors",
        "coloring",
    )
    return (
        settings.read(group),
        settings.states(group),
        [getattr(options, name) for name in names],
        picture_settings.ramp_text(options),
        picture_settings.COLORINGS.read(options, options.coloring),
    )
