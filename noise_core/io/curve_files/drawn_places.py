# SPDX-License-Identifier: GPL-3.0-or-later
"""Roads, trails, rivers and lakes of a file as paths on a land, each kind by its tags."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path as FilePath

from ...base.errors import Message, ParameterError
from ...erosion.earthworks.kinds import KINDS
from ...modifiers.path import Path
from ...recipes.recipe import Recipe
from .curve_reading import read_curves

_TRAILS = ("path", "track", "footway", "bridleway", "steps", "cycleway")
"""Values of "highway" that are trails."""

ORDER = ("lake", "river_bed", "trail", "road")
"""Kinds in the order in which they are laid: roads cross rivers."""

LABELS: Mapping[str, str] = {
    "lake": "Lakes",
    "river_bed": "Rivers",
    "trail": "Trails",
    "road": "Roads",
}
"""Names of the layers."""


@dataclasses.dataclass(frozen=True)
class DrawnPlace:
    """A land with the paths of a file.

    Attributes
    ----------
    recipe : Recipe
    notes : tuple of Message
        On what was left out.
    """

    recipe: Recipe
    notes: tuple[Message, ...]


def draw_place(
    path: str | FilePath,
    recipe: Recipe,
    *,
    system: str | None = None,
    width: float = 8.0,
    tolerance: float = 1.0,
) -> DrawnPlace:
    """Return a land with the roads, trails, rivers and lakes of a file as layers of paths.

    Tags of OpenStreetMap say which they are: highway, waterway, and natural=water for closed lines.

    Parameters
    ----------
    path, recipe, system, width, tolerance
        See `read_curves`.

    Raises
    ------
    ParameterError
        See `read_curves`; also if no line is of one of these kinds.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> from noise_core import Recipe
    >>> from noise_core.io.curve_files import draw_place
    >>> from noise_core.noises import Perlin
    >>> line = {"type": "LineString", "coordinates": [[0, 500], [400, 500], [1000, 800]]}
    >>> way = {"type": "Feature", "properties": {"highway": "path"}, "geometry": line}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "way.geojson"
    ...     _ = path.write_text(json.dumps(way))
    ...     drawn = draw_place(path, Recipe(layers=(Perlin(),), size=1000.0), system="local")
    >>> [layer.name for layer in drawn.recipe.layers], list(drawn.recipe.curves)
    (['', 'Trails'], ['path'])
    """
    read = read_curves(path, recipe, system=system, width=width, tolerance=tolerance)
    kinds: dict[str, list[str]] = {}
    for name, curve in read.curves.items():
        kind = kind_of(read.properties[name], closed=curve.closed)
        kinds.setdefault(kind, []).append(name)
    left = len(kinds.pop("", ()))
    name = FilePath(path).name
    if not kinds:
        raise ParameterError("{}: no road, river or lake lies on the terrain", name)
    layers = [
        Path(name=LABELS[kind], curves=tuple(kinds[kind]), **KINDS[kind])  # type: ignore[arg-type]  # it checks
        for kind in ORDER
        if kind in kinds
    ]
    used = {curve: read.curves[curve] for names in kinds.values() for curve in names}
    drawn = dataclasses.replace(
        recipe, layers=(*recipe.layers, *layers), curves={**recipe.curves, **used}
    )
    notes = read.notes
    if left:
        text = "{}: {} curves are no roads, rivers or lakes: left out"
        notes += (Message(text, name, left),)
    return DrawnPlace(drawn, notes)


def kind_of(properties: Mapping[str, object], *, closed: bool) -> str:
    """Return the kind of path that tags stand for; empty for none.

    Examples
    --------
    >>> from noise_core.io.curve_files.drawn_places import kind_of
    >>> kind_of({"highway": "footway"}, closed=False), kind_of({"natural": "water"}, closed=True)
    ('trail', 'lake')
    """
    highway, waterway = properties.get("highway"), properties.get("waterway")
    if properties.get("natural") == "water" or waterway == "riverbank":
        return "lake" if closed else ""
    if highway:
        return "trail" if highway in _TRAILS else "road"
    return "river_bed" if waterway and not closed else ""
