# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of a surface, which shows images of its maps, as files beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...base.errors import ParameterError
from ...base.version import __version__
from ...materials.surfaces import MAPS, PACKED, Surface
from .materialx import materialx_text
from .shader_graph import (
    LINEAR,
    SRGB,
    Connection,
    ImageFile,
    LookMaterial,
    ShaderGraph,
    Value,
    identifier,
)
from .usd_materials import HEAD, Preview, PreviewInput, material_text

_INPUTS: Mapping[str, str] = {
    "base_color": "base_color",
    "roughness": "specular_roughness",
    "metallic": "base_metalness",
    "opacity": "geometry_opacity",
    "emission": "emission_color",
}
"""Inputs of an OpenPBR surface by the maps that they take as they are."""

_USUAL: Mapping[str, float] = {"metallic": 0.0, "opacity": 1.0}
"""What the inputs are without being told."""

_PREVIEWED: Mapping[str, str] = {
    "base_color": "color3f diffuseColor",
    "emission": "color3f emissiveColor",
    "roughness": "float roughness",
    "metallic": "float metallic",
    "opacity": "float opacity",
    "ambient_occlusion": "float occlusion",
    "normal": "normal3f normal",
}
"""Inputs of UsdPreviewSurface by the maps that they take; its relief is left out, since few programs show it."""

SUFFIXES: Mapping[str, str] = {"materialx": ".mtlx", "usd": ".usda"}
"""Of the files of a material, by the format."""

_SIDECAR = 1
"""Version of the keys of the file that describes a material."""


@dataclass(frozen=True)
class ImageFiles:
    """Images of a surface.

    Attributes
    ----------
    files : mapping of str to str
        Their names by what they show: names of `MAPS` and `PACKED`.
    size, depth : float
        Width of the tile, and height between a height of 0 and of 1, in meters.
    normal : {"opengl", "directx"}
        Which way green points in the normals.
    is_linear : bool
        Whether they hold colors as light, as OpenEXR does, instead of sRGB.

    Raises
    ------
    ParameterError
        If there is no image of the base color.
    """

    files: Mapping[str, str]
    size: float
    depth: float
    normal: str = "opengl"
    is_linear: bool = False

    def __post_init__(self) -> None:
        if "base_color" not in self.files:
            got = ", ".join(self.files) or "none"
            raise ParameterError("maps must have base_color for a material", got=got)

    def image(self, name: str) -> ImageFile:
        """Return an image with the space of its colors."""
        is_color = name in MAPS and MAPS[name].is_color
        space = LINEAR if self.is_linear else SRGB
        return ImageFile(self.files[name], space if is_color else "")

    def channels(self) -> Iterator[tuple[str, str, int | None]]:
        """Yield each map with the name of its image, and its channel in it if it shares that."""
        for name in self.files:
            if name in PACKED:
                for number, channel in enumerate(PACKED[name]):
                    yield channel, name, number
            else:
                yield name, name, None


def surface_texts(
    name: str, file_format: str, surface: Surface, images: ImageFiles
) -> Mapping[str, str]:
    """Return the texts of a material's file and of its sidecar, by their suffixes.

    Parameters
    ----------
    name : str
        Of the material.
    file_format : {"materialx", "usd"}
    surface : Surface
    images : ImageFiles

    Examples
    --------
    >>> from noise_core.io.looks.surface_look import ImageFiles, surface_texts
    >>> from noise_core.materials.surfaces import surface
    >>> images = ImageFiles({"base_color": "granite_basecolor.png"}, 1.0, 0.002)
    >>> sorted(surface_texts("Granite", "materialx", surface("granite"), images))
    ['.mtlx', '.mtlx.json']
    """
    look = surface_look(name, surface, images)
    if file_format == "usd":
        path = f"/{look.name}"
        preview = material_text(path, _preview(surface, images), look)
        text = HEAD.format(name=look.name) + preview
    else:
        text = materialx_text([look])
    says = {
        "sidecar": _SIDECAR,
        "terrane": __version__,
        "material": look.name,
        "format": file_format,
        "tile_width": images.size,
        "depth": images.depth,
        "images": {key: {"file": file, "space": images.image(key).space or "data"} for key, file in images.files.items()},
        "normals": images.normal,
        "orientation": "a tile is UV from 0 to 1, U to the right, V up",
    }  # fmt: skip
    suffix = SUFFIXES[file_format]
    return {suffix: text, f"{suffix}.json": json.dumps(says, indent=2) + "\n"}


