# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes in degrees of files, of joined tiles and of folders: the samples in them, and nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noise_core import ParameterError, Recipe, read_elevation
from noise_core.commands import command_line
from noise_core.io.elevation_reading import probe_elevation
from tests import drawing
from tests.core import elevation_files as files
from tests.core.elevation_files import write

ROWS, COLUMNS, WEST, SOUTH, STEP = 61, 83, 7.0, 46.0, 0.01
"""Of a land whose samples are points."""


def land():
    """Return whole meters, row 0 in the south, no two rows or columns the same."""
    return np.add.outer(100.0 * np.arange(ROWS), np.arange(COLUMNS)).astype(np.float32)


def grid_file(folder, name, rows=slice(0, ROWS), columns=slice(0, COLUMNS), west=WEST, **changed):
    """Write a part of the land as an ESRI grid of degrees."""
    words = {"ncols": columns.stop - columns.start, "nrows": rows.stop - rows.start}
    words |= {"xllcenter": repr(west + STEP * columns.start)}
    words |= {"yllcenter": repr(SOUTH + STEP * rows.start), "cellsize": STEP, **changed}
    path = write(folder, name, files.asc(land()[rows, columns][::-1], words))
    path.with_suffix(".prj").write_text(
        'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],'
        'PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]'
    )
    return path


def drawn_box(chance):
    """Return a box between samples or on them, and the rows and columns in it."""
    rows, columns = (sorted(chance.sample(range(count), 2)) for count in (ROWS, COLUMNS))
    beyond = chance.choice([0.0, 0.0, 0.3, 0.499])
    west, east = columns[0] - beyond, columns[1] + beyond
    south, north = rows[0] - beyond, rows[1] + beyond
    box = (WEST + STEP * west, SOUTH + STEP * south, WEST + STEP * east, SOUTH + STEP * north)
    return box, slice(rows[0], rows[1] + 1), slice(columns[0], columns[1] + 1)


def drawn_tiles(chance, folder):
    """Write the land as tiles that share a border, touch or overlap; return their paths, in any order."""
    shared = chance.choice([0, 1, 2])
    paths = []
    cuts = [sorted({0, count, *chance.sample(range(4, count - 4), 2)}) for count in (ROWS, COLUMNS)]
    for low, high in zip(cuts[0], cuts[0][1:]):
        for left, right in zip(cuts[1], cuts[1][1:]):
            rows = slice(low, min(high + shared, ROWS))
            columns = slice(left, min(right + shared, COLUMNS))
            paths.append(grid_file(folder, f"tile_{low}_{left}.asc", rows, columns))
    chance.shuffle(paths)
    return paths


@pytest.mark.parametrize("number", range(drawing.count_of(400)))
def test_a_box_of_tiles_has_the_samples_in_it(tmp_path, number):
    chance = drawing.generator(f"boxes {number}")
    paths = drawn_tiles(chance, tmp_path)
    given = chance.choice([paths, tmp_path, [grid_file(tmp_path, "whole.asc")]])
    (tmp_path / "notes.txt").write_text("no heights")
    for _ in range(3):
        box, rows, columns = drawn_box(chance)
        found = read_elevation(given, box=box)
        np.testing.assert_array_equal(found.heights, land()[rows, columns])
        assert found.holes is None
        assert found.info == probe_elevation(given, box=box)
        origin = (WEST + STEP * columns.start, SOUTH + STEP * rows.start)
        assert found.georeference.origin == pytest.approx(origin, abs=1e-9)
        middle = math.radians(SOUTH + STEP * (rows.start + rows.stop - 1) / 2.0)
        assert found.spacing[0] == pytest.approx(111_320.0 * STEP * math.cos(middle), rel=3e-3)


def test_a_box_that_is_reduced_has_the_means_over_it(tmp_path):
    path = grid_file(tmp_path, "land.asc")
    box = (WEST + STEP * 10, SOUTH + STEP * 8, WEST + STEP * 29, SOUTH + STEP * 27)
    found = read_elevation(path, box=box, samples=10)
    part = land()[8:28, 10:30].reshape(10, 2, 10, 2).mean(axis=(1, 3))
    np.testing.assert_allclose(found.heights, part)


