# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw samples without a header: RAW, R16 and their like."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from ....base.arrays import check_source_size
from ....base.errors import Message, ParameterError
from ....base.params import choice, integer
from .. import elevation, elevation_file, source
from ..formats_registry import ElevationFormat, elevation_format

if TYPE_CHECKING:
    from ..elevation_file import ElevationFile
    from ..sidecars import Sidecar
    from ..source import InputFile

_LARGEST_SIDE = 1 << 20

_USUAL_SIDE = 10240
"""End of the sliders."""

_BITS = {".r8": ("u1",), ".r16": ("u2",), ".r32": ("f4",)}
"""Types by extension; elsewhere it is the first one that makes a square."""

_LIKELY = ("u2", "u1")

_CODES = {"uint8": "u1", "uint16": "u2", "int16": "i2", "float32": "f4"}


@elevation_format("raw", "Raw", extensions=(".raw", ".r16", ".r8", ".r32", ".bin"))
class Raw(ElevationFormat):
    """Samples one after the other, as game engines exchange them.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core import read_elevation
    >>> from noise_core.io.elevation_reading import elevation_formats

    Samples without a header need their size; 0 and 65535 stand for 100 m and 300 m here:

    >>> raw = elevation_formats()["raw"](columns=3, rows=2)
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "land.r16"
    ...     np.array([[0, 65535, 0], [0, 0, 0]], "<u2").tofile(path)
    ...     land = read_elevation(path, file_format=raw, height_range=(100.0, 300.0))
    >>> print(land.heights[::-1])
    [[100. 300. 100.]
     [100. 100. 100.]]
    """

    columns: int = integer(
        0,
        help="Samples along X",
        automatic="a square",
        minimum=0,
        maximum=_LARGEST_SIDE,
        soft_maximum=_USUAL_SIDE,
    )
    rows: int = integer(
        0,
        help="Samples along Y",
        automatic="all of the file",
        minimum=0,
        maximum=_LARGEST_SIDE,
        soft_maximum=_USUAL_SIDE,
    )
    sample_type: str = choice(
        "guess",
        help="Type of the samples",
        options={
            "guess": "By the extension; else 16 bits, or 8 if only those make a square",
            "uint8": "Whole numbers of 8 bits, from 0 to 255",
            "uint16": "Whole numbers of 16 bits, from 0 to 65535",
            "int16": "Whole numbers of 16 bits, from -32768 to 32767",
            "float32": "Floating point numbers of 32 bits, taken as meters",
        },
    )
    byte_order: str = choice(
        "little",
        help="Order of the bytes in a sample",
        options={"little": "Lowest byte first (little-endian)", "big": "Highest byte first"},
    )
    first_row: str = choice(
        "top",
        help="Edge of the first row",
        options={"top": "The largest Y, as in images", "bottom": "The smallest y"},
    )

    def complete(self, sidecar: Sidecar) -> Raw:
        """See `ElevationFormat.complete`: only if neither size nor type is given."""
        if self.columns or self.rows or self.sample_type != "guess":
            return self
        dtype = np.dtype(sidecar.number_type)
        return dataclasses.replace(
            self,
            columns=sidecar.columns,
            rows=sidecar.rows,
            sample_type=dtype.name,
            byte_order="big" if sidecar.number_type[0] == ">" else "little",
            first_row="top" if sidecar.is_top_first else "bottom",
        )

    def open(self, file: InputFile) -> ElevationFile:
        """See `ElevationFormat.open`."""
        codes = self._codes(file)
        code, rows, columns = self._size(file, codes)
        check_source_size(file.name, rows, columns)
        dtype = np.dtype(("<" if self.byte_order == "little" else ">") + code)
        notes = []
        if not self.columns and not self.rows:
            notes.append(Message("The size is guessed: a square of {}", columns))
        if len(codes) > 1:
            notes.append(Message("The type is guessed: {}", dtype.name))
        if dtype.itemsize > 1:
            notes.append(Message("Bytes in the order {}", self.byte_order))
        info = elevation.ElevationInfo(
            *(file.name, self.label, rows, columns, dtype.name), notes=tuple(notes)
        )
        samples = file.data[: rows * columns * dtype.itemsize].view(dtype).reshape(rows, columns)
        is_top_first = self.first_row == "top"
        array = source.ArraySource(info, samples, is_top_first=is_top_first)
        return elevation_file.ElevationFile(array, is_top_first=is_top_first)

    def _codes(self, file: InputFile) -> tuple[str, ...]:
        """Return the types that are possible."""
        if self.sample_type != "guess":
            return (_CODES[self.sample_type],)
        extension = file.name[file.name.rfind(".") :].lower()
        return _BITS.get(extension, _LIKELY)

    def _size(self, file: InputFile, codes: tuple[str, ...]) -> tuple[str, int, int]:
        """Return the first type that fits the size of the file, with rows and columns."""
        for code in codes:
            count, remainder = divmod(file.size, int(code[1]))
            side = math.isqrt(count)
            columns = self.columns or (count // self.rows if self.rows else side)
            rows = self.rows or (count // self.columns if self.columns else side)
            if not remainder and rows * columns == count:
                return code, rows, columns
        if self.columns and self.rows:
            raise ParameterError(
                "{}: {} x {} samples of {} bytes each must fill the file; it has {} bytes",
                *(
                    file.name,
                    self.columns,
                    self.rows,
                    " or ".join(code_pair[1] for code_pair in codes),
                ),
                file.size,
            )
        raise ParameterError(
            "{}: rows and columns must be given, since {} bytes are no square of {}-byte samples",
            *(file.name, file.size, " or ".join(code_pair[1] for code_pair in codes)),
        )
