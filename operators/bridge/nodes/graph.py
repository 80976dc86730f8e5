# SPDX-License-Identifier: GPL-3.0-or-later
"""A node group while it is written: adds nodes, connects them, and remembers which belong together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import bpy

from ....noise_core.noise import Noise
from . import shared_groups
from .domain import EVOLUTION, SEED, VECTOR, Domain, W
from .sockets import Socket, add_sockets, new_group
from .translators import translators

VALUE = "Value"
"""Name of the output of groups that are a noise."""

Value = Any
"""A socket, or the number (or vector) that stands in its place."""


@dataclass
class Block:
    """Nodes that belong together: they share a frame.

    Attributes
    ----------
    title : str
        The frame's label; no frame without one.
    nodes : list of Node
    """

    title: str
    nodes: list[Any] = field(default_factory=list)


@dataclass
class Writing:
    """What is shared while a group and the groups within it are written.

    Attributes
    ----------
    name : str
        Of the outermost group, with which the names of those within begin.
    notes : list of str
        What differs from the core, each said once.
    graphs : list of Graph
        All that have to be placed.
    """

    name: str
    notes: list[str] = field(default_factory=list)
    graphs: list[Graph] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Remember what differs."""
        if text and text not in self.notes:
            self.notes.append(text)


class Graph:
    """Adds nodes to one group.

    Parameters
    ----------
    tree : NodeTree
        Empty, with its sockets.
    writing : Writing
    """

    def __init__(self, tree: bpy.types.NodeTree, writing: Writing) -> None:
        self.tree, self.writing = tree, writing
        self.blocks: list[Block] = []
        self._open: list[Block] = []
        with self.block(""):
            self.inputs = self.add("NodeGroupInput").outputs
        writing.graphs.append(self)

    @contextmanager
    def block(self, title: str) -> Iterator[Block]:
        """Put all nodes that are added meanwhile into a frame of their own."""
        block = Block(title)
        self.blocks.append(block)
        self._open.append(block)
        yield block
        self._open.pop()

    def title(self, text: str) -> None:
        """Give the frame at work another label."""
        self._open[-1].title = text

    def add(self, kind: str, label: str = "", **properties: Any) -> Any:
        """Return a new node."""
        node = self.tree.nodes.new(kind)
        node.label = label
        for name, value in properties.items():
            setattr(node, name, value)
        self._open[-1].nodes.append(node)
        return node

    def put(self, target: Any, value: Value) -> None:
        """Connect an input with a socket, or set it to a number."""
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, target)
        else:
            target.default_value = value

    def math(self, operation: str, *values: Value, label: str = "", clamp: bool = False) -> Any:
        """Return the result of a Math node."""
        node = self.add("ShaderNodeMath", label, operation=operation, use_clamp=clamp)
        for target, value in zip(node.inputs, values):
            self.put(target, value)
        return node.outputs[0]

    def vector_math(self, operation: str, *values: Value, label: str = "") -> Any:
        """Return the vector that a Vector Math node makes of vectors."""
        node = self.add("ShaderNodeVectorMath", label, operation=operation)
        for target, value in zip(node.inputs, values):
            self.put(target, value)
        return node.outputs["Vector"]

    def scaled(self, vector: Value, factor: Value, label: str = "") -> Any:
        """Return a vector times a number."""
        node = self.add("ShaderNodeVectorMath", label, operation="SCALE")
        self.put(node.inputs[0], vector)
        self.put(node.inputs["Scale"], factor)
        return node.outputs["Vector"]

    def measured(self, operation: str, first: Value, second: Value = (0.0, 0.0, 0.0)) -> Any:
        """Return the number that a Vector Math node makes of vectors: DOT_PRODUCT, LENGTH."""
        node = self.add("ShaderNodeVectorMath", operation=operation)
        self.put(node.inputs[0], first)
        if operation != "LENGTH":
            self.put(node.inputs[1], second)
        return node.outputs["Value"]

    def affine(self, value: Value, factor: float, shift: float, label: str = "") -> Any:
        """Return value * factor + shift in as few nodes as that takes."""
        if factor == 1.0 and shift == 0.0:
            return value
        if shift == 0.0:
            return self.math("MULTIPLY", value, factor, label=label)
        return self.math("MULTIPLY_ADD", value, factor, shift, label=label)

    def to_signed(self, value: Value) -> Any:
        """Return a number in [0, 1], moved to [-1, 1]."""
        return self.affine(value, 2.0, -1.0, "To -1 … 1")

    def ramp(self, value: Value, start: float, stop: float, kind: str) -> Any:
        """Return 0 below `start`, 1 above `stop`, and a Map Range's interpolation between them."""
        node = self.add("ShaderNodeMapRange", interpolation_type=kind, clamp=True)
        for name, number in (("From Min", start), ("From Max", stop)):
            node.inputs[name].default_value = number
        self.put(node.inputs["Value"], value)
        return node.outputs["Result"]

    def separated(self, vector: Value) -> tuple[Any, Any, Any]:
        """Return the three parts of a vector."""
        node = self.add("ShaderNodeSeparateXYZ")
        self.put(node.inputs[0], vector)
        return (node.outputs["X"], node.outputs["Y"], node.outputs["Z"])

    def combined(self, x: Value, y: Value, z: Value = 0.0) -> Any:
        """Return a vector of three parts."""
        node = self.add("ShaderNodeCombineXYZ")
        for target, value in zip(node.inputs, (x, y, z)):
            self.put(target, value)
        return node.outputs["Vector"]

    def white(self, vector: Value, dimensions: str, w: Value = None, *, color: bool = False) -> Any:
        """Return random numbers in [0, 1] for a position: one, or three of them as a color."""
        node = self.add("ShaderNodeTexWhiteNoise", noise_dimensions=dimensions)
        self.put(node.inputs["Vector"], vector)
        if w is not None:
            self.put(node.inputs["W"], w)
        return node.outputs["Color" if color else "Value"]

    def cell_number(self, domain: Domain, cell: Value) -> Any:
        """Return a random number in [0, 1] for whole numbers x and y, by the seed."""
        return self.white(cell, "4D", domain.seed)

    def first_channel(self, color: Value) -> Any:
        """Return the red part of a color."""
        node = self.add("ShaderNodeSeparateColor")
        self.put(node.inputs[0], color)
        return node.outputs[0]

    def mixed(self, factor: Value, first: Value, second: Value) -> Any:
        """Return what lies between two numbers."""
        node = self.add("ShaderNodeMix", data_type="FLOAT")
        # Sockets of all data types lie beside each other: those of numbers are 0, 2 and 3.
        for place, value in zip((0, 2, 3), (factor, first, second)):
            self.put(node.inputs[place], value)
        return node.outputs[0]

    def mixed_vector(self, factor: Value, first: Value, second: Value) -> Any:
        """Return what lies between two vectors."""
        node = self.add("ShaderNodeMix", data_type="VECTOR")
        for place, value in zip((0, 4, 5), (factor, first, second)):
            self.put(node.inputs[place], value)
        return node.outputs[1]

    def cells(self, domain: Domain, frequency: float) -> Domain:
        """Return a domain in cells instead of tiles, moved by the seed."""
        node = self.instance(shared_groups.cells(), "Cells", domain)
        node.inputs[shared_groups.FREQUENCY].default_value = frequency
        w = None if domain.w is None else self.math("MULTIPLY", domain.w, frequency)
        return Domain(node.outputs[VECTOR], domain.dimension, w, domain.seed, domain.evolution)

    def child(self, domain: Domain, number: Value) -> Domain:
        """Return the domain with a seed of its own, as the core's `child_seed` gives one."""
        node = self.instance(shared_groups.child_seed(), "Child Seed", domain)
        self.put(node.inputs[shared_groups.NUMBER], number)
        return domain.with_seed(node.outputs[SEED])

    def noise(self, noise: Noise, domain: Domain) -> Any:
        """Write a noise in a frame of its own and return its value."""
        translator = translators()[noise.key]
        self.writing.note(translator.note and f"{noise.label}: {translator.note}")
        with self.block(noise.label):
            value = translator.write(noise, self, domain)
        # What comes before it and what comes after it are two frames, or the way would lead back.
        if self._open and self._open[-1].nodes:
            self.blocks.append(Block(self._open[-1].title))
            self._open[-1] = self.blocks[-1]
        return value

    def inner(
        self, title: str, domain: Domain, extra: Sequence[Socket], results: Sequence[Socket]
    ) -> tuple[Graph, Domain]:
        """Begin a group within this one, which takes a domain and some numbers.

        Returns
        -------
        graph : Graph
            Whose `inputs` hold the extra numbers by name; to be ended with `finish_inner`.
        domain : Domain
            The same domain inside.
        """
        tree = new_group(f"{self.writing.name} {title}")
        tree[shared_groups.MARK] = shared_groups.INNER
        add_sockets(tree, (*domain_sockets(domain), *extra), results)
        graph = Graph(tree, self.writing)
        return graph, graph.domain(domain.dimension)

    def domain(self, dimension: int) -> Domain:
        """Return the domain that comes in."""
        get = self.inputs.get
        return Domain(get(VECTOR), dimension, get(W), get(SEED), get(EVOLUTION))

    def finish(self, results: Mapping[str, Value]) -> bpy.types.NodeTree:
        """Hand results out and return the group."""
        with self.block(""):
            node = self.add("NodeGroupOutput")
        for name, value in results.items():
            self.put(node.inputs[name], value)
        return self.tree

    def finish_inner(self, results: Mapping[str, Value]) -> bpy.types.NodeTree:
        """Hand results out and return the group, without sockets that nothing is connected with."""
        tree: Any = self.finish(results)
        used = {("INPUT", one.name) for one in self.inputs if one.is_linked}
        used |= {("OUTPUT", name) for name in results}
        for item in list(tree.interface.items_tree):
            if (item.in_out, item.name) not in used:
                tree.interface.remove(item)
        return tree

    def prune(self) -> None:
        """Take nodes away that nothing is made of: what some noises do without."""
        found = True
        while found:
            found = False
            for block in self.blocks:
                for node in list(block.nodes):
                    if node.outputs and not any(socket.is_linked for socket in node.outputs):
                        block.nodes.remove(node)
                        self.tree.nodes.remove(node)
                        found = True

    def instance(self, tree: bpy.types.NodeTree, label: str, domain: Domain | None = None) -> Any:
        """Return a new node of a group, with the parts of a domain that it takes."""
        node = self.add("ShaderNodeGroup", label, node_tree=tree)
        for name, socket in (domain.sockets() if domain else {}).items():
            if name in node.inputs:
                self.put(node.inputs[name], socket)
        return node

    def source(self, title: str, noise: Noise, domain: Domain) -> bpy.types.NodeTree:
        """Write a noise as a group within this one, to be used several times."""
        graph, inside = self.inner(title, domain, (), (Socket(VALUE, help="The noise"),))
        return graph.finish_inner({VALUE: graph.noise(noise, inside)})


def domain_sockets(domain: Domain) -> list[Socket]:
    """Return the sockets by which a group takes a domain."""
    sockets = [Socket(VECTOR, "VECTOR", help="Where, in tiles")]
    if domain.w is not None:
        sockets.append(Socket(W, help="The fourth coordinate, in tiles"))
    sockets.append(Socket(SEED, "INT", help="Another number gives another pattern"))
    if domain.evolution is not None:
        sockets.append(Socket(EVOLUTION, help="How far the noise has moved on"))
    return sockets
