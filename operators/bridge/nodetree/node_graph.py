# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes, links and sockets of one node tree as plain data.

A value is a number, a text, a tuple or a datablock, or the `Output` of a node that was declared before.
Since a node can only use what was declared before it, links never form a circle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from .sockets import Socket

Value: TypeAlias = Any
"""An `Output`, a socket that Blender has already, or the plain value of an input."""

Key: TypeAlias = Any
"""Name or identifier of a socket (text), or its index (an integer) where several share one name."""


class NodeContent(Protocol):
    """Contents of a node besides plain properties: a color ramp, a curve, the pixels of an image."""

    def write(self, node: Any, owner: str) -> None:
        """Give a node these contents; the name of the outermost group begins new datablocks' names."""


@dataclass(eq=False)
class Frame:
    """Nodes that belong together; only frames with a title are drawn."""

    title: str = ""


@dataclass(eq=False)
class Node:
    """A node to be made.

    Attributes
    ----------
    kind : str
        Blender's name of its class.
    inputs : dict
        Values by name, identifier or index.
    optional : dict
        The same for inputs that not every version of Blender has.
    properties : dict
        Set before the inputs, since they decide which of these there are.
    content : NodeContent, optional
    label, name : str
        The name only where the node is found by it later.
    frame : Frame
    graph : NodeGraph, optional
        For calculations with its outputs.
    """

    kind: str
    inputs: dict[Key, Value] = field(default_factory=dict)
    optional: Mapping[Key, Value] = field(default_factory=dict)
    properties: Mapping[str, Any] = field(default_factory=dict)
    content: NodeContent | None = None
    label: str = ""
    name: str = ""
    frame: Frame = field(default_factory=Frame)
    graph: NodeGraph | None = None

    def __getitem__(self, key: Key) -> Output:
        return Output(self, key)

    def sources(self) -> Iterator[Node]:
        """Yield the nodes that this one is linked to."""
        for value in self.inputs.values():
            if isinstance(value, Output):
                yield value.node


@dataclass(frozen=True)
class Output:
    """An output of a declared node; numbers are calculated with by Math nodes."""

    node: Node
    key: Key

    def __add__(self, other: Value) -> Output:
        return self._math("ADD", self, other)

    def __radd__(self, other: Value) -> Output:
        return self._math("ADD", other, self)

    def __sub__(self, other: Value) -> Output:
        return self._math("SUBTRACT", self, other)

    def __rsub__(self, other: Value) -> Output:
        return self._math("SUBTRACT", other, self)

    def __mul__(self, other: Value) -> Output:
        return self._math("MULTIPLY", self, other)

    def __rmul__(self, other: Value) -> Output:
        return self._math("MULTIPLY", other, self)

    def __truediv__(self, other: Value) -> Output:
        return self._math("DIVIDE", self, other)

    def __rtruediv__(self, other: Value) -> Output:
        return self._math("DIVIDE", other, self)

    def _math(self, operation: str, first: Value, second: Value) -> Output:
        assert self.node.graph is not None
        return self.node.graph.math(operation, first, second)


