# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups that several trees share.

Each carries its name and version as a custom property: a later Terrane that declares one differently
makes a new group, and trees that use the old one stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
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


def find_or_create(name: str, version: int | str, declare: Declare) -> Any:
    """Return the group of a name and version, made if this file has none.

    A group whose sockets were changed by the user stays as it is and is not used again.
    """
    mark = f"{name} {version}"
    for group in bpy.data.node_groups:
        is_same = group.get(MARK) == mark and group.library is None
        if is_same and group.get(_SOCKETS) == _sockets(group):
            return group
    graph = NodeGraph()
    declare(graph)
    group = builder.new_tree(name, graph)
    group[MARK] = mark
    group[_SOCKETS] = _sockets(group)
    return group


def _sockets(group: Any) -> str:
    """Return the names of a group's sockets as text."""
    items = group.interface.items_tree
    return "\n".join(f"{one.in_out} {one.name}" for one in items if one.item_type == "SOCKET")
