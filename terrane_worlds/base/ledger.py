# SPDX-License-Identifier: GPL-3.0-or-later
"""Ledger of the files that work on an item has written, so that a build can check that they are there.

A context variable, since the code that writes is far from the engine that keeps the journal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Generic, TypeVar

from . import durable
from .durable import Checksum

Item = TypeVar("Item")
Result = TypeVar("Result")

Files = dict[str, "Checksum | None"]
"""Paths of files with their checksums; None for those that later work may change."""

_FILES: ContextVar[Files | None] = ContextVar("FILES", default=None)


def note(path: Path, checksum: Checksum | None = None) -> None:
    """Note a file that was written, or that has to be there for another reason."""
    files = _FILES.get()
    if files is not None:
        files[str(path)] = checksum


@contextmanager
def noting(files: Files) -> Iterator[None]:
    """Have all files noted in a ledger for the time of a block."""
    token = _FILES.set(files)
    try:
        yield
    finally:
        _FILES.reset(token)


@dataclasses.dataclass(frozen=True)
class Entered(Generic[Item, Result]):
    """Work that returns the files it has written, too."""

    work: Callable[[Item], Result]

    def __call__(self, item: Item) -> tuple[Result, Files]:
        """Return the result of an item, and the files."""
        files: Files = {}
        with noting(files):
            return self.work(item), files


def damaged_files(files: Mapping[str, Checksum | None]) -> list[Path]:
    """Return the files that are not there, or not as they were written; see `durable.checksum_of`."""
    return [
        Path(name)
        for name, checksum in files.items()
        if checksum is not None and durable.checksum_of(Path(name)) != checksum
    ]
