# SPDX-License-Identifier: GPL-3.0-or-later
"""LZW as TIFF has it: codes of 9 to 12 bits, most significant bit first.

How wide a code is depends only on how many came since the table was cleared. So NumPy cuts out all
codes up to the next clearing at once, and Python only puts the strings together.

References
----------
Adobe (1992). TIFF, revision 6.0, section 13.
Terry A. Welch (1984). A technique for high-performance data compression.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ....base import blocks

_CLEAR, _END = 256, 257
_FIRST_FREE = 258

_TABLE_SIZE = 4096

_CODES = np.arange(_TABLE_SIZE - _FIRST_FREE + 1, dtype=np.int64)
"""Codes that can follow a clearing, counted from 0; the first one adds nothing to the table."""

_FREE = _FIRST_FREE - 1 + np.maximum(_CODES, 1)
"""Next free place in the table before each code is read."""

_WIDTHS = 9 + (_FREE >= 511).astype(np.int64) + (_FREE >= 1023) + (_FREE >= 2047)
"""Bits of each code: the change comes one code early, as the encoders of old did it."""

_OFFSETS = np.cumsum(_WIDTHS, dtype=np.int64) - _WIDTHS
"""Bits before each code."""

_ENDS = _OFFSETS + _WIDTHS

_LIMITS = np.where(_CODES == 0, 255, _FREE)
"""Largest valid number of each code."""

_BYTES = int(_OFFSETS[-1]) // 8 + 4
"""That all codes up to a clearing take up, at most, if the first begins within the first byte."""

_SINGLE = [bytes([one]) for one in range(256)] + [b"", b""]


def unpack_lzw(packed: npt.NDArray[np.uint8], size: int) -> Iterator[bytes]:
    """Yield unpacked bytes; see `codecs.Unpack`."""
    bit, left = 0, size
    while left > 0 and bit < 8 * len(packed):
        blocks.checkpoint()
        codes, bit, is_last = _cut_codes(packed, bit)
        part = _join_strings(codes)
        yield part[:left]
        left -= len(part)
        if is_last:
            return


def is_old_style(head: bytes) -> bool:
    """Return whether codes begin with their least significant bit, as before 1988."""
    return head[:1] == b"\0" and len(head) > 1 and head[1] & 1 == 1


def _cut_codes(packed: npt.NDArray[np.uint8], bit: int) -> tuple[list[int], int, bool]:
    """Return the codes up to the next clearing, the bit after it, and whether they are the last."""
    first, shift = bit >> 3, bit & 7
    window = packed[first : first + _BYTES]
    count = int(np.searchsorted(_ENDS, 8 * len(window) - shift, "right"))
    window = np.append(window, np.zeros(3, np.uint8)).astype(np.int64)
    place = _OFFSETS[:count] + shift
    byte = place >> 3
    bits = window[byte] << 16 | window[byte + 1] << 8 | window[byte + 2]
    widths = _WIDTHS[:count]
    codes = bits >> (24 - (place & 7) - widths) & ((1 << widths) - 1)
    stops = np.flatnonzero(codes >> 1 == _CLEAR >> 1)  # a clearing or the end
    wrong = np.flatnonzero((codes > _LIMITS[:count]) & (codes >> 1 != _CLEAR >> 1))
    stop = int(stops[0]) if len(stops) else count
    if len(wrong) and wrong[0] < stop:
        return codes[: int(wrong[0])].tolist(), bit, True
    if stop == count:  # the bytes end, or the table overflows
        return codes.tolist(), bit, True
    after = bit + int(_ENDS[stop])
    return codes[:stop].tolist(), after, int(codes[stop]) == _END


def _join_strings(codes: list[int]) -> bytes:
    """Return the strings of codes that follow a clearing."""
    if not codes:
        return b""
    table = _SINGLE.copy()
    before = table[codes[0]]
    strings = [before]
    add, keep = table.append, strings.append
    for code in codes[1:]:
        try:
            string = table[code]
        except IndexError:  # the string that this code adds
            string = before + before[:1]
        add(before + string[:1])
        keep(string)
        before = string
    return b"".join(strings)
