# SPDX-License-Identifier: GPL-3.0-or-later
"""Two small groups that all noises use: what a seed does, in one place.

Blender's textures have no seed. A seed moves them by whole cells instead, by a random number that a
White Noise Texture makes of it.
"""

from __future__ import annotations

from typing import Any

import bpy

from .domain import SEED, VECTOR
from .sockets import Socket, add_sockets, new_group

MARK = "terrane_nodes"
"""Custom property of the node groups that are ours: the recipe, or what else the group is."""

INNER, SHARED = "inner", "shared 1"
"""Marks of a group that belongs to another one, and of a group that all share, in this version."""

FREQUENCY, NUMBER = "Frequency", "Number"

RANGE = 100.0
"""A seed moves by less than this many cells along each axis. Float32 tells 1/64 of a cell apart in
the ninth octave, whose cells are 256 times as small, at that distance."""

SEEDS = float(1 << 24)
"""How many seeds there are: float32, in which nodes calculate, holds whole numbers below this."""

_ROW = 180.0


def cells() -> bpy.types.NodeTree:
    """Return the group that counts cells instead of tiles, and moves them by the seed."""
    tree, is_new = _shared("Terrane Cells")
    if is_new:
        inputs = [
            Socket(VECTOR, "VECTOR", help="Where, in tiles"),
            Socket(FREQUENCY, default=4.0, help="Cells per tile"),
            Socket(SEED, "INT", help="Moves the cells by a random whole number of them"),
        ]
        add_sockets(tree, inputs, [Socket(VECTOR, "VECTOR", help="Where, in cells")])
        _write_cells(tree)
    return tree


def child_seed() -> bpy.types.NodeTree:
    """Return the group that makes a seed and a number another seed."""
    tree, is_new = _shared("Terrane Child Seed")
    if is_new:
        inputs = [
            Socket(SEED, "INT", help="The seed to begin with"),
            Socket(NUMBER, "INT", help="Each number gives another seed"),
        ]
        add_sockets(tree, inputs, [Socket(SEED, "INT", help="The seed made of both")])
        _write_child_seed(tree)
    return tree


def _shared(name: str) -> tuple[Any, bool]:
    """Return the group of that name, if it is ours and of this version, or else a new one."""
    for tree in bpy.data.node_groups:
        if tree.name.partition(".")[0] == name and tree.get(MARK) == SHARED and not tree.library:
            return tree, False
    made = new_group(name)
    made[MARK] = SHARED
    return made, True


def _write_cells(tree: Any) -> None:
    come = _node(tree, "NodeGroupInput", -4, 0)
    shift = _random(tree, come.outputs[SEED], None)
    far = _node(tree, "ShaderNodeVectorMath", -1, 1, operation="SCALE")
    far.inputs["Scale"].default_value = RANGE
    whole = _node(tree, "ShaderNodeVectorMath", 0, 1, operation="FLOOR")
    place = _node(tree, "ShaderNodeVectorMath", 1, 0, operation="MULTIPLY_ADD")
    go = _node(tree, "NodeGroupOutput", 2, 0)
    link = tree.links.new
    link(shift.outputs["Color"], far.inputs[0])
    link(far.outputs[0], whole.inputs[0])
    link(come.outputs[VECTOR], place.inputs[0])
    link(come.outputs[FREQUENCY], place.inputs[1])
    link(whole.outputs[0], place.inputs[2])
    link(place.outputs[0], go.inputs[VECTOR])


def _write_child_seed(tree: Any) -> None:
    come = _node(tree, "NodeGroupInput", -4, 0)
    chance = _random(tree, come.outputs[SEED], come.outputs[NUMBER])
    large = _node(tree, "ShaderNodeMath", -1, 1, operation="MULTIPLY")
    large.inputs[1].default_value = SEEDS
    whole = _node(tree, "ShaderNodeMath", 0, 1, operation="FLOOR")
    go = _node(tree, "NodeGroupOutput", 1, 0)
    link = tree.links.new
    link(chance.outputs["Value"], large.inputs[0])
    link(large.outputs[0], whole.inputs[0])
    link(whole.outputs[0], go.inputs[SEED])


def _random(tree: Any, seed: Any, number: Any) -> Any:
    """Return a White Noise Texture of a seed and a number."""
    both = _node(tree, "ShaderNodeCombineXYZ", -3, 1)
    chance = _node(tree, "ShaderNodeTexWhiteNoise", -2, 1, noise_dimensions="2D")
    tree.links.new(seed, both.inputs[0])
    if number is not None:
        tree.links.new(number, both.inputs[1])
    else:
        both.inputs[1].default_value = -1.0  # no child has this number
    tree.links.new(both.outputs[0], chance.inputs["Vector"])
    return chance


def _node(tree: Any, kind: str, column: float, row: float, **properties: Any) -> Any:
    node = tree.nodes.new(kind)
    node.location = (column * 200.0, row * _ROW)
    for name, value in properties.items():
        setattr(node, name, value)
    return node
