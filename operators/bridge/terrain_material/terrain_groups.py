# SPDX-License-Identifier: GPL-3.0-or-later
"""The node groups that materials of terrains are made of.

They are ordinary groups which all such materials share. Each carries its name and the number of its
version as a custom property: a later Terrane that writes one in another way makes a new group, and
materials that have the old one stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..nodes.node_building import Builder
from .terrain_ground_groups import (
    write_bumps,
    write_crevices,
    write_crowns,
    write_strata,
    write_water,
)
from .terrain_layer_group import write_layer
from .terrain_masks_group import write_masks

MARK = "terrane_group"
"""Custom property of the groups that are ours: name and version."""

_SOCKETS = "terrane_sockets"
"""Custom property with the names of a group's sockets, as they were when it was made."""

MASKS, LAYER, STRATA, CROWNS, CREVICES, BUMPS, WATER = (
    "Terrane Masks",
    "Terrane Layer",
    "Terrane Strata",
    "Terrane Crowns",
    "Terrane Crevices",
    "Terrane Bumps",
    "Terrane Water",
)


def shared_group(name: str) -> bpy.types.NodeTree:
    """Return one of the groups named above, made if this file has none of this version."""
    version, write = _WRITERS[name]
    return found_or_made(name, f"{name} {version}", write)


def found_or_made(name: str, mark: str, write: Callable[[Builder], None]) -> bpy.types.NodeTree:
    """Return the group with a mark, made by a function if there is none.

    One whose sockets somebody has changed stays as it is, and is not used for others.
    """
    for group in bpy.data.node_groups:
        if group.get(MARK) == mark and group.library is None:
            if group.get(_SOCKETS) == _sockets(group):
                return group
    groups: Any = bpy.data.node_groups
    group = groups.new(name, "ShaderNodeTree")
    group[MARK] = mark
    write(Builder(group))
    group[_SOCKETS] = _sockets(group)
    return group


def _sockets(group: bpy.types.NodeTree) -> str:
    """Return what sockets a group has."""
    items: Any = group.interface.items_tree
    return "\n".join(f"{one.in_out} {one.name}" for one in items if one.item_type == "SOCKET")


_WRITERS: dict[str, tuple[int, Callable[[Builder], None]]] = {
    MASKS: (3, write_masks),
    LAYER: (2, write_layer),
    STRATA: (1, write_strata),
    CROWNS: (1, write_crowns),
    CREVICES: (1, write_crevices),
    BUMPS: (2, write_bumps),
    WATER: (1, write_water),
}
"""By name: the version, to be raised with every change, and what writes it."""
