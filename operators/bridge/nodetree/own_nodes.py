# SPDX-License-Identifier: GPL-3.0-or-later
"""Replace Terrane's nodes in a material and keep the links to the user's.

A node takes its links with it when it is removed. Those between Terrane's nodes and the user's are noted
by the names of nodes and sockets before, and made again afterwards where both ends still exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .builder import Corner, absolute_location, connect

_BESIDE = 80.0
"""Distance of Terrane's nodes from the user's."""

_SocketName = tuple[str, str, str]
"""Names of a node and its socket, and the identifier, which tells sockets of one name apart."""


@contextmanager
def replaced_nodes(tree: Any, prefix: str) -> Iterator[Corner | None]:
    """Remove the nodes whose names begin with a prefix, and restore their links after the block.

    Yields the right edge and top for the new nodes: those of the old ones, or beside the user's nodes;
    None in an empty tree.
    """
    links = [
        (_name_of(link.from_socket), _name_of(link.to_socket))
        for link in tree.links
        if link.from_node.name.startswith(prefix) != link.to_node.name.startswith(prefix)
    ]
    own = [one for one in tree.nodes if one.name.startswith(prefix)]
    corner = _corner(own, list(tree.nodes))
    for node in own:
        tree.nodes.remove(node)
    yield corner
    for start, stop in links:
        source, target = _find(tree, start, "outputs"), _find(tree, stop, "inputs")
        if source is not None and target is not None:
            connect(source, target)


def _name_of(socket: Any) -> _SocketName:
    return socket.node.name, socket.name, socket.identifier


def _find(tree: Any, name: _SocketName, side: str) -> Any | None:
    """Return a socket among the inputs or outputs of the node of that name, None if it is gone."""
    node, socket, identifier = name
    named = [one for one in getattr(tree.nodes.get(node), side, ()) if one.name == socket]
    same = [one for one in named if one.identifier == identifier]
    shown = [one for one in named if one.enabled]
    return next(iter((*same, *shown)), None)


def _corner(own: list[Any], all_nodes: list[Any]) -> Corner | None:
    places = {node: absolute_location(node) for node in all_nodes if node.bl_idname != "NodeFrame"}
    drawn = [node for node in own if node in places]
    if drawn:
        right = max(places[node][0] + node.width for node in drawn)
        return right, max(places[node][1] for node in drawn)
    if places:
        left = min(x for x, _ in places.values())
        return left - _BESIDE, max(y for _, y in places.values())
    return None
