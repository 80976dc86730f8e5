# SPDX-License-Identifier: GPL-3.0-or-later
"""An image as an endless texture: a node group that looks it up on hexagonal tiles.

The group takes the place of an Image Texture node. Mean and range of the image's pixels are inputs of it,
so that all its nodes share one group.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np

from .....noise_core.base.arrays import Field
from .....noise_core.base.errors import Message
from ...datablocks import images, pixel_decoding
from ...textures.node_settings import HEX_TILING
from .. import own_nodes, shared_groups
from ..builder import Corner, absolute_location, build, connect
from ..hex_tiling import HexTiling, place_copies, upward
from ..node_graph import ANY, SHARE, NodeGraph, Output

NAME = "Hex Tiling"

_VERSION = 1

_MOST = 1 << 20
"""Pixels that are measured, evenly over the image: their mean is right within a thousandth."""

_NORMAL = ((0.35, 0.65), (0.35, 0.65), (0.7, 1.0))
"""Mean red, green and blue of normal maps, which point upwards on the whole."""

_GAP = 60.0

_REACH = 1.5
"""Width of a hexagon in steps of the lattice, of 2, for an image that is not seamless: points farther from its
middle have a weight of less than a hundredth at the default sharpness."""

_SOCKETS = {
    parameter.name: parameter
    for parameter in HEX_TILING
    if parameter.kind in ("number", "integer", "boolean")
}
"""Parameters that are inputs of the group, by name."""


@dataclasses.dataclass(frozen=True)
class Measured:
    """Colors of an image, as shaders see them: the mean, the least and the largest of each channel."""

    mean: tuple[float, float, float]
    low: tuple[float, float, float]
    high: tuple[float, float, float]
    is_normal: bool

    @classmethod
    def of(cls, image: bpy.types.Image) -> Measured:
        """Measure an image; raise a ParameterError if it has no pixels."""
        pixels = images.stored_pixels(image)
        step = math.ceil(math.sqrt(pixels.shape[0] * pixels.shape[1] / _MOST))
        pixels = pixels[step // 2 :: step, step // 2 :: step]
        colors = pixel_decoding.scene_colors(image, pixels).reshape(-1, 3)
        weights = pixels[..., 3].reshape(-1, 1) if pixels.shape[2] == 4 else np.ones((1, 1))
        weights = np.broadcast_to(weights, (len(colors), 1)).astype(np.float64)
        total = float(weights.sum())
        mean = (colors * weights).sum(axis=0) / total if total > 0.0 else colors.mean(axis=0)
        is_data = bool(image.colorspace_settings.is_data)  # type: ignore[union-attr]
        is_normal = is_data and all(
            low <= value <= high for value, (low, high) in zip(mean.tolist(), _NORMAL)
        )
        low, high = colors.min(axis=0), colors.max(axis=0)
        return cls(_color(mean), _color(low), _color(high), is_normal)


def _color(values: Field) -> tuple[float, float, float]:
    red, green, blue = values.tolist()
    return red, green, blue


def add(
    tree: Any,
    image: bpy.types.Image,
    measured: Measured,
    options: Mapping[str, Any],
    replaced: Any | None = None,
) -> tuple[Any, bool]:
    """Add the node of an image's group to a tree; return it, and whether the image is a normal map.

    Parameters
    ----------
    tree : NodeTree
        Of shaders.
    image : Image
    measured : Measured
    options : mapping
        Values of the parameters `node_settings.HEX_TILING`, by name.
    replaced : Node, optional
        An Image Texture node whose links it takes over; that node stays, without them.
    """
    is_normal = options["content"] == "normal" or (
        options["content"] == "auto"
        and (measured.is_normal if replaced is None else _leads_to_normal_map(replaced))
    )
    interpolation = "Linear" if replaced is None else replaced.interpolation
    group = _find_or_create_group(image, interpolation, is_normal=is_normal)
    graph, inputs = NodeGraph(), _values(options, measured, group)
    is_placed = replaced is not None and replaced.inputs["Vector"].is_linked
    by_meters = options["mapping"] == "object" and not is_placed
    rows, columns = images.shape_of(image)
    inputs["Aspect"] = rows / columns if by_meters else 1.0
    if not is_placed:
        coordinates = graph.node("ShaderNodeTexCoord", label="")
        inputs["Vector"] = coordinates["Object" if by_meters else "UV"]
    graph.group(group, inputs, label=group.name, width=220.0)
    old_nodes = set(tree.nodes)
    build(tree, graph, corner=_corner(tree, replaced))
    new_node = next(node for node in tree.nodes if node not in old_nodes and node.type == "GROUP")
    if replaced is not None:
        _take_links(replaced, new_node)
    for node in tree.nodes:
        node.select = node == new_node
    tree.nodes.active = new_node
    return new_node, is_normal


def _find_or_create_group(
    image: bpy.types.Image, interpolation: str, *, is_normal: bool
) -> bpy.types.NodeTree:
    """Return the group of an image: an existing one if it shows the image, else a new one."""
    kind = "normal" if is_normal else "color"
    name, version = f"{NAME} {image.name}", f"{kind} {interpolation} {_VERSION}"

    def shows(group: Any) -> bool:
        return all(node.image == image for node in group.nodes if node.type == "TEX_IMAGE")

    def declare(graph: NodeGraph) -> None:
        (_declare_normal if is_normal else _declare_color)(graph, image, interpolation)

    return shared_groups.find_or_create(name, version, declare, shows)


def _values(options: Mapping[str, Any], measured: Measured, group: Any) -> dict[str, Any]:
    """Return the values of a group's inputs, by their names."""
    values: dict[str, Any] = {
        parameter.title: math.radians(options[name])
        if parameter.unit == "angle"
        else float(options[name])
        for name, parameter in _SOCKETS.items()
    }
    values |= {"Mean": measured.mean, "Lowest": measured.low, "Highest": measured.high}
    sockets = {item.name for item in group.interface.items_tree if item.item_type == "SOCKET"}
    return {name: value for name, value in values.items() if name in sockets}


