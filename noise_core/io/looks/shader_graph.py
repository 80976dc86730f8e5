# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials as nodes of MaterialX, whichever file they are written to.

References
----------
Academy Software Foundation (2024). MaterialX 1.39: specification and standard nodes. OpenPBR Surface 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Union

from ...materials.colors.spaces import Color

SRGB, LINEAR = "srgb_texture", "lin_rec709"
"""Spaces of the colors of images, as MaterialX and USD name them."""

Pair = tuple[float, float]


@dataclass(frozen=True)
class ImageFile:
    """An image beside the file of a material.

    Attributes
    ----------
    name : str
        Of the file.
    space : str
        `SRGB`, `LINEAR`, or empty for data.
    """

    name: str
    space: str = ""


@dataclass(frozen=True)
class Connection:
    """The result of a node.

    Attributes
    ----------
    node : str
        Name of the node.
    kind : str
        Type of the result, such as ``color3``.
    """

    node: str
    kind: str


Value = Union[float, str, Pair, Color, ImageFile, Connection]


@dataclass(frozen=True)
class Input:
    """An input of a node: its type, and its value or where that comes from."""

    kind: str
    value: Value

    @property
    def text(self) -> str:
        """The value as MaterialX writes it; empty for a link."""
        if isinstance(self.value, ImageFile):
            return self.value.name
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, Connection):
            return ""
        numbers = self.value if isinstance(self.value, tuple) else (self.value,)
        return ", ".join(f"{number:.9g}" for number in numbers)


@dataclass(frozen=True)
class ShaderNode:
    """A node.

    Attributes
    ----------
    category : str
        What it does, such as ``image``.
    kind : str
        Type of its result.
    variant : str
        Which of the definitions of that category it has.
    inputs : mapping of str to Input
        Those that differ from their defaults.
    """

    category: str
    kind: str
    variant: str
    inputs: Mapping[str, Input]

    @property
    def definition(self) -> str:
        """Name of its definition among the standard nodes."""
        return f"ND_{self.category}_{self.variant}"


@dataclass
class ShaderGraph:
    """Nodes by name; each comes after those that it reads.

    Examples
    --------
    >>> from noise_core.io.looks.shader_graph import ShaderGraph
    >>> graph = ShaderGraph()
    >>> moved = graph.add("multiply", "vector2", in1=graph.place, in2=(2.0, 2.0))
    >>> moved.node, graph.nodes[moved.node].definition
    ('multiply_1', 'ND_multiply_vector2')
    """

    nodes: dict[str, ShaderNode] = field(default_factory=dict)

    def add(self, category: str, kind: str, /, variant: str = "", **inputs: Value) -> Connection:
        """Add a node, and return its result; an underscore behind an input's name does not count."""
        name = f"{category}_{len(self.nodes)}"
        typed = {
            key.rstrip("_"): Input(_kind_of(value, kind), value) for key, value in inputs.items()
        }
        self.nodes[name] = ShaderNode(category, kind, variant or kind, typed)
        return Connection(name, kind)

    @property
    def place(self) -> Connection:
        """Coordinates of the first UV map."""
        for name, node in self.nodes.items():
            if node.category == "texcoord":
                return Connection(name, node.kind)
        return self.add("texcoord", "vector2")

    def image(
        self, kind: str, file: ImageFile, place: Connection | None = None, *, repeats: bool = True
    ) -> Connection:
        """Return what an image has at a place; without one at that of the UV map."""
        mode = "periodic" if repeats else "clamp"
        texcoord = place or self.place
        return self.add(
            "image", kind, file=file, texcoord=texcoord, uaddressmode=mode, vaddressmode=mode
        )

    def channel(self, source: Connection, number: int) -> Connection:
        """Return a channel of a color or a vector, or an image's only one."""
        if source.kind == "float":
            return source
        index = str(number)
        found = self.add("extract", "float", source.kind, in_=source)
        inputs = {**self.nodes[found.node].inputs, "index": Input("integer", index)}
        self.nodes[found.node] = ShaderNode("extract", "float", source.kind, inputs)
        return found

    def normal(self, texels: Connection, *, is_green_down: bool = False) -> Connection:
        """Return directions in the world of a tangent normal map, whose texels are from 0 to 1."""
        if is_green_down:
            turned = self.add("multiply", "vector3", in1=texels, in2=(1.0, -1.0, 1.0))
            texels = self.add("add", "vector3", in1=turned, in2=(0.0, 1.0, 0.0))
        return self.add("normalmap", "vector3", "float", in_=texels)


@dataclass(frozen=True)
class LookMaterial:
    """A material: nodes, and the inputs of the OpenPBR surface that they feed.

    Attributes
    ----------
    name : str
        Of letters, digits and underscores.
    graph : ShaderGraph
    inputs : mapping of str to Value
        Of the surface, those that differ from their defaults.
    relief : tuple of Connection and float, optional
        Heights by which the surface is displaced, and by how many meters it is for a height of 1.
    """

    name: str
    graph: ShaderGraph
    inputs: Mapping[str, Value]
    relief: tuple[Connection, float] | None = None

    @property
    def typed(self) -> Mapping[str, Input]:
        """The inputs of the surface with their types."""
        return {
            name: Input(_kind_of(value, "color3"), value) for name, value in self.inputs.items()
        }


def identifier(name: str) -> str:
    """Return a name as USD and MaterialX allow it for what they hold."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return f"_{plain}" if plain[:1].isdigit() else plain


def _kind_of(value: Value, kind: str) -> str:
    """Return the type of a value for a node of a type: three numbers may be a color or a vector."""
    if isinstance(value, Connection):
        return value.kind
    if isinstance(value, ImageFile):
        return "filename"
    if isinstance(value, str):
        return "string"
    if not isinstance(value, tuple):
        return "float"
    if len(value) == 2:
        return "vector2"
    return kind if kind in ("color3", "vector3") else "vector3"
