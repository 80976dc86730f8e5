# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that put plants on a terrain: one group for each kind of them, used by one for all.

Places come from a tile of points that repeats over the terrain's plane, each with its rank: a place is
taken if its rank is less than the density wanted there. So another height, or another density, moves
none of them; far from the camera one group of plants stands for eight, farther off for sixty-four.
"""

from __future__ import annotations

import math
from typing import Any

from ....noise_core.base.params import Parameter
from ....noise_core.plants import KINDS, Plants, kind_of
from ..nodetree.node_graph import NodeGraph, Output
from .plant_places import GROUND_INPUTS, Place, declare_ground, declare_places, sample_map

NAMES = {"Terrain": "Object", "Water": "Object", "Camera": "Object", "Places": "Object"}
"""Inputs of the group that are no parameters, and their kinds."""

BEYOND = "Beyond"
"""Input of the group: widths of the terrain up to which plants go on outside, as in its mirror image."""

MAPS = ("Moisture Map", "Flow Map", "Wear Map")
"""Inputs of the group that name attributes of the terrain."""

REACH = {"conifers": (1.0, 0.0), "broadleaves": (1.0, 0.0), "bushes": (0.6, 5.0), "grass": (0.16, 1.0), "stones": (0.8, 5.0)}  # fmt: skip
"""Of each kind: its near distance as a share of that of trees, and how many of these far off the last
ones stand, 0 if there is no end."""

HEDGES = {"broadleaves": 0.12, "bushes": 1.0}
"""How many of the places along borders of fields each kind takes."""

_ALONE = 0.012
"""Of those that like to stand in groups: how many stand alone."""

_FADE = math.radians(4.0)
"""Below the steepest slope, over which plants become fewer."""


def socket_of(parameter: Parameter) -> str:
    """Return the name of the group's input for a parameter."""
    kind = kind_of(parameter)
    if not kind:
        return parameter.title
    first = kind.title()
    return f"{first} Density" if parameter.name.endswith("_density") else f"{first} {parameter.title}"


def collections_of(kind: str) -> tuple[str, str]:
    """Return the names of the inputs for what stands near the camera, and for groups of it far off."""
    return f"{kind.title()} Collection", f"{kind.title()} Far Collection"


def declare() -> NodeGraph:
    """Declare the group on the object: all kinds on one terrain."""
    graph = NodeGraph()
    graph.input("Geometry", "Geometry")
    given = {name: graph.input(name, kind, _HELP[name]) for name, kind in NAMES.items()}
    given[BEYOND] = graph.number(BEYOND, 0.0, (0.0, 2.0), _HELP[BEYOND])
    for name in MAPS:
        given[name] = graph.input(name, "String", _HELP[name])
    for one in Plants.of_kind(""):
        given[one.name] = _declare_input(graph, one)
    for kind in KINDS:
        with graph.panel(kind.title(), is_closed=True):
            for one in Plants.of_kind(kind):
                given[one.name] = _declare_input(graph, one)
            for name, text in zip(collections_of(kind), _COLLECTIONS):
                given[name] = graph.input(name, "Collection", text)
    shared = _declare_terrain(graph, given)
    one_kind = _declare_kind()
    parts = [graph.group(one_kind, _inputs(kind, given, shared), label=kind.title()) for kind in KINDS]
    joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": parts})
    graph.output("Geometry", joined, kind="Geometry")
    return graph


_HELP = {
    "Terrain": "What they stand on",
    "Water": "No plants stand where this lies above the ground",
    "Camera": "Near it each plant stands alone; without one there are groups only",
    "Places": "Points of one tile in the order in which they are taken",
    BEYOND: "Widths of the terrain up to which plants go on outside, as in its mirror image",
    "Moisture Map": "Attribute of the terrain that is 1 where it is moist, besides hollows",
    "Flow Map": "Attribute of the terrain that is 1 in rivers",
    "Wear Map": "Attribute of the terrain that is 1 where most has been worn away",
}

_COLLECTIONS = (
    "Each of its objects is one of them, 1 m high",
    "The same far from the camera: groups of eight; empty for the objects of the other collection",
)


def _declare_input(graph: NodeGraph, one: Parameter) -> Output:
    if one.kind == "text":
        return graph.input(socket_of(one), "String", one.help)
    if one.kind == "integer":
        return graph.input(socket_of(one), "Int", one.help, one.default, (one.minimum, one.maximum))
    is_angle = one.unit == "angle"
    scale = math.radians(1.0) if is_angle else 1.0
    subtype = {"angle": "ANGLE", "length": "DISTANCE", "factor": "FACTOR"}.get(one.unit, "NONE")
    limits = (one.minimum * scale, one.maximum * scale)
    default: Any = one.default
    return graph.number(socket_of(one), default * scale, limits, one.help, subtype)


