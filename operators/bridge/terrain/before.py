# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of a mesh before erosion, stored on the mesh exactly.

They are float attributes of the vertices: one for the mesh itself, one for each eroded shape key.
When the reference key is eroded, the other keys move with it; their heights are stored as well,
because adding and subtracting in float32 is not exactly reversible.

While the ground before erosion is shown for comparison, the eroded heights are stored in the same way.
"""

from __future__ import annotations

import zlib

import bpy
import numpy as np

from ....noise_core.base.errors import ParameterError
from ..datablocks import compat, mesh_layers, meshes
from ..datablocks.mesh_layers import read_attribute
from ..datablocks.meshes import Positions
from .ground import LocalHeights

BEFORE = "terrane_height_before"
"""Name of the attribute; a shape key's name follows after a dot, shortened if necessary."""

_ALONG = "terrane_height_beside"
"""Attribute of the keys that moved with the reference key."""

AFTER, AFTER_ALONG = "terrane_height_after", "terrane_height_after_beside"
"""Attributes of the eroded heights while the ground before erosion is shown."""

SHOWN, SHOWN_ALONG = "terrane_height_shown", "terrane_height_shown_beside"
"""Attributes of the heights shown, to detect edits made while they are shown."""

_COMPARING = (AFTER, AFTER_ALONG, SHOWN, SHOWN_ALONG)

_LONGEST = 63
"""Most bytes of an attribute's name in Blender 4.2; a shape key's name alone may be as long."""


def kept_heights(thing: bpy.types.Object) -> LocalHeights | None:
    """Return the stored heights of the active shape key or the mesh; None if there are none."""
    return read_attribute(meshes.mesh_of(thing), _name(thing))


def is_kept(thing: bpy.types.Object) -> bool:
    """Return whether heights are stored for the active shape key or the mesh; fast, also in Edit Mode."""
    return thing.type == "MESH" and _name(thing) in meshes.mesh_of(thing).attributes


def present(thing: bpy.types.Object) -> LocalHeights:
    """Return the present heights."""
    return np.ascontiguousarray(meshes.present_positions(thing)[:, 2])


def erode(thing: bpy.types.Object, heights: LocalHeights, positions: Positions) -> None:
    """Move the vertices of an object's mesh or active shape key; store their heights unless stored.

    Parameters
    ----------
    thing : Object
        A mesh object, not in Edit Mode.
    heights : ndarray of shape (vertices,), float32
        The present heights.
    positions : ndarray of shape (vertices, 3), float32
        New positions of the vertices; only the heights differ.

    Raises
    ------
    ParameterError
        If another attribute has the name.
    """
    mesh = meshes.mesh_of(thing)
    if not is_kept(thing):
        _keep(mesh, _name(thing), heights)
        for key in _followers(thing):
            _keep(mesh, _key_name(_ALONG, key.name), meshes.key_positions(key)[:, 2])
    _move(thing, heights, positions)


def revert(thing: bpy.types.Object) -> None:
    """Restore the stored heights of the mesh or the active shape key, and remove the attributes.

    Raises
    ------
    ParameterError
        If none are stored.
    """
    mesh, before = meshes.mesh_of(thing), kept_heights(thing)
    if before is None:
        raise ParameterError("{} has no heights from before an erosion", thing.name)
    rise = present(thing) - before
    followers = {key.name: _before_along(mesh, key, rise) for key in _followers(thing)}
    _set_heights(thing, before)
    _set_followers(mesh, followers)
    compared = [name for name in names(mesh) if name.split(".")[0] in _COMPARING]
    for name in (_name(thing), *(_key_name(_ALONG, name) for name in followers), *compared):
        _remove(mesh, name)
    compat.update_positions(mesh)


def is_shown(thing: bpy.types.Object) -> bool:
    """Return whether the ground before erosion is shown while the eroded ground is stored."""
    return thing.type == "MESH" and _name(thing, AFTER) in meshes.mesh_of(thing).attributes


def show(thing: bpy.types.Object, ground: LocalHeights) -> None:
    """Show other heights temporarily: `show_after` restores the present ones exactly.

    The shape keys that move with them are restored as exactly.

    Raises
    ------
    ParameterError
        If another attribute has the name.
    """
    mesh, now = meshes.mesh_of(thing), present(thing)
    rise = now - ground
    _keep(mesh, _name(thing, AFTER), now)
    _keep(mesh, _name(thing, SHOWN), ground)
    followers = {}
    for key in _followers(thing):
        followers[key.name] = _before_along(mesh, key, rise)
        _keep(mesh, _key_name(AFTER_ALONG, key.name), meshes.key_positions(key)[:, 2])
        _keep(mesh, _key_name(SHOWN_ALONG, key.name), followers[key.name])
    _set_heights(thing, ground)
    _set_followers(mesh, followers)


