# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains that Build to Here leaves unfinished: exports refuse them, and the status bar and renders warn of them."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.base.errors import Message, TerraneError
from ..interface.messages import translate
from ..schema import layer_list, state


def note(terrain: Any) -> str:
    """Return to which layer an object is built, "" if it is whole, or no terrain."""
    if terrain is None or not state.is_terrain(terrain):
        return ""
    group = getattr(terrain, state.PROPERTY)
    if not layer_list.is_partial(group):
        return ""
    return Message("{} is built to {}", terrain.name, layer_list.active_entry(group).name)


def why_not(obj: Any) -> str:
    """Return why an object cannot be exported or get layers now, "" if it is no unfinished terrain."""
    reason = note(obj)
    return reason and Message("Turn off Build to Here first: {}", reason)


def require_whole(obj: Any) -> None:
    """Raise a TerraneError if an object is an unfinished terrain."""
    if reason := note(obj):
        raise TerraneError("Turn off Build to Here first: {}", reason)


def notes(scene: bpy.types.Scene) -> list[str]:
    """Return the notes of all unfinished terrains of a scene."""
    return [text for text in map(note, scene.objects) if text]


def tell(text: str) -> None:
    """Show a note; in the main thread. Handlers have no operator that could report: see `shared_motion.tell`."""
    operators: Any = bpy.ops
    operators.terrane.message_show("INVOKE_DEFAULT", text=translate(text))
