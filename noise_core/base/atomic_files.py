# SPDX-License-Identifier: GPL-3.0-or-later
"""Atomic writing of files: a file gets its name only when it is complete.

On Windows a virus scanner, an indexer or a viewer may briefly have a file open, during which no other
program can write, rename or remove it. Such operations are repeated for a limited time.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import threading
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar, Union

from .errors import ParameterError, TerraneError
from .file_names import check_file_path

Result = TypeVar("Result")


@dataclass(frozen=True)
class Rewrite:
    """Replacement of a file's first bytes, which are known only after the rest was written."""

    content: bytes


Piece = Union[bytes, memoryview, Rewrite]
"""Of a file: bytes that follow those before, or others for its beginning."""

Content = Union[bytes, Iterable[Piece]]
"""What a file is to hold, or pieces of it."""

PATIENCE = 2.0
"""Seconds to wait for a locked file."""

LOCKED = frozenset({5, 32, 33})
"""Windows' error codes for a file that another program has open: access denied, sharing violation,
lock violation (Microsoft, "System Error Codes (0-499)")."""

_LARGEST_WRITE = 1 << 18
"""Bytes: Linux 6.18 takes ten times as long for 16 MB at once, for which it looks for memory that lies together."""

PART = ".part"
"""Suffix of files that are incomplete, or are being replaced or removed."""

NAMED = 3
"""Files that an error names; of others it tells the number."""

_LOG = logging.getLogger(__package__)

_renaming = threading.Lock()
"""Held while files get their names: those of two writers in one process never mix."""

_pause = threading.Event().wait
"""Waits so many seconds. The waits are counted, so that no clock is needed."""


def part_of(file: Path) -> Path:
    """Return a name that a file has until it is complete: another one with each call.

    So several writers of one file, in whichever processes and on whichever computers, never write into
    each other's part; the last one that is ready gives the file its content.
    """
    return file.with_name(f"{file.name}.{os.urandom(4).hex()}{PART}")


def is_there(file: Path) -> bool:
    """Return whether a file or folder exists; raise an error if the name is too long, or access is denied."""
    try:
        _retry(file.stat)  # denied on Windows while a removed file still has a reader
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", file, error.strerror) from error
    return True


def check_replaceable(file: Path) -> None:
    """Raise a TerraneError if a folder has the name of a file, or the name is not allowed."""
    check_file_path(file)
    if is_there(file) and file.is_dir():
        raise TerraneError("{}: cannot be written: a folder has that name", file)


def check_free(paths: Sequence[Path], overwrite: bool) -> None:
    """Make sure that files may be written: no two of one name, and none there unless it may be replaced."""
    names: set[str] = set()
    for path in paths:
        name = str(path).casefold()  # where case does not count, such two are one file
        if name in names:
            raise ParameterError(
                "two files would be called {}: give the map another name", path.name
            )
        names.add(name)
    for path in paths:
        check_replaceable(path)
    there = [] if overwrite else [path for path in paths if is_there(path)]
    if there:
        more = f" and {len(there) - NAMED} more" if len(there) > NAMED else ""
        raise TerraneError(
            "{}{} in {}: already there; allow overwriting, or give another name",
            ", ".join(path.name for path in there[:NAMED]),
            more,
            there[0].parent,
        )


def write(file: Path, content: Content) -> None:
    """Write one file, and replace an existing one, which stays unchanged if an error is raised.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core.base.atomic_files import write
    >>> with TemporaryDirectory() as folder:
    ...     write(Path(folder) / "notes.txt", b"whole or not there")
    ...     [path.name for path in Path(folder).iterdir()]
    ['notes.txt']
    """
    check_replaceable(file)
    part = part_of(file)
    try:
        write_part(part, content)
        _rename([(part, file)])  # atomic: one of the two always exists
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", file, error.strerror) from error
    finally:
        remove(part)


def write_part(part: Path, content: Content) -> None:
    """Write an incomplete file, under its temporary name; raise an OSError if that is impossible.

    Pieces are written one after the other, so that no more than one of them is in memory. The file is opened
    once: a scanner may look at a new one as soon as it is closed.
    """
    pieces: Iterable[Piece] = (content,) if isinstance(content, bytes) else content
    with _retry(lambda: part.open("wb")) as file:
        write_pieces(file, pieces)


