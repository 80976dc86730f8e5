# SPDX-License-Identifier: GPL-3.0-or-later
"""Color ramps that are edited with Blender's own widget, which sends no notification.

A ramp belongs to a texture datablock. No property of Terrane is set when its stops are moved, and a
texture that only an image of Terrane's uses is in no dependency graph, so that no handler is called. So
the ramp is compared with its earlier state some ten times a second, while live update is on and an Image
Editor shows an image that is colored by a ramp. Such a comparison takes some ten microseconds a stop. A
changed ramp is reported like a changed setting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from ..datablocks.ref import Ref
from ..interface import messages, timer
from ..schema import changes, color_ramps, live_switch, picture_settings, state

PAUSE = 0.1
"""Seconds between two comparisons: a drag shows more than a few steps, and the delay is not noticeable."""

_known: dict[Ref[bpy.types.Texture], tuple[object, ...]] = {}
"""By texture: its ramp at the last comparison."""


def follow() -> None:
    """Begin to compare the ramps that panels draw."""
    timer.call(tick)


def look(owners: Iterable[Any] | None = None) -> None:
    """Report the ramps of owners, or of all images, that have changed since the last comparison."""
    fingerprints = {}
    for owner in _pictures() if owners is None else owners:
        texture = _texture(owner)
        if texture is not None:
            fingerprints[Ref.of(texture)] = color_ramps.fingerprint(texture)
    changed = {
        ref
        for ref, fingerprint in fingerprints.items()
        if _known.get(ref, fingerprint) != fingerprint
    }
    _known.update(fingerprints)
    for owner in (*_pictures(), *bpy.data.scenes) if changed else ():
        texture = _texture(owner)
        if texture is not None and Ref.of(texture) in changed:
            changes.on_change(getattr(owner, state.PROPERTY), bpy.context)


def remember_all(*_: Any) -> None:
    """Store the ramps of a loaded file as the ramps of its images."""
    _known.clear()
    look()
    timer.call(tick)


def visible_owners() -> list[Any]:
    """Return the owners of the ramps that Image Editors show with live update: images, or scenes."""
    owners = []
    for window, area in messages.open_areas(bpy.context, "IMAGE_EDITOR"):
        image = area.spaces.active.image
        owner = image if image is not None and state.is_picture(image) else window.scene
        if getattr(window.scene, live_switch.PROPERTY) and _texture(owner) is not None:
            owners.append(owner)
    return owners


def register() -> None:
    """Listen to settings: they may choose another ramp."""
    changes.subscribe(_on_setting, owners=(bpy.types.Image, bpy.types.Scene))


def unregister() -> None:
    """Stop listening."""
    changes.unsubscribe(_on_setting)
    timer.cancel(tick)
    _known.clear()


def _texture(owner: Any) -> Any | None:
    """Return the texture whose ramp colors a scene's or an image's noise, or None."""
    options = getattr(getattr(owner, state.PROPERTY), state.IMAGE_GROUP)
    if (options.kind, options.colors) != ("noise", picture_settings.RAMP):
        return None
    texture = getattr(options, picture_settings.TEXTURE)
    return texture if texture is not None and texture.color_ramp is not None else None


def _pictures() -> Iterator[bpy.types.Image]:
    return (image for image in bpy.data.images if state.is_picture(image))


def _on_setting(owner: bpy.types.ID) -> None:
    timer.call(tick)


def tick() -> float | None:
    """Compare the visible ramps; return the seconds to the next comparison, None if no ramp is visible."""
    owners = visible_owners()
    look(owners)
    return PAUSE if owners else None
