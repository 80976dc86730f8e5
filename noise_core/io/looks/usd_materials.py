# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials as text of USD: UsdPreviewSurface, and beside it OpenPBR by the nodes of MaterialX.

The nodes are written as shaders of USD, so that programs need no reader of MaterialX's own files to open the stage.

References
----------
Pixar. UsdPreviewSurface 2.6; UsdShade: MaterialX in USD (MaterialXConfigAPI).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .shader_graph import SRGB, Connection, ImageFile, Input, LookMaterial, ShaderNode

HEAD = """\
#usda 1.0
(
    defaultPrim = "{name}"
    metersPerUnit = 1
    upAxis = "Z"
)

"""

_KINDS: Mapping[str, str] = {
    "float": "float",
    "integer": "int",
    "string": "string",
    "filename": "asset",
    "vector2": "float2",
    "vector3": "float3",
    "color3": "color3f",
    "color4": "color4f",
}
"""Types of USD by those of MaterialX."""

_OUTPUTS = {"rgb": "float3", "r": "float", "g": "float", "b": "float"}

_UV = "st"
"""Coordinates that all materials use."""


@dataclass(frozen=True)
class PreviewInput:
    """An image that feeds an input of UsdPreviewSurface.

    Attributes
    ----------
    declared : str
        Type and name of the input, such as ``color3f diffuseColor``.
    image : ImageFile
    channel : str
        ``rgb``, ``r``, ``g`` or ``b``.
    is_signed : bool
        Whether 0 to 1 stand for -1 to 1.
    is_green_down : bool
        Whether green points down in the image, of normals.
    """

    declared: str
    image: ImageFile
    channel: str = "rgb"
    is_signed: bool = False
    is_green_down: bool = False


@dataclass(frozen=True)
class Preview:
    """Inputs of UsdPreviewSurface.

    Attributes
    ----------
    inputs : tuple of PreviewInput
    constants : mapping of str to str
        Texts of numbers by types and names of inputs, such as ``float roughness``.
    samples : tuple of two ints, optional
        Columns and rows of images whose first and last texels lie on the borders of UV from 0 to 1, beyond
        which they do not repeat.
    """

    inputs: Sequence[PreviewInput]
    constants: Mapping[str, str]
    samples: tuple[int, int] | None = None


def material_text(path: str, preview: Preview, look: LookMaterial | None = None) -> str:
    """Return the text of a material at an absolute path, whose last part is its name.

    Examples
    --------
    >>> from noise_core.io.looks.usd_materials import Preview, material_text
    >>> print(material_text("/Chalk", Preview((), {"float roughness": "0.9"})).splitlines()[0])
    def Material "Chalk"
    """
    surface = f"token outputs:surface.connect = <{path}/Surface.outputs:surface>\n"
    head, body = "", [surface]
    if look is not None:
        head = ' (\n    prepend apiSchemas = ["MaterialXConfigAPI"]\n)'
        body += ['uniform string config:mtlx:version = "1.39"\n', *_look_heads(path, look)]
    body += _preview(path, preview)
    if look is not None:
        body += _look_shaders(path, look)
    inner = textwrap.indent("".join(body), "    ")
    return f'def Material "{path.rpartition("/")[2]}"{head}\n{{\n{inner}}}\n'


def _preview(path: str, preview: Preview) -> Iterator[str]:
    lines = [f"{kind} inputs:{name} = {text}" for (kind, name), text in _split(preview.constants)]
    images: dict[ImageFile, list[PreviewInput]] = {}
    for one in preview.inputs:
        images.setdefault(one.image, []).append(one)
    for number, (_, uses) in enumerate(images.items()):
        for use in uses:
            kind, name = use.declared.split()
            source = f"<{path}/Image{number}.outputs:{use.channel}>"
            lines.append(f"{kind} inputs:{name}.connect = {source}")
    yield _shader("Surface", "UsdPreviewSurface", [*lines, "token outputs:surface"])
    if images:
        varname = f'string inputs:varname = "{_UV}"'
        yield _shader("Coordinates", "UsdPrimvarReader_float2", [varname, "float2 outputs:result"])
    place = f"<{path}/Coordinates.outputs:result>"
    if images and preview.samples:
        yield _shader("Places", "UsdTransform2d", _half_pixels(place, preview.samples))
        place = f"<{path}/Places.outputs:result>"
    for number, (image, uses) in enumerate(images.items()):
        mode = "clamp" if preview.samples else "repeat"
        yield _shader(f"Image{number}", "UsdUVTexture", _image(image, uses, place, mode))


