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


def shared_group(
    name: str, version: int | str, declare: Callable[[], NodeGraph]
) -> bpy.types.NodeTree:
    """Return the group of a name and version, made if this file has none.

    A group whose sockets were changed by the user stays as it is and is not used again.

    Parameters
    ----------
    name : str
    version : int or str
        To be raised with every change of the group.
    declare : callable
        Returns the graph to make the group of.
    """
    mark = f"{name} {version}"
    for group in bpy.data.node_groups:
        if group.get(MARK) == mark and group.library is None:
            if group.get(_SOCKETS) == _sockets(group):
                return group
    group = builder.new_group(name, declare())
    group[MARK] = mark
    group[_SOCKETS] = _sockets(group)
    return group


def _sockets(group: bpy.types.NodeTree) -> str:
    """Return the names of a group's sockets as text."""
    items: Any = group.interface.items_tree
    return "\n".join(f"{one.in_out} {one.name}" for one in items if one.item_type == "SOCKET")
