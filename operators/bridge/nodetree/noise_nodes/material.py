# SPDX-License-Identifier: GPL-3.0-or-later
"""A group of noise in a material: colors by a ramp, bumps by its height."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import bpy
import numpy as np

from .....noise_core.base.errors import Message, ParameterError
from .....noise_core.base.grid import Grid
from .....noise_core.recipes.recipe import Recipe
from ...datablocks import compat
from ...datablocks.linked import require_writable
from ...datablocks.materials import find_or_create
from ...schema.color_ramps import RampStops, read_ramp, write_ramp
from ..builder import build, connect
from ..node_graph import NodeGraph, Output
from ..own_nodes import connect_free, find_shader, output_node, replaced_nodes
from .groups import FACTOR
from .noise_graph import VECTOR

PREFIX = "Terrane Noise "
"""Begins the names of the nodes in a material."""

MARK = "terrane_noise"
"""Custom property of Terrane's materials of noise, with the requested name."""

_SHADER, _RAMP = "Principled BSDF", "Colors"
"""Names of the nodes that are found again when they are replaced."""

_COLORS = (
    (0.0, (0.030, 0.024, 0.019)),
    (0.35, (0.130, 0.105, 0.078)),
    (0.7, (0.330, 0.285, 0.220)),
    (1.0, (0.640, 0.600, 0.530)),
)
"""Positions and linear colors of the ramp to begin with: earth, from dark to light."""

_SAMPLES = 96
"""Samples along a side of the tile that the range of most values is measured on."""

_RARE = 0.02
"""Share of the values below the darkest and above the lightest color."""


Options: TypeAlias = Mapping[str, Any]
"""Use of the group in a material: values of the parameters `textures.node_settings.NODES`, by name."""


def levels(recipe: Recipe) -> tuple[float, float]:
    """Return the range of most values of a recipe's noise, within its bounds, which few ever reach."""
    field = recipe.noise.sample_grid(Grid(_SAMPLES, _SAMPLES), recipe.seed)
    lowest, highest = recipe.noise.bounds()
    if highest <= lowest:
        return 0.0, 1.0
    ends = np.quantile(field, (_RARE, 1.0 - _RARE))
    low, high = np.clip((ends - lowest) / (highest - lowest), 0.0, 1.0).tolist()
    return (low, high) if high - low > _RARE else (0.0, 1.0)


def active_material(obj: bpy.types.Object | None) -> bpy.types.Material:
    """Return the material to add nodes to; raise a ParameterError if there is none, or it cannot be changed."""
    material = obj.active_material if obj is not None else None
    if material is None:
        raise ParameterError("there is no active material: give the object one, or make a new one")
    if material.is_grease_pencil:
        raise ParameterError("{} is a material of Grease Pencil, which has no nodes", material.name)
    require_writable(material)
    return material


def own_material(name: str) -> bpy.types.Material:
    """Return Terrane's material for noise of that name, or a new one."""
    material = find_or_create(name, MARK)
    material[MARK] = name
    return material


def add_nodes(
    material: bpy.types.Material,
    group: Any,
    options: Options,
    span: tuple[float, float],
    obj: bpy.types.Object | None,
) -> list[str]:
    """Add a group to a material, or replace the nodes that were added before; the user's nodes stay.

    The group is that of `groups.write_group`, the span, of the ramp's colors and of the bumps' heights,
    that of `levels`. The size of the object is the length of a tile unless one is given. Returns
    warnings: inputs that are linked already do not follow the noise.
    """
    tree: Any = compat.node_tree(material)
    colors = tree.nodes.get(f"{PREFIX}{_RAMP}")
    is_ramp = colors is not None and colors.bl_idname == "ShaderNodeValToRGB"
    ramp = read_ramp(colors) if is_ramp else (_first_stops(span), {})
    had_shader = f"{PREFIX}{_SHADER}" in tree.nodes
    with replaced_nodes(tree, PREFIX) as corner:
        output = output_node(tree)
        links = output.inputs["Surface"].links if output is not None else ()
        shown = links[0].from_node if links else None
        shader = None if shown is None else find_shader(tree, shown)
        graph = NodeGraph()
        sources = _declare(graph, group, options, span, ramp, obj)
        # The user's nodes may lie between the output and a shader of Terrane's that was removed.
        is_new = shader is None and (had_shader or shown is None)
        if is_new:
            inputs = {"Roughness": 0.85, **sources}
            closure = graph.node("ShaderNodeBsdfPrincipled", inputs, name=_SHADER, label="")
            if output is None:
                end = {"Surface": closure}
                graph.node("ShaderNodeOutputMaterial", end, name="Output", label="")
        build(tree, graph, prefix=PREFIX, corner=corner)
        if is_new:
            shader = tree.nodes[f"{PREFIX}{_SHADER}"]
            if output is not None and shown is None:
                connect(shader.outputs["BSDF"], output.inputs["Surface"])
    if shader is None:
        return [Message("{} shows no Principled BSDF: connect the nodes by hand", material.name)]
    source_nodes = {
        name: tree.nodes[f"{PREFIX}{source.node.name}"] for name, source in sources.items()
    }
    taken = connect_free(shader, {name: node.outputs[0] for name, node in source_nodes.items()})
    return [Message("{} had a link already and did not change", name) for name in taken]


def _declare(
    graph: NodeGraph,
    group: Any,
    options: Options,
    span: tuple[float, float],
    ramp: tuple[RampStops, Mapping[str, str]],
    obj: bpy.types.Object | None,
) -> dict[str, Output]:
    """Declare the group, its coordinates and its use; return values by inputs of the shader."""
    with graph.frame("Noise"):
        coordinates = graph.node("ShaderNodeTexCoord", name="Coordinates", label="")
        place = coordinates["UV"]
        if options["mapping"] == "object":
            scale = (1.0 / _tile(options["tile"], obj),) * 3
            inputs = {"Vector": coordinates["Object"], "Scale": scale}
            place = graph.node("ShaderNodeMapping", inputs, name="Mapping", label="Tiles")
        node = graph.group(group, {VECTOR: place}, name="Group", label=group.name, width=200.0)
        value = {"Fac": node[FACTOR]}
        colors = graph.node(
            "ShaderNodeValToRGB", value, content=lambda node, _: write_ramp(node, *ramp), name=_RAMP
        )
        sources = {"Base Color": colors}
        if options["bump"] > 0.0:
            distance = options["bump"] / (span[1] - span[0])
            inputs = {"Strength": 1.0, "Distance": distance, "Height": node[FACTOR]}
            sources["Normal"] = graph.node("ShaderNodeBump", inputs, name="Bump", label="Bumps")
    return sources


def _first_stops(span: tuple[float, float]) -> RampStops:
    low, high = span
    return tuple((low + share * (high - low), color) for share, color in _COLORS)


def _tile(length: float, obj: bpy.types.Object | None) -> float:
    """Return the length of a tile: the object's largest dimension unless one is given."""
    if length > 0.0:
        return length
    box: Iterable[Any] = obj.bound_box if obj is not None else ()
    sides = [max(side) - min(side) for side in zip(*box)]
    longest = max(sides, default=0.0)
    return longest if longest > 1e-6 else 1.0
