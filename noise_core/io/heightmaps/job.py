# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing of evaluated heights: files under temporary names, each read back from the disk."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ...base import atomic_files, blocks
from ...base.blocks import Progress
from ...base.errors import TerraneError
from ...base.georeference import Georeference
from ..targets.bases.target import Encoding, HeightFile
from . import sidecar
from .codecs import CODECS
from .extras import ExtraFiles
from .file_tile import FileSet, FileTile
from .height_range import HeightRange, extremes, scale_of
from .lands import ExportedLand
from .layout import FileLayout
from .options import ExportOptions
from .spawn_points import SpawnPlaces
from .stored_field import StoredField
from .whole_files import whole_files


class ExportJob:
    """An export of evaluated heights.

    Attributes
    ----------
    paths : list of Path
        All files, the sidecar last.
    whole : HeightFile
        The facts of all tiles together.
    largest_difference : float
        Between heights and those read back, in meters.
    """

    def __init__(
        self,
        layout: FileLayout,
        land: ExportedLand,
        extras: ExtraFiles,
        range_: HeightRange,
        options: ExportOptions,
        georeference: Georeference | None,
    ) -> None:
        self._layout, self._land, self._extras = layout, land, extras
        self._options = options
        lowest, highest = extremes(land.relief.height)
        scale, offset = scale_of(lowest, highest, range_, layout.target.encoding, land.reach)
        name = f"{layout.stem}{layout.target.encoding.suffix}"
        shape, spacing = land.grid.shape, land.grid.spacing
        step = 1.0 / land.grid.steps_per_tile
        place = georeference and georeference.resample(land.grid.origin, (step, step))
        self.whole = HeightFile(
            *(name, *shape, spacing, lowest, highest, scale, offset),
            georeference=place,
            cover=land.cover,
        )
        self._sea = sidecar.describe_sea(options.sea_level, self.whole)
        self._file_set = layout.file_set(land.grid.width, extras.names)
        self.paths = list(layout.paths(extras.names, land.grid.width))
        self._parts: Mapping[Path, Path] = {}
        self._files: list[dict[str, object]] = []
        self._maps: dict[str, object] = {}
        self.largest_difference = self._allowed = 0.0
        self._spawns = SpawnPlaces.find(land.relief.height, spacing, layout.target)
        self.whole = replace(self.whole, spawn_points=self._spawns.points)

    def write_all(self, progress: Progress) -> None:
        """Write all files, read them back, and give them their names."""
        folder, overwrite = self._layout.folder, self._options.overwrite
        with whole_files(folder, self.paths, overwrite=overwrite) as self._parts:
            for done, _ in enumerate(self._write_contents(), 1):
                progress(done / self._count)
            description = sidecar.describe(
                self._layout, self.whole, self._files, self._maps, self._land.recipe
            )
            read_back = {"largest_difference": self.largest_difference, "allowed": self._allowed}
            own = dict(self._file_set.describe()) if self._file_set else {}
            own.update(sidecar.describe_placement(self._land.placement))
            own.update(self._land.facts)
            text = sidecar.to_text({**description, **self._sea, **own, "read_back": read_back})
            atomic_files.write_part(self._parts[self._layout.sidecar], text)

    @property
    def _count(self) -> int:
        """How many files have samples."""
        tiles = self._layout.tiles[0] * self._layout.tiles[1]
        heights = self._file_set.count if self._file_set else tiles
        return heights + len(self._extras.names) * tiles

    def _write_contents(self) -> Iterator[None]:
        """Write and read back all files but the sidecar; yield after each one with samples."""
        yield from self._write_set(self._file_set) if self._file_set else self._write_heights()
        for name in self._extras.names:
            convention = self._layout.target.normals
            found, bits = self._extras.field(name, self._land, convention)
            encoding = Encoding("png", ".png", f"<u{bits // 8}", self._north_first)
            scale = (found.high - found.low) / encoding.highest_number
            for tile in self._layout.all_tiles():
                fields = tuple(field[tile.rows, tile.columns] for field in found.fields)
                path = self._layout.path(tile, ".png", name)
                self._write_and_compare(path, StoredField(fields, encoding, scale, found.low))
                yield
            self._maps[name] = {
                "files": [
                    self._layout.path(tile, ".png", name).name for tile in self._layout.all_tiles()
                ],
                "channels": len(found.fields),
                "bits": bits,
                "unit": found.unit,
                "scale": scale,
                "offset": found.low,
                **({"convention": found.convention} if found.convention else {}),
                **sidecar.describe_layers(self._land.weights, name),
            }

    @property
    def _north_first(self) -> bool:
        return self._layout.target.encoding.north_first

    def _write_set(self, files: FileSet) -> Iterator[None]:
        for lost, allowed in files.write(self._land, self._parts):
            self.largest_difference = max(self.largest_difference, lost)
            self._allowed = max(self._allowed, allowed)
            yield
        self._files.extend(map(dict, files.entries()))

    def _write_heights(self) -> Iterator[None]:
        for tile in self._layout.all_tiles():
            self._write_height(tile)
            yield

    def _write_height(self, tile: FileTile) -> None:
        """Write and read back the heights of a tile, and the files that belong to it."""
        target = self._layout.target
        file = self._height_file(tile)
        field = StoredField(
            (self._land.relief.height[tile.rows, tile.columns],),
            target.encoding,
            file.scale,
            file.offset,
            self._options.dither and bool(target.encoding.highest_number),
            (tile.rows.start, tile.columns.start),
        )
        path = self._layout.path(tile, target.encoding.suffix)
        difference = self._write_and_compare(path, field, target.details(file))
        self.largest_difference = max(self.largest_difference, difference)
        self._allowed = field.tolerance
        entry: dict[str, object] = {"name": path.name}
        if self._layout.is_tiled:
            entry |= {
                "tile": [tile.column, tile.row],
                "lowest": file.lowest,
                "highest": file.highest,
                "fields": dict(target.fields(file)),
            }
        companions = target.companions(file)
        for suffix, text in companions.items():
            beside = self._layout.path(tile, suffix)
            atomic_files.write_part(self._parts[beside], text.encode())
        if companions:
            entry["beside"] = [self._layout.path(tile, suffix).name for suffix in companions]
        self._files.append(entry)

    def _write_and_compare(self, path: Path, field: StoredField, more: object = ()) -> float:
        return _write_and_compare(path, self._parts[path], field, more)

    def _height_file(self, tile: FileTile) -> HeightFile:
        """Return the facts of a tile."""
        height, spacing = self._land.relief.height, self._land.grid.spacing
        lowest, highest = extremes(height[tile.rows, tile.columns])
        place, first = self.whole.georeference, (float(tile.columns.start), float(tile.rows.start))
        middle_x, middle_y = (
            0.5 * ((part.start + part.stop - 1) - (count - 1)) * spacing
            for part, count in ((tile.columns, height.shape[1]), (tile.rows, height.shape[0]))
        )
        return replace(
            self.whole,
            spawn_points=self._spawns.within(tile.rows, tile.columns),
            name=self._layout.path(tile, self._layout.target.encoding.suffix).name,
            rows=self._layout.rows,
            columns=self._layout.columns,
            lowest=lowest,
            highest=highest,
            center=(middle_x, middle_y),
            georeference=place and place.resample(first, (1.0, 1.0)),
            cover=self.whole.cover and self.whole.cover.window(tile.rows, tile.columns),
        )


def _write_and_compare(path: Path, part: Path, field: StoredField, more: object) -> float:
    """Write a file under its temporary name, read it back, and return the largest difference.

    Raises
    ------
    TerraneError
        If it does not hold the field.
    """
    codec = CODECS[field.encoding.file_format]
    atomic_files.write_part(part, codec.write(field, more))
    largest, done = 0.0, 0
    try:
        with open(part, "rb") as file:
            for numbers in codec.read(file, field.shape, field.encoding.number):
                blocks.checkpoint()
                rows = slice(done, done + len(numbers))
                largest, done = max(largest, field.lost(numbers, rows)), rows.stop
    except (ValueError, KeyError, struct.error, zlib.error) as error:
        if isinstance(error, TerraneError):
            raise
        raise TerraneError("{}: reads back damaged: {}", path, error) from error
    if done != field.shape[0] or not largest <= field.tolerance:
        raise TerraneError(
            "{}: reads back with {} of {} rows, and {:g} off: not kept",
            path,
            done,
            field.shape[0],
            largest,
        )
    return largest