def test_a_box_of_a_file_that_is_read_in_order_alone(tmp_path):
    pixels = land().astype(np.uint16)[::-1]
    path = write(tmp_path, "land.png", files.png(pixels))
    north = SOUTH + STEP * (ROWS - 1)
    path.with_suffix(".pgw").write_text(f"{STEP}\n0\n0\n{-STEP}\n{WEST}\n{north!r}\n")
    path.with_suffix(".prj").write_text(
        grid_file(tmp_path, "a.asc").with_suffix(".prj").read_text()
    )
    for number in range(5):
        box, rows, columns = drawn_box(drawing.generator(f"png {number}"))
        found = read_elevation(path, box=box)
        np.testing.assert_array_equal(found.heights, land()[rows, columns])


@pytest.mark.parametrize("west", [180.0 - 40 * STEP, -180.0 - 40 * STEP, 400.0 / 3.0])
def test_a_box_across_180_degrees(tmp_path, west):
    path = grid_file(tmp_path, "land.asc", west=west)

    def wrapped(degrees):
        return (degrees + 180.0) % 360.0 - 180.0

    for left, right in ((20, 60), (41, 80), (2, 39)):
        box = (
            wrapped(west + STEP * (left - 0.2)),
            SOUTH,
            wrapped(west + STEP * (right + 0.2)),
            46.3,
        )
        found = read_elevation(path, box=box)
        np.testing.assert_array_equal(found.heights, land()[:31, left : right + 1])


def test_tiles_on_both_sides_of_180_degrees_have_a_box(tmp_path):
    west = 180.0 - STEP * 40
    left = grid_file(tmp_path, "a.asc", columns=slice(0, 41), west=west)
    right = grid_file(tmp_path, "b.asc", columns=slice(40, COLUMNS), west=west - 360.0)
    found = read_elevation([right, left], box=(179.8, SOUTH, -179.8, 46.5))
    np.testing.assert_array_equal(found.heights, land()[:51, 20:61])


@pytest.mark.parametrize(
    "box",
    [
        *((7.0, 46.0, 7.2), (7.0, 46.0, 7.2, math.nan), (7.0, 46.0, 7.0, 46.2), "7 46 8 47"),
        *((7.0, 46.2, 7.2, 46.0), (7.0, 46.1, 7.2, 46.1), (7.0, -91.0, 7.2, 46.0), 7.0),
        *((-400.0, 46.0, 7.2, 46.5), (7.0, 46.0, 367.5, 46.5), (7.0, 46.0, None, 46.5), ()),
    ],
)
def test_no_box_is_refused(tmp_path, box):
    with pytest.raises(ParameterError, match=r"^box must be west, south, east and north in deg"):
        read_elevation(grid_file(tmp_path, "land.asc"), box=box)


def test_a_box_beyond_the_land_says_where_it_lies(tmp_path):
    path = grid_file(tmp_path, "land.asc")
    limits = r"^land.asc: box must lie within 7, 46, 7.82, 46.6 degrees; got "
    beyond = ((6.9, 46.1, 7.2, 46.3), (7.2, 46.1, 7.9, 46.3), (7.2, 46.1, 7.3, 46.7))
    for box in (*beyond, (7.5, 46.1, 7.2, 46.2)):
        with pytest.raises(ParameterError, match=limits):
            read_elevation(path, box=box)
    for whole in ((7.0, 46.0, 7.82, 46.6), (6.995, 45.995, 7.825, 46.605)):
        np.testing.assert_array_equal(read_elevation(path, box=whole).heights, land())
    with pytest.raises(ParameterError, match="at least 2 x 2 samples must lie in box; got 1 x 3"):
        read_elevation(path, box=(7.099, 46.099, 7.104, 46.121))


