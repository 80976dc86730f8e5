# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups that several trees share.

Each carries its name and version as a custom property: a later Terrane that declares one differently
makes a new group, and trees that use the old one stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import bpy

from . import builder
from .node_graph import NodeGraph

MARK = "terrane_group"
"""Custom property of shared groups: name and version."""

_SOCKETS = "terrane_sockets"
"""Custom property with the names of a group's sockets, as they were when it was made."""

Declare = Callable[[NodeGraph], None]
"""Declares the nodes of a group."""


def shared_group(name: str, version: int) -> Callable[[Declare], Callable[[], Any]]:
    """Make a function that declares a group into one that returns it.

    The version is to be raised with every change of the group.
    """

    def decorate(declare: Declare) -> Callable[[], Any]:
        return lambda: find_or_create(name, version, declare)

    return decorate


def find_or_create(
    name: str,
    version: int | str,
    declare: Declare,
    fits: Callable[[Any], bool] | None = None,
    kind: str = "ShaderNodeTree",
) -> Any:
    """Return the group of a name and version, made if this file has none that fits.

    A group whose sockets were changed by the user stays as it is and is not used again.
    """
    return find(name, version, fits) or create(name, version, declare, kind)


def find(name: str, version: int | str, fits: Callable[[Any], bool] | None = None) -> Any:
    """Return the group of a name and version, None if this file has none that fits."""
    mark = f"{name} {version}"
    for group in bpy.data.node_groups:
        is_same = group.get(MARK) == mark and group.library is None
        if is_same and group.get(_SOCKETS) == _sockets(group) and (fits is None or fits(group)):
            return group
    return None


class AlikeGroups:
    """Groups that differ in their images alone: the first is built, the others are copies of it.

    A copy takes Blender a tenth of the time. It holds for as long as a material is written, since
    the user may change a group later.
    """

    def __init__(self) -> None:
        self._built: dict[object, Any] = {}

    def find_or_create(
        self,
        name: str,
        version: int | str,
        declare: Declare,
        images: Mapping[str, bpy.types.Image],
        kind: object = None,
    ) -> Any:
        """Return a group, see `find_or_create`; all of one kind are declared alike.

        `images` are those of its nodes, by label: also of a group that was found, whose nodes are empty
        if an image was removed.
        """
        group = find(name, version)
        if group is None and kind in self._built:
            group = self._built[kind].copy()
            group.name = name
            group[MARK] = f"{name} {version}"
            for node in _image_nodes(group):
                node.image = images[node.label]
        elif group is None:
            group = self._built[kind] = create(name, version, declare)
        for node in _image_nodes(group):
            if node.image is None:
                node.image = images[node.label]
        return group


def create(name: str, version: int | str, declare: Declare, kind: str = "ShaderNodeTree") -> Any:
    """Return a new group, also if this file has such a one."""
    graph = NodeGraph()
    declare(graph)
    group = builder.new_tree(name, graph, kind)
    group[MARK] = f"{name} {version}"
    group[_SOCKETS] = _sockets(group)
    return group


def _image_nodes(group: Any) -> list[Any]:
    return [node for node in group.nodes if node.type == "TEX_IMAGE"]


def _sockets(group: Any) -> str:
    """Return the names of a group's sockets as text."""
    items = group.interface.items_tree
    return "\n".join(f"{item.in_out} {item.name}" for item in items if item.item_type == "SOCKET")
