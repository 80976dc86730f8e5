# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that put plants on a terrain: one group for each kind of them, used by one for all.

Places come from a tile of points that repeats over the terrain's plane, each with its rank: a place is
taken if its rank is less than the density wanted there. So another height, or another density, moves
none of them. Beyond the near distance stand lighter models, and where a tree is a few pixels high groups of
eight. Trees stand where the material of the ground shows woods: see `plant_woods`.
"""

from __future__ import annotations

import math
from typing import Any

from ....noise_core.base.params import Parameter
from ....noise_core.landscapes.plants import KINDS, Plants, kind_of
from ....noise_core.materials.ground.plan import GroundPlan
from ..nodetree.node_graph import NodeGraph, Output
from . import finer_ground
from .plant_ground import index_at, is_grid_of
from .plant_kind import BEYOND, MAPS, MODELS, declare_kind, title_of_input
from .plant_places import LEVELS, ORIGIN, SHARES, TREES
from .plant_woods import declare_woods

NAMES = {
    "Terrain": "Object",
    "Land": "Object",
    "Water": "Object",
    "Sea": "Object",
    "Camera": "Object",
    "Places": "Object",
}
"""Inputs of the group that are no parameters, and their kinds."""

TREES_UP_TO = 8.0
"""Near distances from the camera up to which trees stand; woods are painted beyond."""

REACH = {"conifers": (1.0, TREES_UP_TO), "broadleaves": (1.0, TREES_UP_TO), "bushes": (0.4, 7.0), "grass": (0.035, 7.0), "stones": (0.6, 3.5)}  # fmt: skip
"""Of each kind: its near distance as a share of that of trees, and how many of these far off the last
ones stand, 0 if there is no end."""

STANDS = {"conifers": 1.0, "broadleaves": -1.0}
"""Trees of woods: which of two kinds stands where it is cold."""

UPRIGHT = frozenset(STANDS)
"""Kinds whose single plants stand upright on slopes; others lie on them."""

HEDGES = {"broadleaves": 0.2, "bushes": 1.0}
"""How many of the places along borders of fields each kind takes."""


def socket_of(parameter: Parameter) -> str:
    """Return the name of the group's input for a parameter."""
    kind = kind_of(parameter)
    return f"{kind.title()} {parameter.title}" if kind else parameter.title


def collections_of(kind: str) -> tuple[str, ...]:
    """Return the names of the inputs for models near the camera, lighter ones, and groups of these far off."""
    return tuple(f"{kind.title()} {name}" for name in MODELS)


def declare(plan: GroundPlan | None) -> NodeGraph:
    """Declare the group on the object: all kinds on one terrain, whose colors have a plan."""
    graph = NodeGraph()
    graph.input("Geometry", "Geometry")
    inputs = {name: graph.input(name, kind, _HELP[name]) for name, kind in NAMES.items()}
    inputs[BEYOND] = graph.number(BEYOND, 0.0, (0.0, 2.0), _HELP[BEYOND])
    inputs[ORIGIN] = graph.vector(ORIGIN, _HELP[ORIGIN])
    for name in MAPS:
        inputs[name] = graph.input(name, "String", _HELP[name])
    for parameter in Plants.of_kind(""):
        inputs[parameter.name] = _declare_input(graph, parameter)
    for kind in KINDS:
        with graph.panel(kind.title(), is_closed=True):
            for parameter in Plants.of_kind(kind):
                inputs[parameter.name] = _declare_input(graph, parameter)
            for name, text in zip(collections_of(kind), _COLLECTIONS):
                inputs[name] = graph.input(name, "Collection", text)
    shared = _declare_terrain(graph, inputs)
    one_kind = declare_kind(declare_woods(plan))
    parts = [
        graph.group(one_kind, _inputs(graph, kind, inputs, shared), label=kind.title())
        for kind in KINDS
    ]
    joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": parts})
    graph.output("Geometry", joined, kind="Geometry")
    return graph


_HELP = {
    "Terrain": "What they stand on",
    "Land": "What they stand on around the terrain; without it that is the terrain's mirror image",
    "Water": "No plants stand where this lies above the ground",
    "Sea": "The same for the sea around the terrain",
    "Camera": "Near it each plant stands alone; without one there are groups only",
    "Places": "Points of one tile in the order in which they are taken",
    BEYOND: "Widths of the terrain up to which plants go on outside, ever fewer",
    ORIGIN: "Where the terrain's middle lies on the land that it is a tile of: neighbors join",
    "Moisture Map": "Attribute of the terrain that is 1 where it is moist, besides hollows",
    "Flow Map": "Attribute of the terrain that is 1 in rivers",
    "Wear Map": "Attribute of the terrain that is 1 where most has been worn away",
}

_COLLECTIONS = (
    "Each of its objects is one of them, 1 m high",
    "The same farther from the camera: fewer faces; empty for the objects of the first collection",
    "Far from the camera: groups of several; empty for the objects of the other collections",
)


def _declare_input(graph: NodeGraph, parameter: Parameter) -> Output:
    if parameter.kind == "text":
        return graph.input(socket_of(parameter), "String", parameter.help)
    if parameter.kind == "integer":
        return graph.input(
            socket_of(parameter),
            "Int",
            parameter.help,
            parameter.default,
            (parameter.minimum, parameter.maximum),
        )
    is_angle = parameter.unit == "angle"
    scale = math.radians(1.0) if is_angle else 1.0
    subtype = {"angle": "ANGLE", "length": "DISTANCE", "factor": "FACTOR"}.get(
        parameter.unit, "NONE"
    )
    limits = (parameter.minimum * scale, parameter.maximum * scale)
    default: Any = parameter.default
    return graph.number(socket_of(parameter), default * scale, limits, parameter.help, subtype)


