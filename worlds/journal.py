# SPDX-License-Identifier: GPL-3.0-or-later
"""Journal of a build: the results of finished items, so that a build that was killed goes on from there."""

from __future__ import annotations

import pickle
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from .errors import WorldError

_FRAME = struct.Struct("<QQI")
"""Before each result: the item's number, the bytes of the result, and their CRC-32."""


class StageLog:
    """File with the results of one stage, one after the other as they were finished.

    What a killed process has written in part is dropped when the file is opened again.

    Parameters
    ----------
    path : Path
        Its folder is made if it is not there.

    Attributes
    ----------
    results : dict of int to object
        By the numbers of items. Those that are added later are not kept here.

    Raises
    ------
    WorldError
        If the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("a+b", buffering=0)
            self._file.seek(0)
            self.results: dict[int, Any] = dict(self._read())
            self._file.truncate()
        except OSError as error:
            raise self._error(error) from error

    def __enter__(self) -> StageLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, number: int, result: object) -> None:
        """Append the result of an item.

        Raises
        ------
        WorldError
            If it cannot be written, as on a full disk.
        """
        body = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        frame = memoryview(_FRAME.pack(number, len(body), zlib.crc32(body)) + body)
        try:
            while frame:
                frame = frame[self._file.write(frame) :]
        except OSError as error:
            raise self._error(error) from error

    def _read(self) -> Iterator[tuple[int, Any]]:
        """Yield whole results, and leave the file where the last of them ends."""
        while True:
            begin = self._file.tell()
            head = self._file.read(_FRAME.size)
            if len(head) == _FRAME.size:
                number, size, check = _FRAME.unpack(head)
                body = self._file.read(size)
                if len(body) == size and zlib.crc32(body) == check:
                    yield number, pickle.loads(body)
                    continue
            self._file.seek(begin)
            return

    def _error(self, error: OSError) -> WorldError:
        return WorldError("{}: cannot be written: {}", self._path, error.strerror)
