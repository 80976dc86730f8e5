# SPDX-License-Identifier: GPL-3.0-or-later
"""NumPy's array files.

References
----------
NumPy developers (2023). NEP 1: a simple file format for NumPy arrays.
"""

from __future__ import annotations

import re

import numpy as np

from ....base.arrays import check_source_size
from ....base.errors import Message, ParameterError
from ..elevation import ElevationInfo
from ..elevation_file import ElevationFile
from ..formats_registry import ElevationFormat, elevation_format
from ..source import ArraySource, InputFile

_MOST_HEADER = 1 << 16
"""Bytes; a plain array's has some hundred."""

# The header is Python source. A pattern reads what plain arrays have, and nothing is ever evaluated.
_TYPE = re.compile(r"'descr':\s*'([<>|=]?)([iuf])([1248])'")
_SHAPE = re.compile(r"'shape':\s*\(\s*(\d{1,12})\s*,\s*(\d{1,12})\s*,?\s*\)")
_ORDER = re.compile(r"'fortran_order':\s*(True|False)")


@elevation_format("npy", "NumPy array", extensions=(".npy",), signatures=(b"\x93numpy",))
class PlainArray(ElevationFormat):
    """Array of numbers in meters, row 0 at the smallest y.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from noise_core import read_elevation
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "land.npy"
    ...     np.save(path, np.array([[1.0, 2.0]]))
    ...     print(read_elevation(path).heights)
    [[1. 2.]]
    """

    def open(self, file: InputFile) -> ElevationFile:
        """See `ElevationFormat.open`."""
        head = file.take(0, 12)
        wide = 2 if head[6:7] == b"\1" else 4
        start = 8 + wide
        length = int.from_bytes(head[8:start], "little")
        text = file.take(start, min(length, _MOST_HEADER)).decode("latin-1")
        kind, shape, order = _TYPE.search(text), _SHAPE.search(text), _ORDER.search(text)
        code = "" if kind is None else "".join(kind.groups())
        if kind is None or shape is None or order is None or code.endswith("f1"):
            raise ParameterError(
                "{} must hold plain numbers of shape (rows, columns)",
                file.name,
                got=Message("the header {!r}", text[:100].strip()),
            )
        rows, columns = (int(number) for number in shape.groups())
        check_source_size(file.name, rows, columns)
        dtype = np.dtype(code)
        data = file.data[start + length :][: rows * columns * dtype.itemsize]
        if len(data) < rows * columns * dtype.itemsize:
            raise ParameterError("{} is damaged: it ends before its last sample", file.name)
        flat = data.view(dtype)
        is_by_columns = order.group(1) == "True"
        samples = flat.reshape(columns, rows).T if is_by_columns else flat.reshape(rows, columns)
        info = ElevationInfo(file.name, self.label, rows, columns, dtype.name)
        source = ArraySource(info, samples, is_top_first=False)
        return ElevationFile(source, is_top_first=False, is_metric=True)
