# SPDX-License-Identifier: GPL-3.0-or-later
"""Small writers of elevation files, by the specifications, and land for tests of the readers."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

SHAPE = (21, 37)
"""Rows and columns of the land."""


def land(kind: str = "i2", shape: tuple[int, int] = SHAPE) -> np.ndarray:
    """Return heights of 1 to 249 drawn at random, always the same."""
    return np.random.default_rng(5).integers(1, 250, shape).astype(kind)


def valid(shape: tuple[int, int] = SHAPE) -> np.ndarray:
    """Return a mask in which a fifth of the samples, drawn at random, is invalid."""
    return np.random.default_rng(6).random(shape) > 0.2


def write(folder: Path, name: str, data: bytes | str) -> Path:
    """Write a file; return its path."""
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def holes_of(elevation) -> np.ndarray:
    """Return the holes of an elevation that was read, all false if it has none."""
    if elevation.holes is None:
        return np.zeros(elevation.heights.shape, bool)
    return elevation.holes


def lzw(data: bytes) -> bytes:
    """Return data compressed as TIFF 6.0, section 13, says."""
    out, held, bits = bytearray(), 0, 0

    def put(code: int, width: int) -> None:
        nonlocal held, bits
        held, bits = held << width | code, bits + width
        while bits >= 8:
            bits -= 8
            out.append(held >> bits & 255)
        held &= (1 << bits) - 1

    table = {bytes([one]): one for one in range(256)}
    put(256, 9)
    free, width, string = 258, 9, b""
    for at in range(len(data)):
        longer = string + data[at : at + 1]
        if longer in table:
            string = longer
            continue
        put(table[string], width)
        table[longer] = free
        free += 1
        width = 9 + (free >= 512) + (free >= 1024) + (free >= 2048)
        if free == 4095:
            put(256, width)
            table = {bytes([one]): one for one in range(256)}
            free, width = 258, 9
        string = data[at : at + 1]
    if string:
        put(table[string], width)
        free += 1
        width = 9 + (free >= 512) + (free >= 1024) + (free >= 2048)
    put(257, width)
    put(0, 7)
    return bytes(out)


def pack_bits(data: bytes) -> bytes:
    """Return data compressed as TIFF 6.0, section 9, says: runs, and bytes as they are."""
    out, at = bytearray(), 0
    while at < len(data):
        run = 1
        while run < 128 and data[at + run : at + run + 1] == data[at : at + 1]:
            run += 1
        if run > 1:
            out += bytes([257 - run]) + data[at : at + 1]
        else:
            run = min(3, len(data) - at)
            out += bytes([128, run - 1]) + data[at : at + run]
        at += run
    return bytes(out)


PACK = {1: bytes, 5: lzw, 8: zlib.compress, 32773: pack_bits, 32946: zlib.compress}


def predict(block: np.ndarray, predictor: int, order: str) -> bytes:
    """Return a block of shape (rows, columns, channels) as bytes, less the values of a predictor; truths are bits."""
    if block.dtype == bool:
        return np.packbits(block.reshape(len(block), -1), axis=1).tobytes()
    kind = block.dtype.newbyteorder(order)
    if predictor == 1:
        return block.astype(kind).tobytes()
    if predictor == 2:
        bits = block.view(f"u{block.itemsize}").copy()
        bits[:, 1:] -= bits[:, :-1].copy()
        return bits.astype(bits.dtype.newbyteorder(order)).tobytes()
    rows, columns, channels = block.shape
    big = block.astype(block.dtype.newbyteorder(">")).view(np.uint8)
    planes = big.reshape(rows, columns * channels, block.itemsize).transpose(0, 2, 1)
    flat = np.ascontiguousarray(planes).reshape(rows, -1).copy()
    flat[:, channels:] -= flat[:, :-channels].copy()
    return flat.tobytes()


def tiff(
    samples: np.ndarray,
    *,
    order: str = "<",
    big: bool = False,
    compression: int = 1,
    predictor: int = 1,
    strip: int = 5,
    tile: tuple[int, int] | None = None,
    is_planar: bool = False,
    extra: dict[int, tuple[str, list]] | None = None,
    shift: int = 0,
    next_place: int = 0,
) -> bytes:
    """Return a TIFF file of samples of shape (rows, columns) or (rows, columns, channels), the top first.

    `extra` has further tags: a type of `struct` and values. Values None leave a tag out. `shift` is where the file will
    lie in another one, and `next_place` where the next directory lies there: see `chained`.
    """
    image = samples if samples.ndim == 3 else samples[:, :, np.newaxis]
    rows, columns, channels = image.shape
    high, wide = tile or (min(strip, rows), columns)
    blocks = []
    for part in [image[:, :, one : one + 1] for one in range(channels)] if is_planar else [image]:
        for top in range(0, rows, high):
            for left in range(0, columns, wide):
                block = part[top : top + high, left : left + wide]
                if tile:
                    missing = [(0, high - block.shape[0]), (0, wide - block.shape[1]), (0, 0)]
                    block = np.pad(block, missing)
                block = np.ascontiguousarray(block)
                blocks.append(PACK.get(compression, bytes)(predict(block, predictor, order)))
    kind = {"b": 1, "u": 1, "i": 2, "f": 3}[samples.dtype.kind]
    bits = 1 if samples.dtype == bool else 8 * samples.itemsize
    tags: dict[int, tuple[str, list]] = {
        256: ("I", [columns]),
        257: ("I", [rows]),
        258: ("H", [bits] * channels),
        259: ("H", [compression]),
        262: ("H", [1]),
        277: ("H", [channels]),
        284: ("H", [2 if is_planar else 1]),
        317: ("H", [predictor]),
        339: ("H", [kind] * channels),
    }
    place, size = (324, 325) if tile else (273, 279)
    tags |= {322: ("I", [wide]), 323: ("I", [high])} if tile else {278: ("I", [high])}
    tags[size] = ("I", [len(one) for one in blocks])
    tags[place] = ("Q" if big else "I", [0] * len(blocks))
    tags |= extra or {}
    tags = {tag: value for tag, value in tags.items() if value[1] is not None}
    start = shift + len(_front(tags, order, big))
    if place not in (extra or {}):
        sizes = [len(one) for one in blocks]
        tags[place] = (tags[place][0], [start + sum(sizes[:at]) for at in range(len(sizes))])
    return _front(tags, order, big, shift, next_place) + b"".join(blocks)


def chained(*images: dict, big: bool = False, order: str = "<") -> bytes:
    """Return a TIFF file of several images, each given by the arguments of `tiff`; overviews and masks come last."""

    def build(image: dict, **places: int) -> bytes:
        return tiff(**image, big=big, order=order, **places)

    starts = np.cumsum([0] + [len(build(one)) for one in images]).tolist()
    head = 16 if big else 8
    nexts = [start + head for start in starts[1:-1]] + [0]
    parts = (
        build(one, shift=start, next_place=after)
        for one, start, after in zip(images, starts, nexts)
    )
    return b"".join(parts)


def mask(valid: np.ndarray, *, kind: int = 4, **options) -> dict:
    """Return the image of a mask, for `chained`: of bits, or of bytes of 255."""
    return {"samples": valid, "extra": {254: ("I", [kind]), 262: ("H", [4])}, **options}


def metadata(*items: tuple[str, str, int | None]) -> dict[int, tuple[str, list]]:
    """Return GDAL's own tag: names or roles, values, and bands from 0 on, None for those of the file."""
    lines = [
        f'<Item name="{name}"' + ("" if band is None else f' sample="{band}" role="{name}"') + f">{value}</Item>"
        for name, value, band in items
    ]  # fmt: skip
    return {42112: ("s", [f"<GDALMetadata>{''.join(lines)}</GDALMetadata>\0".encode()])}


