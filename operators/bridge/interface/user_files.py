# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders for the user's own files, outside of the extension's."""

from __future__ import annotations

from pathlib import Path

import bpy

PACKAGE = __package__.rsplit(".", 3)[0]
"""Name of the extension, under which Blender stores its preferences and the user's files."""


def user_folder(name: str, *, create: bool = False) -> Path | None:
    """Return a folder for the user's own files, where they survive updates of Terrane.

    None if Terrane is not installed as an extension.
    """
    try:
        return Path(bpy.utils.extension_path_user(PACKAGE, path=name, create=create))
    except ValueError:
        return None
