# SPDX-License-Identifier: GPL-3.0-or-later
"""Where nodes lie: from left to right, as the values go, in frames that do not overlap.

Blocks of nodes, each in its frame, stand in columns by the longest way to the output; within a block
the nodes do the same. What lies in one column stands one above the other.

References
----------
Kozo Sugiyama, Shojiro Tagawa, Mitsuhiko Toda (1981). Methods for visual understanding of hierarchical
system structures. IEEE Transactions on Systems, Man, and Cybernetics. (layers and barycenters)
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import bpy

from .graph import Block, Graph

Box = tuple[float, float]
"""Width and height."""

GAP_X, GAP_Y = 60.0, 30.0
"""Between nodes, wide enough to see the links."""

FRAME = 30.0
"""Between the border of a frame and its nodes; above them lies its label too."""

LABEL = 30.0

_HEADER, _ROW, _VECTOR = 36.0, 22.0, 84.0
"""Heights of parts of a node as Blender draws them: header and borders, one socket, a vector's fields."""

_MORE: Mapping[str, float] = {
    "ShaderNodeMath": 56.0,
    "ShaderNodeVectorMath": 30.0,
    "ShaderNodeTexNoise": 84.0,
    "ShaderNodeTexVoronoi": 112.0,
    "ShaderNodeTexWhiteNoise": 30.0,
    "ShaderNodeTexImage": 190.0,
    "ShaderNodeMapRange": 84.0,
    "ShaderNodeMix": 110.0,
    "ShaderNodeFloatCurve": 270.0,
    "ShaderNodeClamp": 30.0,
    "ShaderNodeVectorRotate": 56.0,
    "ShaderNodeSeparateColor": 30.0,
    "ShaderNodeGroup": 30.0,
    "ShaderNodeValue": 0.0,
    "ShaderNodeValToRGB": 130.0,
    "ShaderNodeBump": 30.0,
    "ShaderNodeMapping": 30.0,
    "ShaderNodeTexCoord": 40.0,
    "ShaderNodeBsdfPrincipled": 60.0,
    "ShaderNodeOutputMaterial": 30.0,
}
"""What a node shows besides its sockets."""

Item = TypeVar("Item", bound=Hashable)


@dataclass
class Placed:
    """Boxes in columns, and how much place they take.

    Attributes
    ----------
    places : dict
        The upper left corner of each item, from (0, 0) to the right and, negative, downwards.
    box : Box
        Of all together.
    """

    places: dict[Any, tuple[float, float]] = field(default_factory=dict)
    box: Box = (0.0, 0.0)


def arrange(graph: Graph) -> None:
    """Place all nodes of a group, in frames."""
    home = {node: block for block in graph.blocks for node in block.nodes}
    names = {block: number for number, block in enumerate(map(id, graph.blocks))}
    inside = {id(block): _inside(block, graph) for block in graph.blocks if block.nodes}
    order = [id(block) for block in graph.blocks if block.nodes]
    links = {
        (id(home[link.from_node]), id(home[link.to_node]))
        for link in graph.tree.links
        if home[link.from_node] is not home[link.to_node]
    }
    sizes = {
        id(block): _framed(block, inside[id(block)].box) for block in graph.blocks if block.nodes
    }
    outer = columns(sorted(order, key=names.__getitem__), links, sizes.__getitem__, 2.0 * GAP_X)
    for block in graph.blocks:
        if block.nodes:
            _place(graph, block, inside[id(block)], outer.places[id(block)])


def arrange_nodes(tree: Any, nodes: Sequence[Any]) -> Box:
    """Place some nodes of a tree, from (0, 0) to the right and downwards; return their box."""
    own = set(nodes)
    links = {
        (link.from_node, link.to_node)
        for link in tree.links
        if link.from_node in own and link.to_node in own
    }
    placed = columns(nodes, links, node_box)
    for node, place in placed.places.items():
        node.location = place
    return placed.box


