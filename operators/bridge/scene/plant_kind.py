# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of one kind of plants: their places, their sizes, and their stand-ins far off."""

from __future__ import annotations

import math

from ....noise_core.landscapes.plants import KINDS, Plants
from ..nodetree.node_graph import NodeGraph, Output, Value
from .plant_ground import declare_ground, declare_map
from .plant_places import ORIGIN, SHARES, PlaceFields, declare_places

BEYOND = "Beyond"
"""Input of the group: widths of the terrain up to which plants go on outside, ever fewer."""

MAPS = ("Moisture Map", "Flow Map", "Wear Map")
"""Inputs of the group that name attributes of the terrain."""

_ALONE = 0.012
"""Of those that like to stand in groups: how many stand alone."""

_HEDGE = "terrane_hedge"
"""Attribute of the points: how much hedges cover there."""

_RAGGED = 0.03
"""How far noise pushes the highest limit down, as a share of the relief."""

_VERGE = 0.02
"""Share of bed from which on nothing grows: about half a cell of the terrain beside it is free, too."""

_FADE = math.radians(4.0)
"""Below the steepest slope, over which plants become fewer."""


def title_of_input(name: str) -> str:
    """Return the name of an input of the group for a parameter of one kind."""
    return name.replace("_", " ").title()


RISE = "terrane_rise"
"""Attribute of the points: meters up per meter of the ground, along x and y."""

_THICK, _FULL = 0.12, 0.40
"""Shares of woods on the ground between which trees become as many as they can be."""

_STAND = 7.0
"""How sharply stands of one kind of tree end at those of another."""

_HIGHER = 1.6
"""How much more of the trees are conifers with height, over the whole relief."""

_STEEPER = 0.9
"""The same with slope, over a radian."""

_MIXED = 0.62
"""Of each kind where neither is preferred: a little more than half leaves no gaps."""

_SHARED = 91.3
"""Seed of the noise of stands, which is no kind's own."""

_FRINGE = 0.10
"""Share of the places at edges of woods where trees stand alone."""

_SHRUBS = 0.55
"""The same of bushes."""

_STREWN = (13.0, -2.0)
"""Powers of 2 by which stones are more with the noise of groups, and in its middle: groups of stones have no edge."""

_BROKEN = (0.4, -0.37)
"""The smallest stone as a share of the usual one, and the power of chance that sizes go by.

Of rocks that impacts or frost broke, about as many are larger than D as D to the power of -2.7: that of -0.9 of the mass
(W. K. Hartmann, 1969: Terrestrial, lunar, and interplanetary rock fragmentation).
"""

_LARGEST = 0.006
"""The least chance: of more stones none is larger than 2.7 times the usual one."""


def declare_kind(woods: NodeGraph) -> NodeGraph:
    """Declare the group of one kind of plants; given is that of `plant_woods`."""
    graph = NodeGraph("Kind")
    for name in ("Terrain", "Patch", "Land", "Water", "Places"):
        graph.input(name, "Geometry")
    for name in ("Low", "Extent", "Camera", ORIGIN):
        graph.input(name, "Vector")
    numbers = ("Columns", "Rows", "Is Grid", "Has Camera", BEYOND, "Near", "Reach", "Group Size", "Fields", "Viewport Share", "Seed", "Kind", "Hedges", "Stand", "Alone", "Rival Moisture", "Fringe", "Leaning", "Strewn", "Fading", *SHARES)  # fmt: skip
    titles = [
        title_of_input(parameter.name.partition("_")[2])
        for parameter in Plants.of_kind(next(iter(KINDS)))
    ]
    for name in (*numbers, *titles):
        graph.input(name)
    for name in ("Mask", *MAPS):
        graph.input(name, "String")
    for name in MODELS:
        graph.input(name, "Collection")
    inputs, one_map = graph.inputs, declare_map()
    candidates, place = declare_places(graph)
    ground = graph.part(declare_ground(), inputs)
    with graph.frame("Where"):
        limits = _limits(graph, ground, one_map)
        allowed = _with_hedges(graph, _keep(graph, candidates, limits), place)
        fields = {**inputs, "On Land": place.on_land}
        fields |= {
            name: ground[name]
            for name in ("Hollow", "Share", "Slope", "Vertex", "X", "Y", "Height")
        }
        painted = graph.part(woods, fields)
        fields |= {name: painted[name] for name in ("Known", "Woods", "Edge")}
        cover = graph.part(_declare_cover(one_map), fields) * limits
        density = place.share * place.thinning * cover
        chosen = _keep(graph, allowed, graph.math("LESS_THAN", place.rank, density))
    with graph.frame("Ground"):
        x, y, _ = graph.separate(graph.node("GeometryNodeInputPosition"))
        # Groups lie on the ground around them, singles on the triangle below.
        is_group = graph.math("GREATER_THAN", place.level, 1.5)
        z = graph.mix(is_group, ground["Height"], ground["Broad Height"])
        rise = graph.mix(is_group, ground["Rise"], ground["Broad Rise"], "VECTOR")
        placement = {"Geometry": chosen, "Position": graph.combine(x, y, z)}
        standing = graph.node("GeometryNodeSetPosition", placement)
        inputs_of_rise = {"Geometry": standing, "Name": RISE, "Value": rise}
        rising = graph.node(
            "GeometryNodeStoreNamedAttribute",
            inputs_of_rise,
            data_type="FLOAT_VECTOR",
            domain="POINT",
        )
        dry = _keep(graph, rising, 1.0 - _is_wet(graph, ground))
    fields = {**inputs, "Points": dry, "Cover": cover, "Level": place.level}
    fields |= {"Chance": place.chances[1], "Turn": place.chances[2]}
    instances = graph.part(_declare_instances(), fields)
    graph.output("Geometry", instances, kind="Geometry")
    return graph


