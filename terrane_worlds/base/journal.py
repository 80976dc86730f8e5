# SPDX-License-Identifier: GPL-3.0-or-later
"""Journal of a build: the results of finished items, so that a build that was killed goes on from there."""

from __future__ import annotations

import os
import pickle
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from . import durable
from .errors import WorldError

_HEAD = struct.Struct("<QQ")
"""Before each result: the item's number, and the bytes of the result."""

_CHECK = struct.Struct("<I")
"""After that: the CRC-32 of the log's name, the head and the result."""


class StageLog:
    """File with the results of one stage, one after the other as they were finished.

    A result that a killed process has written in part is dropped when the file is opened again, and so is all that
    comes after a damaged result, or was written as another log.

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
        durable.make_folder(path.parent, is_flushed=False)
        try:
            self._file: BinaryIO = path.open("a+b", buffering=0)
            self._size = self._file.seek(0, os.SEEK_END)
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
        head = _HEAD.pack(number, len(body))
        frame = memoryview(head + self._check(head, body) + body)
        try:
            while frame:
                frame = frame[self._file.write(frame) :]
        except OSError as error:
            raise self._error(error) from error

    def flush(self) -> None:
        """Flush the file to the disk; raise a WorldError if that is impossible."""
        durable.sync(self._path)

    def _read(self) -> Iterator[tuple[int, Any]]:
        """Yield whole results, and leave the file where the last of them ends."""
        while True:
            begin = self._file.tell()
            head = self._file.read(_HEAD.size)
            check = self._file.read(_CHECK.size)
            if len(check) == _CHECK.size:
                number, size = _HEAD.unpack(head)
                body = self._file.read(min(size, self._size))  # a damaged size may be any
                if len(body) == size and self._check(head, body) == check:
                    yield number, pickle.loads(body)
                    continue
            self._file.seek(begin)
            return

    def _check(self, head: bytes, body: bytes) -> bytes:
        return _CHECK.pack(zlib.crc32(body, zlib.crc32(head, zlib.crc32(str(self._path).encode()))))

    def _error(self, error: OSError) -> WorldError:
        return WorldError("{}: cannot be written: {}", self._path, error.strerror)