def _declare_terrain(graph: NodeGraph, inputs: dict[str, Output]) -> dict[str, Output]:
    """Declare the values of the terrain, the water and the camera that all kinds need."""
    whole = graph.node("GeometryNodeObjectInfo", {"Object": inputs["Terrain"]})["Geometry"]
    terrain, patch = _apart(graph, whole)
    land, *waters = (
        graph.node("GeometryNodeObjectInfo", {"Object": inputs[name]})["Geometry"]
        for name in ("Land", "Water", "Sea")
    )
    water = graph.node("GeometryNodeJoinGeometry", {"Geometry": waters})
    places = graph.node("GeometryNodeObjectInfo", {"Object": inputs["Places"]})["Geometry"]
    camera = graph.node(
        "GeometryNodeObjectInfo", {"Object": inputs["Camera"]}, transform_space="RELATIVE"
    )
    box = graph.node("GeometryNodeBoundBox", {"Geometry": whole})
    size = graph.vector_math("SUBTRACT", box["Max"], box["Min"])
    width, depth, _ = graph.separate(size)
    count = graph.node("GeometryNodeAttributeDomainSize", {"Geometry": terrain})["Point Count"]
    with graph.frame("Columns of a grid of square cells"):
        ratio = depth / graph.math("MAXIMUM", width, 1e-6)
        less = ratio - 1.0
        root = graph.math("SQRT", less * less + 4.0 * ratio * count)
        columns = graph.math("ROUND", (less + root) / graph.math("MAXIMUM", 2.0 * ratio, 1e-6))
    shared = {
        "Terrain": terrain,
        "Patch": patch,
        "Land": land,
        "Water": water,
        "Places": places,
        ORIGIN: inputs[ORIGIN],
        "Low": box["Min"],
        "Extent": size,
        "Columns": columns,
        "Rows": graph.math("ROUND", count / graph.math("MAXIMUM", columns, 1.0)),
        # A missing object has no scale.
        "Is Grid": is_grid_of(graph, terrain, columns, count, box),
        "Has Camera": graph.vector_math("LENGTH", camera["Scale"]),
    }
    return {**shared, "Camera": _over_ground(graph, shared, camera["Location"])}


def _apart(graph: NodeGraph, whole: Output) -> tuple[Output, Output]:
    """Return a terrain without its detail patch, and the patch; the latter is empty if there is none."""
    marked = graph.node(
        "GeometryNodeInputNamedAttribute", {"Name": finer_ground.IS_FINER}, data_type="BOOLEAN"
    )["Attribute"]
    unmarked = {"Geometry": whole, "Selection": marked}
    patch = {"Geometry": whole, "Selection": graph.math("LESS_THAN", marked, 0.5)}
    terrain, fine = (
        graph.node("GeometryNodeDeleteGeometry", inputs) for inputs in (unmarked, patch)
    )
    return terrain, fine


def _over_ground(graph: NodeGraph, shared: dict[str, Output], place: Output) -> Output:
    """Return a place whose height is that above the ground below it: distances from it need no other."""
    x, y, z = graph.separate(place)
    low, size = graph.separate(shared["Low"]), graph.separate(shared["Extent"])
    across, along = (
        graph.math("MINIMUM", graph.math("MAXIMUM", (coordinate - first) / wide, 0.0), 1.0)
        for coordinate, first, wide in zip((x, y), low, size)
    )
    inputs = {
        "Geometry": shared["Terrain"],
        "Value": graph.node("GeometryNodeInputPosition"),
        "Index": index_at(graph, shared, across, along),
    }
    below = graph.node("GeometryNodeSampleIndex", inputs, data_type="FLOAT_VECTOR", domain="POINT")
    return graph.combine(x, y, graph.math("MAXIMUM", z - graph.separate(below)[2], 0.0))


def _inputs(
    graph: NodeGraph, kind: str, inputs: dict[str, Output], shared: dict[str, Output]
) -> dict[str, Any]:
    """Return the inputs of the group of one kind."""
    near, reach = REACH[kind]
    _, middle, far_share = LEVELS.get(kind, TREES)
    woods: dict[str, Any] = {"Stand": STANDS.get(kind, 0.0), "Fringe": float(kind == "bushes")}
    for rival in STANDS if kind in STANDS else ():
        if rival != kind:
            has_rival = graph.math("GREATER_THAN", inputs[f"{rival}_density"], 1e-6)
            woods |= {"Alone": 1.0 - has_rival, "Rival Moisture": inputs[f"{rival}_moisture"]}
    woods = {"Alone": 0.0, "Rival Moisture": 0.0, **woods}
    levels = {**dict(zip(SHARES, (middle, far_share))), "Fading": 2.0 if kind == "grass" else 0.0}
    levels |= {"Leaning": float(kind not in UPRIGHT), "Strewn": float(kind == "stones")}
    plain = {"Near": inputs["near"] * near, "Reach": inputs["near"] * (near * reach)}
    names = ("group_size", "fields", "viewport_share", "seed")
    shared_inputs = {title_of_input(name): inputs[name] for name in names}
    kind_inputs = {
        title_of_input(parameter.name.partition("_")[2]): inputs[parameter.name]
        for parameter in Plants.of_kind(kind)
    }
    texts = {"Mask": inputs["mask"], **{name: inputs[name] for name in MAPS}}
    salt = {"Kind": float(list(KINDS).index(kind)), "Hedges": HEDGES.get(kind, 0.0)}
    models: dict[str, Any] = dict(zip(MODELS, (inputs[name] for name in collections_of(kind))))
    models |= {BEYOND: inputs[BEYOND], **woods, **levels}
    return {**shared, **plain, **shared_inputs, **kind_inputs, **texts, **salt, **models}