_COVER_INPUTS = (
    {"Terrain": "Geometry", "On Land": "Vector"}
    | dict.fromkeys(MAPS, "String")
    | dict.fromkeys(("Vertex", "Hollow", "Share", "Slope", "Clumps", "Moisture", "Flow", "Wear", "Highest", "Group Size", "Seed", "Kind"), "Float")
    | dict.fromkeys(("Known", "Woods", "Edge", "Stand", "Alone", "Fringe", "Strewn", "Rival Moisture"), "Float")
)  # fmt: skip
"""Inputs of the group that tells how much is covered."""

MODELS = ("Collection", "Light Collection", "Far Collection")
"""Inputs of the group for models near the camera, farther off, and for groups of these."""

_INSTANCE_INPUTS = (
    {"Points": "Geometry"}
    | dict.fromkeys(MODELS, "Collection")
    | dict.fromkeys(("Size", "Cover", "Level", "Chance", "Turn", "Leaning", "Strewn"), "Float")
)
"""Inputs of the group that puts plants on points."""


def _keep(graph: NodeGraph, points: Output, share: Output) -> Output:
    """Return the points of which a number is above 0."""
    removed = graph.math("LESS_THAN", share, 1e-9)
    return graph.node("GeometryNodeDeleteGeometry", {"Geometry": points, "Selection": removed})


def _read_map(
    graph: NodeGraph, one_map: NodeGraph, vertex: Output, name: str, missing: float
) -> Output:
    """Return the value of the terrain's attribute that an input names; `missing` without one."""
    inputs = {"Terrain": graph.inputs["Terrain"], "Vertex": vertex}
    return graph.group(one_map, {**inputs, "Name": graph.inputs[name], "Missing": missing})


def _declare_cover(one_map: NodeGraph) -> NodeGraph:
    """Declare the group that returns the cover of the ground at each place, from 0 to 1."""
    graph = NodeGraph.with_inputs("Cover", _COVER_INPUTS)
    inputs = graph.inputs
    moisture, flow, wear = (_read_map(graph, one_map, inputs["Vertex"], name, 0.0) for name in MAPS)
    grouped, clumps = inputs["Clumps"], _clumps(graph)
    moist = inputs["Hollow"] + 2.0 * moisture
    wet = inputs["Moisture"] * moist * 1.3
    liking: Output | float = 0.0
    for name, value in (("Flow", flow), ("Wear", wear)):
        liking = liking + inputs[name] * value * 2.0
    likes = wet + liking
    wish = 1.0 + grouped * (graph.math("MULTIPLY_ADD", clumps, 14.0, -1.9)) + likes
    strewn = graph.math("POWER", 2.0, graph.math("MULTIPLY_ADD", clumps, *_STREWN))
    wish = graph.mix(inputs["Strewn"], wish, graph.mix(grouped, 1.0, strewn) + likes)
    dense = graph.math("MINIMUM", graph.math("MAXIMUM", wish, 0.0), 1.0)
    dense = _with_woods(graph, dense, liking, moist)
    dense = graph.math("MAXIMUM", dense, grouped * _ALONE)
    hedge = graph.node("GeometryNodeInputNamedAttribute", {"Name": _HEDGE}, data_type="FLOAT")
    dense = graph.math("MAXIMUM", dense, hedge["Attribute"])
    # Noise makes the ends of the allowed range ragged.
    level = graph.math("MULTIPLY_ADD", clumps, 2.0 * _RAGGED, inputs["Share"])
    high = graph.map_range(
        level, inputs["Highest"] - 2.0 * _RAGGED, inputs["Highest"] - _RAGGED, 1.0, 0.0
    )
    graph.output("Cover", dense * high)
    return graph


