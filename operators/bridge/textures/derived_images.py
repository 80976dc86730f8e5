# SPDX-License-Identifier: GPL-3.0-or-later
"""Images derived from images: eroded reliefs, from black to white in meters, and textures by example.

A relief is the first channel of an image; its transparency is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import bpy
import numpy as np

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable, part_of
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.materials.by_example.settings import ByExample
from ..datablocks import images, pixel_decoding
from ..datablocks.images import Content
from ..datablocks.pixel_decoding import PixelDecoding
from ..datablocks.ref import Ref
from ..tasks import installed_memory
from ..tasks.jobs import Work, as_work
from ..tasks.steps import Steps
from ..terrain import map_images
from ..terrain.evaluation import Evaluated

_PIXELS_SHARE = 0.8
"""Of the progress; to encode the pixels takes the rest."""


def read(
    image: bpy.types.Image, size: float, height: float, *, seamless: bool
) -> tuple[Callable[[], Field], Grid]:
    """Read an image; return a function that returns its heights, in any thread, and their grid.

    Raises a ParameterError if the image cannot be read; the returned function raises it if pixels are not
    finite.
    """
    shown, name = images.unsigned_pixels(image), image.name

    def heights() -> Field:
        if not np.isfinite(shown).all():
            raise ParameterError("image {!r} has pixels that are not finite", name)
        return shown * np.float32(height)

    return heights, Grid(*shown.shape, wrap=seamless, size=size)


class Encoded(NamedTuple):
    """Gray values of an eroded image, without clamping to black and white; new images of them and its maps."""

    gray: Field
    packed: Content | None
    maps: Mapping[str, Content]


def encoding(result: Evaluated, height: float, *, is_new: bool) -> Callable[[], Encoded]:
    """Return a function that encodes eroded heights, in any thread, for a new or an existing image."""

    def encode() -> Encoded:
        values = result.height / np.float32(height)
        packed = images.content(values, float_buffer=True) if is_new else None
        maps = {
            name: map_images.content(map_images.unit_values(name, field, None))
            for name, field in result.maps.items()
        }
        return Encoded(values, packed, maps)

    return encode


class _Written(NamedTuple):
    """Values last written into an image, and the previous values."""

    image: Ref[bpy.types.Image]
    values: Field
    previous: Field


_last: _Written | None = None

_FLOAT_STEP, _BYTE_STEP = 1.0 / 65535.0, 1.0 / 255.0
"""Largest difference of gray values after writing and reading, in 32 bits and in 8. Painted values differ
by more."""


def write(find_image: Callable[[], bpy.types.Image], values: Field) -> Steps[None]:
    """Write new gray values into the image itself, in steps, and store the old ones for `take_back`.

    The image changes in the last of them; `find_image` returns it in each step.
    """
    global _last
    repainted: _Repaint = yield as_work(_plan_repaint(find_image(), values))
    image = find_image()
    if repainted.unsaved is not None:
        # Unsaved pixels are in no undo step: undo would restore an older image.
        repainted.unsaved.show(image)
        bpy.ops.ed.undo_push(message="Pack Image")
    repainted.packing.show(image)
    _last = _Written(Ref.of(image), values, repainted.old_values)


def take_back(image: bpy.types.Image) -> None:
    """Restore the values before the last `write`, if the image has not changed since.

    Without Global Undo, redoing with other values has to begin with this.
    """
    if _last is not None and _last.image.refers_to(image) and _shows(image, _last.values):
        repaint(image, _last.previous)


def _shows(image: bpy.types.Image, values: Field) -> bool:
    """Return whether an image has these gray values."""
    if images.shape_of(image) != values.shape:
        return False
    step = _FLOAT_STEP if image.is_float else _BYTE_STEP
    expected = values if image.is_float else np.clip(values, 0.0, 1.0)
    return bool((np.abs(images.unsigned_pixels(image) - expected) <= step).all())


@dataclass(frozen=True)
class _Packing:
    """File to be packed into an existing image, its color space, and its kind of transparency."""

    packed: Content
    space: str
    alpha_mode: str

    def show(self, image: bpy.types.Image) -> None:
        """Pack the file, and show it."""
        owner = cast(Any, image)
        if owner.alpha_mode != self.alpha_mode:
            owner.alpha_mode = self.alpha_mode
        images.write_content(image, self.packed, self.space)
        image.update()


class _Repaint(NamedTuple):
    """An image with new gray values, its old values, and its old pixels if they were not saved."""

    packing: _Packing
    old_values: Field
    unsaved: _Packing | None


def repaint(image: bpy.types.Image, values: Field) -> None:
    """Write gray values, as `images.unsigned_pixels` returns them, into an image of any channels."""
    _plan_repaint(image, values)().packing.show(image)


def _plan_repaint(image: bpy.types.Image, values: Field) -> Callable[[], _Repaint]:
    """Read an image, and return a function that makes its new contents, in any thread."""
    reading, pixels = PixelDecoding.of(image), images.stored_pixels(image)
    is_float, is_unsaved = bool(image.is_float), bool(image.is_dirty)
    spaces = pixel_decoding.space_for_pixels(image), pixel_decoding.space_for_numbers(image)
    alpha_mode = _alpha_mode(image)

    def paint() -> _Repaint:
        numbers = reading.numbers(pixels, min(pixels.shape[2], 3))
        old_values, unsaved = numbers[..., 0].copy(), None
        if is_unsaved:
            old_content = _content(numbers, pixels, is_float=is_float)
            unsaved = _Packing(old_content, spaces[0], alpha_mode)
        numbers[:] = values[..., np.newaxis]
        mode = alpha_mode
        if reading.is_multiplied and pixels.shape[2] == 4 and not pixels[..., 3].all():
            mode = "CHANNEL_PACKED"  # multiplying by 0 would lose them
        new_packing = _Packing(_content(numbers, pixels, is_float=is_float), spaces[1], mode)
        return _Repaint(new_packing, old_values, unsaved)

    return paint


def _alpha_mode(image: bpy.types.Image) -> str:
    """Return the alpha mode of a file of an image's pixels; loading must not multiply generated ones by alpha."""
    is_new = image.is_float and image.source == "GENERATED" and image.alpha_mode == "STRAIGHT"
    return "PREMUL" if is_new else str(image.alpha_mode)


