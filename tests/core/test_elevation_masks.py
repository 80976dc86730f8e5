# SPDX-License-Identifier: GPL-3.0-or-later
"""Holes by masks, transparency and numbers; facts about bands; ranges: of files written from the specification."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.io.elevation_reading import probe_elevation, read_elevation
from noise_core.io.elevation_reading.formats.raw import Raw
from noise_core.io.elevation_reading.source import is_nodata
from tests.core import elevation_files as files
from tests.core.elevation_files import SHAPE, holes_of, land, valid, write


def assert_holes(path, expected):
    found = read_elevation(path)
    np.testing.assert_array_equal(holes_of(found)[::-1], expected)
    return found


@pytest.mark.parametrize("layout", [{"strip": 5}, {"strip": 99}, {"tile": (16, 32)}])
@pytest.mark.parametrize("compression", sorted(files.PACK))
@pytest.mark.parametrize("kind", [bool, "u1"])
@pytest.mark.parametrize("big", [False, True])
def test_masks_inside_the_file(tmp_path, layout, compression, kind, big):
    known = valid()
    samples = known if kind is bool else known.astype("u1") * 255
    mask = files.mask(samples, compression=compression, **layout)
    data = files.chained({"samples": land(), "compression": 8}, mask, big=big, order="<>"[big])
    found = assert_holes(write(tmp_path, "a.tif", data), ~known)
    np.testing.assert_array_equal(found.heights[::-1][known], land()[known])


def test_a_mask_counts_instead_of_the_number_for_holes(tmp_path):
    known = valid()
    extra = {42113: ("s", [b"%d\0" % land()[0, 0]])}
    data = files.chained({"samples": land(), "extra": extra}, files.mask(known))
    assert_holes(write(tmp_path, "a.tif", data), ~known)
    assert_holes(write(tmp_path, "b.tif", files.tiff(land(), extra=extra)), land() == land()[0, 0])


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (files.mask(valid((20, 37))), "its mask must have 37 x 21 samples; got 37 x 20"),
        (files.mask(valid().astype("u2")), "a mask must have samples of 1 or 8 bits; got uint16"),
        (files.mask(valid(), compression=50000), r"compression ZSTD \(50000\) cannot be read"),
    ],
)
def test_masks_that_cannot_be_read_are_refused(tmp_path, mask, message):
    path = write(tmp_path, "a.tif", files.chained({"samples": land()}, mask))
    with pytest.raises(ParameterError, match=f"^a.tif: {message}"):
        read_elevation(path)


def test_directories_in_a_circle(tmp_path):
    data = files.tiff(land(), next_place=8)
    with pytest.raises(ParameterError, match="^a.tif is damaged: its directories do not end"):
        read_elevation(write(tmp_path, "a.tif", data))


@pytest.mark.parametrize(
    ("bands", "extra", "kind", "counts"),
    [
        (2, [2], "u1", True),
        (2, [1], "u2", True),
        (4, [2], "u1", True),
        (2, [0], "u1", False),
        (2, [2], "i2", False),
        (3, [0, 2], "u1", False),
    ],
)
@pytest.mark.parametrize("is_planar", [False, True])
def test_bands_of_transparency(tmp_path, bands, extra, kind, counts, is_planar):
    samples = np.repeat(land(kind)[:, :, np.newaxis], bands, axis=2)
    samples[:, :, -1] = valid() * 3
    tags = {338: ("H", extra)}
    data = files.tiff(samples, extra=tags, is_planar=is_planar, compression=8, predictor=2)
    assert_holes(write(tmp_path, "a.tif", data), ~valid() if counts else np.zeros(SHAPE, bool))


@pytest.mark.parametrize("color", [0, 2, 4, 6])
@pytest.mark.parametrize("kind", ["u1", "u2"])
def test_transparency_of_png(tmp_path, color, kind):
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    samples = np.repeat(land(kind)[:, :, np.newaxis], channels, axis=2)
    clear = ()
    if color >= 4:
        samples[:, :, -1] = valid()
    else:
        samples[~valid()] = 255
        clear = (255,) * channels
    assert_holes(write(tmp_path, "a.png", files.png(samples, color=color, clear=clear)), ~valid())


def mask_file(samples, says='<Item name="INTERNAL_MASK_FLAGS_1">2</Item>', **options):
    text = f"<GDALMetadata>{says}</GDALMetadata>\0".encode()
    return files.tiff(samples.astype("u1") * 255, extra={42112: ("s", [text])}, **options)


@pytest.mark.parametrize("name", ["a.tif", "a.png", "a.asc", "N46E007.hgt"])
@pytest.mark.parametrize("is_upper", [False, True])
def test_masks_beside_the_file(tmp_path, name, is_upper):
    shape = (1201, 1201) if name.endswith("hgt") else SHAPE
    field, known = land("u1", shape), valid(shape)
    words = {"ncols": 37, "nrows": 21, "xllcorner": 1, "yllcorner": 2, "cellsize": 10}
    data = {
        "a.tif": files.tiff(field),
        "a.png": files.png(field),
        "a.asc": files.asc(field, words),
        "N46E007.hgt": field.astype(">i2").tobytes(),
    }
    path = write(tmp_path, name, data[name])
    assert_holes(path, np.zeros(shape, bool))
    ending = ".MSK" if is_upper else ".msk"
    beside = write(tmp_path, name + ending, mask_file(known, compression=8, tile=(16, 16)))
    found = assert_holes(path, ~known)
    assert f"Holes by {beside.name}" in found.lines
    write(tmp_path, beside.name, mask_file(known, says=""))
    found = assert_holes(path, np.zeros(shape, bool))
    assert f"{beside.name} is no mask: it does not say INTERNAL_MASK_FLAGS_1" in found.lines
    for damage, message in (
        (mask_file(known[:-1]), "must have "),
        (mask_file(known)[:9], "is damaged: "),
        (b"\x89PNG", "must be a TIFF file, as masks of GDAL are; got one that begins with b'"),
        (b"", "cannot be read: it is empty"),
    ):
        write(tmp_path, beside.name, damage)
        with pytest.raises(ParameterError, match=f"^{beside.name} {message}"):
            read_elevation(path)


# --- bands ---------------------------------------------------------------------------------------


def test_the_first_band_counts(tmp_path):
    samples = np.repeat(land()[:, :, np.newaxis], 2, axis=2)
    items = [("scale", "0.01", 1), ("offset", "-5", 1), ("unittype", "km", 1)]
    path = write(tmp_path, "a.tif", files.tiff(samples, extra=files.metadata(*items)))
    np.testing.assert_array_equal(read_elevation(path).heights, land()[::-1])
    items = [*items, ("scale", "2", 0), ("unittype", "ft", 0), ("offset", "10", 0)]
    path = write(tmp_path, "a.tif", files.tiff(samples, extra=files.metadata(*items)))
    expected = (land()[::-1] * 2.0 + 10.0) * 0.3048
    np.testing.assert_allclose(read_elevation(path).heights, expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (files.metadata(("scale", "much", 0)), "scale must be a number; got 'much'"),
        (files.metadata(("scale", "0", 0)), r"scale must be a number up to 1e\+12 other than 0"),
        (files.metadata(("offset", "nan", 0)), r"offset must be a number up to 1e\+12"),
        ({42112: ("s", [b"<GDALMetadata><Item>\0"])}, "is damaged: its XML cannot be read: "),
        (
            {42112: ("s", [b'<!DOCTYPE a [<!ENTITY b "b">]><GDALMetadata/>\0'])},
            "XML with declarations of its own cannot be read",
        ),
        ({42113: ("s", [b"none\0"])}, "GDAL_NODATA must be a number; got 'none'"),
    ],
)
def test_damaged_facts_about_bands(tmp_path, tags, message):
    path = write(tmp_path, "a.tif", files.tiff(land(), extra=tags))
    with pytest.raises(ParameterError, match=f"^a.tif:? {message}"):
        read_elevation(path)


def test_holes_by_the_numbers_of_all_bands(tmp_path):
    samples = np.repeat(land()[:, :, np.newaxis], 2, axis=2)
    for image, value in ((samples, "7 7"), (land(), "7")):
        tags = files.metadata(("NODATA_VALUES", value, None))
        path = write(tmp_path, "a.tif", files.tiff(image, extra=tags))
        if image is samples:
            with pytest.raises(ParameterError, match="^a.tif: holes by the numbers of all bands"):
                read_elevation(path)
        else:
            assert_holes(path, land() == 7)


def test_whole_numbers_of_64_bits_are_holes_to_the_last_digit(tmp_path):
    samples = np.array([[9007199254740993, 9007199254740992, 5]], "i8")
    extra = {42113: ("s", [b"9007199254740993\0"])}
    path = write(tmp_path, "a.tif", files.tiff(samples, extra=extra))
    assert holes_of(read_elevation(path))[0, 0] and not holes_of(read_elevation(path))[0, 2]


# --- ranges --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "u1", "i2", "u2"])
@pytest.mark.parametrize("form", ["tif", "npy", "raw"])
def test_ranges_apply_to_all_types(tmp_path, kind, form):
    if form == "raw" and kind in ("f2", "f8"):
        return
    ends = (0.0, 1.0) if kind[0] == "f" else (np.iinfo(kind).min, np.iinfo(kind).max)
    samples = np.linspace(*ends, 16).reshape(4, 4).astype(kind)
    path = tmp_path / {"raw": "a.r32" if kind == "f4" else "a.raw"}.get(form, f"a.{form}")
    if form == "npy":
        np.save(path, samples[::-1])
    else:
        path.write_bytes(files.tiff(samples) if form == "tif" else samples.tobytes())
    sample_type = {"u1": "uint8", "i2": "int16", "u2": "uint16", "f4": "float32"}.get(kind)
    options = {"file_format": Raw(sample_type=sample_type)} if form == "raw" else {}
    found = read_elevation(path, height_range=(-100.0, 900.0), **options)
    share = (samples.astype(float) - ends[0]) / (ends[1] - ends[0])
    np.testing.assert_allclose(found.heights[::-1], share * 1000.0 - 100.0, atol=0.6, rtol=1e-3)


def test_ranges_of_meters_are_refused(tmp_path):
    path = write(tmp_path, "a.tif", files.tiff(land("f4"), extra=files.geo_tags()))
    other = write(tmp_path, "b.tif", files.tiff(land("f4"), extra=files.geo_tags(tie=(1610, 900))))
    assert probe_elevation(path).says_meters
    message = "its numbers are meters, so low and high must not be given; got 0 and 1000$"
    for paths, name in ((path, "a.tif"), ([path, other], "a.tif ...")):
        with pytest.raises(ParameterError, match=f"^{name}: {message}"):
            read_elevation(paths, height_range=(0.0, 1000.0))


@pytest.mark.parametrize("kind", ["<f4", ">f4", "<f8", ">f8"])
@pytest.mark.parametrize("nodata", [-9999.0, 100.0, 0.0, -3.4e38, 1e-3])
def test_floats_as_close_to_the_number_for_holes_as_gdal_takes_for_equal(kind, nodata):
    plain = np.dtype(kind).newbyteorder("=").type
    steps = np.arange(-40, 41)
    one = plain(nodata)
    bits = f"i{np.dtype(kind).itemsize}"
    samples = (np.array(one).view(bits) + steps.astype(bits)).view(plain)
    samples = np.append(samples, plain([-nodata, np.nan, 0.0, np.inf]))
    with np.errstate(over="ignore", invalid="ignore"):
        wide = samples.astype(np.longdouble)
        limit = 2.0 * np.finfo(plain).eps * np.abs(wide + np.longdouble(one))
        expected = (wide == one) | (np.abs(wide - np.longdouble(one)) < limit)
    np.testing.assert_array_equal(is_nodata(samples.astype(kind), one), expected)
    assert 1 <= expected.sum() < 40


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_the_largest_float_can_stand_for_holes(kind, sign):
    largest = np.copysign(np.finfo(kind).max, np.dtype(kind).type(sign))
    samples = np.array([largest, -largest, 0.0, 12.5, 0.5 * largest], kind)
    assert is_nodata(samples, largest).tolist() == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("nodata", "number", "is_hole"),
    [
        ("-9999.99", "-9999.990001", True),
        ("-9999.9900000001", "-9999.99", True),
        ("-32768", "-32768.001", True),
        ("-32768", "-32768.1", False),
        ("0.1", "0.10000000149", True),
        ("-3.40282346638529e+38", "-3.4028234663852886e+38", True),
        ("-9999", "-9998.9", False),
    ],
)
def test_ascii_grids_compare_as_gdal_does_in_float32(tmp_path, nodata, number, is_hole):
    words = {"ncols": 3, "nrows": 1, "xllcorner": 0, "yllcorner": 0, "cellsize": 10}
    head = "".join(f"{key} {value}\n" for key, value in words.items())
    path = files.write(tmp_path, "land.asc", f"{head}NODATA_value {nodata}\n1.5 {number} 7\n")
    assert files.holes_of(read_elevation(path)).tolist() == [[False, is_hole, False]]


@pytest.mark.parametrize(("text", "hole"), [("7.4", 7), ("7.9", 7), ("-0.5", 0), ("70000.5", None)])
def test_whole_numbers_for_holes_lose_their_fraction_as_in_gdal(tmp_path, text, hole):
    samples = np.arange(12, dtype="i2").reshape(3, 4)
    extra = {42113: ("s", [text.encode() + b"\0"])}
    path = files.write(tmp_path, "land.tif", files.tiff(samples, extra=extra))
    found = files.holes_of(read_elevation(path))
    np.testing.assert_array_equal(found, samples[::-1] == (-1 if hole is None else hole))
