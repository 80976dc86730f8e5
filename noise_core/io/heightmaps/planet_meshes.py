# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets as meshes: chunks of the six faces of a cube sphere, each at several levels of detail."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Union

import numpy as np
import numpy.typing as npt

from ...base import atomic_files, blocks
from ...base.arrays import Field
from ...base.control import NO_CONTROL, Control
from ...base.errors import ParameterError, format_value
from ...base.file_names import check_file_name
from ...base.grid_sizes import is_whole
from ...base.input_files import path_of
from ...base.version import __version__
from ...landscapes.grid_meshes.right_triangles import RightTriangles
from ...landscapes.planets.planet import PlanetHeights, planet_heights
from ...landscapes.scene import Planet
from ...recipes.recipe import Recipe
from ...recipes.serial import to_plain
from ..targets.bases.chunk_mesh import ChunkFiles, ChunkMesh
from ..targets.bases.mesh_target import MOST_SAMPLES, MeshTarget
from ..targets.bases.target import Target, find_target
from . import sidecar
from .land_chunk import float_step
from .mesh_files import write_mesh
from .whole_files import whole_files

Numbers = npt.NDArray[np.float64]

MOST_CHUNKS = 32
"""Along a side of a face: 6,144 files for each level."""

_EVALUATION = 0.6
"""Share of the progress."""


@dataclass(frozen=True)
class PlanetChunk:
    """A part of a face of the cube.

    Attributes
    ----------
    name : str
    face : int
    rows, columns : slice
        Of the face's vertices.
    """

    name: str
    face: int
    rows: slice
    columns: slice


def export_planet(
    recipe: Recipe,
    planet: Planet,
    path: Union[str, os.PathLike[str]],
    *,
    target: Union[str, Target],
    tiles: int = 1,
    overwrite: bool = False,
    control: Control = NO_CONTROL,
) -> tuple[Path, ...]:
    """Write the ground of a planet as meshes with levels of detail, and read it back.

    Errors of levels are distances in space, in meters. All levels keep the vertices along the borders of chunks.

    Parameters
    ----------
    recipe : Recipe
        Of noise alone; see `planets.planet.check_recipe`.
    planet : Planet
    path : str or path
        Of the files, without suffix.
    target : str or MeshTarget
    tiles : int
        Along a side of each of six faces.
    overwrite : bool
        Whether files may be replaced.
    control : Control

    Returns
    -------
    tuple of Path
        All files, the sidecar last.

    Raises
    ------
    ParameterError
        If a value is not allowed.
    TerraneError
        If a file is there already or cannot be written, or does not read back as it should.
    Cancelled
        If `control.cancel` returned True; nothing is written then.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from noise_core.io.heightmaps.planet_meshes import export_planet
    >>> from noise_core.io.targets import Gltf
    >>> from noise_core.landscapes.planets.planet import standard_recipe
    >>> from noise_core.landscapes.scene import Planet
    >>> planet = Planet(radius=1000.0, resolution=8)
    >>> with TemporaryDirectory() as folder:
    ...     files = export_planet(
    ...         standard_recipe(), planet, f"{folder}/moon", target=Gltf(levels=2, error=1.0)
    ...     )
    >>> len(files), files[0].name, files[-1].name
    (13, 'moon_lod0_face0_x0_y0.glb', 'moon.glb.json')
    """
    found, base = find_target(target), Path(path_of(path, "export_planet: path"))
    if not isinstance(found, MeshTarget):
        raise ParameterError("target of a planet must be one of meshes", got=found.label)
    check_file_name(base.name, "path")
    if not (is_whole(tiles) and 1 <= tiles <= min(MOST_CHUNKS, planet.resolution)):
        most = min(MOST_CHUNKS, planet.resolution)
        raise ParameterError("tiles must be in [1, {}]", most, got=format_value(tiles))
    if planet.resolution > tiles * (MOST_SAMPLES - 1):
        raise ParameterError(
            "a tile has at most {} faces along a side: give more tiles", MOST_SAMPLES - 1
        )
    if found.borders != "stitched":
        raise ParameterError("borders of a planet must be 'stitched'", got=repr(found.borders))
    if found.look:
        raise ParameterError("material of a planet must be 'maps'", got=repr(found.material))
    job = _PlanetJob(found, base, planet, tiles)
    atomic_files.check_free(job.paths, overwrite)
    progress = blocks.heard(control.progress)
    threads = control.threads or blocks.thread_count()
    with blocks.cancellable(control.cancel), blocks.on_threads(threads):
        evaluating = blocks.part_of(progress, 0.0, _EVALUATION)
        heights = planet_heights(recipe, planet, progress=evaluating)
        with whole_files(base.parent, job.paths, overwrite=overwrite) as parts:
            job.write(heights, recipe, parts, blocks.part_of(progress, _EVALUATION, 1.0))
    progress(1.0)
    return tuple(job.paths)


