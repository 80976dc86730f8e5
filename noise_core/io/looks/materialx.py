# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials as a file of MaterialX 1.39.

References
----------
Academy Software Foundation (2024). MaterialX 1.39 specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import quoteattr

from .shader_graph import Connection, ImageFile, Input, LookMaterial, Value

SUFFIX = ".mtlx"

_HEAD = '<?xml version="1.0"?>\n<materialx version="1.39" colorspace="lin_rec709">\n'


def materialx_text(materials: Iterable[LookMaterial]) -> str:
    """Return the text of a file with some materials, each a ``surfacematerial`` of its name.

    Examples
    --------
    >>> from noise_core.io.looks.materialx import materialx_text
    >>> from noise_core.io.looks.shader_graph import LookMaterial, ShaderGraph
    >>> text = materialx_text([LookMaterial("Chalk", ShaderGraph(), {"specular_roughness": 0.9})])
    >>> print(text.splitlines()[3].strip())
    <input name="specular_roughness" type="float" value="0.9" />
    """
    return f"{_HEAD}{''.join(map(_material, materials))}</materialx>\n"


def _material(material: LookMaterial) -> str:
    textures, surface = f"{material.name}_textures", f"{material.name}_surface"
    results = {
        value.node: value for value in material.inputs.values() if isinstance(value, Connection)
    }
    if material.relief is not None:
        results[material.relief[0].node] = material.relief[0]
    graph = ""
    if results:
        nodes = "".join(
            _element(f"    <{node.category}", name, node.kind, node.inputs)
            for name, node in material.graph.nodes.items()
        )
        outputs = "".join(
            f'    <output name="{_output(link)}" type="{link.kind}" nodename="{link.node}" />\n'
            for link in results.values()
        )
        graph = f'  <nodegraph name="{textures}">\n{nodes}{outputs}  </nodegraph>\n'
    shaders = [("surfaceshader", surface)]
    text = _element("  <open_pbr_surface", surface, "surfaceshader", material.typed, textures)
    if material.relief is not None:
        height, meters = material.relief
        inputs = {"displacement": Input("float", height), "scale": Input("float", meters)}
        name = f"{material.name}_relief"
        text += _element("  <displacement", name, "displacementshader", inputs, textures)
        shaders.append(("displacementshader", name))
    bound = "".join(
        f'    <input name="{kind}" type="{kind}" nodename="{name}" />\n' for kind, name in shaders
    )
    head = f'  <surfacematerial name="{material.name}" type="material">\n'
    return f"{graph}{text}{head}{bound}  </surfacematerial>\n"


def _output(link: Connection) -> str:
    return f"{link.node}_out"


def _element(
    head: str, name: str, kind: str, inputs: Mapping[str, Input], textures: str = ""
) -> str:
    """Return a node, whose inputs come from nodes beside it or, if it is given, from a graph."""
    start = f'{head} name="{name}" type="{kind}"'
    if not inputs:
        return f"{start} />\n"
    indent = " " * (len(head) - len(head.lstrip()))
    lines = (f"{indent}  {_input(key, one, textures)}\n" for key, one in inputs.items())
    return f"{start}>\n{''.join(lines)}{indent}</{head.lstrip(' <')}>\n"


def _input(name: str, one: Input, textures: str) -> str:
    return f'<input name="{name}" type="{one.kind}" {_source(one.value, one.text, textures)} />'


def _source(value: Value, text: str, textures: str) -> str:
    if isinstance(value, Connection):
        if textures:
            return f'nodegraph="{textures}" output="{_output(value)}"'
        return f'nodename="{value.node}"'
    space = f' colorspace="{value.space}"' if isinstance(value, ImageFile) and value.space else ""
    return f"value={quoteattr(text)}{space}"