def _declare_terrain(graph: NodeGraph, given: dict[str, Output]) -> dict[str, Output]:
    """Declare what all kinds need to know of the terrain, the water and the camera."""
    terrain = graph.node("GeometryNodeObjectInfo", {"Object": given["Terrain"]})["Geometry"]
    water = graph.node("GeometryNodeObjectInfo", {"Object": given["Water"]})["Geometry"]
    places = graph.node("GeometryNodeObjectInfo", {"Object": given["Places"]})["Geometry"]
    camera = graph.node(
        "GeometryNodeObjectInfo", {"Object": given["Camera"]}, transform_space="RELATIVE"
    )
    box = graph.node("GeometryNodeBoundBox", {"Geometry": terrain})
    size = graph.vector_math("SUBTRACT", box["Max"], box["Min"])
    width, depth, _ = graph.separate(size)
    count = graph.node("GeometryNodeAttributeDomainSize", {"Geometry": terrain})["Point Count"]
    with graph.frame("Columns of a grid of square cells"):
        ratio = depth / graph.math("MAXIMUM", width, 1e-6)
        less = ratio - 1.0
        root = graph.math("SQRT", less * less + 4.0 * ratio * count)
        columns = graph.math("ROUND", (less + root) / graph.math("MAXIMUM", 2.0 * ratio, 1e-6))
    return {
        "Terrain": terrain,
        "Water": water,
        "Places": places,
        "Low": box["Min"],
        "Extent": size,
        "Columns": columns,
        "Rows": graph.math("ROUND", count / graph.math("MAXIMUM", columns, 1.0)),
        "Camera": camera["Location"],
        # A missing object has no scale.
        "Has Camera": graph.vector_math("LENGTH", camera["Scale"]),
    }


def _inputs(kind: str, given: dict[str, Output], shared: dict[str, Output]) -> dict[str, Any]:
    """Return the inputs of the group of one kind."""
    near, reach = REACH[kind]
    plain = {"Near": given["near"] * near, "Reach": given["near"] * (near * reach)}
    names = ("group_size", "fields", "viewport_share", "seed")
    rest = {_title(name): given[name] for name in names}
    own = {_title(one.name.partition("_")[2]): given[one.name] for one in Plants.of_kind(kind)}
    ours, far = (given[name] for name in collections_of(kind))
    texts = {"Mask": given["mask"], **{name: given[name] for name in MAPS}}
    salt = {"Kind": float(list(KINDS).index(kind)), "Hedges": HEDGES.get(kind, 0.0)}
    models = {"Collection": ours, "Far Collection": far, BEYOND: given[BEYOND]}
    return {**shared, **plain, **rest, **own, **texts, **salt, **models}


def _title(name: str) -> str:
    return name.replace("_", " ").title()


# --- one kind -----------------------------------------------------------------------------------


def _declare_kind() -> NodeGraph:
    """Declare the group of one kind of plants."""
    graph = NodeGraph("Kind")
    for name in ("Terrain", "Water", "Places"):
        graph.input(name, "Geometry")
    for name in ("Low", "Extent", "Camera"):
        graph.input(name, "Vector")
    numbers = ("Columns", "Rows", "Has Camera", BEYOND, "Near", "Reach", "Group Size", "Fields", "Viewport Share", "Seed", "Kind", "Hedges")  # fmt: skip
    own = [_title(one.name.partition("_")[2]) for one in Plants.of_kind(next(iter(KINDS)))]
    for name in (*numbers, *own):
        graph.input(name)
    for name in ("Mask", *MAPS):
        graph.input(name, "String")
    for name in ("Collection", "Far Collection"):
        graph.input(name, "Collection")
    given = graph.inputs
    tried, place = declare_places(graph)
    ground = graph.group(declare_ground(), {name: given[name] for name in GROUND_INPUTS})
    with graph.frame("Where"):
        cover = _cover(graph, ground, place)
        wanted = place.share * place.thinning * cover
        chosen = _keep(graph, tried, graph.math("LESS_THAN", place.rank, wanted))
    with graph.frame("Ground"):
        x, y, _ = graph.separate(graph.node("GeometryNodeInputPosition"))
        moved = {"Geometry": chosen, "Position": graph.combine(x, y, ground["Height"])}
        standing = graph.node("GeometryNodeSetPosition", moved)
        dry = _keep(graph, standing, 1.0 - _is_wet(graph, ground))
    graph.output("Geometry", _instances(graph, dry, place, cover), kind="Geometry")
    return graph


def _keep(graph: NodeGraph, points: Output, share: Output) -> Output:
    """Return the points of which a number is above 0."""
    lost = graph.math("LESS_THAN", share, 1e-9)
    return graph.node("GeometryNodeDeleteGeometry", {"Geometry": points, "Selection": lost})


