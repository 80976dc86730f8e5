# SPDX-License-Identifier: GPL-3.0-or-later
"""Choice of a surface by its picture, and the picture of the settings that follows the sliders.

A panel that shows the settings is drawn again whenever one of them is set, also by undo. It compares them
with those of the picture, which is drawn again in the background. It is no datablock: see `thumbnails`.
"""

from __future__ import annotations

import functools
import time  # noqa: TID251 (how long a picture took decides nothing but whether another is begun)
from functools import partial
from typing import Any

import bpy
from bpy.props import EnumProperty

from ....noise_core.base.arrays import Field
from ....noise_core.base.blocks import Cancel, Progress
from ....noise_core.base.errors import TerraneError
from ....noise_core.materials.surfaces import picture_of, surface, surface_names
from ..interface import messages, thumbnails
from ..schema.exact_numbers import number
from ..schema.values import read_values
from ..tasks import pictures

PICTURE = "surface_picture"
"""Name of the property of the settings that shows and chooses a surface by its picture."""

AS_IT_IS = "AS_IT_IS"
"""Item for the present settings; choosing it changes nothing. Names of surfaces are lower case."""

SIDE = 256
"""Pixels along each side of the picture of the settings."""

_KEY = "surface settings"

_PATIENCE = 2.0
"""Seconds after which a picture that has not come is taken for lost, as when another file was opened."""

_request: object = None
"""The settings of the picture that was begun last."""

_begun: float | None = None
"""When that was, while it is drawn."""


def picture_items(group: Any = None, context: Any = None) -> list[Any]:
    """Return the items of the present settings and of all surfaces, numbered by their place: see `presets.picture_items`."""
    return _items(surface_names(), thumbnails.icon(_KEY))


@functools.lru_cache(maxsize=4)
def _items(names: tuple[str, ...], present: int) -> list[Any]:
    """Return items, and keep their texts, which Blender does not."""
    text = "The surface as it is set now: choosing it changes nothing"
    items: list[Any] = [(AS_IT_IS, "Your Settings", text, present, 0)]
    for place, name in enumerate(names, 1):
        entry, icon = surface(name), thumbnails.file_icon(f"surface {name}", picture_of(name))
        items.append((name, entry.label, entry.description, icon, place))
    return items


def picture_property() -> Any:
    """Return the property of settings that shows all surfaces as pictures; setting it chooses one."""
    return EnumProperty(
        name="Surface",
        description="Click a preview to choose its surface",
        items=picture_items,
        get=_shown_place,
        set=_choose,
        options={"SKIP_SAVE"},
    )


def _shown_place(group: Any) -> int:
    """Return the place of the present settings, or of their surface if they have no picture yet."""
    names = surface_names()
    is_drawn = thumbnails.icon(_KEY) != thumbnails.NO_ICON
    return 0 if is_drawn or group.surface not in names else names.index(group.surface) + 1


def _choose(group: Any, place: int) -> None:
    names = surface_names()
    if 1 <= place <= len(names):
        group.surface = names[place - 1]


def follow(group: Any, parameters: Any) -> None:
    """Begin the picture of settings and exposed parameters unless it is up to date; panels call this while drawing."""
    global _request, _begun
    if _begun is not None and time.perf_counter() - _begun < _PATIENCE:
        return  # the picture's end draws the panel again
    try:
        values = read_values(parameters, surface(group.surface).parameters)
        request = (group.surface, tuple(values.items()), group.seed, number(group.size))
        work = partial(draw, group.surface, values, group.seed, number(group.size))
    except TerraneError:
        return  # the panel shows the error
    if request != _request:
        _request, _begun = request, time.perf_counter()
        pictures.draw("surface", work, _show)


def draw(
    key: str, values: Any, seed: int, size: float, progress: Progress, cancel: Cancel
) -> Field | None:
    """Return the picture of a surface, of shape (256, 256, 3); None if it cannot be made of these values."""
    from ....noise_core.pictures.thumbnail import surface_picture

    try:
        return surface_picture(surface(key, **values), seed, SIDE, size=size or None, cancel=cancel)
    except TerraneError:
        return None


def _show(picture: Field | None) -> None:
    global _begun
    _begun = None
    if picture is not None:
        thumbnails.show(_KEY, picture)
        messages.redraw_panels(bpy.context)


def register() -> None:
    """Begin without a picture."""


def unregister() -> None:
    """Forget the picture, whose icon is removed."""
    global _request, _begun
    _request = _begun = None
    _items.cache_clear()