def show_after(thing: bpy.types.Object) -> bool:
    """Show the eroded ground again; return whether the ground before was edited while shown.

    Such edits are added to both grounds.

    Raises
    ------
    ParameterError
        If the eroded ground is shown already.
    """
    mesh = meshes.mesh_of(thing)
    after, shown = (read_attribute(mesh, _name(thing, kind)) for kind in (AFTER, SHOWN))
    if after is None:
        raise ParameterError("{} shows the eroded ground already", thing.name)
    now = present(thing)
    heights, is_edited = _with_edits(after, shown, now)
    before = kept_heights(thing)
    if is_edited and before is not None:
        _keep(mesh, _name(thing), _with_edits(before, shown, now)[0])
    followers = {}
    for key in _followers(thing):
        own = [
            read_attribute(mesh, _key_name(kind, key.name)) for kind in (AFTER_ALONG, SHOWN_ALONG)
        ]
        if own[0] is not None:
            moved, has_edits = _with_edits(own[0], own[1], meshes.key_positions(key)[:, 2])
            followers[key.name], is_edited = moved, is_edited or has_edits
    _set_heights(thing, heights)
    _set_followers(mesh, followers)
    for name in (_name(thing, AFTER), _name(thing, SHOWN)):
        _remove(mesh, name)
    for name in followers:
        _remove(mesh, _key_name(AFTER_ALONG, name))
        _remove(mesh, _key_name(SHOWN_ALONG, name))
    compat.update_positions(mesh)
    return is_edited


def forget(mesh: bpy.types.Mesh) -> None:
    """Remove all stored heights: the present ones are not eroded."""
    for name in names(mesh):
        _remove(mesh, name)


def names(mesh: bpy.types.Mesh) -> list[str]:
    """Return the names of all attributes that store heights."""
    return [
        one.name
        for one in mesh.attributes
        if one.name.split(".")[0] in (BEFORE, _ALONG, *_COMPARING)
    ]


def _name(thing: bpy.types.Object, kind: str = BEFORE) -> str:
    key = thing.active_shape_key
    is_mesh = key is None or key == meshes.mesh_of(thing).shape_keys.reference_key
    return kind if is_mesh else _key_name(kind, key.name)


def _with_edits(
    heights: LocalHeights, shown: LocalHeights | None, now: LocalHeights
) -> tuple[LocalHeights, bool]:
    """Return heights with the edits made since others were shown, and whether there are any."""
    if shown is None or np.array_equal(shown, now):
        return heights, False
    return np.where(shown == now, heights, heights + (now - shown)), True


def _key_name(kind: str, key: str) -> str:
    """Return the name of the attribute for a shape key: with its name, or a checksum if that is too long."""
    name = f"{kind}.{key}"
    if len(name.encode("utf-8", "surrogateescape")) <= _LONGEST:
        return name
    return f"{kind}.#{zlib.crc32(key.encode('utf-8', 'surrogateescape')):08x}"


def _followers(thing: bpy.types.Object) -> list[bpy.types.ShapeKey]:
    """Return the shape keys that move with the active one."""
    key = thing.active_shape_key
    if key is None or _name(thing) != BEFORE:
        return []
    return [other for other in meshes.mesh_of(thing).shape_keys.key_blocks if other != key]


def _before_along(
    mesh: bpy.types.Mesh, key: bpy.types.ShapeKey, rise: LocalHeights
) -> LocalHeights:
    """Return the former heights of a key that moved with the reference key; later edits stay."""
    now = meshes.key_positions(key)[:, 2]
    stored = read_attribute(mesh, _key_name(_ALONG, key.name))
    if stored is None:
        return now - rise
    # Each float32 addition has an error of half a unit in the last place.
    slack = np.float32(1e-6) * (np.abs(stored) + np.abs(now) + np.abs(rise))
    is_untouched = np.abs(stored + rise - now) <= slack
    return np.where(is_untouched, stored, now - rise)


def _set_heights(thing: bpy.types.Object, heights: LocalHeights) -> None:
    """Set the heights of the active shape key or the mesh."""
    positions = meshes.present_positions(thing)
    present = positions[:, 2].copy()
    positions[:, 2] = heights
    _move(thing, present, positions)


def _move(thing: bpy.types.Object, heights: LocalHeights, positions: Positions) -> None:
    """Move the vertices of the active shape key or the mesh from these heights to new positions."""
    mesh = meshes.mesh_of(thing)
    followers = {key.name: meshes.key_positions(key) for key in _followers(thing)}
    rise = positions[:, 2] - heights if followers else 0.0
    if thing.active_shape_key is not None:
        meshes.set_key_positions(thing.active_shape_key, positions)
    if _name(thing) == BEFORE:
        meshes.set_positions(mesh, positions)
    for name, moved in followers.items():
        moved[:, 2] += rise
        meshes.set_key_positions(mesh.shape_keys.key_blocks[name], moved)
    compat.update_positions(mesh)


def _set_followers(mesh: bpy.types.Mesh, followers: dict[str, LocalHeights]) -> None:
    """Set the heights of shape keys, by name."""
    for name, heights in followers.items():
        key = mesh.shape_keys.key_blocks[name]
        positions = meshes.key_positions(key)
        positions[:, 2] = heights
        meshes.set_key_positions(key, positions)


def _keep(mesh: bpy.types.Mesh, name: str, heights: LocalHeights) -> None:
    if refused := mesh_layers.write_maps(mesh, {name: heights}):
        raise ParameterError(
            "{}: the attribute {!r} is in the way: rename it", mesh.name, refused[0]
        )


def _remove(mesh: bpy.types.Mesh, name: str) -> None:
    attribute = mesh.attributes.get(name)
    if attribute is not None:
        mesh.attributes.remove(attribute)
