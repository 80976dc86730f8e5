# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenPBR material of a part of a land: maps of its ground, and tiles of the layers that they blend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...materials.colors.spaces import Color
from .shader_graph import SRGB, Connection, ImageFile, LookMaterial, Pair, ShaderGraph, identifier
from .usd_materials import Preview, PreviewInput, half_pixels

BASE_COLOR, PACKED, NORMAL = "base_color", "orm", "normal"
"""Images of the ground: colors without light; occlusion and roughness as red and green; directions."""


@dataclass(frozen=True)
class LayerTile:
    """The tile of a layer of the ground.

    Attributes
    ----------
    color, normal : str
        Names of images, the latter with green up.
    mean : Color
        Of its colors, linear.
    size : float
        Its width in meters.
    """

    color: str
    normal: str
    mean: Color
    size: float


@dataclass(frozen=True)
class GroundImages:
    """Images of a part of a land.

    Attributes
    ----------
    name : str
        Of the part.
    textures : mapping of str to str
        Names of the images by what they show.
    samples : tuple of two ints
        Columns and rows of these images.
    corner, size : tuple of two floats
        Meters from the land's south-west corner to the part's, and its width and depth.
    tiles : mapping of str to LayerTile
        By names of layers; layers without one stay plain.
    layers : sequence of sequences of str
        Names of the layers in the channels of each image of weights.
    """

    name: str
    textures: Mapping[str, str]
    samples: tuple[int, int]
    corner: Pair
    size: Pair
    tiles: Mapping[str, LayerTile] = field(default_factory=dict)
    layers: Mapping[str, Sequence[str]] = field(default_factory=dict)


def ground_look(images: GroundImages) -> LookMaterial:
    """Return the material of a part of a land, in whose UV it is the square from 0 to 1.

    The colors are those of the map, times those of the tiles over their means: from afar they are the map's own.
    Slopes of tiles add to those of the land.

    Examples
    --------
    >>> from noise_core.io.looks.ground_look import GroundImages, ground_look
    >>> images = GroundImages("alps", {"base_color": "alps.png"}, (65, 65), (0.0, 0.0), (640.0, 640.0))
    >>> sorted(ground_look(images).inputs)
    ['base_color', 'specular_roughness']
    """
    graph = ShaderGraph()
    scale, offset = half_pixels(images.samples)
    scaled = graph.add("multiply", "vector2", in1=graph.place, in2=scale)
    place = graph.add("add", "vector2", in1=scaled, in2=offset)

    def shown(name: str, kind: str, space: str = "") -> Connection:
        return graph.image(kind, ImageFile(images.textures[name], space), place, repeats=False)

    weights = {
        layer: link
        for name, layers in images.layers.items()
        if name in images.textures
        for layer, link in _channels(graph, shown(name, "color4"), layers)
    }
    tiles = _TileNodes(graph, images, weights)
    color = tiles.tint(shown(BASE_COLOR, "color3", SRGB))
    rough: Connection | float = 0.9
    if PACKED in images.textures:
        rough = graph.channel(shown(PACKED, "vector3"), 1)
    inputs: dict[str, Connection | float] = {BASE_COLOR: color, "specular_roughness": rough}
    if NORMAL in images.textures:
        inputs["geometry_normal"] = graph.normal(tiles.tilt(shown(NORMAL, "vector3")))
    return LookMaterial(identifier(images.name), graph, dict(inputs))


def ground_preview(images: GroundImages) -> Preview:
    """Return the inputs of UsdPreviewSurface: the maps alone, without tiles."""
    found: list[PreviewInput] = []
    for name, declared, space, channel in (
        ("color", "color3f diffuseColor", SRGB, "rgb"),
        (BASE_COLOR, "color3f diffuseColor", SRGB, "rgb"),
        (NORMAL, "normal3f normal", "", "rgb"),
        (PACKED, "float occlusion", "", "r"),
        (PACKED, "float roughness", "", "g"),
        ("ambient_occlusion", "float occlusion", "", "r"),
    ):
        taken = {one.declared for one in found}
        doubled = name == "color" and BASE_COLOR in images.textures
        if name in images.textures and declared not in taken and not doubled:
            image = ImageFile(images.textures[name], space)
            found.append(PreviewInput(declared, image, channel, is_signed=name == NORMAL))
    fed = {one.declared for one in found}
    usual = {"float roughness": "0.9", "color3f diffuseColor": "(0.5, 0.5, 0.5)"}
    constants = {declared: text for declared, text in usual.items() if declared not in fed}
    return Preview(tuple(found), constants, images.samples)


def _channels(
    graph: ShaderGraph, image: Connection, layers: Sequence[str]
) -> Iterator[tuple[str, Connection]]:
    for number, layer in enumerate(layers):
        yield layer, graph.channel(image, number)


class _TileNodes:
    """Nodes of the tiles of layers, which weights blend."""

    def __init__(
        self, graph: ShaderGraph, images: GroundImages, weights: Mapping[str, Connection]
    ) -> None:
        self._graph, self._images = graph, images
        self._weights = {name: link for name, link in weights.items() if name in images.tiles}
        self._places: dict[float, Connection] = {}

    def _place(self, size: float) -> Connection:
        """Return the coordinates of tiles of a size, which go on across the borders of parts."""
        if size not in self._places:
            (west, south), (across, along) = self._images.corner, self._images.size
            times, first = (across / size, along / size), (west / size % 1.0, south / size % 1.0)
            grown = self._graph.add("multiply", "vector2", in1=self._graph.place, in2=times)
            self._places[size] = self._graph.add("add", "vector2", in1=grown, in2=first)
        return self._places[size]

    def tint(self, color: Connection) -> Connection:
        """Return colors with the details of tiles."""
        result = color
        for name, weight in self._weights.items():
            tile = self._images.tiles[name]
            texels = self._graph.image(
                "color3", ImageFile(tile.color, SRGB), self._place(tile.size)
            )
            red, green, blue = (1.0 / max(one, 1e-4) for one in tile.mean)
            detail = self._graph.add("multiply", "color3", in1=texels, in2=(red, green, blue))
            tinted = self._graph.add("multiply", "color3", in1=color, in2=detail)
            # Weights are 1 together: what a layer adds to the map's own color.
            more = self._graph.add("subtract", "color3", in1=tinted, in2=color)
            part = self._graph.add("multiply", "color3", "color3FA", in1=more, in2=weight)
            result = self._graph.add("add", "color3", in1=result, in2=part)
        return result

    def tilt(self, normals: Connection) -> Connection:
        """Return texels of directions, from 0 to 1, with the slopes of tiles."""
        result = normals
        for name, weight in self._weights.items():
            tile = self._images.tiles[name]
            texels = self._graph.image("vector3", ImageFile(tile.normal), self._place(tile.size))
            lean = self._graph.add("subtract", "vector3", in1=texels, in2=(0.5, 0.5, 0.5))
            flat = self._graph.add("multiply", "vector3", in1=lean, in2=(1.0, 1.0, 0.0))
            part = self._graph.add("multiply", "vector3", "vector3FA", in1=flat, in2=weight)
            result = self._graph.add("add", "vector3", in1=result, in2=part)
        return result
