# SPDX-License-Identifier: GPL-3.0-or-later
"""The heights that a mesh had before it was eroded, kept on the mesh, to the bit.

They are float attributes of the vertices: one for the mesh itself, one for each shape key that was
eroded. When the reference key is eroded the others move along; what they were is kept as well,
for adding and subtracting in float32 does not lead back to the same bits.

While the ground before is shown for comparing, the eroded heights are kept in the same way.
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
"""The attribute's name; a shape key's own follows after a dot, shortened if need be."""

_ALONG = "terrane_height_beside"
"""Of the keys that moved along."""

AFTER, AFTER_ALONG = "terrane_height_after", "terrane_height_after_beside"
"""While the ground before an erosion is shown: the heights that it is to come back to."""

SHOWN, SHOWN_ALONG = "terrane_height_shown", "terrane_height_shown_beside"
"""And those that are shown, to tell what is edited meanwhile."""

_COMPARING = (AFTER, AFTER_ALONG, SHOWN, SHOWN_ALONG)

_LONGEST = 63
"""Bytes of an attribute's name, as few as Blender 4.2 takes; a shape key's name alone may have as many."""


def kept_heights(thing: bpy.types.Object) -> LocalHeights | None:
    """Return the heights that are kept for what is active, the mesh or a shape key; None if none."""
    return read_attribute(meshes.mesh_of(thing), _name(thing))


def is_kept(thing: bpy.types.Object) -> bool:
    """Return whether heights are kept for what is active; quick, in Edit Mode too."""
    return thing.type == "MESH" and _name(thing) in meshes.mesh_of(thing).attributes


def present(thing: bpy.types.Object) -> LocalHeights:
    """Return the heights as they are now."""
    return np.ascontiguousarray(meshes.present_positions(thing)[:, 2])


def erode(thing: bpy.types.Object, heights: LocalHeights, positions: Positions) -> None:
    """Move the vertices of an object's mesh or active shape key; keep their heights if none are kept.

    Parameters
    ----------
    thing : Object
        A mesh object, not in Edit Mode.
    heights : ndarray of shape (vertices,), float32
        Those that there are now.
    positions : ndarray of shape (vertices, 3), float32
        Where the vertices are to be; only their heights are others.

    Raises
    ------
    ParameterError
        If an attribute that is not ours is in the way.
    """
    mesh = meshes.mesh_of(thing)
    if not is_kept(thing):
        _keep(mesh, _name(thing), heights)
        for key in _followers(thing):
            _keep(mesh, _key_name(_ALONG, key.name), meshes.key_positions(key)[:, 2])
    _move(thing, heights, positions)


def revert(thing: bpy.types.Object) -> None:
    """Bring the kept heights back, for the mesh or the active shape key, and keep them no longer.

    Raises
    ------
    ParameterError
        If none are kept.
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
    """Return whether the ground before an erosion is shown, and the eroded one is kept."""
    return thing.type == "MESH" and _name(thing, AFTER) in meshes.mesh_of(thing).attributes


def show(thing: bpy.types.Object, ground: LocalHeights) -> None:
    """Show other heights for a while: `show_after` brings back what is there now, to the bit.

    The shape keys that move along come back as exactly.

    Raises
    ------
    ParameterError
        If an attribute that is not ours is in the way.
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
    """Show the eroded ground again; return whether the other was edited meanwhile.

    Such edits are kept: they are added to both.

    Raises
    ------
    ParameterError
        If it is shown already.
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
    """Keep nothing any longer: what is there now was not eroded."""
    for name in names(mesh):
        _remove(mesh, name)


def names(mesh: bpy.types.Mesh) -> list[str]:
    """Return the names of all attributes that keep heights."""
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
    """Return heights with what was edited since others were shown, and whether anything was."""
    if shown is None or np.array_equal(shown, now):
        return heights, False
    return np.where(shown == now, heights, heights + (now - shown)), True


def _key_name(kind: str, key: str) -> str:
    """Return the name of the attribute for a shape key: its own, or a number where that is too long."""
    name = f"{kind}.{key}"
    if len(name.encode("utf-8", "surrogateescape")) <= _LONGEST:
        return name
    return f"{kind}.#{zlib.crc32(key.encode('utf-8', 'surrogateescape')):08x}"


def _followers(thing: bpy.types.Object) -> list[bpy.types.ShapeKey]:
    """Return the shape keys that move along with what is active."""
    key = thing.active_shape_key
    if key is None or _name(thing) != BEFORE:
        return []
    return [other for other in meshes.mesh_of(thing).shape_keys.key_blocks if other != key]


def _before_along(
    mesh: bpy.types.Mesh, key: bpy.types.ShapeKey, rise: LocalHeights
) -> LocalHeights:
    """Return what a key was that has moved along; where it was edited since, the edit stays."""
    now = meshes.key_positions(key)[:, 2]
    stored = read_attribute(mesh, _key_name(_ALONG, key.name))
    if stored is None:
        return now - rise
    # Each addition in float32 is wrong by half a unit in the last place, a few of them at most.
    slack = np.float32(1e-6) * (np.abs(stored) + np.abs(now) + np.abs(rise))
    is_untouched = np.abs(stored + rise - now) <= slack
    return np.where(is_untouched, stored, now - rise)


def _set_heights(thing: bpy.types.Object, heights: LocalHeights) -> None:
    """Give what is active other heights."""
    positions = meshes.present_positions(thing)
    present = positions[:, 2].copy()
    positions[:, 2] = heights
    _move(thing, present, positions)


def _move(thing: bpy.types.Object, heights: LocalHeights, positions: Positions) -> None:
    """Move the vertices of what is active from these heights to where they are to be."""
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
    """Give shape keys new heights, by their names."""
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
