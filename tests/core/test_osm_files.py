# SPDX-License-Identifier: GPL-3.0-or-later
"""Extracts of OpenStreetMap: the same curves as of GeoJSON; what is not whole is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noise_core import ParameterError, Recipe
from noise_core.commands.command_line import run
from noise_core.io.curve_files import draw_place, read_curves
from noise_core.maps import CurveDistance
from noise_core.modifiers import Path as PathModifier
from tests import drawing
from tests.core.test_curve_files import measured
from tests.osm_texts import Extract, cut, star

WEST, SOUTH, STEP, ROWS, COLUMNS = 7.0, 46.0, 0.001, 61, 81
LAND = measured(WEST, SOUTH, STEP, ROWS, COLUMNS)
MIDDLE = (WEST + 0.5 * STEP * (COLUMNS - 1), SOUTH + 0.5 * STEP * (ROWS - 1))


def write(folder, text, name="land.osm"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def geojson(folder, kind, places, **properties):
    places = [[list(place) for place in places]] if kind == "Polygon" else places
    geometry = {"type": kind, "coordinates": places}
    plain = {"type": "Feature", "properties": properties, "geometry": geometry}
    return write(folder, json.dumps(plain), "same.geojson")


def from_least(curve):
    """Return the places of a ring from the least on, anticlockwise or not."""
    places = [point.at for point in curve.points]
    at = places.index(min(places))
    turned = places[at:] + places[:at]
    return min(turned, turned[:1] + turned[:0:-1])


@pytest.mark.parametrize("number", range(drawing.count_of(400)))
def test_water_in_any_pieces_is_that_of_geojson(tmp_path, number):
    chance = drawing.generator(f"osm {number}")
    ring = star(chance, MIDDLE, 0.025, chance.randint(3, 30))
    extract = Extract()
    extract.way(star(chance, MIDDLE, 0.01, 5), building="yes")
    kind = chance.choice(["way", "relation", "old"])
    tags = {"natural": "water", "name": "Lake \u00df & <more>"}
    if kind == "way":
        extract.way([*ring, ring[0]], **tags)
    else:
        of_ways = tags if kind == "old" else {}
        ways = [extract.way(piece, **of_ways) for piece in cut(chance, ring)]
        extract.relation(
            [(way, chance.choice(["outer", ""])) for way in ways],
            **(tags if kind == "relation" else {}),
        )
    found = read_curves(write(tmp_path, extract.text()), LAND)
    same = read_curves(geojson(tmp_path, "Polygon", [*ring, ring[0]], **tags), LAND)
    assert list(found.curves) == list(same.curves) == [tags["name"]]
    (curve,), (expected,) = found.curves.values(), same.curves.values()
    assert curve.closed and expected.closed
    # The same corners are left out as long as the ring begins at the same one.
    fine = [
        read_curves(path, LAND, tolerance=1e-6).curves[tags["name"]]
        for path in (tmp_path / "land.osm", tmp_path / "same.geojson")
    ]
    assert from_least(fine[0]) == from_least(fine[1])
    assert "land.osm: 1 features that are no roads, waters or coasts are left out" in map(
        str, found.notes
    )


@pytest.mark.parametrize("number", range(drawing.count_of(200)))
def test_the_shore_of_water_is_within_one_sample(tmp_path, number):
    chance = drawing.generator(f"osm shore {number}")
    ring = star(chance, MIDDLE, 0.025, chance.randint(5, 40))
    extract = Extract()
    extract.relation(
        [(extract.way(piece), "outer") for piece in cut(chance, ring)], natural="water", name="Lake"
    )
    curves = read_curves(write(tmp_path, extract.text()), LAND).curves
    grid, place = LAND.grid(COLUMNS), LAND.georeference
    mask = CurveDistance(curves=tuple(curves.values()))
    distance = mask.values(np.zeros(grid.shape), grid)
    x, y = (
        origin + step * np.arange(count) / (grid.columns - 1)
        for origin, step, count in zip(place.origin, place.step, grid.shape[::-1])
    )
    off = (distance < 0.0) != inside(ring, *np.meshgrid(x, y))
    assert (np.abs(distance[off]) <= grid.spacing).all()
    assert (distance < 0.0).any()


def inside(ring, x, y):
    """Return which places lie in a polygon: lines from there cross it an odd number of times."""
    result = np.zeros(x.shape, bool)
    for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1]):
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = x0 + (y - y0) / (y1 - y0) * (x1 - x0)
        result ^= ((y0 > y) != (y1 > y)) & (x < cross)
    return result


def test_roads_rivers_and_coasts_are_chosen_by_their_tags(tmp_path):
    extract = Extract()
    a, b, c, d = ((WEST + 0.01 * step, SOUTH + 0.02) for step in range(4))
    extract.way([a, b], highway="primary", ref="A 1", width="12")
    extract.way([a, c], waterway="river", name="Aare")
    extract.way([c, d], natural="coastline")
    extract.way([b, c], natural="coastline")
    extract.way([b, d], railway="rail")
    path = write(tmp_path, extract.text())
    assert list(read_curves(path, LAND).curves) == ["A 1", "Aare", "coastline"]
    coast = read_curves(path, LAND, where={"natural": ["coastline"]}, tolerance=1e-6).curves[
        "coastline"
    ]
    assert not coast.closed
    assert [point.at[0] for point in coast.points] == pytest.approx([0.125, 0.375], abs=1e-6)
    (road,) = read_curves(path, LAND, where={"highway": []}).curves.values()
    assert road.points[0].width == 12.0


def test_a_coast_around_an_island_closes_and_keeps_its_direction(tmp_path):
    chance = drawing.generator("island")
    ring = star(chance, MIDDLE, 0.02, 12)
    extract = Extract()
    whole = [*ring, ring[0]]
    for start, end in ((7, 12), (0, 4), (4, 7)):
        extract.way(whole[start : end + 1], natural="coastline")
    (island,) = read_curves(write(tmp_path, extract.text()), LAND, tolerance=1e-6).curves.values()
    x, y = np.array([point.at for point in island.points]).T
    assert island.closed and len(x) == 12
    assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0.0  # land lies to the left


def test_what_an_editor_has_deleted_is_not_there(tmp_path):
    extract = Extract()
    extract.way([MIDDLE, (WEST, SOUTH)], highway="track", name="Old")
    extract.way([MIDDLE, (WEST, SOUTH + 0.01)], highway="track", name="New")
    text = extract.text().replace('<way id="1">', '<way id="1" action="delete">')
    assert list(read_curves(write(tmp_path, text), LAND).curves) == ["New"]


RING = [(7.01, 46.01), (7.03, 46.01), (7.03, 46.03), (7.01, 46.03)]


def lake(*, pieces=2, role="outer", **tags):
    """Return an extract with a lake of some ways."""
    extract, whole = Extract(), [*RING, RING[0]]
    ends = [0, *range(1, pieces), 4]
    ways = [extract.way(whole[start : end + 1]) for start, end in zip(ends, ends[1:])]
    extract.relation([(way, role) for way in ways], natural="water", **tags)
    return extract


def island(extract):
    way = extract.way([(7.015, 46.015), (7.02, 46.015), (7.02, 46.02), (7.015, 46.015)])
    members, tags = extract.relations[0]
    extract.relations[0] = ([*members, (way, "inner")], tags)
    return extract


BOMB = """<?xml version="1.0"?><!DOCTYPE osm [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]>"""

BAD = {
    "a missing node": (
        lake().text(leave_out={101}),
        "way 1 needs node 101, which is missing: export",
    ),
    "no nodes": (
        lake().text(leave_out={*range(100, 110)}),
        "way 1 needs node 100, which is missing",
    ),
    "a missing way": (
        lake().text(leave_out={2}),
        "relation 1 needs way 2, which is missing: export",
    ),
    "an open ring": (
        lake(pieces=3).text().replace('<member type="way" ref="2" role="outer"/>', ""),
        r"the ways around relation 1 must close; they end at 7\.0",
    ),
    "an open shore": (
        lake().text().replace("</way>", '<tag k="natural" v="water"/></way>').split("<relation")[0]
        + "</osm>",
        "way 1 must close: it is the shore of water",
    ),
    "an island": (island(lake()).text(), "relation 1 has islands, which a curve cannot have"),
    "a role": (lake(role="shore").text(), "the role of a way of relation 1 must be .*got 'shore'"),
    "a bomb": (lake().text(BOMB), "XML with a document type cannot be read"),
    "an outside type": (lake().text('<!DOCTYPE osm SYSTEM "file:///etc/passwd">'), "document type"),
    "half a file": (lake().text()[:300], "is damaged: its XML cannot be read"),
    "an undefined entity": (
        lake(name="x").text().replace('"x"', '"&lol;"'),
        "is damaged: its XML cannot",
    ),
    "no map": ("<svg></svg>", "must be an extract of OpenStreetMap, an element osm; got 'svg'"),
    "a number": (
        lake().text().replace('id="101"', 'id="1e3"'),
        "id must be a whole number; got '1e3'",
    ),
    "a large number": (
        lake().text().replace('id="101"', f'id="{10**30}"'),
        "id must be a whole number",
    ),
    "a latitude": (
        lake().text().replace('lat="46.01"', 'lat="146.01"', 1),
        "lat of node 100 must be deg",
    ),
    "no latitude": (
        lake().text().replace('lat="46.01"', 'lat="nan"', 1),
        "lat of node 100 must be deg",
    ),
    "a node twice": (
        lake().text().replace('id="101"', 'id="100"'),
        "every node must be there once",
    ),
    "nothing": ("<osm></osm>", "no line or polygon has the properties"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_not_whole_is_refused_in_a_line(tmp_path, case):
    text, message = BAD[case]
    with pytest.raises(ParameterError, match=message) as caught:
        read_curves(write(tmp_path, text), LAND)
    assert str(caught.value).startswith("land.osm") and "\n" not in str(caught.value)


def test_what_is_not_wanted_need_not_be_whole(tmp_path):
    extract = island(lake())
    extract.way([MIDDLE, (WEST, SOUTH)], highway="primary", ref="A 1")
    path = write(tmp_path, extract.text())
    assert list(read_curves(path, LAND, where={"highway": []}).curves) == ["A 1"]


def test_waters_with_islands_are_left_out_and_named(tmp_path):
    extract = island(lake())
    extract.way([MIDDLE, (WEST, SOUTH)], highway="primary", ref="A 1")
    drawn = read_curves(write(tmp_path, extract.text()), LAND)
    assert list(drawn.curves) == ["A 1"]
    assert (
        "land.osm: 1 waters with islands, which a curve cannot have, are left out: relations 1"
        in [str(note) for note in drawn.notes]
    )


def test_any_damage_is_refused_in_a_line(tmp_path):
    extract = lake(name="Lake")
    extract.way([MIDDLE, (WEST, SOUTH)], highway="primary")
    text = extract.text()
    chance = drawing.generator("damaged osm")
    for _ in range(drawing.count_of(4000)):
        broken = list(text)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(broken))
            broken[at : at + chance.choice([0, 1, 1, 20])] = chance.choice(
                ["", "0", "-", '"', "<", "&"]
            )
        try:
            read_curves(write(tmp_path, "".join(broken)), LAND)
        except ParameterError as error:
            assert "\n" not in str(error)


def test_the_command_draws_water_of_an_extract(tmp_path):
    path = write(tmp_path, lake(name="Lake").text())
    (tmp_path / "land.json").write_text(LAND.to_json(), encoding="utf-8")
    words = [
        "draw",
        tmp_path / "land.json",
        path,
        "--output",
        tmp_path / "new.json",
        "--kind",
        "lake",
    ]
    said, noted = [], []
    assert run([str(word) for word in words], said.append, noted.append) == 0, noted
    drawn = Recipe.from_json((tmp_path / "new.json").read_text(encoding="utf-8"))
    assert list(drawn.curves) == ["Lake"] and isinstance(drawn.layers[-1], PathModifier)
    pond = drawn.evaluate(drawn.grid(COLUMNS)).maps["pond"]
    assert 0.05 < (pond > 0.0).mean() < 0.5


def test_each_line_is_drawn_by_its_tags(tmp_path):
    extract = lake(name="Lake")
    for row, tags in enumerate(
        (
            {"highway": "primary", "ref": "A 1"},
            {"highway": "footway", "name": "Way"},
            {"waterway": "river", "name": "Aare"},
            {"natural": "coastline"},
        )
    ):
        extract.way([(7.04, 46.005 + 0.01 * row), (7.07, 46.01 + 0.01 * row)], **tags)
    path = write(tmp_path, extract.text())
    drawn = draw_place(path, LAND)
    assert [layer.name for layer in drawn.recipe.layers[1:]] == [
        "Lakes",
        "Rivers",
        "Trails",
        "Roads",
    ]
    assert [layer.curves for layer in drawn.recipe.layers[1:]] == [
        ("Lake",),
        ("Aare",),
        ("Way",),
        ("A 1",),
    ]
    assert drawn.recipe.layers[1] == PathModifier.of_kind("lake", name="Lakes", curves=("Lake",))
    assert "land.osm: 1 curves are no roads, rivers or lakes: left out" in map(str, drawn.notes)
    (tmp_path / "land.json").write_text(LAND.to_json(), encoding="utf-8")
    words = [
        "draw",
        tmp_path / "land.json",
        path,
        "--output",
        tmp_path / "new.json",
        "--kind",
        "tags",
    ]
    said, noted = [], []
    assert run([str(word) for word in words], said.append, noted.append) == 0, noted
    assert Recipe.from_json((tmp_path / "new.json").read_text(encoding="utf-8")) == drawn.recipe
    assert (
        run([*map(str, words), "--overwrite", "--where", "highway"], said.append, noted.append) == 2
    )
    only_coast = Extract()
    only_coast.way([(7.04, 46.01), (7.07, 46.01)], natural="coastline")
    with pytest.raises(ParameterError, match="no road, river or lake lies on the terrain"):
        draw_place(write(tmp_path, only_coast.text()), LAND)
