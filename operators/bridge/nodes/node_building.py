# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups, written down with few words: sockets, calculations, and a tidy place for each node.

A source is an output, or a plain value; what is said to return a source can be fed to any input.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

Source = Any

FAR = 1e6
"""Meters or shares that nothing reaches."""

SHARE, ANY = (0.0, 1.0), (-FAR, FAR)
"""Limits of sockets."""

_COLUMN = 220.0
"""From one column of nodes to the next: nodes are 140 to 180 wide."""

_GAP = 40.0
"""Between one node and the next below it."""

_HEADER, _SOCKET = 70.0, 22.0
"""Height of a node without its sockets, and of one of these, as Blender draws them."""


class Builder:
    """Writes a node tree down; `tidy` then gives each node a place."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self.tree: Any = tree

    # --- nodes ----------------------------------------------------------------------------------

    def add(self, kind: str, label: str = "", **inputs: Source) -> Any:
        """Return a new node; inputs are fed by name."""
        node = self.tree.nodes.new(kind)
        node.label = label
        for name, source in inputs.items():
            self.feed(source, node.inputs[name.replace("_", " ")])
        return node

    def feed(self, source: Source, socket: Any) -> None:
        """Link a source to an input, or set its value."""
        if isinstance(source, bpy.types.NodeSocket):
            self.tree.links.new(source, socket)
        elif socket.type == "RGBA" and len(source) == 3:
            socket.default_value = (*source, 1.0)
        else:
            socket.default_value = source

    # --- numbers --------------------------------------------------------------------------------

    def math(
        self, operation: str, *sources: Source, clamp: bool = False, label: str = ""
    ) -> Source:
        """Return a calculation with numbers."""
        node = self.add("ShaderNodeMath", label)
        node.operation, node.use_clamp = operation, clamp
        for place, source in enumerate(sources):
            self.feed(source, node.inputs[place])
        return node.outputs[0]

    def total(self, *sources: Source) -> Source:
        """Return a sum."""
        result = sources[0]
        for one in sources[1:]:
            result = self.math("ADD", result, one)
        return result

    def product(self, *sources: Source, label: str = "") -> Source:
        """Return a product."""
        result = sources[0]
        for one in sources[1:]:
            result = self.math("MULTIPLY", result, one, label=label)
        return result

    def inverse(self, source: Source) -> Source:
        """Return 1 minus something."""
        return self.math("SUBTRACT", 1.0, source)

    def ranged(
        self,
        source: Source,
        low: Source,
        high: Source,
        first: Source = 0.0,
        last: Source = 1.0,
        *,
        smooth: bool = False,
        label: str = "",
    ) -> Source:
        """Return a slope from `first` at `low` to `last` at `high`, level beyond; low is lower."""
        node = self.add("ShaderNodeMapRange", label)
        node.interpolation_type = "SMOOTHSTEP" if smooth else "LINEAR"
        names = ("Value", "From Min", "From Max", "To Min", "To Max")
        for name, value in zip(names, (source, low, high, first, last), strict=True):
            self.feed(value, node.inputs[name])
        return node.outputs["Result"]

    def mixed_numbers(self, share: Source, first: Source, second: Source) -> Source:
        """Return a number between two."""
        node = self.add("ShaderNodeMix")
        node.data_type = "FLOAT"
        for place, source in ((0, share), (2, first), (3, second)):
            self.feed(source, node.inputs[place])
        return node.outputs[0]

    def attribute(self, name: str) -> Source:
        """Return a number stored on the vertices, 0 if it is not there."""
        node = self.add("ShaderNodeAttribute", name)
        node.attribute_type, node.attribute_name = "GEOMETRY", name
        return node.outputs["Fac"]

    # --- vectors and colors --------------------------------------------------------------------

    def vector(self, operation: str, *sources: Source, label: str = "") -> Source:
        """Return a calculation with vectors."""
        node = self.add("ShaderNodeVectorMath", label)
        node.operation = operation
        for place, source in enumerate(sources):
            name = "Scale" if operation == "SCALE" and place else place
            self.feed(source, node.inputs[name])
        return node.outputs["Value" if operation in {"DOT_PRODUCT", "LENGTH"} else "Vector"]

    def parts(self, source: Source, label: str = "") -> tuple[Source, Source, Source]:
        """Return the three numbers of a vector."""
        node = self.add("ShaderNodeSeparateXYZ", label, Vector=source)
        return node.outputs[0], node.outputs[1], node.outputs[2]

    def joined(self, x: Source, y: Source, z: Source, label: str = "") -> Source:
        """Return a vector of three numbers."""
        return self.add("ShaderNodeCombineXYZ", label, X=x, Y=y, Z=z).outputs[0]

    def noise(
        self,
        place: Source,
        scale: Source,
        detail: float,
        roughness: float,
        label: str,
        *,
        dimensions: str = "3D",
    ) -> Source:
        """Return a noise whose values are spread from 0 to 1, not heaped in the middle.

        `place` is a vector, or a number if there is one dimension.
        """
        node = self.add(
            "ShaderNodeTexNoise", label, Scale=scale, Detail=detail, Roughness=roughness
        )
        node.noise_dimensions = dimensions
        self.feed(place, node.inputs["W" if dimensions == "1D" else "Vector"])
        return self.ranged(node.outputs["Fac"], 0.3, 0.7, label=label)

    def mixed(self, share: Source, first: Source, second: Source, blend: str = "MIX") -> Source:
        """Return a color between two."""
        node = self.add("ShaderNodeMix")
        node.data_type, node.blend_type = "RGBA", blend
        # The colors among its sockets have these numbers; by name there are several.
        for place, source in ((0, share), (6, first), (7, second)):
            self.feed(source, node.inputs[place])
        return node.outputs[2]

    # --- the sockets of a group -----------------------------------------------------------------

    def panel(self, name: str, *, closed: bool = False) -> Any:
        """Return a new panel of sockets."""
        return self.tree.interface.new_panel(name, default_closed=closed)

    def number_socket(
        self,
        name: str,
        value: float,
        limits: tuple[float, float],
        text: str,
        panel: Any = None,
        subtype: str = "NONE",
    ) -> None:
        """Add an input for a number."""
        socket = self.tree.interface.new_socket(
            name, in_out="INPUT", socket_type="NodeSocketFloat", parent=panel
        )
        if subtype != "NONE":
            socket.subtype = subtype
        socket.min_value, socket.max_value = limits
        socket.default_value, socket.description = value, text

    def color_socket(self, name: str, value: Any, text: str, panel: Any = None) -> None:
        """Add an input for a color."""
        socket = self.tree.interface.new_socket(
            name, in_out="INPUT", socket_type="NodeSocketColor", parent=panel
        )
        socket.default_value, socket.description = (*value, 1.0), text

    def vector_socket(self, name: str, text: str, panel: Any = None, *, hide: bool = True) -> None:
        """Add an input for a vector, which is to be linked."""
        socket = self.tree.interface.new_socket(
            name, in_out="INPUT", socket_type="NodeSocketVector", parent=panel
        )
        socket.hide_value, socket.description = hide, text

    def outputs(self, kind: str, named: Iterable[tuple[str, str]]) -> None:
        """Add outputs: names with their help."""
        for name, text in named:
            socket = self.tree.interface.new_socket(name, in_out="OUTPUT", socket_type=kind)
            socket.description = text

    def begin(self) -> Any:
        """Return the node that gives a group's inputs."""
        return self.add("NodeGroupInput")

    def end(self, **results: Source) -> None:
        """Feed a group's outputs, by name, and place all nodes."""
        self.add("NodeGroupOutput", **results)
        tidy(self.tree)


