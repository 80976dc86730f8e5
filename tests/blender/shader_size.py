# SPDX-License-Identifier: GPL-3.0-or-later
"""How many bytes of numbers EEVEE hands to a graphics card for a material.

EEVEE makes one program of all nodes that an output needs, each group written out wherever it stands. The
numbers at the nodes' inputs, linked ones aside, lie in one block. A graphics card may refuse more than
64 KiB (OpenGL's GL_MAX_UNIFORM_BLOCK_SIZE), and then shows the material in pink, or not at all.
"""

from __future__ import annotations

import bpy

LIMIT = 64 * 1024

_BYTES = {"VALUE": 4, "INT": 4, "BOOLEAN": 4, "VECTOR": 16, "RGBA": 16}
"""Of a number, color or vector, as std140 aligns them."""


def shader_size(material: bpy.types.Material, engine: str = "EEVEE") -> int:
    """Return the bytes of the numbers at all nodes that the output for an engine needs."""
    output = material.node_tree.get_output_node(engine)
    counted: set[tuple[str, ...]] = set()
    return _node_size((), output, None, counted)


def _node_size(around, node, source, counted) -> int:
    """Return the bytes of a node and of all before it, reached by its output `source`.

    `around` are the groups' nodes that it stands in.
    """
    if node.type == "GROUP":
        end = next(one for one in node.node_tree.nodes if one.type == "GROUP_OUTPUT")
        same = (socket for socket in end.inputs if socket.identifier == source.identifier)
        return _input_size((*around, node), next(same), counted)
    if node.type == "GROUP_INPUT":
        *outer, group = around
        same = next(socket for socket in group.inputs if socket.identifier == source.identifier)
        key = (*(one.name for one in around), "input", same.identifier)
        return _once(key, counted, lambda: _input_size(tuple(outer), same, counted))
    key = (*(one.name for one in around), "node", node.name)
    inputs = node.inputs
    return _once(
        key, counted, lambda: sum(_input_size(around, socket, counted) for socket in inputs)
    )


def _once(key, counted, size) -> int:
    if key in counted:
        return 0
    counted.add(key)
    return size()


def _input_size(around, socket, counted) -> int:
    if not socket.is_linked:
        return _BYTES.get(socket.type, 0)
    link = socket.links[0]
    return _node_size(around, link.from_node, link.from_socket, counted)
