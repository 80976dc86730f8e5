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
from dataclasses import dataclass
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


@dataclass(frozen=True)
class _End:
    """Socket, by name; the identifier tells sockets of one name apart."""

    node: str
    socket: str
    identifier: str

    @classmethod
    def of(cls, socket: Any) -> _End:
        return cls(socket.node.name, socket.name, socket.identifier)

    def find(self, tree: Any, side: str) -> Any | None:
        """Return it among the inputs or outputs of the node of that name, None if it is gone."""
        node = tree.nodes.get(self.node)
        named = [one for one in getattr(node, side, ()) if one.name == self.socket]
        same = [one for one in named if one.identifier == self.identifier]
        shown = [one for one in named if one.enabled]
        return next(iter((*same, *shown)), None)


@dataclass(frozen=True)
class BoundaryLink:
    """Link with one end at a node of Terrane's, and the other at one of the user's."""

    source: _End
    target: _End


def boundary_links(tree: Any, prefix: str) -> list[BoundaryLink]:
    """Return the links between nodes whose names begin with a prefix and all others."""
    return [
        BoundaryLink(_End.of(link.from_socket), _End.of(link.to_socket))
        for link in tree.links
        if link.from_node.name.startswith(prefix) != link.to_node.name.startswith(prefix)
    ]


def restore_links(tree: Any, links: Iterable[BoundaryLink]) -> None:
    """Make links again; one into an input replaces the link that Terrane has made there."""
    for one in links:
        source, target = one.source.find(tree, "outputs"), one.target.find(tree, "inputs")
        if source is not None and target is not None:
            tree.links.new(source, target)
