# SPDX-License-Identifier: GPL-3.0-or-later
"""The nodes of a material made of textures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ..datablocks.ownership import PREFIX
from . import surface_baking
from .surface_settings import MATERIAL

SOCKETS: Mapping[str, str] = {
    "base_color": "Base Color",
    "roughness": "Roughness",
    "metallic": "Metallic",
    "emission": "Emission Color",
    "opacity": "Alpha",
}
"""Where a map goes in the Principled BSDF."""

_COLUMN, _ROW = 300.0, 280.0
"""Distances of nodes: wide and high enough that none covers another."""

_BLEND = 0.2
"""Width of the blend between the sides of a box; hides the edges, and blurs little."""


@dataclass(frozen=True)
class Look:
    """How a material uses its textures; see `surface_settings.MATERIAL`."""

    mapping: str
    scale: float
    occlusion: float
    displacement: bool
    storage: str

    def __post_init__(self) -> None:
        for parameter in MATERIAL:
            parameter.checked(getattr(self, parameter.name), "Material")

    def needed(self, maps: Iterable[str]) -> set[str]:
        """Return the maps to be made if some are asked for."""
        wanted = set(maps)
        if self.occlusion > 0.0:
            wanted.add("ambient_occlusion")
        if self.is_box and "normal" in wanted:
            # From all sides there are no tangents for it: the height tells the same.
            wanted = (wanted - {"normal"}) | {"height"}
        return wanted

    @property
    def is_box(self) -> bool:
        """Whether textures are laid on from all sides."""
        return self.mapping == "object"

    @property
    def displacement_method(self) -> Any:
        """How Blender uses the displacement.

        Normals in textures need UV maps. From all sides, Blender reads them off the displacement.
        """
        return "BOTH" if self.is_box else "DISPLACEMENT"


class Tree:
    """A tree of nodes in which ours are known by their names."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self.tree = tree

    def add(self, kind: str, name: str, column: float, row: float) -> Any:
        """Return a new node at a place counted from the lower right."""
        node = self.tree.nodes.new(kind)
        node.name, node.label = f"{PREFIX}{name}", name
        node.location = (column * _COLUMN, row * _ROW)
        return node

    def link(self, source: Any, target: Any) -> None:
        """Connect an output with an input."""
        self.tree.links.new(source, target)

    def images(self) -> dict[str, bpy.types.Image]:
        """Return the images in our nodes by the names of their maps."""
        found: dict[str, bpy.types.Image] = {}
        nodes: Any = self.tree.nodes
        for node in nodes:
            if node.type == "TEX_IMAGE" and node.name.startswith(PREFIX) and node.image:
                found[node.name.removeprefix(PREFIX)] = node.image
        return found

    def clear(self) -> None:
        """Take our nodes away."""
        for node in [one for one in self.tree.nodes if one.name.startswith(PREFIX)]:
            self.tree.nodes.remove(node)


def wire(
    tree: Tree, textures: Mapping[str, bpy.types.Image], baked: surface_baking.Baked, look: Look
) -> None:
    """Place the nodes of a material."""
    output = tree.add("ShaderNodeOutputMaterial", "Output", 1.0, 0.0)
    principled = tree.add("ShaderNodeBsdfPrincipled", "Principled BSDF", 0.0, 0.0)
    principled.label = ""
    output.label = ""
    tree.link(principled.outputs["BSDF"], output.inputs["Surface"])
    for name, value in baked.constants.items():
        if name in SOCKETS:
            own = principled.inputs[SOCKETS[name]]
            own.default_value = (*value, 1.0) if len(value) == 3 else value[0]
    colors = _texture_nodes(tree, textures, baked, look)
    for name, color in colors.items():
        if name in SOCKETS:
            tree.link(color, principled.inputs[SOCKETS[name]])
    is_glowing = any(baked.constants.get("emission", ())) or "emission" in textures
    principled.inputs["Emission Strength"].default_value = 1.0 if is_glowing else 0.0
    if look.occlusion > 0.0 and "ambient_occlusion" in colors:
        _darken(tree, principled, colors, look.occlusion)
    _relief(tree, principled, output, colors, baked.depth / look.scale, look)


def _texture_nodes(
    tree: Tree, textures: Mapping[str, bpy.types.Image], baked: surface_baking.Baked, look: Look
) -> dict[str, Any]:
    """Place one node per image and what says where it lies; return their colors."""
    if not textures:
        return {}
    rows, columns = next(iter(baked.contents.values())).shape
    coordinates = tree.add("ShaderNodeTexCoord", "Coordinates", -4.0, 0.0)
    mapping = tree.add("ShaderNodeMapping", "Mapping", -3.2, 0.0)
    repeats = look.scale / baked.size if look.is_box else look.scale
    mapping.inputs["Scale"].default_value = (repeats, repeats * columns / rows, repeats)
    place = coordinates.outputs["Object" if look.is_box else "UV"]
    tree.link(place, mapping.inputs["Vector"])
    outputs: dict[str, Any] = {}
    for at, (name, image) in enumerate(textures.items()):
        node = tree.add("ShaderNodeTexImage", name, -2.3, 2.0 - at)
        node.image, node.label = image, image.name
        node.interpolation = "Cubic" if name == "height" else "Linear"
        # From the sides a tile that is no square would not fit its neighbors.
        if look.is_box and columns == rows:
            node.projection, node.projection_blend = "BOX", _BLEND
        tree.link(mapping.outputs["Vector"], node.inputs["Vector"])
        outputs[name] = node.outputs["Color"]
    return outputs


def _darken(tree: Tree, principled: Any, colors: Mapping[str, Any], share: float) -> None:
    """Multiply the base color by the ambient occlusion."""
    mix = tree.add("ShaderNodeMix", "Occlusion", -0.9, 1.0)
    mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
    # The colors among its sockets have these numbers; by name there are several.
    factor, first, second, result = mix.inputs[0], mix.inputs[6], mix.inputs[7], mix.outputs[2]
    factor.default_value = share
    base = principled.inputs["Base Color"]
    first.default_value = tuple(base.default_value)
    if "base_color" in colors:
        tree.link(colors["base_color"], first)
    tree.link(colors["ambient_occlusion"], second)
    tree.link(result, base)


def _relief(
    tree: Tree,
    principled: Any,
    output: Any,
    colors: Mapping[str, Any],
    meters: float,
    look: Look,
) -> None:
    """Bring normals and height in; see `Look.displacement_method`."""
    if "height" in colors and look.displacement:
        displacement = tree.add("ShaderNodeDisplacement", "Displacement", 0.0, -2.6)
        displacement.inputs["Midlevel"].default_value = 0.5
        displacement.inputs["Scale"].default_value = meters
        tree.link(colors["height"], displacement.inputs["Height"])
        tree.link(displacement.outputs["Displacement"], output.inputs["Displacement"])
    if look.is_box:
        if "height" in colors and not look.displacement:
            bump = tree.add("ShaderNodeBump", "Bump", -0.9, -1.0)
            bump.inputs["Distance"].default_value = meters
            tree.link(colors["height"], bump.inputs["Height"])
            tree.link(bump.outputs["Normal"], principled.inputs["Normal"])
    elif "normal" in colors:
        normal = tree.add("ShaderNodeNormalMap", "Normal Map", -0.9, -1.0)
        normal.space = "TANGENT"
        tree.link(colors["normal"], normal.inputs["Color"])
        tree.link(normal.outputs["Normal"], principled.inputs["Normal"])
