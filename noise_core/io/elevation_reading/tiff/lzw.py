# SPDX-License-Identifier: GPL-3.0-or-later
"""LZW as TIFF has it: codes of 9 to 12 bits, most significant bit first.

How wide a code is depends only on how many came since the table was cleared. So NumPy cuts out all
codes up to the next clearing at once, of several strips or tiles side by side.

References
----------
Adobe (1992). TIFF, revision 6.0, section 13.
Terry A. Welch (1984). A technique for high-performance data compression.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from ....base import blocks
from .lzw_strings import CLEAR, FIRST_FREE, Clearing, join_strings

_Bytes = npt.NDArray[np.uint8]
_Codes = npt.NDArray[np.int32]

_END = 257

_TABLE_SIZE = 4096

_CODES = np.arange(_TABLE_SIZE - FIRST_FREE + 1, dtype=np.int32)
"""Codes that can follow a clearing, counted from 0; the first one adds nothing to the table."""

_FREE = FIRST_FREE - 1 + np.maximum(_CODES, 1)
"""Next free place in the table before each code is read."""

_WIDTHS = 9 + (_FREE >= 511).astype(np.int32) + (_FREE >= 1023) + (_FREE >= 2047)
"""Bits of each code: the change comes one code early, as the encoders of old did it."""

_MASKS = (1 << _WIDTHS) - 1

_ENDS: list[int] = np.cumsum(_WIDTHS, dtype=np.intp).tolist()
"""Bits up to the end of each code."""

_LIMITS = np.where(_CODES == 0, 255, _FREE)
"""Largest valid number of each code."""

_PLACES = np.arange(8, dtype=np.intp)[:, None] + (np.cumsum(_WIDTHS, dtype=np.intp) - _WIDTHS)
"""Bit at which each code begins, by the bit of its first byte at which the first one begins."""

_FIRST_BYTES: list[npt.NDArray[np.intp]] = list(_PLACES >> 3)
_SHIFTS = list((24 - (_PLACES & 7) - _WIDTHS).astype(np.int32))
"""Bits after each code in the three bytes that it begins in."""

_WINDOW = _ENDS[-1] // 8 + 4
"""Bytes that all codes up to a clearing take up, at most, if the first begins within the first byte."""

_PADDING = np.zeros(2, np.uint8)

_CODES_TOGETHER = 1 << 16
"""Codes whose strings are joined at once: enough that NumPy's calls cost little, few enough for the cache."""


def unpack_lzw(packed: _Bytes, size: int) -> Iterator[bytes]:
    """Yield unpacked bytes; see `codecs.Unpack`."""
    remaining = [size]
    for group in _groups([packed], remaining):
        for part, _ in join_strings(group):
            yield part[: remaining[0]].tobytes()
            remaining[0] -= len(part)
            if remaining[0] <= 0:
                return


def unpack_lzw_blocks(packed: Sequence[_Bytes], out: Sequence[_Bytes]) -> list[int]:
    """Unpack strips or tiles side by side, which saves most where they are small.

    Parameters
    ----------
    packed, out : sequence of ndarray of shape (bytes,), uint8
        Of each block. The outputs are written to.

    Returns
    -------
    list of int
        Bytes that were written to each of the outputs.
    """
    remaining = [len(block) for block in out]
    for group in _groups(packed, remaining):
        for part, bounds in join_strings(group):
            start = 0
            for number, stop in bounds:
                at = len(out[number]) - remaining[number]
                count = min(stop - start, remaining[number])
                out[number][at : at + count] = part[start : start + count]
                remaining[number] -= count
                start = stop
    return [len(block) - missing for block, missing in zip(out, remaining)]


def is_old_style(head: bytes) -> bool:
    """Return whether codes begin with their least significant bit, as before 1988."""
    return head[:1] == b"\0" and len(head) > 1 and head[1] & 1 == 1