class _PlanetJob:
    """An export of a planet: its chunks and their files."""

    def __init__(self, target: MeshTarget, base: Path, planet: Planet, chunks: int) -> None:
        self._target, self._base, self._planet = target, base, planet
        self._format = target.mesh_format
        self._chunks = list(_chunks(planet.resolution, chunks, base.name))
        self._contents = [f"lod{level}" for level in range(target.levels)]
        self._contents += ["collision"] * target.collision
        self._listings = {suffix: self._named(suffix) for suffix in self._format.listing_suffixes()}
        self.sidecar = self._named(target.sidecar_suffix)
        files = [self._path(chunk, content) for chunk in self._chunks for content in self._contents]
        self.paths = [*files, *self._listings.values(), self.sidecar]

    def _named(self, suffix: str) -> Path:
        return self._base.with_name(f"{self._base.name}{suffix}")

    def _path(self, chunk: PlanetChunk, content: str) -> Path:
        rest = chunk.name[len(self._base.name) :]
        return self._named(f"_{content}{rest}{self._format.suffix}")

    def write(
        self,
        heights: PlanetHeights,
        recipe: Recipe,
        parts: Mapping[Path, Path],
        progress: blocks.Progress,
    ) -> None:
        """Write all files under their temporary names."""
        planet, spacing = self._planet, self.spacing
        radii = heights.height.astype(np.float64) + planet.radius
        places = heights.directions.astype(np.float64) * radii[:, np.newaxis]
        normals = _normals(heights, places)
        errors, solid = self._target.errors(spacing), self._target.error_of_collision(spacing)
        files: list[dict[str, object]] = []
        listed = []
        reach = (
            np.ptp(places[self._index(heights, chunk)], axis=(0, 1)).max() for chunk in self._chunks
        )
        step = float_step(float(max(reach)))
        for done, chunk in enumerate(self._chunks, 1):
            index = self._index(heights, chunk)
            own = np.rint(places[index] / step) * step
            middle = np.rint(own[own.shape[0] // 2, own.shape[1] // 2] / step) * step
            local = (own - middle).astype(np.float32)
            triangles = RightTriangles(
                *np.moveaxis(local, -1, 0), largest=max(*errors, solid or 0.0)
            )
            grid = (local, middle, index, normals)
            files += self._write_chunk(chunk, triangles, grid, (*errors, solid or 0.0), parts)
            listed.append(self._listed(chunk, own))
            progress(done / len(self._chunks))
        for suffix, text in self._format.listings(listed, self._base.name).items():
            atomic_files.write_part(parts[self._listings[suffix]], text.encode())
        description = self._describe(heights, recipe, files, errors, solid)
        atomic_files.write_part(parts[self.sidecar], sidecar.to_text(description))

    def _write_chunk(
        self,
        chunk: PlanetChunk,
        triangles: RightTriangles,
        grid: tuple[Field, Numbers, npt.NDArray[np.int32], Field],
        errors: tuple[float, ...],
        parts: Mapping[Path, Path],
    ) -> Iterator[dict[str, object]]:
        """Write the meshes of a chunk; yield the sidecar's entry of each."""
        local, middle, index, normals = grid
        place = (float(middle[0]), float(middle[1]), float(middle[2]))
        for content, error in zip(self._contents, errors):
            path, found = self._path(chunk, content), triangles.triangulate(error)
            flat, is_solid = index.reshape(-1)[found.vertices], content == "collision"
            mesh = ChunkMesh(
                path.name[: -len(self._format.suffix)],
                place,
                local.reshape(-1, 3)[found.vertices],
                found.triangles,
                None if is_solid else normals[flat],
                () if is_solid else self._coordinates(chunk, found.vertices, index.shape),
                chunk=chunk.name,
                listing="" if is_solid else self._base.name,
            )
            write_mesh(self._format, path, parts[path], mesh)
            what: dict[str, object] = {"collision": True}
            if not is_solid:
                what = {"level": self._contents.index(content)}
            counts = {"vertices": len(flat), "triangles": len(mesh.triangles)}
            yield {"name": path.name, "chunk": chunk.name, **what, **counts}

    @staticmethod
    def _index(heights: PlanetHeights, chunk: PlanetChunk) -> npt.NDArray[np.int32]:
        """Return the numbers of a chunk's vertices on its grid."""
        return np.asarray(heights.sphere.index[chunk.face][chunk.rows, chunk.columns])

    @property
    def spacing(self) -> float:
        """Meters between neighbors, about: a quarter of the equator over the cells of a face."""
        return 0.5 * np.pi * self._planet.radius / self._planet.resolution

    def _coordinates(
        self, chunk: PlanetChunk, vertices: npt.NDArray[np.int64], shape: tuple[int, ...]
    ) -> tuple[npt.NDArray[np.float32], ...]:
        """Return coordinates over a chunk, and over its face."""
        rows, columns = np.divmod(vertices, shape[1])
        within = np.stack((columns / (shape[1] - 1), rows / (shape[0] - 1)), axis=-1)
        places = np.stack((columns + chunk.columns.start, rows + chunk.rows.start), axis=-1)
        over = places / self._planet.resolution
        return within.astype(np.float32), over.astype(np.float32)

    def _listed(self, chunk: PlanetChunk, places: Numbers) -> ChunkFiles:
        names = [self._path(chunk, content).name for content in self._contents]
        levels = tuple(names[: self._target.levels])
        low, high = (
            (float(end[0]), float(end[1]), float(end[2]))
            for end in (places.min(axis=(0, 1)), places.max(axis=(0, 1)))
        )
        solid = names[-1] if self._target.collision else ""
        return ChunkFiles(chunk.name, levels, solid, (low, high), {})

    def _describe(
        self,
        heights: PlanetHeights,
        recipe: Recipe,
        files: list[dict[str, object]],
        errors: tuple[float, ...],
        solid: float | None,
    ) -> dict[str, object]:
        planet = {name: value for name, value in to_plain(self._planet).items() if name != "type"}
        options = {name: value for name, value in to_plain(self._target).items() if name != "type"}
        return {
            "sidecar": sidecar.FORMAT,
            "terrane": __version__,
            "target": self._target.key,
            "options": options,
            "planet": planet,
            "lowest": float(heights.height.min()),
            "highest": float(heights.height.max()),
            "sea_level": heights.sea,
            "meshes": {
                "errors": list(errors),
                "borders": self._target.borders,
                "collision_error": solid,
                "normals": "of the finest level",
                "listings": [path.name for path in self._listings.values()],
            },
            "files": files,
            **sidecar.describe_recipe(recipe),
        }


def _chunks(cells: int, count: int, name: str) -> Iterator[PlanetChunk]:
    """Yield the chunks of all faces."""
    ends = [number * cells // count for number in range(count + 1)]
    parts = [slice(start, stop + 1) for start, stop in zip(ends, ends[1:])]
    for face in range(6):
        for row, rows in enumerate(parts):
            for column, columns in enumerate(parts):
                yield PlanetChunk(f"{name}_face{face}_x{column}_y{row}", face, rows, columns)


def _normals(heights: PlanetHeights, places: Numbers) -> npt.NDArray[np.float32]:
    """Return the normals of all vertices: the sum of those of the quads around each."""
    quads = heights.sphere.quad_vertices()
    first = places[quads[:, 2]] - places[quads[:, 0]]
    second = places[quads[:, 3]] - places[quads[:, 1]]
    across = np.cross(first, second)
    total = np.zeros_like(places)
    for corner in range(4):
        for axis in range(3):
            total[:, axis] += np.bincount(quads[:, corner], across[:, axis], len(places))
    total /= np.sqrt((total * total).sum(axis=1))[:, np.newaxis]
    return total.astype(np.float32)
