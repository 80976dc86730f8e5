# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and places of the files of an export: one, or tiles."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from ...base.errors import Message, ParameterError, format_value
from ...base.file_names import check_file_name
from ...base.grid import MAX_SIDE
from ...base.grid_sizes import is_whole
from ...materials.ground.plan import GroundPlan
from ..targets.bases.mesh_target import MeshTarget
from ..targets.bases.pyramid import PyramidPlan
from ..targets.bases.target import HeightFile, Target
from .file_tile import FileSet, FileTile
from .mesh_files import MeshFiles
from .pyramid_files import PyramidFiles

SUFFIXES = (
    *(
        ".r16",
        ".raw",
        ".png",
        ".exr",
        ".npy",
        ".tif",
        ".tiff",
        ".hf",
        ".usda",
        ".terrain",
        ".glb",
        ".obj",
    ),
    ".json",
)
"""Of files with heights and of sidecars: a name that ends in another one's is a mistake."""


MAX_TILES = 4096
"""Files that one export may make of the height."""


_NO_FILE = HeightFile("", 2, 2, 1.0, 0.0, 0.0, 1.0, 0.0)
"""Tells which files a target wants beside any."""


@dataclass(frozen=True)
class FileLayout:
    """Division of a land into files.

    Attributes
    ----------
    target : Target
    folder : Path
    stem : str
        How all names of files begin.
    rows, columns : int
        Samples of one file.
    tiles : tuple of two ints
        Files along x and along y.
    ground : GroundPlan, optional
        How the ground lies of which a material is written.
    """

    target: Target
    folder: Path
    stem: str
    rows: int
    columns: int
    tiles: tuple[int, int]
    ground: GroundPlan | None = None

    @property
    def is_tiled(self) -> bool:
        """Whether there are several files."""
        return self.tiles != (1, 1)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole land."""
        return (
            (self.tiles[1] - 1) * self._step(self.rows) + self.rows,
            (self.tiles[0] - 1) * self._step(self.columns) + self.columns,
        )

    @property
    def sidecar(self) -> Path:
        """The file that describes all others."""
        return self.folder / f"{self.stem}{self.target.sidecar_suffix}"

    def path(self, tile: FileTile, suffix: str, content: str = "") -> Path:
        """Return the path of a tile's file; `content` tells it from that of the height."""
        stem = f"{self.stem}_{content}" if content else self.stem
        name = self.target.tile_name(stem, tile.column, tile.row) if self.is_tiled else stem
        return self.folder / f"{name}{suffix}"

    def all_tiles(self) -> Iterator[FileTile]:
        """Yield all tiles, in the order of their numbers."""
        for row in range(self.tiles[1]):
            for column in range(self.tiles[0]):
                from_south = row
                if self.target.counts_tiles_from_north:
                    from_south = self.tiles[1] - 1 - row
                south, west = from_south * self._step(self.rows), column * self._step(self.columns)
                yield FileTile(
                    column,
                    row,
                    slice(south, south + self.rows),
                    slice(west, west + self.columns),
                )

    def file_set(self, width: float | None, extras: Sequence[str]) -> FileSet | None:
        """Return the files of a target that has others than one a tile; None if it has none, or none are known yet.

        Parameters
        ----------
        width : float or None
            Of the land, in meters: what lies on the Earth depends on it.
        extras : sequence of str
            Names of the images beside them.

        Raises
        ------
        ParameterError
            If the land has no place on the map, or there would be too many.
        """
        if isinstance(self.target, MeshTarget):
            tiles = tuple(self.all_tiles())
            return MeshFiles(self.target, tiles, self.path, self.stem, extras, self.ground)
        pyramid = self.target.pyramid
        if pyramid is None or width is None:
            return None
        plan = PyramidPlan(pyramid, self.rows, self.columns, width / (self.columns - 1))
        return PyramidFiles(plan, self.folder / self.stem)

    def paths(self, extras: Sequence[str], width: float | None) -> Iterator[Path]:
        """Yield all files, with those of more maps by their names; the sidecar last.

        Without the width of the land those of a pyramid are left out, since they are not known.
        """
        tiles = list(self.all_tiles())
        files = self.file_set(width, extras)
        if files is not None:
            yield from files.paths()
        elif self.target.pyramid is None:
            suffixes = (self.target.encoding.suffix, *self.target.companions(_NO_FILE))
            for tile in tiles:
                for suffix in suffixes:
                    yield self.path(tile, suffix)
        for name in extras:
            for tile in tiles:
                yield self.path(tile, ".png", name)
        yield self.sidecar

    def _step(self, side: int) -> int:
        return side - 1 if self.target.shares_borders else side


def lay_out(
    path: Union[str, os.PathLike[str]],
    target: Target,
    samples: tuple[int, int],
    tiles: tuple[int, int],
) -> FileLayout:
    """Return the layout of an export.

    Parameters
    ----------
    path : str or path
        Of the file, with its suffix or without.
    target : Target
    samples : tuple of two ints
        Rows and columns of a file.
    tiles : tuple of two ints
        Files along x and along y.

    Raises
    ------
    ParameterError
        If the target does not take such a size, or the name means something else.
    """
    file, suffix = Path(path), target.named_suffix
    stem = file.name
    if stem.lower().endswith(suffix):
        stem = stem[: -len(suffix)]
    elif file.suffix.lower() in SUFFIXES:
        raise ParameterError("a file for {} ends in {}", target.label, suffix, got=repr(file.name))
    check_file_name(stem, "path")
    target.check_name(stem)
    across, along = check_tiles(tiles)
    if target.pyramid is not None and tuple(tiles) != (1, 1):
        raise ParameterError(
            "{} has tiles of its own: tiles must be 1 x 1",
            target.label,
            got=Message("{} x {}", *tiles),
        )
    if not all(is_whole(one) and one <= MAX_SIDE for one in samples):
        raise ParameterError(
            "samples must be a whole number, or rows and columns", got=format_value(samples)
        )
    target.check_size(*samples)
    return FileLayout(target, file.parent, stem, *samples, (across, along))


def check_tiles(tiles: tuple[int, int]) -> tuple[int, int]:
    """Return how many files there are along x and along y; raise a ParameterError if there cannot be so many."""
    is_pair = isinstance(tiles, (tuple, list)) and len(tiles) == 2
    if not is_pair or not all(is_whole(one) and one >= 1 for one in tiles):
        raise ParameterError("tiles must be two whole numbers from 1 on", got=format_value(tiles))
    if tiles[0] * tiles[1] > MAX_TILES:
        raise ParameterError(
            "tiles must be at most {} files", MAX_TILES, got=f"{tiles[0]} x {tiles[1]}"
        )
    return tiles[0], tiles[1]
