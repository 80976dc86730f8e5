# SPDX-License-Identifier: GPL-3.0-or-later
"""ASCII grids of ESRI: a header of words, then numbers as text.

References
----------
ESRI (2021). Esri ASCII raster format.
"""

from __future__ import annotations

import dataclasses
import math
import re
from typing import ClassVar

import numpy as np

from ....base import blocks
from ....base.arrays import check_source_size
from ....base.errors import Message, ParameterError
from ..bands import Band, number_of
from ..elevation import ElevationInfo
from ..elevation_file import ElevationFile
from ..formats_registry import ElevationFormat, elevation_format
from ..geotransform import by_points
from ..side_files.beside import SideFiles, read_side_files
from ..source import HeightSource, InputFile, Samples

_WORDS = rb"ncols|nrows|xllcorner|xllcenter|yllcorner|yllcenter|cellsize|dx|dy|nodata_value"

_LINE = re.compile(rb"\s*(" + _WORDS + rb")\s+(\S{1,40})(?=\s)", re.IGNORECASE)

_MOST_HEADER = 4096

_PART = 1 << 20
"""Bytes of text that are read at a time."""

_LONGEST_NUMBER = 400
"""Characters; Python writes no float with more."""

_NODATA = "-9999"
"""Of files that do not say it."""


_SIDE_FILES = SideFiles(has_mask=True, has_numbers=True, has_system=True)


@elevation_format(
    "asc",
    "ESRI ASCII grid",
    extensions=(".asc",),
    signatures=(b"ncols", b"nrows", b"xll", b"yll", b"cellsize", b"nodata_value"),
)
class AsciiGrid(ElevationFormat):
    """Text with one number per sample, the northernmost row first.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core import read_elevation
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "land.asc"
    ...     lines = ("ncols 2", "nrows 2", "xllcorner 0", "yllcorner 0", "cellsize 10", "1 2", "3 4", "")
    ...     _ = path.write_text(chr(10).join(lines), "utf-8")
    ...     land = read_elevation(path)
    >>> print(land.heights)
    [[3. 4.]
     [1. 2.]]
    >>> land.spacing
    (10.0, 10.0)
    """

    tells_place: ClassVar[bool] = True

    def open(self, file: InputFile) -> ElevationFile:
        """See `ElevationFormat.open`."""
        words, start = _read_words(file)
        columns, rows = (self._count(file, words, key) for key in ("ncols", "nrows"))
        check_source_size(file.name, rows, columns)
        step = (
            self._number(file, words, "cellsize" if "cellsize" in words else "dx"),
            self._number(file, words, "cellsize" if "cellsize" in words else "dy"),
        )
        if not (0.0 < step[0] < 1e9 and 0.0 < step[1] < 1e9):
            raise ParameterError(
                "{}: cellsize must be positive", file.name, got=Message("{:g} x {:g}", *step)
            )
        is_corner = "xllcorner" in words or "yllcorner" in words
        ending = "corner" if is_corner else "center"
        x, y = (
            self._number(file, words, axis + "ll" + ending) + (spacing / 2.0 if is_corner else 0.0)
            for axis, spacing in zip("xy", step)
        )
        top = y + step[1] * (rows - 1)
        transform = by_points(x, top, (step[0], 0.0, 0.0, -step[1])).check(file.name)
        text = words.get("nodata_value", _NODATA)
        info = ElevationInfo(file.name, self.label, rows, columns, "float32")
        file_facts = ElevationFile(
            _TextSource(info, file, start),
            transform=dataclasses.replace(transform, is_point=not is_corner),
            band=Band(number_of(file.name, "NODATA_value", text)),
        )
        return read_side_files(file, file_facts, _SIDE_FILES)

    def _number(self, file: InputFile, words: dict[str, str], key: str) -> float:
        try:
            value = float(words.get(key, ""))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise ParameterError(
                "{}: {} must be a number", file.name, key, got=repr(words.get(key, ""))
            )
        return value

    def _count(self, file: InputFile, words: dict[str, str], key: str) -> int:
        text = words.get(key, "")
        if not text.isdecimal() or len(text) > 12:
            raise ParameterError("{}: {} must be a whole number", file.name, key, got=repr(text))
        return int(text)


def _read_words(file: InputFile) -> tuple[dict[str, str], int]:
    """Return the words of the header in lower case, and where the numbers begin."""
    head, at = file.take(0, _MOST_HEADER), 0
    words: dict[str, str] = {}
    while (match := _LINE.match(head, at)) is not None:
        words[match.group(1).decode("ascii").lower()] = match.group(2).decode("ascii", "replace")
        at = match.end()
    return words, at


class _TextSource(HeightSource):
    """Numbers in a text, from the first to the last, as float32: so GDAL compares them with the one for holes."""

    is_sequential = True

    def __init__(self, info: ElevationInfo, file: InputFile, start: int) -> None:
        super().__init__(info)
        self._file, self._at = file, start
        self._values = np.zeros(0, np.float32)

    def read(self, start: int, stop: int) -> Samples:
        """See `HeightSource.read`."""
        needed = (stop - start) * self.info.columns
        parts, held = [self._values], len(self._values)
        while held < needed:
            blocks.checkpoint()
            parts.append(self._read_part())
            held += len(parts[-1])
        values = np.concatenate(parts)
        self._values = values[needed:]
        return values[:needed].reshape(-1, self.info.columns)

    def _read_part(self) -> Samples:
        """Return the next numbers of the text."""
        name = self.info.name
        text = self._file.take(self._at, _PART)
        if not text:
            raise ParameterError("{} is damaged: it ends before its last number", name)
        cut = len(text)
        if self._at + cut < self._file.size:  # the last number may go on in the next part
            cut = max(text.rfind(sign) for sign in (b" ", b"\n", b"\t", b"\r")) + 1
            if cut <= len(text) - _LONGEST_NUMBER:
                raise ParameterError("{} is damaged: its numbers must be separated", name)
        self._at += cut
        words = text[:cut].split()
        try:
            with np.errstate(over="ignore"):
                return np.array([float(word) for word in words], np.float64).astype(np.float32)
        except ValueError as error:
            raise ParameterError("{} must hold numbers: {}", name, error) from None
