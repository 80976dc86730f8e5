# SPDX-License-Identifier: GPL-3.0-or-later
"""Construction of the nodes and links of a `NodeGraph`: the only file that adds nodes to Blender's trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import bpy
import numpy as np

from .batches import Batches, batches
from .layout import FRAME_LABEL, Link, Shape, arrange, measure
from .node_graph import Node, NodeFrame, NodeGraph, Output, Socket, Value

Corner = tuple[float, float]
"""Right edge and top of nodes to be placed."""

_ENTRY = "NodeGroupInput"


def new_tree(
    name: str, graph: NodeGraph, kind: str = "ShaderNodeTree", *, is_shown: bool = True
) -> Any:
    """Return a new node group of a graph; a hidden group needs no layout."""
    trees: Any = bpy.data.node_groups
    tree = trees.new(name, kind)
    with batches() as changing:
        _Build(tree, name, "", {}, changing).run(graph, is_placed=is_shown)
    return tree


def build(tree: Any, graph: NodeGraph, *, prefix: str = "", corner: Corner | None = None) -> None:
    """Add a graph's sockets, nodes, links and frames to a tree, and place them; its present nodes stay.

    Groups in it that are graphs become node groups. The prefix begins the names of nodes and frames that
    have a name. The right edge and the top of the nodes lie in a corner, if given; else all begin at the
    origin.
    """
    with batches() as changing:
        _Build(tree, tree.name, prefix, {}, changing).run(graph, corner)


def set_inputs(node: Any | None, values: Mapping[str, Any]) -> None:
    """Set inputs of a node, if it exists, by name; colors may lack their alpha."""
    for name, value in values.items() if node is not None else ():
        socket = node.inputs[name]
        socket.default_value = (*value, 1.0) if socket.type == "RGBA" and len(value) == 3 else value


def connect(source: Any, target: Any) -> None:
    """Link two sockets of one tree."""
    target.id_data.links.new(source, target)


def find_socket(sockets: Any, key: str | int | None) -> Any:
    """Return a node's socket by its index, name or identifier; hidden sockets come last."""
    if isinstance(key, int):
        return sockets[key]
    hidden = None
    for socket in sockets:  # the first sockets match in most nodes
        if key in (None, socket.name, socket.identifier):
            if socket.enabled:
                return socket
            hidden = socket if hidden is None else hidden
    if hidden is None:
        raise KeyError(key)
    return hidden


