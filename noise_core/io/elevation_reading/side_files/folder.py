# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that lie in the folder of an elevation file, whose names may have letters of any case."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ....base.errors import ParameterError
from ..source import InputFile


class Folder:
    """Names of the files beside an elevation file.

    Parameters
    ----------
    path : str
        Of the elevation file.
    """

    def __init__(self, path: str) -> None:
        self._path, (self.base, self.name) = path, os.path.split(path)
        self.stem, self.extension = os.path.splitext(self.name)
        try:
            self._names: dict[str, str] | None = {}
            for name in sorted(os.listdir(self.base or os.curdir)):
                self._names.setdefault(name.lower(), name)
        except OSError:  # it may be entered but not listed: names are tried as they are
            self._names = None

    def find(self, names: Iterable[str]) -> str | None:
        """Return the path of the first of some names that is there; None if none is."""
        for name in names:
            path = os.path.join(self.base, name)
            if self._names is None or os.path.lexists(path):
                match: str | None = name if os.path.isfile(path) else None
            else:
                match = self._names.get(name.lower())
            if match is not None and match != self.name:
                return os.path.join(self.base, match)
        return None


def text_of(path: str, most: int) -> str:
    """Return the text of a small file, of UTF-8 or UTF-16; of other encodings only ASCII.

    Raises
    ------
    ParameterError
        If it is too large, or cannot be read.
    """
    file = InputFile(path)
    if file.size > most:
        raise ParameterError("{} must have at most {} bytes", file.name, most, got=file.size)
    data = file.take(0, file.size)
    is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return data.decode("utf-16" if is_wide else "utf-8-sig", "replace")
