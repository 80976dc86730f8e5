# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of GeoJSON files as curves of a land, and the command that draws them."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from noise_core import ParameterError, Recipe
from noise_core.base.georeference import GEOGRAPHIC, Georeference, SpatialSystem
from noise_core.commands.command_line import run
from noise_core.io.curve_files import read_curves
from noise_core.io.elevation_reading import (
    LoadedHeights,
    elevation_from_samples,
    measured_land,
)
from noise_core.noises import Perlin

LAND = Recipe(layers=(Perlin(),), size=1000.0, depth=500.0, height=50.0)


def feature(kind, coordinates, **properties):
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def write(folder, *features, **more):
    path = folder / "lines.geojson"
    plain = {"type": "FeatureCollection", "features": list(features), **more}
    path.write_text(json.dumps(plain), encoding="utf-8")
    return path


def read_local(folder, *features, **options):
    return read_curves(write(folder, *features), LAND, system="local", **options)


def places(curve):
    return [point.at for point in curve.points]


def measured(west, south, step=0.001, rows=21, columns=41):
    """Return a recipe of land measured in degrees."""
    loaded = LoadedHeights(np.zeros((rows, columns), np.float32), "land", "array")
    place = Georeference(SpatialSystem(GEOGRAPHIC, 4326), (west, south), (step, step))
    elevation = elevation_from_samples(loaded)
    elevation = dataclasses.replace(elevation, georeference=place, spacing=place.spacing(rows))
    return measured_land(elevation).recipe


def test_lines_and_rings_become_curves(tmp_path):
    lake = [[600, 100], [700, 100], [700, 200], [600, 100]]
    found = read_local(
        tmp_path,
        feature("LineString", [[100, 100, 7.0], [300, 200, 9.0]], name="Lane", width="5.5 m"),
        feature("MultiLineString", [[[0, 0], [50, 50]], [[0, 400], [50, 450]]], highway="track"),
        feature("Polygon", [lake], natural="water"),
        feature("Point", [1, 1]),
        width=3.0,
    )
    assert list(found.curves) == ["Lane", "track", "track 2", "water"]
    lane = found.curves["Lane"]
    assert places(lane) == [(0.1, 0.1), (0.3, 0.2)] and not lane.closed
    assert [(point.z, point.width) for point in lane.points] == [(7.0, 5.5), (9.0, 5.5)]
    assert {point.width for point in found.curves["track"].points} == {3.0}
    water = found.curves["water"]
    assert water.closed and len(water.points) == 3
    assert [str(note) for note in found.notes] == ["lines.geojson: 1 points are left out"]


def test_widths_that_are_not_in_meters_are_told_of(tmp_path):
    line = [[0, 0], [100, 100]]
    widths = {"a": "7", "b": 3.5, "c": "12 ft", "d": "wide", "e": -2, "f": 1e9}
    features = [feature("LineString", line, name=name, width=text) for name, text in widths.items()]
    found = read_local(tmp_path, *features, feature("LineString", line, name="g"), width=4.0)
    got = {name: curve.points[0].width for name, curve in found.curves.items()}
    assert got == {"a": 7.0, "b": 3.5, **dict.fromkeys("cdefg", 4.0)}
    assert [str(note) for note in found.notes] == [
        "lines.geojson: 4 widths are not in meters: 4 m is taken"
    ]


def test_a_line_that_ends_where_it_begins_is_closed(tmp_path):
    ring = [[100, 100], [200, 100], [200, 200], [100, 200], [100, 100]]
    (curve,) = read_local(tmp_path, feature("LineString", ring)).curves.values()
    assert curve.closed and len(curve.points) == 4


