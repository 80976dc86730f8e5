# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of a land, of the lines of a file."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from ...base.arrays import MAX_HEIGHT
from ...base.checks import LONGEST_TEXT, MOST_CURVES
from ...base.errors import Message, ParameterError, format_value
from ...base.georeference import LOCAL
from ...curves import chains
from ...curves.land_curve import MOST_POINTS, CurvePoint, LandCurve
from ...recipes.recipe import Recipe
from ..spatial_reference.options import spatial_options
from .file_lines import FileLine, FileLines
from .geojson import read_geojson
from .openstreetmap import is_osm, read_osm
from .placing import Placing, local_place

_BEYOND = 0.1
"""Widths of the land that lines are kept beyond its borders: a road there may bank into it."""

_WIDEST = 1000.0
"""Meters of a width that a file may give: others are in another unit."""

_WIDTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*m?\s*")
"""Of the key "width" of OpenStreetMap, in meters by default."""


@dataclasses.dataclass(frozen=True)
class ReadCurves:
    """Curves of a file.

    Attributes
    ----------
    curves : mapping of str to LandCurve
        By the name of each feature.
    notes : tuple of Message
        On what was left out.
    properties : mapping of str to mapping
        Of the feature of each curve.

    Examples
    --------
    >>> from noise_core import CurvePoint, LandCurve, ReadCurves
    >>> road = LandCurve(points=[CurvePoint(at=(0.2, 0.5)), CurvePoint(at=(0.8, 0.6))])
    >>> list(ReadCurves({"Road": road}, ()).curves)
    ['Road']
    """

    curves: Mapping[str, LandCurve]
    notes: tuple[Message, ...]
    properties: Mapping[str, Mapping[str, object]] = dataclasses.field(default_factory=dict)


def read_curves(
    path: str | Path,
    recipe: Recipe,
    *,
    system: str | None = None,
    width: float = 8.0,
    where: Mapping[str, Iterable[str]] | None = None,
    tolerance: float = 1.0,
) -> ReadCurves:
    """Return the lines and polygons of a GeoJSON file, or of an extract of OpenStreetMap, as curves of a land.

    Parameters
    ----------
    path : str or Path
        Of GeoJSON, or of XML of OpenStreetMap (.osm): of that roads, waters and coasts, a multipolygon as its
        outer rings.
    recipe : Recipe
        The land: with measured heights, whose place on Earth is known, unless `system` is "local".
    system : str, optional
        Coordinate system instead of the file's: an EPSG code such as "EPSG:2056", a well-known text,
        or "local" for meters from the land's southwest corner. By default that of the member "crs", or degrees
        of WGS 84.
    width : float
        Meters from edge to edge where the property "width" of a feature gives none.
    where : mapping of str to texts, optional
        Properties that a feature must have, each with one of some texts, or, without any, with any text.
    tolerance : float
        Meters that curves may deviate from the lines.

    Returns
    -------
    ReadCurves
        Parts of lines that lie beyond the land are left out. A line that ends where it begins is closed.

    Raises
    ------
    ParameterError
        If it is no such file, the way from its system to the land's is not known, or no line lies on the land.
        Degrees are converted to cylindrical projections and zones of UTM; the few meters between the data of
        WGS 84, ETRS89 and NAD83 are neglected.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> from noise_core import Recipe
    >>> from noise_core.io.curve_files import read_curves
    >>> from noise_core.noises import Perlin
    >>> line = {"type": "LineString", "coordinates": [[0, 500], [400, 500], [1000, 800]]}
    >>> road = {"type": "Feature", "properties": {"name": "Road"}, "geometry": line}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "road.geojson"
    ...     _ = path.write_text(json.dumps(road))
    ...     read = read_curves(path, Recipe(layers=(Perlin(),), size=1000.0), system="local", width=6.0)
    >>> [point.at for point in read.curves["Road"].points]
    [(0.0, 0.5), (0.4, 0.5), (1.0, 0.8)]
    """
    path = Path(path)
    _check_numbers(width, tolerance)
    read = read_osm if is_osm(path) else read_geojson
    content = read(
        path, partial(_fits, {key: tuple(texts) for key, texts in (where or {}).items()})
    )
    placing = _placing(path.name, content, recipe, system)
    lines = content.lines
    if not lines:
        raise ParameterError("{}: no line or polygon has the properties", path.name)
    curves: dict[str, LandCurve] = {}
    properties: dict[str, Mapping[str, object]] = {}
    names = _Names(recipe.curves)
    outside = 0
    for line in lines:
        vertices = _vertices(line, placing, width)
        parts = _parts_on(vertices, line.closed, recipe.depth_ratio)
        outside += not parts
        for part in parts:
            name = names.add(_name_of(line))
            curves[name] = _curve(part, line.closed, recipe.size, tolerance)
            properties[name] = line.properties
    if not curves:
        raise ParameterError("{}: no line lies on the terrain", path.name)
    if len(curves) > MOST_CURVES:
        raise ParameterError(
            "{}: at most {} curves may lie on the terrain", path.name, MOST_CURVES, got=len(curves)
        )
    notes = content.notes
    if outside:
        notes += (Message("{}: {} lines lie beyond the terrain", path.name, outside),)
    if unread := sum(_own_width(line) is None for line in lines):
        notes += (
            Message("{}: {} widths are not in meters: {:g} m is taken", path.name, unread, width),
        )
    return ReadCurves(curves, notes, properties)


