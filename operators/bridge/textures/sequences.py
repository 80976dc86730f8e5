# SPDX-License-Identifier: GPL-3.0-or-later
"""Sequences of image files of an animated picture, loaded as an image of Blender's."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.grid import Grid
from ....noise_core.io.image_writing import SUFFIXES
from ..datablocks import images
from ..tasks.jobs import Work
from . import image_files, pictures
from .image_files import ImageFiles
from .pictures import Picture

_DIGITS = 4
"""Of a frame's number, at least: as Blender writes them."""


def numbers(frames: int) -> tuple[str, ...]:
    """Return the numbers of frames, which count from 1, as the names of their files have them."""
    digits = max(_DIGITS, len(str(frames)))
    return tuple(f"{frame:0{digits}}" for frame in range(1, frames + 1))


def work(
    picture: Picture,
    grid: Grid,
    masks: Mapping[int, Field],
    files: ImageFiles,
    step: float,
    *,
    overwrite: bool,
) -> Work:
    """Return the work that writes the frames, all or none, and returns their paths.

    The arguments are those of `pictures.work`, files that end in `numbers`, and the tiles from frame to
    frame, where the motion is endless. A loop does not repeat its first frame.

    Raises
    ------
    ParameterError
        If the picture does not move, would flicker, or does not fit into such files.
    """
    paths, shape = files.paths, picture.shape
    if shape.motion == "still":
        raise ParameterError("Image.motion must be endless or loop for a sequence; got still")
    if picture.coloring is None and shape.levels == "stretched":
        raise ParameterError(
            "Image.levels 'stretched' would flicker: each frame has its own darkest and brightest"
        )
    if picture.coloring is None and shape.levels == "signed" and files.file_format != "exr":
        raise ParameterError("Image.levels 'signed' needs exr; {} holds 0 to 1", files.file_format)
    if shape.motion == "loop":
        step = shape.loop_length / len(paths)

    def write(progress: Progress, cancel: Cancel) -> list[Path]:
        def content(frame: int) -> bytes:
            evolution = shape.evolution + step * frame
            moved = dataclasses.replace(shape, evolution=evolution, float_buffer=True)
            one = dataclasses.replace(picture, shape=moved)

            def report(share: float) -> None:
                progress((frame + share) / len(paths))

            values = pictures.work(one, grid, masks)(report, cancel)
            return files.content(values, cancel, is_color=picture.is_color)

        return image_files.write_all(
            {path: partial(content, frame) for frame, path in enumerate(paths)},
            overwrite=overwrite,
            done=lambda count: progress(count / len(paths)),
        )

    return write


def load(paths: list[Path], picture: Picture) -> bpy.types.Image:
    """Return an image of Blender's that shows the frames, kept though nothing uses it.

    An image that already shows these files is reloaded.
    """
    there = next((image for image in bpy.data.images if _shows(image, paths[0])), None)
    image: Any = there or bpy.data.images.load(str(paths[0]))
    image.source, image.use_fake_user = "SEQUENCE", True
    is_float = paths[0].suffix == SUFFIXES["exr"]
    image.colorspace_settings.name = images.color_space(
        float_buffer=is_float, is_color=picture.is_color
    )
    if there is not None:
        image.reload()
    return image


def _shows(image: bpy.types.Image, first: Path) -> bool:
    """Return whether an image of this Blender file shows the sequence with some first file."""
    if image.source != "SEQUENCE" or image.library is not None:
        return False
    return Path(os.path.abspath(bpy.path.abspath(image.filepath))) == first


def show(context: bpy.types.Context, image: bpy.types.Image, frames: int) -> None:
    """Show a sequence in the current Image Editor, played cyclically."""
    images.show(context, image)
    if images.active(context) is not image:
        return
    space: Any = context.space_data
    user = space.image_user
    user.frame_start, user.frame_duration, user.frame_offset = 1, frames, 0
    user.use_cyclic = user.use_auto_refresh = True