def test_only_what_lies_on_the_land_or_beside_it_stays(tmp_path):
    rows = [
        [-5000, 100],
        [-4000, 100],
        [200, 100],
        [400, 300],
        [400, 9000],
        [500, 9000],
        [500, -900],
    ]
    found = read_local(
        tmp_path,
        feature("LineString", rows, name="Long"),
        feature("LineString", [[3000, 0], [4000, 0]], name="Away"),
    )
    assert list(found.curves) == ["Long", "Long 2"]
    assert places(found.curves["Long"])[0] == (-4.0, 0.1)
    assert places(found.curves["Long"])[-1] == (0.4, 9.0)
    assert places(found.curves["Long 2"]) == [(0.5, 9.0), (0.5, -0.9)]
    assert [str(note) for note in found.notes] == ["lines.geojson: 1 lines lie beyond the terrain"]


def test_properties_choose_lines(tmp_path):
    lines = [
        feature("LineString", [[0, 0], [100, 100]], name=name, **more)
        for name, more in {
            "a": {"highway": "primary"},
            "b": {"highway": "track"},
            "c": {"waterway": "river", "lanes": 2},
        }.items()
    ]
    for where, names in (
        ({"highway": ()}, ["a", "b"]),
        ({"highway": ["primary", "secondary"]}, ["a"]),
        ({"lanes": ["2"]}, ["c"]),
        ({}, ["a", "b", "c"]),
    ):
        assert list(read_local(tmp_path, *lines, where=where).curves) == names
    with pytest.raises(ParameterError, match="no line or polygon has the properties"):
        read_local(tmp_path, *lines, where={"railway": ()})


def test_curves_deviate_by_the_tolerance_at_most(tmp_path):
    angles = np.linspace(0.0, 3.0, 400)
    rows = np.transpose([500 + 200 * np.cos(angles), 200 + 200 * np.sin(angles)]).tolist()
    counts = []
    for tolerance in (0.1, 1.0, 10.0):
        found = read_local(tmp_path, feature("LineString", rows), tolerance=tolerance)
        (curve,) = found.curves.values()
        kept = np.array(places(curve)) * 1000.0
        radius = np.linalg.norm(0.5 * (kept[1:] + kept[:-1]) - (500.0, 200.0), axis=1)
        assert np.abs(radius - 200.0).max() <= tolerance + 0.1
        counts.append(len(kept))
    assert counts[0] > counts[1] > counts[2] >= 3


@pytest.mark.parametrize("west", [8.0, -180.02, 179.97])
def test_degrees_lie_on_land_in_degrees_on_both_sides_of_the_date_line(tmp_path, west):
    land = measured(west, 46.0)
    for turn in (-360.0, 0.0, 360.0):
        rows = [[west + 0.01 + turn, 46.005], [west + 0.03 + turn, 46.005]]
        if abs(rows[0][0]) > 540.0:
            continue
        (curve,) = read_curves(write(tmp_path, feature("LineString", rows)), land).curves.values()
        np.testing.assert_allclose([at[0] for at in places(curve)], (0.25, 0.75), atol=1e-6)


def test_a_web_map_lies_on_land_in_degrees(tmp_path):
    land = measured(-0.02, -0.01)
    crs = {"type": "name", "properties": {"name": "EPSG:3857"}}
    edge = 0.02 * 111319.49079327358  # meters of a degree along the equator
    rows = feature("LineString", [[-edge, 0.0], [edge, 0.0]])
    (curve,) = read_curves(write(tmp_path, rows, crs=crs), land).curves.values()
    np.testing.assert_allclose([at[0] for at in places(curve)], (0.0, 1.0), atol=1e-6)


