# SPDX-License-Identifier: GPL-3.0-or-later
"""What we made is found again by what we noted on it, not by its name alone.

A name is the user's to give: where it is taken already, or too long, Blender calls what we make something
else. So it carries the name that was asked for and the one it got. While it has the latter it is that
thing; renamed, it was set aside, and copied, it is the copy that has another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import bpy

from .geometry.editing import is_writable

ASKED, GIVEN = "terrane_asked", "terrane_given"
"""Custom properties: the name that something was asked for under, and the one that Blender gave it."""

PREFIX = "Terrane "
"""Begins the names of all our nodes in materials."""


def note(thing: bpy.types.ID, asked: str) -> None:
    """Note on something that was just made, or renamed by us, under which name it was asked for."""
    thing[ASKED], thing[GIVEN] = asked, thing.name


def is_set_aside(thing: bpy.types.ID) -> bool:
    """Return whether something has another name than we left it with: it was renamed, or is a copy."""
    given = thing.get(GIVEN)
    return given is not None and given != thing.name


def found(things: Iterable[Any], name: str, is_ours: Callable[[Any], bool]) -> Any | None:
    """Return what was made under a name before, None if there is none.

    Parameters
    ----------
    things : iterable of ID
        Among which.
    name : str
        The one asked for; or the very name, which is all that files of older versions know.
    is_ours : callable
        Whether something is of the kind that is looked for, by its mark, and may be written anew.
    """
    ours = [one for one in things if is_ours(one) and is_writable(one)]
    asked = (one for one in ours if one.get(ASKED) == name and not is_set_aside(one))
    return next(asked, None) or next((one for one in ours if one.name == name), None)


def is_in_another(thing: bpy.types.ID, material: bpy.types.Material | None) -> bool:
    """Return whether our nodes in another material than this one use an image or a group.

    That one has a record of its own, of what these show. Nodes that users have added themselves do not
    count: they follow what is made anew.
    """
    return any(
        one != material and one.node_tree is not None and _is_among(thing, one.node_tree.nodes)
        for one in bpy.data.materials
    )


def _is_among(thing: bpy.types.ID, nodes: Iterable[Any]) -> bool:
    return any(
        node.name.startswith(PREFIX) and thing in (_get(node, "image"), _get(node, "node_tree"))
        for node in nodes
    )


def _get(node: Any, name: str) -> Any:
    return getattr(node, name, None)