def _corner(tree: Any, replaced: Any | None) -> Corner | None:
    """Return the right edge and top of the new nodes: below the replaced node, or beside all nodes."""
    if replaced is not None:
        x, y = absolute_location(replaced)
        return x + replaced.width, y - replaced.height - _GAP
    places = [absolute_location(node) for node in tree.nodes if node.type != "FRAME"]
    if not places:
        return None
    return min(x for x, _ in places) - _GAP, max(y for _, y in places)


def _take_links(replaced: Any, new_node: Any) -> None:
    """Move the links of an Image Texture node to the node of a group."""
    for link in list(replaced.inputs["Vector"].links):
        connect(link.from_socket, new_node.inputs["Vector"])
    for name in ("Color", "Alpha"):
        for link in list(replaced.outputs[name].links):
            connect(new_node.outputs[name], link.to_socket)


def _leads_to_normal_map(node: Any) -> bool:
    return any(link.to_node.type == "NORMAL_MAP" for link in node.outputs["Color"].links)


# --- the groups -----------------------------------------------------------------------------------


def _declare_place(graph: NodeGraph) -> tuple[HexTiling, Output, Output]:
    """Declare the inputs that say where the image lies; return its copies, the contrast and the rotation."""
    vector = graph.vector("Vector", "Texture coordinates; the tiles lie along X and Y")
    parameters = {
        name: graph.number(
            parameter.title,
            _default(parameter),
            _limits(parameter),
            parameter.help,
            _SUBTYPES.get(parameter.unit, "NONE"),
        )
        for name, parameter in _SOCKETS.items()
    }
    aspect = graph.number("Aspect", 1.0, (1e-4, 1e4), "Height of the image as a share of its width")
    with graph.frame("Place"):
        inputs = {"Vector": vector, "Angle": 0.0 - parameters["rotation"]}
        turned = graph.node("ShaderNodeVectorRotate", inputs, label="Rotation")
        place = graph.vector_math("SCALE", turned, 1.0 / parameters["tile_size"])
        numbers = ("seed", "turn", "rows", "sharpness")
        inputs = {_SOCKETS[number].title: parameters[number] for number in numbers}
        within = graph.math("MINIMUM", aspect, 1.0) - _REACH / parameters["rows"]
        room = graph.math("MAXIMUM", graph.math("MAXIMUM", within, 0.0), parameters["seamless"])
        copies = place_copies(graph, place, **inputs, Room=room)
        tiling = HexTiling.of(graph, copies)
        ratio = graph.combine(1.0, 1.0 / aspect, 1.0)
        # The middle of the image stays its middle.
        shift = graph.vector_math("MULTIPLY_ADD", ratio, (-0.5,) * 3, (0.5,) * 3)
        places = tuple(
            graph.vector_math("MULTIPLY_ADD", copy_place, ratio, shift)
            for copy_place in tiling.places
        )
        contrast = graph.mix(parameters["contrast"], 1.0, tiling.contrast)
    tiling = dataclasses.replace(tiling, places=places, contrast=contrast)
    return tiling, parameters["rotation"], parameters["strength"]


