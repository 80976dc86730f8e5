# SPDX-License-Identifier: GPL-3.0-or-later
"""Constant, gradient and wave, Math nodes without a texture; and rasters, which are an Image Texture."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np

from ......noise_core.noises.constant import Constant
from ......noise_core.noises.gradient import Gradient
from ......noise_core.noises.raster import Raster
from ......noise_core.noises.wave import Wave
from ....schema.enum_items import enum_label
from ..noise_graph import FADES, INNER, MARK, Domain, NoiseGraph
from ..registry import ALIKE, EXACT, node_writer

_CLIFF = 1e-6
"""A falloff below which a fade would divide by nothing."""

_EXTENSIONS = {"repeat": "REPEAT", "clamp": "EXTEND", "mirror": "MIRROR"}


@node_writer("constant", EXACT)
def write_constant(noise: Constant, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the value."""

    def set_value(node: Any, owner: str) -> None:
        node.outputs[0].default_value = noise.value

    return graph.node("ShaderNodeValue", content=set_value)


@node_writer("gradient", EXACT)
def write_gradient(noise: Gradient, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the distance to the outer edge, and the fade over it."""
    graph.set_title(f"{noise.label}: {enum_label(noise.shape)}")
    aside = (-noise.center[0], -noise.center[1], 0.0)
    offset = graph.vector_math("ADD", domain.vector, aside, label="From the center")
    shapes = {"linear": _linear, "radial": _radial, "edges": _edges}
    return graph.to_signed_unit(shapes[noise.shape](noise, graph, offset))


def _linear(noise: Gradient, graph: NoiseGraph, offset: Any) -> Any:
    angle = math.radians(noise.angle)
    along = graph.vector_math("DOT_PRODUCT", offset, (math.cos(angle), math.sin(angle), 0.0))
    return _fade(noise, graph, graph.affine(along, 1.0, noise.falloff / 2.0))


def _radial(noise: Gradient, graph: NoiseGraph, offset: Any) -> Any:
    flat = graph.vector_math("MULTIPLY", offset, (1.0, 1.0, 0.0), label="x and y alone")
    return _fade(noise, graph, noise.radius - graph.vector_math("LENGTH", flat))


def _edges(noise: Gradient, graph: NoiseGraph, offset: Any) -> Any:
    half = (noise.extent[0] / 2.0, noise.extent[1] / 2.0, 0.0)
    size = graph.vector_math("ABSOLUTE", offset)
    x, y, _ = graph.separate(graph.vector_math("SUBTRACT", half, size, label="To the edges"))
    return _fade(noise, graph, x) * _fade(noise, graph, y)


def _fade(noise: Gradient, graph: NoiseGraph, inside: Any) -> Any:
    if noise.falloff < _CLIFF:
        return graph.math("GREATER_THAN", inside, noise.falloff / 2.0)
    return graph.map_range(inside, 0.0, noise.falloff, kind=FADES[noise.fade])


@node_writer("wave", EXACT)
def write_wave(noise: Wave, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the number of waves along the way, and the profile of one."""
    graph.set_title(f"{noise.label}: {enum_label(noise.shape)}")
    if noise.shape != "bands":
        aside = (-noise.center[0], -noise.center[1], 0.0)
        offset = graph.vector_math("ADD", domain.vector, aside, label="From the center")
        flat = graph.vector_math("MULTIPLY", offset, (1.0, 1.0, 0.0), label="x and y alone")
        along = graph.vector_math("LENGTH", flat) * noise.frequency
        if noise.shape == "spiral":
            x, y, _ = graph.separate(flat)
            along = along + graph.math("ARCTAN2", x, y) * (0.5 / math.pi)
    else:
        angle = math.radians(noise.angle)
        way = (noise.frequency * math.cos(angle), noise.frequency * math.sin(angle), 0.0)
        along = graph.vector_math("DOT_PRODUCT", domain.vector, way)
    return _PROFILES[noise.profile](graph, graph.affine(along, 1.0, noise.phase))


def _sine(graph: NoiseGraph, turns: Any) -> Any:
    return graph.math("SINE", graph.math("FRACT", turns) * (2.0 * math.pi))


def _triangle(graph: NoiseGraph, turns: Any) -> Any:
    moved = graph.math("FRACT", graph.affine(turns, 1.0, 0.25))
    return graph.affine(graph.math("ABSOLUTE", graph.affine(moved, 1.0, -0.5)), -4.0, 1.0)


def _saw(graph: NoiseGraph, turns: Any) -> Any:
    return graph.to_signed_unit(graph.math("FRACT", turns))


_PROFILES = {"sine": _sine, "triangle": _triangle, "saw": _saw}


_STRAIGHT = "an Image Texture of the same pixels, packed into this file; between them straight lines instead of a spline; a mirror doubles the pixels at the edge."


@node_writer("elevation", ALIKE, _STRAIGHT)
@node_writer("raster", ALIKE, _STRAIGHT)
def write_raster(noise: Raster, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the image and its place."""
    rows, columns = noise.pixels.shape
    # Pixel k of n lies at k / n, or at k / (n - 1) if nothing follows; Blender's at (k + 1/2) / n.
    across, along = noise.pixels_per_tile(noise.edge)
    factors = (across / columns, along / rows, 1.0), (0.5 / columns, 0.5 / rows, 0.0)
    vector = graph.vector_math("MULTIPLY_ADD", domain.vector, *factors, label="Pixels")

    def add_image(node: Any, owner: str) -> None:
        image: Any = bpy.data.images.new(
            f"{owner} Raster", columns, rows, alpha=False, float_buffer=True, is_data=True
        )
        values = np.ones((rows, columns, 4), np.float32)
        values[..., :3] = noise.pixels[..., np.newaxis]
        image.pixels.foreach_set(values.ravel())
        image.pack()
        image[MARK] = INNER
        node.image = image

    image = graph.node(
        "ShaderNodeTexImage",
        {"Vector": vector},
        content=add_image,
        interpolation="Linear",
        extension=_EXTENSIONS[noise.edge],
    )
    return graph.first_channel(image["Color"])
