# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged elevation files: one line that names the file, no other error, no memory beyond their claim.

More examples: TERRANE_MUTATED_FILES=2000.
"""

from __future__ import annotations

import os
import struct
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noise_core import ParameterError
from noise_core.base.freed_memory import keep_freed_memory
from noise_core.io.elevation_reading import probe_elevation, read_elevation
from tests.core import elevation_files as files

COUNT = int(os.environ.get("TERRANE_MUTATED_FILES", "400"))

FIELD = np.random.default_rng(7).integers(0, 250, (24, 33))
HOLE = {42113: ("s", [b"7\0"])}
WORDS = {"ncols": 33, "nrows": 24, "xllcorner": 1, "yllcorner": 2, "cellsize": 0.5}


def array_file(samples: np.ndarray) -> bytes:
    header = (
        f"{{'descr': '{samples.dtype.str}', 'fortran_order': False, 'shape': {samples.shape}, }}"
    )
    text = header.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + samples.tobytes()


SEEDS = [
    ("a.tif", files.tiff(FIELD.astype("i2"), extra=files.geo_tags() | HOLE)),
    ("a.tif", files.tiff(FIELD.astype("f4"), compression=8, predictor=3, tile=(16, 16), big=True)),
    ("a.tif", files.tiff(FIELD.astype("u2"), compression=5, predictor=2, order=">", strip=24)),
    ("a.tif", files.tiff(FIELD.astype("u1"), compression=32773, extra=files.geo_tags())),
    (
        "a.tif",
        files.chained(
            {"samples": FIELD.astype("i2"), "extra": files.geo_tags()},
            files.mask(FIELD > 20, compression=8, tile=(16, 16)),
            {"samples": FIELD[::2, ::2].astype("i2"), "extra": {254: ("I", [1])}},
        ),
    ),
    (
        "a.tif",
        files.tiff(
            FIELD.astype("u1"), extra=files.metadata(("scale", "2", 0), ("unittype", "ft", 0))
        ),
    ),
    ("a.png", files.png(FIELD.astype("u2") * 200, kinds=(0, 1, 2, 3, 4), clear=(400,))),
    ("a.asc", files.asc(FIELD, {**WORDS, "NODATA_value": 7})),
    ("a.npy", array_file(FIELD.astype("f4"))),
    ("a.raw", FIELD[:, :24].astype("u2").tobytes()),
    ("N46E007.hgt", bytes(100)),
]

NUMBERS = (0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


FLAGS = files.metadata(("INTERNAL_MASK_FLAGS_1", "2", None))

AUXILIARY = (
    '<PAMDataset><SRS>GEOGCS["a",DATUM["b",SPHEROID["c",6378137,298.25]],PRIMEM["d",0],'
    'UNIT["degree",0.0174532925199433]]</SRS><GeoTransform>7, 0.1, 0, 46, 0, -0.1</GeoTransform>'
    '<PAMRasterBand band="1"><NoDataValue>7</NoDataValue><Scale>2</Scale><UnitType>ft</UnitType>'
    "</PAMRasterBand></PAMDataset>"
)

BESIDE = [
    ("a.tif.msk", files.tiff((FIELD > 20).astype("u1"), compression=8, extra=FLAGS)),
    ("a.tif.aux.xml", AUXILIARY.encode()),
    ("a.tfw", b"30\n0\n0\n-20\n1015\n1990\n"),
    ("a.tif.ovr", files.tiff(FIELD[::2, ::2].astype("i2"), extra={254: ("I", [1])})),
]


@st.composite
def mutated(draw, seeds=SEEDS):
    """Draw a file with some bytes changed, numbers replaced, parts cut out or put in."""
    name, data = draw(st.sampled_from(seeds))
    changed = bytearray(data)
    # Most of what can go wrong stands in the first bytes.
    for _ in range(draw(st.integers(1, 6))):
        limit = len(changed) if draw(st.booleans()) else min(len(changed), 400)
        at = draw(st.integers(0, max(limit - 1, 0)))
        kind = draw(st.sampled_from(("byte", "number", "cut", "remove", "insert", "repeat")))
        if kind == "byte" and changed:
            changed[at] = draw(st.integers(0, 255))
        elif kind == "number":
            form = draw(st.sampled_from(("<H", ">H", "<I", ">I", "<Q", ">Q")))
            number = draw(st.sampled_from(NUMBERS)) & ((1 << 8 * struct.calcsize(form)) - 1)
            changed[at : at + struct.calcsize(form)] = struct.pack(form, number)
        elif kind == "cut" and draw(st.booleans()):
            del changed[at:]
        elif kind == "remove":
            del changed[at : at + draw(st.integers(1, 40))]
        elif kind == "insert":
            changed[at:at] = draw(st.binary(max_size=20))
        else:
            changed[at:at] = changed[at : at + 64]
    if name == "a.png" and draw(st.booleans()):  # a checksum alone would stop the rest
        changed = repair(changed)
    return name, bytes(changed)


def repair(data: bytearray) -> bytearray:
    """Make the checksums of a PNG file right again."""
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        if at + 12 + length > len(data):
            break
        check = zlib.crc32(data[at + 4 : at + 8 + length])
        struct.pack_into(">I", data, at + 8 + length, check)
        at += 12 + length
    return data


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    keep_freed_memory()  # it takes some, once
    return tmp_path_factory.mktemp("damage")


@settings(max_examples=COUNT)
@given(mutated())
def test_damage_is_one_line(folder, example):
    name, data = example
    path = folder / name
    path.write_bytes(data)
    tracemalloc.start()
    claim = 4 * 1200 * 1200
    try:
        info = probe_elevation(path)
        claim = 4 * info.rows * info.columns
        # A wrong claim may be of gigabytes: what is read is then reduced on the way.
        samples = None if claim < 1 << 24 else 64
        elevation = read_elevation(path, samples=samples)
        assert elevation.heights.dtype == np.float32 and np.isfinite(elevation.heights).all()
        assert all("\n" not in line for line in elevation.lines)
    except ParameterError as error:
        assert name in str(error) and "\n" not in str(error), str(error)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    # Beside four times the claim, what the smallest file takes: bands, tables, parts of 4 MB.
    assert peak < 4 * min(claim, 1 << 24) + (24 << 20), (peak, claim)


@settings(max_examples=COUNT)
@given(mutated(BESIDE))
def test_damage_beside_the_file_is_one_line(folder, example):
    name, data = example
    path, beside = folder / "a.tif", folder / name
    path.write_bytes(files.tiff(FIELD.astype("i2")))
    beside.write_bytes(data)
    try:
        with pytest.MonkeyPatch.context() as patch:
            if name.endswith("ovr"):
                patch.setattr("noise_core.io.elevation_reading.reduction.MOST_SAMPLES", 100)
            elevation = read_elevation(path, samples=12)
        assert np.isfinite(elevation.heights).all()
        assert all("\n" not in line for line in elevation.lines)
    except ParameterError as error:
        assert "\n" not in str(error) and ("a.t" in str(error)), str(error)
    finally:
        beside.unlink()


def test_bombs_are_unpacked_as_far_as_is_needed(tmp_path):
    bomb = zlib.compress(bytes(1 << 28), 9)
    samples = np.zeros((64, 64), "u1")
    packed = files.PACK | {8: lambda data: bomb}
    original, files.PACK = files.PACK, packed
    try:
        data = files.tiff(samples, compression=8, strip=64)
    finally:
        files.PACK = original
    path = tmp_path / "bomb.tif"
    path.write_bytes(data)
    keep_freed_memory()
    tracemalloc.start()
    assert not read_elevation(path).heights.any()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20


@pytest.mark.parametrize("compression", sorted(files.PACK))
def test_every_end_is_refused_or_read(tmp_path, compression):
    data = files.tiff(FIELD.astype("i2"), compression=compression, extra=files.geo_tags())
    path = tmp_path / "short.tif"
    for stop in range(1, len(data) - 4, 11):
        path.write_bytes(data[:stop])
        with pytest.raises(ParameterError, match=r"^short\.tif"):
            read_elevation(path)
