# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported tiles read as one land: their very samples, means of them, and one line for damage."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from noise_core.base.errors import Cancelled, ParameterError
from noise_core.io.elevation_reading import reduction
from noise_core.io.elevation_reading.tile_sets import TileSet
from noise_core.io.heightmaps import ExportOptions, export_heightmap
from tests import drawing

ROWS, COLUMNS = 65, 97
SPACING = 4.0

# Target, samples of a file (rows, columns), tiles along x and y.
EXPORTS = [
    ("npy", (17, 25), (4, 4)),
    ("geotiff", (17, 25), (4, 4)),
    ("unity", (33, 33), (3, 2)),
    ("npy", (65, 97), (1, 1)),
]
SUFFIXES = {"npy": ".npy", "geotiff": ".tif", "unity": ".raw", "png16": ".png"}


def land():
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    return (700.0 + 3.0 * x - 2.0 * y + 40.0 * np.sin(x / 5.0) * np.cos(y / 7.0)).astype(np.float32)


def write(folder, target="npy", samples=(17, 25), tiles=(4, 4)):
    """Export the land; return the path of the sidecar and half a step of its numbers."""
    path = folder / f"land{SUFFIXES[target]}"
    export_heightmap(
        land(),
        path,
        target=target,
        samples=samples,
        options=ExportOptions(tiles=tiles),
        size=SPACING * (COLUMNS - 1),
    )
    beside = path.with_name(f"{path.name}.json")
    step = json.loads(beside.read_text())["scale"]
    return beside, 0.51 * step if target == "unity" else 0.0


def places(first, last, step=1.0):
    return np.arange(float(first), last + 1.0, step)


@pytest.mark.parametrize(("target", "samples", "tiles"), EXPORTS)
def test_all_samples_are_those_of_the_land(tmp_path, target, samples, tiles):
    path, tolerance = write(tmp_path, target, samples, tiles)
    tile_set = TileSet.open(path)
    assert (tile_set.rows, tile_set.columns, tile_set.spacing) == (ROWS, COLUMNS, SPACING)
    whole = tile_set.read(places(0, ROWS - 1), places(0, COLUMNS - 1))
    np.testing.assert_allclose(whole, land(), rtol=0.0, atol=tolerance)
    # Across the borders of tiles.
    window = tile_set.read(places(9, 50), places(20, 90))
    np.testing.assert_array_equal(window, whole[9:51, 20:91])


def run_backwards(work, count, strip, **options):
    for start in reversed(range(0, count, strip)):
        work(start, min(start + strip, count))


@pytest.mark.parametrize(("target", "first"), [("npy", 0), ("npy", 4), ("geotiff", 0)])
def test_means_are_those_over_the_area_halfway_to_the_neighbors(
    tmp_path, monkeypatch, target, first
):
    tile_set = TileSet.open(write(tmp_path, target)[0])
    monkeypatch.setattr(reduction, "_SAMPLES_PER_BAND", 200)  # means reach over bands
    rows, columns = places(first, 56, 4.0), places(0, 96, 6.0)
    coarse = tile_set.read(rows, columns)
    # Bands may come in any order, on threads.
    monkeypatch.setattr(reduction.blocks, "run", run_backwards)
    np.testing.assert_array_equal(tile_set.read(rows, columns), coarse)
    weights = []
    for at, step, count in ((rows, 4.0, ROWS), (columns, 6.0, COLUMNS)):
        low = np.maximum(at - 0.5 * step + 0.5, 0.0)[:, np.newaxis]
        high = np.minimum(at + 0.5 * step + 0.5, count)[:, np.newaxis]
        sample = np.arange(count)
        share = np.clip(np.minimum(sample + 1, high) - np.maximum(sample, low), 0.0, None)
        weights.append(share / share.sum(axis=1, keepdims=True))
    expected = weights[0] @ land().astype(np.float64) @ weights[1].T
    np.testing.assert_allclose(coarse, expected, rtol=1e-6)


def test_a_window_needs_its_own_tiles_alone(tmp_path):
    path, _ = write(tmp_path)
    tile_set = TileSet.open(path)
    for number in range(16):
        if number % 4 < 2:
            (tmp_path / f"land_x{number % 4}_y{number // 4}.npy").write_bytes(b"damaged")
    part = tile_set.read(places(0, 20), places(50, 96))
    np.testing.assert_array_equal(part, land()[:21, 50:])
    with pytest.raises(ParameterError, match="land_x1_y0.npy"):
        tile_set.read(places(0, 20), places(40, 96))


def test_one_of_the_tiles_leads_to_the_sidecar(tmp_path):
    path, _ = write(tmp_path)
    assert TileSet.open(tmp_path / "land_x1_y2.npy").path == path
    (tmp_path / "other.npy").write_bytes((tmp_path / "land_x1_y2.npy").read_bytes())
    with pytest.raises(ParameterError, match="other.npy has no sidecar beside it"):
        TileSet.open(tmp_path / "other.npy")


def test_files_that_are_read_from_their_beginning_alone_are_refused(tmp_path):
    tile_set = TileSet.open(write(tmp_path, "png16")[0])
    with pytest.raises(ParameterError, match="land_x0_y3.png: export NPY or GeoTIFF"):
        tile_set.read(places(0, 9), places(0, 9))


