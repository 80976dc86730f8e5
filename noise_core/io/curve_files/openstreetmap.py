# SPDX-License-Identifier: GPL-3.0-or-later
"""Roads, waters and coasts of an extract of OpenStreetMap in XML.

References
----------
OpenStreetMap wiki (2024). OSM XML; Relation:multipolygon; Tag:natural=coastline.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from ...base.errors import Message, ParameterError, format_value
from ...base.input_files import open_file
from .file_lines import DEGREES, FileLine, FileLines, Row, Wanted
from .ring_joining import join_ends

_AREAS = (("natural", "water"), ("waterway", "riverbank"))
"""Tags of areas of water."""

_COAST = "coastline"
"""Value of the key "natural" of a line with land to its left."""

_LINES = ("waterway", "highway")
"""Keys of lines, with any value."""

_OUTER, _INNER = ("outer", ""), "inner"
"""Roles of the ways of a multipolygon."""

_BYTES = 1 << 20
"""That are parsed at a time."""

_NAMED = 5
"""Relations that a note names."""

_HEAD = 64

_MOST_ID = 1 << 62

Tags = Mapping[str, object]


def is_osm(path: Path) -> bool:
    """Return whether a file is XML; a file that cannot be read is none."""
    try:
        with open_file(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or path.suffix.lower() == ".osm"


def read_osm(path: Path, is_wanted: Wanted) -> FileLines:
    """Return the roads, rivers and coasts of an extract, and the outlines of its waters, that are wanted.

    Ways of a coast that go on in each other are one line, and the ways around a multipolygon one ring.

    Raises
    ------
    ParameterError
        If it is no such file, declares a document type, or something wanted is not whole: a node or a way is
        missing, the ways around water do not close, or there is nothing but waters with islands.
    """
    extract = _Extract(path.name)
    extract.parse(path)
    features = _Features(extract, is_wanted)
    lines = list(features.lines())
    notes: list[Message] = []
    if features.left_out:
        text = "{}: {} features that are no roads, waters or coasts are left out"
        notes.append(Message(text, path.name, features.left_out))
    if features.with_islands:
        text = "{}: {} waters with islands, which a curve cannot have, are left out: relations {}"
        relations = ", ".join(map(str, features.with_islands[:_NAMED]))
        if not lines:
            raise ParameterError(
                "{}: relation {} has islands, which a curve cannot have: leave it out",
                *(path.name, relations),
            )
        notes.append(Message(text, path.name, len(features.with_islands), relations))
    return FileLines(lines, DEGREES, tuple(notes))


class _Extract:
    """Elements of a file, as its XML is parsed.

    Attributes
    ----------
    ways : dict of int to tuple of array of ints and tags
        Numbers of nodes of each way, by its number.
    relations : dict of int to tuple of list and tags
        Members of each multipolygon: type, number and role.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.ways: dict[int, tuple[array[int], dict[str, object]]] = {}
        self.relations: dict[int, tuple[list[tuple[str, int, str]], dict[str, object]]] = {}
        self._ids, self._places = array("q"), array("d")
        self._depth = 0
        self._tags: dict[str, object] = {}
        self._nodes: array[int] = array("q")
        self._members: list[tuple[str, int, str]] = []

    def parse(self, path: Path) -> None:
        """Read a file."""
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._refuse_type
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        try:
            with open_file(path) as file:
                while data := file.read(_BYTES):
                    parser.Parse(data, False)
            parser.Parse(b"", True)
        except ParameterError:
            raise
        except (expat.ExpatError, LookupError, ValueError) as error:  # also of its encoding
            raise ParameterError(
                "{} is damaged: its XML cannot be read: {}", self.name, error
            ) from None
        except OSError as error:
            raise ParameterError(
                "{}: cannot be read: {}", self.name, error.strerror or error
            ) from error
        self._sort_nodes()

    def places(self, way: int) -> list[Row]:
        """Return longitude and latitude of the nodes of a way."""
        nodes = np.array(self.ways[way][0], np.int64)
        at = np.searchsorted(self._sorted, nodes)
        found = (
            self._sorted.take(np.minimum(at, len(self._sorted) - 1)) if len(self._sorted) else at
        )
        if not len(self._sorted) or not np.array_equal(found, nodes):
            lacking = nodes[found != nodes][0] if len(self._sorted) else nodes[0]
            raise ParameterError(
                "{}: way {} needs node {}, which is missing: export whole ways",
                *(self.name, way, int(lacking)),
            )
        return [(x, y) for y, x in self._coordinates.take(at, axis=0).tolist()]

    def _sort_nodes(self) -> None:
        ids = np.array(self._ids, np.int64)
        self._sorted, first = np.unique(ids, return_index=True)
        if len(self._sorted) < len(ids):
            raise ParameterError("{}: every node must be there once", self.name)
        self._coordinates = np.array(self._places, np.float64).reshape(-1, 2)[first]

    def _refuse_type(self, *declaration: object) -> NoReturn:
        raise ParameterError("{}: XML with a document type cannot be read", self.name)

    def _start(self, kind: str, values: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and kind != "osm":
            raise ParameterError(
                "{}: XML must be an extract of OpenStreetMap, an element osm",
                self.name,
                got=format_value(kind),
            )
        if self._depth == 2:
            self._tags, self._nodes, self._members = {}, array("q"), []
            self._own = values
        elif self._depth == 3 and kind == "tag":
            self._tags[values.get("k", "")] = values.get("v", "")
        elif self._depth == 3 and kind == "nd":
            self._nodes.append(self._number(values, "ref"))
        elif self._depth == 3 and kind == "member":
            number = self._number(values, "ref")
            self._members.append((values.get("type", ""), number, values.get("role", "")))

    def _end(self, kind: str) -> None:
        self._depth -= 1
        if self._depth != 1 or kind not in ("node", "way", "relation"):
            return
        if self._own.get("action") == "delete" or self._own.get("visible") == "false":
            return
        number = self._number(self._own, "id")
        if kind == "node":
            self._ids.append(number)
            self._places.extend((self._degrees("lat", 90.0), self._degrees("lon", 180.0)))
        elif kind == "way":
            self.ways[number] = (self._nodes, self._tags)
        elif self._tags.get("type") == "multipolygon":
            self.relations[number] = (self._members, self._tags)

    def _number(self, values: Mapping[str, str], key: str) -> int:
        text = values.get(key, "")
        if not text.lstrip("-").isdecimal() or len(text) > 19 or abs(int(text)) > _MOST_ID:
            raise ParameterError(
                "{}: {} must be a whole number", self.name, key, got=format_value(text)
            )
        return int(text)

    def _degrees(self, key: str, most: float) -> float:
        text = self._own.get(key, "")
        try:
            degrees = float(text)
        except ValueError:
            degrees = math.nan
        if not abs(degrees) <= most:  # nor if it is no number
            raise ParameterError(
                "{}: {} of node {} must be degrees from {:g} to {:g}",
                *(self.name, key, self._own["id"], -most, most),
                got=format_value(text),
            )
        return degrees


class _Features:
    """Roads, waters and coasts of an extract that are wanted."""

    def __init__(self, extract: _Extract, is_wanted: Wanted) -> None:
        self._extract, self._is_wanted = extract, is_wanted
        self.left_out = 0
        self.with_islands: list[int] = []
        """Relations of wanted waters that a curve cannot be: the ground of an island is not level."""

    def lines(self) -> Iterator[FileLine]:
        """Yield them; a coast after all others."""
        around: set[int] = set()
        for number, (members, tags) in self._extract.relations.items():
            outer = [ref for kind, ref, role in members if kind == "way" and role in _OUTER]
            own: Tags = {key: value for key, value in tags.items() if key != "type"}
            own = own or self._tags_of(outer)
            if not _is_area(own):
                self.left_out += 1
                continue
            around.update(outer)
            if not self._is_wanted(own):
                continue
            if any(role == _INNER for _, _, role in members):
                self.with_islands.append(number)
            else:
                yield from self._rings(number, own)
        coasts: list[int] = []
        for way, (_, tags) in self._extract.ways.items():
            is_area, is_coast = _is_area(tags), tags.get("natural") == _COAST
            if not tags or is_area and way in around:
                continue
            if not (is_area or is_coast or any(key in tags for key in _LINES)):
                self.left_out += 1
            elif self._is_wanted(tags):
                if is_coast:
                    coasts.append(way)
                else:
                    yield from self._line(way, tags, is_area)
        yield from self._coasts(coasts)

    def _tags_of(self, ways: Sequence[int]) -> Tags:
        """Return the tags of the first of some ways: those of old multipolygons stand there."""
        return next((self._extract.ways[way][1] for way in ways if way in self._extract.ways), {})

    def _line(self, way: int, tags: Tags, is_area: bool) -> Iterator[FileLine]:
        rows = self._extract.places(way)
        is_ring = len(rows) > 3 and rows[0] == rows[-1]
        if is_area and not is_ring:
            raise ParameterError(
                "{}: way {} must close: it is the shore of water", self._extract.name, way
            )
        if is_ring:
            rows.pop()
        if len(set(rows)) > 1:
            yield FileLine(rows, is_ring, tags)

    def _rings(self, number: int, tags: Tags) -> Iterator[FileLine]:
        """Yield the outer rings of a multipolygon."""
        extract, pieces = self._extract, []
        for kind, way, role in extract.relations[number][0]:
            if kind != "way":
                continue
            if role not in _OUTER:
                raise ParameterError(
                    "{}: the role of a way of relation {} must be outer or inner",
                    *(extract.name, number),
                    got=format_value(role),
                )
            if way not in extract.ways:
                raise ParameterError(
                    "{}: relation {} needs way {}, which is missing: export whole relations",
                    *(extract.name, number, way),
                )
            pieces.append(extract.places(way))
        for rows, is_closed in join_ends(pieces, may_turn=True):
            if not is_closed:
                x, y = rows[0]
                raise ParameterError(
                    "{}: the ways around relation {} must close; they end at {:.7g}, {:.7g}",
                    *(extract.name, number, x, y),
                )
            yield FileLine(rows, True, tags)

    def _coasts(self, ways: Sequence[int]) -> Iterator[FileLine]:
        pieces = [self._extract.places(way) for way in ways]
        tags = self._extract.ways[ways[0]][1] if ways else {}
        for rows, is_closed in join_ends(pieces, may_turn=False):
            if len(set(rows)) > 1:
                yield FileLine(rows, is_closed, tags)


def _is_area(tags: Tags) -> bool:
    return any(tags.get(key) == value for key, value in _AREAS)
