# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that tell where woods are: the same declarations as in the terrain's material, read at the places of plants.

So the woods that are painted on the ground and those that stand have one mask.
"""

from __future__ import annotations

from typing import Any

from ....noise_core.materials.colors import GroundLayer
from ....noise_core.materials.ground.measures import GroundMeasures
from ....noise_core.materials.ground.plan import GroundPlan
from ..nodetree.node_graph import NodeGraph, Output
from ..nodetree.terrain_material import ground_layers, ground_masks
from .plant_ground import declare_map

WOODS = "woods"
"""The layer that trees stand on."""

_HALO = 0.16
"""How much more of the ground the edges of woods cover, where trees stand alone."""

_SOFT = 0.30
"""Softness of those edges."""

_AMONG = 0.6
"""How much fewer of these stand where another layer covers the ground."""

_PLACE = {"Terrain": "Geometry", "X": "Float", "Y": "Float", "Height": "Float", "Slope": "Float", "Vertex": "Float"}  # fmt: skip
"""Inputs of the group: a place on the ground, the terrain below, and its closest vertex."""


class _VertexGraph(NodeGraph):
    """A graph whose attributes are those of a terrain's vertex, 0 where it has none."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.one_map = declare_map()

    def attribute(self, name: str) -> Output:
        """Return a number stored on the vertex, 0 by default."""
        inputs = {name: self.inputs[name] for name in ("Terrain", "Vertex")}
        return self.group(self.one_map, {**inputs, "Name": name, "Missing": 0.0})


def declare_woods(plan: GroundPlan | None) -> NodeGraph:
    """Declare the group that tells how much of a place is woods.

    Its outputs are *Known*, 0 if the ground has no layer of woods; *Woods*, the share of the ground that shows
    them; *Edge*, the same with wide soft edges.
    """
    graph = NodeGraph.with_inputs("Woods", _PLACE)
    measures = None if plan is None else plan.measures
    if plan is None or measures is None or WOODS not in plan.layers:
        for name in ("Known", "Woods", "Edge"):
            graph.output(name, 0.0)
        return graph
    masks = graph.part(_declare_masks(plan, measures), graph.inputs)
    mask = ground_layers.declare_layer_mask()
    free = _uncovered(graph, plan, measures, masks, mask)
    layer = plan.landscape.layers[WOODS]
    values = _limits(layer, mask) | ground_layers.mask_links(WOODS, layer, masks, measures.full)
    wide = {"Amount": layer.amount + _HALO, "Softness": _SOFT}
    graph.output("Known", 1.0)
    # Trees thin out where the paint breaks up into spots; single ones stand in snow and among stones, too.
    for name, more, seen in (("Woods", {}, free), ("Edge", wide, free * _AMONG + (1.0 - _AMONG))):
        graph.output(name, graph.group(mask, {**values, "Broken": 0.0, **more}) * seen)
    return graph


def _uncovered(
    graph: NodeGraph, plan: GroundPlan, measures: GroundMeasures, masks: Output, mask: NodeGraph
) -> Output | float:
    """Return the share of the ground that no layer above the woods covers."""
    free: Output | float = 1.0
    for name in plan.layers[plan.layers.index(WOODS) + 1 :]:
        layer = plan.landscape.layers[name]
        links = ground_layers.mask_links(name, layer, masks, measures.full)
        inputs = {**_limits(layer, mask), **links}
        free = free * (1.0 - graph.group(mask, inputs, label=name.title()))
    return free


def _limits(layer: GroundLayer, mask: NodeGraph) -> dict[str, Any]:
    """Return the values of a layer that its mask depends on."""
    values = ground_layers.layer_values(layer, is_base=False)
    return {name: value for name, value in values.items() if name in mask.inputs}


def _declare_masks(plan: GroundPlan, measures: GroundMeasures) -> NodeGraph:
    """Declare the masks of a terrain material at a place."""
    graph = _VertexGraph.with_inputs("Masks", _PLACE)
    place = graph.inputs
    position = graph.combine(place["X"], place["Y"], place["Height"])
    height = graph.map_range(place["Height"], measures.low, measures.high)
    above = place["Height"] - (plan.sea or 0.0)
    slope = graph.math("DEGREES", place["Slope"])
    values: dict[str, Any] = {"Width": measures.width, "Sea": 0.0, "Lakes": 0.0}
    values |= {f"Full {name.title()}": value for name, value in measures.full.items()}
    ashore: Any = above if plan.sea is not None else graph.math("MAXIMUM", above, 1e6)
    graph.inputs = {**place, **_unlinked(values)}
    ground_masks.declare_masks(graph, position, height, slope, above, ashore)
    graph.inputs = place
    return graph


def _unlinked(values: dict[str, Any]) -> dict[str, Any]:
    """Return the inputs of the masks as plain numbers."""
    declared = NodeGraph()
    ground_masks.declare_mask_inputs(declared)
    numbers = {socket.name: float(socket.default) for socket in declared.sockets}
    return {**numbers, **values}
