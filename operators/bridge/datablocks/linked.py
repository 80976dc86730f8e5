# SPDX-License-Identifier: GPL-3.0-or-later
"""Data of other files, which nothing writes into."""

from __future__ import annotations

import bpy

from ....noise_core.base.errors import Message, TerraneError


def is_writable(owner: bpy.types.ID) -> bool:
    """Return whether a datablock keeps written values: it is neither linked nor an override.

    Blender calls overrides editable, but silently ignores numbers written to them.
    """
    return owner.is_editable and owner.override_library is None


def why_not_write(*owners: bpy.types.ID | None) -> str:
    """Return why datablocks cannot be written to, "" if they can; None stands for one that is not there."""
    for owner in owners:
        if owner is not None and not is_writable(owner):
            return Message("{} is linked from another file: make it local first", owner.name)
    return ""


def require_writable(*owners: bpy.types.ID | None) -> None:
    """Raise a TerraneError if a datablock cannot be written to; see `why_not_write`."""
    if reason := why_not_write(*owners):
        raise TerraneError(reason)
