# SPDX-License-Identifier: GPL-3.0-or-later
"""Other readers find the written values: every step of 16 bits, every bit of a float."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from noise_core.base.blocks import cancellable
from noise_core.base.errors import Cancelled, ParameterError
from noise_core.codecs.image_files import read_image
from noise_core.codecs.image_writing import BITS, exr, image_bytes, tiff_file

pytestmark = pytest.mark.bits

SHAPES = [(1, 1), (1, 9), (3, 7), (65, 40), (300, 257)]


def field(shape, seed=1):
    values = np.random.default_rng(seed).random(shape, np.float32)
    values.flat[0], values.flat[-1] = 0.0, 1.0
    return values


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("shape", SHAPES)
def test_our_own_reader_finds_gray_png(tmp_path, shape, bits):
    path, values = tmp_path / "gray.png", field(shape)
    path.write_bytes(image_bytes(values, "png", bits))
    most = 2**bits - 1
    np.testing.assert_allclose(read_image(path), np.rint(values * most) / most, atol=1e-7)


def test_every_step_of_16_bits_is_kept(tmp_path):
    path = tmp_path / "ramp.png"
    ramp = (np.arange(65536, dtype=np.float64) / 65535.0).astype(np.float32).reshape(256, 256)
    path.write_bytes(image_bytes(ramp, "png", 16))
    np.testing.assert_array_equal(
        np.rint(read_image(path) * 65535.0), np.arange(65536).reshape(256, 256)
    )


@pytest.mark.parametrize("file_format", ["png", "tiff"])
@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("channels", [(), (3,)])
@pytest.mark.parametrize("shape", SHAPES)
def test_png_and_tiff_hold_whole_numbers(shape, channels, bits, file_format):
    values = field(shape + channels)
    data = image_bytes(values, file_format, bits, is_color=True)
    read = {"png": png_pixels, "tiff": tiff_pixels}[file_format](data, *shape, bits)
    expected = np.rint(values * np.float32(2**bits - 1)).reshape(*shape, -1)
    np.testing.assert_array_equal(read[::-1], expected)


def test_a_png_that_is_packed_quickly_holds_the_same_and_noise_is_no_larger():
    chance = np.random.default_rng(3)
    values = np.clip(chance.normal(0.5, 0.1, (64, 48, 4)), 0.0, 1.0).astype(np.float32)
    small, quick = (
        image_bytes(values, "png", 8, is_color=True, is_compressed=value) for value in (True, False)
    )
    assert small != quick and len(quick) < 1.02 * len(small)
    expected = png_pixels(small, 64, 48, 8)
    np.testing.assert_array_equal(png_pixels(quick, 64, 48, 8), expected)


def test_a_png_may_be_transparent():
    values = field((9, 7, 4))
    pixels = png_pixels(image_bytes(values, "png", 8, is_color=True), 9, 7, 8)
    np.testing.assert_array_equal(pixels[::-1], np.rint(values * np.float32(255.0)))


def png_pixels(data, rows, columns, bits):
    """Return the pixels of a PNG image with the filter that looks up, row 0 at the top."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and b"sRGB\0" in data
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack_from(">I", data, at + 8 + size)[0]
        if kind == b"IHDR":
            assert struct.unpack(">IIBBBBB", body)[:3] == (columns, rows, bits)
            width = {0: 1, 2: 3, 6: 4}[body[9]] * columns * bits // 8
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(rows, -1)
    assert (lines[:, 0] == 2).all() and lines.shape[1] == 1 + width
    plain = np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8)
    return plain.view(f">u{bits // 8}").reshape(rows, columns, -1)


def tiff_pixels(data, rows, columns, bits):
    """Return the pixels of a TIFF image of compressed strips with a predictor, row 0 at the top."""
    assert data[:4] == b"II*\0"
    (at,) = struct.unpack_from("<I", data, 4)
    tags = {}
    for place in range(at + 2, at + 2 + 12 * struct.unpack_from("<H", data, at)[0], 12):
        tag, kind, many = struct.unpack_from("<HHI", data, place)
        form = f"<{many}{'H' if kind == 3 else 'I'}"
        where = place + 8
        if struct.calcsize(form) > 4:
            (where,) = struct.unpack_from("<I", data, where)
        tags[tag] = struct.unpack_from(form, data, where)
    assert list(tags) == sorted(tags) and (tags[256], tags[257]) == ((columns,), (rows,))
    channels = tags[277][0]
    assert tags[258] == (bits,) * channels and tags[262] == (1 if channels == 1 else 2,)
    kind = f"<u{bits // 8}"
    strips = [
        np.frombuffer(zlib.decompress(data[start : start + size]), kind).reshape(
            -1, columns, channels
        )
        for start, size in zip(tags[273], tags[279])
    ]
    assert all(len(strip) == tags[278][0] for strip in strips[:-1])
    return np.cumsum(np.concatenate(strips), axis=1, dtype=kind)


