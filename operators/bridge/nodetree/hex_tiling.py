# SPDX-License-Identifier: GPL-3.0-or-later
"""Hexagonal tiling: a seamless tile without visible repetition, from three turned copies at each spot.

The plane is covered by a lattice of triangles. Each corner of it has a copy of the tile, moved and
turned by chance, and each spot blends the copies of its three corners (Mikkelsen, Practical Real-Time
Hex-Tiling, Journal of Computer Graphics Techniques 11(3), 2022). Blending makes a texture flat; the
deviations from the mean are therefore divided by the length of the weights, which keeps their variance
(Heitz & Neyret, High-Performance By-Example Noise using a Histogram-Preserving Blending Operator,
2018). Sharp weights leave so little to blend that their transform of the histogram is not needed.

Corners of the lattice have three colors, no two neighbors the same one, and each copy belongs to one color.
So a copy jumps only where it has no weight: where a graphics card takes the size of a pixel on the tile
from its neighbors, no seams are seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .node_graph import ANY, SHARE, NodeGraph, Output, Value
from .shared_groups import shared_group

CORNERS = ("First", "Second", "Third")
"""Outputs of the group: where each of the three copies is looked up."""

_FINENESS = 1.7
"""Rows of the lattice along a tile: few enough for ripples and beds to be seen whole."""

_SHARPNESS = 6.0
"""Power of the weights; 7 in Mikkelsen's paper."""

_SKEW = 3.0**-0.5
"""Of the lattice of triangles: how far a row is moved against the one before."""

_TURN = 6.2831853
"""Radians of a whole turn."""

_MIDDLE = (0.5, 0.5, 0.5)
"""Of a tile, around which copies are moved."""

_STEEPEST = 0.2
"""Least upward part of a normal that is divided by: slopes of at most 5."""


@shared_group("Terrane Hex Tiling", 3)
def hex_tiling_group(graph: NodeGraph) -> None:
    """Declare the places, turns and weights of the three copies of a tile at a position."""
    position = graph.vector("Position", "In widths of a tile; the copies lie along X and Y")
    seed = graph.number("Seed", 0.0, ANY, "Another number gives other copies")
    turn = graph.number(
        "Turn", 1.0, SHARE, "How far copies are turned, up to a whole turn", "FACTOR"
    )
    fineness = graph.number("Hexagons", _FINENESS, (1e-2, 1e3), "Rows of them along a tile")
    sharpness = graph.number("Sharpness", _SHARPNESS, (0.1, 1e2), "Power of the weights")
    room = graph.number(
        "Room", 1.0, SHARE, "How far copies are moved, in widths of a tile", "FACTOR"
    )
    with graph.frame("Lattice"):
        scaled = graph.vector_math("SCALE", position, fineness)
        x, y = (graph.component(scaled, axis) for axis in range(2))
        across, up = graph.math("MULTIPLY_ADD", y, -_SKEW, x), y * (2.0 * _SKEW)
        column, row = graph.math("FLOOR", across), graph.math("FLOOR", up)
        right, above = across - column, up - row
        # 1 in the triangle at the upper right of its two, 0 in the other.
        half = graph.math("GREATER_THAN", right + above, 1.0, label="Half")
    with graph.frame("Weights"):
        # Of the corner at one end of the diagonal of both, of that in the east, of that in the north.
        hats = (
            graph.math("ABSOLUTE", 1.0 - right - above),
            graph.mix(half, right, 1.0 - above),
            graph.mix(half, above, 1.0 - right),
        )
        powers = [graph.math("POWER", graph.math("MAXIMUM", hat, 1e-4), sharpness) for hat in hats]
        # The power may leave little: the sum is made 1 again.
        share = 1.0 / (powers[0] + powers[1] + powers[2])
    with graph.frame("Colors"):
        color = graph.math("FLOORED_MODULO", column - row, 3.0)
        first, third = (
            graph.math("LESS_THAN", color, 0.5),
            graph.math("GREATER_THAN", color, 1.5),
        )
        second = 1.0 - first - third
    weights, angles = [], []
    orders = ((first, third, second), (second, first, third), (third, second, first))
    for title, (near, east, north) in zip(CORNERS, orders):
        with graph.frame(title):
            corner = tuple(
                graph.math("MULTIPLY_ADD", near, half, start + beside)
                for start, beside in ((column, east), (row, north))
            )
            weights.append(near * powers[0] + east * powers[1] + north * powers[2])
            place, angle = _copy(graph, position, corner, (seed, turn, fineness, room))
            angles.append(angle)
            graph.output(title, place, "Where this copy is looked up", "Vector")
    shares = graph.vector_math("SCALE", graph.combine(weights[0], weights[1], weights[2]), share)
    graph.output("Weights", shares, "Of the three copies; their sum is 1", "Vector")
    turns = graph.combine(angles[0], angles[1], angles[2])
    graph.output("Angles", turns, "By which they are turned, in radians", "Vector")
    length = graph.vector_math("LENGTH", shares)["Value"]
    graph.output("Contrast", 1.0 / length, "That a blend of deviations from the mean lacks")


