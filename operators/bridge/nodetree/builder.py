# SPDX-License-Identifier: GPL-3.0-or-later
"""Construction of the nodes and links of a `NodeGraph`: the only file that adds nodes to Blender's trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np

from .layout import FRAME_LABEL, Arrangement, Link, NodeBlock, Shape, arrange, measure
from .node_graph import Frame, Node, NodeGraph, Output, Value
from .sockets import declare_sockets

Corner = tuple[float, float]
"""Right edge and top of nodes to be placed."""


class BuiltNodes:
    """The nodes that were made of a graph.

    Parameters
    ----------
    nodes : dict of Node to bpy.types.Node
    """

    def __init__(self, nodes: dict[Node, Any]) -> None:
        self._nodes = nodes

    def socket(self, output: Output) -> Any:
        """Return the socket of an output."""
        return find_socket(self._nodes[output.node].outputs, output.key)


def new_group(name: str, graph: NodeGraph) -> Any:
    """Return a new group for materials made of a graph."""
    trees: Any = bpy.data.node_groups
    tree = trees.new(name, "ShaderNodeTree")
    build(tree, graph)
    return tree


def new_modifier_tree(name: str, graph: NodeGraph) -> Any:
    """Return a new tree of geometry nodes made of a graph, without a layout: it is not shown."""
    trees: Any = bpy.data.node_groups
    tree = trees.new(name, "GeometryNodeTree")
    _Build(tree, name, "", {}).make(graph)
    return tree


def build(
    tree: Any, graph: NodeGraph, *, prefix: str = "", corner: Corner | None = None
) -> BuiltNodes:
    """Add a graph's sockets, nodes, links and frames to a tree, and place them.

    Parameters
    ----------
    tree : NodeTree
        Its present nodes stay.
    graph : NodeGraph
        Groups in it that are graphs become node groups.
    prefix : str
        Begins the names of nodes and frames that have a name.
    corner : tuple of two floats, optional
        Where the right edge and the top of the nodes lie; without it, all begin at the origin.
    """
    return _Build(tree, tree.name, prefix, {}).run(graph, corner)


def connect(source: Any, target: Any) -> None:
    """Link two sockets of one tree."""
    target.id_data.links.new(source, target)


def find_socket(sockets: Any, key: str | int) -> Any:
    """Return a node's socket by its index, or by its name or identifier; hidden ones come last."""
    if isinstance(key, int):
        return sockets[key]
    named = [one for one in sockets if key in (one.name, one.identifier)]
    if not named:
        raise KeyError(key)
    return next((one for one in named if one.enabled), named[0])


