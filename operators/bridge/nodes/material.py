# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts a group of noise into a material: colors by a ramp, bumps by its height."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....noise_core.errors import Message, ParameterError
from ....noise_core.grid import Grid
from ....noise_core.recipe import Recipe
from ..datablocks import compat, ownership
from .domain import VECTOR
from .groups import FACTOR
from .layout import arrange_nodes
from .node_settings import NODES
from .ramps import Ramp

PREFIX = "Terrane Noise "
"""Begins the names of our nodes in a material."""

MARK = "terrane_noise"
"""Custom property of materials that are ours, with the name they were asked for under."""

_SHADER, _RAMP = "Principled BSDF", "Colors"
"""Names of the nodes that are looked for when ours are written anew."""

_SAMPLES = 96
"""Samples along a side of the tile that says where values mostly lie."""

_RARE = 0.02
"""Share of the values below the darkest and above the lightest color."""


@dataclass(frozen=True)
class Way:
    """How a material uses the group; the parameters are those in `node_settings.NODES`."""

    target: str
    mapping: str
    tile: float
    bump: float

    def __post_init__(self) -> None:
        for parameter in NODES:
            parameter.checked(getattr(self, parameter.name), "Nodes")

    @property
    def dimension(self) -> int:
        """How many coordinates count."""
        return 2 if self.mapping == "uv" else 3


@dataclass(frozen=True)
class Levels:
    """Where the values of a noise lie within its bounds, which few noises ever reach.

    Attributes
    ----------
    low, high : float
        Between these most of the values from 0 to 1 lie.
    """

    low: float
    high: float

    @classmethod
    def of(cls, recipe: Recipe) -> Levels:
        """Return those of a recipe's noise over one tile, as the core has it."""
        field = recipe.noise.sample_grid(Grid(_SAMPLES, _SAMPLES), recipe.seed)
        lowest, highest = recipe.noise.bounds()
        if highest <= lowest:
            return cls(0.0, 1.0)
        ends = np.quantile(field, (_RARE, 1.0 - _RARE))
        low, high = np.clip((ends - lowest) / (highest - lowest), 0.0, 1.0).tolist()
        return cls(low, high) if high - low > _RARE else cls(0.0, 1.0)

    def place(self, share: float) -> float:
        """Return what lies a share of the way from low to high."""
        return self.low + share * (self.high - self.low)


def active_material(thing: bpy.types.Object | None) -> bpy.types.Material:
    """Return the material that nodes are to be added to.

    Raises
    ------
    ParameterError
        If there is none, or it cannot be changed.
    """
    found = thing.active_material if thing is not None else None
    if found is None:
        raise ParameterError("there is no active material: give the object one, or make a new one")
    if found.is_grease_pencil:
        raise ParameterError("{} is a material of Grease Pencil, which has no nodes", found.name)
    if found.library is not None:
        raise ParameterError("{} is linked from another file: make it local", found.name)
    return found


def own_material(name: str) -> bpy.types.Material:
    """Return a material for the group: ours that was asked for under that name, or else a new one."""
    found: bpy.types.Material | None = ownership.find(
        bpy.data.materials, name, lambda one: MARK in one
    )
    if found is None:
        found = bpy.data.materials.new(name)
        found[MARK] = name
        ownership.note(found, name)
        compat.node_tree(found).nodes.clear()
    return found


def add_nodes(
    material: bpy.types.Material,
    group: Any,
    way: Way,
    levels: Levels,
    thing: bpy.types.Object | None,
) -> list[str]:
    """Add the group to a material, or write our nodes in it anew.

    Parameters
    ----------
    material : Material
        What is not ours in it stays as it is, and connected as it is.
    group : NodeTree
        See `groups.write_group`.
    way : Way
    levels : Levels
        Where the ramp's colors and the bumps' heights lie.
    thing : Object or None
        Whose size a tile has unless one is given.

    Returns
    -------
    list of str
        What the user may not expect: inputs that are connected already do not follow the noise.
    """
    tree: Any = compat.node_tree(material)
    ramp = Ramp.of(tree.nodes.get(f"{PREFIX}{_RAMP}")) or Ramp.at(levels.place)
    links, has_shader = ownership.boundary_links(tree, PREFIX), f"{PREFIX}{_SHADER}" in tree.nodes
    for node in [one for one in tree.nodes if one.name.startswith(PREFIX)]:
        tree.nodes.remove(node)
    theirs = list(tree.nodes)
    shader = _principled(tree)
    if shader is None and has_shader:
        shader = _add_shader(tree)  # the user's nodes lie between it and the output
    value = _add_group(tree, group, way, thing)
    sources = [("Base Color", _add_ramp(tree, value, ramp))]
    if way.bump > 0.0:
        sources.append(("Normal", _add_bump(tree, value, way, levels)))
    ownership.restore_links(tree, links)
    taken = [] if shader is None else _connect(tree, shader, sources)
    _arrange(tree, theirs)
    if shader is None:
        return [Message("{} shows no Principled BSDF: connect the nodes by hand", material.name)]
    return [Message("{} had a link already and did not change", name) for name in taken]


