# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings of LZW codes, joined without a table.

Entry 258 + k of the table is the string of code k and one byte more: the first one of the string of
code k + 1. So each code has a *parent*, the code whose string its own goes on from; a single byte is its own
parent. Pointer doubling finds how many steps it is to the single byte, which byte that is, and the last
eight bytes of each string as one word. Words, not bytes, are then written to their places: there are
several times fewer codes than bytes.

References
----------
Terry A. Welch (1984). A technique for high-performance data compression.
J. C. Wyllie (1979). The complexity of parallel computations (pointer doubling).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_Bytes = npt.NDArray[np.uint8]
_Codes = npt.NDArray[np.int32]
_Indices = npt.NDArray[np.intp]
_Words = npt.NDArray[np.uint64]

CLEAR = 256
"""Code that clears the table; those below are single bytes."""

FIRST_FREE = 258
"""First entry of the table that is not there from the beginning."""

_BYTES_TOGETHER = 1 << 20
"""Bytes that are joined at once, unless one clearing holds more: seven millions at the most."""

_WORD = 8
"""Bytes of a word."""

_LONG = 64
"""Bytes of the mean string from which on it is faster to copy one after the other."""

_PLACES = np.arange(1 << 12, dtype=np.uint32)
"""Places of codes after a clearing."""


class Clearing(NamedTuple):
    """Codes between two clearings of the table, and the strip or tile that they belong to."""

    number: int
    codes: _Codes


class _Strings(NamedTuple):
    """Strings of codes, as trees of words.

    Attributes
    ----------
    parents : ndarray of shape (codes,), intp
    hops : ndarray of shape (codes,), intp
        Bytes of each string, less one.
    words : ndarray of shape (codes,), uint64
        The last eight bytes of each string, the last one as the most significant byte. The bytes
        before a shorter string are undefined.
    long : ndarray of shape (longer strings,), intp
        Codes whose strings are longer than a word, rising.
    stems : ndarray of shape (codes,), intp
        Codes whose strings are those of the long ones without their last word.
    """

    parents: _Indices
    hops: _Indices
    words: _Words
    long: _Indices
    stems: _Indices


def join_strings(group: Sequence[Clearing]) -> Iterator[tuple[_Bytes, list[tuple[int, int]]]]:
    """Yield the strings of codes, and the blocks that they belong to with where each of them ends."""
    firsts = np.cumsum([0, *(len(part.codes) for part in group)], dtype=np.intp)
    strings = _find_strings(np.concatenate([part.codes for part in group]), firsts)
    ends = np.zeros(len(strings.hops) + 1, np.intp)
    np.cumsum(strings.hops + 1, dtype=np.intp, out=ends[1:])
    stops = ends[firsts]
    first = 0
    while first < len(group):
        last = int(np.searchsorted(stops, stops[first] + _BYTES_TOGETHER, "right")) - 1
        last = max(last, first + 1)
        part = _write(strings, ends, int(firsts[first]), int(firsts[last]))
        bounds = (stops[first + 1 : last + 1] - stops[first]).tolist()
        yield part, [(clearing.number, stop) for clearing, stop in zip(group[first:last], bounds)]
        first = last


def _find_strings(codes: _Codes, firsts: _Indices) -> _Strings:
    """Return the strings of codes.

    Parameters
    ----------
    codes : ndarray of shape (codes,), int32
    firsts : ndarray of shape (clearings + 1,), intp
        Where the codes of each clearing begin.
    """
    following = _find_following(codes, firsts)
    hops = (codes >= CLEAR).astype(np.intp)
    parents = following - hops
    # Each round doubles how far the pointers reach; single bytes point to themselves.
    hops += hops.take(parents)
    grandparents = parents.take(parents)
    hops += hops.take(grandparents)
    roots = grandparents.take(grandparents)
    # Most strings end here. The ancestral go on alone.
    reach = _WORD // 2
    longer = np.flatnonzero(hops == reach)
    fourths, active = roots.take(longer), longer
    long, stems = active[:0], roots
    while len(active):
        ancestors = roots.take(active)
        steps = hops.take(ancestors)
        hops[active] = steps + reach
        roots[active] = roots.take(ancestors)
        active = active[steps == reach]
        reach *= 2
        if reach == _WORD and len(active):
            long, stems = active, roots.copy()
    words = codes.astype(np.uint8).take(roots).take(following).astype(np.uint64)
    words <<= np.uint64(56)
    _prepend(words, parents, 1)
    _prepend(words, grandparents, 2)
    words[longer] = words.take(longer) | words.take(fourths) >> np.uint64(32)
    return _Strings(parents, hops, words, long, stems)


