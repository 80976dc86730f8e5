# SPDX-License-Identifier: GPL-3.0-or-later
"""The description beside a heightmap: the meaning of its numbers, and the values to type into the program."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...base.version import __version__
from ...materials.ground.ground_weights import CHANNELS, WEIGHTS, GroundWeights
from ...recipes.serial import to_plain
from ..targets.bases.target import Encoding, HeightFile, Target

if TYPE_CHECKING:
    from ...recipes.recipe import Recipe
    from .layout import FileLayout

FORMAT = 1
"""Version of the sidecar's keys: keys may be added, but not change."""

_WORDS = {
    "u1": "8-bit unsigned integers",
    "u2": "16-bit unsigned integers",
    "u3": "24-bit unsigned integers: red * 65536 + green * 256 + blue",
    "f4": "32-bit floats, in meters",
}


def describe_numbers(encoding: Encoding) -> str:
    """Return the type of a file's numbers in words."""
    words = _WORDS[encoding.number[1:]]
    if encoding.file_format in (
        "png",
        "exr",
        "tiff",
        "cloud_tiff",
        "usda",
        "obj",
    ):  # the format knows the order of bytes
        return words
    return f"{words}, {'big' if encoding.number[0] == '>' else 'little'}-endian"


def describe(
    layout: FileLayout,
    whole: HeightFile,
    files: Sequence[Mapping[str, object]],
    maps: Mapping[str, object],
    recipe: Recipe | None,
) -> dict[str, object]:
    """Return the content of the sidecar, but for the result of reading back; see `docs/engines.md`."""
    target: Target = layout.target
    encoding = target.encoding
    return {
        "sidecar": FORMAT,
        "terrane": __version__,
        "target": target.key,
        "options": {name: value for name, value in to_plain(target).items() if name != "type"},
        "fields": dict(target.fields(whole)),
        "samples": [layout.columns, layout.rows],
        "tiles": list(layout.tiles),
        "tiles_share_borders": target.shares_borders,
        "width": whole.width,
        "depth": whole.depth,
        "meters_per_sample": whole.spacing,
        "lowest": whole.lowest,
        "highest": whole.highest,
        "numbers": describe_numbers(encoding),
        "number_type": encoding.number,
        "scale": whole.scale,
        "offset": whole.offset,
        "meaning": "meters = offset + scale * number",
        "orientation": {
            "first_row": "north" if encoding.north_first else "south",
            "first_column": "west",
            "origin": f"{'north' if encoding.north_first else 'south'}-west",
            "first_tile": f"{'north' if target.counts_tiles_from_north else 'south'}-west",
        },
        "files": list(files),
        "maps": dict(maps),
        **describe_spawn_points(whole),
        **describe_materials(whole),
        **describe_recipe(recipe),
    }


def describe_sea(level: float | None, whole: HeightFile) -> dict[str, object]:
    """Return the sea level in meters, and the number that stands for it."""
    if level is None:
        return {"sea_level": None}
    return {"sea_level": {"meters": level, "number": (level - whole.offset) / whole.scale}}


def describe_spawn_points(whole: HeightFile) -> dict[str, object]:
    """Return the places for robots, in meters from the middle of the land."""
    return {"spawn_points": [dataclasses.asdict(point) for point in whole.spawn_points]}


def describe_materials(whole: HeightFile) -> dict[str, object]:
    """Return the materials of the ground with their frictions, the lowest layer first."""
    materials = whole.cover.materials if whole.cover else ()
    return {"materials": [dataclasses.asdict(material) for material in materials]}


def describe_layers(weights: GroundWeights | None, name: str) -> dict[str, object]:
    """Return the layers of the channels of an image with weights; nothing for other images."""
    if weights is None or name not in WEIGHTS:
        return {}
    first = CHANNELS * WEIGHTS.index(name)
    return {"layers": list(weights.names[first : first + CHANNELS])}


def describe_placement(placement: Mapping[str, object] | None) -> dict[str, object]:
    """Return how an object's scale, rotation and units were taken into account; nothing for land without them."""
    return {} if placement is None else {"object": dict(placement)}


def describe_recipe(recipe: Recipe | None) -> dict[str, object]:
    """Return the recipe and its digest: SHA-256 of its JSON text."""
    if recipe is None:
        return {"recipe": None, "recipe_digest": None}
    text = recipe.to_json()
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"recipe": json.loads(text), "recipe_digest": f"sha256:{digest}"}


def to_text(description: Mapping[str, object]) -> bytes:
    """Return a description as the content of a file."""
    return (json.dumps(description, indent=2, allow_nan=False) + "\n").encode()
