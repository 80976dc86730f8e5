# SPDX-License-Identifier: GPL-3.0-or-later
"""USD as text: a file for each chunk and level, and one that chooses among them by a variant.

References
----------
Pixar. Universal Scene Description: the .usda file format; schemas UsdGeomMesh, UsdPhysics; UsdPreviewSurface 2.6.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from ...base import blocks
from ...base.arrays import Field
from ..looks import materialx
from ..looks.ground_look import GroundImages, ground_look, ground_preview
from ..looks.shader_graph import identifier
from ..looks.usd_materials import HEAD, Preview, material_text
from ..looks.water_look import INDEX, LandWater
from ..targets.bases.chunk_mesh import ChunkFiles, ChunkMesh, Indices, MeshFormat

Numbers = npt.NDArray[Any]

LISTING = ".usda"
"""Suffix of the file that lists all chunks: text, whatever the chunks are."""

_AT_ONCE = 1 << 14
"""Elements of a list that are made at a time, on a line."""

_LIST = re.compile(rb"^    (?:uniform )?\w+\[\] ([\w:]+) = \[$")

_MESH = """\
def Mesh "Chunk"{schemas}
{{
    uniform token orientation = "rightHanded"
    uniform token subdivisionScheme = "none"
    float3[] extent = [({low}), ({high})]
    double3 xformOp:translate = ({place})
    uniform token[] xformOpOrder = ["xformOp:translate"]
"""

_COLLISION = """\
 (
    prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]
)"""

_SOLID = """\
    uniform token purpose = "guide"
    uniform token physics:approximation = "none"
    bool physics:collisionEnabled = 1
"""

_VERTEX = """\
 (
        interpolation = "vertex"
    )
"""


class UsdFile(MeshFormat):
    """Text of USD."""

    suffix = ".usda"

    def __init__(self, *, has_look: bool = False) -> None:
        self._has_look = has_look

    def write(self, mesh: ChunkMesh) -> Iterator[bytes]:
        """See `MeshFormat.write`."""
        yield mesh_head(mesh).encode()
        for one in mesh_lists(mesh):
            yield from text_list(
                one.declared, one.form, one.rows, _VERTEX if one.of_vertices else "\n"
            )
        yield b"}\n"

    def read(self, file: BinaryIO, place: Sequence[float]) -> tuple[Field, Indices]:
        """See `MeshFormat.read`."""
        if file.readline() != b"#usda 1.0\n":
            raise ValueError("it does not begin as a text of USD does")
        found: dict[bytes, Numbers] = {}
        where, last = b"", b""
        for line in file:
            last = line
            if match := _LIST.match(line):
                found[match[1]] = read_list(file)
            elif line.startswith(b"    double3 xformOp:translate"):
                where = line.partition(b"=")[2].translate(None, b"(), \n")
        if last != b"}\n":
            raise ValueError("it does not end as it should")
        if where != "".join(f"{number:.17g}" for number in place).encode():
            raise ValueError("its mesh is at another place")
        counts = found[b"faceVertexCounts"]
        if (counts != 3.0).any():
            raise ValueError("it has other faces than triangles")
        triangles = found[b"faceVertexIndices"].reshape(-1, 3).astype(np.int32)
        if len(counts) != len(triangles):
            raise ValueError("its lists of faces do not agree")
        return found[b"points"].reshape(-1, 3).astype(np.float32), triangles

    def listing_suffixes(self) -> Sequence[str]:
        """See `MeshFormat.listing_suffixes`."""
        return (LISTING, *[materialx.SUFFIX] * self._has_look)

    def listings(
        self, chunks: Sequence[ChunkFiles], name: str, water: LandWater | None = None
    ) -> Mapping[str, str]:
        """See `MeshFormat.listings`: all chunks, with a variant `lod` each, and their materials as MaterialX."""
        prims = "\n".join(map(_chunk, chunks))
        if water is not None:
            prims += textwrap.indent(material_text("/Land/Water", _WATER, water.look), "    ")
        if water is not None and water.sea is not None:
            prims += _sea(chunks, water.sea)
        found = {LISTING: f'{HEAD.format(name="Land")}def Xform "Land"\n{{\n{prims}}}\n'}
        if self._has_look:
            looks = [ground_look(chunk.ground) for chunk in chunks if chunk.ground]
            looks += [] if water is None else [water.look]
            found[materialx.SUFFIX] = materialx.materialx_text(looks)
        return found


@dataclass(frozen=True, eq=False)
class MeshList:
    """A list of numbers of a mesh.

    Attributes
    ----------
    declared : str
        Type and name, such as ``point3f[] points``.
    form : str
        Text of a row.
    rows : ndarray of shape (count, numbers of an element)
    of_vertices : bool
        Whether it says that it has an element for each vertex.
    """

    declared: str
    form: str
    rows: Numbers
    of_vertices: bool = False


def mesh_head(mesh: ChunkMesh) -> str:
    """Return the text of a mesh before its lists; a brace ends it."""
    is_solid = mesh.normals is None
    low, high, place = (
        ", ".join(f"{number:.17g}" for number in numbers)
        for numbers in (mesh.positions.min(axis=0), mesh.positions.max(axis=0), mesh.place)
    )
    schemas = _COLLISION if is_solid else ""
    text = HEAD.format(name="Chunk")
    text += _MESH.format(schemas=schemas, low=low, high=high, place=place)
    return text + (_SOLID if is_solid else "")


def mesh_lists(mesh: ChunkMesh) -> Iterator[MeshList]:
    """Yield the lists of a mesh."""
    counts = np.full((len(mesh.triangles), 1), 3, np.int32)
    yield MeshList("int[] faceVertexCounts", "%d", counts)
    yield MeshList("int[] faceVertexIndices", "%d", mesh.triangles.reshape(-1, 1))
    yield MeshList("point3f[] points", "(%.9g, %.9g, %.9g)", mesh.positions)
    if mesh.normals is not None:
        yield MeshList("normal3f[] normals", "(%.6g, %.6g, %.6g)", mesh.normals, True)
    for name, coordinates in zip(("st", "st1"), mesh.coordinates):
        yield MeshList(f"texCoord2f[] primvars:{name}", "(%.9g, %.9g)", coordinates, True)
    for name, weights in zip(("weights", "weights_2"), mesh.weights):
        shares = weights.astype(np.float64) / 255.0
        form = "(%.6g, %.6g, %.6g, %.6g)"
        yield MeshList(f"float4[] primvars:{name}", form, shares, True)


def text_list(head: str, form: str, rows: Numbers, end: str = "\n") -> Iterator[bytes]:
    """Yield the text of a list with an element for each row, of a prim at the root."""
    yield f"    {head} = [\n".encode()
    line = f"{form}, "
    for start in range(0, len(rows), _AT_ONCE):
        blocks.checkpoint()
        part = rows[start : start + _AT_ONCE]
        yield (line * len(part) % tuple(part.ravel().tolist())).encode() + b"\n"
    yield f"    ]{end}".encode()


def read_list(file: BinaryIO) -> Numbers:
    """Return the numbers of a list whose first line was read, up to its end; raise a ValueError without one."""
    parts: list[Numbers] = []
    for line in file:
        if line.startswith(b"    ]"):
            return np.concatenate(parts) if parts else np.zeros(0, np.float64)
        blocks.checkpoint()
        parts.append(np.array(line.translate(None, b"(),").split(), "S").astype(np.float64))
    raise ValueError("a list does not end")


def _chunk(chunk: ChunkFiles) -> str:
    """Return the text of a chunk in the file that lists all of them."""
    name = identifier(chunk.name)
    low, high = (", ".join(f"{number:.9g}" for number in corner) for corner in chunk.bounds)
    variants = "".join(
        f'            "lod{level}" {{\n'
        f'                def "Ground" (\n                    payload = @./{file}@\n'
        f"                )\n                {{\n                }}\n            }}\n"
        for level, file in enumerate(chunk.levels)
    )
    solid = ""
    if chunk.collision:
        solid = f'        def "Collision" (\n            payload = @./{chunk.collision}@\n        )\n        {{\n        }}\n'
    bound = f"        rel material:binding = </Land/{name}/Material>\n"
    return (
        f'    def Xform "{name}" (\n        prepend apiSchemas = ["MaterialBindingAPI"]\n'
        '        variants = {\n            string lod = "lod0"\n        }\n'
        '        prepend variantSets = "lod"\n    )\n    {\n'
        f"        float3[] extentsHint = [({low}), ({high})]\n"
        f'{bound}{_material(chunk, name)}{solid}        variantSet "lod" = {{\n{variants}        }}\n    }}\n'
    )


def _material(chunk: ChunkFiles, name: str) -> str:
    """Return the material of a chunk: UsdPreviewSurface with the images that it has, and OpenPBR if it has one."""
    shown = chunk.ground or GroundImages(
        chunk.name, chunk.textures, chunk.samples, (0.0, 0.0), (1.0, 1.0)
    )
    look = None if chunk.ground is None else ground_look(chunk.ground)
    return textwrap.indent(
        material_text(f"/Land/{name}/Material", ground_preview(shown), look), "        "
    )


def _sea(chunks: Sequence[ChunkFiles], level: float) -> str:
    """Return the text of the surface of the sea: a square over all chunks."""
    lows, highs = (np.array([chunk.bounds[end] for chunk in chunks]) for end in (0, 1))
    (west, south, _), (east, north, _) = lows.min(axis=0).tolist(), highs.max(axis=0).tolist()
    corners = ((west, south), (east, south), (east, north), (west, north))
    points = ", ".join(f"({x:.9g}, {y:.9g}, {level:.9g})" for x, y in corners)
    return _SEA.format(points=points, low=points.split("), ")[0], high=points.split("), ")[2])


_SEA = """\
    def Mesh "Sea" (
        prepend apiSchemas = ["MaterialBindingAPI"]
    )
    {{
        uniform token subdivisionScheme = "none"
        float3[] extent = [{low}), {high})]
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [{points}]
        normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)] (
            interpolation = "vertex"
        )
        rel material:binding = </Land/Water>
    }}
"""

_WATER = Preview(
    (),
    {
        "color3f diffuseColor": "(0, 0, 0)",
        "float ior": f"{INDEX}",
        "float opacity": "0.3",
        "float roughness": "0.06",
    },
)
"""Water where programs know no other than UsdPreviewSurface: dark and clear."""
