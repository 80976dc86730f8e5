# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavefront OBJ: meshes as text, Y up, in one frame for all chunks.

References
----------
Alias Wavefront (1995). The object file format: appendix B of the Advanced Visualizer's manual.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field
from ..targets.bases.chunk_mesh import ChunkFiles, ChunkMesh, Indices, MeshFormat

if TYPE_CHECKING:
    from ..looks.water_look import LandWater

Numbers = npt.NDArray[Any]

_AT_ONCE = 1 << 14
"""Lines of text that are made at a time."""

_MATERIALS = ".mtl"


class ObjFile(MeshFormat):
    """Wavefront OBJ with a list of materials for all chunks."""

    suffix = ".obj"
    digits_lost = 2.0**-22

    def write(self, mesh: ChunkMesh) -> Iterator[bytes]:
        """See `MeshFormat.write`."""
        yield f"o {mesh.name}\n".encode()
        if mesh.listing:
            yield f"mtllib {mesh.listing}{_MATERIALS}\nusemtl {mesh.chunk}\n".encode()
        x, y, z = _in_land(mesh).T
        # More digits than float32 has, since they are counted from the middle of the land.
        yield from _lines("v %.12g %.12g %.12g\n", np.stack((x, z, -y), axis=-1))
        corner = "%d"
        if mesh.normals is not None:
            yield from _lines("vt %.9g %.9g\n", mesh.coordinates[0])
            east, north, up = mesh.normals.T
            yield from _lines("vn %.9g %.9g %.9g\n", np.stack((east, up, -north), axis=-1))
            corner = "%d/%d/%d"
        repeated = np.repeat(mesh.triangles + np.int32(1), corner.count("%d"), axis=1)
        yield from _lines(f"f {corner} {corner} {corner}\n", repeated)

    def read(self, file: BinaryIO, place: Sequence[float]) -> tuple[Field, Indices]:
        """See `MeshFormat.read`."""
        lists: dict[bytes, list[bytes]] = {b"v": [], b"vt": [], b"vn": [], b"f": []}
        for line in file:
            kind, _, rest = line.partition(b" ")
            if kind in lists:
                lists[kind].append(rest)
            elif kind not in (b"o", b"mtllib", b"usemtl"):
                raise ValueError(f"it has a line that begins with {kind!r}")
        turned = _numbers(lists[b"v"], np.float64, 3)
        x, up, south = turned.T
        inner = np.stack((x, -south, up), axis=-1) - np.array(place, np.float64)
        step = 3 if lists[b"vn"] else 1
        faces = [line.replace(b"/", b" ") for line in lists[b"f"]]
        corners = _numbers(faces, np.int64, 3 * step)
        return inner.astype(np.float32), (corners[:, ::step] - 1).astype(np.int32)

    def listing_suffixes(self) -> Sequence[str]:
        """See `MeshFormat.listing_suffixes`."""
        return (_MATERIALS,)

    def listings(
        self, chunks: Sequence[ChunkFiles], name: str, water: LandWater | None = None
    ) -> Mapping[str, str]:
        """See `MeshFormat.listings`: a material for each chunk."""
        return {_MATERIALS: "\n".join(map(_material, chunks))}


def _in_land(mesh: ChunkMesh) -> Numbers:
    """Return the positions of a mesh from the middle of the land: float64, as exact as float32 from its own."""
    return np.asarray(mesh.positions.astype(np.float64) + np.array(mesh.place, np.float64))


def _material(chunk: ChunkFiles) -> str:
    lines = [f"newmtl {chunk.name}", "Kd 0.5 0.5 0.5", "Ks 0 0 0"]
    base = "base_color" if "base_color" in chunk.textures else "color"
    for name, key in ((base, "map_Kd"), ("normal", "norm"), ("ambient_occlusion", "map_Ka")):
        if name in chunk.textures:
            lines.append(f"{key} {chunk.textures[name]}")
    return "\n".join(lines) + "\n"


def _lines(form: str, rows: Numbers) -> Iterator[bytes]:
    """Yield a line for each row of numbers."""
    for start in range(0, len(rows), _AT_ONCE):
        blocks.checkpoint()
        part = rows[start : start + _AT_ONCE]
        yield (form * len(part) % tuple(part.ravel().tolist())).encode()


def _numbers(lines: Iterable[bytes], kind: type[Any], width: int) -> Numbers:
    """Return the numbers of lines, as many in each; raise a ValueError if some have more or less."""
    rows = list(lines)
    numbers = np.array(b" ".join(rows).split(), dtype="S").astype(kind)
    return numbers.reshape(len(rows), width)
