# SPDX-License-Identifier: GPL-3.0-or-later
"""Datablocks and nodes that Terrane made, told apart from the user's.

Names belong to the user: where one is taken already, or too long, Blender gives a new datablock another.
So a datablock of Terrane's carries the name that was asked for and the one that it got. As long as it has
the latter it is found under the former; a renamed one was set aside, and a copy has another name.

A node takes its links with it when it is removed. Those between Terrane's nodes and the user's are stored by
the names of nodes and sockets, and made again after Terrane's nodes are rebuilt, where both ends still exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import bpy

from .editing import is_writable

ASKED, GIVEN = "terrane_asked", "terrane_given"
"""Custom properties: the name that a datablock was asked for under, and the one that Blender gave it."""

PREFIX = "Terrane "
"""Begins the names of all nodes of Terrane's in materials."""


def note(thing: bpy.types.ID, asked: str) -> None:
    """Store on a datablock that Terrane has just made or renamed the name that it was asked for under."""
    thing[ASKED], thing[GIVEN] = asked, thing.name


def is_set_aside(thing: bpy.types.ID) -> bool:
    """Return whether a datablock has another name than Terrane gave it: it was renamed, or is a copy."""
    given = thing.get(GIVEN)
    return given is not None and given != thing.name


def find(things: Iterable[Any], name: str, is_ours: Callable[[Any], bool]) -> Any | None:
    """Return the datablock that was made under a name before, None if there is none.

    Parameters
    ----------
    things : iterable of ID
        Datablocks to search.
    name : str
        The one asked for; or its present name, which is all that files of older versions have.
    is_ours : callable
        Whether a datablock is of the kind in question, by its mark, and may be overwritten.
    """
    ours = [one for one in things if is_ours(one) and is_writable(one)]
    asked = (one for one in ours if one.get(ASKED) == name and not is_set_aside(one))
    return next(asked, None) or next((one for one in ours if one.name == name), None)


def is_in_another(thing: bpy.types.ID, material: bpy.types.Material | None) -> bool:
    """Return whether Terrane's nodes in another material than this one use an image or a group.

    That material has its own record of what they show. Nodes that users have added themselves do not
    count: they follow what is rebuilt.
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
