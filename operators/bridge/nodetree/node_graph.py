# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes, links and sockets of one node tree as plain data; `builder` makes them.

A tree of any kind is described from left to right::

    graph = NodeGraph()
    size = graph.number("Size", 8.0, (1e-3, 1e6), "Of cells in meters", "DISTANCE")
    with graph.frame("Cells"):
        place = graph.vector_math("SCALE", graph.vector("Position", "In meters"), 1.0 / size)
        cells = graph.node("ShaderNodeTexVoronoi", {"Vector": place}, feature="F2")
    graph.output("Height", cells * 0.5 + 0.5, "From 0 to 1")

A value is an `Output`, or a plain number, text, tuple or datablock; a list of outputs goes into an input
that takes several links. Since a node can only use earlier
declarations, links never form a circle. Nodes of a group that none of its outputs needs are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Value: TypeAlias = Any
"""An `Output`, the plain value of an input, or a list of outputs."""

Inputs: TypeAlias = Mapping[Any, Value]
"""Values by name or identifier of a socket, or by its index where several share one name."""

Content: TypeAlias = Callable[[Any, str], None]
"""Called with a node and the name of the outermost group, which begins the names of new datablocks:
sets contents that are no plain property, such as a color ramp, a curve or the pixels of an image."""

FAR = 1e6
"""Meters or shares that no terrain reaches."""

SHARE, ANY = (0.0, 1.0), (-FAR, FAR)
"""Limits of inputs of groups."""


@dataclass(eq=False)
class NodeFrame:
    """Nodes that belong together; only frames with a title are drawn."""

    title: str = ""


@dataclass(frozen=True)
class Socket:
    """An input or output of a group."""

    way: str  # "INPUT" or "OUTPUT"
    name: str
    kind: str = "Float"
    """As in the name of Blender's class: Float, Int, Vector, Color, Geometry, Object, Shader ..."""
    help: str = ""  # the tooltip
    default: Any = None
    limits: tuple[float, float] | None = None
    subtype: str = "NONE"  # unit of a number; see `bpy.types.NodeTreeInterfaceSocketFloat.subtype`
    panel: tuple[str, bool] | None = None  # title of a panel, and whether it is closed at first
    implicit: str = "VALUE"  # what an input that is not linked takes, such as POSITION


@dataclass(eq=False)
class Node:
    """A node to be made; see `NodeGraph.node`."""

    kind: str
    inputs: Inputs = field(default_factory=dict)
    optional: Inputs = field(default_factory=dict)
    properties: Mapping[str, Any] = field(default_factory=dict)
    content: Content | None = None
    label: str = ""
    name: str = ""
    frame: NodeFrame = field(default_factory=NodeFrame)
    graph: NodeGraph | None = None

    def links(self) -> list[Output]:
        """Return the outputs that this node is linked to."""
        lists = [value if isinstance(value, list) else [value] for value in self.inputs.values()]
        return [value for values in lists for value in values if isinstance(value, Output)]


def _operators(operation: str) -> tuple[Any, Any]:
    """Return the methods of an output on the left and on the right of an operator."""

    def left(output: Output, operand: Value) -> Output:
        return output.node.graph.math(operation, output, operand)  # type: ignore[union-attr]

    def right(output: Output, operand: Value) -> Output:
        return output.node.graph.math(operation, operand, output)  # type: ignore[union-attr]

    return left, right


@dataclass(frozen=True)
class Output:
    """An output of a declared node; Math nodes calculate with it if it is a number."""

    node: Node
    key: str | int | None = None
    """Name, identifier or index; None is the first one in use. ``output["Color"]`` is another output of the
    same node."""

    def __getitem__(self, key: str | int) -> Output:
        return Output(self.node, key)

    __add__, __radd__ = _operators("ADD")
    __sub__, __rsub__ = _operators("SUBTRACT")
    __mul__, __rmul__ = _operators("MULTIPLY")
    __truediv__, __rtruediv__ = _operators("DIVIDE")