def tidy(tree: Any) -> None:
    """Place nodes in columns from left to right, each as far right as what it feeds allows."""
    nodes = [one for one in tree.nodes if one.type != "FRAME"]
    column = _columns(nodes, tree.links)
    deepest = max(column.values(), default=0)
    heights: dict[int, float] = {}
    tops: dict[str, float] = {}
    for node in nodes:
        at = column[node.name]
        tops[node.name] = heights.get(at, 0.0)
        heights[at] = tops[node.name] + height_of(node) + _GAP
    places: list[float] = []
    for node in tree.nodes:
        at = column.get(node.name)
        if at is None:  # a frame stays
            places += node.location
        else:  # columns stand centered
            places += ((deepest - at) * _COLUMN, 0.5 * heights[at] - tops[node.name])
    # All at once: Blender would look through the whole tree after each node that moves.
    tree.nodes.foreach_set("location", places)


def height_of(node: Any) -> float:
    """Return about how high Blender draws a node; it says so only after it has drawn it."""
    shown = [one for one in (*node.inputs, *node.outputs) if one.enabled and not one.hide]
    open_vectors = [
        one
        for one in node.inputs
        if one.enabled and one.type == "VECTOR" and not one.is_linked and not one.hide_value
    ]
    return _HEADER + _SOCKET * (len(shown) + 3 * len(open_vectors) + 2)


def _columns(nodes: list[Any], links: Any) -> dict[str, int]:
    """Return how many columns from the right each node stands: one more than what it feeds."""
    feeds: dict[str, set[str]] = {node.name: set() for node in nodes}
    for link in links:
        feeds[link.from_node.name].add(link.to_node.name)
    found: dict[str, int] = {}

    def place(name: str) -> int:
        if name not in found:
            found[name] = 0
            found[name] = max((place(one) + 1 for one in feeds[name]), default=0)
        return found[name]

    for name in feeds:
        place(name)
    return found