def _check_numbers(width: object, tolerance: object) -> None:
    for name, value in (("width", width), ("tolerance", tolerance)):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not 0.0 < value < math.inf:  # type: ignore[operator]  # it is a number
            raise ParameterError("{} must be positive meters", name, got=format_value(value))


def _placing(name: str, content: FileLines, recipe: Recipe, system: str | None) -> Placing:
    given = spatial_options(system, None).system
    if given is not None and given.kind == LOCAL:
        return Placing(given, local_place(given, recipe.size), name)
    if recipe.georeference is None:
        raise ParameterError(
            "{}: the terrain must have measured heights whose place is known: give system='local' "
            "for meters from its southwest corner",
            name,
        )
    placing = Placing(given or content.system, recipe.georeference, name)
    if placing.system.is_geographic:
        for line in content.lines:
            for x, y, *_ in line.rows:
                if abs(x * placing.system.unit) > 540.0 or abs(y * placing.system.unit) > 90.0:
                    raise ParameterError(
                        "{}: coordinates must be degrees: give system", name, got=f"{x:g}, {y:g}"
                    )
    return placing


def _fits(where: Mapping[str, tuple[str, ...]], properties: Mapping[str, object]) -> bool:
    """Return whether a feature has some properties."""
    for key, allowed in where.items():
        value = properties.get(key)
        if value is None or (allowed and str(value) not in allowed):
            return False
    return True


def _vertices(line: FileLine, placing: Placing, width: float) -> chains.Table:
    """Return the vertices of a line; heights are 0 if it has none."""
    table = np.zeros((len(line.rows), chains.ROUGH + 1))
    for vertex, (x, y, *height) in zip(table, line.rows):
        vertex[[chains.X, chains.Y]] = placing.tiles(x, y)
        vertex[chains.Z] = max(-MAX_HEIGHT, min(height[0] if height else 0.0, MAX_HEIGHT))
    table[:, chains.HALF] = 0.5 * (_own_width(line) or width)
    return table


def _own_width(line: FileLine) -> float | None:
    """Return the meters that a feature gives for its width, 0 if it gives none, and None if they cannot be read."""
    given = line.properties.get("width")
    if given is None:
        return 0.0
    match = _WIDTH.fullmatch(str(given))
    meters = 0.0 if match is None else float(match[1])
    return meters if 0.0 < meters <= _WIDEST else None


def _parts_on(vertices: chains.Table, closed: bool, depth: float) -> list[chains.Table]:
    """Return the parts of a line on a land of so many tiles in depth, and around it; a ring stays whole."""
    places = vertices[:, : chains.Z]
    following = np.roll(places, -1, axis=0) if closed else places[1:]
    first = places if closed else places[:-1]
    low, high = np.minimum(first, following), np.maximum(first, following)
    limits = np.array([1.0, depth]) + _BEYOND
    near = ((high >= -_BEYOND) & (low <= limits) & np.isfinite(high - low)).all(axis=1)
    if closed:
        return [vertices] if near.any() and np.isfinite(places).all() else []
    edges = np.diff(np.concatenate(([0], near.astype(np.int8), [0])))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return [vertices[start : stop + 1] for start, stop in zip(starts, stops)]


def _curve(vertices: chains.Table, closed: bool, size: float, tolerance: float) -> LandCurve:
    ring = np.concatenate((vertices, vertices[:1])) if closed else vertices
    kept = chains.thin(ring, size, tolerance)
    if closed:
        kept = kept[:-1]
    if len(kept) > MOST_POINTS:
        raise ParameterError(
            "tolerance must leave at most {} points of a line", MOST_POINTS, got=len(kept)
        )
    points = [
        CurvePoint(at=(float(row[0]), float(row[1])), z=float(row[2]), width=2.0 * float(row[3]))
        for row in kept
    ]
    return LandCurve(points=points, closed=closed)


def _name_of(line: FileLine) -> str:
    for key in ("name", "ref", "highway", "waterway", "natural", "id"):
        text = str(line.properties.get(key) or "")
        words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if words:
            return words[: LONGEST_TEXT - 8]
    return "Curve"


class _Names:
    """Names of curves, each once: further ones get a number."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._counts: dict[str, int] = {}

    def add(self, name: str) -> str:
        """Return a name that is free, and take it."""
        count, free = self._counts.get(name, 1), name
        while free in self._taken:
            count += 1
            free = f"{name} {count}"
        self._counts[name] = count
        self._taken.add(free)
        return free
