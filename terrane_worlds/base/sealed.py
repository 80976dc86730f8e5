# SPDX-License-Identifier: GPL-3.0-or-later
"""Sealed files: at their end stands a checksum of the content and of the name, so that damage shows.

The seal behind the content does not disturb those who read from the beginning, such as NumPy.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import durable
from .durable import Bytes, Checksum, Sum
from .errors import DamageError, WorldError

_SEAL = struct.Struct("<8sQQ")
"""Mark, and the checksum of the name and the content."""

_MARK = b"TERRANE\n"

_BLOCK = 1 << 20


def write(path: Path, parts: Iterable[Bytes], name: str, *, is_flushed: bool = False) -> Checksum:
    """Write a sealed file; see `durable.write`.

    Parameters
    ----------
    path : Path
    parts : iterable of bytes
        The content.
    name : str
        Name of the content: under another name it counts as damaged.
    is_flushed : bool
        Whether the file is flushed to the disk at once.
    """

    def sealed() -> Iterator[Bytes]:
        total = Sum(name.encode())
        yield from total.passing(parts)
        yield _SEAL.pack(_MARK, *total.checksum)

    return durable.write(path, sealed(), is_flushed=is_flushed)


def read(path: Path, name: str) -> bytes:
    """Return the content of a sealed file.

    Raises
    ------
    DamageError
        If it is not there, or not as it was written.
    WorldError
        If it cannot be read.
    """
    try:
        whole = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DamageError("{}: is missing", path) from error
    except OSError as error:
        raise WorldError("{}: cannot be read: {}", path, error.strerror) from error
    content, seal = whole[: -_SEAL.size], whole[-_SEAL.size :]
    total = Sum(name.encode())
    total.add(content)
    if seal != _SEAL.pack(_MARK, *total.checksum):
        raise DamageError("{}: is damaged: its checksum does not fit", path)
    return content


def is_whole(path: Path, name: str) -> bool:
    """Return whether a sealed file is as it was written; a WorldError if it cannot be read."""
    total = Sum(name.encode())
    try:
        remaining = path.stat().st_size - _SEAL.size
        with path.open("rb", buffering=0) as file:
            while remaining > 0 and (part := file.read(min(_BLOCK, remaining))):
                total.add(part)
                remaining -= len(part)
            seal = file.read(_SEAL.size)
    except OSError as error:
        raise WorldError("{}: cannot be read: {}", path, error.strerror) from error
    return seal == _SEAL.pack(_MARK, *total.checksum)
