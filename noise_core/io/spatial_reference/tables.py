# SPDX-License-Identifier: GPL-3.0-or-later
"""Table of EPSG codes: kinds of systems, their units and ellipsoids, from a text beside this file.

`tools/epsg_table.py` writes it from PROJ's database. A line is a word, the facts that a group of systems has in
common, a colon, and their codes, in ranges. It is read when the first code is looked up.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path

FILE = Path(__file__).with_name("epsg.txt")

Facts = tuple[str, ...]
"""Kind of a system, and the codes of its unit, ellipsoid ... as the table has them."""


@functools.cache
def _lines() -> Mapping[str, tuple[str, ...]]:
    """Return the rests of all lines by their first words."""
    lines: dict[str, list[str]] = {}
    for line in FILE.read_text(encoding="ascii").splitlines():
        word, _, remainder = line.partition(" ")
        lines.setdefault(word, []).append(remainder)
    return {word: tuple(rests) for word, rests in lines.items()}


def units() -> Iterator[tuple[str, int, float, list[str]]]:
    """Yield kind, code, size in meters or degrees and names of all units."""
    for kind in ("length", "angle"):
        for line in _lines()[kind]:
            code, size, names = line.split(" ", 2)
            yield kind, int(code), float(size), names.split("|")


@functools.cache
def ellipsoids() -> Mapping[str, tuple[float, float]]:
    """Return radius in meters and inverse flattening (0 for a sphere) by code."""
    rows = (line.split() for line in _lines()["ellipsoid"])
    return {code: (float(radius), float(inverse)) for code, radius, inverse in rows}


@functools.cache
def meridians() -> Mapping[str, float]:
    """Return degrees east of Greenwich by code."""
    rows = (line.split() for line in _lines()["meridian"])
    return {code: float(degrees) for code, degrees in rows}


@functools.cache
def cylinders() -> Mapping[int, tuple[str, ...]]:
    """Return method and numbers of projections onto a cylinder by code of the system."""
    rows = (line.split() for line in _lines()["cylinder"])
    return {int(code): tuple(numbers) for code, *numbers in rows}


@functools.cache
def compounds() -> Mapping[int, tuple[int, int]]:
    """Return codes of the horizontal and the vertical system by that of the compound one."""
    table: dict[int, tuple[int, int]] = {}
    for line in _lines()["compound"]:
        for entry in line.split():
            code, _, parts = entry.partition("=")
            across, _, up = parts.partition("+")
            table[int(code)] = (int(across), int(up))
    return table


@functools.cache
def conversions() -> Mapping[int, Facts]:
    """Return the facts of projections with their parameters by code: "scaled", "unscaled" or method and numbers."""
    table: dict[int, Facts] = {}
    for line in _lines()["conversion"]:
        words, _, codes = line.partition(":")
        table.update(dict.fromkeys(_codes(codes), tuple(words.split())))
    return table


@functools.cache
def systems() -> Mapping[int, Facts]:
    """Return the facts of all systems but compound ones by code."""
    table: dict[int, Facts] = {}
    for kind in ("projected", "geographic", "vertical", "local", "geocentric", "unscaled"):
        for line in _lines()[kind]:
            words, _, codes = line.partition(":")
            table.update(dict.fromkeys(_codes(codes), (kind, *words.split())))
    return table


def _codes(text: str) -> Iterator[int]:
    """Yield codes that are written as steps from the last one, and how many follow in a row."""
    last = 0
    for entry in text.split():
        step, _, more = entry.partition("+")
        first = last + int(step)
        last = first + int(more or 0)
        yield from range(first, last + 1)
