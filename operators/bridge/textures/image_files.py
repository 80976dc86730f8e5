# SPDX-License-Identifier: GPL-3.0-or-later
"""Image files that are written together, all or none, and sequences of them as images of Blender's.

Existing files are replaced only on request.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import bpy

from ....noise_core.base import atomic_files
from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress, cancellable, part_of
from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.base.file_names import avoid_device_name, check_file_name, check_file_path
from ....noise_core.base.grid import Grid
from ....noise_core.codecs.image_writing import BITS, SUFFIXES, image_bytes
from ..datablocks import images
from ..schema import paths, preferences
from ..tasks.jobs import Work
from . import pictures
from .pictures import Picture, srgb

_NAMED = 3
"""How many files an error names."""

_DIGITS = 4
"""Of a frame's number, at least: as Blender writes them."""


@dataclass(frozen=True)
class ImageFiles:
    """Files to write: their folder, the beginning and the endings of their names, and their format.

    The folder is created if there is none. For formats and bits see `surface_settings.FILES`. Further files beside
    the images are given by their suffixes.
    """

    directory: Path
    name: str
    ends: tuple[str, ...]
    file_format: str
    bits: int
    further: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_file_name(self.name)
        if self.bits not in BITS[self.file_format]:
            allowed = " or ".join(map(str, BITS[self.file_format]))
            raise ParameterError("bits must be {} for {}", allowed, self.file_format, got=self.bits)
        check_file_path(max(self.paths, key=lambda path: len(path.name)))

    @property
    def paths(self) -> list[Path]:
        """The files: granite_basecolor.png and so on."""
        suffix = SUFFIXES[self.file_format]
        return [self.directory / f"{self.name}_{end}{suffix}" for end in self.ends]

    @property
    def beside(self) -> dict[str, Path]:
        """The further files by their suffixes: granite.mtlx and so on."""
        return {suffix: self.directory / f"{self.name}{suffix}" for suffix in self.further}

    @property
    def has_display_values(self) -> bool:
        """Whether colors are stored as display values, not as light."""
        return self.file_format != "exr"

    def content(self, field: Field, cancel: Cancel, *, is_color: bool) -> bytes:
        """Return numbers or linear colors as the content of a file."""
        is_encoded = is_color and self.has_display_values
        return self.encode(srgb(field, cancel) if is_encoded else field, cancel, is_color=is_color)

    def encode(self, values: Field, cancel: Cancel, *, is_color: bool) -> bytes:
        """Return values as the content of a file, without converting colors."""
        is_encoded = is_color and self.has_display_values
        with cancellable(cancel):
            return image_bytes(values, self.file_format, self.bits, is_color=is_encoded)


def requested_files(
    options: Any, label: str, ends: tuple[str, ...], further: tuple[str, ...] = ()
) -> ImageFiles:
    """Return the files that an operator writes; their default name follows from a label: cracked_mud."""
    stem = options.name or avoid_device_name(bpy.path.clean_name(label).lower())
    directory = paths.resolve(options.directory or preferences.directory(), "directory")
    files = ImageFiles(directory, stem, ends, options.file_format, int(options.bits), further)
    if not options.overwrite:
        _check_free([*files.paths, *files.beside.values()])
    return files


def _check_free(paths: Iterable[Path]) -> None:
    """Raise a TerraneError if any of the files exists."""
    existing = [path for path in paths if atomic_files.is_there(path)]
    if existing:
        names = ", ".join(path.name for path in existing[:_NAMED])
        more = f" and {len(existing) - _NAMED} more" if len(existing) > _NAMED else ""
        raise TerraneError(
            "{}{} in {}: already there; allow Overwrite, or give another name",
            names,
            more,
            existing[0].parent,
        )


