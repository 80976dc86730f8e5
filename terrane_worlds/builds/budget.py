# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory and disk of a build, checked before it begins."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from noise_core.base.errors import Message, ParameterError, format_value

from ..base.errors import WorldError
from ..base.tiling import Tiling
from ..store.layout import halve_tiling, overview_factors
from ..store.shards import chunk_side
from ..tiles.cost import Cost

PROCESS = 150e6
"""Bytes that a process has with NumPy, zarr and Dask before it does anything."""

NOISE = Cost(worker=40.0, caller=0.0, disk=0.0)
"""Of noise that is evaluated and written."""

MEANS = 1.0 / 15.0
"""Samples from which every second overview is made, in fields, for each of the land."""

EDGES = 4.0
"""Bytes for each sample that the edges of its tile and of coarser levels take, measured at tiles of 512."""

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_AMOUNT = re.compile(r"([0-9]+\.?[0-9]*) ?([kmgt]?)(i?)b?", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Budget:
    """Memory and disk that a build needs.

    Attributes
    ----------
    tiling : Tiling
    arrays : int
        How many are stored.
    costs : sequence of Cost
        Of the layers and maps that are worked out in tiles.
    has_edges : bool
        Whether the tiles' edges are stored, so that a tile can be rebuilt alone.
    """

    tiling: Tiling
    arrays: int
    costs: Sequence[Cost]
    has_edges: bool = False

    def memory(self, workers: int) -> float:
        """Return the bytes of memory that so many workers and their caller take at most."""
        costs = (NOISE, *self.costs)
        tile = self.tiling.side**2 * max(cost.worker for cost in costs)
        edges = 4 * self.tiling.rows * self.tiling.columns / self.tiling.side
        caller = edges * max(cost.caller for cost in costs)
        processes = workers + (workers > 1)
        return processes * PROCESS + workers * tile + caller

    def check_memory(self, memory: int | str, workers: int) -> None:
        """Raise a ParameterError if more is needed than is allowed."""
        allowed = parse_bytes(memory, "memory")
        needed = self.memory(workers)
        if needed > allowed:
            raise ParameterError(
                "memory must be at least {} for {} of {} x {} samples a tile",
                format_bytes(needed),
                f"{workers} workers" if workers > 1 else "a worker",
                self.tiling.side,
                self.tiling.side,
                got=format_value(memory),
            )

    def holds_fields(self, memory: int | str) -> bool:
        """Return whether one process has room in memory for all fields too; not with edges, which are noted in files."""
        needed = self.memory(1) + self.fields
        return not self.has_edges and needed <= parse_bytes(memory, "memory")

    @property
    def fields(self) -> float:
        """Bytes of the fields that are needed for a while, at most."""
        # Means of one array; heights before and after a layer, and what it needs itself.
        has_maps = self.arrays > 1 or self.has_edges
        most = max((8.0 + cost.disk + cost.maps * has_maps for cost in self.costs), default=0.0)
        amount = 4.0 * MEANS + most
        return self.tiling.rows * self.tiling.columns * (amount + EDGES * self.has_edges)

    @property
    def disk(self) -> float:
        """Bytes of files that there are at most, with those that are needed for a while."""
        return self.stored + self.fields

    @property
    def stored(self) -> float:
        """Bytes of the finished store, if it is not compressed: whole chunks at the edges too."""
        chunk, tiling, samples = chunk_side(self.tiling.side), self.tiling, 0
        for _ in range(1 + len(overview_factors(self.tiling))):
            samples += -(-tiling.rows // chunk) * -(-tiling.columns // chunk) * chunk * chunk
            tiling = halve_tiling(tiling, tiling.side)
        return 4.0 * self.arrays * samples

    def check_disk(self, store: Path, *folders: Path) -> None:
        """Raise a WorldError if the disk has no room; files in the store and other folders count.

        Parameters
        ----------
        store : Path
            It, or the folder around it, is on the disk.
        """
        present = sum(size_of(folder) for folder in (store, *folders))
        existing = next(
            path for path in (store.absolute(), *store.absolute().parents) if path.exists()
        )
        free = shutil.disk_usage(existing).free
        if self.disk - present > free:
            raise WorldError(
                "{}: the build needs {} of disk",
                store,
                format_bytes(self.disk - present),
                got=Message("{} free there", format_bytes(free)),
            )


def parse_bytes(amount: int | str, who: str) -> float:
    """Return a number of bytes: an integer, or a text such as "4GB" or "512 MiB".

    Raises
    ------
    ParameterError
        If it is neither; `who` starts the message.

    Examples
    --------
    >>> from terrane_worlds.builds.budget import parse_bytes
    >>> parse_bytes("4GB", "memory"), parse_bytes("512 MiB", "memory"), parse_bytes(1000, "memory")
    (4000000000.0, 536870912.0, 1000.0)
    """
    match = _AMOUNT.fullmatch(str(amount).strip())
    if isinstance(amount, bool) or not isinstance(amount, (int, str)) or match is None:
        raise ParameterError('{} must be such as "4GB"', who, got=format_value(amount))
    number, unit, binary = match.groups()
    power = "kmgt".find(unit.lower()) + 1 if unit else 0
    return float(number) * (1024**power if binary else _UNITS[unit.lower()])


def format_bytes(amount: float) -> str:
    """Return an amount as a person reads it.

    Examples
    --------
    >>> from terrane_worlds.builds.budget import format_bytes
    >>> format_bytes(4.2e9), format_bytes(1500.0)
    ('4.20 GB', '2 kB')
    """
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if amount >= size:
            return f"{amount / size:.2f} {unit}"
    return f"{amount / 1e3:.0f} kB"


def size_of(folder: Path) -> int:
    """Return the bytes of the files in a folder; 0 if it is not there."""
    return sum(
        os.stat(os.path.join(path, name)).st_size
        for path, _, names in os.walk(folder)
        for name in names
    )