_CODES = {"B": 1, "s": 2, "H": 3, "I": 4, "d": 12, "Q": 16}


def _front(
    tags: dict[int, tuple[str, list]], order: str, big: bool, shift: int = 0, next_place: int = 0
) -> bytes:
    """Return header, directory, and the values that do not fit into it."""
    word, inline = ("Q", 8) if big else ("I", 4)
    mark = b"II" if order == "<" else b"MM"
    head = mark + struct.pack(
        order + ("HHHQ" if big else "HI"), *((43, 8, 0, 16) if big else (42, 8))
    )
    entry = 4 + 2 * inline
    after = len(head) + (8 if big else 2) + entry * len(tags) + inline
    directory, values = struct.pack(order + ("Q" if big else "H"), len(tags)), b""
    for tag, (kind, numbers) in sorted(tags.items()):
        if kind == "s":
            body, count = numbers[0], len(numbers[0])
        else:
            body, count = struct.pack(f"{order}{len(numbers)}{kind}", *numbers), len(numbers)
        if len(body) > inline:
            at = shift + after + len(values)
            values += body + b"\0" * (len(body) % 2)
            body = struct.pack(order + word, at)
        directory += struct.pack(order + "HH" + word, tag, _CODES[kind], count) + body.ljust(
            inline, b"\0"
        )
    return head + directory + struct.pack(order + word, next_place) + values


