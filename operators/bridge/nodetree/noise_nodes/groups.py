# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups of recipes' noises, with notes on how they differ from the core."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import bpy

from .....noise_core.noises.evolution import Evolution
from .....noise_core.recipes.recipe import Recipe
from ...datablocks import ownership
from ...schema.recipe_texts import recipe_of
from .. import builder
from ..node_graph import NodeGraph
from .noise_graph import EVOLUTION, INNER, MARK, SEED, SEEDS, VALUE, VECTOR, NoiseGraph
from .registry import EXACT, all_noises, check, writers

SCALE, FACTOR = "Scale", "Factor"

_PLACE = (
    "Another pattern than in an image or a terrain of the same seed, in the same style: "
    "textures have a hash of their own, and none of them tiles."
)


def write_group(
    name: str, recipe: Recipe, dimension: int, owner: bpy.types.Material | None = None
) -> tuple[Any, list[str]]:
    """Make a node group of a recipe's noise, or replace the nodes of Terrane's group of that name.

    The recipe's modifiers and height do not count. The dimension is 2 for a flat texture, 3 for a solid
    one. A group that Terrane's nodes in another material than the owner's show is left alone.

    Returns the group, which takes a vector in tiles, and gives the noise as the core has it ("Value",
    mostly within [-1, 1]) and by its bounds from 0 to 1 ("Factor"), and the differences from the core.
    Raises a ParameterError if there are no nodes for it; nothing has changed then.
    """
    check(recipe.noise, dimension)
    notes: list[str] = []
    graph = _declare(recipe, dimension, notes)
    if any(writers()[child.key].fidelity != EXACT for child in all_noises(recipe.noise)):
        notes.insert(0, _PLACE)
    tree = _empty_group(name, owner)
    builder.build(tree, graph)
    _add_notes(tree, notes)
    tree[MARK] = recipe.to_json()
    tree.description = " ".join(notes)
    return tree, notes


def stored_recipe(tree: bpy.types.NodeTree) -> Recipe | None:
    """Return the recipe of a group, None if it is not one of Terrane's; raise a RecipeError if it cannot be read."""
    text: Any = tree.get(MARK)
    return recipe_of(text) if isinstance(text, str) and text.startswith("{") else None


def _declare(recipe: Recipe, dimension: int, notes: list[str]) -> NoiseGraph:
    noise, graph = recipe.noise, NoiseGraph(notes)
    graph.vector(VECTOR, "Position in tiles: a UV map, or coordinates")
    scale = graph.number(SCALE, 1.0, (0.0, 1000.0), "2 makes everything half as large")
    text = "Another number gives another pattern"
    graph.input(SEED, "Int", text, recipe.seed % SEEDS, (0.0, SEEDS - 1.0))
    if any(isinstance(child, Evolution) for child in all_noises(noise)):
        text = "Key this, and the noise moves on; in tiles"
        graph.input(EVOLUTION, help=text, default=0.0)
    domain = graph.domain(dimension)
    with graph.frame("Place"):
        place = graph.vector_math("SCALE", domain.vector, scale, label="Scale")
    value = graph.noise(noise, domain.but(vector=place))
    low, high = noise.bounds()
    with graph.frame("From 0 to 1"):
        factor = graph.map_range(value, low, high) if high > low else value * 0.0
    graph.output(VALUE, value, "The noise as it is: mostly from -1 to 1, below 0 too")
    graph.output(FACTOR, factor, "From the lowest to the highest that the noise can reach, 0 to 1")
    return graph


def _empty_group(name: str, owner: bpy.types.Material | None) -> Any:
    """Return a group without nodes: a new one, or Terrane's group of that name if it is free."""

    def is_free(tree: bpy.types.NodeTree) -> bool:
        return stored_recipe(tree) is not None and not ownership.is_in_another(tree, owner)

    tree = ownership.find(bpy.data.node_groups, name, is_free)
    if tree is None:
        tree = builder.new_tree(name, NodeGraph())
        ownership.note(tree, name)
        return tree
    images = {node.image for node in _all_nodes(tree) if node.type == "TEX_IMAGE" and node.image}
    tree.nodes.clear()
    # Groups and images within it are removed unless they are used elsewhere.
    while unused := [
        group for group in bpy.data.node_groups if group.users == 0 and group.get(MARK) == INNER
    ]:
        for group in unused:
            bpy.data.node_groups.remove(group)
    for image in images:
        if image.users == 0 and image.get(MARK) == INNER:
            bpy.data.images.remove(image)
    return tree


def _all_nodes(tree: Any) -> list[Any]:
    nodes = list(tree.nodes)
    for node in tree.nodes:
        if node.type == "GROUP" and node.node_tree is not None:
            nodes += _all_nodes(node.node_tree)
    return nodes


def _add_notes(tree: Any, notes: Sequence[str]) -> None:
    """Write the differences into a frame below the nodes."""
    if not notes:
        return
    lines = [line for note in notes for line in textwrap.wrap(note, 80, subsequent_indent="    ")]
    name = f"{tree.name} Notes"
    text: Any = ownership.find(bpy.data.texts, name, lambda candidate: candidate.get(MARK) == INNER)
    if text is None:
        text = bpy.data.texts.new(name)
        text[MARK] = INNER
        ownership.note(text, name)
    text.from_string("\n".join(lines))
    builder.add_note(tree, text, len(lines))
