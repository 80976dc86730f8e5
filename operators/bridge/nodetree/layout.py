# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of nodes: from left to right along the links, in frames that do not overlap.

Frames stand in columns by the longest way to the output; within a frame the nodes do the same. Nodes are
level with those that they lead to, frames stand where the links between them are straight on average, and
none lies on another.

References
----------
Kozo Sugiyama, Shojiro Tagawa, Mitsuhiko Toda (1981). Methods for visual understanding of hierarchical
system structures. IEEE Transactions on Systems, Man, and Cybernetics. (layers and barycenters)
Miriam Ayer et al. (1955). An empirical distribution function for sampling with incomplete information.
The Annals of Mathematical Statistics. (pooling of neighbors that would overlap)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .node_graph import NodeFrame

GAP_X, GAP_Y = 60.0, 30.0
"""Between nodes, wide enough to see the links."""

FRAME = 30.0
"""Between the border of a frame and its nodes; above them lies its label too."""

FRAME_LABEL = 20
"""Size of the text of a frame's label."""

_LABEL = 30.0
"""Height that a frame's label takes."""

_HEADER, _FOOTER, _ROW, _VECTOR = 28.0, 8.0, 22.0, 84.0
"""Heights of parts of a node as Blender draws them: header, lower border, a socket, a vector's fields."""

_MORE: Mapping[str, float] = {
    "ShaderNodeAttribute": 56.0,
    "ShaderNodeMath": 56.0,
    "ShaderNodeVectorMath": 30.0,
    "ShaderNodeTexNoise": 84.0,
    "ShaderNodeTexVoronoi": 112.0,
    "ShaderNodeTexWhiteNoise": 30.0,
    "ShaderNodeTexImage": 196.0,
    "ShaderNodeMapRange": 84.0,
    "ShaderNodeMix": 50.0,
    "ShaderNodeFloatCurve": 270.0,
    "ShaderNodeClamp": 30.0,
    "ShaderNodeVectorRotate": 56.0,
    "ShaderNodeSeparateColor": 30.0,
    "ShaderNodeGroup": 30.0,
    "ShaderNodeValue": 0.0,
    "ShaderNodeValToRGB": 130.0,
    "ShaderNodeBump": 30.0,
    "ShaderNodeMapping": 30.0,
    "ShaderNodeTexCoord": 46.0,
    "ShaderNodeOutputMaterial": 30.0,
    "ShaderNodeNormalMap": 96.0,
    "ShaderNodeDisplacement": 30.0,
}
"""Height of the contents of a node besides its sockets."""

_BLEND_TYPE = 60.0
"""Height that the blend type and switches of a Mix node of colors take."""

_PRINCIPLED = 380.0
"""Height of a Principled BSDF, most of whose sockets lie in closed panels."""


@dataclass(frozen=True)
class Shape:
    """Size of a box, and distances of its sockets from the top by (is output, identifier)."""

    width: float
    height: float
    sockets: Mapping[tuple[bool, str], float] = field(default_factory=dict)


@dataclass(frozen=True)
class Link:
    """A link between two boxes; its sockets lie at some distances from the boxes' tops."""

    start: Any
    stop: Any
    leaves: float
    arrives: float


Places = dict[Any, tuple[float, float]]
"""The upper left corner of each box, from (0, 0) to the right and, negative, downwards."""


def arrange(
    blocks: Mapping[NodeFrame, Sequence[Any]], links: Sequence[Link], shapes: Mapping[Any, Shape]
) -> Places:
    """Place the nodes of all frames, links between which form no circle."""
    home = {item: frame for frame, items in blocks.items() for item in items}
    within, frames = {}, {}
    inner: dict[NodeFrame, list[Link]] = {frame: [] for frame in blocks}
    outside = []
    for link in links:
        is_inner = home[link.start] is home[link.stop]
        (inner[home[link.start]] if is_inner else outside).append(link)
    for frame, items in blocks.items():
        within[frame], inside = columns(items, inner[frame], shapes, is_level=True)
        sides, ends = (2.0 * FRAME, _top(frame) + FRAME) if frame.title else (0.0, 0.0)
        frames[frame] = Shape(inside.width + sides, inside.height + ends)
    between = []
    for link in outside:
        start, stop = home[link.start], home[link.stop]
        leaves = _top(start) - within[start][link.start][1] + link.leaves
        arrives = _top(stop) - within[stop][link.stop][1] + link.arrives
        between.append(Link(start, stop, leaves, arrives))
    outer, _ = columns(list(blocks), between, frames, 2.0 * GAP_X)
    places = {}
    for frame, (frame_x, frame_y) in outer.items():
        beside = FRAME if frame.title else 0.0
        for item, (x, y) in within[frame].items():
            places[item] = (frame_x + beside + x, frame_y - _top(frame) + y)
    return places


def _top(frame: NodeFrame) -> float:
    """Return the distance of a frame's nodes from its upper border."""
    return FRAME + _LABEL if frame.title else 0.0


