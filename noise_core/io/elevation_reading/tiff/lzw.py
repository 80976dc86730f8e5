# SPDX-License-Identifier: GPL-3.0-or-later
"""LZW as TIFF has it: codes of 9 to 12 bits, most significant bit first.

How wide a code is depends only on how many came since the table was cleared. So NumPy cuts out all
codes up to the next clearing at once. Nor does it need the table: entry 258 + k is the string of code k
and the byte after it, which is a run of the *output* that begins where code k's string does. Its length
and its bytes are found by pointer doubling, for the codes of several clearings and strips together.

References
----------
Adobe (1992). TIFF, revision 6.0, section 13.
Terry A. Welch (1984). A technique for high-performance data compression.
J. C. Wyllie (1979). The complexity of parallel computations (pointer doubling).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ....base import blocks

_Bytes = npt.NDArray[np.uint8]
_Indices = npt.NDArray[np.intp]

_CLEAR, _END = 256, 257
_FIRST_FREE = 258

_TABLE_SIZE = 4096

_CODES = np.arange(_TABLE_SIZE - _FIRST_FREE + 1, dtype=np.int32)
"""Codes that can follow a clearing, counted from 0; the first one adds nothing to the table."""

_FREE = _FIRST_FREE - 1 + np.maximum(_CODES, 1)
"""Next free place in the table before each code is read."""

_WIDTHS = 9 + (_FREE >= 511).astype(np.int32) + (_FREE >= 1023) + (_FREE >= 2047)
"""Bits of each code: the change comes one code early, as the encoders of old did it."""

_MASKS = (1 << _WIDTHS) - 1

_ENDS = np.cumsum(_WIDTHS, dtype=np.intp)
"""Bits up to the end of each code."""

_LIMITS = np.where(_CODES == 0, 255, _FREE)
"""Largest valid number of each code."""

_PLACES = np.arange(8, dtype=np.intp)[:, None] + (_ENDS - _WIDTHS)
"""Bit at which each code begins, by the bit of its first byte at which the first one begins."""

_FIRST_BYTES: _Indices = _PLACES >> 3
_SHIFTS = (24 - (_PLACES & 7) - _WIDTHS).astype(np.int32)
"""Bits after each code in the three bytes that it begins in."""

_WINDOW = int(_ENDS[-1]) // 8 + 4
"""Bytes that all codes up to a clearing take up, at most, if the first begins within the first byte."""

_CODES_TOGETHER = 1 << 15
"""Codes whose strings are joined at once: enough that NumPy's calls cost little, few enough for the cache."""

_LONG = 24
"""Bytes of the mean string from which on it is faster to copy one after the other."""

_BYTES_TOGETHER = 1 << 18
"""Bytes that are resolved at once: their pointers take up eight times as much."""


class _Clearing(NamedTuple):
    """Codes between two clearings of the table, and the strip or tile that they belong to."""

    block: int
    codes: npt.NDArray[np.int32]


def unpack_lzw(packed: _Bytes, size: int) -> Iterator[bytes]:
    """Yield unpacked bytes; see `codecs.Unpack`."""
    left = [size]
    for group in _groups([packed], left):
        for part, _ in _join_strings(group):
            yield part[: left[0]].tobytes()
            left[0] -= len(part)
            if left[0] <= 0:
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
    left = [len(one) for one in out]
    for group in _groups(packed, left):
        for part, bounds in _join_strings(group):
            start = 0
            for block, stop in bounds:
                at, count = len(out[block]) - left[block], min(stop - start, left[block])
                out[block][at : at + count] = part[start : start + count]
                left[block] -= count
                start = stop
    return [len(one) - rest for one, rest in zip(out, left)]


def is_old_style(head: bytes) -> bool:
    """Return whether codes begin with their least significant bit, as before 1988."""
    return head[:1] == b"\0" and len(head) > 1 and head[1] & 1 == 1


def _groups(packed: Sequence[_Bytes], left: Sequence[int]) -> Iterator[list[_Clearing]]:
    """Yield the codes of blocks, those between several clearings together.

    Parameters
    ----------
    packed : sequence of ndarray of shape (bytes,), uint8
    left : sequence of int
        Bytes that are still wanted of each block. Who takes a group changes them before the next one.
    """
    group: list[_Clearing] = []
    count = 0
    for block, data in enumerate(packed):
        bit, is_last = (9 if _begins_clear(data) else 0), False
        while not is_last and left[block] > 0 and bit < 8 * len(data):
            codes, bit, is_last = _cut_codes(data, bit)
            if len(codes):
                group.append(_Clearing(block, codes))
                count += len(codes)
            if count >= _CODES_TOGETHER:
                blocks.checkpoint()
                yield group
                group, count = [], 0
    if group:
        yield group


def _begins_clear(data: _Bytes) -> bool:
    """Return whether the first code clears the table, as it nearly always does."""
    return len(data) > 1 and int(data[0]) == _CLEAR >> 1 and int(data[1]) < 128


