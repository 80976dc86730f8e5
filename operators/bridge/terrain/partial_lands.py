# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains and images that Build to Here leaves unfinished: exports refuse them, and the status bar and renders warn."""

from __future__ import annotations

from typing import Any

import bpy

from ....noise_core.base.errors import Message, TerraneError
from ..interface.messages import translate
from ..schema import layer_list, state


def note(owner: Any) -> str:
    """Return to which layer an object or an image is built, "" if it is whole, or neither terrain nor image."""
    group = getattr(owner, state.PROPERTY, None)
    if group is None or not layer_list.is_partial(group):
        return ""
    return Message("{} is built to {}", owner.name, layer_list.active_entry(group).name)


def why_not(owner: Any) -> str:
    """Return why an object or image cannot be exported or get layers now, "" if it is not unfinished."""
    reason = note(owner)
    return reason and Message("Turn off Build to Here first: {}", reason)


def require_whole(owner: Any) -> None:
    """Raise a TerraneError if an object or image is unfinished."""
    if reason := note(owner):
        raise TerraneError("Turn off Build to Here first: {}", reason)


def notes(scene: bpy.types.Scene) -> list[str]:
    """Return the notes of all unfinished terrains of a scene."""
    return [text for text in map(note, scene.objects) if text]


def tell(text: str) -> None:
    """Show a note; in the main thread. Handlers have no operator that could report: see `shared_motion.tell`."""
    operators: Any = bpy.ops
    operators.terrane.message_show("INVOKE_DEFAULT", text=translate(text))