def _content(numbers: Field, pixels: Field, *, is_float: bool) -> Content:
    """Write new numbers into the first channels of pixels, and return the contents of an image."""
    pixels[..., : numbers.shape[2]] = numbers
    shown = pixels if pixels.shape[2] >= 3 else pixels[..., 0]
    return images.content(shown, float_buffer=is_float)


@dataclass(frozen=True)
class ImageKind:
    """Color space and alpha mode that a new image shares with its example."""

    color_space: str
    alpha_mode: str

    @classmethod
    def of(cls, image: bpy.types.Image) -> ImageKind:
        """Return the kind of an image."""
        return cls(pixel_decoding.space_for_pixels(image), _alpha_mode(image))

    def create_image(self, name: str, content: images.Content) -> bpy.types.Image:
        """Return a new image of this kind."""
        image: Any = images.create_image(name, content)
        image.alpha_mode = self.alpha_mode
        images.write_content(image, content, self.color_space)
        return cast(bpy.types.Image, image)


def example_work(image: bpy.types.Image, settings: ByExample, seed: int, grid: Grid) -> Work:
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
        share = part_of(progress, 0.0, _PIXELS_SHARE)
        values = settings.paint(example, grid, seed, progress=share, cancel=cancel)
        values = values if channels > 1 else values[..., 0]
        with cancellable(cancel):
            return images.content(values, float_buffer=is_float, is_color=is_color)

    return make