def columns(
    items: Sequence[Item],
    links: Iterable[tuple[Item, Item]],
    size: Callable[[Item], Box],
    gap: float = GAP_X,
) -> Placed:
    """Place boxes in columns, so that all links lead to the right.

    Parameters
    ----------
    items : sequence
        What is placed.
    links : iterable of pairs
        From one item to another; without a way round.
    size : callable
        Returns the box of an item.
    gap : float
        Between two columns.
    """
    after: dict[Item, list[Item]] = {item: [] for item in items}
    before: dict[Item, list[Item]] = {item: [] for item in items}
    for start, stop in links:
        after[start].append(stop)
        before[stop].append(start)
    depth: dict[Item, int] = {}

    def depth_of(item: Item) -> int:
        if item not in depth:
            depth[item] = 1 + max((depth_of(one) for one in after[item]), default=-1)
        return depth[item]

    for item in items:
        depth_of(item)
    # What needs nothing of the others stands at the far left, with what is like it.
    layers: list[list[Item]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for item in items:
        layers[depth[item]].append(item)
    placed = Placed()
    middles: dict[Item, float] = {}
    x = 0.0
    lowest = 0.0
    for layer in layers:
        width = max(size(item)[0] for item in layer)
        _stack(layer, after, size, middles)
        for item in layer:
            placed.places[item] = (x - width, middles[item] + size(item)[1] / 2.0)
        x -= width + gap
    left = min((place[0] for place in placed.places.values()), default=0.0)
    top = max((place[1] for place in placed.places.values()), default=0.0)
    for item, (across, down) in placed.places.items():
        placed.places[item] = (across - left, down - top)
        lowest = min(lowest, down - top - size(item)[1])
    placed.box = (-left, -lowest)
    return placed


def _stack(
    layer: list[Any],
    after: Mapping[Any, list[Any]],
    size: Callable[[Any], Box],
    middles: dict[Any, float],
) -> None:
    """Stand a column's boxes one above the other, each near what it leads to."""

    def wanted(item: Any) -> float:
        following = [middles[one] for one in after[item]]
        return sum(following) / len(following) if following else 0.0

    layer.sort(key=lambda item: -wanted(item))
    aim = sum(wanted(item) for item in layer) / len(layer)
    y = aim + (sum(size(item)[1] for item in layer) + GAP_Y * (len(layer) - 1)) / 2.0
    for item in layer:
        middles[item] = y - size(item)[1] / 2.0
        y -= size(item)[1] + GAP_Y


def node_box(node: Any) -> Box:
    """Return how large a node is drawn, which Blender knows only in a window."""
    height = _HEADER + _MORE.get(node.bl_idname, 0.0)
    height += _ROW * sum(socket.enabled and not socket.hide for socket in node.outputs)
    for socket in node.inputs:
        if socket.enabled and not socket.hide:
            has_fields = socket.type == "VECTOR" and not socket.is_linked and not socket.hide_value
            height += _VECTOR if has_fields else _ROW
    return (node.width, height)


def add_note(tree: Any, text: bpy.types.Text, lines: int) -> Any:
    """Place a frame that shows a text below all that is there already."""
    lowest = min(_corner(node)[1] - node_box(node)[1] for node in tree.nodes)
    note = tree.nodes.new("NodeFrame")
    note.label, note.text, note.label_size = "What differs", text, 16
    note.shrink = False
    note.location = (0.0, lowest - FRAME - 2.0 * GAP_Y)
    note.width, note.height = 760.0, 70.0 + 20.0 * lines
    return note


def _corner(node: Any) -> tuple[float, float]:
    """Return where a node lies, in the tree and not in its frame."""
    x, y = node.location
    return (
        (x, y) if node.parent is None else (x + node.parent.location.x, y + node.parent.location.y)
    )


def wrapped(lines: Iterable[str]) -> list[str]:
    """Return lines that fit a note."""
    found: list[str] = []
    for line in lines:
        found += textwrap.wrap(line, 80, subsequent_indent="    ")
    return found


def _inside(block: Block, graph: Graph) -> Placed:
    own = set(block.nodes)
    links = {
        (link.from_node, link.to_node)
        for link in graph.tree.links
        if link.from_node in own and link.to_node in own
    }
    return columns(block.nodes, links, node_box)


def _framed(block: Block, box: Box) -> Box:
    if not block.title:
        return box
    return (box[0] + 2.0 * FRAME, box[1] + 2.0 * FRAME + LABEL)


def _place(graph: Graph, block: Block, placed: Placed, corner: tuple[float, float]) -> None:
    frame: Any = None
    x, y = corner
    if block.title:
        frame = graph.tree.nodes.new("NodeFrame")
        frame.label, frame.label_size = block.title, 18
        x, y = x + FRAME, y - FRAME - LABEL
    for node in block.nodes:
        across, down = placed.places[node]
        node.location = (x + across, y + down)
        if frame is not None:
            node.parent = frame
