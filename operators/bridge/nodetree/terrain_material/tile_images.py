# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of seamless tiles of Terrane's surfaces.

A tile is two images. The first has how each texel's color differs from the average, and its height as the
fourth channel; the color itself comes from the layer. The second has normal and roughness, for ground near
the camera (`near_tiles`). They are found by a mark with surface and size, so that all terrains share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import bpy
import numpy as np

from .....noise_core.base.arrays import Field
from .....noise_core.base.blocks import Cancel, Progress, cancellable, part_of
from .....noise_core.base.grid import Grid
from .....noise_core.materials.surfaces import surface
from ...datablocks import images
from ...datablocks.images import Content
from ...datablocks.linked import is_writable
from ...tasks.jobs import Work
from ...textures.disk_cache import DiskCache

MARK = "terrane_detail"
"""Custom property of Terrane's images of tiles."""

_VERSION = 1
"""Of the images."""

_SEED = 11

_RELIEF = " relief"
"""Ends the key of the second image of a tile."""


@dataclass(frozen=True)
class TilePair:
    """The two images of a tile: color and height; normal and roughness."""

    detail: bpy.types.Image
    relief: bpy.types.Image


def image_keys(name: str) -> tuple[str, str]:
    """Return the keys of the images of a surface's tile."""
    return name, name + _RELIEF


def find_image(key: str, pixels: int) -> bpy.types.Image | None:
    """Return this file's image of a tile by its key, None if no image has pixels."""
    return next(filter(_has_pixels, _marked_images(key, pixels)), None)


def is_lacking(name: str, pixels: int) -> bool:
    """Return whether an image of a surface's tile has to be baked."""
    return any(find_image(key, pixels) is None for key in image_keys(name))


def find_or_write(name: str, pixels: int, baked: Mapping[str, Content]) -> TilePair:
    """Return the images of a surface's tile: those of this file, or new ones of baked contents."""
    detail, relief = (
        find_image(key, pixels) or write_image(key, pixels, baked[key]) for key in image_keys(name)
    )
    return TilePair(detail, relief)


def _marked_images(key: str, pixels: int) -> list[bpy.types.Image]:
    mark = _mark(key, pixels)
    return [image for image in bpy.data.images if image.get(MARK) == mark and is_writable(image)]


def _mark(key: str, pixels: int) -> str:
    return f"{key} {pixels} {_VERSION}"


def _has_pixels(image: bpy.types.Image) -> bool:
    """Return whether an image has pixels in the saved file: packed, or in a file."""
    if image.packed_file is not None:
        return True
    return Path(bpy.path.abspath(image.filepath)).is_file()


def bake_tiles(names: Iterable[str], pixels: int) -> Work:
    """Return the work that bakes the tiles of some surfaces, by key; see `tile`."""
    surfaces, cache = sorted(set(names)), DiskCache.open()

    def bake(progress: Progress, cancel: Cancel) -> Mapping[str, Content]:
        contents = {}
        for place, name in enumerate(surfaces):
            part = part_of(progress, place / len(surfaces), (place + 1) / len(surfaces))
            with cancellable(cancel):
                keys = [f"tile {key} {pixels} {_SEED} {_VERSION}" for key in image_keys(name)]
                compute = partial(_contents, name, pixels, part, cancel)
                contents.update(zip(image_keys(name), cache.find_or_make_images(keys, compute)))
        return contents

    return bake


def _contents(name: str, pixels: int, progress: Progress, cancel: Cancel) -> list[Content]:
    """Return the contents of both images of a tile."""
    parts = np.split(tile(name, pixels, progress, cancel), (4,), axis=2)
    return [images.content(np.ascontiguousarray(part), float_buffer=False) for part in parts]


def tile(name: str, pixels: int, progress: Progress, cancel: Cancel) -> Field:
    """Return a tile of a surface.

    Returns
    -------
    ndarray of shape (pixels, pixels, 7), float32
        Half the ratio of its color to its average color, the height from 0 to 1; the first two parts
        of its normal, moved to between 0 and 1, and its roughness.
    """
    tile_surface = surface(name)
    grid = Grid(pixels, pixels, wrap=True, size=tile_surface.size)
    maps = ("base_color", "height", "normal", "roughness")
    textures = tile_surface.textures(grid, _SEED, maps, progress=progress, cancel=cancel)
    result = np.full((pixels, pixels, 7), 0.5, np.float32)
    color = textures["base_color"]
    mean = np.maximum(color.mean(axis=(0, 1), dtype=np.float64), 1e-4).astype(np.float32)
    result[..., :3] = np.clip(color / (2.0 * mean), 0.0, 1.0)
    height = textures["height"]
    low, high = float(height.min()), float(height.max())
    if high > low:
        result[..., 3] = (height - low) / (high - low)
    result[..., 4:6] += textures["normal"][..., :2] * np.float32(0.5)
    result[..., 6] = textures["roughness"]
    return result


def write_image(key: str, pixels: int, packed: Content) -> bpy.types.Image:
    """Return a packed image of a tile: a new image, or one whose pixels were lost."""
    image = next(filter(images.can_be_packed, _marked_images(key, pixels)), None)
    if image is None:
        is_relief = key.endswith(_RELIEF)
        label = surface(key.removesuffix(_RELIEF)).label
        title = f"Terrane {'Relief' if is_relief else 'Detail'} {label}"
        image = images.create_packed_image(title, packed, alpha=not is_relief, is_read=False)
    else:
        images.write_content(image, packed, is_read=False)
    image.alpha_mode = "CHANNEL_PACKED"  # the height must not darken the color
    image[MARK] = _mark(key, pixels)
    return image
