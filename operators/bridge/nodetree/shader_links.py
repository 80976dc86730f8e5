# SPDX-License-Identifier: GPL-3.0-or-later
"""The shader that a material shows, and links to those of its inputs that are free."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .builder import connect


def output_node(tree: Any) -> Any | None:
    """Return the active output of a material, else any, None if there is none."""
    return tree.get_output_node("ALL") or next(
        (node for node in tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial"), None
    )


def find_principled(tree: Any, shown: Any) -> Any | None:
    """Return the shader that the output shows, or the only one behind other nodes, else None."""
    if shown.bl_idname == "ShaderNodeBsdfPrincipled":
        return shown
    others = [one for one in tree.nodes if one.bl_idname == "ShaderNodeBsdfPrincipled"]
    return others[0] if len(others) == 1 else None


def connect_free(shader: Any, sources: Mapping[str, Any]) -> list[str]:
    """Link inputs of the shader that are free; return those that do not follow the sources."""
    taken = []
    for name, source in sources.items():
        if not shader.inputs[name].is_linked:
            connect(source, shader.inputs[name])
        elif not source.is_linked:  # it may lead there through nodes of the user's
            taken.append(name)
    return taken
