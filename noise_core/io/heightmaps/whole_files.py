# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are whole or not there: they get their names after all were written."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...base import atomic_files, blocks
from ...base.errors import TerraneError


@contextlib.contextmanager
def whole_files(
    folder: Path, paths: Sequence[Path], *, overwrite: bool
) -> Iterator[Mapping[Path, Path]]:
    """Give the names that files have until all are complete; then they get their own, unless an error is raised.

    Parameters
    ----------
    folder : Path
        For errors.
    paths : sequence of Path
        All files; their folders are made, and removed again if nothing is kept in them.
    overwrite : bool
        Whether files may be replaced.

    Raises
    ------
    TerraneError
        If a file is there already or cannot be written.
    Cancelled
        If the job was cancelled.
    """
    parts = {path: atomic_files.part_of(path) for path in paths}
    made: list[Path] = []
    try:
        atomic_files.make_folders((path.parent for path in paths), made)
        yield parts
        atomic_files.check_free(paths, overwrite)
        blocks.checkpoint()
        atomic_files.put({part: path for path, part in parts.items()})
        made.clear()  # they stay
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", folder, error.strerror or error) from error
    finally:
        for part in parts.values():
            atomic_files.remove(part)
        atomic_files.remove_empty(made)
