# SPDX-License-Identifier: GPL-3.0-or-later
"""A recipe's noise becomes a node group, which says in itself what differs from the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from ....noise_core.noise import Noise
from ....noise_core.noises.evolution import Evolution
from ....noise_core.recipe import Recipe
from ..datablocks import ownership
from ..recipes.stored_recipes import recipe_of
from .domain import EVOLUTION, SEED, VECTOR
from .graph import VALUE, Graph, Writing
from .layout import add_note, arrange, wrapped
from .shared_groups import INNER, MARK, SEEDS
from .sockets import Socket, add_sockets, new_group
from .translators import EXACT, all_noises, check, translators

SCALE, FACTOR = "Scale", "Factor"

_PLACE = (
    "Another pattern than in an image or a terrain of the same seed, in the same style: "
    "textures have a hash of their own, and none of them tiles."
)

_OUTPUTS = (
    Socket(VALUE, help="The noise as it is: mostly from -1 to 1, below 0 too"),
    Socket(FACTOR, help="From the lowest to the highest that the noise can reach, 0 to 1"),
)


def write_group(
    name: str, recipe: Recipe, dimension: int, owner: bpy.types.Material | None = None
) -> tuple[Any, list[str]]:
    """Make a node group of a recipe's noise, or write the one of that name anew if it is ours.

    Parameters
    ----------
    name : str
        Of the group.
    recipe : Recipe
        Its modifiers and height do not count.
    dimension : int
        2 for a flat texture, 3 for a solid one.
    owner : Material, optional
        That the group is for: one that our nodes in another material show is left alone.

    Returns
    -------
    group : NodeTree
        Takes a vector in tiles, and gives the noise as the core has it ("Value", mostly within
        [-1, 1]) and by its bounds from 0 to 1 ("Factor").
    notes : list of str
        What differs from the core.

    Raises
    ------
    ParameterError
        If nodes cannot say it; nothing has changed then.
    """
    noise = recipe.noise
    check(noise, dimension)
    tree = _empty_group(name, owner)
    add_sockets(tree, _inputs(noise, recipe.seed), _OUTPUTS)
    writing = Writing(tree.name)
    graph = Graph(tree, writing)
    _write(graph, noise, dimension)
    for each in writing.graphs:
        each.prune()
        arrange(each)
    if any(translators()[one.key].faith != EXACT for one in all_noises(noise)):
        writing.notes.insert(0, _PLACE)
    _remark(tree, writing.notes)
    tree[MARK] = recipe.to_json()
    tree.description = " ".join(writing.notes)
    return tree, writing.notes


def stored_recipe(tree: bpy.types.NodeTree) -> Recipe | None:
    """Return what a group was made of, None if it is not ours.

    Raises
    ------
    RecipeError
        If that cannot be read.
    """
    text: Any = tree.get(MARK)
    return recipe_of(text) if isinstance(text, str) and text.startswith("{") else None


def _inputs(noise: Noise, seed: int) -> list[Socket]:
    inputs = [
        Socket(VECTOR, "VECTOR", help="Where, in tiles: a UV map, or coordinates"),
        Socket(SCALE, default=1.0, limits=(0.0, 1000.0), help="2 makes everything half as large"),
        Socket(
            SEED,
            "INT",
            seed % SEEDS,
            (0.0, SEEDS - 1.0),
            help="Another number gives another pattern",
        ),
    ]
    if any(isinstance(one, Evolution) for one in all_noises(noise)):
        inputs.append(
            Socket(EVOLUTION, default=0.0, help="Key this, and the noise moves on; in tiles")
        )
    return inputs


def _write(graph: Graph, noise: Noise, dimension: int) -> None:
    given = graph.domain(dimension)
    with graph.block("Place"):
        place = graph.scaled(given.vector, graph.inputs[SCALE], "Scale")
    value = graph.noise(noise, given.at(place))
    low, high = noise.bounds()
    with graph.block("From 0 to 1"):
        if high > low:
            factor = graph.ramp(value, low, high, "LINEAR")
        else:
            factor = graph.math("MULTIPLY", value, 0.0)
    graph.finish({VALUE: value, FACTOR: factor})


def _empty_group(name: str, owner: bpy.types.Material | None) -> Any:
    """Return a group without nodes: the one that was asked for under that name, if it is free."""

    def is_free(tree: bpy.types.NodeTree) -> bool:
        return stored_recipe(tree) is not None and not ownership.is_in_another(tree, owner)

    tree = ownership.find(bpy.data.node_groups, name, is_free)
    if tree is None:
        tree = new_group(name)
        ownership.note(tree, name)
        return tree
    images = {node.image for node in _all_nodes(tree) if node.type == "TEX_IMAGE" and node.image}
    tree.nodes.clear()
    # What was within it is of no use any more, unless somebody else uses it.
    while unused := [
        one for one in bpy.data.node_groups if one.users == 0 and one.get(MARK) == INNER
    ]:
        for one in unused:
            bpy.data.node_groups.remove(one)
    for image in images:
        if image.users == 0 and image.get(MARK) == INNER:
            bpy.data.images.remove(image)
    return tree


def _all_nodes(tree: Any) -> list[Any]:
    found = list(tree.nodes)
    for node in tree.nodes:
        if node.type == "GROUP" and node.node_tree is not None:
            found += _all_nodes(node.node_tree)
    return found


def _remark(tree: Any, notes: Sequence[str]) -> None:
    """Write what differs into a frame below the nodes."""
    if not notes:
        return
    lines = wrapped(notes)
    text = _text(f"{tree.name} Notes")
    text.from_string("\n".join(lines))
    add_note(tree, text, len(lines))


def _text(name: str) -> Any:
    text = ownership.find(bpy.data.texts, name, lambda one: one.get(MARK) == INNER)
    if text is None:
        text = bpy.data.texts.new(name)
        text[MARK] = INNER
        ownership.note(text, name)
    return text
