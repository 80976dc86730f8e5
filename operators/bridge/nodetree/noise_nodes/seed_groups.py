# SPDX-License-Identifier: GPL-3.0-or-later
"""Two small groups for the effect of a seed, shared by all noises.

Blender's textures have no seed. A seed moves them by whole cells instead, by a random number that a
White Noise Texture makes of it.
"""

from __future__ import annotations

from typing import Any

from ..node_graph import Node, NodeGraph, Value
from ..shared_groups import shared_group
from ..sockets import Socket
from .domain import SEED, VECTOR

FREQUENCY, NUMBER = "Frequency", "Number"

RANGE = 100.0
"""A seed moves by less than this many cells along each axis. Float32 tells 1/64 of a cell apart in
the ninth octave, whose cells are 256 times as small, at that distance."""

SEEDS = float(1 << 24)
"""Number of seeds: float32, in which nodes calculate, holds whole numbers below this."""

_NO_CHILD = -1.0
"""Stands for the number of a child where the seed itself is used."""


def cells() -> Any:
    """Return the group that turns tiles into cells and moves them by the seed."""
    return shared_group("Terrane Cells", 1, _declare_cells)


def child_seed() -> Any:
    """Return the group that makes a seed and a number another seed."""
    return shared_group("Terrane Child Seed", 1, _declare_child_seed)


def _declare_cells() -> NodeGraph:
    graph = NodeGraph()
    graph.declare_inputs(
        Socket(VECTOR, "VECTOR", help="Position in tiles"),
        Socket(FREQUENCY, default=4.0, help="Cells per tile"),
        Socket(SEED, "INT", help="Moves the cells by a random whole number of them"),
    )
    graph.declare_outputs(Socket(VECTOR, "VECTOR", help="Position in cells"))
    chance = _random(graph, graph.inputs[SEED], _NO_CHILD)
    shift = graph.vector_math("FLOOR", graph.vector_math("SCALE", chance["Color"], RANGE))
    place = graph.vector_math("MULTIPLY_ADD", graph.inputs[VECTOR], graph.inputs[FREQUENCY], shift)
    return graph.finish({VECTOR: place})


def _declare_child_seed() -> NodeGraph:
    graph = NodeGraph()
    graph.declare_inputs(
        Socket(SEED, "INT", help="The seed to begin with"),
        Socket(NUMBER, "INT", help="Each number gives another seed"),
    )
    graph.declare_outputs(Socket(SEED, "INT", help="The seed made of both"))
    chance = _random(graph, graph.inputs[SEED], graph.inputs[NUMBER])
    return graph.finish({SEED: graph.math("FLOOR", graph.math("MULTIPLY", chance["Value"], SEEDS))})


def _random(graph: NodeGraph, seed: Value, number: Value) -> Node:
    """Return a White Noise Texture of a seed and a number."""
    both = graph.combine(seed, number)
    return graph.node("ShaderNodeTexWhiteNoise", {"Vector": both}, noise_dimensions="2D")
