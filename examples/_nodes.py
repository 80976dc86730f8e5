# SPDX-License-Identifier: GPL-3.0-or-later
"""Node trees, written down with few words."""

from __future__ import annotations

from typing import Any

import bpy

Color = tuple[float, float, float]


class Nodes:
    """A node tree, written down with few words.

    A source is an output, given as (node, name or number), or a plain value. What is said to
    return a source can be fed to anything else.
    """

    def __init__(self, tree: bpy.types.NodeTree, *, is_new: bool = True) -> None:
        self.tree = tree
        if is_new:
            tree.nodes.clear()

    def add(self, kind: str, **inputs: Any) -> Any:
        node = self.tree.nodes.new(kind)
        for name, value in inputs.items():
            self.feed(value, node, name)
        return node

    def link(self, source: Any, output: str | int, node: Any, socket: str | int) -> None:
        self.tree.links.new(source.outputs[output], node.inputs[socket])

    def feed(self, source: Any, node: Any, socket: str | int) -> None:
        if isinstance(source, tuple) and len(source) == 2:
            self.link(*source, node, socket)
            return
        given = node.inputs[socket]
        is_color = isinstance(source, tuple) and given.type == "RGBA" and len(source) == 3
        given.default_value = (*source, 1.0) if is_color else source

    # --- numbers --------------------------------------------------------------------------------

    def math(self, operation: str, *sources: Any) -> Any:
        """Return the source of a calculation."""
        node = self.add("ShaderNodeMath")
        node.operation = operation
        for place, source in enumerate(sources):
            self.feed(source, node, place)
        return node, 0

    def add_up(self, *sources: Any) -> Any:
        """Return the source of a sum."""
        total = sources[0]
        for one in sources[1:]:
            total = self.math("ADD", total, one)
        return total

    def product(self, *sources: Any) -> Any:
        """Return the source of a product."""
        total = sources[0]
        for one in sources[1:]:
            total = self.math("MULTIPLY", total, one)
        return total

    def inverse(self, source: Any) -> Any:
        """Return the source of 1 minus something."""
        return self.math("SUBTRACT", 1.0, source)

    def remap(
        self, source: Any, low: float, high: float, first: float = 0.0, last: float = 1.0
    ) -> Any:
        """Return the source of a ramp from `first` at `low` to `last` at `high`, level beyond."""
        return self._ranged(source, low, high, first, last, "LINEAR")

    def smooth(
        self, source: Any, low: float, high: float, first: float = 0.0, last: float = 1.0
    ) -> Any:
        """Return the same with rounded ends; `low` may be above `high`."""
        if low > high:
            low, high, first, last = high, low, last, first
        return self._ranged(source, low, high, first, last, "SMOOTHSTEP")

    def _ranged(self, source: Any, *values: Any) -> Any:
        node = self.add("ShaderNodeMapRange")
        node.interpolation_type = values[-1]
        self.feed(source, node, "Value")
        for name, value in zip(("From Min", "From Max", "To Min", "To Max"), values):
            node.inputs[name].default_value = value
        return node, "Result"

    def attribute(self, name: str) -> Any:
        """Return the source of a number stored on the vertices, 0 if it is not there."""
        node = self.add("ShaderNodeAttribute")
        node.attribute_name = name
        return node, "Fac"

    # --- vectors and textures -------------------------------------------------------------------

    def vector(self, operation: str, *sources: Any) -> Any:
        """Return the source of a calculation with vectors."""
        node = self.add("ShaderNodeVectorMath")
        node.operation = operation
        for place, source in enumerate(sources):
            self.feed(source, node, "Scale" if operation == "SCALE" and place else place)
        return node, "Value" if operation in {"DOT_PRODUCT", "LENGTH"} else "Vector"

    def parts(self, source: Any) -> tuple[Any, Any, Any]:
        """Return the sources of the three numbers of a vector."""
        node = self.add("ShaderNodeSeparateXYZ", Vector=source)
        return (node, "X"), (node, "Y"), (node, "Z")

    def joined(self, x: Any, y: Any, z: Any) -> Any:
        """Return the source of a vector."""
        return self.add("ShaderNodeCombineXYZ", X=x, Y=y, Z=z), "Vector"

    def noise(self, source: Any, scale: float, detail: float, **inputs: Any) -> Any:
        """Return the source of a noise from 0 to 1."""
        node = self.add("ShaderNodeTexNoise", Vector=source, Scale=scale, Detail=detail, **inputs)
        return node, 0

    def cells(self, source: Any, scale: float) -> Any:
        """Return the node of cells: what lies how far from the middle of which."""
        return self.add("ShaderNodeTexVoronoi", Vector=source, Scale=scale)

    def bump(self, height: Any, distance: float, strength: float, before: Any = None) -> Any:
        """Return the source of a normal that makes a surface look rough."""
        node = self.add("ShaderNodeBump", Height=height, Strength=strength, Distance=distance)
        if before is not None:
            self.feed(before, node, "Normal")
        return node, "Normal"

    # --- colors --------------------------------------------------------------------------------

    def mix(self, share: Any, first: Any, second: Any, blend: str = "MIX") -> Any:
        """Return the source of a color between two."""
        node = self.add("ShaderNodeMix")
        node.data_type, node.blend_type = "RGBA", blend
        for place, source in ((0, share), (6, first), (7, second)):
            self.feed(source, node, place)
        return node, 2

    def scaled(self, color: Any, factor: Any) -> Any:
        """Return the source of a color, brighter or darker."""
        return self.vector("SCALE", color, factor)

    def ramp(self, share: Any, stops: list[tuple[float, Color]]) -> Any:
        """Return the source of a color looked up in a ramp."""
        node = self.add("ShaderNodeValToRGB", Fac=share)
        elements = node.color_ramp.elements
        while len(elements) > 1:
            elements.remove(elements[-1])
        for place, (position, color) in enumerate(stops):
            element = elements[0] if place == 0 else elements.new(position)
            element.position, element.color = position, (*color, 1.0)
        return node, "Color"


def tree_of(owner: Any) -> bpy.types.NodeTree:
    """Return the node tree of a material or a world; from 5.0 on it is always there."""
    if owner.node_tree is None:
        owner.use_nodes = True
    return owner.node_tree
