# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of a material that stand in columns, in frames, and are known by their names."""

from __future__ import annotations

from typing import Any

import bpy

from ..datablocks.ownership import PREFIX
from .node_building import Builder

COLUMN = 340.0
"""From one column to the next."""

_GROUP_WIDTH = 240.0
"""Of a node of a group: wide enough for the names of its sockets."""


class FramedNodes(Builder):
    """The tree of a material: nodes stand in named columns, framed by what they are about."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        super().__init__(tree)
        self._frames: dict[str, list[Any]] = {}

    def stand(self, node: Any, name: str, frame: str, column: float, top: float = 0.0) -> Any:
        """Give a node its name, frame and place."""
        node.name = f"{PREFIX}{name}"
        node.label = name
        node.location = (column * COLUMN, top)
        if hasattr(node, "node_tree"):
            node.width = _GROUP_WIDTH
        self._frames.setdefault(frame, []).append(node)
        return node

    def group(self, kind: bpy.types.NodeTree, **values: Any) -> Any:
        """Return a node of a group, with values or links for its inputs."""
        node = self.tree.nodes.new("ShaderNodeGroup")
        node.node_tree = kind
        for name, value in values.items():
            self.feed(value, node.inputs[name.replace("_", " ")])
        return node

    def framed(self) -> None:
        """Put the nodes into their frames."""
        for name, nodes in self._frames.items():
            frame = self.tree.nodes.new("NodeFrame")
            frame.name, frame.label = f"{PREFIX}{name} Frame", name
            for node in nodes:
                place = node.location.copy()
                node.parent = frame
                node.location = place