def _cover(graph: NodeGraph, ground: Output, place: Place) -> Output:
    """Return how much of the ground is covered at each place, from 0 to 1."""
    given = graph.inputs
    grouped = given["Clumps"]
    seed = graph.math("MULTIPLY_ADD", given["Seed"], 7.31, given["Kind"] * 3.7)
    noise = {
        "Vector": place.flat, "W": seed, "Scale": 1.0 / graph.math("MAXIMUM", given["Group Size"], 0.01),
        "Detail": 4.0, "Roughness": 0.55,
    }  # fmt: skip
    clumps = graph.node("ShaderNodeTexNoise", dict(noise), noise_dimensions="4D") - 0.5
    moist = ground["Hollow"] + 2.0 * sample_map(graph, ground, "Moisture Map")
    wish = 1.0 + grouped * (graph.math("MULTIPLY_ADD", clumps, 9.0, -1.3))
    wish = wish + given["Moisture"] * moist * 1.3
    for name in ("Flow", "Wear"):
        wish = wish + given[name] * sample_map(graph, ground, f"{name} Map") * 2.0
    dense = graph.math("POWER", graph.math("MINIMUM", graph.math("MAXIMUM", wish, 0.0), 1.0), 2.0)
    dense = graph.math("MAXIMUM", dense, grouped * _ALONE)
    dense = graph.math("MAXIMUM", dense, _hedges(graph, place))
    steep = given["Steepest"]
    gentle = graph.map_range(ground["Slope"], steep - _FADE, steep, 1.0, 0.0)
    level = graph.math("MULTIPLY_ADD", clumps, 0.1, ground["Share"])
    low = graph.map_range(level, given["Lowest"], given["Lowest"] + 0.03)
    high = graph.map_range(level, given["Highest"] - 0.06, given["Highest"], 1.0, 0.0)
    mask = sample_map(graph, ground, "Mask", missing=1.0)
    return dense * gentle * low * high * mask


def _hedges(graph: NodeGraph, place: Place) -> Output:
    """Return how much of the ground hedges cover: borders of cells of noise, pushed about."""
    given = graph.inputs
    size = graph.math("MAXIMUM", given["Fields"], 1.0)
    flat = graph.vector_math("SCALE", place.flat, 1.0 / size)
    noise = graph.node("ShaderNodeTexNoise", {"Vector": flat, "Scale": 1.3, "Detail": 2.0})["Color"]
    pushed = graph.vector_math("ADD", flat, graph.vector_math("SCALE", noise, 0.35))
    cells = {"Vector": pushed, "Scale": 1.0, "Randomness": 0.85}
    edge = graph.node(
        "ShaderNodeTexVoronoi", dict(cells), feature="DISTANCE_TO_EDGE", voronoi_dimensions="2D"
    )["Distance"]
    # Fewer and wider ones far off.
    wide = graph.math("POWER", 2.83, place.level) * 1.2
    inside = graph.math("LESS_THAN", edge * size, wide)
    return inside * graph.math("GREATER_THAN", given["Fields"], 1.0) * given["Hedges"]


def _is_wet(graph: NodeGraph, ground: Output) -> Output:
    """Return whether water lies above the ground."""
    ray = {
        "Target Geometry": graph.inputs["Water"],
        "Source Position": graph.combine(ground["X"], ground["Y"], ground["Height"] + 1e5),
        "Ray Direction": (0.0, 0.0, -1.0),
        "Ray Length": 2e5,
    }
    hit = graph.node("GeometryNodeRaycast", ray)
    _, _, level = graph.separate(hit["Hit Position"])
    return hit["Is Hit"] * graph.math("GREATER_THAN", level, ground["Height"] - 0.05)


def _instances(graph: NodeGraph, points: Output, place: Place, cover: Output) -> Output:
    """Return the instances on points: alone near the camera, groups far off."""
    given = graph.inputs
    _, size, turn = place.chances
    grown = graph.math("MULTIPLY_ADD", graph.math("SQRT", cover), 0.4, 0.6)
    scale = given["Size"] * grown * graph.math("MULTIPLY_ADD", size, 0.65, 0.55)
    # One in the distance stands for eight groups: it is as much wider.
    wide = scale * graph.math("POWER", math.sqrt(8.0), graph.math("MAXIMUM", place.level - 1.0, 0.0))
    pick = graph.math("FLOOR", turn * 997.0)
    common = {
        "Pick Instance": True,
        "Instance Index": pick,
        "Rotation": graph.combine(0.0, 0.0, turn * (2.0 * math.pi)),
    }
    is_near = graph.math("LESS_THAN", place.level, 0.5)
    ours, far = (_models(graph, name) for name in ("Collection", "Far Collection"))
    found = graph.node("GeometryNodeAttributeDomainSize", {"Geometry": far}, component="INSTANCES")
    has_far = graph.math("GREATER_THAN", found["Instance Count"], 0.5)
    far = graph.node(
        "GeometryNodeSwitch",
        {"Switch": has_far, "False": ours, "True": far},
        input_type="GEOMETRY",
    )
    apart = graph.combine(wide, wide, scale)
    first = {**common, "Points": points, "Selection": is_near, "Instance": ours, "Scale": apart}
    second = {**first, "Selection": 1.0 - is_near, "Instance": far}
    both = [graph.node("GeometryNodeInstanceOnPoints", one) for one in (first, second)]
    return graph.node("GeometryNodeJoinGeometry", {"Geometry": both})


def _models(graph: NodeGraph, name: str) -> Output:
    inputs = {"Collection": graph.inputs[name], "Separate Children": True, "Reset Children": True}
    return graph.node("GeometryNodeCollectionInfo", inputs)
