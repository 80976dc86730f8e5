# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading PNG images and NumPy arrays without any library."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.codecs.image_files import read_image

pytestmark = pytest.mark.bits

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
WEIGHTS = np.array([0.2126, 0.7152, 0.0722])


def paeth(left, above, corner):
    guess = left + above - corner
    return min((left, above, corner), key=lambda one: abs(guess - one))


def filtered(kind, row, previous, pixel):
    """Return one row as a PNG file stores it: the specification, byte by byte."""
    stored = bytearray([kind])
    for at, byte in enumerate(row):
        left = row[at - pixel] if at >= pixel else 0
        corner = previous[at - pixel] if at >= pixel else 0
        above = previous[at]
        guess = (0, left, above, (left + above) // 2, paeth(left, above, corner))[kind]
        stored.append((byte - guess) % 256)
    return bytes(stored)


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(samples, *, color=0, depth=8, kinds=(0, 1, 2, 3, 4), interlace=0, parts=2):
    """Return a PNG file; row r is stored with filter kinds[r % len(kinds)]."""
    rows, columns = samples.shape[:2]
    data = samples.astype(">u2" if depth == 16 else "u1").tobytes()
    stride = len(data) // rows
    pixel = max(1, CHANNELS.get(color, 1) * depth // 8)
    previous, stored = bytes(stride), b""
    for r in range(rows):
        row = data[r * stride : (r + 1) * stride]
        stored += filtered(kinds[r % len(kinds)], row, previous, pixel)
        previous = row
    packed = zlib.compress(stored)
    cut = len(packed) // parts
    header = struct.pack(">IIBBBBB", columns, rows, depth, color, 0, 0, interlace)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"tEXt", b"Comment\0nothing")
        + chunk(b"IDAT", packed[:cut])
        + chunk(b"IDAT", packed[cut:])
        + chunk(b"IEND", b"")
    )


def written(tmp_path, data, name="picture.png"):
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("kinds", [(0,), (1,), (2,), (3,), (4,), (4, 3, 0, 2, 1)])
@pytest.mark.parametrize("depth", [8, 16])
@pytest.mark.parametrize("color", [0, 2, 4, 6])
@pytest.mark.parametrize("shape", [(9, 13), (1, 5), (6, 1)])
def test_reads_every_kind(tmp_path, color, depth, kinds, shape):
    largest = 2**depth - 1
    generator = np.random.default_rng(color + depth)
    samples = generator.integers(0, largest + 1, (*shape, CHANNELS[color]))
    path = written(tmp_path, png(samples, color=color, depth=depth, kinds=kinds))
    bright = samples[:, :, :3] @ WEIGHTS if color in (2, 6) else samples[:, :, 0]
    field = read_image(path)
    assert (field.dtype, field.shape) == (np.float32, shape)
    np.testing.assert_allclose(field, bright[::-1] / largest, atol=1e-6)


def test_black_and_white(tmp_path):
    path = written(tmp_path, png(np.array([[0, 255]])))
    np.testing.assert_array_equal(read_image(path, black=-2.0, white=3.0), [[-2.0, 3.0]])


def test_reads_arrays(tmp_path):
    heights = np.arange(12.0).reshape(3, 4)
    np.save(tmp_path / "heights.npy", heights)
    np.testing.assert_array_equal(read_image(tmp_path / "heights.npy"), heights)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"color": 3},
            ": color type 3 of 8 bits cannot be read; gray and RGB of 8 or 16 bits can$",
        ),
        (
            {"depth": 4},
            ": color type 0 of 4 bits cannot be read; gray and RGB of 8 or 16 bits can$",
        ),
        ({"interlace": 1}, r": an interlaced PNG \(Adam7\) cannot be read$"),
        ({"kinds": (5,)}, None),
    ],
)
def test_refuses_other_kinds(tmp_path, parameters, message):
    if message is None:
        data = bytearray(png(np.zeros((1, 1), int), kinds=(0,)))
        start = data.index(b"IDAT") - 4
        body = zlib.compress(b"\x05\x00")
        data[start:] = chunk(b"IDAT", body) + chunk(b"IEND", b"")
        message = " is damaged: it has a filter 5$"
    else:
        data = png(np.zeros((2, 2), int), **parameters)
    path = written(tmp_path, bytes(data))
    with pytest.raises(ParameterError, match=rf"^read_image: picture.png{message}"):
        read_image(path)


