# SPDX-License-Identifier: GPL-3.0-or-later
"""The node groups that terrain materials are made of, by name; all materials share them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import bpy

from .. import shared_groups
from ..node_graph import NodeGraph
from .ground_groups import (
    declare_bumps,
    declare_crevices,
    declare_crowns,
    declare_strata,
    declare_water,
)
from .layer_group import declare_layer
from .masks_group import declare_masks

MASKS, LAYER, STRATA, CROWNS, CREVICES, BUMPS, WATER = (
    "Terrane Masks",
    "Terrane Layer",
    "Terrane Strata",
    "Terrane Crowns",
    "Terrane Crevices",
    "Terrane Bumps",
    "Terrane Water",
)


def find_or_create(name: str) -> bpy.types.NodeTree:
    """Return the group of one of the names above; see `shared_groups.shared_group`."""
    return shared_groups.shared_group(name, *_GROUPS[name])


_GROUPS: Mapping[str, tuple[int, Callable[[], NodeGraph]]] = {
    MASKS: (3, declare_masks),
    LAYER: (2, declare_layer),
    STRATA: (1, declare_strata),
    CROWNS: (1, declare_crowns),
    CREVICES: (1, declare_crevices),
    BUMPS: (2, declare_bumps),
    WATER: (1, declare_water),
}
"""By name: the version, to be raised with every change, and the function that declares the group."""