def test_a_box_in_a_gap_between_tiles_names_the_place(tmp_path):
    quarter, half = slice(0, 30), slice(0, COLUMNS)
    paths = [grid_file(tmp_path, "south.asc", quarter, half)]
    paths.append(grid_file(tmp_path, "north.asc", slice(30, ROWS), slice(40, COLUMNS)))
    gap = r"^south.asc ...: no file covers 7.\d+, 46.\d+ degrees: add it, or give a smaller box$"
    with pytest.raises(ParameterError, match=gap):
        read_elevation(paths, box=(7.1, 46.1, 7.5, 46.5))
    found = read_elevation(paths, box=(7.4, 46.1, 7.7, 46.5))
    np.testing.assert_array_equal(found.heights, land()[10:51, 40:71])
    notes = [str(note) for note in probe_elevation(paths).notes]
    assert any("No file covers 7.195, 46.45: a hole" in note for note in notes), notes


def test_holes_in_a_box_are_told(tmp_path):
    path = grid_file(tmp_path, "land.asc", NODATA_value=2015)
    found = read_elevation(path, box=(7.1, 46.15, 7.3, 46.3))
    assert np.argwhere(found.holes).tolist() == [[5, 5]]
    assert any(str(line) == "1 holes filled" for line in found.lines)
    assert read_elevation(path, box=(7.3, 46.15, 7.5, 46.3)).holes is None


def test_land_without_a_place_in_degrees_has_no_box(tmp_path):
    box = (7.0, 46.0, 7.2, 46.2)
    plain = write(tmp_path, "land.npy", b"")
    np.save(plain, land())
    with pytest.raises(ParameterError, match=r"^land.npy: its place must be known for a box$"):
        read_elevation(plain, box=box)
    for system in ("EPSG:2056", "local"):
        with pytest.raises(ParameterError, match="a box in degrees cannot be found in its system"):
            read_elevation(grid_file(tmp_path, "land.asc"), box=box, system=system)


def test_a_folder_without_land_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("no heights")
    with pytest.raises(
        ParameterError, match=r"it is no file, nor a folder with files of \.asc, \.gtiff, \.hgt"
    ):
        read_elevation(tmp_path)


def test_tiles_of_other_grids_are_refused_by_name(tmp_path):
    grid_file(tmp_path, "a.asc")
    other = grid_file(tmp_path, "b.asc", cellsize=0.011)
    with pytest.raises(ParameterError, match=r"^b.asc must have the spacing of a.asc"):
        read_elevation(tmp_path, box=(7.1, 46.1, 7.2, 46.2))
    other.unlink()
    other = grid_file(tmp_path, "b.asc")
    text = other.with_suffix(".prj").read_text().replace('["Greenwich",0]', '["Paris",2.33722917]')
    other.with_suffix(".prj").write_text(text)
    with pytest.raises(ParameterError, match=r"^b.asc must have the coordinate system of a.asc"):
        read_elevation(tmp_path, box=(7.1, 46.1, 7.2, 46.2))


def test_the_command_makes_a_recipe_of_a_box(tmp_path):
    tiles = tmp_path / "tiles"
    tiles.mkdir()
    paths = drawn_tiles(drawing.generator("command"), tiles)
    box = ("--box", 7.1, 46.1, 7.5, 46.4)
    for name, sources in (("folder.json", [tiles]), ("files.json", paths)):
        status, said, noted = command("land", *sources, "--output", tmp_path / name, *box)
        assert status == 0 and said == [str(tmp_path / name)], noted
        recipe = Recipe.from_json((tmp_path / name).read_text())
        layer = recipe.layers[0]
        heights = layer.noise.pixels * np.float32(layer.height)
        np.testing.assert_array_equal(heights, land()[10:41, 10:51])
        assert recipe.georeference is not None
    status, said, noted = command(
        "land", tiles, "--output", tmp_path / "c.json", "--box", -7, 46, 8, 47
    )
    assert (status, said) == (2, []) and "box must lie within 7, 46, 7.82, 46.6 degrees" in noted[
        -1
    ]
    assert not (tmp_path / "c.json").exists()


def command(*arguments):
    """Run a command; return its status, its lines and its notes."""
    said, noted = [], []
    status = command_line.run([str(one) for one in arguments], said.append, noted.append)
    return status, said, noted
