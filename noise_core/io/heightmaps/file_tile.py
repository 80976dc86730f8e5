# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a land that become files, and the files of a target that has others than one a tile."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .lands import ExportedLand


@dataclass(frozen=True)
class FileTile:
    """A part of the land that becomes a separate file.

    Attributes
    ----------
    column, row : int
        Its number, as its name has it.
    rows, columns : slice
        Its samples in the field.
    """

    column: int
    row: int
    rows: slice
    columns: slice

    def __hash__(self) -> int:
        """Return the hash of its number: before Python 3.12 slices have none."""
        return hash((self.column, self.row))


class FileSet(ABC):
    """Files of a target that are not one with heights for each tile."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many of them have heights."""

    @abstractmethod
    def paths(self) -> Iterator[Path]:
        """Yield all files."""

    @abstractmethod
    def write(
        self, land: ExportedLand, parts: Mapping[Path, Path]
    ) -> Iterator[tuple[float, float]]:
        """Write and read back all files; yield of each how many meters were lost, and how many may be.

        `parts` are the names that the files have until all are complete.

        Raises
        ------
        TerraneError
            If a file does not read back as it should.
        """

    @abstractmethod
    def entries(self) -> Sequence[Mapping[str, object]]:
        """Return the sidecar's list of files."""

    @abstractmethod
    def describe(self) -> Mapping[str, object]:
        """Return the sidecar's further entries, once all are written."""