def _split(constants: Mapping[str, str]) -> Iterator[tuple[tuple[str, str], str]]:
    for declared, text in constants.items():
        kind, name = declared.split()
        yield (kind, name), text


def _half_pixels(place: str, samples: tuple[int, int]) -> list[str]:
    scale, offset = half_pixels(samples)
    return [
        f"float2 inputs:in.connect = {place}",
        f"float2 inputs:scale = ({scale[0]:.9g}, {scale[1]:.9g})",
        f"float2 inputs:translation = ({offset[0]:.9g}, {offset[1]:.9g})",
        "float2 outputs:result",
    ]


def half_pixels(samples: tuple[int, int]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return scale and offset of UV where the first and last texels of an image lie on the borders."""
    columns, rows = samples
    return ((columns - 1) / columns, (rows - 1) / rows), (0.5 / columns, 0.5 / rows)


def _image(image: ImageFile, uses: Sequence[PreviewInput], place: str, mode: str) -> list[str]:
    signed = []
    if any(use.is_signed for use in uses):
        green = -1 if any(use.is_green_down for use in uses) else 1
        signed = [
            f"float4 inputs:scale = (2, {2 * green}, 2, 1)",
            f"float4 inputs:bias = (-1, {-green}, -1, 0)",
        ]
    return [
        f"asset inputs:file = @./{image.name}@",
        f'token inputs:sourceColorSpace = "{"sRGB" if image.space == SRGB else "raw"}"',
        f'token inputs:wrapS = "{mode}"',
        f'token inputs:wrapT = "{mode}"',
        *signed,
        f"float2 inputs:st.connect = {place}",
        *(f"{_OUTPUTS[channel]} outputs:{channel}" for channel in {use.channel: 0 for use in uses}),
    ]


def _look_heads(path: str, look: LookMaterial) -> Iterator[str]:
    yield f"token outputs:mtlx:surface.connect = <{path}/OpenPBR.outputs:out>\n"
    if look.relief is not None:
        yield f"token outputs:mtlx:displacement.connect = <{path}/Relief.outputs:out>\n"


def _look_shaders(path: str, look: LookMaterial) -> Iterator[str]:
    inputs = dict(look.typed)
    yield _node(path, "OpenPBR", "ND_open_pbr_surface_surfaceshader", inputs, "token")
    if look.relief is not None:
        height, meters = look.relief
        moved = {"displacement": Input("float", height), "scale": Input("float", meters)}
        yield _node(path, "Relief", "ND_displacement_float", moved, "token")
    for name, node in look.graph.nodes.items():
        yield _node(path, name, *_definition(node), _KINDS[node.kind])


def _definition(node: ShaderNode) -> tuple[str, Mapping[str, Input]]:
    """Return the definition of a node with its inputs: coordinates have a name in USD instead of a number."""
    if node.category == "texcoord":
        return "ND_geompropvalue_vector2", {"geomprop": Input("string", _UV)}
    return node.definition, node.inputs


def _node(path: str, name: str, definition: str, inputs: Mapping[str, Input], result: str) -> str:
    lines = [_input(path, key, one) for key, one in inputs.items()]
    return _shader(name, definition, [*lines, f"{result} outputs:out"])


def _input(path: str, name: str, one: Input) -> str:
    head, value = f"{_KINDS[one.kind]} inputs:{name}", one.value
    if isinstance(value, Connection):
        return f"{head}.connect = <{path}/{value.node}.outputs:out>"
    if isinstance(value, ImageFile):
        space = f' (\n    colorSpace = "{value.space}"\n)' if value.space else ""
        return f"{head} = @./{value.name}@{space}"
    if one.kind == "string":
        return f'{head} = "{one.text}"'
    return f"{head} = ({one.text})" if isinstance(value, tuple) else f"{head} = {one.text}"


def _shader(name: str, definition: str, lines: Sequence[str]) -> str:
    head = f'uniform token info:id = "{definition}"'
    inner = textwrap.indent("\n".join([head, *lines]), "    ")
    return f'def Shader "{name}"\n{{\n{inner}\n}}\n'
