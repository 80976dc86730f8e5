# SPDX-License-Identifier: GPL-3.0-or-later
"""Shape keys of user meshes that are terrains: they move with the basis, whose heights the terrain has, and come back.

Keys store absolute positions, which keep their distances from the basis. Adding a rise in float32 and taking it away
may lose the last digit, so the former heights of all keys are kept as attributes of the vertices.
"""

from __future__ import annotations

import zlib

import bpy
import numpy as np

from .....noise_core.base.arrays import Field
from ...datablocks import meshes
from .heights import HEIGHTS

_LONGEST = 63
"""Most bytes of an attribute's name in Blender 4.2; the name of a shape key may be as long."""


def former_heights(mesh: bpy.types.Mesh) -> dict[str, Field]:
    """Return the present heights of all keys but the basis, by the names of the attributes that keep them."""
    keys = mesh.shape_keys
    return {
        _attribute(key): np.ascontiguousarray(meshes.key_positions(key)[:, 2])
        for key in (() if keys is None else keys.key_blocks)
        if key != keys.reference_key
    }


def is_former(name: str) -> bool:
    """Return whether an attribute keeps former heights of a key."""
    return name.startswith(f"{HEIGHTS}.")


def follow(
    mesh: bpy.types.Mesh, key: bpy.types.ShapeKey, present: Field, basis: Field, heights: Field
) -> Field:
    """Return the heights of a key when the basis moves.

    A vertex of a user's mesh that only followed the basis until now gets its former height plus the rise of the
    basis since: its former height to the bit where the basis has its own. Others rise with the basis.

    Parameters
    ----------
    mesh : Mesh
    key : ShapeKey
    present, basis, heights : ndarray of shape (vertices,), float32
        Heights of the key, of the basis, and of the basis when it has moved, in the mesh's own units.

    Returns
    -------
    ndarray of shape (vertices,), float32
    """
    moved = present + (heights - basis)
    former = meshes.read_attribute(mesh, _attribute(key))
    former_basis = meshes.read_attribute(mesh, HEIGHTS)
    if former is None or former_basis is None:
        return moved
    followed = present == _lift(former, basis - former_basis)
    return np.where(followed, _lift(former, heights - former_basis), moved)


def _lift(heights: Field, rise: Field) -> Field:
    """Return heights plus a rise; zeros are left out for the sake of negative ones."""
    return np.where(rise == 0.0, heights, heights + rise)


def _attribute(key: bpy.types.ShapeKey) -> str:
    """Return the name of the attribute for a key: with the key's, or a checksum of it if that is too long."""
    encoded = key.name.encode("utf-8", "surrogateescape")
    is_short = len(HEIGHTS) + 1 + len(encoded) <= _LONGEST
    return f"{HEIGHTS}.{key.name}" if is_short else f"{HEIGHTS}.#{zlib.crc32(encoded):08x}"
