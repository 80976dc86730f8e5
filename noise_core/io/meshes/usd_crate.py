# SPDX-License-Identifier: GPL-3.0-or-later
"""USD's binary files, by OpenUSD's Python module pxr where it is there: that of usd-core or of Blender.

References
----------
Pixar. Universal Scene Description: Crate, the .usdc file format; SdfLayer.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

import numpy as np

from ...base import atomic_files
from ...base.arrays import Field
from ...base.errors import ParameterError, TerraneError
from ..targets.bases.chunk_mesh import ChunkMesh, Indices
from .usd_chunks import UsdFile, mesh_head, mesh_lists

_AT_ONCE = 1 << 20
"""Bytes of a file that are copied at a time."""

_TYPES = {"int[]": np.int32}
"""Types of the numbers of lists; of all others float32."""


@cache
def has_crates() -> bool:
    """Return whether OpenUSD is there, so that binary files can be written."""
    try:
        _sdf()
    except ImportError:
        return False
    return True


def _sdf() -> ModuleType:
    """Return OpenUSD's module of layers."""
    return importlib.import_module("pxr.Sdf")


class UsdCrate(UsdFile):
    """Binary files of USD.

    Raises
    ------
    ParameterError
        If OpenUSD is not there.
    """

    suffix = ".usdc"

    def __init__(self, *, has_look: bool = False) -> None:
        super().__init__(has_look=has_look)
        if not has_crates():
            raise ParameterError(
                "usdc needs OpenUSD's Python module pxr, as in usd-core: install it, or take usda"
            )

    def write(self, mesh: ChunkMesh) -> Iterator[bytes]:
        """See `MeshFormat.write`."""
        sdf = _sdf()
        layer = sdf.Layer.CreateAnonymous(".usda")
        layer.ImportFromString(mesh_head(mesh) + "}\n")
        prim = layer.GetPrimAtPath("/Chunk")
        for one in mesh_lists(mesh):
            kind, name = one.declared.split()
            declared = sdf.ValueTypeNames.Find(kind)
            attribute = sdf.AttributeSpec(prim, name, declared)
            rows = np.ascontiguousarray(one.rows.squeeze(), _TYPES.get(kind, np.float32))
            attribute.default = declared.type.pythonClass.FromNumpy(rows)
            if one.of_vertices:
                attribute.SetInfo("interpolation", "vertex")
        with tempfile.TemporaryDirectory(prefix="terrane-usd-") as folder:
            path = Path(folder) / f"mesh{self.suffix}"
            try:
                layer.Export(str(path))
            except RuntimeError as error:
                raise TerraneError("OpenUSD cannot write {}: {}", path.name, error) from error
            yield path.read_bytes()

    def read(self, file: BinaryIO, place: Sequence[float]) -> tuple[Field, Indices]:
        """See `MeshFormat.read`: OpenUSD reads it, in a file with the suffix by which it knows the format."""
        # What it has opened it maps into memory, and Windows keeps a mapped file.
        with tempfile.TemporaryDirectory(
            prefix="terrane-usd-", ignore_cleanup_errors=True
        ) as folder:
            path = Path(folder) / f"mesh{self.suffix}"
            atomic_files.write_part(path, iter(partial(file.read, _AT_ONCE), b""))
            try:
                layer = _sdf().Layer.OpenAsAnonymous(str(path))
            except RuntimeError as error:
                raise ValueError("OpenUSD cannot read it") from error
            counts = _value(layer, "faceVertexCounts")
            indices = _value(layer, "faceVertexIndices")
            points = _value(layer, "points")
            where = _value(layer, "xformOp:translate")
            del layer
        if where.tolist() != list(place):
            raise ValueError("its mesh is at another place")
        if (counts != 3).any() or 3 * len(counts) != len(indices):
            raise ValueError("it has other faces than triangles")
        return points.reshape(-1, 3).astype(np.float32), indices.reshape(-1, 3).astype(np.int32)


def _value(layer: Any, name: str) -> Any:
    """Return a copy of the numbers of an attribute of a mesh; raise a ValueError if it has none."""
    attribute = layer.GetAttributeAtPath(f"/Chunk.{name}")
    if attribute is None or attribute.default is None:
        raise ValueError(f"its mesh has no {name}")
    return np.array(attribute.default)
