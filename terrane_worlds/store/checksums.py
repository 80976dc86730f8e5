# SPDX-License-Identifier: GPL-3.0-or-later
"""Checksums of all files of a finished store, in a file of their own; with it the store is finished.

::

    Terrane checksums 1
    size checksum path          of each file, in the order of the paths; see `durable.Checksum`
    crc32c                      of all lines before
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from noise_core.base import atomic_files

from ..base import durable
from ..base.durable import Checksum
from ..base.errors import DamageError, WorldError

GROUP = "checksums"
"""Of the store, without arrays: those who list the store's groups pass it by."""

NAME = f"{GROUP}/files"
"""Of the file, in the store."""

_FIRST = "Terrane checksums 1"

_UNFINISHED = (".partial", atomic_files.PART)
"""Suffixes of files that zarr and others were writing when a builder was killed."""


def write(store: Path, checksums: Mapping[str, Checksum | None]) -> None:
    """Write the checksums of all files that lie in a store, flush these to the disk, and so finish it.

    Parameters
    ----------
    store : Path
    checksums : mapping of str to Checksum
        Paths of files that were flushed when they were written.

    Raises
    ------
    TerraneError
        If it cannot be written.
    """
    lines = [_FIRST]
    for path in sorted(path for path in store.rglob("*") if path.is_file()):
        if path.name.endswith(_UNFINISHED):
            atomic_files.remove(path)
            continue
        name = path.relative_to(store).as_posix()
        if name == NAME or "\n" in name:
            continue
        checksum = checksums.get(str(path))
        if checksum is None:
            durable.sync(path)
            checksum = durable.checksum_of(path)
        if checksum is None:
            raise WorldError("{}: was removed meanwhile", path)
        lines.append(f"{checksum.size} {checksum.value:016x} {name}")
    text = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    durable.write(store / NAME, [text, f"{durable.crc_of(text):08x}\n".encode()])


def read(store: Path) -> dict[str, Checksum] | None:
    """Return the checksums of a store by the paths of its files; None if it is not finished.

    Raises
    ------
    DamageError
        If they are damaged.
    WorldError
        If they cannot be read.
    """
    path = store / NAME
    try:
        whole = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise WorldError("{}: cannot be read: {}", path, error.strerror) from error
    text, check = whole[:-9], whole[-9:]
    if check != f"{durable.crc_of(text):08x}\n".encode():
        raise DamageError("{}: is damaged: its checksum does not fit", path)
    first, *lines = text.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
    if first != _FIRST:
        raise WorldError("{}: is of another version of Terrane", path)
    checksums = {}
    for line in lines:
        size, value, name = line.split(" ", 2)
        checksums[name] = Checksum(int(size), int(value, 16))
    return checksums


def check_files(store: Path, is_meant: Callable[[str], bool] = lambda path: True) -> int:
    """Read files of a finished store, and return how many there are.

    Parameters
    ----------
    store : Path
    is_meant : callable, optional
        Whether the file of a path in the store is to be read; all if not given.

    Raises
    ------
    DamageError
        If one is missing, or is not as it was written.
    WorldError
        If one cannot be read, or the store is not finished.
    """
    checksums = read(store)
    if checksums is None:
        raise WorldError("{}: is not finished: go on with its build", store)
    names = [name for name in checksums if is_meant(name)]
    for name in names:
        checksum = durable.checksum_of(store / name)
        if checksum is None:
            raise DamageError("{}: is missing", store / name)
        if checksum != checksums[name]:
            raise DamageError("{}: is damaged: its checksum does not fit", store / name)
    return len(names)