def test_refuses_damage(tmp_path):
    whole = png(np.arange(60).reshape(6, 10))
    for stop in range(8, len(whole) - 12):
        with pytest.raises(ParameterError, match=r"^read_image: picture.png is damaged: it"):
            read_image(written(tmp_path, whole[:stop]))
    end = len(whole) - 12
    for at in (
        *(whole.index(b"IHDR") + 11, whole.index(b"tEXt") - 5),
        *(whole.index(b"IDAT") + 6, whole.rindex(b"IDAT") - 5, end - 5, end - 1),
    ):
        flipped = bytearray(whole)
        flipped[at] ^= 0xFF
        with pytest.raises(ParameterError, match=r"^read_image: picture.png is damaged: "):
            read_image(written(tmp_path, bytes(flipped)))


def test_refuses_what_is_no_picture(tmp_path):
    message = "must be a PNG image or a .npy array; got a file that begins with b'GIF8'"
    with pytest.raises(ParameterError, match=message):
        read_image(written(tmp_path, b"GIF89a", "picture.gif"))
    for missing in ("none.npy", "none.png"):
        with pytest.raises(ParameterError, match=rf"^read_image: {missing} cannot be read"):
            read_image(tmp_path / missing)
    for array in (np.zeros(3), np.zeros((2, 2, 3)), np.zeros((0, 3)), np.zeros((2, 2), complex)):
        np.save(tmp_path / "array.npy", array)
        message = r"^read_image: array.npy must hold numbers of shape \(rows, columns\); got "
        with pytest.raises(ParameterError, match=message):
            read_image(tmp_path / "array.npy")
    for number in (np.nan, -np.inf, 1e300):
        np.save(tmp_path / "array.npy", np.array([[0.0, number]]))
        with pytest.raises(
            ParameterError, match="array.npy must hold finite numbers; got nan or inf"
        ):
            read_image(tmp_path / "array.npy")


def header(text):
    """Return how a .npy file of version 1.0 begins that says `text` of itself."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text.encode() + b"\n"


def test_refuses_damaged_arrays(tmp_path):
    archive = io.BytesIO()
    np.savez(archive, heights=np.zeros((2, 2)))
    plain = "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }"
    for data, reason in (
        (b"nothing", "is a damaged .npy array: "),
        (archive.getvalue(), "is a damaged .npy array: .*magic string"),
        (b"PK\x03\x04", "is a damaged .npy array: "),
        (header("{'descr': '<f8', 'fort"), "is a damaged .npy array: "),
        (header(plain % "(3, 4)"), "is a damaged .npy array: "),
        (header(plain % f"({10**8}, {10**8})"), "is too large: "),
    ):
        with pytest.raises(ParameterError, match=f"^read_image: broken.npy {reason}"):
            read_image(written(tmp_path, data, "broken.npy"))


def test_refuses_sizes_that_no_computer_has(tmp_path):
    whole = png(np.zeros((1, 1), int))
    start = whole.index(b"IHDR") - 4
    for columns, rows, message in (
        (0, 5, r": rows times columns must be in \[1, 536870912\]; got 5 x 0$"),
        (2**32 - 1, 2**32 - 1, r": rows times columns must be in .*; got 4294967295 x 4294967295$"),
        (2**24, 1, ": a row must have at most 67108864 bytes; got 16777216 pixels$"),
    ):
        made = chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 16, 6, 0, 0, 0))
        path = written(tmp_path, whole[:start] + made + whole[start + len(made) :])
        with pytest.raises(ParameterError, match=rf"^read_image: picture.png{message}"):
            read_image(path)
