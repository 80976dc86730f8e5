# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON Schema of recipes, made of the declarations of all types.

References
----------
Austin Wright, Henry Andrews, Ben Hutton (2022). JSON Schema: A Media Type for Describing JSON Documents, draft 2020-12.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..base.arrays import MAX_HEIGHT
from ..base.checks import LONGEST_TEXT, MAX_LAYERS, MOST_CURVE_POINTS, MOST_CURVES, MOST_PIXELS
from ..base.grid import SIZE, SIZES
from ..base.params import Declared, Kind, Parameter
from ..curves import land_curve
from ..erosion.earthworks import placement
from ..maps.bases.map import map_types
from ..masks.bases.mask import mask_types
from ..modifiers.bases.modifier import modifier_types
from ..noises.bases.noise import DEEPEST_BUILT, noise_types
from . import chains
from .layers import layer_types
from .recipe_data import FORMAT
from .serial import CHAIN, TYPE

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]
"""JSON Schema as plain data."""


def recipe_schema() -> Schema:
    """Return the JSON Schema of recipes, with the help texts of all parameters.

    A file that it accepts can be refused all the same, for what a schema cannot say: x of curves that do
    not rise, names of curves and layers that are not there, a chain that is too long. `Recipe.from_json`
    then says so in one line.

    Returns
    -------
    dict
        Plain data for `json.dumps`, in the dialect 2020-12. The wheel and the site have the same as
        ``recipe.schema.json``, without types of other distributions.

    Examples
    --------
    >>> from noise_core import recipe_schema
    >>> schema = recipe_schema()
    >>> schema["required"], schema["$defs"]["noise_perlin"]["properties"]["frequency"]["default"]
    (['format'], 8.0)
    """
    names = {
        "noise": noise_types(),
        "modifier": modifier_types(),
        "map": map_types(),
        "mask": mask_types(),
    }
    definitions: Schema = {
        f"{kind}_{key}": _object_of(cls)
        for kind, types in names.items()
        for key, cls in types.items()
    }
    for key, cls in noise_types().items():
        if source := chains.primary_source(cls):
            definitions[f"filter_{key}"] = _object_of(cls, left_out=source)
    blended = [key for key in layer_types() if key not in modifier_types()]
    for key in blended:
        definitions[f"layer_{key}"] = _object_of(layer_types()[key])
    filters = [key for key, cls in noise_types().items() if chains.is_filter(cls)]
    definitions |= {
        "noise": _one_of("noise", noise_types()),
        "filter": _one_of("filter", filters),
        "map": _one_of("map", (key for key, cls in map_types().items() if cls.channels == 1)),
        "mask": _one_of("mask", mask_types()),
        "blended_layer": _one_of("layer", blended),
        "layer": {
            "anyOf": [_ref("blended_layer"), *(_ref(f"modifier_{key}") for key in modifier_types())]
        },
        "pixels": _PIXELS,
        "curve": _curve(),
        "placement": _placement(),
    }
    return {
        "$schema": DIALECT,
        "title": "Terrane recipe",
        "description": "Layers from bottom to top, a seed, and measures in meters.",
        **_object(_recipe_entries(), required=["format"]),
        "$defs": dict(sorted(definitions.items())),
    }


def _recipe_entries() -> Schema:
    return {
        "format": {"const": FORMAT, "description": "Number of the format"},
        "seed": {
            "type": "integer",
            "minimum": -0x80000000,
            "maximum": 0xFFFFFFFF,
            "default": 0,
            "description": "Another number gives another land of the same kind",
        },
        "size": {
            **_number(*SIZES),
            "default": SIZE,
            "description": "Width in meters",
        },
        "depth": {
            "type": ["number", "null"],
            "exclusiveMinimum": 0.0,
            "default": None,
            "description": "Extent along y in meters, up to 10,000 times more or less than the width; null is a square",
        },
        "height": {
            **_number(-MAX_HEIGHT, MAX_HEIGHT),
            "default": 1.0,
            "description": "Meters per unit of noise: a noise of 1 stands this high, -1 this deep",
        },
        "curves": {
            "type": "object",
            "propertyNames": {"minLength": 1, "maxLength": LONGEST_TEXT},
            "additionalProperties": _ref("curve"),
            "maxProperties": MOST_CURVES,
            "default": {},
            "description": "Curves drawn on the land, by the names that layers and masks use",
        },
        "layers": {
            **_array(_ref("layer"), MAX_LAYERS),
            "default": [],
            "description": "From bottom to top; the first lies on a plain of 0",
        },
    }


def _object_of(cls: type[Declared], left_out: str = "") -> Schema:
    """Return the schema of the objects of a type, without a parameter that its place gives."""
    entries: Schema = {TYPE: {"const": cls.key}}
    for parameter in cls.parameters():
        if parameter.name != left_out:
            name = CHAIN if parameter.kind == "chain" else parameter.name
            entries[name] = {**_BY_KIND[parameter.kind](parameter), **_notes(parameter)}
    return {"title": cls.label, **_object(entries, required=[TYPE])}


def _notes(parameter: Parameter) -> Schema:
    notes: Schema = {"description": parameter.full_help}
    value = parameter.default
    if parameter.kind in ("vector", "curve"):
        notes["default"] = [list(item) if isinstance(item, tuple) else item for item in value]  # type: ignore[attr-defined]
    elif value is None or isinstance(value, (bool, int, float, str)):
        notes["default"] = value
    return notes