LINE = {"type": "LineString", "coordinates": [[0, 0], [500, 400]]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "must be GeoJSON"),
        ("[1, 2]", "must be GeoJSON, an object with a type"),
        ('{"type": "Topology"}', "type must be one of GeoJSON; got 'Topology'"),
        ('{"type": "FeatureCollection"}', "features must be a list; got None"),
        ('{"type": "LineString", "coordinates": [[0, 0], [1, "x"]]}', "positions must be two or three numbers"),
        ('{"type": "LineString", "coordinates": [[0, 0], [1, NaN]]}', "positions must be two or three numbers"),
        ('{"type": "LineString", "coordinates": 3}', "coordinates must be lists; got 3"),
        ('{"type": "Polygon", "coordinates": [[[0,0],[9,0],[9,9]],[[1,1],[2,1],[2,2]]]}', "must have no holes"),
        (json.dumps({**LINE, "crs": {"properties": {"name": "ESRI:54009"}}}), "crs must name an EPSG code; give system"),
        (json.dumps({**LINE, "crs": 7}), "crs must name an EPSG code"),
        ('{"type": "GeometryCollection", "geometries": []}', "no line or polygon has the properties"),
    ],
)  # fmt: skip
def test_what_is_refused(tmp_path, text, message):
    path = tmp_path / "lines.geojson"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError) as refused:
        read_curves(path, LAND, system="" if "crs" in text else "local")
    assert message in str(refused.value) and len(str(refused.value).splitlines()) == 1


def test_land_and_system_have_to_fit(tmp_path):
    path = write(tmp_path, {"type": "Feature", "properties": None, "geometry": LINE})
    with pytest.raises(ParameterError, match="measured heights whose place is known"):
        read_curves(path, LAND)
    with pytest.raises(
        ParameterError, match="coordinates must be degrees: give system; got 500, 400"
    ):
        read_curves(path, measured(8.0, 46.0))
    with pytest.raises(ParameterError, match="no line lies on the terrain"):
        read_curves(write(tmp_path, feature("LineString", [[1, 1], [2, 2]])), measured(8.0, 46.0))
    for name, value in (("width", 0.0), ("width", "wide"), ("tolerance", -1.0)):
        with pytest.raises(ParameterError, match=f"{name} must be positive meters"):
            read_curves(path, LAND, system="local", **{name: value})
    with pytest.raises(ParameterError, match="lines.geojson"):
        read_curves(tmp_path / "none" / "lines.geojson", LAND, system="local")


def call(*arguments):
    said, noted = [], []
    return run(list(map(str, arguments)), said.append, noted.append), said, noted


def test_the_command_draws_roads_on_a_land(tmp_path):
    (tmp_path / "land.json").write_text(LAND.to_json(), encoding="utf-8")
    lines = write(
        tmp_path,
        feature("LineString", [[0, 100], [1000, 300]], highway="primary", name="Pass"),
        feature("LineString", [[0, 300], [1000, 300]], waterway="river"),
    )
    status, said, noted = call(
        "draw", tmp_path / "land.json", lines, "--output", tmp_path / "new.json", "--system", "local",
        "--where", "highway=primary,secondary", "--width", 40, "--option", "grade=0.02",
    )  # fmt: skip
    assert status == 0 and said == [str(tmp_path / "new.json")] and noted == ["1 curves"]
    drawn = Recipe.from_json((tmp_path / "new.json").read_text(encoding="utf-8"))
    assert list(drawn.curves) == ["Pass"]
    path = drawn.layers[-1]
    assert (path.curves, path.grade, path.crossfall) == (("Pass",), 0.02, 0.03)
    relief = drawn.evaluate(drawn.grid(101))
    assert relief.maps["bed"].max() == 1.0
    assert np.abs(relief.height - LAND.evaluate(LAND.grid(101)).height).max() > 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kind", "canal"], "--kind must be one of road, river_bed"),
        (["--option", "slope=1"], "--option of path must be of"),
        (["--where", "=x"], "--where must be such as highway=primary"),
        (["--output", "new.txt"], "--output must end in .json"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_written(tmp_path, options, message):
    (tmp_path / "land.json").write_text(LAND.to_json(), encoding="utf-8")
    lines = write(tmp_path, feature("LineString", [[0, 100], [1000, 300]]))
    before = sorted(tmp_path.iterdir())
    status, _, noted = call(
        *("draw", tmp_path / "land.json", lines, "--output", tmp_path / "new.json"),
        *("--system", "local", *options),
    )
    assert status == 2 and message in noted[-1]
    assert sorted(tmp_path.iterdir()) == before
