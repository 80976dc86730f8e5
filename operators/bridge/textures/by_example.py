# SPDX-License-Identifier: GPL-3.0-or-later
"""New images that look like an image, seamless and without repetition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import bpy
import numpy as np

from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.grid import Grid
from ....noise_core.by_example.settings import ByExample
from ..datablocks import images, pixel_decoding
from ..datablocks.pixel_decoding import PixelDecoding
from ..tasks import installed_memory
from ..tasks.jobs import Work
from ..terrain import catalog

_PIXELS_SHARE = 0.8
"""Of the progress; to encode the pixels takes the rest."""


@dataclass(frozen=True)
class ImageKind:
    """What a new image has in common with its example, besides its pixels."""

    color_space: str
    alpha_mode: str

    @classmethod
    def of(cls, image: bpy.types.Image) -> ImageKind:
        """Return the kind of an image."""
        # Pixels that were never in a file are not multiplied by alpha.
        is_new = image.is_float and image.source == "GENERATED" and image.alpha_mode == "STRAIGHT"
        mode = "PREMUL" if is_new else str(image.alpha_mode)
        return cls(pixel_decoding.space_for_numbers(image), mode)

    def create_image(self, name: str, content: images.Content) -> bpy.types.Image:
        """Return a new image of this kind."""
        image: Any = images.create_image(name, content)
        image.alpha_mode = self.alpha_mode
        images.write_content(image, content, self.color_space)
        return cast(bpy.types.Image, image)


def work(image: bpy.types.Image, settings: ByExample, seed: int, grid: Grid) -> Work:
    """Return the work that makes the `Content` of an image at the pixels of a grid.

    Raises a ParameterError if the image has no pixels, or a color space that changes its numbers.
    """
    is_float = bool(image.is_float)
    is_color = not cast(Any, image).colorspace_settings.is_data
    installed_memory.require(
        "Image", grid.rows * grid.columns, installed_memory.PER_PIXEL[is_float]
    )
    decoding, pixels = PixelDecoding.of(image), images.stored_pixels(image)

    def make(progress: Progress, cancel: Cancel) -> images.Content:
        channels = 3 if pixels.shape[2] >= 3 else 1
        example: Any = decoding.numbers(pixels, channels)
        if pixels.shape[2] == 4 and not (pixels[..., 3] == 1.0).all():
            example = np.concatenate((example, pixels[..., 3:]), axis=2)
        if not is_float:
            example = np.rint(example * np.float32(255.0)).astype(np.uint8)
        share = catalog.part_of(progress, 0.0, _PIXELS_SHARE)
        made = settings.paint(example, grid, seed, progress=share, cancel=cancel)
        made = made if channels > 1 else made[..., 0]
        with cancellable(cancel):
            return images.content(made, float_buffer=is_float, is_color=is_color)

    return make