def write_all(
    contents: Mapping[Path, Callable[[], bytes]], *, overwrite: bool, done: Callable[[int], None]
) -> list[Path]:
    """Write files into one folder, which is created if it does not exist, and return their paths.

    No file gets its final name before all are complete. The callables are called in order, and `done` with
    the number of files that are ready. Raises a TerraneError if one is there already, or they cannot be
    written; also any error of a callable.
    """
    directory = next(iter(contents)).parent
    parts = {atomic_files.part_of(path): path for path in contents}
    for path in contents:
        atomic_files.check_replaceable(path)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for count, (part, content) in enumerate(zip(parts, contents.values()), 1):
            atomic_files.write_part(part, content())
            done(count)
        if not overwrite:
            _check_free(contents)
        atomic_files.put(parts)
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", directory, error.strerror) from error
    finally:
        for part in parts:
            atomic_files.remove(part)
    return list(contents)


# --- sequences ----------------------------------------------------------------------------------


def frame_numbers(frames: int) -> tuple[str, ...]:
    """Return the numbers of frames, which count from 1, as the names of their files have them."""
    digits = max(_DIGITS, len(str(frames)))
    return tuple(f"{frame:0{digits}}" for frame in range(1, frames + 1))


def sequence_work(
    picture: Picture,
    grid: Grid,
    masks: Mapping[int, Field],
    files: ImageFiles,
    step: float,
    *,
    overwrite: bool,
) -> Work:
    """Return the work that writes the frames, all or none, and returns their paths.

    The arguments are those of `pictures.work`, files that end in `frame_numbers`, and the tiles from frame to
    frame, where the motion is endless. A loop does not repeat its first frame. Raises a ParameterError if
    the picture does not move, would flicker, or does not fit into such files.
    """
    paths, shape = files.paths, picture.shape
    if shape.motion == "still":
        raise ParameterError("Image.motion must be 'endless' or 'loop' for a sequence; got 'still'")
    if picture.coloring is None and shape.levels == "stretched":
        raise ParameterError(
            "Image.levels 'stretched' flickers: each frame has its own darkest and brightest"
        )
    if picture.coloring is None and shape.levels == "signed" and files.file_format != "exr":
        raise ParameterError("Image.levels 'signed' needs exr; {} holds 0 to 1", files.file_format)
    if shape.motion == "loop":
        step = shape.loop_length / len(paths)

    def write(progress: Progress, cancel: Cancel) -> list[Path]:
        def content(frame: int) -> bytes:
            evolution = shape.evolution + step * frame
            frame_shape = dataclasses.replace(shape, evolution=evolution, float_buffer=True)
            frame_picture = dataclasses.replace(picture, shape=frame_shape)
            part = part_of(progress, frame / len(paths), (frame + 1) / len(paths))
            draw = pictures.work(frame_picture, grid, masks, is_display=files.has_display_values)
            return files.encode(draw(part, cancel), cancel, is_color=picture.is_color)

        return write_all(
            {path: partial(content, frame) for frame, path in enumerate(paths)},
            overwrite=overwrite,
            done=lambda count: progress(count / len(paths)),
        )

    return write


def load_sequence(paths: list[Path], picture: Picture) -> bpy.types.Image:
    """Return an image of Blender's that shows the frames, kept though nothing uses it.

    An image that already shows these files is reloaded.
    """
    loaded = next((image for image in bpy.data.images if _shows(image, paths[0])), None)
    image: Any = loaded or bpy.data.images.load(str(paths[0]))
    image.source, image.use_fake_user = "SEQUENCE", True
    is_float = paths[0].suffix == SUFFIXES["exr"]
    image.colorspace_settings.name = images.color_space(
        float_buffer=is_float, is_color=picture.is_color
    )
    if loaded is not None:
        image.reload()
    return image


def _shows(image: bpy.types.Image, first: Path) -> bool:
    """Return whether an image of this Blender file shows the sequence with some first file."""
    if image.source != "SEQUENCE" or image.library is not None:
        return False
    return paths.absolute(image.filepath) == first


def show_sequence(context: bpy.types.Context, image: bpy.types.Image, frames: int) -> None:
    """Show a sequence in the current Image Editor, played cyclically."""
    images.show(context, image)
    if images.active(context) is not image:
        return
    space: Any = context.space_data
    user = space.image_user
    user.frame_start, user.frame_duration, user.frame_offset = 1, frames, 0
    user.use_cyclic = user.use_auto_refresh = True