_SUBTYPES = {"factor": "FACTOR", "angle": "ANGLE"}


def _default(parameter: Any) -> float:
    return float(parameter.default)


def _limits(parameter: Any) -> tuple[float, float]:
    if parameter.unit == "angle":
        return ANY
    if parameter.kind == "boolean":
        return SHARE
    return parameter.minimum, parameter.maximum


def _look_up(
    graph: NodeGraph, tiling: HexTiling, image: bpy.types.Image, interpolation: str
) -> list[Output]:
    """Return the Image Texture nodes of the three copies."""
    return [
        graph.node(
            "ShaderNodeTexImage",
            {"Vector": place},
            label="Copy",
            image=image,
            interpolation=interpolation,
        )
        for place in tiling.places
    ]


def _declare_color(graph: NodeGraph, image: bpy.types.Image, interpolation: str) -> None:
    """Declare the group of a picture: deviations from its mean are blended, within its range."""
    tiling, _, _ = _declare_place(graph)
    with graph.panel("Measured", is_closed=True):
        mean = graph.color("Mean", (0.5,) * 3, "Of the image; blended copies keep it")
        low = graph.color("Lowest", (0.0,) * 3, "Least of each channel of the image")
        high = graph.color("Highest", (1.0,) * 3, "Largest of each channel of the image")
    with graph.frame("Copies"):
        copies = _look_up(graph, tiling, image, interpolation)
        off = [graph.vector_math("SUBTRACT", copy["Color"], mean) for copy in copies]
        blended = graph.vector_math("ADD", tiling.blend_deviations(graph, off), mean)
        color = graph.vector_math("MINIMUM", graph.vector_math("MAXIMUM", blended, low), high)
        alpha = _blend_alpha(graph, tiling, copies)
    graph.output("Color", color, "The image without end", "Color")
    graph.output("Alpha", alpha, "Of the image")
    graph.drop_unused_inputs()


def _declare_normal(graph: NodeGraph, image: bpy.types.Image, interpolation: str) -> None:
    """Declare the group of a normal map: slopes turn with the copies, and with the rotation."""
    tiling, rotation, strength = _declare_place(graph)
    with graph.frame("Copies"):
        copies = _look_up(graph, tiling, image, interpolation)
        flat = tiling.blend_normals(graph, [copy["Color"] for copy in copies])
        turned = graph.node("ShaderNodeVectorRotate", {"Vector": flat, "Angle": rotation})
        x, y = (graph.component(turned, axis) for axis in range(2))
        normal = graph.combine(x, y, upward(graph, x, y))
        color = graph.vector_math("MULTIPLY_ADD", normal, (0.5,) * 3, (0.5,) * 3)
        bent = graph.node("ShaderNodeNormalMap", {"Color": color, "Strength": strength})
    graph.output("Color", color, "The normal map without end, for a Normal Map node", "Color")
    graph.output("Alpha", _blend_alpha(graph, tiling, copies), "Of the image")
    graph.output("Normal", bent, "For the shader: of the active UV map", "Vector")


def _blend_alpha(graph: NodeGraph, tiling: HexTiling, copies: list[Output]) -> Output:
    parts = [copy["Alpha"] * weight for copy, weight in zip(copies, tiling.weights)]
    return parts[0] + parts[1] + parts[2]


# --- materials ------------------------------------------------------------------------------------


def add_shader(tree: Any) -> None:
    """Add a shader, and the output that shows it, to an empty tree."""
    graph = NodeGraph()
    shader = graph.node("ShaderNodeBsdfPrincipled", {"Roughness": 0.8}, label="")
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader}, label="")
    build(tree, graph)


def show(tree: Any, new_node: Any, *, is_normal: bool) -> list[str]:
    """Link the node of a group to free inputs of the shader that a material shows; return warnings."""
    output = own_nodes.output_node(tree)
    links = output.inputs["Surface"].links if output is not None else ()
    shader = own_nodes.find_shader(tree, links[0].from_node) if links else None
    if shader is None:
        return [Message("there is no Principled BSDF: connect the node by hand")]
    if is_normal:
        sources = {"Normal": new_node.outputs["Normal"]}
    else:
        sources = {"Base Color": new_node.outputs["Color"]}
    taken = own_nodes.connect_free(shader, sources)
    return [Message("{} had a link already and did not change", name) for name in taken]
