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
from ...textures import surface_images
from ...textures.surface_baking import BakedSurface, SurfaceRequest
from ...textures.surface_settings import MATERIAL
from ..builder import build
from ..node_graph import Key, NodeGraph, Output, Value
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

    def __post_init__(self) -> None:
        for parameter in MATERIAL:
            parameter.check(getattr(self, parameter.name), "Material")

    def required_maps(self, maps: Iterable[str]) -> set[str]:
        """Return the maps to be made if some are asked for."""
        wanted = set(maps)
        if self.occlusion > 0.0:
            wanted.add("ambient_occlusion")
        if self.is_box and "normal" in wanted:
            # Box mapping has no tangents for normals; the height has the same information.
            wanted = (wanted - {"normal"}) | {"height"}
        return wanted

    @property
    def is_box(self) -> bool:
        """Return whether textures are projected from all sides."""
        return self.mapping == "object"

    @property
    def displacement_method(self) -> Any:
        """Return Blender's name of the use of the displacement.

        Normals in textures need UV maps. From all sides, Blender reads them off the displacement.
        """
        return "BOTH" if self.is_box else "DISPLACEMENT"


def write_material(
    name: str, request: SurfaceRequest, baked: BakedSurface, look: SurfaceLook
) -> bpy.types.Material:
    """Make a material, or replace the nodes of Terrane's material of that name."""
    material = find_or_create(name, MARK)
    tree = compat.node_tree(material)
    before = _images(tree)
    textures = {
        one: surface_images.new_texture(material.name, one, packed)
        for one, packed in baked.contents.items()
    }
    with replaced_nodes(tree, PREFIX) as corner:
        surface_images.take_over(material, before, textures)
        build(tree, _declare(textures, baked, look), prefix=PREFIX, corner=corner)
    material[MARK] = request.to_json()
    material.displacement_method = look.displacement_method
    _set_viewport_display(material, baked.means)
    return material


def request_of(material: bpy.types.Material) -> SurfaceRequest | None:
    """Return the request that a material was made of, None if it is not Terrane's.

    Raises
    ------
    RecipeError
        If it cannot be read.
    """
    text = material.get(MARK)
    return SurfaceRequest.from_json(text) if isinstance(text, str) else None


def _images(tree: Any) -> list[bpy.types.Image]:
    """Return the images in Terrane's nodes."""
    return [
        node.image
        for node in tree.nodes
        if node.type == "TEX_IMAGE" and node.name.startswith(PREFIX) and node.image
    ]


def _declare(
    textures: Mapping[str, bpy.types.Image], baked: BakedSurface, look: SurfaceLook
) -> NodeGraph:
    """Declare the nodes of a material."""
    graph = NodeGraph()
    meters = baked.depth / look.scale
    colors = _declare_textures(graph, textures, baked, look) if textures else {}
    with graph.titled_frame("Surface"):
        inputs: dict[Key, Value] = {}
        for name, socket in _SOCKETS.items():
            constant = baked.constants.get(name)
            if name in colors:
                inputs[socket] = colors[name]
            elif constant is not None:
                inputs[socket] = constant if len(constant) == 3 else constant[0]
        is_glowing = any(baked.constants.get("emission", ())) or "emission" in textures
        inputs["Emission Strength"] = 1.0 if is_glowing else 0.0
        if look.occlusion > 0.0 and "ambient_occlusion" in colors:
            inputs["Base Color"] = _declare_occlusion(graph, inputs, colors, look.occlusion)
        normal = _declare_normal(graph, colors, meters, look)
        if normal is not None:
            inputs["Normal"] = normal
        shader = graph.node("ShaderNodeBsdfPrincipled", inputs, name="Principled BSDF")
        ends: dict[Key, Value] = {"Surface": shader["BSDF"]}
        if "height" in colors and look.displacement:
            height = {"Midlevel": 0.5, "Scale": meters, "Height": colors["height"]}
            node = _add_node(graph, "ShaderNodeDisplacement", "Displacement", height)
            ends["Displacement"] = node["Displacement"]
        graph.node("ShaderNodeOutputMaterial", ends, name="Output")
    return graph


def _declare_textures(
    graph: NodeGraph,
    textures: Mapping[str, bpy.types.Image],
    baked: BakedSurface,
    look: SurfaceLook,
) -> dict[str, Output]:
    """Declare one node per image and their mapping; return the colors by map."""
    rows, columns = next(iter(baked.contents.values())).shape
    repeats = look.scale / baked.size if look.is_box else look.scale
    scale = (repeats, repeats * columns / rows, repeats)
    outputs = {}
    with graph.titled_frame("Textures"):
        coordinates = _add_node(graph, "ShaderNodeTexCoord", "Coordinates", {})
        place = coordinates["Object" if look.is_box else "UV"]
        mapping = _add_node(
            graph, "ShaderNodeMapping", "Mapping", {"Vector": place, "Scale": scale}
        )
        for name, image in textures.items():
            # From the sides a tile that is no square would not fit its neighbors.
            is_box = look.is_box and columns == rows
            box: dict[str, Any] = (
                {"projection": "BOX", "projection_blend": _BLEND} if is_box else {}
            )
            outputs[name] = graph.node(
                "ShaderNodeTexImage",
                {"Vector": mapping["Vector"]},
                name=name,
                label=image.name,
                image=image,
                interpolation="Cubic" if name == "height" else "Linear",
                **box,
            )["Color"]
    return outputs


def _declare_occlusion(
    graph: NodeGraph, inputs: Mapping[Key, Value], colors: Mapping[str, Output], share: float
) -> Output:
    """Return the base color multiplied by the ambient occlusion."""
    base = inputs.get("Base Color", (0.8, 0.8, 0.8))  # Blender's own color of the shader
    return _add_node(
        graph,
        "ShaderNodeMix",
        "Occlusion",
        {"Factor": share, "A": base, "B": colors["ambient_occlusion"]},
        data_type="RGBA",
        blend_type="MULTIPLY",
    )["Result"]


def _declare_normal(
    graph: NodeGraph, colors: Mapping[str, Output], meters: float, look: SurfaceLook
) -> Output | None:
    """Return the normal, None without one; see `SurfaceLook.displacement_method`."""
    if look.is_box:
        if "height" not in colors or look.displacement:
            return None
        inputs = {"Distance": meters, "Height": colors["height"]}
        return _add_node(graph, "ShaderNodeBump", "Bump", inputs)["Normal"]
    if "normal" not in colors:
        return None
    inputs = {"Color": colors["normal"]}
    return _add_node(graph, "ShaderNodeNormalMap", "Normal Map", inputs, space="TANGENT")["Normal"]


def _add_node(
    graph: NodeGraph, kind: str, name: str, inputs: Mapping[Key, Value], **properties: Any
) -> Any:
    """Return a node whose label is its name."""
    return graph.node(kind, inputs, name=name, label=name, **properties)


def _set_viewport_display(material: Any, means: Mapping[str, tuple[float, ...]]) -> None:
    """Show the averages of the textures in views that show none."""
    if "base_color" in means:
        material.diffuse_color = (*means["base_color"], 1.0)
    if "roughness" in means:
        material.roughness = means["roughness"][0]
    if "metallic" in means:
        material.metallic = means["metallic"][0]
