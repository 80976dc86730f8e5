# SPDX-License-Identifier: GPL-3.0-or-later
"""LZW undone one code after the other, with a table of strings, as the specification of TIFF tells it.

References
----------
Adobe (1992). TIFF, revision 6.0, section 13.
"""

from __future__ import annotations

from collections.abc import Iterator

CLEAR, END, TABLE_SIZE = 256, 257, 4096

SINGLE = [bytes([number]) for number in range(256)] + [b"", b""]


def unpack(packed: bytes, size: int) -> bytes:
    """Return at most so many bytes: fewer if the codes end early, or one is not in the table."""
    out = bytearray()
    table, before = list(SINGLE), b""
    codes = _Codes(packed)
    while (code := codes.take(_width(len(table) + bool(before)))) not in (None, END):
        if code == CLEAR:
            table, before = list(SINGLE), b""
            continue
        if not before:
            if code > 255:
                break
        elif len(table) >= TABLE_SIZE or code > len(table):
            break
        else:
            string = table[code] if code < len(table) else before
            table.append(before + string[:1])
        before = table[code]
        out += before
    return bytes(out[:size])


def _width(free: int) -> int:
    """Return the bits of a code when the table has so many places after it: it grows one code early."""
    return 9 + (free >= 512) + (free >= 1024) + (free >= 2048)


class _Codes:
    """Codes in bytes, the most significant bit first."""

    def __init__(self, packed: bytes) -> None:
        self._bits = int.from_bytes(packed, "big")
        self._left = 8 * len(packed)

    def take(self, width: int) -> int | None:
        """Return the next code; None if the bytes end."""
        if self._left < width:
            return None
        self._left -= width
        return self._bits >> self._left & ((1 << width) - 1)


def encode(values: Iterator[int] | list[int]) -> bytes:
    """Return codes as bytes: any codes, whether they mean something or not."""
    bits, count, free = 0, 0, 258
    is_first = True
    for code in values:
        width = _width(free if is_first else free + 1)
        bits, count = bits << width | code & ((1 << width) - 1), count + width
        if code == CLEAR:
            free, is_first = 258, True
        elif is_first:
            is_first = False
        else:
            free += 1
    return (bits << (-count % 8)).to_bytes((count + 7) // 8, "big")
