# SPDX-License-Identifier: GPL-3.0-or-later
"""Lock of a build: two builders of one store exclude each other.

The system gives the lock back when its process ends, however that happens, so none is ever stale.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ..base.errors import WorldError

if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        file.seek(_BEYOND)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_BEYOND = 1 << 20
"""Byte that is locked where others could not read the file otherwise."""


@contextlib.contextmanager
def exclusive(path: Path, what: Path) -> Iterator[None]:
    """Hold a lock for the time of a block.

    Parameters
    ----------
    path : Path
        Of the lock's file. It stays.
    what : Path
        The locked store, for the message.

    Raises
    ------
    WorldError
        If another process has it, or the file cannot be made.
    """
    with _open_locked(path, what) as file:
        with contextlib.suppress(OSError):  # the text is for others; a full disk is met later
            file.truncate(0)
            file.write(f"process {os.getpid()} on {platform.node()}\n".encode("ascii", "replace"))
        yield


def _open_locked(path: Path, what: Path) -> BinaryIO:
    """Return the file at a path, locked; see `exclusive`."""
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("a+b", buffering=0)
        except FileNotFoundError:
            continue  # another process has just finished, and removed the folder
        except OSError as error:
            raise WorldError("{}: cannot be written: {}", path, error.strerror) from error
        try:
            _lock(file)
        except OSError:
            with file:
                file.seek(0)
                owner = file.read(100).decode("ascii", "replace").strip() or "another process"
            raise WorldError("{}: is being built by {}", what, owner) from None
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()  # of a process that has just finished: others would lock another file