def _with_woods(graph: NodeGraph, dense: Output, liking: Value, moist: Output) -> Output:
    """Return the cover with trees where the ground shows woods, and bushes at the edges of these.

    Conifers stand high, on slopes and where it is dry, broadleaved trees in hollows and valleys; stands of
    both take turns.
    """
    inputs, stand = graph.inputs, graph.inputs["Stand"]
    is_tree = graph.math("ABSOLUTE", stand)
    thick = graph.map_range(inputs["Woods"], _THICK, _FULL)
    edge = graph.math("MAXIMUM", inputs["Edge"] - thick, 0.0)
    cold = (inputs["Share"] + -0.35) * _HIGHER + (inputs["Slope"] + -0.3) * _STEEPER
    cold = cold + _clumps(graph, is_shared=True) * _STAND
    # What one kind prefers to the other moves the limit between them, and leaves no gap there.
    wetter = (inputs["Moisture"] - inputs["Rival Moisture"] - stand * 0.5) * moist * 0.65
    own = graph.math("ADD", cold * stand + _MIXED + wetter, liking, clamp=True)
    own = graph.math("MAXIMUM", own, inputs["Alone"])
    trees = graph.math("MAXIMUM", thick, edge * _FRINGE) * own
    # Plants that do not stand in groups stand everywhere.
    trees = graph.math("MAXIMUM", trees, graph.map_range(inputs["Clumps"], 0.0, 0.5, 1.0, 0.0))
    shrubs = graph.math("MAXIMUM", dense * (1.0 - thick * 0.8), edge * _SHRUBS * inputs["Clumps"])
    fringed = graph.mix(inputs["Fringe"] * inputs["Known"], dense, shrubs)
    return graph.mix(is_tree * inputs["Known"], fringed, trees)


def _clumps(graph: NodeGraph, *, is_shared: bool = False) -> Output:
    """Return noise that makes groups, around 0: of this kind, or one that all kinds share."""
    inputs = graph.inputs
    number: Value = _SHARED if is_shared else inputs["Kind"] * 3.7
    seed = graph.math("MULTIPLY_ADD", inputs["Seed"], 7.31, number)
    size = graph.math("MAXIMUM", inputs["Group Size"], 0.01)
    vector = graph.vector_math("SCALE", inputs["On Land"], 1.0 / size)
    position = graph.vector_math("ADD", vector, graph.combine(0.0, 0.0, seed))
    noise = {"Vector": position, "Scale": 1.0, "Detail": 3.0, "Roughness": 0.55}
    return graph.node("ShaderNodeTexNoise", dict(noise)) - 0.5


def _limits(graph: NodeGraph, ground: Output, one_map: NodeGraph) -> Output:
    """Return the share of plants that slope, height, mask and drawn paths allow, from 0 to 1."""
    inputs = graph.inputs
    steep, share = inputs["Steepest"], ground["Share"]
    gentle = graph.map_range(ground["Slope"], steep - _FADE, steep, 1.0, 0.0)
    low = graph.map_range(share, inputs["Lowest"], inputs["Lowest"] + 0.03)
    high = graph.math("LESS_THAN", share, inputs["Highest"])
    mask = _read_map(graph, one_map, ground["Vertex"], "Mask", 1.0)
    beside = graph.math("LESS_THAN", ground["Bed"], _VERGE)
    return ground["Found"] * gentle * low * high * mask * beside


def _with_hedges(graph: NodeGraph, points: Output, place: PlaceFields) -> Output:
    """Return points with an attribute for the cover of hedges; only if there are fields."""
    group_inputs = graph.inputs
    has_some = graph.math("GREATER_THAN", group_inputs["Fields"], 1.0) * group_inputs["Hedges"]
    inputs = {"Geometry": points, "Name": _HEDGE, "Value": _hedges(graph, place)}
    stored = graph.node(
        "GeometryNodeStoreNamedAttribute", inputs, data_type="FLOAT", domain="POINT"
    )
    chosen = {"Switch": graph.math("GREATER_THAN", has_some, 0.0), "False": points, "True": stored}
    return graph.node("GeometryNodeSwitch", chosen, input_type="GEOMETRY")


