# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of meshes: chunks of a land at several levels of detail, each written, read back and compared."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...base import atomic_files, blocks
from ...base.arrays import Field
from ...base.errors import TerraneError
from ...base.grid import Grid
from ...landscapes.grid_meshes.right_triangles import RightTriangles
from ...maps.normal_map import Normal
from ...materials.ground.ground_weights import CHANNELS, WEIGHTS
from ...materials.ground.plan import GroundPlan
from ..looks.ground_look import GroundImages
from ..looks.water_look import LandWater, water_look
from ..targets.bases.chunk_mesh import ChunkFiles, ChunkMesh, MeshFormat
from ..targets.bases.mesh_target import MeshTarget
from .extras import LOOK
from .file_tile import FileSet, FileTile
from .land_chunk import LandChunk
from .lands import ExportedLand
from .layer_tiles import LayerTiles
from .lazy_heights import LazyHeights

COLLISION = "collision"
"""Name of the files with meshes for it."""

TEXTURES = ("color", *LOOK, "normal", "ambient_occlusion", *WEIGHTS)
"""Images beside the meshes that a material of theirs can use."""

PathOf = Callable[[FileTile, str, str], Path]


class MeshFiles(FileSet):
    """Meshes of the tiles of a land.

    Parameters
    ----------
    target : MeshTarget
    tiles : tuple of FileTile
    path_of : callable
        See `FileLayout.path`.
    stem : str
        How all names begin.
    extras : sequence of str
        Names of the images beside them.
    ground : GroundPlan, optional
        How the ground lies, if its material is written.
    """

    def __init__(
        self,
        target: MeshTarget,
        tiles: tuple[FileTile, ...],
        path_of: PathOf,
        stem: str,
        extras: Sequence[str],
        ground: GroundPlan | None = None,
    ) -> None:
        self._target, self._tiles, self._stem = target, tiles, stem
        self._path_of, self._format = path_of, target.mesh_format
        self._textures = [name for name in TEXTURES if name in extras]
        self._contents = [f"lod{level}" for level in range(target.levels)]
        self._contents += [COLLISION] * target.collision
        self._chunks: dict[FileTile, ChunkFiles] = {}
        self._counts: dict[Path, tuple[int, int]] = {}
        self._spacing = 1.0
        self._ground = ground
        self._layer_tiles = LayerTiles(ground, target.pixels_of_tiles, self._listing)

    @property
    def count(self) -> int:
        """See `FileSet.count`."""
        return len(self._tiles) * len(self._contents)

    def paths(self) -> Iterator[Path]:
        """See `FileSet.paths`."""
        for tile in self._tiles:
            for content in self._contents:
                yield self._path(tile, content)
        for suffix in self._format.listing_suffixes():
            yield self._listing(suffix)
        yield from self._layer_tiles.paths()

    def _path(self, tile: FileTile, content: str) -> Path:
        return self._path_of(tile, self._format.suffix, content)

    def _listing(self, suffix: str) -> Path:
        return self._path_of(self._tiles[0], "", "").with_name(f"{self._stem}{suffix}")

    def write(
        self, land: ExportedLand, parts: Mapping[Path, Path]
    ) -> Iterator[tuple[float, float]]:
        """See `FileSet.write`: tiles side by side at once, if the land is in memory."""
        self._spacing = land.grid.spacing
        is_lazy = isinstance(land.relief.height, LazyHeights)
        at_once = 1 if is_lazy else blocks.thread_count()
        for start in range(0, len(self._tiles), at_once):
            tiles = self._tiles[start : start + at_once]
            yield from self._write_tiles(tiles, land, parts)
        self._layer_tiles.write(parts)
        chunks = [self._chunks[tile] for tile in self._tiles]
        if self._ground is not None:
            chunks = [self._with_ground(chunk, land) for chunk in chunks]
        for suffix, text in self._format.listings(chunks, self._stem, self._water(land)).items():
            atomic_files.write_part(parts[self._listing(suffix)], text.encode())

    def _write_tiles(
        self, tiles: Sequence[FileTile], land: ExportedLand, parts: Mapping[Path, Path]
    ) -> Sequence[tuple[float, float]]:
        """Write tiles on threads; return of each file how much was lost, and how much may be."""
        lost: list[tuple[float, float]] = []

        def work(start: int, stop: int) -> None:
            for tile in tiles[start:stop]:
                lost.extend(self._write_tile(tile, land, parts))

        blocks.run(work, len(tiles), 1)
        return lost

    def _write_tile(
        self, tile: FileTile, land: ExportedLand, parts: Mapping[Path, Path]
    ) -> list[tuple[float, float]]:
        target, spacing = self._target, land.grid.spacing
        height = _window(land.relief.height, tile.rows, tile.columns)
        textures = {name: self._path_of(tile, ".png", name).name for name in self._textures}
        chunk = LandChunk(
            height,
            _normals(land.relief.height, tile, spacing),
            land.grid.shape,
            (tile.rows.start, tile.columns.start),
            spacing,
            textures,
            self._path_of(tile, "", "").name,
            self._stem,
            land.weights.window(tile.rows, tile.columns) if land.weights else (),
        )
        errors, depth = target.errors(spacing), target.skirt_depth(spacing)
        solid = target.error_of_collision(spacing)
        largest = max(*errors, solid or 0.0)
        triangles = RightTriangles(height, keeps_border=not depth, largest=largest)
        results = []
        for content, error in zip(self._contents, (*errors, solid or 0.0)):
            path = self._path(tile, content)
            found = triangles
            if content == COLLISION and depth:
                found = RightTriangles(height, keeps_border=True, largest=error)
            mesh = chunk.mesh(found.triangulate(error), path.name[: -len(self._format.suffix)])
            if content == COLLISION:
                mesh = chunk.bare(mesh)
            elif depth:
                mesh = chunk.with_skirt(mesh, depth)
            self._counts[path] = (len(mesh.positions), len(mesh.triangles))
            results.append(write_mesh(self._format, path, parts[path], mesh))
        self._chunks[tile] = self._files_of(tile, chunk, depth, textures)
        return results

    def _files_of(
        self, tile: FileTile, chunk: LandChunk, depth: float, textures: Mapping[str, str]
    ) -> ChunkFiles:
        names = [self._path(tile, content).name for content in self._contents]
        levels = tuple(names[: self._target.levels])
        collision = names[-1] if self._target.collision else ""
        return ChunkFiles(
            chunk.name, levels, collision, chunk.bounds(depth), textures, chunk.samples
        )

    def _water(self, land: ExportedLand) -> LandWater | None:
        """Return the water of a land whose material is written; its sea if that reaches up to some of the land."""
        if self._ground is None:
            return None
        level = self._ground.painted
        if level is not None:
            level *= land.height_scale
        is_wet = level is not None and self._target.has_sea and self._lowest < level
        return LandWater(water_look(self._ground.landscape), level if is_wet else None)

    @property
    def _lowest(self) -> float:
        return min(chunk.bounds[0][2] for chunk in self._chunks.values())

    def _with_ground(self, chunk: ChunkFiles, land: ExportedLand) -> ChunkFiles:
        """Return a part with what its physically based material shows."""
        rows, columns = land.grid.shape
        (west, south, _), (east, north, _) = chunk.bounds
        corner = (
            west + 0.5 * (columns - 1) * self._spacing,
            south + 0.5 * (rows - 1) * self._spacing,
        )
        names = land.weights.names if land.weights else ()
        ground = GroundImages(
            chunk.name,
            chunk.textures,
            chunk.samples,
            corner,
            (east - west, north - south),
            self._layer_tiles.shown(),
            {name: names[CHANNELS * at :][:CHANNELS] for at, name in enumerate(WEIGHTS)},
        )
        return replace(chunk, ground=ground)

    def entries(self) -> Sequence[Mapping[str, object]]:
        """See `FileSet.entries`: each mesh with its chunk, its level, and its counts."""
        entries = []
        for tile in self._tiles:
            for content in self._contents:
                path = self._path(tile, content)
                vertices, triangles = self._counts[path]
                entry: dict[str, object] = {"name": path.name, "tile": [tile.column, tile.row]}
                if content == COLLISION:
                    entry["collision"] = True
                else:
                    entry["level"] = self._contents.index(content)
                entries.append(entry | {"vertices": vertices, "triangles": triangles})
        return entries

    def describe(self) -> Mapping[str, object]:
        """See `FileSet.describe`: the levels and the chunks of a land."""
        target, spacing = self._target, self._spacing
        listings = [self._listing(suffix).name for suffix in self._format.listing_suffixes()]
        return {
            "meshes": {
                "errors": list(target.errors(spacing)),
                "borders": target.borders,
                "skirt_depth": target.skirt_depth(spacing),
                "collision_error": target.error_of_collision(spacing),
                "normals": "of the finest level",
                "listings": listings,
                "chunks": [
                    {
                        "name": chunk.name,
                        "levels": list(chunk.levels),
                        "collision": chunk.collision or None,
                        "low": list(chunk.bounds[0]),
                        "high": list(chunk.bounds[1]),
                        "textures": dict(chunk.textures),
                    }
                    for chunk in (self._chunks[tile] for tile in self._tiles)
                ],
            }
        }


