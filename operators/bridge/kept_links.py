# SPDX-License-Identifier: GPL-3.0-or-later
"""Links between our nodes in a material and the user's, which outlast that ours are written anew.

A node takes its links with it when it is removed. Those that cross between ours and the user's are noted by
the names of nodes and sockets before, and made again afterwards, where both ends still exist.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class _End:
    """A socket, by name; the identifier tells sockets of one name apart."""

    node: str
    socket: str
    identifier: str

    @classmethod
    def of(cls, socket: Any) -> _End:
        return cls(socket.node.name, socket.name, socket.identifier)

    def found(self, tree: Any, side: str) -> Any | None:
        """Return it among the inputs or outputs of the node of that name, None if it is gone."""
        node = tree.nodes.get(self.node)
        named = [one for one in getattr(node, side, ()) if one.name == self.socket]
        same = [one for one in named if one.identifier == self.identifier]
        shown = [one for one in named if one.enabled]
        return next(iter((*same, *shown)), None)


@dataclass(frozen=True)
class Crossing:
    """A link with one end at a node of ours, and the other at one of the user's."""

    source: _End
    target: _End


def crossing(tree: Any, prefix: str) -> list[Crossing]:
    """Return the links between nodes whose names begin with a prefix and all others."""
    return [
        Crossing(_End.of(link.from_socket), _End.of(link.to_socket))
        for link in tree.links
        if link.from_node.name.startswith(prefix) != link.to_node.name.startswith(prefix)
    ]


def restore(tree: Any, links: Iterable[Crossing]) -> None:
    """Make links again; one into an input takes the place of what we have put there."""
    for one in links:
        source, target = one.source.found(tree, "outputs"), one.target.found(tree, "inputs")
        if source is not None and target is not None:
            tree.links.new(source, target)
