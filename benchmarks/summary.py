# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of docs/speed.md, taken from the report: ``python -m benchmarks.summary`` after ``python -m benchmarks --write``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
REPORT, PAGE = DOCS / "develop" / "benchmarks.md", DOCS / "speed.md"
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"
"""What stands between them on the page comes from the report."""

CELLS = 1024**2
"""Samples of the ground on which modifiers are measured."""

MODIFIERS = {
    "stream_erosion": "Stream Erosion",
    "stream_erosion, mode grow": "Stream Erosion, mode *grow*",
    "thermal_erosion": "Thermal Erosion",
    "gully_erosion": "Gully Erosion",
    "sediment_erosion": "Sediment Erosion",
    "glacial_erosion": "Glacial Erosion",
    "coastal_erosion": "Coastal Erosion",
    "amplify": "Amplify",
}
"""Those that the page lists."""

PEERS = {
    r"\| Perlin fbm, 8 octaves from 8 cells, 4096² \| ([\d.]+) \| ([\d.]+)": (
        "pyfastnoisesimd (C++ SIMD), one thread",
        "8 octaves of Perlin noise, 4096²",
        "ns a sample",
    ),
    r"\| Perlin, 32 cells, 1024² \| ([\d.]+) \| ([\d.]+)": (
        "the same",
        "Perlin noise, 1024²",
        "ns a sample",
    ),
    r"\| Simplex, 32 cells, 1024² \| ([\d.]+) \| ([\d.]+)": (
        "the same",
        "Simplex noise, 1024²",
        "ns a sample",
    ),
    r"\| Perlin at random points, 1 million \| ([\d.]+) \| ([\d.]+)": (
        "pyfastnoiselite (C++), one thread",
        "Perlin noise at random points",
        "ns a sample",
    ),
    r"\| One stream-power step, 1024² \| ([\d.]+) \| fastscapelib step \| ([\d.]+)": (
        "fastscapelib (C++), one thread",
        "One step of river erosion, 1024²",
        "ms",
    ),
    r"\| Whole default erosion, 1024² \| ([\d.]+) \| A\.N\.T\. Landscape pass \| ([\d.]+)": (
        "A.N.T. Landscape's eroder, one pass",
        "Whole river erosion, 1024²",
        "ms",
    ),
    r"\| Exact fill and drainage area, 1024², [^|]* \| ([\d.]+) \| pysheds \| ([\d.]+)": (
        "pysheds (numba), one thread",
        "Filled hollows and drainage areas, 1024²",
        "ms",
    ),
    r"GeoTIFF, 10812², int16, LZW, rows: reading over rasterio \| ([\d.]+)()": (
        "rasterio (GDAL)",
        "Reading a GeoTIFF with LZW, 10812²",
        "times",
    ),
}
"""Rows of the report that name a peer: the peer, the work, and the unit of both numbers."""


def tables(report: str) -> str:
    """Return both tables of the page.

    Raises
    ------
    ValueError
        If the report lacks a number.
    """
    return "\n".join([*_times(report), "", *_peers(report)])


def _times(report: str) -> Iterator[str]:
    machine = _of(r"^Measured on ([^,]+), Python", report)
    inside = _of(r"```\n(Blender 5\.2\.\d+ LTS, enabling[^`]*)```", report)
    blender = _of(r"(Blender 5\.2\.\d+ LTS, NumPy [\d.]+ without BLAS), 1024", inside)
    yield f"On {machine}; in {blender}.\n"
    yield "| what | size | seconds | memory |"
    yield "| --- | --- | ---: | ---: |"
    mesh = _of(r"mesh has (\d+) MB at 1024²", report)
    rows = (
        ("Add Terrain, 8 octaves of noise", "1024²", r"^terrain_add +([\d.]+) ms", f"{mesh} MB"),
        ("The same after a setting has changed", "1024²", r"^terrain_update +([\d.]+) ms", ""),
        ("A slider moved: the mesh follows", "512²", r"positions: .*median ([\d.]+) ms", ""),
        ("New Image of noise", "2048²", r"^image_new +([\d.]+) ms", ""),
        ("A surface's base color (Granite)", "2048²", r"^base color +([\d.]+) ms", ""),
    )
    for what, size, pattern, memory in rows:
        yield f"| {what} | {size} | {float(_of(pattern, inside)) / 1e3:.3f} | {memory} |"
    file = _of(r"^file, compressed +([\d.]+) MB", inside)
    for what, name in (("Add Landscape (Rolling Hills)", "landscape_add"), ("The same, first time after installing", "after install")):  # fmt: skip
        elapsed = _of(rf"^{name} +[\d.]+ +[\d.]+ +([\d.]+)", inside)
        yield f"| {what} | 1024² | {float(elapsed):.1f} | {file} MB in the file |"
    for key, label in MODIFIERS.items():
        row = _of(rf"^\| {re.escape(key)} \| ([^\n]+)", report).split("|")
        megabytes = float(row[2].partition(":")[0]) * CELLS / 1e6
        yield f"| {label} | 1024² | {float(row[0]) / 1e3:.2f} | {megabytes:.0f} MB beyond the ground |"
    for side in (4096, 8192):
        seconds = float(_of(rf"^\| {side} \| [\d.]+ \| ([\d.]+)", report)) / 1e3
        megabytes = side**2 * 4 / 1e6
        yield f"| 8 octaves of noise in Python | {side}² | {seconds:.2f} | {megabytes:.0f} MB |"


def _peers(report: str) -> Iterator[str]:
    yield "| peer | work | Terrane | peer | Terrane takes |"
    yield "| --- | --- | ---: | ---: | ---: |"
    for pattern, (peer, work, unit) in PEERS.items():
        found = re.search(pattern, report, re.MULTILINE)
        if found is None:
            raise ValueError(f"the report has no row for {peer}, {work}")
        first, second = found.groups()
        if not second:
            yield f"| {peer} | {work} | | | {float(first):.2f} times the time |"
            continue
        ratio = float(first) / float(second)
        yield f"| {peer} | {work} | {first} {unit} | {second} {unit} | {ratio:.2f} times the time |"
    nodes, add = (float(_of(rf"^{name} +([\d.]+) ms", report)) for name in ("nodes", "terrain_add"))
    yield f"| Blender's own nodes (Noise Texture) | A grid displaced by 8 octaves, 1024² | {add} ms | {nodes} ms | {add / nodes:.2f} times the time |"
    least = _of(r"^The least is ([\d.]+) times", report)
    yield f"| A.N.T. Landscape | Its own presets, 1024² | | | 1/{least} of the time, at most |"


def _of(pattern: str, text: str) -> str:
    """Return what a pattern's group stands for in a text.

    Raises
    ------
    ValueError
        If it is not there.
    """
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise ValueError(f"the report lacks {pattern}")
    return found[1]


def page(report: str, text: str) -> str:
    """Return the text of the page with the tables of a report."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{tables(report)}\n{END}{rest.split(END)[1]}"


def main() -> None:
    """Write the tables into the page."""
    texts = (path.read_text(encoding="utf-8") for path in (REPORT, PAGE))
    PAGE.write_text(page(*texts), encoding="utf-8")


if __name__ == "__main__":
    main()
