# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's own surfaces: JSON files in the folder that Blender gives an extension for its user's data.

They are read when Terrane is enabled. Files that cannot be read are left out and logged.
"""

from __future__ import annotations

import logging
from pathlib import Path

import bpy

from ....noise_core.materials.surfaces import broken_surfaces, look_again
from ..schema.preferences import PACKAGE

_LOG = logging.getLogger(__package__)


def folder() -> Path | None:
    """Return the folder for a user's own surfaces, which need not exist.

    None if Terrane is not installed as an extension: there is no such folder then.
    """
    try:
        return Path(bpy.utils.extension_path_user(PACKAGE, path="surfaces"))
    except ValueError:
        return None


def find() -> None:
    """Let the core read all surfaces again, and log the ones that were left out, and why."""
    own = folder()
    look_again(*([] if own is None else [own]))
    for name, reason in broken_surfaces().items():
        _LOG.warning("Terrane: the surface %s was left out: %s", name, reason)


def left_out() -> tuple[str, ...]:
    """Return the names of the files that could not be read, for the panel."""
    return tuple(broken_surfaces())
