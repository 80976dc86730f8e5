# SPDX-License-Identifier: GPL-3.0-or-later
"""Ownership of datablocks and nodes: those of Terrane, and those of the user.

Where a requested name is in use or too long, Blender gives a new datablock another one. So a datablock
of Terrane stores the requested name and the assigned one. While it has the assigned name it is found
under the requested one; a renamed datablock was set aside by the user, and a copy has another name.

Removing a node removes its links. Links between Terrane's nodes and the user's are stored by the names
of nodes and sockets, and restored after Terrane's nodes are rebuilt, where both ends still exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import bpy

from .linked import is_writable

ASKED, GIVEN = "terrane_asked", "terrane_given"
"""Custom properties with the requested name of a datablock, and the one that Blender assigned."""

PREFIX = "Terrane "
"""Prefix of the names of Terrane's nodes in materials."""


def is_own(datablock: bpy.types.ID | None) -> bool:
    """Return whether a datablock is Terrane's, as it marks those that it makes."""
    block: Any = datablock
    return block is not None and any(key.startswith("terrane_") for key in block.keys())


def remove_unused(*datablocks: Any) -> None:
    """Remove datablocks that nothing uses, in their order, and the groups of nodes and images that only they used.

    Groups and images that users have put into a material stay.
    """
    waiting = list(dict.fromkeys(block for block in datablocks if block is not None))
    while waiting:
        block = waiting.pop(0)
        if block.users == 0:
            inner = _shown_by(block)
            bpy.data.batch_remove([block])
            waiting += [part for part in inner if part not in waiting]


def _shown_by(owner: Any) -> list[Any]:
    """Return the groups and images in a datablock's nodes that Terrane may remove."""
    tree = owner if isinstance(owner, bpy.types.NodeTree) else getattr(owner, "node_tree", None)
    nodes: Any = () if tree is None else tree.nodes
    groups = dict.fromkeys(getattr(node, "node_tree", None) for node in nodes)
    if isinstance(owner, bpy.types.Material):
        groups = dict.fromkeys(filter(is_own, groups))
    images = dict.fromkeys(filter(is_own, (getattr(node, "image", None) for node in nodes)))
    return [block for block in (*groups, *images) if block is not None]


def note(datablock: bpy.types.ID, request: str) -> None:
    """Store the requested name on a datablock that Terrane has just created or renamed."""
    datablock[ASKED], datablock[GIVEN] = request, datablock.name


def is_set_aside(datablock: bpy.types.ID) -> bool:
    """Return whether a datablock no longer has its assigned name: it was renamed, or is a copy."""
    assigned_name = datablock.get(GIVEN)
    return assigned_name is not None and assigned_name != datablock.name


def find(datablocks: Iterable[Any], name: str, is_ours: Callable[[Any], bool]) -> Any | None:
    """Return the datablock that was created under a requested name, else one that has this name; None if there is none.

    `is_ours` returns whether a datablock has the right mark.
    """
    ours = [block for block in datablocks if is_ours(block) and is_writable(block)]
    matches = (block for block in ours if block.get(ASKED) == name and not is_set_aside(block))
    return next(matches, None) or next((block for block in ours if block.name == name), None)


def is_in_another(datablock: bpy.types.ID, material: bpy.types.Material | None) -> bool:
    """Return whether Terrane's nodes in another material than this one use an image or a group.

    That material has a separate record of their content. Nodes added by users do not count: they
    follow the rebuilt datablock.
    """

    def is_among(nodes: Iterable[Any]) -> bool:
        ours = (node for node in nodes if node.name.startswith(PREFIX))
        kinds = ("image", "node_tree")
        return any(datablock == getattr(node, kind, None) for node in ours for kind in kinds)

    trees = (user.node_tree for user in bpy.data.materials if user != material)
    return any(tree is not None and is_among(tree.nodes) for tree in trees)
