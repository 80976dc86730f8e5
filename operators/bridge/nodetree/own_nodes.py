# SPDX-License-Identifier: GPL-3.0-or-later
"""Replace Terrane's nodes in a material and keep the links to the user's.

A node takes its links with it when it is removed. Those between Terrane's nodes and the user's are noted
by the names of nodes and sockets before, and made again afterwards where both ends still exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .builder import Corner, absolute_location, connect

_BESIDE = 80.0
"""Distance of Terrane's nodes from the user's."""


@dataclass(frozen=True)
class _LinkEnd:
    """A socket, by name; the identifier tells sockets of one name apart."""

    node: str
    socket: str
    identifier: str

    @classmethod
    def of(cls, socket: Any) -> _LinkEnd:
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
    """A link between a node of Terrane's and one of the user's."""

    source: _LinkEnd
    target: _LinkEnd

    def restore(self, tree: Any) -> None:
        """Make the link again, also in the place of another one, if both ends exist."""
        source, target = self.source.find(tree, "outputs"), self.target.find(tree, "inputs")
        if source is not None and target is not None:
            connect(source, target)


@contextmanager
def replaced_nodes(tree: Any, prefix: str) -> Iterator[Corner | None]:
    """Remove the nodes whose names begin with a prefix, and restore their links after the block.

    Yields
    ------
    tuple of two floats or None
        Right edge and top for the new nodes: those of the old ones, or beside the user's nodes.
        None in an empty tree.
    """
    links = [
        BoundaryLink(_LinkEnd.of(link.from_socket), _LinkEnd.of(link.to_socket))
        for link in tree.links
        if link.from_node.name.startswith(prefix) != link.to_node.name.startswith(prefix)
    ]
    own = [one for one in tree.nodes if one.name.startswith(prefix)]
    corner = _corner(own, list(tree.nodes))
    for node in own:
        tree.nodes.remove(node)
    yield corner
    for link in links:
        link.restore(tree)


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
