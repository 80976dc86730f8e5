# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths of files that users give, which may begin with "//": beside the Blender file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import bpy

from ....noise_core.base.errors import TerraneError
from ....noise_core.base.file_names import avoid_device_name
from . import preferences

ELEVATION_FILES = (".tif", ".tiff", ".gtiff", ".hgt", ".asc", ".r16", ".raw", ".npy")
"""Extensions of files that become a terrain when they are dropped; PNG and OpenEXR are dropped as images."""


def absolute(path: str) -> Path:
    """Return a path as a whole one."""
    return Path(os.path.abspath(bpy.path.abspath(path)))


def resolve(path: str, name: str = "filepath") -> Path:
    """Return a path that was given for a parameter as a whole one.

    Raises
    ------
    TerraneError
        If there is none, or the Blender file that it is relative to is not saved yet.
    """
    if not path:
        raise TerraneError("{} must name a file; got ''", name)
    if path.startswith("//") and not bpy.data.filepath:
        raise TerraneError(
            "{} {!r} is relative to the Blender file: save that first, or give an absolute path",
            name,
            path,
        )
    return absolute(path)


def propose(name: str, suffix: str) -> str:
    """Return an initial path for the file browser, in the folder of the preferences; without a name the folder.

    For a file to write, a folder that the user has set is created; otherwise the file browser would
    start, and write, in its parent.
    """
    directory = preferences.directory()
    if directory.startswith("//") and not bpy.data.filepath:
        directory = ""
    file = f"{avoid_device_name(bpy.path.clean_name(name).lower())}{suffix}" if name else ""
    folder = bpy.path.abspath(directory)
    if file and folder and preferences.is_directory_chosen():
        with contextlib.suppress(OSError):  # saving reports the reason
            os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, file)
