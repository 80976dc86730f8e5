# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests for the textures of a surface, and the work that bakes them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import RecipeError
from ....noise_core.base.grid import Grid
from ....noise_core.materials.surfaces import MAPS, Surface, TextureSet, surface
from ..datablocks import images
from ..datablocks.images import Content
from ..schema.keywords import keywords
from ..schema.values import assign, json_parameters, read_values
from ..tasks import installed_memory
from ..tasks.jobs import Work
from .encoding import srgb
from .surface_settings import IMAGE, exposed_parameters, group_name

EXACT = frozenset({"height", "normal"})
"""Maps that 8 bits are not enough for: steps in them are seen as terraces."""


@dataclass(frozen=True)
class SurfaceRequest:
    """A surface, and the measures of its textures.

    Attributes
    ----------
    key : str
        Key of the surface.
    values : mapping of str to number, bool or color
        Its exposed parameters; missing ones have their defaults.
    seed : int
    width, height : int
        Pixels.
    size, depth : float
        Meters; 0 for the surface's own. See `surface_settings.IMAGE`.
    seamless : bool
        Whether opposite edges meet.
    """

    key: str
    values: Mapping[str, object]
    seed: int
    width: int
    height: int
    size: float
    depth: float
    seamless: bool = True

    def __post_init__(self) -> None:
        for parameter in IMAGE:
            parameter.check(getattr(self, parameter.name), "Material")
        keywords()["seed"].check(self.seed, "Material")

    def surface(self) -> Surface:
        """Return the surface with these parameters."""
        return surface(self.key, **self.values)

    def grid(self) -> Grid:
        """Return the grid of the texels."""
        size = self.size or self.surface().size
        return Grid(self.height, self.width, wrap=self.seamless, size=size)

    def to_json(self) -> str:
        """Return the request as text, stored in what is made of it."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> SurfaceRequest:
        """Return the request that `to_json` wrote.

        Raises
        ------
        RecipeError
            If it is something else.
        """
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise RecipeError("this material's recipe cannot be read: {}", error) from error


@dataclass(frozen=True)
class BakedSurface:
    """Textures to be made images, and constants that need none.

    Attributes
    ----------
    contents : mapping of str to Content
        Of the images, ready to be packed.
    constants : mapping of str to tuple of floats
        Linear; maps that are the same everywhere.
    size, depth : float
        Meters.
    means : mapping of str to tuple of floats
        Linear averages of base color, roughness and metallic, for views without textures.
    """

    contents: Mapping[str, Content]
    constants: Mapping[str, tuple[float, ...]]
    size: float
    depth: float
    means: Mapping[str, tuple[float, ...]]


def values_of(group: Any, key: str, base: Mapping[str, object]) -> dict[str, object]:
    """Return a surface's parameters from a group of properties."""
    return read_values(getattr(group, group_name(key)), exposed_parameters(key), base)


def write_values(group: Any, request: SurfaceRequest) -> None:
    """Write a surface's parameters to a group of properties."""
    assign(getattr(group, group_name(request.key)), dict(request.surface().settings))


def defaults(key: str) -> dict[str, object]:
    """Return the defaults of a surface's parameters."""
    return dict(surface(key).settings)


def parse_parameters(key: str, text: str) -> dict[str, object]:
    """Return the parameters in JSON text.

    Raises
    ------
    ParameterError
        If it is no JSON object, or the surface has no such parameter.
    """
    if not text:
        return {}
    plain = json_parameters(text)
    settings = surface(key).with_values(**plain).settings
    return {name: settings[name] for name in plain}


def bake(request: SurfaceRequest, maps: Iterable[str], storage: str) -> Work:
    """Return the work that bakes the textures of a material.

    Parameters
    ----------
    request : SurfaceRequest
    maps : iterable of str
        Names of the maps; those that are the same everywhere get no image.
    storage : {"mixed", "float"}
        With "mixed" colors are encoded for images of 8 bits.
    """
    made, wanted = request.surface(), [name for name in MAPS if name in set(maps)]
    constants = {name: value for name in wanted if (value := made.constant(name)) is not None}
    if made.constant("height") is not None:
        wanted = [name for name in wanted if name != "normal"]  # all of them point up
    images = tuple(name for name in wanted if name not in constants)

    def run(progress: Progress, cancel: Cancel) -> BakedSurface:
        textures = textures_of(request, images, progress, cancel)
        contents = contents_of(textures, images, storage, cancel)
        means = {name: _mean(textures, name) for name in images if MAPS[name].formula}
        return BakedSurface(contents, constants, textures.size, textures.depth, means | constants)

    return run


def textures_of(
    request: SurfaceRequest,
    maps: tuple[str, ...],
    progress: Progress,
    cancel: Cancel,
    normal: str = "opengl",
) -> TextureSet:
    """Return maps of a surface.

    Raises
    ------
    Cancelled
        If `cancel` returned True.
    TerraneError
        If the computer has not enough memory for them.
    """
    each = sum(MAPS[name].channels for name in maps) * installed_memory.PER_TEXEL
    installed_memory.require("Material", request.width * request.height, each)
    made, grid, depth = request.surface(), request.grid(), request.depth or None
    if not maps:
        scaled = made.depth * grid.size / made.size
        return TextureSet({}, grid.size, scaled if depth is None else depth, normal)
    return made.textures(
        grid, request.seed, maps, depth=depth, normal=normal, progress=progress, cancel=cancel
    )


def encode(textures: TextureSet, name: str, is_encoded: bool, cancel: Cancel) -> Field:
    """Return a map as an image stores it: normals in [0, 1], colors as sRGB if asked.

    Raises
    ------
    Cancelled
        If `cancel` returned True.
    """
    field = textures.encode(name)
    return srgb(field, cancel) if is_encoded else field


def content_of(name: str, field: Field, storage: str) -> Content:
    """Return a map as it is packed into its image; any thread may call it.

    Parameters
    ----------
    name : str
        Of the map.
    field : ndarray of shape (rows, columns) or (rows, columns, 3), float32
        Stored values: colors as sRGB for 8 bits, linear for floats.
    storage : {"mixed", "float"}
    """
    is_float = storage == "float" or name in EXACT
    return images.content(field, float_buffer=is_float, is_color=MAPS[name].is_color)


def contents_of(
    textures: TextureSet, maps: Iterable[str], storage: str, cancel: Cancel
) -> dict[str, Content]:
    """Return maps as they are packed into images: normals in [0, 1], colors of 8 bits as sRGB.

    Raises
    ------
    Cancelled
        If `cancel` returned True.
    """
    made: dict[str, Content] = {}
    with cancellable(cancel):
        for name in maps:
            is_encoded = MAPS[name].is_color and storage == "mixed"
            made[name] = content_of(name, encode(textures, name, is_encoded, cancel), storage)
    return made


def _mean(textures: TextureSet, name: str) -> tuple[float, ...]:
    field = textures[name]
    return tuple(field.reshape(-1, MAPS[name].channels).mean(axis=0, dtype=np.float64).tolist())