def surface_look(name: str, surface: Surface, images: ImageFiles) -> LookMaterial:
    """Return the OpenPBR material of a surface, in which a tile is the square of UV from 0 to 1.

    Maps without an image have the surface's number if that is the same everywhere, and OpenPBR's otherwise.

    Examples
    --------
    >>> from noise_core.io.looks.surface_look import ImageFiles, surface_look
    >>> from noise_core.materials.surfaces import surface
    >>> images = ImageFiles({"base_color": "granite_basecolor.png"}, 1.0, 0.002)
    >>> surface_look("Granite", surface("granite"), images).inputs["base_color"].kind
    'color3'
    """
    graph = ShaderGraph()
    maps = dict(_maps(graph, images))
    inputs: dict[str, Value] = {key: maps[one] for one, key in _INPUTS.items() if one in maps}
    for one, number in _constants(surface, images).items():
        inputs[_INPUTS[one]] = number
    if "emission" in maps:
        inputs["emission_luminance"] = 1.0  # by which the color is multiplied
    if "normal" in maps:
        is_green_down = images.normal == "directx"
        inputs["geometry_normal"] = graph.normal(maps["normal"], is_green_down=is_green_down)
    relief = None
    if "height" in maps:
        # Half of the relief lies below the mesh, as in Blender.
        relief = (graph.add("subtract", "float", in1=maps["height"], in2=0.5), images.depth)
    return LookMaterial(identifier(name), graph, inputs, relief)


def _constants(surface: Surface, images: ImageFiles) -> Mapping[str, float]:
    """Return numbers of maps that have no image and are the same everywhere, but not what they usually are."""
    shown = {name for name, _, _ in images.channels()}
    found = {name: surface.constant(name) or () for name in _INPUTS if name not in shown}
    return {
        name: value[0]
        for name, value in found.items()
        if len(value) == 1 and value[0] != _USUAL.get(name)
    }


def _maps(graph: ShaderGraph, images: ImageFiles) -> Iterator[tuple[str, Connection]]:
    """Yield maps that OpenPBR shows, with the nodes that show them."""
    shared: dict[str, Connection] = {}
    for name, file, number in images.channels():
        if name not in (*_INPUTS, "normal", "height"):
            continue
        if number is not None:
            texels = shared.get(file) or graph.image("vector3", images.image(file))
            shared[file] = texels
            yield name, graph.channel(texels, number)
        elif MAPS[name].is_color:
            yield name, graph.image("color3", images.image(file))
        else:
            kind = "float" if MAPS[name].channels == 1 else "vector3"
            yield name, graph.image(kind, images.image(file))


def _preview(surface: Surface, images: ImageFiles) -> Preview:
    """Return the inputs of UsdPreviewSurface."""
    inputs = []
    for name, file, number in images.channels():
        if name not in _PREVIEWED:
            continue
        alone = "rgb" if MAPS[name].channels == 3 else "r"
        inputs.append(
            PreviewInput(
                _PREVIEWED[name],
                images.image(file),
                alone if number is None else "rgb"[number],
                is_signed=name == "normal",
                is_green_down=images.normal == "directx",
            )
        )
    constants = {
        _PREVIEWED[name]: f"{number:.9g}" for name, number in _constants(surface, images).items()
    }
    return Preview(tuple(inputs), constants)
