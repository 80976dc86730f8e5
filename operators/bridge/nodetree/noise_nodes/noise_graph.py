# SPDX-License-Identifier: GPL-3.0-or-later
"""A node graph that noises are written into, and the coordinates, seed and time of a noise in it.

Blender's textures have no seed. A seed moves them by whole cells instead, by a random number that a
White Noise Texture makes of it: two small groups do that, which all noises share.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .....noise_core.noises.bases.noise import Noise
from ..node_graph import NodeGraph, Output, Value
from ..shared_groups import shared_group
from .registry import writers

MARK = "terrane_nodes"
"""Custom property of node groups made of a noise: the recipe, or `INNER`."""

INNER = "inner"
"""Mark of a group, image or text that belongs to one group only."""

VALUE = "Value"
"""Name of the output of groups that are a noise."""

VECTOR, W, SEED, EVOLUTION = "Vector", "W", "Seed", "Evolution"
"""Names of the sockets of a domain."""

FREQUENCY, NUMBER, SPAN = "Frequency", "Number", "Span"

RANGE = 100.0
"""A seed moves by less than this many cells along each axis. Float32 tells 1/64 of a cell apart in
the ninth octave, whose cells are 256 times as small, at that distance."""

SEEDS = float(1 << 24)
"""Number of seeds: float32, in which nodes calculate, holds whole numbers below this."""

FADES = {"linear": "LINEAR", "cubic": "SMOOTHSTEP", "quintic": "SMOOTHERSTEP"}
"""The core's fades as interpolations of a Map Range."""

_NO_CHILD = -1.0
"""Stands for the number of a child where the seed itself is used."""

_FIRST_SHIFT = -2
"""From here down are the numbers of shifts by the seed."""


@dataclass(frozen=True)
class Domain:
    """Coordinates and seed of one noise."""

    vector: Any  # x, y and z in tiles; z counts from three dimensions on
    dimension: int  # from 2 to 4
    w: Any | None  # the fourth coordinate, None if there is none
    seed: Any  # a whole number
    evolution: Any | None  # added to the position of every `Evolution`; None if there is none

    def but(self, **changes: Any) -> Domain:
        """Return the domain with other coordinates, or another seed."""
        return dataclasses.replace(self, **changes)

    @property
    def dimensions(self) -> str:
        """The number of dimensions as texture nodes name it."""
        return f"{self.dimension}D"

    def values(self) -> dict[str, Any]:
        """Return the parts that are not None, by the names of their sockets."""
        named = {VECTOR: self.vector, W: self.w, SEED: self.seed, EVOLUTION: self.evolution}
        return {name: value for name, value in named.items() if value is not None}


SOCKETS: Mapping[str, tuple[str, str]] = {
    VECTOR: ("Vector", "Position in tiles"),
    W: ("Float", "The fourth coordinate, in tiles"),
    SEED: ("Int", "Another number gives another pattern"),
    EVOLUTION: ("Float", "How far the noise has evolved"),
}
"""Kind and help of the sockets by which a group takes a domain."""


