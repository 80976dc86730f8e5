# SPDX-License-Identifier: GPL-3.0-or-later
"""Textures of a surface as files: all of them or none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import bpy

from ....noise_core.base.blocks import Cancel, Progress, cancellable
from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.base.file_names import avoid_device_name, check_file_name, check_file_path
from ....noise_core.io.image_writing import SUFFIXES, image_bytes
from ....noise_core.materials.surfaces import MAPS
from ..schema import preferences
from ..tasks.jobs import Work
from . import file_writing
from .surface_baking import SurfaceRequest, encode, textures_of

FILE_NAMES: Mapping[str, str] = {"base_color": "basecolor", "ambient_occlusion": "ao"}
"""Endings of file names that differ from the map's name, as engines and artists write them."""

_BAKED = 0.6
"""Share of the time that baking takes, before the files are compressed."""


@dataclass(frozen=True)
class TextureFiles:
    """Files to be written.

    Attributes
    ----------
    directory : Path
        It is created if there is none.
    name : str
        Begins the names of all files.
    maps : tuple of str
    file_format, bits, normal
        See `surface_settings.FILES`.
    """

    directory: Path
    name: str
    maps: tuple[str, ...]
    file_format: str
    bits: int
    normal: str

    def __post_init__(self) -> None:
        check_file_name(self.name)
        if not self.maps:
            raise ParameterError("maps must be some of {}; got none", ", ".join(MAPS))
        file_writing.check_bits(self.file_format, self.bits)
        for path in self.paths().values():
            check_file_path(path)

    def paths(self) -> dict[str, Path]:
        """Return the files by map: granite_basecolor.png and so on."""
        suffix = SUFFIXES[self.file_format]
        return {
            name: self.directory / f"{self.name}_{FILE_NAMES.get(name, name)}{suffix}"
            for name in self.maps
        }

    def check_free(self) -> None:
        """Check that none of the files exists.

        Raises
        ------
        TerraneError
            If one does.
        """
        file_writing.check_free(self.paths().values())


def sort_maps(maps: Iterable[str]) -> tuple[str, ...]:
    """Return names of maps in their standard order."""
    wanted = set(maps)
    return tuple(name for name in MAPS if name in wanted)


def absolute_directory(directory: str) -> Path:
    """Return a folder that may be given relative to the saved file; that of the preferences if empty.

    Raises
    ------
    TerraneError
        If there is no saved file that it could be relative to.
    """
    directory = directory or preferences.directory()
    if directory.startswith("//") and not bpy.data.filepath:
        raise TerraneError(
            "directory {!r} is beside the Blender file, which is not saved yet: save it, "
            "or give a whole path",
            directory,
        )
    return Path(os.path.abspath(bpy.path.abspath(directory)))


def file_stem(label: str) -> str:
    """Return the file name of a label: "Cracked Mud" is cracked_mud."""
    return avoid_device_name(bpy.path.clean_name(label).lower())


def write_files(request: SurfaceRequest, files: TextureFiles, *, overwrite: bool) -> Work:
    """Return the work that writes the files and returns their paths.

    No file gets its name before all are complete.
    """

    def write(progress: Progress, cancel: Cancel) -> list[Path]:
        textures = textures_of(
            request, files.maps, lambda share: progress(_BAKED * share), cancel, files.normal
        )

        def content(name: str) -> bytes:
            is_encoded = MAPS[name].is_color and files.file_format != "exr"
            field = encode(textures, name, is_encoded, cancel)
            with cancellable(cancel):
                return image_bytes(field, files.file_format, files.bits, is_color=is_encoded)

        paths = files.paths()
        return file_writing.write_all(
            {path: partial(content, name) for name, path in paths.items()},
            overwrite=overwrite,
            done=lambda count: progress(_BAKED + (1.0 - _BAKED) * count / len(paths)),
        )

    return write