def write_pieces(file: BinaryIO, pieces: Iterable[Piece]) -> None:
    """Write pieces into an open file, which is empty."""
    for piece in pieces:
        if isinstance(piece, Rewrite):
            file.seek(0)
            file.write(piece.content)
            file.seek(0, os.SEEK_END)
            continue
        whole = memoryview(piece).cast("B")
        for start in range(0, len(whole), _LARGEST_WRITE):
            file.write(whole[start : start + _LARGEST_WRITE])


def put(parts: Mapping[Path, Path]) -> None:
    """Rename complete files from temporary to final names, replacing existing ones: all of them or none.

    The names are given by temporary ones. Those that are replaced go first, from the last one on, and then
    the new ones come in order: the last file, if it is there, says that all others are its own, even if
    this is interrupted. Raises a TerraneError if one cannot be renamed; it names those that could not be
    restored.
    """
    for path in parts.values():
        check_replaceable(path)
    with _renaming:
        old = {path: _old_name(path) for path in parts.values() if is_there(path)}
        try:
            _rename([*reversed(old.items()), *parts.items()], may_lack=old)
        except OSError as error:
            raise TerraneError(
                "{}: cannot be written: {}", error.filename, error.strerror
            ) from error
        for path in old.values():
            remove(path)


def discard(paths: Iterable[Path]) -> None:
    """Remove files that exist: all of them or none, as `put` does."""
    with _renaming:
        old = {path: _old_name(path) for path in paths if is_there(path)}
        try:
            _rename(list(old.items()), may_lack=old)
        except OSError as error:
            raise TerraneError(
                "{}: cannot be removed: {}", error.filename, error.strerror
            ) from error
        for path in old.values():
            remove(path)


def remove(path: Path) -> None:
    """Remove a file if it exists; a failure is logged."""
    try:
        _retry(partial(path.unlink, missing_ok=True))
    except OSError as error:
        _LOG.warning("Terrane: %s is left over: %s", path, error.strerror)


def make_folders(folders: Iterable[Path], created: list[Path]) -> None:
    """Make folders, with those above them; append those that were not there, the outermost first."""
    for folder in dict.fromkeys(folders):
        missing = []
        while not is_there(folder):
            missing.append(folder)
            folder = folder.parent
        for missing_folder in reversed(missing):
            missing_folder.mkdir(exist_ok=True)
            created.append(missing_folder)


def remove_empty(folders: Sequence[Path]) -> None:
    """Remove folders that were made one after the other, if nothing lies in them."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):  # something does
            folder.rmdir()


def _old_name(path: Path) -> Path:
    """Return an unused name for a replaced file; an older one may be the only copy left."""
    numbers = itertools.chain([""], itertools.count(2))
    names = (path.with_name(f"{path.name}.old{number}{PART}") for number in numbers)
    return next(name for name in names if not is_there(name))


def _rename(names: list[tuple[Path, Path]], may_lack: Container[Path] = ()) -> None:
    """Rename files from their present to their new names, one after the other: all of them or none.

    Those that `may_lack` has may have been removed by a writer in another process, and are left out.
    The OSError of a file that cannot be renamed has its name, and in `strerror` the reason and the
    files that could not be renamed back.
    """
    done: list[tuple[Path, Path]] = []
    for begin, end in names:
        try:
            _retry(partial(begin.replace, end))
            done.append((begin, end))
        except OSError as error:
            if isinstance(error, FileNotFoundError) and begin in may_lack:
                continue
            reason = str(error.strerror)
            if stuck := _rename_back(done):
                reason += f"; not put back: {', '.join(stuck)}"
            target = end if begin.suffix == PART else begin
            raise OSError(error.errno, reason, str(target)) from error


def _rename_back(names: list[tuple[Path, Path]]) -> list[str]:
    """Rename files back; return a text that names those that failed."""
    stuck: dict[Path, str] = {}
    for begin, end in reversed(names):
        try:
            _retry(partial(end.replace, begin))
            stuck.pop(begin, None)  # overwrites a new file that stayed there
        except OSError:
            stuck[end] = f"{end.name} (was {begin.name})"
    return list(stuck.values())


def _retry(attempt: Callable[[], Result]) -> Result:
    """Repeat an operation on a file for a limited time while another program has it open; return its result."""
    waited, pause = 0.0, 0.01
    while True:
        try:
            return attempt()
        except OSError as error:
            is_locked = getattr(error, "winerror", None) in LOCKED
            if not is_locked or waited >= PATIENCE:
                raise
        _pause(pause)
        waited, pause = waited + pause, min(2.0 * pause, 0.2)