def write_mesh(
    mesh_format: MeshFormat, path: Path, part: Path, mesh: ChunkMesh
) -> tuple[float, float]:
    """Write a mesh under its temporary name, and read it back.

    Returns
    -------
    tuple of two floats
        How many meters were lost, and how many may be.

    Raises
    ------
    TerraneError
        If it does not read back as it should.
    """
    atomic_files.write_part(part, mesh_format.write(mesh))
    blocks.checkpoint()
    try:
        with open(part, "rb") as file:
            positions, triangles = mesh_format.read(file, mesh.place)
    except (ValueError, KeyError, struct.error) as error:
        if isinstance(error, TerraneError):
            raise
        raise TerraneError("{}: reads back damaged: {}", path, error) from error
    if positions.shape != mesh.positions.shape or not np.array_equal(triangles, mesh.triangles):
        raise TerraneError("{}: reads back with other triangles: not kept", path)
    lost = float(np.abs(positions - mesh.positions).max())
    allowed = mesh_format.digits_lost * float(np.abs(mesh.positions).max())
    if not lost <= allowed:  # nor if it is no number
        raise TerraneError("{}: reads back {:g} off: not kept", path, lost)
    return lost, allowed


def _window(height: Field, rows: slice, columns: slice) -> Field:
    return np.ascontiguousarray(height[rows, columns], np.float32)


def _normals(height: Field, tile: FileTile, spacing: float) -> Field:
    """Return the normals of a tile, which go on beyond its borders as the land does: shape (rows, columns, 3)."""
    parts, inner = [], []
    for part, count in ((tile.rows, height.shape[0]), (tile.columns, height.shape[1])):
        start = max(part.start - 1, 0)
        parts.append(slice(start, min(part.stop + 1, count)))
        inner.append(slice(part.start - start, part.stop - start))
    around = _window(height, parts[0], parts[1])
    grid = Grid(*around.shape, size=(around.shape[1] - 1) * spacing)
    return Normal().values(around, grid)[inner[0], inner[1]]