@pytest.mark.parametrize(("bits", "kind"), [(16, "<f2"), (32, "<f4")])
@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("is_compressed", [True, False])
def test_exr_holds_the_bits_of_floats(shape, channels, bits, kind, is_compressed):
    values = field((*shape, channels)) * np.float32(3.0) - np.float32(1.0)
    values = values if channels > 1 else values[..., 0]
    data = image_bytes(values, "exr", bits, is_compressed=is_compressed)
    lines = 16 if is_compressed else 1
    np.testing.assert_array_equal(
        exr_pixels(data, *shape, channels, kind, lines)[::-1], values.astype(kind)
    )


def exr_pixels(data, rows, columns, channels, kind, together):
    """Return the pixels of an OpenEXR file of so many lines a block, row 0 at the top."""
    at = data.index(b"compression\0compression\0") + len(b"compression\0compression\0") + 4
    assert data[at] == {16: 3, 1: 0}[together]
    for name in {1: b"Y", 3: b"BGR", 4: b"ABGR"}[channels]:
        assert bytes((name, 0)) in data[:at]
    assert struct.unpack_from("<Ii", data) == (20000630, 2)
    at = data.index(b"screenWindowWidth\0float\0") + len(b"screenWindowWidth\0float\0") + 8
    assert data[at] == 0
    places = np.frombuffer(data, "<u8", -(-rows // together), at + 1)
    lines = []
    for place in places.tolist():
        start, size = struct.unpack_from("<iI", data, place)
        body = data[place + 8 : place + 8 + size]
        height = min(together, rows - start)
        whole = height * columns * channels * np.dtype(kind).itemsize
        if size < whole:
            steps = np.frombuffer(zlib.decompress(body), np.uint8).astype(np.int64)
            plain = (np.cumsum(steps - 128) + 128).astype(np.uint8)
            half = (whole + 1) // 2
            body = np.empty(whole, np.uint8)
            body[0::2], body[1::2] = plain[:half], plain[half:]
            body = body.tobytes()
        lines.append(np.frombuffer(body, kind).reshape(height, channels, columns))
    pixels = np.moveaxis(np.concatenate(lines), 1, 2)[..., ::-1]
    return pixels if channels > 1 else pixels[..., 0]


def test_a_smooth_picture_gets_smaller():
    smooth = np.broadcast_to(np.linspace(0.0, 1.0, 256, dtype=np.float32), (256, 256))
    for file_format, many in BITS.items():
        for bits in many:
            assert len(image_bytes(smooth, file_format, bits)) < 256 * 256 * bits / 8 / 4


def test_values_beyond_are_cut_off_and_arguments_stay(tmp_path):
    values = np.array([[-1.0, 2.0]], np.float32)
    values.flags.writeable = False
    (tmp_path / "x.png").write_bytes(image_bytes(values, "png", 16))
    np.testing.assert_array_equal(read_image(tmp_path / "x.png"), [[0.0, 1.0]])
    image_bytes(values, "tiff", 16), image_bytes(values, "exr", 16)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.zeros((2, 2), np.float32), "bmp", 8), "file_format must be one of png, tiff, exr; got 'bmp'"),
        ((np.zeros((2, 2), np.float32), "png", 32), "bits must be 8 or 16 for png; got 32"),
        ((np.zeros((2, 2), np.float32), "exr", 8), "bits must be 16 or 32 for exr; got 8"),
        ((np.zeros((2, 2, 2), np.float32), "png", 8), "an image must be of shape"),
        ((np.zeros((0, 2), np.float32), "png", 8), "an image must be of shape"),
        ((np.zeros((2, 2, 4), np.float32), "tiff", 8), r"\(rows, columns, 3\)"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_one_line(arguments, message):
    with pytest.raises(ParameterError, match=message):
        image_bytes(*arguments)


@pytest.mark.parametrize("file_format", list(BITS))
def test_a_cancel_is_heard(file_format):
    with cancellable(lambda: True), pytest.raises(Cancelled):
        image_bytes(np.zeros((64, 64), np.float32), file_format, 16)


@pytest.mark.parametrize("bits", [8, 16])
def test_turned_and_repeated_pictures_are_those_of_copies(bits):
    line = np.linspace(0.0, 1.0, 40, dtype=np.float32)
    for picture in (field((30, 40)).T, np.broadcast_to(line, (30, 40)), field((30, 40))[:, ::-1]):
        copy = np.ascontiguousarray(picture)
        assert image_bytes(picture, "png", bits) == image_bytes(copy, "png", bits)
        assert image_bytes(picture, "tiff", bits) == image_bytes(copy, "tiff", bits)


class NarrowIntegers:
    """NumPy as NumPy 1 is on Windows: integers have 32 bits where nothing else is said."""

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def arange(*arguments, dtype=np.int32):
        return np.arange(*arguments, dtype=dtype)

    @staticmethod
    def full(shape, value, dtype=np.int32):
        return np.full(shape, value, dtype)

    @staticmethod
    def array(values, dtype=np.int32):
        return np.array(values, dtype)

    @staticmethod
    def cumsum(values, dtype=None):
        return np.cumsum(values, dtype=dtype or np.asarray(values).dtype)


def test_places_in_a_large_exr_are_exact(monkeypatch):
    monkeypatch.setattr(exr, "np", NarrowIntegers())
    rows, columns = 20_000, 30_000  # 9.6 GB, of which this has the first two parts
    flat = np.broadcast_to(np.float32(0.5), (rows, columns, 4))
    parts = exr.exr_parts(flat, 32, is_compressed=False)
    header, table = next(parts), np.frombuffer(next(parts), "<u8")
    first, line = len(header) + 8 * rows, 8 + 16 * columns
    assert table.tolist() == [first + line * row for row in range(rows)]


def test_places_of_large_compressed_chunks_are_exact():
    sizes = np.array([2**30 + 7, 2**31 - 1, 5, 2**30], np.int64)
    table = np.frombuffer(exr.offset_table(300, sizes), "<u8").tolist()
    assert table == [332, 332 + 2**30 + 7, 338 + 2**30 + 2**31, 343 + 2**30 + 2**31]


def test_the_chunks_of_an_exr_begin_where_its_table_says():
    for is_compressed in (True, False):
        header, table, *chunks = exr.exr_parts(field((50, 20, 1)), 32, is_compressed=is_compressed)
        begin = len(header) + len(table)
        for place, chunk in zip(np.frombuffer(table, "<u8").tolist(), chunks):
            assert place == begin or not is_compressed
            begin += len(chunk)


def test_a_tiff_that_may_become_too_large_is_a_big_one(monkeypatch):
    picture = field((30, 40, 3))
    small = image_bytes(picture, "tiff", 16)
    most = 2 * picture.size + 2 * picture.size // 4000 + 64 + 400
    monkeypatch.setattr(tiff_file, "MAX_FILE_SIZE", most)
    assert image_bytes(picture, "tiff", 16) == small
    monkeypatch.setattr(tiff_file, "MAX_FILE_SIZE", 2 * picture.size)
    big = image_bytes(picture, "tiff", 16)
    assert struct.unpack_from("<2s3HQ", big) == (b"II", 43, 8, 0, 16)
    (count,) = struct.unpack_from("<Q", big, 16)
    tags = {one[0]: one for one in struct.iter_unpack("<HHQQ", big[24 : 24 + 20 * count])}
    assert struct.unpack_from("<Q", big, 24 + 20 * count) == (0,)  # no other directory
    assert [tags[tag][3] for tag in (256, 257, 277)] == [40, 30, 3]
    assert struct.unpack_from("<3H", struct.pack("<Q", tags[258][3])) == (16, 16, 16)
    (_, kind, strips, place), size = tags[273], tags[279][3]
    assert (kind, strips, place + size) == (16, 1, len(big))
    steps = np.frombuffer(zlib.decompress(big[place:]), "<u2").reshape(30, 40, 3)
    pixels = np.cumsum(steps, axis=1, dtype=np.uint16)
    assert np.array_equal(pixels, tiff_pixels(small, 30, 40, 16))


@pytest.mark.parametrize("file_format", list(BITS))
def test_lines_that_no_file_can_hold_are_one_line(file_format):
    # Nothing is made: all samples are one.
    wide = np.broadcast_to(np.float32(0.5), (2, 2**26, 3))
    with pytest.raises(ParameterError, match="lines must have at most 134217727 bytes"):
        image_bytes(wide, file_format, BITS[file_format][-1])