def geo_tags(*, step=(30.0, 20.0), tie=(500.0, 900.0), keys=((1024, 1), (1025, 1), (3072, 32632))):
    """Return the tags of a georeference whose tie point is the upper left corner."""
    flat = [1, 1, 0, len(keys)]
    for key, value in keys:
        flat += [key, 0, 1, value]
    return {
        33550: ("d", [*step, 0.0]),
        33922: ("d", [0.0, 0.0, 0.0, *tie, 0.0]),
        34735: ("H", flat),
    }


def png(
    samples: np.ndarray,
    *,
    color: int = 0,
    kinds=(0, 1, 2),
    interlace: int = 0,
    clear: tuple[int, ...] = (),
) -> bytes:
    """Return a PNG file with filters 0 to 2, row by row in turn; `clear` is a color that cannot be seen."""
    image = samples if samples.ndim == 3 else samples[:, :, np.newaxis]
    depth = 8 * samples.itemsize
    lines = image.astype(f">u{samples.itemsize}").reshape(len(image), -1).view(np.uint8)
    pixel = image.shape[2] * samples.itemsize
    stored = bytearray()
    before = np.zeros_like(lines[0])
    for row, line in enumerate(lines):
        kind = kinds[row % len(kinds)]
        left = np.concatenate((np.zeros(pixel, np.uint8), line[:-pixel]))
        corner = np.concatenate((np.zeros(pixel, np.uint8), before[:-pixel]))
        stored += bytes([kind]) + (line - _guess(kind, left, before, corner)).tobytes()
        before = line
    packed = zlib.compress(bytes(stored))
    header = struct.pack(">IIBBBBB", image.shape[1], len(image), depth, color, 0, 0, interlace)
    cut = len(packed) // 2
    hidden = [(b"tRNS", struct.pack(f">{len(clear)}H", *clear))] if clear else []
    parts = [
        (b"IHDR", header),
        *hidden,
        (b"IDAT", packed[:cut]),
        (b"IDAT", packed[cut:]),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _guess(kind, left, above, corner):
    wide = [one.astype(int) for one in (left, above, corner)]
    straight = wide[0] + wide[1] - wide[2]
    far = [np.abs(straight - one) for one in wide]
    paeth = np.where(far[1] <= far[2], wide[1], wide[2])
    paeth = np.where((far[0] <= far[1]) & (far[0] <= far[2]), wide[0], paeth)
    options = (0 * wide[0], wide[0], wide[1], (wide[0] + wide[1]) // 2, paeth)
    return options[kind].astype(np.uint8)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def asc(samples: np.ndarray, words: dict[str, object]) -> bytes:
    """Return an ESRI ASCII grid, the top first."""
    head = "".join(f"{word} {value}\n" for word, value in words.items())
    return (head + "\n".join(" ".join(map(str, row)) for row in samples.tolist()) + "\n").encode()