def _object(entries: Schema, required: list[str]) -> Schema:
    return {
        "type": "object",
        "properties": entries,
        "required": required,
        "additionalProperties": False,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _one_of(kind: str, keys: Iterable[str]) -> Schema:
    return {"anyOf": [_ref(f"{kind}_{key}") for key in keys]}


def _array(items: Schema, most: int, least: int = 0) -> Schema:
    schema: Schema = {"type": "array", "items": items, "maxItems": most}
    return {**schema, "minItems": least} if least else schema


def _number(minimum: float, maximum: float, kind: str = "number") -> Schema:
    limits = {"minimum": minimum, "maximum": maximum}
    finite = {name: limit for name, limit in limits.items() if math.isfinite(limit)}
    return {"type": kind, **finite}


def _number_of(parameter: Parameter) -> Schema:
    kind = "integer" if parameter.kind == "integer" else "number"
    return _number(parameter.minimum, parameter.maximum, kind)


def _choice(parameter: Parameter) -> Schema:
    return {
        "anyOf": [{"const": key, "description": text} for key, text in parameter.options.items()]
    }


def _vector(parameter: Parameter) -> Schema:
    number = _number(parameter.minimum, parameter.maximum)
    return _array(number, parameter.size, parameter.size)


def _chain(parameter: Parameter) -> Schema:
    return {
        **_array(_ref("filter"), DEEPEST_BUILT, 1),
        "prefixItems": [_ref("noise")],
    }


_TEXT: Schema = {"type": "string", "maxLength": LONGEST_TEXT}

_BY_KIND: Mapping[Kind, Callable[[Parameter], Schema]] = {
    "number": _number_of,
    "integer": _number_of,
    "boolean": lambda parameter: {"type": "boolean"},
    "choice": _choice,
    "vector": _vector,
    "curve": lambda parameter: _array(_array({"type": "number"}, 2, 2), MOST_CURVE_POINTS, 2),
    "noise": lambda parameter: _ref("noise"),
    "number_or_noise": lambda parameter: {"anyOf": [_number_of(parameter), _ref("noise")]},
    "pixels": lambda parameter: _ref("pixels"),
    "text": lambda parameter: dict(_TEXT),
    "map": lambda parameter: _ref("map"),
    "mask": lambda parameter: {"anyOf": [{"type": "null"}, _ref("mask")]},
    "chain": _chain,
    "filters": lambda parameter: _array(_ref("filter"), DEEPEST_BUILT),
    "layers": lambda parameter: _array(_ref("blended_layer"), MAX_LAYERS),
    "curves": lambda parameter: _array(
        {"anyOf": [{**_TEXT, "minLength": 1}, _ref("curve")]}, MOST_CURVES
    ),
    "placements": lambda parameter: _array(_ref("placement"), MOST_CURVES),
}

_SIDE: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_PIXELS}

_PIXELS = _object(
    {
        "rows": _SIDE,
        "columns": _SIDE,
        "float32_zlib_base64": {
            "type": "string",
            "contentEncoding": "base64",
            "description": "Little-endian float32, row by row from the smallest y, packed by zlib",
        },
    },
    required=["rows", "columns", "float32_zlib_base64"],
)


def _curve() -> Schema:
    tiles = _number(-land_curve.FARTHEST, land_curve.FARTHEST)
    handle = {
        "anyOf": [
            {"type": "null"},
            {
                "type": "array",
                "prefixItems": [tiles, tiles, _number(-MAX_HEIGHT, MAX_HEIGHT)],
                "items": False,
                "minItems": 2,
            },
        ]
    }
    texts = {
        "z": "Height in meters",
        "width": "Width of the bed in meters",
        "tilt": "Slope of the bed across the curve in degrees; above 0 its left side is higher",
        "roughness": "Share of the bumps of the ground that the bed keeps",
    }
    numbers = {
        name: {
            **_number(*limits),
            "default": getattr(land_curve.CurvePoint, name),
            "description": texts[name],
        }
        for name, limits in land_curve.LIMITS.items()
    }
    place = {**_array(tiles, 2, 2), "description": "Place in tiles, x and y"}
    handles = {
        "left": {**handle, "description": "Bezier handle before the point"},
        "right": {**handle, "description": "Bezier handle after the point"},
    }
    point = _object({"at": place, **numbers, **handles}, required=["at"])
    entries = {
        "closed": {"type": "boolean", "default": False},
        "points": _array(point, land_curve.MOST_POINTS, 2),
    }
    return {"title": "Curve", **_object(entries, required=["points"])}


def _placement() -> Schema:
    far, large = placement.FARTHEST, placement.LARGEST
    entries = {
        "at": {
            **_array(_number(-far, far), 2, 2),
            "description": "Center in tiles, x and y",
        },
        "z": {
            **_number(-MAX_HEIGHT, MAX_HEIGHT),
            "description": "Height of its zero in meters",
        },
        "rotation": {
            **_number(-placement.MOST_DEGREES, placement.MOST_DEGREES),
            "description": "In degrees, counterclockwise from above",
        },
        "scale": {
            **_array(_number(-large, large), 3, 3),
            "description": "Factors of width, depth and height; below 0 it is mirrored",
        },
    }
    for name, entry in entries.items():
        default = getattr(placement.Placement, name)
        entry["default"] = list(default) if isinstance(default, tuple) else default
    return {"title": "Placement", **_object(entries, required=[])}