def columns(
    items: Sequence[Any],
    links: Iterable[Link],
    shapes: Mapping[Any, Shape],
    gap: float = GAP_X,
    *,
    is_level: bool = False,
) -> tuple[Places, Shape]:
    """Place boxes in columns, so that all links lead to the right; return the size of all too.

    If it is level, tops are aligned instead of links made straight: a chain of nodes is a row then.
    """
    outgoing: dict[Any, list[Link]] = {item: [] for item in items}
    for link in links:
        outgoing[link.start].append(link)
    places: Places = {}
    x = 0.0
    for layer in _layers(items, outgoing):
        order = {item: _wish(outgoing[item], places, is_level=False) for item in layer}
        wishes = order
        if is_level:
            wishes = {item: _wish(outgoing[item], places, is_level=True) for item in layer}
        layer.sort(key=lambda item: -order[item])
        width = max(shapes[item].width for item in layer)
        for item, top in _stack(layer, wishes, shapes):
            places[item] = (x - width, top)
        x -= width + gap
    leftmost = min((place[0] for place in places.values()), default=0.0)
    top = max((place[1] for place in places.values()), default=0.0)
    low = min((place[1] - shapes[item].height for item, place in places.items()), default=0.0)
    moved = {item: (across - leftmost, down - top) for item, (across, down) in places.items()}
    return moved, Shape(-leftmost, top - low)


def _layers(items: Sequence[Any], outgoing: Mapping[Any, Sequence[Link]]) -> list[list[Any]]:
    """Return the columns from right to left: an item's number is the longest way to an end."""
    depth: dict[Any, int] = {}

    def depth_of(item: Any) -> int:
        if item not in depth:
            depth[item] = 1 + max((depth_of(link.stop) for link in outgoing[item]), default=-1)
        return depth[item]

    layers: list[list[Any]] = [[] for _ in range(1 + max(map(depth_of, items), default=-1))]
    for item in items:
        layers[depth[item]].append(item)
    return layers


def _wish(links: Sequence[Link], places: Places, *, is_level: bool) -> float:
    """Return the top at which a box is level with its successors, or its links are straight."""
    bends = [0.0 if is_level else link.leaves - link.arrives for link in links]
    return _mean([places[link.stop][1] + bend for link, bend in zip(links, bends)] or [0.0])


def _stack(
    order: Sequence[Any], wishes: Mapping[Any, float], shapes: Mapping[Any, Shape]
) -> Iterator[tuple[Any, float]]:
    """Yield the items of a column, from above, with tops as near to their wishes as others allow."""
    above: list[float] = []  # height of all that stands above, if nothing is left free between
    pools: list[list[float]] = []
    total = 0.0
    for item in order:
        above.append(total)
        total += shapes[item].height + GAP_Y
        pools.append([wishes[item] + above[-1]])
        while len(pools) > 1 and _mean(pools[-1]) > _mean(pools[-2]):
            last = pools.pop()
            pools[-1] += last
    levels = [_mean(pool) for pool in pools for _ in pool]
    for item, level, height in zip(order, levels, above):
        yield item, level - height


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def measure(node: Any) -> Shape:
    """Return the approximate size of a node, which Blender knows only in a window."""
    sockets: dict[tuple[bool, str], float] = {}
    y = _HEADER
    for socket in node.outputs:
        if socket.enabled and not socket.hide:
            sockets[True, socket.identifier] = y + _ROW / 2.0
            y += _ROW
    y += _MORE.get(node.bl_idname, 0.0)
    if getattr(node, "data_type", "") == "RGBA":
        y += _BLEND_TYPE
    panels = _panels(node)
    panel, is_closed = -1, False
    for socket in node.inputs:
        if not socket.enabled or socket.hide:
            continue
        socket_panel, closed = panels.get(socket.identifier, (-1, False))
        if socket_panel not in (panel, -1):
            panel, is_closed = socket_panel, closed
            y += _ROW
        if is_closed:  # links end at the panel's own row
            sockets[False, socket.identifier] = y - _ROW / 2.0
            continue
        sockets[False, socket.identifier] = y + _ROW / 2.0
        has_fields = socket.type == "VECTOR" and not socket.is_linked and not socket.hide_value
        y += _VECTOR if has_fields else _ROW
    is_principled = node.bl_idname == "ShaderNodeBsdfPrincipled"
    return Shape(node.width, _PRINCIPLED if is_principled else y + _FOOTER, sockets)


def _panels(node: Any) -> dict[str, tuple[int, bool]]:
    """Return the panel of each input of a group's node, by number, and whether it is closed."""
    tree = getattr(node, "node_tree", None)
    items = [] if tree is None else list(tree.interface.items_tree)
    panels = {item.index: item.default_closed for item in items if item.item_type == "PANEL"}
    return {
        item.identifier: (item.parent.index, panels[item.parent.index])
        for item in items
        if item.item_type == "SOCKET" and item.parent.index in panels
    }
