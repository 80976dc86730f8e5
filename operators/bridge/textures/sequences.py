# SPDX-License-Identifier: GPL-3.0-or-later
"""Sequences of image files of an animated picture, loaded as an image of Blender's."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import bpy

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import ParameterError
from ....noise_core.base.file_names import check_file_name, check_file_path
from ....noise_core.base.grid import Grid
from ....noise_core.io.image_writing import SUFFIXES, image_bytes
from ..datablocks import images
from ..schema.keywords import SEQUENCE
from ..tasks.jobs import Work
from . import file_writing, pictures
from .encoding import srgb
from .pictures import Picture

_DIGITS = 4
"""Of a frame's number, at least: as Blender writes them."""


@dataclass(frozen=True)
class Frames:
    """The files of a sequence.

    Attributes
    ----------
    directory : Path
    name : str
        Begins the names of all: clouds_0001.png and so on.
    frames : int
    step : float
        Tiles from frame to frame, where the motion is endless.
    file_format : {"png", "tiff", "exr"}
    bits : int
    """

    directory: Path
    name: str
    frames: int
    step: float
    file_format: str
    bits: int

    def __post_init__(self) -> None:
        check_file_name(self.name)
        for one in SEQUENCE:
            one.check(getattr(self, one.name), "Sequence")
        file_writing.check_bits(self.file_format, self.bits)
        check_file_path(self.paths()[-1])

    def paths(self) -> list[Path]:
        """Return the files, the first frame's first; frames count from 1."""
        digits = max(_DIGITS, len(str(self.frames)))
        suffix = SUFFIXES[self.file_format]
        numbers = range(1, self.frames + 1)
        return [self.directory / f"{self.name}_{frame:0{digits}}{suffix}" for frame in numbers]


def check(picture: Picture, files: Frames) -> None:
    """Check that a picture can be written as a sequence.

    Raises
    ------
    ParameterError
        If it stands still, would flicker, or such files cannot store it.
    """
    shape = picture.shape
    if shape.motion == "still":
        raise ParameterError("Image.motion must be endless or loop for a sequence; got still")
    if picture.coloring is None and shape.levels == "stretched":
        raise ParameterError(
            "Image.levels 'stretched' would flicker: each frame has its own darkest and brightest"
        )
    if picture.coloring is None and shape.levels == "signed" and files.file_format != "exr":
        raise ParameterError("Image.levels 'signed' needs exr; {} holds 0 to 1", files.file_format)


def evolutions(picture: Picture, files: Frames) -> Iterator[float]:
    """Yield the evolution of each frame; a loop does not repeat its first frame."""
    shape = picture.shape
    step = shape.loop_length / files.frames if shape.motion == "loop" else files.step
    return (shape.evolution + step * frame for frame in range(files.frames))


def work(
    picture: Picture, grid: Grid, masks: Mapping[int, Field], files: Frames, *, overwrite: bool
) -> Work:
    """Return the work that writes the frames, all or none, and returns their paths.

    Parameters
    ----------
    picture, grid, masks
        See `pictures.work`.
    files : Frames
    overwrite : bool
    """
    check(picture, files)
    is_encoded = picture.is_color and files.file_format != "exr"

    def write(progress: Progress, cancel: Cancel) -> list[Path]:
        def content(frame: int, evolution: float) -> bytes:
            shape = dataclasses.replace(picture.shape, evolution=evolution, float_buffer=True)
            one = dataclasses.replace(picture, shape=shape)

            def report(share: float) -> None:
                progress((frame + share) / files.frames)

            values = pictures.work(one, grid, masks)(report, cancel)
            if is_encoded:
                values = srgb(values, cancel)
            with cancellable(cancel):
                return image_bytes(values, files.file_format, files.bits, is_color=is_encoded)

        contents = {
            path: partial(content, frame, evolution)
            for frame, (path, evolution) in enumerate(
                zip(files.paths(), evolutions(picture, files))
            )
        }
        return file_writing.write_all(
            contents, overwrite=overwrite, done=lambda count: progress(count / files.frames)
        )

    return write


def load(paths: list[Path], picture: Picture) -> bpy.types.Image:
    """Return an image of Blender's that shows the frames, kept though nothing uses it.

    An image that already shows these files is reloaded.
    """
    there = _showing(paths[0])
    image: Any = there or bpy.data.images.load(str(paths[0]))
    image.source, image.use_fake_user = "SEQUENCE", True
    is_float = paths[0].suffix == SUFFIXES["exr"]
    image.colorspace_settings.name = images.color_space(
        float_buffer=is_float, is_color=picture.is_color
    )
    if there is not None:
        image.reload()
    return image


def _showing(first: Path) -> bpy.types.Image | None:
    """Return the image of this Blender file that shows a sequence, by its first file."""
    return next(
        (
            image
            for image in bpy.data.images
            if image.source == "SEQUENCE"
            and image.library is None
            and Path(os.path.abspath(bpy.path.abspath(image.filepath))) == first
        ),
        None,
    )


def show(context: bpy.types.Context, image: bpy.types.Image, frames: int) -> None:
    """Show a sequence in the current Image Editor, played cyclically."""
    images.show(context, image)
    if images.active(context) is not image:
        return
    space: Any = context.space_data
    user = space.image_user
    user.frame_start, user.frame_duration, user.frame_offset = 1, frames, 0
    user.use_cyclic = user.use_auto_refresh = True