class NodeGraph:
    """One node tree: either a group, with sockets, or the nodes of a material.

    Parameters
    ----------
    title : str, optional
        Ends the name of a group that is made for one other group only.
    marks : mapping, optional
        Custom properties of such a group.
    """

    def __init__(self, title: str = "", marks: Mapping[str, str] | None = None) -> None:
        self.title, self.marks = title, marks or {}
        self.sockets: list[tuple[str, Socket]] = []
        self.inputs: dict[str, Output] = {}
        self.nodes: list[Node] = []
        self.results: dict[str, Value] = {}
        self.entry = Node("NodeGroupInput", graph=self)
        self.frame = Frame()

    def declare_inputs(self, *sockets: Socket) -> None:
        """Add inputs to the group; their values are `inputs`, by name."""
        for one in sockets:
            self.sockets.append(("INPUT", one))
            self.inputs[one.name] = self.entry[one.name]

    def declare_outputs(self, *sockets: Socket) -> None:
        """Add outputs to the group."""
        self.sockets += (("OUTPUT", one) for one in sockets)

    def finish(self, results: Mapping[str, Value], *, is_trimmed: bool = False) -> NodeGraph:
        """Set the group's outputs, and leave out nodes that nothing depends on.

        Parameters
        ----------
        results : mapping
            Values by the name of the output.
        is_trimmed : bool
            Leave out inputs and outputs too that nothing is linked with.
        """
        self.results = dict(results)
        end = Node("NodeGroupOutput", dict(results))
        kept = _all_sources([end])
        self.nodes = [node for node in self.nodes if node in kept]
        if is_trimmed:
            linked = (value for node in (*self.nodes, end) for value in node.inputs.values())
            used = {
                value.key
                for value in linked
                if isinstance(value, Output) and value.node is self.entry
            }
            self.sockets = [
                (way, one)
                for way, one in self.sockets
                if one.name in (used if way == "INPUT" else results)
            ]
            self.inputs = {name: one for name, one in self.inputs.items() if name in used}
        return self

    @contextmanager
    def titled_frame(self, title: str) -> Iterator[Frame]:
        """Put the nodes declared within the block into a frame.

        The outer frame is continued by a second one to the right: links never lead back.
        """
        outer, self.frame = self.frame, Frame(title)
        yield self.frame
        self.frame = Frame(outer.title)

    def node(
        self,
        kind: str,
        inputs: Mapping[Key, Value] | None = None,
        *,
        optional: Mapping[Key, Value] | None = None,
        content: NodeContent | None = None,
        label: str = "",
        name: str = "",
        **properties: Any,
    ) -> Node:
        """Declare a node; see `Node`."""
        made = Node(kind, dict(inputs or {}), optional or {}, properties, content, label, name)
        made.frame, made.graph = self.frame, self
        self.nodes.append(made)
        return made

    def group(
        self, tree: Any, inputs: Mapping[Key, Value], *, label: str = "", **properties: Any
    ) -> Node:
        """Declare a node of a group, which is a `NodeGraph` or a node tree of Blender's."""
        return self.node("Group", inputs, label=label, node_tree=tree, **properties)

    # --- numbers --------------------------------------------------------------------------------

    def math(self, operation: str, *values: Value, label: str = "", clamp: bool = False) -> Output:
        """Return the result of a Math node."""
        return self.node(
            "ShaderNodeMath",
            dict(enumerate(values)),
            label=label,
            operation=operation,
            use_clamp=clamp,
        )[0]

    def affine(self, value: Value, factor: float, shift: float, label: str = "") -> Value:
        """Return value * factor + shift in as few nodes as possible."""
        if factor == 1.0 and shift == 0.0:
            return value
        if shift == 0.0:
            return self.math("MULTIPLY", value, factor, label=label)
        return self.math("MULTIPLY_ADD", value, factor, shift, label=label)

    def map_range(
        self,
        value: Value,
        low: Value = 0.0,
        high: Value = 1.0,
        first: Value = 0.0,
        last: Value = 1.0,
        *,
        kind: str = "LINEAR",
        label: str = "",
    ) -> Output:
        """Return `first` at `low` and `last` at `high`, blended between and constant beyond.

        `kind` is the interpolation of the Map Range node. `low` is lower than `high`.
        """
        inputs = {
            "Value": value,
            "From Min": low,
            "From Max": high,
            "To Min": first,
            "To Max": last,
        }
        return self.node(
            "ShaderNodeMapRange", dict(inputs), label=label, interpolation_type=kind, clamp=True
        )["Result"]

    def mix(
        self, factor: Value, first: Value, second: Value, kind: str = "FLOAT", blend: str = "MIX"
    ) -> Output:
        """Return a blend of two numbers, or of two values of another kind: VECTOR, RGBA."""
        own: dict[str, Any] = {"blend_type": blend} if kind == "RGBA" else {}
        return self.node(
            "ShaderNodeMix",
            {"Factor": factor, "A": first, "B": second},
            data_type=kind,
            **own,
        )["Result"]

    def attribute(self, name: str) -> Output:
        """Return a number stored on the vertices, 0 where there is none."""
        return self.node(
            "ShaderNodeAttribute", label=name, attribute_type="GEOMETRY", attribute_name=name
        )["Fac"]

    # --- vectors --------------------------------------------------------------------------------

    def vector_math(self, operation: str, *values: Value, label: str = "") -> Output:
        """Return the vector or number that a Vector Math node calculates; SCALE has a factor."""
        inputs: dict[Key, Value] = dict(enumerate(values))
        if operation == "SCALE":
            inputs = dict(zip((0, "Scale"), values, strict=True))
        node = self.node("ShaderNodeVectorMath", inputs, label=label, operation=operation)
        return node["Value" if operation in {"DOT_PRODUCT", "LENGTH"} else "Vector"]

    def separate(self, vector: Value, label: str = "") -> tuple[Output, Output, Output]:
        """Return the three components of a vector."""
        node = self.node("ShaderNodeSeparateXYZ", {0: vector}, label=label)
        return node["X"], node["Y"], node["Z"]

    def combine(self, x: Value, y: Value, z: Value = 0.0, label: str = "") -> Output:
        """Return a vector of three components."""
        return self.node("ShaderNodeCombineXYZ", {"X": x, "Y": y, "Z": z}, label=label)["Vector"]


def _all_sources(nodes: Sequence[Node]) -> set[Node]:
    """Return nodes and all that they depend on."""
    found: set[Node] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += node.sources()
    return found
