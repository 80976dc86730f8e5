# SPDX-License-Identifier: GPL-3.0-or-later
"""LZW by pointer doubling and words gives the bytes of a serial decoder, for valid, damaged and random streams."""

from __future__ import annotations

import numpy as np
import pytest

from noise_core.io.elevation_reading.tiff import lzw, lzw_strings
from tests import drawing
from tests.core import elevation_files, serial_lzw

pytestmark = pytest.mark.bits

STREAMS = 1000

LENGTHS = (0, 1, 5, 300, 3000, 20000)


def draw_data(generator) -> bytes:
    """Return samples of several kinds: noise, few values, one value, a walk."""
    count, kind = generator.choice(LENGTHS), generator.randrange(4)
    if kind == 0:
        return generator.randbytes(count)
    if kind == 1:
        return bytes(generator.choices(b"\0\0\0\1", k=count))
    if kind == 2:
        return generator.randbytes(1) * count
    steps = generator.choices((-1, 0, 1), k=count)
    return np.cumsum(np.array(steps, np.int64)).astype("<i2").tobytes()


def draw_codes(generator) -> list[int]:
    """Return codes of all kinds: most of them are in the table, some are not; the table overflows."""
    codes = [serial_lzw.CLEAR]
    for at in range(generator.choice((0, 1, 2, 300, 3700, 3838, 3840, 4000))):
        chance = generator.random()
        if chance < 0.0005:
            codes.append(generator.randrange(generator.choice((258, 300, 600, 4096))))
        elif chance < 0.6:
            codes.append(min(258 + at, generator.randrange(258, 260 + at)))
        else:
            codes.append(generator.randrange(256))
    return codes


def draw_stream(generator) -> tuple[bytes, int]:
    """Return packed bytes, and how many of their contents are wanted."""
    data = draw_data(generator)
    chance = generator.random()
    if chance < 0.7:
        packed = bytearray(elevation_files.lzw(data))
    elif chance < 0.9:
        packed = bytearray(serial_lzw.encode(draw_codes(generator)))
    else:
        packed = bytearray(generator.randbytes(generator.choice((0, 1, 2, 5, 50, 9000))))
    if packed and generator.random() < 0.4:
        for _ in range(generator.choice((1, 3))):
            packed[generator.randrange(len(packed))] ^= 1 << generator.randrange(8)
    if generator.random() < 0.3:
        packed = packed[: generator.randrange(len(packed) + 1)]
    expected = len(data) + generator.choice((0, 0, 0, -1, 100, 5000, -(len(data) // 2)))
    return bytes(packed), max(expected, 0)


def test_streams_have_the_bytes_of_a_serial_decoder():
    generator = drawing.generator("lzw")
    streams = [draw_stream(generator) for _ in range(drawing.count_of(STREAMS))]
    expected = [serial_lzw.unpack(*stream) for stream in streams]
    packed = [np.frombuffer(data, np.uint8) for data, _ in streams]
    for data, (_, size), right in zip(packed, streams, expected):
        assert b"".join(lzw.unpack_lzw(data, size)) == right
    out = [np.zeros(size, np.uint8) for _, size in streams]
    sizes = lzw.unpack_lzw_blocks(packed, out)
    assert sizes == [len(right) for right in expected]
    for part, size, right in zip(out, sizes, expected):
        assert part[:size].tobytes() == right and not part[size:].any()


@pytest.mark.parametrize(
    ("module", "limit"),
    [(lzw_strings, "_BYTES_TOGETHER"), (lzw_strings, "_LONG"), (lzw, "_CODES_TOGETHER")],
)
def test_limits_of_what_is_done_at_once_change_nothing(monkeypatch, module, limit):
    generator = drawing.generator(limit)
    data = [draw_data(generator) for _ in range(12)]
    packed = [np.frombuffer(elevation_files.lzw(one), np.uint8) for one in data]
    for value in (1, 50, 1000, 10**9):
        monkeypatch.setattr(module, limit, value)
        for one, part in zip(data, packed):
            assert b"".join(lzw.unpack_lzw(part, len(one))) == one
        out = [np.zeros(len(one), np.uint8) for one in data]
        lzw.unpack_lzw_blocks(packed, out)
        assert [part.tobytes() for part in out] == data


def test_strings_of_all_lengths_are_joined():
    """Runs of one byte make strings of 1, 2, 3 ... bytes: heads and tails of each length, side by side."""
    sizes = [*range(1, 70), 3000, 200_000]
    data = [bytes([size % 251]) * size + bytes(range(256)) for size in sizes]
    packed = [np.frombuffer(elevation_files.lzw(block), np.uint8) for block in data]
    out = [np.zeros(len(block), np.uint8) for block in data]
    assert lzw.unpack_lzw_blocks(packed, out) == [len(block) for block in data]
    assert [part.tobytes() for part in out] == data