class _Stream:
    """Codes of a strip or tile that are still to be cut out.

    Attributes
    ----------
    number : int
        Of the strip or tile.
    window : ndarray of shape (bytes,), uint8
        Bytes with all codes up to the next clearing.
    shift : int
        Bit of the first byte at which the first code begins.
    count : int
        Most codes that the bytes can hold; 0 at the end.
    """

    def __init__(self, number: int, packed: _Bytes) -> None:
        self.number = number
        self._packed = packed
        # The first code clears the table, as it nearly always does.
        is_clear = len(packed) > 1 and int(packed[0]) == CLEAR >> 1 and int(packed[1]) < 128
        self._seek(9 if is_clear else 0)

    def _seek(self, bit: int) -> None:
        self._bit = bit
        self.shift = bit & 7
        self.window = self._packed[bit >> 3 : (bit >> 3) + _WINDOW]
        self.count = bisect_right(_ENDS, 8 * len(self.window) - self.shift)

    def cut(self, codes: _Codes, stops: npt.NDArray[np.bool_]) -> Clearing:
        """Return the codes up to the next clearing, and go on behind it.

        Parameters
        ----------
        codes : ndarray of shape (count,), int32
        stops : ndarray of shape (count,), bool
            Which of them clear the table, end the block or are invalid.
        """
        stop = int(stops.argmax())
        if not stops[stop]:  # the bytes end, or the table overflows
            stop, self.count = len(codes), 0
        elif int(codes[stop]) == CLEAR:
            self._seek(self._bit + _ENDS[stop])
        else:
            self.count = 0
        return Clearing(self.number, codes[:stop])


def _groups(packed: Sequence[_Bytes], remaining: Sequence[int]) -> Iterator[list[Clearing]]:
    """Yield the codes of blocks, those of several blocks and clearings together.

    Parameters
    ----------
    packed : sequence of ndarray of shape (bytes,), uint8
    remaining : sequence of int
        Bytes still to be written of each block. The caller updates them after each group.
    """
    numbers = iter(range(len(packed)))
    streams: list[_Stream] = []
    group: list[Clearing] = []
    while True:
        streams = [stream for stream in streams if stream.count and remaining[stream.number] > 0]
        count = sum(stream.count for stream in streams)
        while count < _CODES_TOGETHER and (number := next(numbers, None)) is not None:
            stream = _Stream(number, packed[number])
            if stream.count and remaining[number] > 0:
                streams.append(stream)
                count += stream.count
        if streams:
            blocks.checkpoint()
            group += _cut_codes(streams)
        if not streams or sum(len(part.codes) for part in group) >= _CODES_TOGETHER // 2:
            if group := [part for part in group if len(part.codes)]:
                yield group
            group = []
        if not streams:
            return


def _cut_codes(streams: Sequence[_Stream]) -> list[Clearing]:
    """Return the codes up to the next clearing of each stream."""
    stops = list(accumulate(stream.count for stream in streams))
    parts = [slice(stop - stream.count, stop) for stream, stop in zip(streams, stops)]
    indices = np.empty(stops[-1], np.intp)
    first = 0
    for stream, part in zip(streams, parts):
        np.add(_FIRST_BYTES[stream.shift][: stream.count], first, out=indices[part])
        first += len(stream.window)
    joined = np.concatenate([*(stream.window for stream in streams), _PADDING]).astype(np.int32)
    triples = joined[:-2] << 8
    triples |= joined[1:-1]
    triples <<= 8
    triples |= joined[2:]
    codes = triples.take(indices)
    is_last = np.empty(len(codes), np.bool_)
    for stream, part in zip(streams, parts):
        some = codes[part]
        some >>= _SHIFTS[stream.shift][: stream.count]
        some &= _MASKS[: stream.count]
        np.greater(some, _LIMITS[: stream.count], out=is_last[part])
    is_last |= (codes | 1) == _END  # a clearing or the end
    return [stream.cut(codes[part], is_last[part]) for stream, part in zip(streams, parts)]
