# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of nodes: from left to right along the links, in frames that do not overlap.

Frames stand in columns by the longest way to the output; within a frame the nodes do the same. Boxes of
one column stand one above the other, each near those that it leads to.

References
----------
Kozo Sugiyama, Shojiro Tagawa, Mitsuhiko Toda (1981). Methods for visual understanding of hierarchical
system structures. IEEE Transactions on Systems, Man, and Cybernetics. (layers and barycenters)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

Box = tuple[float, float]
"""Width and height."""

GAP_X, GAP_Y = 60.0, 30.0
"""Between nodes, wide enough to see the links."""

FRAME = 30.0
"""Between the border of a frame and its nodes; above them lies its label too."""

FRAME_LABEL = 20
"""Size of the text of a frame's label."""

_LABEL = 30.0
"""Height that a frame's label takes."""

_HEADER, _ROW, _VECTOR = 36.0, 22.0, 84.0
"""Heights of parts of a node as Blender draws them: header and borders, one socket, a vector's fields."""

_MORE: Mapping[str, float] = {
    "ShaderNodeAttribute": 56.0,
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
    "ShaderNodeBsdfPrincipled": 200.0,
    "ShaderNodeOutputMaterial": 30.0,
    "ShaderNodeNormalMap": 60.0,
    "ShaderNodeDisplacement": 30.0,
}
"""What a node shows besides its sockets."""

Item = TypeVar("Item", bound=Hashable)


@dataclass(eq=False)
class Block:
    """Nodes that belong together; those with a title get a frame."""

    title: str
    items: list[Any] = field(default_factory=list)


@dataclass
class Arrangement:
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


def arrange(
    blocks: Sequence[Block], links: Iterable[tuple[Any, Any]], size: Callable[[Any], Box]
) -> Arrangement:
    """Place the nodes of all blocks.

    Parameters
    ----------
    blocks : sequence of Block
        Links between them form no circle.
    links : iterable of pairs
        From one node to another.
    size : callable
        Returns the box of a node.
    """
    links = list(links)
    home = {item: block for block in blocks for item in block.items}
    within = {
        block: columns(
            block.items, [link for link in links if {home[one] for one in link} == {block}], size
        )
        for block in blocks
    }
    between = {(home[start], home[stop]) for start, stop in links if home[start] is not home[stop]}
    outer = columns(blocks, between, lambda block: _framed(block, within[block].box), 2.0 * GAP_X)
    placed = Arrangement(box=outer.box)
    for block in blocks:
        left, top = outer.places[block]
        if block.title:
            left, top = left + FRAME, top - FRAME - _LABEL
        for item, (x, y) in within[block].places.items():
            placed.places[item] = (left + x, top + y)
    return placed


def columns(
    items: Sequence[Item],
    links: Iterable[tuple[Item, Item]],
    size: Callable[[Item], Box],
    gap: float = GAP_X,
) -> Arrangement:
    """Place boxes in columns, so that all links lead to the right.

    Parameters
    ----------
    items : sequence
        What is placed.
    links : iterable of pairs
        From one item to another; they form no circle.
    size : callable
        Returns the box of an item.
    gap : float
        Between two columns.
    """
    after: dict[Item, list[Item]] = {item: [] for item in items}
    for start, stop in links:
        after[start].append(stop)
    layers = _layers(items, after)
    placed = Arrangement()
    middles: dict[Item, float] = {}
    x = 0.0
    for layer in layers:
        width = max(size(item)[0] for item in layer)
        _stack(layer, after, size, middles)
        for item in layer:
            placed.places[item] = (x - width, middles[item] + size(item)[1] / 2.0)
        x -= width + gap
    left = min((place[0] for place in placed.places.values()), default=0.0)
    top = max((place[1] for place in placed.places.values()), default=0.0)
    lowest = 0.0
    for item, (across, down) in placed.places.items():
        placed.places[item] = (across - left, down - top)
        lowest = min(lowest, down - top - size(item)[1])
    placed.box = (-left, -lowest)
    return placed


def _layers(items: Sequence[Item], after: Mapping[Item, list[Item]]) -> list[list[Item]]:
    """Return the columns from right to left: an item's number is the longest way to an end."""
    depth: dict[Item, int] = {}

    def depth_of(item: Item) -> int:
        if item not in depth:
            depth[item] = 1 + max((depth_of(one) for one in after[item]), default=-1)
        return depth[item]

    for item in items:
        depth_of(item)
    layers: list[list[Item]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for item in items:
        layers[depth[item]].append(item)
    return layers


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
    """Return about how large a node is drawn, which Blender knows only in a window."""
    height = _HEADER + _MORE.get(node.bl_idname, 0.0)
    height += _ROW * sum(socket.enabled and not socket.hide for socket in node.outputs)
    for socket in node.inputs:
        if socket.enabled and not socket.hide:
            has_fields = socket.type == "VECTOR" and not socket.is_linked and not socket.hide_value
            height += _VECTOR if has_fields else _ROW
    tree = getattr(node, "node_tree", None)
    if tree is not None:
        height += _ROW * sum(one.item_type == "PANEL" for one in tree.interface.items_tree)
    return (node.width, height)


def _framed(block: Block, box: Box) -> Box:
    if not block.title:
        return box
    return (box[0] + 2.0 * FRAME, box[1] + 2.0 * FRAME + _LABEL)