def _hedges(graph: NodeGraph, place: PlaceFields) -> Output:
    """Return the cover of hedges: distorted borders of cells of noise."""
    inputs = graph.inputs
    size = graph.math("MAXIMUM", inputs["Fields"], 1.0)
    flat = graph.vector_math("SCALE", place.on_land, 1.0 / size)
    noise = graph.node("ShaderNodeTexNoise", {"Vector": flat, "Scale": 1.3, "Detail": 2.0})["Color"]
    pushed = graph.vector_math("ADD", flat, graph.vector_math("SCALE", noise, 0.35))
    cells = {"Vector": pushed, "Scale": 1.0, "Randomness": 0.85}
    edge = graph.node(
        "ShaderNodeTexVoronoi", dict(cells), feature="DISTANCE_TO_EDGE", voronoi_dimensions="2D"
    )["Distance"]
    # Fewer and wider ones far off.
    wide = graph.math("POWER", 2.83, place.level) * 1.8
    return graph.math("LESS_THAN", edge * size, wide) * inputs["Hedges"]


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


def _declare_instances() -> NodeGraph:
    """Declare the group that puts instances on points: alone near the camera, groups far off."""
    graph = NodeGraph.with_inputs("Instances", _INSTANCE_INPUTS)
    inputs = graph.inputs
    level, turn = inputs["Level"], inputs["Turn"]
    # Where fewer stand they are young, or cold and wind keep them low.
    grown = graph.math("MULTIPLY_ADD", graph.math("SQRT", inputs["Cover"]), 0.45, 0.55)
    age = grown * graph.math("MULTIPLY_ADD", inputs["Chance"], 0.65, 0.55)
    smallest, power = _BROKEN
    chance = graph.math("MAXIMUM", inputs["Chance"], _LARGEST)
    broken = graph.math("POWER", chance, power) * smallest
    scale = inputs["Size"] * graph.mix(inputs["Strewn"], age, broken)
    common = {
        "Points": inputs["Points"],
        "Pick Instance": True,
        "Instance Index": graph.math("FLOOR", turn * 997.0),
        "Rotation": graph.combine(0.0, 0.0, turn * (2.0 * math.pi)),
        "Scale": graph.combine(scale, scale, scale),
    }
    near, light, far = (_models(graph, name) for name in MODELS)
    light = _first_of(graph, light, near)
    far = _first_of(graph, far, light)
    nodes = []
    for number, models in enumerate((near, light, far)):
        chosen = graph.math("COMPARE", level, float(number), 0.5)
        placed = {**common, "Selection": chosen, "Instance": models}
        nodes.append(graph.node("GeometryNodeInstanceOnPoints", placed))
    joined = graph.node("GeometryNodeJoinGeometry", {"Geometry": nodes[:2]})
    # A trunk is upright; groups, bushes and stones lie on the slope below them.
    single = _lean(graph, joined, inputs["Leaning"])
    joined = graph.node(
        "GeometryNodeJoinGeometry", {"Geometry": [single, _lean(graph, nodes[2], 1.0)]}
    )
    graph.output("Geometry", joined, kind="Geometry")
    return graph


def _lean(graph: NodeGraph, instances: Output, amount: Value) -> Output:
    """Return instances sheared along the slope: what is level in them follows it, what is upright stays so."""
    rise = graph.node("GeometryNodeInputNamedAttribute", {"Name": RISE}, data_type="FLOAT_VECTOR")
    east, north, _ = graph.separate(graph.vector_math("SCALE", rise["Attribute"], amount))
    parts = graph.node(
        "FunctionNodeSeparateMatrix", {0: graph.node("GeometryNodeInstanceTransform")}
    )
    rows = {}
    for column in range(1, 5):
        x, y, z, w = (parts[f"Column {column} Row {row}"] for row in range(1, 5))
        if column < 4:
            z = z + x * east + y * north
        rows |= {f"Column {column} Row {row}": value for row, value in enumerate((x, y, z, w), 1)}
    inputs = {"Instances": instances, "Transform": graph.node("FunctionNodeCombineMatrix", rows)}
    return graph.node("GeometryNodeSetInstanceTransform", inputs)


def _first_of(graph: NodeGraph, models: Output, others: Output) -> Output:
    """Return models, or others if there are none."""
    counted = {"Geometry": models}
    size = graph.node("GeometryNodeAttributeDomainSize", counted, component="INSTANCES")
    is_any = graph.math("GREATER_THAN", size["Instance Count"], 0.5)
    chosen = {"Switch": is_any, "False": others, "True": models}
    return graph.node("GeometryNodeSwitch", chosen, input_type="GEOMETRY")


def _models(graph: NodeGraph, name: str) -> Output:
    inputs = {"Collection": graph.inputs[name], "Separate Children": True, "Reset Children": True}
    return graph.node("GeometryNodeCollectionInfo", inputs)
