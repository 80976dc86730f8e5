# SPDX-License-Identifier: GPL-3.0-or-later
"""What node groups take in and give out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy

_TYPES = {"FLOAT": "NodeSocketFloat", "INT": "NodeSocketInt", "VECTOR": "NodeSocketVector"}


@dataclass(frozen=True)
class Socket:
    """One input or output of a group.

    Attributes
    ----------
    name : str
    kind : {"FLOAT", "INT", "VECTOR"}
    default : float or None
    limits : tuple of two floats or None
    help : str
        The tooltip.
    """

    name: str
    kind: str = "FLOAT"
    default: float | None = None
    limits: tuple[float, float] | None = None
    help: str = ""


def new_group(name: str) -> Any:
    """Return a new node group for materials, without nodes and sockets."""
    trees: Any = bpy.data.node_groups
    return trees.new(name, "ShaderNodeTree")


def add_sockets(tree: Any, inputs: Iterable[Socket], outputs: Iterable[Socket]) -> None:
    """Give a group its sockets; what is there under the same name and type stays connected."""
    wanted = [*(("OUTPUT", one) for one in outputs), *(("INPUT", one) for one in inputs)]
    keys = {(way, one.name, _TYPES[one.kind]) for way, one in wanted}
    present: dict[tuple[str, str, str], Any] = {}
    for item in list(tree.interface.items_tree):
        if item.item_type != "SOCKET":
            continue
        key = (item.in_out, item.name, item.socket_type)
        if key in keys and key not in present:
            present[key] = item
        else:
            tree.interface.remove(item)
    for way, one in wanted:
        kind = _TYPES[one.kind]
        item = present.get((way, one.name, kind))
        if item is None:
            item = tree.interface.new_socket(one.name, in_out=way, socket_type=kind)
        item.description = one.help
        if one.kind == "VECTOR" and way == "INPUT":
            item.hide_value = True
        number = int if one.kind == "INT" else float
        if one.limits is not None:
            item.min_value, item.max_value = map(number, one.limits)
        if one.default is not None:
            item.default_value = number(one.default)
