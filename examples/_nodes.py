# SPDX-License-Identifier: GPL-3.0-or-later
"""Node trees, written down with few words."""

from __future__ import annotations

from typing import Any

import bpy

Colour = tuple[float, float, float]


class Nodes:
    """A node tree, written down with few words. A source is (node, output) or a plain number."""

    def __init__(self, tree: bpy.types.NodeTree, *, is_new: bool = True) -> None:
        self.tree = tree
        if is_new:
            tree.nodes.clear()

    def add(self, kind: str, **inputs: Any) -> Any:
        node = self.tree.nodes.new(kind)
        for name, value in inputs.items():
            node.inputs[name].default_value = value
        return node

    def link(self, source: Any, output: str | int, node: Any, socket: str | int) -> None:
        self.tree.links.new(source.outputs[output], node.inputs[socket])

    def feed(self, source: Any, node: Any, socket: str | int) -> None:
        if isinstance(source, tuple):
            self.link(*source, node, socket)
        else:
            node.inputs[socket].default_value = source

    def math(self, operation: str, *sources: Any) -> Any:
        node = self.add("ShaderNodeMath")
        node.operation = operation
        for place, source in enumerate(sources):
            self.feed(source, node, place)
        return node

    def remap(
        self,
        source: Any,
        from_min: float,
        from_max: float,
        to_min: float = 0.0,
        to_max: float = 1.0,
    ) -> Any:
        node = self.add("ShaderNodeMapRange")
        for name, value in (
            ("From Min", from_min),
            ("From Max", from_max),
            ("To Min", to_min),
            ("To Max", to_max),
        ):
            node.inputs[name].default_value = value
        self.feed(source, node, "Value")
        return node

    def noise(self, source: Any, scale: float, detail: float) -> Any:
        node = self.add("ShaderNodeTexNoise", Scale=scale, Detail=detail)
        self.feed(source, node, "Vector")
        return node

    def mix(self, share: Any, first: Any, second: Any) -> tuple[Any, int]:
        node = self.add("ShaderNodeMix")
        node.data_type = "RGBA"
        self.feed(share, node, 0)
        self.feed(first, node, 6)
        self.feed(second, node, 7)
        return node, 2

    def scaled(self, colour: Any, factor: Any) -> tuple[Any, str]:
        node = self.add("ShaderNodeVectorMath")
        node.operation = "SCALE"
        self.feed(colour, node, 0)
        self.feed(factor, node, "Scale")
        return node, "Vector"


def set_ramp(node: Any, stops: list[tuple[float, Colour]]) -> None:
    elements = node.color_ramp.elements
    while len(elements) > 1:
        elements.remove(elements[-1])
    for place, (position, colour) in enumerate(stops):
        element = elements[0] if place == 0 else elements.new(position)
        element.position, element.color = position, (*colour, 1.0)


def tree_of(owner: Any) -> bpy.types.NodeTree:
    """Return the node tree of a material or a world; from 5.0 on it is always there."""
    if owner.node_tree is None:
        owner.use_nodes = True
    return owner.node_tree