def _copy(
    graph: NodeGraph,
    position: Value,
    corner: tuple[Value, ...],
    numbers: tuple[Value, Value, Value, Value],
) -> tuple[Output, Output]:
    """Return where the copy of a corner of the lattice is looked up, and by how much it is turned."""
    (column, row), (seed, turn, fineness, room) = corner, numbers
    key = graph.combine(column, row, seed)
    chance = graph.node("ShaderNodeTexWhiteNoise", {"Vector": key}, noise_dimensions="3D")
    up = row * (0.5 / _SKEW)
    middle = graph.combine(graph.math("MULTIPLY_ADD", up, _SKEW, column), up)
    middle = graph.vector_math("SCALE", middle, 1.0 / fineness)
    angle = (chance["Value"] + -0.5) * turn * _TURN
    off = graph.vector_math("SUBTRACT", position, middle)
    turned = graph.node("ShaderNodeVectorRotate", {"Vector": off, "Angle": angle}, label="Turned")
    moved = graph.vector_math(
        "SCALE", graph.vector_math("SUBTRACT", chance["Color"], _MIDDLE), room
    )
    return graph.vector_math("ADD", turned, graph.vector_math("ADD", moved, _MIDDLE)), angle


def place_copies(graph: NodeGraph, position: Value, **numbers: Value) -> dict[str, Output]:
    """Declare the node of the group; return its outputs by name, as `HexTiling` takes them.

    The numbers are those inputs of the group that differ from its own: Seed, Turn, Hexagons, Sharpness,
    Room.
    """
    node = graph.group(hex_tiling_group(), {"Position": position, **numbers}, label="Hex Tiling")
    return {name: node[name] for name in (*CORNERS, "Weights", "Angles", "Contrast")}


@dataclass(frozen=True)
class HexTiling:
    """The three copies of a tile at a position, as they come into a group that looks them up.

    Attributes
    ----------
    places : tuple of Output
        Where each copy is looked up.
    weights, angles : tuple of Output
    contrast : Output
    """

    places: tuple[Output, ...]
    weights: tuple[Output, ...]
    angles: tuple[Output, ...]
    contrast: Output

    @classmethod
    def of(cls, graph: NodeGraph, copies: Mapping[str, Output]) -> HexTiling:
        """Return the tiling of copies from `place_copies`."""
        places = tuple(copies[title] for title in CORNERS)
        weights, angles = (graph.separate(copies[name]) for name in ("Weights", "Angles"))
        return cls(places, weights, angles, copies["Contrast"])

    @classmethod
    def inputs(cls, graph: NodeGraph) -> HexTiling:
        """Declare group inputs for the outputs of `place_copies`."""
        copies = {title: graph.vector(title, "Where this copy is looked up") for title in CORNERS}
        copies["Weights"] = graph.vector("Weights", "Of the three copies; their sum is 1")
        copies["Angles"] = graph.vector("Angles", "By which they are turned, in radians")
        help = "That a blend of deviations lacks"
        copies["Contrast"] = graph.number("Contrast", 1.0, ANY, help)
        return cls.of(graph, copies)

    def blend(self, graph: NodeGraph, copies: Sequence[Output]) -> Output:
        """Return a blend of vectors looked up in the three copies, as plain as it comes."""
        scaled = [
            graph.vector_math("SCALE", copy, weight) for copy, weight in zip(copies, self.weights)
        ]
        return graph.vector_math("ADD", graph.vector_math("ADD", scaled[0], scaled[1]), scaled[2])

    def blend_deviations(self, graph: NodeGraph, copies: Sequence[Output]) -> Output:
        """Return a blend of vectors that are 0 on average, with their variance kept."""
        return graph.vector_math("SCALE", self.blend(graph, copies), self.contrast)

    def blend_normals(
        self, graph: NodeGraph, colors: Sequence[Output], *, is_turned: bool = True
    ) -> Output:
        """Return the first two parts of a normal from colors of a normal map, turned back with the copies."""
        normals = []
        for color, angle in zip(colors, self.angles):
            flat = graph.vector_math("MULTIPLY_ADD", color, (2.0, 2.0, 0.0), (-1.0, -1.0, 0.0))
            if is_turned:
                inputs = {"Vector": flat, "Angle": 0.0 - angle}
                flat = graph.node("ShaderNodeVectorRotate", inputs, label="Turned Back")
            normals.append(flat)
        return self.blend_deviations(graph, normals)


def upward(graph: NodeGraph, x: Value, y: Value) -> Output:
    """Return the third part of a unit normal."""
    return graph.math("SQRT", graph.math("MAXIMUM", 1.0 - x * x - y * y, _STEEPEST**2))
