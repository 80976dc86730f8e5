# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's Python module with the extension of this checkout, for tools."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTENSION = "bl_ext.user_default.terrane"


def start() -> None:
    """Import `bpy` with an empty profile, and enable the extension.

    Raises
    ------
    SystemExit
        If the extension cannot be enabled; Blender prints why.
    """
    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="terrane-profile-")
    folder = Path(os.environ["BLENDER_USER_RESOURCES"], "extensions", "user_default")
    folder.mkdir(parents=True)
    (folder / "terrane").symlink_to(ROOT)
    import bpy  # noqa: F401, I001  (before addon_utils, which it makes importable)
    import addon_utils

    if addon_utils.enable(EXTENSION, default_set=True) is None:
        raise SystemExit("the extension cannot be enabled: see above")