def _cut_codes(packed: _Bytes, bit: int) -> tuple[npt.NDArray[np.int32], int, bool]:
    """Return the codes up to the next clearing, the bit after it, and whether they are the last."""
    first, shift = bit >> 3, bit & 7
    data = packed[first : first + _WINDOW]
    count = int(np.searchsorted(_ENDS, 8 * len(data) - shift, "right"))
    padded = np.zeros(len(data) + 2, np.int32)
    padded[:-2] = data
    window = padded[:-2] << 8
    window |= padded[1:-1]
    window <<= 8
    window |= padded[2:]
    codes = window.take(_FIRST_BYTES[shift, :count])
    codes >>= _SHIFTS[shift, :count]
    codes &= _MASKS[:count]
    stops = codes > _LIMITS[:count]
    stops |= (codes | 1) == _END  # a clearing or the end
    stop = int(stops.argmax()) if count else 0
    if not count or not stops[stop]:  # the bytes end, or the table overflows
        return codes, bit, True
    code = int(codes[stop])
    return codes[:stop], bit + int(_ENDS[stop]), code != _CLEAR


def _join_strings(group: Sequence[_Clearing]) -> Iterator[tuple[_Bytes, list[tuple[int, int]]]]:
    """Yield the strings of codes, and the blocks that they belong to with where each of them ends."""
    counts = [len(one.codes) for one in group]
    firsts = np.cumsum([0, *counts], dtype=np.intp)
    codes = np.concatenate([one.codes for one in group])
    parents = _find_parents(codes, firsts)
    lengths = _measure(parents)
    ends = np.zeros(len(codes) + 1, np.intp)
    np.cumsum(lengths, dtype=np.intp, out=ends[1:])
    starts, stops = ends[:-1], ends[firsts]
    shifts = starts.take(parents) - starts
    at = 0
    while at < len(group):
        after = int(np.searchsorted(stops, stops[at] + _BYTES_TOGETHER, "right")) - 1
        after = max(after, at + 1)
        some = slice(firsts[at], firsts[after])
        part = _resolve(codes[some], lengths[some], starts[some] - stops[at], shifts[some])
        yield (
            part,
            [(group[k].block, int(stops[k + 1] - stops[at])) for k in range(at, after)],
        )
        at = after


def _find_parents(codes: npt.NDArray[np.int32], firsts: _Indices) -> _Indices:
    """Return which code's string each code's string goes on from: itself for single bytes."""
    parents = np.empty(len(codes), np.intp)
    for start, stop in zip(firsts[:-1].tolist(), firsts[1:].tolist()):
        np.add(codes[start:stop], start - _FIRST_FREE, out=parents[start:stop])
    own: _Indices = np.where(codes < _CLEAR, np.arange(len(codes), dtype=np.intp), parents)
    return own


def _measure(parents: _Indices) -> _Indices:
    """Return the lengths of strings: of a parent's, and one more."""
    lengths: _Indices = (parents != np.arange(len(parents), dtype=np.intp)).astype(np.intp)
    reach = 1
    while int(lengths.max()) == reach:  # some go on beyond what was added up so far
        lengths += lengths.take(parents)
        parents = parents.take(parents)
        reach *= 2
    lengths += 1
    return lengths


def _resolve(
    codes: npt.NDArray[np.int32], lengths: _Indices, starts: _Indices, shifts: _Indices
) -> _Bytes:
    """Return the strings of codes in one, each byte that of where its pointer ends.

    Parameters
    ----------
    codes, lengths, starts : ndarray of shape (codes,)
    shifts : ndarray of shape (codes,)
        From a string to the one that begins with the same bytes: 0 or less.
    """
    size = int(starts[-1] + lengths[-1])
    out = np.empty(size, np.uint8)
    out[starts] = codes.astype(np.uint8)  # true of single bytes, which all pointers end at
    if size > _LONG * len(codes):
        _copy_runs(out, lengths, starts, shifts)
        return out
    at = 0
    while at < len(codes):
        start = int(starts[at])
        after = max(int(np.searchsorted(starts, start + _BYTES_TOGETHER)), at + 1)
        stop = int(starts[after]) if after < len(codes) else size
        pointers = _point(starts[at:after] - start, shifts[at:after], stop - start)
        values = out[start:stop]
        if at:  # what lies before is resolved
            before = pointers < 0
            values[before] = out.take(pointers[before] + start)
            np.copyto(pointers, np.arange(len(pointers), dtype=np.intp), where=before)
        # Down to the last byte of a string, to the first one of the next string, and down from there.
        hops, reach = 2 * int(lengths[at:after].max()) - 2, 1
        while reach < hops:
            pointers = pointers.take(pointers)
            reach *= 2
        out[start:stop] = values.take(pointers)
        at = after
    return out


def _point(starts: _Indices, shifts: _Indices, size: int) -> _Indices:
    """Return where each byte of strings comes from: their starts and shifts, repeated by their lengths.

    That is a running sum of ones, and of what shifts change by at each start. `repeat` takes twice as
    long, because processors cannot foresee its counts.
    """
    steps = np.ones(size, np.intp)
    changes = np.subtract(shifts[1:], shifts[:-1])
    changes += 1
    steps[starts[1:]] = changes
    steps[0] = shifts[0]
    return np.cumsum(steps, dtype=np.intp, out=steps)


def _copy_runs(out: _Bytes, lengths: _Indices, starts: _Indices, shifts: _Indices) -> None:
    """Write strings one after the other, which is faster where they are long: see `_resolve`."""
    view = out.data
    for length, start, shift in zip(lengths.tolist(), starts.tolist(), shifts.tolist()):
        if shift:
            source, last = start + shift, length - 1
            view[start : start + last] = view[source : source + last]
            view[start + last] = view[source + last]  # may be the first byte written above
