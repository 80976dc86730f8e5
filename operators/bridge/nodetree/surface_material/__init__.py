# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of surfaces: images of the textures and the nodes that show them.

A material of Terrane's is replaced in place, so that all objects that have it follow. The user's nodes in
it stay, with their links to Terrane's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ...datablocks import compat
from ...datablocks.materials import find_or_create
from ...datablocks.ownership import PREFIX
from ...textures import surface_baking
from ...textures.surface_baking import BakedSurface, SurfaceRequest
from ...textures.surface_settings import MATERIAL
from ..builder import build
from ..node_graph import NodeGraph, Output, Value
from ..own_nodes import replaced_nodes

MARK = "terrane_surface"
"""Custom property of Terrane's surface materials, with the request that they were made of."""

_SOCKETS: Mapping[str, str] = {
    "base_color": "Base Color",
    "roughness": "Roughness",
    "metallic": "Metallic",
    "emission": "Emission Color",
    "opacity": "Alpha",
}
"""Inputs of the Principled BSDF by map."""

_BLEND = 0.2
"""Width of the blend between the sides of a box; hides the edges, and blurs little."""


@dataclass(frozen=True)
class SurfaceLook:
    """Use of textures in a material; see `surface_settings.MATERIAL`."""

    mapping: str
    scale: float
    occlusion: float
    displacement: bool
    storage: str
    extent: tuple[float, float] | None = None
    """Meters that the square of the UV map covers along its sides, if known."""

    def __post_init__(self) -> None:
        for parameter in MATERIAL:
            parameter.check(getattr(self, parameter.name), "Material")

    def required_maps(self, maps: Iterable[str]) -> set[str]:
        """Return the maps to bake for some requested ones."""
        required = set(maps)
        if self.occlusion > 0.0:
            required.add("ambient_occlusion")
        if self.is_box and "normal" in required:
            # Box mapping has no tangents for normals; the height has the same information.
            required = (required - {"normal"}) | {"height"}
        return required

    @property
    def is_box(self) -> bool:
        """Return whether textures are projected from all sides."""
        return self.mapping == "object"


def write_material(
    name: str, request: SurfaceRequest, baked: BakedSurface, look: SurfaceLook
) -> bpy.types.Material:
    """Make a material, or replace the nodes of Terrane's material of that name."""
    material: Any = find_or_create(name, MARK)
    tree: Any = compat.node_tree(material)
    old_images = [
        node.image
        for node in tree.nodes
        if node.type == "TEX_IMAGE" and node.name.startswith(PREFIX) and node.image
    ]
    textures = {
        name: surface_baking.new_texture(material.name, name, packed)
        for name, packed in baked.contents.items()
    }
    with replaced_nodes(tree, PREFIX) as corner:
        surface_baking.take_over(material, old_images, textures)
        build(tree, _declare(textures, baked, look), prefix=PREFIX, corner=corner)
    material[MARK] = request.to_json()
    # Normals in textures need UV maps. From all sides, Blender reads them off the displacement.
    material.displacement_method = "BOTH" if look.is_box else "DISPLACEMENT"
    _set_viewport_display(material, baked.means)
    return material


def request_of(material: bpy.types.Material) -> SurfaceRequest | None:
    """Return the request that a material was made of, None if it is not Terrane's; raise a RecipeError if it cannot be read."""
    text = material.get(MARK)
    return SurfaceRequest.from_json(text) if isinstance(text, str) else None


def _declare(
    textures: Mapping[str, bpy.types.Image], baked: BakedSurface, look: SurfaceLook
) -> NodeGraph:
    """Declare the nodes of a material."""
    graph = NodeGraph()
    meters = baked.depth / look.scale
    colors = _declare_textures(graph, textures, baked, look) if textures else {}
    with graph.frame("Surface"):
        inputs: dict[str, Value] = {}
        for name, socket in _SOCKETS.items():
            constant = baked.constants.get(name)
            if name in colors:
                inputs[socket] = colors[name]
            elif constant is not None:
                inputs[socket] = constant if len(constant) == 3 else constant[0]
        is_glowing = any(baked.constants.get("emission", ())) or "emission" in textures
        inputs["Emission Strength"] = 1.0 if is_glowing else 0.0
        if look.occlusion > 0.0 and "ambient_occlusion" in colors:
            base = inputs.get("Base Color", (0.8, 0.8, 0.8))  # Blender's own color of the shader
            shade = colors["ambient_occlusion"]
            inputs["Base Color"] = graph.mix(
                look.occlusion, base, shade, "RGBA", blend_type="MULTIPLY", name="Occlusion"
            )
        height = {"Height": colors["height"]} if "height" in colors else {}
        if look.is_box and height and not look.displacement:
            bump = {"Distance": meters, **height}
            inputs["Normal"] = graph.node("ShaderNodeBump", bump, name="Bump")
        elif not look.is_box and "normal" in colors:
            inputs["Normal"] = graph.node(
                "ShaderNodeNormalMap",
                {"Color": colors["normal"]},
                name="Normal Map",
                space="TANGENT",
            )
        shader = graph.node("ShaderNodeBsdfPrincipled", inputs, name="Principled BSDF", label="")
        ends = {"Surface": shader}
        if height and look.displacement:
            moved = {"Midlevel": 0.5, "Scale": meters, **height}
            ends["Displacement"] = graph.node("ShaderNodeDisplacement", moved, name="Displacement")
        graph.node("ShaderNodeOutputMaterial", ends, name="Output", label="")
    return graph


def _declare_textures(
    graph: NodeGraph,
    textures: Mapping[str, bpy.types.Image],
    baked: BakedSurface,
    look: SurfaceLook,
) -> dict[str, Output]:
    """Declare one node per image and their mapping; return the colors by map."""
    rows, columns = next(iter(baked.contents.values())).shape
    across, along = (1.0, 1.0) if look.is_box else look.extent or (baked.size, baked.size)
    repeats = look.scale / baked.size
    scale = (repeats * across, repeats * along * columns / rows, repeats * across)
    outputs = {}
    projection: dict[str, Any] = {}
    if look.is_box and columns == rows:  # other tiles would not fit their neighbors from the sides
        projection = {"projection": "BOX", "projection_blend": _BLEND}
    with graph.frame("Textures"):
        coordinates = graph.node("ShaderNodeTexCoord", name="Coordinates")
        place = {"Vector": coordinates["Object" if look.is_box else "UV"], "Scale": scale}
        mapping = {"Vector": graph.node("ShaderNodeMapping", place, name="Mapping")}
        for name, image in textures.items():
            projection |= {"interpolation": "Cubic" if name == "height" else "Linear"}
            outputs[name] = graph.node(
                "ShaderNodeTexImage",
                mapping,
                name=name,
                label=image.name,
                image=image,
                **projection,
            )
    return outputs


def _set_viewport_display(material: Any, means: Mapping[str, tuple[float, ...]]) -> None:
    """Show the averages of the textures in views that show none."""
    if "base_color" in means:
        material.diffuse_color = (*means["base_color"], 1.0)
    if "roughness" in means:
        material.roughness = means["roughness"][0]
    if "metallic" in means:
        material.metallic = means["metallic"][0]