class NoiseGraph(NodeGraph):
    """Nodes of one group; differences from the core are noted once for it and the groups within."""

    def __init__(self, notes: list[str], title: str = "") -> None:
        super().__init__(title, {MARK: INNER})
        self.notes = notes

    def note(self, text: str) -> None:
        """Add a difference from the core."""
        if text and text not in self.notes:
            self.notes.append(text)

    def set_title(self, text: str) -> None:
        """Give the current frame another title."""
        self.current_frame.title = text

    # --- noises ---------------------------------------------------------------------------------

    def noise(self, noise: Noise, domain: Domain) -> Any:
        """Write a noise into a frame and return its value."""
        writer = writers()[noise.key]
        self.note(writer.note and f"{noise.label}: {writer.note}")
        with self.frame(noise.label):
            return writer.write(noise, self, domain)

    def inner(self, title: str, domain: Domain) -> NoiseGraph:
        """Return the graph of a group within this one, with a domain as input."""
        group = NoiseGraph(self.notes, title)
        for name in domain.values():
            group.input(name, *SOCKETS[name])
        return group

    def instance(self, group: NodeGraph, label: str, values: Mapping[str, Value]) -> Output:
        """Return a node of a group, with the values that match its inputs."""
        inputs = {name: value for name, value in values.items() if name in group.inputs}
        return self.group(group, inputs, label=label)

    # --- domains --------------------------------------------------------------------------------

    def domain(self, dimension: int) -> Domain:
        """Return the domain that the group takes."""
        get = self.inputs.get
        return Domain(self.inputs[VECTOR], dimension, get(W), self.inputs[SEED], get(EVOLUTION))

    def cells(self, domain: Domain, frequency: float) -> Domain:
        """Return a domain in cells instead of tiles, moved by the seed."""
        inputs = {VECTOR: domain.vector, FREQUENCY: frequency, SEED: domain.seed}
        vector = self.group(cells_group(), inputs, label="Cells")[VECTOR]
        return domain.but(vector=vector, w=None if domain.w is None else domain.w * frequency)

    def child(self, domain: Domain, number: Value) -> Domain:
        """Return the domain with another seed, like the core's `child_seed`."""
        inputs = {SEED: domain.seed, NUMBER: number}
        return domain.but(seed=self.group(child_seed_group(), inputs, label="Child Seed")[SEED])

    def shifted(self, domain: Domain, span: float, index: int) -> Domain:
        """Return the domain moved by the seed, by less than `span` tiles, as the core's `seed_shift` does."""
        if span == 0.0:
            return domain
        inputs = {
            VECTOR: domain.vector, SPAN: span, SEED: domain.seed, NUMBER: _FIRST_SHIFT - index,
        }  # fmt: skip
        node = self.group(shift_group(), inputs, label="Shift of the Seed")
        w = None if domain.w is None else self.math("ADD", domain.w, node[W])
        return domain.but(vector=node[VECTOR], w=w)

    def moved_picture(self, domain: Domain) -> Any:
        """Return the position where a picture is looked up that seeds move, all but 0."""
        inputs = {VECTOR: domain.vector, SEED: domain.seed}
        return self.group(picture_group(), inputs, label="Picture of the Seed")[VECTOR]

    def texture(
        self, kind: str, domain: Domain, inputs: Mapping[str, float], **more: Any
    ) -> Output:
        """Return a texture node at a domain; inputs that it lacks are left out."""
        place = {VECTOR: domain.vector} | ({} if domain.w is None else {W: domain.w})
        return self.node(kind, place, optional={"Scale": 1.0, **inputs}, **more)

    # --- values ---------------------------------------------------------------------------------

    def affine(self, value: Value, factor: float, shift: float, label: str = "") -> Value:
        """Return value * factor + shift in as few nodes as possible."""
        if factor == 1.0 and shift == 0.0:
            return value
        if shift == 0.0:
            return self.math("MULTIPLY", value, factor, label=label)
        return self.math("MULTIPLY_ADD", value, factor, shift, label=label)

    def to_signed_unit(self, value: Value) -> Any:
        """Return a number in [0, 1], moved to [-1, 1]."""
        return self.affine(value, 2.0, -1.0, "To -1 … 1")

    def to_unit(self, value: Value) -> Any:
        """Return a number in [-1, 1], moved to [0, 1] and clamped."""
        return self.math("MULTIPLY_ADD", value, 0.5, 0.5, clamp=True)

    def rescale(self, value: Value, low: float, high: float, factor: float = 1.0) -> Any:
        """Return a number, first multiplied, moved from an interval to [-1, 1]."""
        if high <= low:
            return value * 0.0
        slope = 2.0 / (high - low)
        return self.affine(value, slope * factor, -slope * low - 1.0, "To the core's range")

    def clamp(self, value: Value, low: float, high: float) -> Any:
        """Return a number within two limits, of which either may be the lower one."""
        inputs = {"Value": value, "Min": low, "Max": high}
        return self.node("ShaderNodeClamp", inputs, clamp_type="RANGE")

    def rotate(self, vector: Value, angle: float) -> Any:
        """Return a vector turned about the Z axis by an angle in radians."""
        inputs = {"Vector": vector, "Angle": angle}
        return self.node("ShaderNodeVectorRotate", inputs, rotation_type="Z_AXIS")

    def random(self, vector: Value, dimensions: str, w: Value = None) -> Any:
        """Return a random number in [0, 1] for a position; W may be the seed."""
        inputs = {"Vector": vector} | ({} if w is None else {"W": w})
        return self.node("ShaderNodeTexWhiteNoise", inputs, noise_dimensions=dimensions)

    def first_channel(self, color: Output) -> Any:
        """Return the red part of a color."""
        return self.node("ShaderNodeSeparateColor", {0: color})


