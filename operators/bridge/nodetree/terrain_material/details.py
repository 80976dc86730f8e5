# SPDX-License-Identifier: GPL-3.0-or-later
"""Details of the ground: seamless tiles of Terrane's surfaces (`tile_images`), laid on from all sides.

No single size of a tile suits all distances: one that suits a mountain across the valley shows grains as
large as houses near the camera. So copies of a tile stand on a ladder of sizes,
and each spot shows the three that suit its distance from the camera, strongest the one in the
middle; one fades in as another fades out, so that nothing jumps as the camera moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from .....noise_core.materials.surfaces import surface
from ..node_graph import SHARE, NodeGraph, Output, Value
from ..shared_groups import AlikeGroups

LADDER = ("Size", "Smallest", "Apart", "Seen Up To")
"""Inputs of a group with the sizes of its tiles."""

_BESIDE = (-1.0, 0.0, 1.0)
"""Steps of the ladder beside the right one, whose copies show."""

_BLEND = 0.25
"""Width of the blend between the sides of a box: hides the edges, and blurs little."""

RATIO = 4.37
"""From one size of the ladder to the next; near no simple fraction, so that copies do not repeat
together."""

_TURN = 0.41
"""Radians by which each copy is turned against the next, for the same reason."""

_REACH = 1.4
"""Steps of the ladder from the right size at which a copy has faded out: three show together."""

_STRENGTH = 0.5
"""Of the copy of the right size, so that three together are about as strong as the tile itself."""

_COPY = "Copy"
"""Label of the nodes that show the image of a tile."""


def find_or_create_group(
    name: str,
    pixels: int,
    image: bpy.types.Image,
    mapping: str,
    alike: AlikeGroups,
    *,
    is_single: bool = False,
) -> bpy.types.NodeTree:
    """Return the node group of a tile at a resolution, which all terrains share; see `AlikeGroups`.

    A single group looks up one copy by chance; other groups show three.
    """
    title, version, declare = _GROUPS[is_single]
    group: bpy.types.NodeTree = alike.find_or_create(
        f"Terrane {title} {surface(name).label}",
        f"{pixels} {mapping} {version}",
        lambda graph: declare(graph, image, mapping),
        {_COPY: image},
        kind=f"{title} {mapping}",
    )
    return group


def _declare_single(graph: NodeGraph, image: bpy.types.Image, mapping: str) -> None:
    """Declare a tile of which each ray sees one random copy, as strongly as all three together.

    On average that is the same picture for a third of the time.
    """
    ladder = _declare_ladder(graph)
    chance = graph.number("Chance", 0.5, SHARE, "Another number for each ray")
    with graph.frame("Chosen Copy"):
        shares = [_share(graph, ladder.middle + beside, ladder.step) for beside in _BESIDE]
        total = shares[0] + shares[1] + shares[2]
        drawn = chance * total
        above = graph.math("GREATER_THAN", drawn, shares[0])
        above = above + graph.math("GREATER_THAN", drawn, shares[0] + shares[1])
        at = ladder.middle + above + _BESIDE[0]
    with graph.frame("Copy"):
        share = total * ladder.seen
        color, height = _lay_copy(graph, (1.0, 1.0, 1.0), share, ladder.place, at, image, mapping)
    graph.output("Detail Color", color, "For a layer", "Color")
    graph.output("Detail Height", height, "For a layer")


@dataclass(frozen=True)
class _Ladder:
    """The ladder of sizes at a spot: its exact step, the nearest one, how far tiles have faded, and the place."""

    step: Output
    middle: Output
    seen: Output
    place: Output


def _declare_ladder(graph: NodeGraph) -> _Ladder:
    # fmt: off
    number, wide, text = graph.number, (1e-3, 1e6), "Of the largest tiles in meters, those of the far ground"
    size = number("Size", 100.0, wide, text, "DISTANCE")
    smallest = number("Smallest", 1.0, wide, "Of the smallest tiles in meters, those at the camera's feet", "DISTANCE")
    apart = number("Apart", 16.0, (0.1, 1e3), "How many of its widths away from the camera a tile is seen best")
    text = "The largest tiles fade out this many of their widths away from the camera"
    # fmt: on
    seen_up_to = number("Seen Up To", 240.0, (0.0, 1e6), text)
    position = graph.vector("Position", "Of the masks")
    with graph.frame("Step of the Ladder"):
        distance = graph.node("ShaderNodeCameraData", label="Distance")["View Distance"]
        right = graph.math("MAXIMUM", distance / apart, smallest)
        step = graph.math("LOGARITHM", size / right, RATIO)
        step = graph.math("MAXIMUM", step, 0.0, label="Step")
        middle = graph.math("ROUND", step)
    with graph.frame("Fade"):
        reach = seen_up_to * size
        seen = graph.map_range(distance, reach * 0.35, reach, _STRENGTH, 0.0, label="Fades")
    with graph.frame("Place"):
        place = graph.vector_math("SCALE", position, 1.0 / size)
    return _Ladder(step, middle, seen, place)


def _declare(graph: NodeGraph, image: bpy.types.Image, mapping: str) -> None:
    ladder = _declare_ladder(graph)
    color: Value = (1.0, 1.0, 1.0)
    heights = []
    for beside, title in zip(_BESIDE, ("Larger Copy", "Copy", "Smaller Copy")):
        with graph.frame(title):
            at = ladder.middle + beside
            share = _share(graph, at, ladder.step) * ladder.seen
            color, height = _lay_copy(graph, color, share, ladder.place, at, image, mapping)
            heights.append(height)
    height = heights[0] + heights[1] + heights[2]
    graph.output("Detail Color", color, "For a layer", "Color")
    graph.output("Detail Height", height, "For a layer")
    for name in LADDER:
        graph.output(name, graph.inputs[name], "The same for rays that see one copy")


def _share(graph: NodeGraph, at: Value, step: Value) -> Output:
    """Return the strength of the copy on a step of the ladder for the exact step of a spot."""
    off = graph.math("ABSOLUTE", at - step)
    share = graph.map_range(off, 0.0, _REACH, 1.0, 0.0, kind="SMOOTHSTEP")
    # Above the largest there is none.
    return share * graph.math("GREATER_THAN", at, -0.5)


def _lay_copy(
    graph: NodeGraph,
    below: Value,
    share: Value,
    place: Value,
    at: Value,
    image: bpy.types.Image,
    mapping: str,
) -> tuple[Output, Output]:
    """Return a share of the copy on a step of the ladder: its color over a color below, and its height."""
    times = graph.math("POWER", RATIO, at)
    inputs = {"Vector": place, "Angle": at * _TURN}
    turned = graph.node("ShaderNodeVectorRotate", inputs, label="Turned")
    properties: dict[str, Any] = {"image": image}
    if mapping == "triplanar":
        properties |= {"projection": "BOX", "projection_blend": _BLEND}
    scaled = {"Vector": graph.vector_math("SCALE", turned, times)}
    copy = graph.node("ShaderNodeTexImage", scaled, label=_COPY, **properties)
    factor = graph.vector_math("SCALE", copy["Color"], 2.0)
    color = graph.mix(share, below, factor, "RGBA", blend_type="MULTIPLY")
    # Bumps of all sizes are equally steep: the ground looks as rough from near as from afar.
    return color, (copy["Alpha"] + -0.5) * 2.0 * share / times


_GROUPS = (("Detail", 3, _declare), ("Single", 1, _declare_single))
"""Groups around a tile: title, version and declaration, with three copies and with a single copy."""
