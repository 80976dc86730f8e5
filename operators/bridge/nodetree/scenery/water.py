# SPDX-License-Identifier: GPL-3.0-or-later
"""The material of water that lies over a terrain."""

from __future__ import annotations

from .....noise_core.materials.colors import Landscape
from ..node_graph import NodeGraph

DEPTH = "terrane_depth"
"""Attribute of a mesh of water: meters above the ground."""

_CLEAR = 0.0035
"""Depth at which the color is two thirds of the way to that of deep water, as a share of the width."""

_GUSTS, _SWELL = 9.0, 260.0
"""Patches of wind, and waves, along the width of a terrain: larger than real ones, which would be too
small to see."""

_WAVE = 3.5e-4
"""Height of waves as a share of the width."""


def declare_water(palette: Landscape, width: float) -> NodeGraph:
    """Declare water: clear at the shore, dark in the deep, rougher where wind meets it.

    Parameters
    ----------
    palette : Landscape
        Has the colors of shallow and of deep water.
    width : float
        Of the terrain, in meters.
    """
    graph = NodeGraph()
    position = graph.node("ShaderNodeNewGeometry")["Position"]
    depth = graph.math("MAXIMUM", graph.attribute(DEPTH), 0.0)
    clear = _CLEAR * width
    with graph.frame("Color"):
        share = 1.0 - graph.math("EXPONENT", depth * (-1.0 / clear))
        color = graph.mix(share, palette.shallow, palette.deep, "RGBA")
        alpha = graph.map_range(depth, 0.0, 0.35 * clear, 0.35, 1.0)
    with graph.frame("Waves"):
        noise = {"Vector": position, "Scale": _GUSTS / width, "Detail": 4.0, "Roughness": 0.6}
        gusts = graph.node("ShaderNodeTexNoise", dict(noise))
        roughness = graph.map_range(gusts, 0.35, 0.65, 0.06, 0.20)
        waves = {"Vector": position, "Scale": _SWELL / width, "Detail": 5.0, "Roughness": 0.62}
        swell = graph.node("ShaderNodeTexNoise", {**waves, "Distortion": 0.4})
        bumps = {"Height": swell, "Strength": 0.35, "Distance": _WAVE * width}
        normal = graph.node("ShaderNodeBump", dict(bumps))
    shader = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": color,
            "Roughness": roughness,
            "IOR": 1.33,
            "Alpha": alpha,
            "Normal": normal,
        },
    )
    graph.node("ShaderNodeOutputMaterial", {"Surface": shader})
    return graph