@shared_group("Terrane Cells", 1)
def cells_group(graph: NodeGraph) -> None:
    """Turn tiles into cells and move them by the seed."""
    vector = graph.vector(VECTOR, "Position in tiles")
    frequency = graph.input(FREQUENCY, help="Cells per tile", default=4.0)
    seed = graph.input(SEED, "Int", "Moves the cells by a random whole number of them")
    chance = _random(graph, seed, _NO_CHILD)["Color"]
    shift = graph.vector_math("FLOOR", graph.vector_math("SCALE", chance, RANGE))
    place = graph.vector_math("MULTIPLY_ADD", vector, frequency, shift)
    graph.output(VECTOR, place, "Position in cells", "Vector")


@shared_group("Terrane Shift of Seed", 1)
def shift_group(graph: NodeGraph) -> None:
    """Move a position by the seed along each axis, so that no place has the same values for every seed."""
    vector = graph.vector(VECTOR, "Position in tiles")
    span = graph.input(SPAN, help="Moves by less than this, in tiles", default=1.0)
    seed = graph.input(SEED, "Int", "Each seed moves by another random length")
    number = graph.input(NUMBER, "Int", "Each number moves by another random length")
    chance = _random(graph, seed, number)
    place = graph.vector_math("ADD", vector, graph.vector_math("SCALE", chance["Color"], span))
    graph.output(VECTOR, place, "The position, moved", "Vector")
    further = _random(graph, number, seed)["Value"]
    graph.output(W, graph.math("MULTIPLY", further, span), "Move along the fourth axis")


@shared_group("Terrane Picture of Seed", 1)
def picture_group(graph: NodeGraph) -> None:
    """Move a picture by the seed, by less than a tile along each axis; 0 leaves it in place."""
    vector = graph.vector(VECTOR, "Position in tiles")
    seed = graph.input(SEED, "Int", "Moves the picture by a random part of a tile")
    chance = _random(graph, seed, _NO_CHILD)["Color"]
    is_moved = graph.math("SIGN", graph.math("ABSOLUTE", seed))
    place = graph.vector_math("MULTIPLY_ADD", chance, graph.combine(is_moved, is_moved), vector)
    graph.output(VECTOR, place, "Position of the picture", "Vector")


@shared_group("Terrane Child Seed", 1)
def child_seed_group(graph: NodeGraph) -> None:
    """Make another seed of a seed and a number."""
    seed = graph.input(SEED, "Int", "The seed to begin with")
    number = graph.input(NUMBER, "Int", "Each number gives another seed")
    chance = _random(graph, seed, number)["Value"]
    graph.output(SEED, graph.math("FLOOR", chance * SEEDS), "The seed made of both", "Int")


def _random(graph: NodeGraph, seed: Value, number: Value) -> Output:
    """Return a White Noise Texture of a seed and a number."""
    inputs = {"Vector": graph.combine(seed, number)}
    return graph.node("ShaderNodeTexWhiteNoise", inputs, noise_dimensions="2D")