def test_a_cancelled_reading_ends(tmp_path):
    tile_set = TileSet.open(write(tmp_path)[0])
    with pytest.raises(Cancelled):
        tile_set.read(places(0, 64), places(0, 96), cancel=lambda: True)


def changed(path, change):
    plain = json.loads(path.read_text())
    change(plain)
    path.write_text(json.dumps(plain))


def without_a_tile(path):
    path.with_name("land_x2_y1.npy").unlink()


def of_another_shape(path):
    np.save(path.with_name("land_x2_y1.npy"), np.zeros((25, 17), np.float32))


def of_another_type(path):
    np.save(path.with_name("land_x2_y1.npy"), np.zeros((17, 25), np.float64))


def cut_off(path):
    tile = path.with_name("land_x2_y1.npy")
    tile.write_bytes(tile.read_bytes()[:-9])


def of_other_samples(path):
    changed(path, lambda plain: plain.update(samples=[33, 17]))


def half_written(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (without_a_tile, "land_x2_y1.npy is missing: land.npy.json names it"),
        (of_another_shape, "land_x2_y1.npy must have 25 x 17 samples of float32, as land.npy.json says; got 17 x 25"),
        (of_another_type, "land_x2_y1.npy must have 25 x 17 samples of float32, as land.npy.json says; got 25 x 17 of float64"),
        (cut_off, "land_x2_y1.npy is damaged"),
        (of_other_samples, "must have 33 x 17 samples of float32, as land.npy.json says"),
        (half_written, "land.npy.json must be the sidecar of heights that Terrane has exported"),
        (lambda path: path.write_text("[]"), "land.npy.json must be the sidecar"),
        (lambda path: path.unlink(), "land.npy.json must be the sidecar of heights that Terrane has exported: cannot be read"),
        (lambda path: changed(path, lambda plain: plain.pop("tiles")), "land.npy.json must be the sidecar"),
        (lambda path: changed(path, lambda plain: plain["files"].pop(4)), "land.npy.json must be the sidecar"),
        (lambda path: changed(path, lambda plain: plain.update(tiles=[0, 4])), "tiles must be from 1 on; got 0 x 4"),
        (lambda path: changed(path, lambda plain: plain.update(samples=[1 << 22, 4])), "samples"),
        (lambda path: changed(path, lambda plain: plain.update(meters_per_sample=0)), "has no spacing"),
        (lambda path: changed(path, lambda plain: plain["files"][0].update(name="../land.npy")), "land.npy.json must be the sidecar"),
    ],
)  # fmt: skip
def test_damage_is_told_in_one_line(tmp_path, damage, says):
    path, _ = write(tmp_path)
    damage(path)
    with pytest.raises(ParameterError, match=says) as caught:
        tile_set = TileSet.open(path)
        tile_set.read(places(0, tile_set.rows - 1), places(0, tile_set.columns - 1, 2.0))
    assert "\n" not in str(caught.value)


def spots(plain):
    """Return where values stand in a sidecar: the list or dictionary that holds each, and its key."""
    keys = list(plain) if isinstance(plain, dict) else range(len(plain))
    below = [
        spots(plain[key]) for key in keys if isinstance(plain[key], (dict, list)) and plain[key]
    ]
    return [(plain, key) for key in keys] + [one for part in below for one in part]


OTHERS = [None, True, -1, 0, 7, 1.5, 1e300, 10**400, "", "x", "land.npy", "../x", "a\0b", "x" * 300]
OTHERS += [
    [],
    ["x"],
    [None],
    [["x"]],
    [[]],
    {},
    {"name": 3},
    [{"name": 3}],
    [{"name": "x", "tile": 3}],
]
OTHERS += [[{"name": "x", "tile": [[], {}]}], [{"tile": [0, 0]}], [1, 2, 3], [1 << 40, 1 << 40]]


def test_values_that_no_sidecar_has_are_told_in_one_line(tmp_path):
    path, _ = write(tmp_path)
    whole, chance = path.read_text(), drawing.generator("sidecars")
    count = len(OTHERS)
    for number in range(count + drawing.count_of(2000)):
        plain = json.loads(whole)
        holder, key = chance.choice(spots(plain))
        if number < count:
            holder, key = plain, "files"
        holder[key] = OTHERS[number % len(OTHERS)]
        path.write_text(json.dumps(plain))
        for start in (path, path.with_name("land_x1_y2.npy")):
            try:
                tile_set = TileSet.open(start)
                tile_set.read(places(0, 9), places(0, 9))
            except ParameterError as error:
                assert "\n" not in str(error), (holder[key], error)
    path.write_text(whole)
    assert TileSet.open(path).rows == ROWS


def test_tiles_may_be_elsewhere_than_they_were_written(tmp_path):
    path, _ = write(tmp_path)
    (tmp_path / "moved").mkdir()
    for one in tmp_path.glob("land*"):
        shutil.move(one, tmp_path / "moved")
    tile_set = TileSet.open(tmp_path / "moved" / path.name)
    np.testing.assert_array_equal(tile_set.read(places(0, 9), places(0, 9)), land()[:10, :10])