def _connect(tree: Any, shader: Any, sources: Iterable[tuple[str, Any]]) -> list[str]:
    """Link inputs of the shader that are free; return those that do not follow the noise."""
    taken = []
    for name, source in sources:
        if not shader.inputs[name].is_linked:
            tree.links.new(source, shader.inputs[name])
        elif not source.is_linked:  # it may lead there through nodes of the user's
            taken.append(name)
    return taken


def _add_group(tree: Any, group: Any, way: Way, thing: bpy.types.Object | None) -> Any:
    coordinates = _add(tree, "ShaderNodeTexCoord", "Coordinates")
    node = _add(tree, "ShaderNodeGroup", "Group", node_tree=group, label=group.name, width=200.0)
    place = coordinates.outputs["UV"]
    if way.mapping == "object":
        place = coordinates.outputs["Object"]
        mapping = _add(tree, "ShaderNodeMapping", "Mapping", label="Tiles")
        mapping.inputs["Scale"].default_value = (1.0 / _tile(way, thing),) * 3
        tree.links.new(place, mapping.inputs["Vector"])
        place = mapping.outputs["Vector"]
    tree.links.new(place, node.inputs[VECTOR])
    return node.outputs[FACTOR]


def _add_ramp(tree: Any, value: Any, ramp: Ramp) -> Any:
    node = _add(tree, "ShaderNodeValToRGB", _RAMP, label="Colors")
    ramp.write(node.color_ramp)
    tree.links.new(value, node.inputs["Fac"])
    return node.outputs["Color"]


def _add_bump(tree: Any, value: Any, way: Way, levels: Levels) -> Any:
    bump = _add(tree, "ShaderNodeBump", "Bump", label="Bumps")
    bump.inputs["Strength"].default_value = 1.0
    bump.inputs["Distance"].default_value = way.bump / (levels.high - levels.low)
    tree.links.new(value, bump.inputs["Height"])
    return bump.outputs["Normal"]


def _principled(tree: Any) -> Any:
    """Return the shader that the active output shows, a new one if it shows nothing, or else None."""
    output = tree.get_output_node("ALL") or next(
        (node for node in tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial"), None
    )
    linked = output.inputs["Surface"].links if output is not None else ()
    if linked and linked[0].from_node.bl_idname == "ShaderNodeBsdfPrincipled":
        return linked[0].from_node
    if linked:
        others = [one for one in tree.nodes if one.bl_idname == "ShaderNodeBsdfPrincipled"]
        return others[0] if len(others) == 1 else None
    shader = _add_shader(tree)
    if output is None:
        output = _add(tree, "ShaderNodeOutputMaterial", "Output")
    tree.links.new(shader.outputs["BSDF"], output.inputs["Surface"])
    return shader


def _add_shader(tree: Any) -> Any:
    shader = _add(tree, "ShaderNodeBsdfPrincipled", _SHADER)
    shader.inputs["Roughness"].default_value = 0.85
    return shader


def _tile(way: Way, thing: bpy.types.Object | None) -> float:
    """Return the length of a tile: the object's largest dimension unless one is given."""
    if way.tile > 0.0:
        return way.tile
    box: Iterable[Any] = thing.bound_box if thing is not None else ()
    sides = [max(side) - min(side) for side in zip(*box)]
    longest = max(sides, default=0.0)
    return longest if longest > 1e-6 else 1.0


def _arrange(tree: Any, theirs: list[Any]) -> None:
    """Place our nodes; the user's stay where they are, ours then stand to the left of them."""
    ours = [node for node in tree.nodes if node.name.startswith(PREFIX)]
    box = arrange_nodes(tree, ours)
    if not theirs:
        return
    left = min(node.location.x for node in theirs) - 80.0 - box[0]
    top = max(node.location.y for node in theirs)
    for node in ours:
        node.location = (node.location.x + left, node.location.y + top)


def _add(tree: Any, kind: str, name: str, **properties: Any) -> Any:
    node = tree.nodes.new(kind)
    node.name = f"{PREFIX}{name}"
    for key, value in properties.items():
        setattr(node, key, value)
    return node
