# SPDX-License-Identifier: GPL-3.0-or-later
"""Hexagonal tiling: a seamless tile without visible repetition, from three turned copies at each spot.

The plane is covered by a lattice of triangles. Each corner of it has a copy of the tile, moved and
turned by chance, and each spot blends the copies of its three corners (Mikkelsen, Practical Real-Time
Hex-Tiling, Journal of Computer Graphics Techniques 11(3), 2022). Blending makes a texture flat; the
deviations from the mean are therefore divided by the length of the weights, which keeps their variance
(Heitz & Neyret, High-Performance By-Example Noise using a Histogram-Preserving Blending Operator,
2018). Sharp weights leave so little to blend that their transform of the histogram is not needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..node_graph import ANY, SHARE, NodeGraph, Output, Value
from ..shared_groups import shared_group

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


@shared_group("Terrane Hex Tiling", 2)
def hex_tiling_group(graph: NodeGraph) -> None:
    """Declare the places, turns and weights of the three copies of a tile at a position."""
    position = graph.vector("Position", "In widths of a tile; the copies lie along X and Y")
    seed = graph.number("Seed", 0.0, ANY, "Another number gives other copies")
    turn = graph.number(
        "Turn", 1.0, SHARE, "How far copies are turned, up to a whole turn", "FACTOR"
    )
    with graph.frame("Lattice"):
        scaled = graph.vector_math("SCALE", position, _FINENESS)
        x, y = (graph.component(scaled, axis) for axis in range(2))
        across, up = graph.math("MULTIPLY_ADD", y, -_SKEW, x), y * (2.0 * _SKEW)
        column, row = graph.math("FLOOR", across), graph.math("FLOOR", up)
        right, above = across - column, up - row
        # 1 in the triangle at the upper right of its two, 0 in the other.
        half = graph.math("GREATER_THAN", right + above, 1.0, label="Half")
        other = 1.0 - half
    with graph.frame("Weights"):
        nearest = graph.math("ABSOLUTE", 1.0 - right - above)
        powers = [
            graph.math("POWER", graph.math("MAXIMUM", one, 1e-4), _SHARPNESS)
            for one in (
                nearest,
                graph.mix(half, above, 1.0 - above),
                graph.mix(half, right, 1.0 - right),
            )
        ]
        weights = graph.combine(powers[0], powers[1], powers[2])
        # The power may leave little: the sum is made 1 again.
        weights = graph.vector_math("SCALE", weights, 1.0 / (powers[0] + powers[1] + powers[2]))
    corners = ((half, half), (half, other), (other, half))
    angles = []
    for title, (east, north) in zip(CORNERS, corners):
        with graph.frame(title):
            corner = (column + east, row + north)
            place, angle = _copy(graph, position, corner, seed, turn)
            angles.append(angle)
            graph.output(title, place, "Where this copy is looked up", "Vector")
    graph.output("Weights", weights, "Of the three copies; their sum is 1", "Vector")
    graph.output(
        "Angles",
        graph.combine(angles[0], angles[1], angles[2]),
        "By which they are turned, in radians",
        "Vector",
    )
    length = graph.vector_math("LENGTH", weights)["Value"]
    graph.output("Contrast", 1.0 / length, "That a blend of deviations from the mean lacks")


def _copy(
    graph: NodeGraph, position: Value, corner: tuple[Value, Value], seed: Value, turn: Value
) -> tuple[Output, Output]:
    """Return where the copy of a corner of the lattice is looked up, and by how much it is turned."""
    column, row = corner
    key = graph.combine(column, row, seed)
    chance = graph.node("ShaderNodeTexWhiteNoise", {"Vector": key}, noise_dimensions="3D")
    up = row * (0.5 / _SKEW)
    middle = graph.combine(graph.math("MULTIPLY_ADD", up, _SKEW, column), up)
    middle = graph.vector_math("SCALE", middle, 1.0 / _FINENESS)
    angle = (chance["Value"] + -0.5) * turn * _TURN
    off = graph.vector_math("SUBTRACT", position, middle)
    turned = graph.node("ShaderNodeVectorRotate", {"Vector": off, "Angle": angle}, label="Turned")
    return graph.vector_math("ADD", turned, chance["Color"]), angle


def place_copies(graph: NodeGraph, position: Value, seed: Value, turn: float) -> dict[str, Output]:
    """Declare the node of the group; return its outputs by name, as `HexTiling` takes them."""
    inputs = {"Position": position, "Seed": seed, "Turn": turn}
    node = graph.group(hex_tiling_group(), inputs, label="Hex Tiling")
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
    def inputs(cls, graph: NodeGraph) -> HexTiling:
        """Declare the inputs of the group: what `place_copies` returns."""
        places = tuple(graph.vector(title, "Where this copy is looked up") for title in CORNERS)
        weights = graph.vector("Weights", "Of the three copies; their sum is 1")
        angles = graph.vector("Angles", "By which they are turned, in radians")
        contrast = graph.number("Contrast", 1.0, ANY, "That a blend of deviations lacks")
        return cls(places, graph.separate(weights), graph.separate(angles), contrast)

    def blend(self, graph: NodeGraph, copies: list[Output]) -> Output:
        """Return a blend of vectors looked up in the three copies, as plain as it comes."""
        scaled = [
            graph.vector_math("SCALE", copy, weight) for copy, weight in zip(copies, self.weights)
        ]
        return graph.vector_math("ADD", graph.vector_math("ADD", scaled[0], scaled[1]), scaled[2])

    def blend_deviations(self, graph: NodeGraph, copies: list[Output]) -> Output:
        """Return a blend of vectors that are 0 on average, with their variance kept."""
        return graph.vector_math("SCALE", self.blend(graph, copies), self.contrast)