class _Build:
    """Run of `build`; runs for groups within a group share the groups created already."""

    def __init__(
        self,
        tree: Any,
        owner: str,
        prefix: str,
        groups: dict[NodeGraph, bpy.types.NodeTree],
        changing: Batches,
    ) -> None:
        self.tree, self.owner, self.prefix, self.groups = tree, owner, prefix, groups
        self.changing = changing
        self.new_nodes: dict[Node, Any] = {}
        self.entries: dict[NodeFrame, Node] = {}
        self.linked: list[tuple[Node, str, Node, str]] = []

    def run(
        self, graph: NodeGraph, corner: Corner | None = None, *, is_placed: bool = True
    ) -> None:
        nodes = graph.used_nodes()
        if graph.results:
            nodes = [*nodes, Node("NodeGroupOutput", graph.results)]
        for node in nodes:
            for value in node.properties.values():
                if isinstance(value, NodeGraph):
                    self._group(value)
        # In this order: only an update gives nodes the sockets of their properties.
        self.changing.change(self.tree, lambda: self._make(graph, nodes))
        self.changing.change(self.tree, lambda: self._set_inputs(nodes))
        if is_placed:
            self.changing.change(self.tree, lambda: self._place(corner))

    # --- nodes and links ------------------------------------------------------------------------

    def _make(self, graph: NodeGraph, nodes: Sequence[Node]) -> None:
        """Make the sockets of a graph, and its nodes without links and values."""
        _declare_sockets(self.tree, graph.sockets)
        for node in nodes:
            self._new(node)
            if any(output.node.kind == _ENTRY for output in node.links()):
                self._entry(node.frame)

    def _set_inputs(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            inputs = self.new_nodes[node].inputs
            optional = {key: value for key, value in node.optional.items() if key in inputs}
            for key, value in {**node.inputs, **optional}.items():
                for entry in value if isinstance(value, list) else [value]:
                    self._set_input(node, entry, find_socket(inputs, key))

    def _new(self, node: Node) -> Any:
        kind = node.kind
        if kind == "Group":
            kind = self.tree.bl_idname.replace("Tree", "Group")
        new_node = self.tree.nodes.new(kind)
        if node.label:
            new_node.label = node.label
        if node.name:
            new_node.name = f"{self.prefix}{node.name}"
        for name, value in node.properties.items():
            assigned = self._group(value) if isinstance(value, NodeGraph) else value
            if getattr(new_node, name) != assigned:
                setattr(new_node, name, assigned)
        if node.content is not None:
            node.content(new_node, self.owner)
        self.new_nodes[node] = new_node
        return new_node

    def _group(self, graph: NodeGraph) -> bpy.types.NodeTree:
        """Return the group made of a graph, once for all its nodes."""
        if graph not in self.groups:
            trees: Any = bpy.data.node_groups
            tree = trees.new(f"{self.owner} {graph.title}", self.tree.bl_idname)
            for name, value in graph.marks.items():
                tree[name] = value
            _Build(tree, self.owner, "", self.groups, self.changing).run(graph)
            self.groups[graph] = tree
        return self.groups[graph]

    def _set_input(self, node: Node, value: Value, socket: Any) -> None:
        """Link an input, or set its value."""
        if isinstance(value, Output):
            source = value.node
            if source.kind == _ENTRY:
                source = self._entry(node.frame)
            start = find_socket(self.new_nodes[source].outputs, value.key)
            connect(start, socket)
            self.linked.append((source, start.identifier, node, socket.identifier))
        elif socket.type == "RGBA" and len(value) == 3:
            socket.default_value = (*value, 1.0)
        elif socket.default_value != value:
            socket.default_value = value

    def _entry(self, frame: NodeFrame) -> Node:
        """Return the Group Input of a frame: a shared node would need links across all frames."""
        if frame not in self.entries:
            self.entries[frame] = Node(_ENTRY, frame=frame)
            self._new(self.entries[frame])
        return self.entries[frame]

    # --- places ---------------------------------------------------------------------------------

    def _place(self, corner: Corner | None) -> None:
        for node in self.entries.values():
            for socket in self.new_nodes[node].outputs:
                socket.hide = not socket.is_linked
        blocks: dict[NodeFrame, list[Node]] = {}
        for node in self.new_nodes:
            blocks.setdefault(node.frame, []).append(node)
        shapes = {node: _shape_of(node, new_node) for node, new_node in self.new_nodes.items()}
        places = arrange(blocks, self._links(shapes), shapes)
        across, down = 0.0, 0.0
        if corner is not None:
            across = corner[0] - max(x + shapes[node].width for node, (x, _) in places.items())
            down = corner[1] - max(y for _, y in places.values())
        frames = {frame: self._new_frame(frame.title) for frame in blocks if frame.title}
        for node, new_node in self.new_nodes.items():
            if node.frame in frames:
                new_node.parent = frames[node.frame]
        nodes = self.tree.nodes
        locations = np.empty((len(nodes), 2), np.float32)
        nodes.foreach_get("location", locations.ravel())
        index = {node: at for at, node in enumerate(nodes)}
        for node, new_node in self.new_nodes.items():
            x, y = places[node]
            locations[index[new_node]] = (x + across, y + down)
        nodes.foreach_set("location", locations.ravel())

    def _links(self, shapes: Mapping[Node, Shape]) -> list[Link]:
        """Return the links between the new nodes."""
        return [
            Link(
                start,
                stop,
                shapes[start].sockets.get((True, leaves), 0.0),
                shapes[stop].sockets.get((False, arrives), 0.0),
            )
            for start, leaves, stop, arrives in self.linked
        ]

    def _new_frame(self, title: str) -> Any:
        frame = self.tree.nodes.new("NodeFrame")
        if self.prefix:
            frame.name = f"{self.prefix}{title} Frame"
        frame.label, frame.label_size = title, FRAME_LABEL
        return frame


_shapes: dict[object, Shape] = {}
"""Of nodes that were measured, by all that decides on their sockets: asking Blender for these takes long."""


def _shape_of(node: Node, new_node: Any) -> Shape:
    """Return the shape of a new node with its links."""
    properties = tuple(node.properties.items())
    is_plain = all(isinstance(value, (str, int, float)) for _, value in properties)
    if not is_plain or node.content is not None or node.kind.startswith("NodeGroup"):
        return measure(new_node)
    inputs = {**node.inputs, **node.optional}
    values = {key: entry if isinstance(entry, list) else [entry] for key, entry in inputs.items()}
    linked = frozenset(
        key
        for key, entries in values.items()
        if any(isinstance(entry, Output) for entry in entries)
    )
    key = (node.kind, properties, linked)
    if key not in _shapes:
        _shapes[key] = measure(new_node)
    return _shapes[key]


def _declare_sockets(tree: Any, sockets: Sequence[Socket]) -> None:
    """Declare a group's sockets; sockets of the same name and type stay linked in other trees."""
    declared = {(socket.way, socket.name, f"NodeSocket{socket.kind}"): socket for socket in sockets}
    present: dict[tuple[str, str, str], Any] = {}
    for item in list(tree.interface.items_tree) if sockets else ():
        if item.item_type != "SOCKET":
            continue
        key = (item.in_out, item.name, item.socket_type)
        if key in declared and key not in present:
            present[key] = item
        else:
            tree.interface.remove(item)
    panels: dict[tuple[str, bool] | None, Any] = {None: None}
    outputs_first = sorted(declared.items(), key=lambda pair: pair[1].way, reverse=True)
    for key, socket in outputs_first:
        if socket.panel not in panels:
            title, is_closed = socket.panel
            panels[socket.panel] = tree.interface.new_panel(title, default_closed=is_closed)
        item = present.get(key) or tree.interface.new_socket(
            socket.name, in_out=socket.way, socket_type=key[2], parent=panels[socket.panel]
        )
        _set_socket(item, socket)


def _set_socket(item: Any, socket: Socket) -> None:
    item.description = socket.help
    if socket.subtype != "NONE":
        item.subtype = socket.subtype
    if socket.kind == "Vector" and socket.way == "INPUT":
        item.hide_value = True
    if socket.implicit != "VALUE":
        item.default_input = socket.implicit
    default, number = socket.default, int if socket.kind == "Int" else float
    if socket.limits is not None:
        item.min_value, item.max_value = map(number, socket.limits)
    if default is not None and socket.kind == "Color":
        default = (*default, 1.0)
    elif default is not None and socket.kind in ("Int", "Float"):
        default = number(default)
    if default is not None:
        item.default_value = default


# --- contents of nodes --------------------------------------------------------------------------


def new_single_node(tree: Any, kind: str) -> Any:
    """Clear a tree and return a new node in it."""
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


def absolute_location(node: Any) -> Corner:
    """Return the upper left corner of a node in its tree, in any frames."""
    x, y = node.location
    if node.parent is not None:
        parent_x, parent_y = absolute_location(node.parent)
        return x + parent_x, y + parent_y
    return x, y
