# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are on the disk before they count, and checksums that tell whether they still are.

A file is written under another name and renamed, so that it is whole however the process ends. Results that a build
calls finished, shards and layers, are flushed to the disk before, so that they are there after a power loss too;
files that it needs for a while are not, since that would take longer than the work, and they show damage: see `sealed`.

References
----------
Thanumalayan Sankaranarayana Pillai and others (2014). All file systems are not created equal: on the complexity
    of crafting crash-consistent applications. OSDI
Guy Castagnoli, Stefan Brauer, Martin Herrmann (1993). Optimization of cyclic redundancy-check codes with 24 and 32
    parity bits. IEEE Transactions on Communications 41 (CRC-32C)
R. Braden, D. Borman, C. Partridge (1988). Computing the Internet checksum, RFC 1071 (sums of words)
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Union

import google_crc32c
import numpy as np

from noise_core.base import atomic_files

from .errors import WorldError

Bytes = Union[bytes, memoryview]

_MODULUS = (1 << 32) - 1

_BLOCK = 1 << 20
"""Bytes that are read at a time."""


class Checksum(NamedTuple):
    """Checksum of a file's content.

    Attributes
    ----------
    size : int
        Bytes.
    value : int
        CRC-32C of them, and below its 32 bits their sum; see `Sum`.
    """

    size: int
    value: int


class Sum:
    """Checksum of bytes that come in parts.

    The CRC sees all small damage, but is the same for all files that hold the CRC of their content, as shards
    do. So the sum of the words of 32 bits, modulo 2^32 - 1, stands beside it.

    Parameters
    ----------
    start : bytes, optional
        Sets the sums of different files apart; not counted in the size.
    """

    def __init__(self, start: bytes = b"") -> None:
        self._size, self._crc, self._words = 0, 0, 0
        self.add(start)
        self._begin = self._size

    def add(self, part: Bytes) -> None:
        """Take the next bytes in."""
        plain = np.frombuffer(part, np.uint8)
        whole = plain.size - plain.size % 4
        words = int(plain[:whole].view("<u4").sum(dtype=np.uint64))
        words += int.from_bytes(plain[whole:].tobytes(), "little")
        # A byte further on in its word counts 256 times as much.
        self._words = (self._words + (words << 8 * (self._size % 4))) % _MODULUS
        self._crc = crc_of(part, self._crc)
        self._size += plain.size

    def passing(self, parts: Iterable[Bytes]) -> Iterator[Bytes]:
        """Yield parts, and take them in."""
        for part in parts:
            self.add(part)
            yield part

    @property
    def checksum(self) -> Checksum:
        """The sum of all bytes so far."""
        return Checksum(self._size - self._begin, self._crc << 32 | self._words)


def crc_of(part: Bytes, start: int = 0) -> int:
    """Return the CRC-32C of bytes, given that of the bytes before them."""
    plain = part if isinstance(part, bytes) else np.frombuffer(part, np.uint8)
    return int(google_crc32c.extend(start, plain))


def write(path: Path, parts: Iterable[Bytes], *, is_flushed: bool = True) -> Checksum:
    """Write a file whole or not at all, and return its checksum.

    Parameters
    ----------
    path : Path
    parts : iterable of bytes
    is_flushed : bool
        Whether the file is flushed to the disk at once.

    Raises
    ------
    TerraneError
        If it cannot be written, as on a full disk.
    """
    total = Sum()
    atomic_files.write(path, total.passing(parts))
    if is_flushed:
        sync(path)
    return total.checksum


def sync(*paths: Path) -> None:
    """Flush files, and their names in their folders, to the disk; raise a WorldError if that is impossible."""
    for path in paths:
        try:
            with path.open("r+b") as file:
                os.fsync(file.fileno())
        except OSError as error:
            raise WorldError("{}: cannot be written: {}", path, error.strerror) from error
    for folder in {path.parent for path in paths}:
        try:
            _sync_folder(folder)
        except OSError as error:
            raise WorldError("{}: cannot be written: {}", folder, error.strerror) from error


def make_folder(folder: Path, *, is_flushed: bool = True) -> None:
    """Make a folder with those above it, and flush their names; raise a WorldError if that is impossible."""
    missing = []
    try:
        while not folder.is_dir():
            missing.append(folder)
            folder = folder.parent
        for missing_folder in reversed(missing):
            missing_folder.mkdir(exist_ok=True)
            if is_flushed:
                _sync_folder(missing_folder.parent)
    except OSError as error:
        where = missing[0] if missing else folder
        raise WorldError("{}: cannot be written: {}", where, error.strerror) from error


def checksum_of(path: Path) -> Checksum | None:
    """Return the checksum of a file; None if there is none.

    Raises
    ------
    WorldError
        If it cannot be read.
    """
    total = Sum()
    try:
        with path.open("rb", buffering=0) as file:
            while part := file.read(_BLOCK):
                total.add(part)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise WorldError("{}: cannot be read: {}", path, error.strerror) from error
    return total.checksum


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder; systems that cannot do it for a folder do it with each file."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(number)