class NodeGraph:
    """One node tree: a group, with inputs and outputs, or the nodes of a material or a world.

    A title ends the name of a group that is made for one other group only; marks are its custom
    properties. `inputs` has the values that come into the group, `results` those that go out of it, by
    name.
    """

    def __init__(self, title: str = "", marks: Mapping[str, str] | None = None) -> None:
        self.title, self.marks = title, marks or {}
        self.sockets: list[Socket] = []
        self.inputs: dict[str, Output] = {}
        self.results: dict[str, Value] = {}
        self.nodes: list[Node] = []
        self.entry = Node("NodeGroupInput", graph=self)
        self.current_frame = NodeFrame()
        self._panel: tuple[str, bool] | None = None

    @classmethod
    def with_inputs(cls, title: str, kinds: Mapping[str, str]) -> NodeGraph:
        """Return a graph with inputs, by name; see `Socket.kind`."""
        graph = cls(title)
        for name, kind in kinds.items():
            graph.input(name, kind)
        return graph

    # --- inputs and outputs of a group ----------------------------------------------------------

    def input(
        self,
        name: str,
        kind: str = "Float",
        help: str = "",
        default: Any = None,
        limits: tuple[float, float] | None = None,
        subtype: str = "NONE",
        implicit: str = "VALUE",
    ) -> Output:
        """Add an input to the group and return its value; see `Socket`."""
        self.sockets.append(
            Socket("INPUT", name, kind, help, default, limits, subtype, self._panel, implicit)
        )
        self.inputs[name] = Output(self.entry, name)
        return self.inputs[name]

    def number(
        self,
        name: str,
        default: float,
        limits: tuple[float, float],
        help: str,
        subtype: str = "NONE",
    ) -> Output:
        """Add the input of a number."""
        return self.input(name, "Float", help, default, limits, subtype)

    def color(self, name: str, default: tuple[float, float, float], help: str) -> Output:
        """Add the input of a color."""
        return self.input(name, "Color", help, default)

    def vector(self, name: str, help: str, implicit: str = "VALUE") -> Output:
        """Add the input of a vector, which is to be linked unless it implicitly takes a field."""
        return self.input(name, "Vector", help, implicit=implicit)

    @contextmanager
    def panel(self, title: str, *, is_closed: bool = False) -> Iterator[None]:
        """Put the inputs declared within the block into a panel."""
        self._panel = (title, is_closed)
        yield
        self._panel = None

    def output(self, name: str, value: Value, help: str = "", kind: str = "Float") -> None:
        """Add an output to the group; see `Socket`."""
        self.sockets.append(Socket("OUTPUT", name, kind, help))
        self.results[name] = value

    def drop_unused_inputs(self) -> None:
        """Leave out the inputs that no output depends on."""
        nodes = [*self.used_nodes(), Node("", self.results)]
        used = {
            output.key for node in nodes for output in node.links() if output.node is self.entry
        }
        self.sockets = [
            socket for socket in self.sockets if socket.way == "OUTPUT" or socket.name in used
        ]
        self.inputs = {name: value for name, value in self.inputs.items() if name in used}

    def used_nodes(self) -> list[Node]:
        """Return the nodes that outputs of the group depend on, or all if it has none."""
        if not self.results:
            return self.nodes
        used: set[Node] = set()
        waiting = [Node("", self.results)]
        while waiting:
            sources = {output.node for output in waiting.pop().links()} - used
            used |= sources
            waiting += sources
        return [node for node in self.nodes if node in used]

    # --- nodes ----------------------------------------------------------------------------------

    @contextmanager
    def frame(self, title: str) -> Iterator[None]:
        """Put the nodes declared within the block into a frame.

        The outer frame is continued by a second one to the right: links never lead back.
        """
        outer, self.current_frame = self.current_frame, NodeFrame(title)
        yield
        self.current_frame = NodeFrame(outer.title)

    def node(
        self,
        kind: str,
        inputs: Inputs | None = None,
        *,
        name: str = "",
        label: str | None = None,
        optional: Inputs | None = None,
        content: Content | None = None,
        **properties: Any,
    ) -> Output:
        """Declare a node of a class, by Blender's name, and return its first output.

        It has a name only where it is found by it later, which is its label unless given. Optional are
        plain values of inputs that not every version of Blender has. Properties are set before the
        inputs, since they decide which of these there are.
        """
        label = name if label is None else label
        node = Node(kind, inputs or {}, optional or {}, properties, content, label, name)
        node.frame, node.graph = self.current_frame, self
        self.nodes.append(node)
        return Output(node)

    def group(self, tree: Any, inputs: Inputs, **more: Any) -> Output:
        """Declare a node of a group, which is a `NodeGraph` or a node tree of Blender's."""
        return self.node("Group", inputs, node_tree=tree, **more)

    def part(self, graph: NodeGraph, values: Inputs, **more: Any) -> Output:
        """Declare a node of a graph, with all of its inputs taken by name from some values."""
        return self.group(graph, {name: values[name] for name in graph.inputs}, **more)

    # --- numbers --------------------------------------------------------------------------------

    def math(self, operation: str, *values: Value, label: str = "", clamp: bool = False) -> Output:
        """Return the result of a Math node."""
        inputs = dict(enumerate(values))
        return self.node(
            "ShaderNodeMath", inputs, label=label, operation=operation, use_clamp=clamp
        )

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
        clamp: bool = True,
    ) -> Output:
        """Return `first` at `low` and `last` at `high`, blended between, and constant beyond if clamped.

        `kind` is the interpolation of the Map Range node. `low` is lower than `high`.
        """
        names = ("Value", "From Min", "From Max", "To Min", "To Max")
        inputs = dict(zip(names, (value, low, high, first, last)))
        return self.node(
            "ShaderNodeMapRange", inputs, label=label, interpolation_type=kind, clamp=clamp
        )

    def mix(
        self, factor: Value, first: Value, second: Value, kind: str = "FLOAT", **more: Any
    ) -> Output:
        """Return a blend of two numbers, or of two values of another kind: VECTOR, RGBA."""
        inputs = {"Factor": factor, "A": first, "B": second}
        return self.node("ShaderNodeMix", inputs, data_type=kind, **more)

    def attribute(self, name: str) -> Output:
        """Return a number stored on the vertices, 0 by default."""
        return self.node(
            "ShaderNodeAttribute", label=name, attribute_type="GEOMETRY", attribute_name=name
        )["Fac"]

    # --- vectors --------------------------------------------------------------------------------

    def vector_math(self, operation: str, *values: Value, label: str = "") -> Output:
        """Return the vector or number that a Vector Math node calculates; SCALE has a factor."""
        keys = (0, "Scale") if operation == "SCALE" else range(len(values))
        inputs = dict(zip(keys, values, strict=True))
        return self.node("ShaderNodeVectorMath", inputs, label=label, operation=operation)

    def separate(self, vector: Value, label: str = "") -> tuple[Output, Output, Output]:
        """Return the three components of a vector."""
        node = self.node("ShaderNodeSeparateXYZ", {0: vector}, label=label)
        return node["X"], node["Y"], node["Z"]

    def component(self, vector: Value, axis: int) -> Output:
        """Return one component; up to 4.5 Cycles keeps places for unused outputs of a Separate XYZ node."""
        along = tuple(float(index == axis) for index in range(3))
        return self.vector_math("DOT_PRODUCT", vector, along)["Value"]

    def combine(self, x: Value, y: Value, z: Value = 0.0, label: str = "") -> Output:
        """Return a vector of three components."""
        return self.node("ShaderNodeCombineXYZ", {"X": x, "Y": y, "Z": z}, label=label)