class _Build:
    """One run of `build`; groups within a group are runs that share the groups made so far."""

    def __init__(
        self, tree: Any, owner: str, prefix: str, groups: dict[NodeGraph, bpy.types.NodeTree]
    ) -> None:
        self.tree, self.owner, self.prefix, self.groups = tree, owner, prefix, groups
        self.made: dict[Node, Any] = {}
        self.entries: dict[Frame, Node] = {}
        self.graph = NodeGraph()

    def run(self, graph: NodeGraph, corner: Corner | None = None) -> BuiltNodes:
        self.make(graph)
        self._hide_unused_inputs()
        self._place(corner)
        return BuiltNodes(self.made)

    def make(self, graph: NodeGraph) -> None:
        self.graph = graph
        if graph.sockets:
            declare_sockets(self.tree, graph.sockets)
        for node in graph.nodes:
            self._make(node)
        if graph.results:
            self._make(Node("NodeGroupOutput", dict(graph.results)))

    # --- nodes and links ------------------------------------------------------------------------

    def _make(self, node: Node) -> Any:
        made = self._new(node)
        for key, value in node.inputs.items():
            self._set_input(node, value, find_socket(made.inputs, key))
        for key, value in node.optional.items():
            if key in made.inputs:
                self._set_input(node, value, find_socket(made.inputs, key))
        return made

    def _new(self, node: Node) -> Any:
        kind = node.kind
        if kind == "Group":
            kind = self.tree.bl_idname.replace("Tree", "Group")
        made = self.tree.nodes.new(kind)
        made.label = node.label
        if node.name:
            made.name = f"{self.prefix}{node.name}"
        for name, value in node.properties.items():
            setattr(made, name, self._group(value) if isinstance(value, NodeGraph) else value)
        if node.content is not None:
            node.content.write(made, self.owner)
        self.made[node] = made
        return made

    def _group(self, graph: NodeGraph) -> bpy.types.NodeTree:
        """Return the group made of a graph, once for all its nodes."""
        if graph not in self.groups:
            trees: Any = bpy.data.node_groups
            tree = trees.new(f"{self.owner} {graph.title}", self.tree.bl_idname)
            for name, value in graph.marks.items():
                tree[name] = value
            _Build(tree, self.owner, "", self.groups).run(graph)
            self.groups[graph] = tree
        return self.groups[graph]

    def _set_input(self, node: Node, value: Value, socket: Any) -> None:
        """Link an input, or set its value."""
        if isinstance(value, Output):
            connect(self._source(node, value), socket)
        elif isinstance(value, bpy.types.NodeSocket):
            connect(value, socket)
        elif socket.type == "RGBA" and len(value) == 3:
            socket.default_value = (*value, 1.0)
        else:
            socket.default_value = value

    def _source(self, node: Node, output: Output) -> Any:
        made = self.made
        if output.node is self.graph.entry:
            return find_socket(made[self._entry(node.frame)].outputs, output.key)
        return find_socket(made[output.node].outputs, output.key)

    def _entry(self, frame: Frame) -> Node:
        """Return the Group Input of a frame: each has one, or links would cross all others."""
        if frame not in self.entries:
            self.entries[frame] = Node("NodeGroupInput", frame=frame)
            self._new(self.entries[frame])
        return self.entries[frame]

    def _hide_unused_inputs(self) -> None:
        for node in self.entries.values():
            for socket in self.made[node].outputs:
                socket.hide = not socket.is_linked

    # --- places ---------------------------------------------------------------------------------

    def _place(self, corner: Corner | None) -> None:
        blocks: dict[Frame, NodeBlock] = {}
        for node in self.made:
            block = blocks.setdefault(node.frame, NodeBlock(node.frame.title))
            block.items.append(node)
        shapes = {node: measure(made) for node, made in self.made.items()}
        placed = arrange(list(blocks.values()), self._links(shapes), shapes)
        across, down = 0.0, 0.0
        if corner is not None:
            across = corner[0] - max(
                x + shapes[node].width for node, (x, _) in placed.places.items()
            )
            down = corner[1] - max(y for _, y in placed.places.values())
        frames = {frame: self._new_frame(block) for frame, block in blocks.items() if block.title}
        for node, made in self.made.items():
            made.parent = frames.get(node.frame)
        self._move(placed, across, down)

    def _links(self, shapes: Mapping[Node, Shape]) -> list[Link[Node]]:
        """Return the links between the nodes that were made."""
        by_made = {made: node for node, made in self.made.items()}
        return [
            Link(
                start,
                stop,
                shapes[start].sockets.get((True, link.from_socket.identifier), 0.0),
                shapes[stop].sockets.get((False, link.to_socket.identifier), 0.0),
            )
            for link in self.tree.links
            if (start := by_made.get(link.from_node)) and (stop := by_made.get(link.to_node))
        ]

    def _new_frame(self, block: NodeBlock) -> Any:
        frame = self.tree.nodes.new("NodeFrame")
        if self.prefix:
            frame.name = f"{self.prefix}{block.title} Frame"
        frame.label, frame.label_size = block.title, FRAME_LABEL
        return frame

    def _move(self, placed: Arrangement, across: float, down: float) -> None:
        """Move all nodes in one call: Blender updates the whole tree after each single move."""
        nodes = self.tree.nodes
        places = np.empty(2 * len(nodes), np.float32)
        nodes.foreach_get("location", places)
        index = {node: at for at, node in enumerate(nodes)}
        for node, made in self.made.items():
            x, y = placed.places[node]
            places[2 * index[made] : 2 * index[made] + 2] = (x + across, y + down)
        nodes.foreach_set("location", places)


def new_single_node(tree: Any, kind: str) -> Any:
    """Return a new node of a tree, the only one in it."""
    tree.nodes.clear()
    return tree.nodes.new(kind)


def add_note(tree: Any, text: bpy.types.Text, lines: int) -> None:
    """Add a frame that shows a text of some lines below all nodes."""
    lowest = min(absolute_location(node)[1] - measure(node).height for node in tree.nodes)
    note = tree.nodes.new("NodeFrame")
    note.label, note.text, note.label_size = "Differences", text, 16
    note.shrink = False
    note.location = (0.0, lowest - 120.0)
    note.width, note.height = 760.0, 90.0 + 26.0 * lines


def absolute_location(node: Any) -> tuple[float, float]:
    """Return the upper left corner of a node in its tree, in any frames."""
    x, y = node.location
    if node.parent is not None:
        left, top = absolute_location(node.parent)
        return x + left, y + top
    return x, y
