# SPDX-License-Identifier: GPL-3.0-or-later
"""Sidecars of heightmaps that Terrane has exported: they explain the numbers of a file without a header.

See `io.heightmaps.sidecar`, which writes them.
"""

from __future__ import annotations

import dataclasses
import math
import operator
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...base import json_texts
from ...base.arrays import check_size
from ...base.errors import Message, TerraneError, format_value
from .source import HeightSource, Path

_MAX_BYTES = 1 << 26
"""Of a sidecar, whose recipe may hold the pixels of measured land: some 2000 x 2000."""

_TYPES = ("u1", "u2", "f4")
"""Of the numbers, without the order of their bytes."""

DAMAGE = (TerraneError, ValueError, LookupError, TypeError, OSError)
"""What reading a sidecar raises if it is another program's file, or damaged."""

_FARTHEST = 1e9
"""Meters, or meters of one step, beyond which a sidecar is none."""


@dataclasses.dataclass(frozen=True)
class Sidecar:
    """Description of a file in its sidecar.

    Attributes
    ----------
    name : str
        Of the sidecar.
    rows, columns : int
        Samples of the file.
    number_type : str
        As NumPy names it, such as "<u2".
    is_top_first : bool
        Whether the first row is the one with the largest y.
    scale, offset : float
        Meters are offset + scale * number.
    spacing : float
        Meters per sample.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import Recipe, export_heightmap
    >>> from noise_core.io.elevation_reading import find_sidecar
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plain"
    ...     files = export_heightmap(Recipe(size=640.0), path, target="png16", samples=65).files
    ...     sidecar = find_sidecar(files[0])
    >>> sidecar.rows, sidecar.spacing, sidecar.is_top_first
    (65, 10.0, True)
    """

    name: str
    rows: int
    columns: int
    number_type: str
    is_top_first: bool
    scale: float
    offset: float
    spacing: float

    def apply(self, source: HeightSource) -> None:
        """Let a source give meters, with its rows the right way round.

        A file that has not the sidecar's size and type is another one by now, such as a picture saved
        again with 8 bits, and one that knows its place needs no sidecar: they stay as they are.
        """
        info = source.info
        actual = (info.rows, info.columns, info.sample_type)
        described = (self.rows, self.columns, np.dtype(self.number_type).name)
        if actual != described or info.spacing is not None:
            return
        if info.value_range is not None:
            source.factor, source.offset = self.scale, self.offset
        source.is_top_first = self.is_top_first
        source.info = dataclasses.replace(
            info,
            spacing=(self.spacing, self.spacing),
            value_range=None,
            says_meters=True,
            notes=(*info.notes, Message("Meters by {}", self.name)),
        )


def find_sidecar(path: Path) -> Sidecar | None:
    """Return the description in Terrane's sidecar of an exported file; None if there is none, or it is damaged.

    Parameters
    ----------
    path : str or path
        Of the file with heights, which may be one of several tiles.

    Examples
    --------
    >>> from noise_core.io.elevation_reading import find_sidecar
    >>> find_sidecar("no_such_file.png") is None
    True
    """
    file = pathlib.Path(path)
    for beside in sidecar_names(file):
        try:
            plain = plain_sidecar(beside)
            if file.name in named_files(plain).values():
                return read_sidecar(beside.name, plain)
        except DAMAGE:
            continue  # another program's file, or a damaged one
    return None


def plain_sidecar(path: pathlib.Path) -> Any:
    """Return the values in a sidecar; raise one of `DAMAGE` if it is none, perhaps only when it is read."""
    return json_texts.json_value(json_texts.text_of(path, _MAX_BYTES))


def sidecar_names(file: pathlib.Path) -> Iterator[pathlib.Path]:
    """Yield the files that may be the sidecar: of "land_x0_y1.r16" also "land_x0.r16.json" and "land.r16.json"."""
    stem = file.stem
    while stem:
        beside = file.with_name(f"{stem}{file.suffix}.json")
        if beside.is_file():
            yield beside
        stem = stem.rpartition("_")[0]


def named_files(plain: Any) -> dict[tuple[int, int], str]:
    """Return the names of the files of a sidecar by column and row; raise one of `DAMAGE` if it has none."""
    files = {}
    for entry in plain["files"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise ValueError(f"files must be objects with a name; got {format_value(entry)}")
        column, row = map(operator.index, entry.get("tile", (0, 0)))
        files[column, row] = entry["name"]
    return files


def read_sidecar(name: str, plain: Any) -> Sidecar:
    """Return a sidecar by its plain values; raise one of `DAMAGE` if it is none of files with heights."""
    columns, rows = map(operator.index, plain["samples"])
    check_size(name, rows, columns)
    number_type = plain["number_type"]
    if number_type[0] not in "<>" or number_type[1:] not in _TYPES:
        raise ValueError(f"{name} has numbers of another type: {number_type}")
    scale, offset, spacing = (
        _number(plain, key) for key in ("scale", "offset", "meters_per_sample")
    )
    if spacing <= 0.0:
        raise ValueError(f"{name} has no spacing")
    is_top_first = plain["orientation"]["first_row"] == "north"
    return Sidecar(name, rows, columns, number_type, is_top_first, scale, offset, spacing)


def _number(plain: Mapping[str, Any], key: str) -> float:
    value = float(plain[key])
    if not (math.isfinite(value) and abs(value) <= _FARTHEST):
        raise ValueError(f"{key} must be a number; got {value}")
    return value
