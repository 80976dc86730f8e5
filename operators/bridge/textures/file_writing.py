# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing of several files together, all or none; existing files are replaced only on request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ....noise_core.base.errors import ParameterError, TerraneError
from ....noise_core.io.image_writing import BITS
from ..datablocks import atomic_files

_NAMED = 3
"""How many files an error names."""


def check_bits(file_format: str, bits: int) -> None:
    """Make sure that a format can hold so many bits a channel.

    Raises
    ------
    ParameterError
        If it cannot.
    """
    if bits not in BITS[file_format]:
        allowed = " or ".join(map(str, BITS[file_format]))
        raise ParameterError("bits must be {} for {}; got {}", allowed, file_format, bits)


def check_free(paths: Iterable[Path]) -> None:
    """Make sure that there are no such files yet.

    Raises
    ------
    TerraneError
        If there are, or there can be none.
    """
    there = [path for path in paths if atomic_files.is_there(path)]
    if there:
        names = ", ".join(path.name for path in there[:_NAMED])
        more = f" and {len(there) - _NAMED} more" if len(there) > _NAMED else ""
        raise TerraneError(
            "{}{} in {}: already there; allow Overwrite, or give another name",
            names,
            more,
            there[0].parent,
        )


def write_all(
    contents: Mapping[Path, Callable[[], bytes]], *, overwrite: bool, done: Callable[[int], None]
) -> list[Path]:
    """Write files into one folder, which is created if it does not exist, and return their paths.

    No file gets its final name before all are complete.

    Parameters
    ----------
    contents : mapping of Path to callable
        What goes into each; called in order.
    overwrite : bool
        Whether files that are there already are replaced.
    done : callable
        Called with the number of files that are ready.

    Raises
    ------
    TerraneError
        If one is there already, or they cannot be written; also any error of a callable.
    """
    directory = next(iter(contents)).parent
    parts = {atomic_files.part_of(path): path for path in contents}
    for path in contents:
        atomic_files.check_replaceable(path)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for count, (part, content) in enumerate(zip(parts, contents.values()), 1):
            atomic_files.write_part(part, content())
            done(count)
        if not overwrite:
            check_free(contents)
        atomic_files.put(parts)
    except OSError as error:
        raise TerraneError("{}: cannot be written: {}", directory, error.strerror) from error
    finally:
        for part in parts:
            atomic_files.remove(part)
    return list(contents)
