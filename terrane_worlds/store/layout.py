# SPDX-License-Identifier: GPL-3.0-or-later
"""Layout of a world's Zarr store: its groups, arrays and attributes.

::

    world.zarr/             attributes: recipe, seed, meters, digest ...
        checksums           no arrays: those of all files, once the store is finished
        height  slope ...   float32, meters or the map's unit, dimensions (y, x)
        y  x                meters
        overviews/2         the same arrays, each sample the mean of 2 x 2; then 4, 8 ...
        edges               no arrays: see `terrane_worlds.edges`
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noise_core.base.errors import ParameterError, format_value
from noise_core.base.grid_sizes import is_whole

from ..base import durable, ledger
from ..base.errors import WorldError
from ..base.tiling import Tiling, Window
from ..tiles.fields import Values
from .attributes import METADATA, write_group
from .shards import LEVEL, chunk_side, shard_parts

HEIGHT = "height"
"""Name of the array with the heights."""


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Raise a WorldError for an error of the system or of zarr about a file that is missing or damaged."""
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorldError("{}: cannot be read: {}", path, error) from error


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Raise a WorldError for an error of the system, as of a full disk."""
    try:
        yield
    except OSError as error:
        raise WorldError("{}: cannot be written: {}", path, error.strerror or error) from error


@dataclasses.dataclass(frozen=True)
class StoredArray:
    """An array of a store, written tile by tile; each tile is a shard.

    Attributes
    ----------
    path : str
        Of the array's own folder.
    tiling : Tiling
    is_compressed : bool
    """

    path: str
    tiling: Tiling
    is_compressed: bool = False

    def write(self, tile: Window, values: Values) -> None:
        """Write one tile, whole or not at all.

        Raises
        ------
        TerraneError
            If it cannot be written, as on a full disk.
        """
        side = self.tiling.side
        path = Path(self.path) / "c" / str(tile.row // side) / str(tile.column // side)
        durable.make_folder(path.parent)
        plain = np.asarray(values, np.float32)
        parts = shard_parts(plain, side, is_compressed=self.is_compressed)
        ledger.note(path, durable.write(path, parts))


def read_window(path: Path, window: Window) -> Values:
    """Return a window of an array.

    Raises
    ------
    WorldError
        If it cannot be read.
    """
    import zarr

    rows = slice(window.row, window.row + window.rows)
    columns = slice(window.column, window.column + window.columns)
    with _reading(path):
        values: Values = np.asarray(zarr.open_array(str(path), mode="r")[rows, columns])
    if np.isnan(values).any():  # what zarr gives for a shard that is not there
        raise WorldError(
            "{}: is damaged: samples are missing among {} x {} from {}",
            path,
            *window.shape,
            (window.row, window.column),
        )
    return values


def is_axis(path: str) -> bool:
    """Return whether a path in a store is a file with coordinates."""
    return path.split("/")[-3:-2] in (["y"], ["x"])


def shards_of(array: str, window: Window | None = None, side: int = 1) -> Callable[[str], bool]:
    """Return whether a path in a store is a shard of an array, and, if a window is given, lies in it.

    Parameters
    ----------
    array : str
        Its path in the store.
    window : Window, optional
    side : int
        Samples along a side of a shard.
    """
    begin = f"{array}/c/"

    def is_one(path: str) -> bool:
        if not path.startswith(begin) or window is None:
            return path.startswith(begin)
        row, column = (int(part) * side for part in path[len(begin) :].split("/"))
        return (
            row < window.row + window.rows
            and row + side > window.row
            and column < window.column + window.columns
            and column + side > window.column
        )

    return is_one


def overview_factors(tiling: Tiling, smallest: int = 256) -> tuple[int, ...]:
    """Return how many samples along a side become one, for each overview, until one is small."""
    factors: list[int] = []
    side = max(tiling.shape)
    while side > smallest:
        side = -(-side // 2)
        factors.append(2 * factors[-1] if factors else 2)
    return tuple(factors)


def halve_tiling(tiling: Tiling, side: int) -> Tiling:
    """Return the tiles of a land with half as many samples along both sides, rounded up."""
    return Tiling(-(-tiling.rows // 2), -(-tiling.columns // 2), side)


def group_of(factor: int) -> str:
    """Return the name of the group of an overview; empty for a factor of 1, the whole land."""
    return "" if factor == 1 else f"overviews/{factor}"


def find_group(store: Path, overview: int) -> Path:
    """Return the folder of an overview of a store that there is.

    Raises
    ------
    ParameterError
        If there is no such overview.
    """
    available = [1, *sorted(int(path.name) for path in store.glob("overviews/[0-9]*"))]
    if not is_whole(overview) or overview not in available:
        raise ParameterError(
            "overview must be of {}", ", ".join(map(str, available)), got=format_value(overview)
        )
    return store / group_of(overview)


def array_shape(path: Path) -> tuple[int, int]:
    """Return rows and columns of an array; raise a WorldError if there is none."""
    import zarr

    with _reading(path):
        rows, columns = zarr.open_array(str(path), mode="r").shape
    return rows, columns


def array_facts(path: Path) -> dict[str, Any]:
    """Return the attributes of an array; raise a WorldError if there is none."""
    import zarr

    with _reading(path):
        facts: dict[str, Any] = zarr.open_array(str(path), mode="r").attrs.asdict()
    return facts


def make_arrays(
    store: Path,
    group: str,
    tiling: Tiling,
    axes: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
    units: Mapping[str, str],
    *,
    is_compressed: bool = False,
) -> None:
    """Make a group and its arrays, without samples, with their coordinates.

    The metadata of existing ones is rewritten; their samples stay.

    Parameters
    ----------
    store : Path
    group : str
        See `group_of`.
    tiling : Tiling
    axes : tuple of two ndarrays, float64
        Meters of the rows and of the columns.
    units : mapping of str to str
        The arrays by name, with the units of their values.
    is_compressed : bool
    """
    import zarr
    from zarr.codecs import Crc32cCodec, ZstdCodec

    side, folder = tiling.side, store
    for name in filter(None, group.split("/")):
        folder = folder / name
        write_group(folder)
    with _writing(folder):
        root = zarr.open_group(str(folder), mode="r+")
        for name in ("y", "x", *units):
            (folder / name / METADATA).unlink(missing_ok=True)
        for name, meters in zip(("y", "x"), axes):
            root.create_array(
                name,
                data=meters,
                compressors=None,
                dimension_names=(name,),
                attributes={"units": "m", "long_name": name},
            )
        for name, unit in units.items():
            root.create_array(
                name,
                shape=tiling.shape,
                shards=(side, side),
                chunks=(chunk_side(side),) * 2,
                dtype="float32",
                fill_value=np.nan,
                compressors=[*([ZstdCodec(level=LEVEL)] if is_compressed else []), Crc32cCodec()],
                dimension_names=("y", "x"),
                attributes={"long_name": name, **({"units": unit} if unit else {})},
            )


def change_attributes(path: Path, **values: object) -> None:
    """Set attributes of an array.

    Raises
    ------
    WorldError
        If they cannot be written.
    """
    import zarr

    with _writing(path):
        zarr.open_array(str(path), mode="r+").attrs.update(values)