def _find_following(codes: _Codes, firsts: _Indices) -> _Indices:
    """Return the code after each code's parent, of which the first byte is this one's last; itself for single bytes."""
    following = codes.view(np.uint32) - np.uint32(FIRST_FREE - 1)
    for start, stop in zip(firsts[:-1].tolist(), firsts[1:].tolist()):
        part = following[start:stop]
        # A negative number is a large one without its sign, so that single bytes become their own places.
        np.minimum(part, _PLACES[: stop - start], out=part)
        part += np.uint32(start)
    return following.astype(np.intp)


def _prepend(words: _Words, ancestors: _Indices, count: int) -> None:
    """Put the last bytes of ancestors' strings before as many of the words' own.

    A string of no more bytes meets its own first byte once more, before its beginning: undefined.
    """
    ancestral = words.take(ancestors)
    ancestral >>= np.uint64(8 * count)
    words |= ancestral


def _write(strings: _Strings, ends: _Indices, first: int, last: int) -> _Bytes:
    """Return the strings of some codes, from the first one to that before the last one.

    A string's head, of one to eight bytes, is written as a word. Bytes beyond it are overwritten by the
    heads of the strings after it, since NumPy assigns in order, and by the words of the string's own tail, which come last.

    Parameters
    ----------
    strings : _Strings
    ends : ndarray of shape (codes + 1,), intp
        Bytes before each string.
    first, last : int
        Bounds of clearings.
    """
    base, size = int(ends[first]), int(ends[last] - ends[first])
    if size > _LONG * (last - first):
        return _copy(strings, ends, first, last)
    out = np.empty(size + _WORD, np.uint8)
    places: _Words = np.ndarray((size + 1,), "<u8", out.data, 0, (1,))
    shifts = np.minimum(strings.hops[first:last], _WORD - 1)
    shifts ^= _WORD - 1
    shifts <<= 3
    heads = strings.words[first:last] >> shifts.view(np.uint64)
    tails = []
    low, high = np.searchsorted(strings.long, (first, last)).tolist()
    nodes = codes = strings.long[low:high]
    at = ends[codes + 1] - (base + _WORD)
    while len(nodes):
        tails.append((at, strings.words.take(nodes)))
        nodes, at = strings.stems.take(nodes), at - _WORD
        is_head = strings.hops.take(nodes) < _WORD
        heads[codes[is_head] - first] = heads.take(nodes[is_head] - first)
        is_tail = ~is_head
        codes, nodes, at = codes[is_tail], nodes[is_tail], at[is_tail]
    places[ends[first:last] - base] = heads
    for at, words in tails:
        places[at] = words
    return out[:size]


def _copy(strings: _Strings, ends: _Indices, first: int, last: int) -> _Bytes:
    """Return long strings, each copied from its parent's: see `_write`."""
    starts = ends[first:last] - ends[first]
    sources = ends.take(strings.parents[first:last]) - ends[first]
    out = np.empty(int(ends[last] - ends[first]), np.uint8)
    out[starts] = strings.words[first:last] >> np.uint64(56)  # true of single bytes
    view = out.data
    hops = strings.hops[first:last]
    for count, start, source in zip(hops.tolist(), starts.tolist(), sources.tolist()):
        if count:
            view[start : start + count] = view[source : source + count]
            view[start + count] = view[source + count]  # may be the first byte written above
    return out
