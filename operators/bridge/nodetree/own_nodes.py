# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrane's nodes among the user's in a material: how they are replaced, and linked to the shader that it shows.

A node takes its links with it when it is removed. Those between Terrane's nodes and the user's are noted
by the names of nodes and sockets, and restored afterwards where both ends still exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    old_nodes = [node for node in tree.nodes if node.name.startswith(prefix)]
    corner = _corner(old_nodes, list(tree.nodes))
    for node in old_nodes:
        tree.nodes.remove(node)
    yield corner
    for start, stop in links:
        source, target = _find(tree, start, "outputs"), _find(tree, stop, "inputs")
        if source is not None and target is not None:
            connect(source, target)


def _name_of(socket: Any) -> _SocketName:
    return socket.node.name, socket.name, socket.identifier


def _find(tree: Any, name: _SocketName, side: str) -> Any | None:
    """Return a socket among the inputs or outputs of a named node, or None."""
    node, socket, identifier = name
    named = [
        candidate
        for candidate in getattr(tree.nodes.get(node), side, ())
        if candidate.name == socket
    ]
    same = [candidate for candidate in named if candidate.identifier == identifier]
    shown = [candidate for candidate in named if candidate.enabled]
    return next(iter((*same, *shown)), None)


def _corner(old_nodes: list[Any], all_nodes: list[Any]) -> Corner | None:
    places = {node: absolute_location(node) for node in all_nodes if node.bl_idname != "NodeFrame"}
    drawn = [node for node in old_nodes if node in places]
    if drawn:
        right = max(places[node][0] + node.width for node in drawn)
        return right, max(places[node][1] for node in drawn)
    if places:
        leftmost = min(x for x, _ in places.values())
        return leftmost - _BESIDE, max(y for _, y in places.values())
    return None


# --- the shader that a material shows -------------------------------------------------------------


def output_node(tree: Any) -> Any | None:
    """Return the active output of a material, else any output, else None."""
    return tree.get_output_node("ALL") or next(
        (node for node in tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial"), None
    )


def find_shader(tree: Any, shown: Any) -> Any | None:
    """Return the Principled BSDF that the output shows, or the only one in the tree, else None."""
    if shown.bl_idname == "ShaderNodeBsdfPrincipled":
        return shown
    shaders = [node for node in tree.nodes if node.bl_idname == "ShaderNodeBsdfPrincipled"]
    return shaders[0] if len(shaders) == 1 else None


def connect_free(shader: Any, sources: Mapping[str, Any]) -> list[str]:
    """Link free inputs of the shader; return the names of inputs that do not follow the sources."""
    taken = []
    for name, source in sources.items():
        if not shader.inputs[name].is_linked:
            connect(source, shader.inputs[name])
        elif not source.is_linked:  # it may lead there through nodes of the user's
            taken.append(name)
    return taken
