# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of a mesh before erosion, stored on the mesh exactly.

They are float attributes of the vertices: one for the mesh itself, one for each eroded shape key.
When the reference key is eroded, the other keys move with it; their heights are stored as well,
because adding and subtracting in float32 is not exactly reversible.

While the ground before erosion is shown for comparison, the eroded heights are stored in the same way:
undo, saving and loading need no special treatment.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import bpy
import numpy as np

from ....noise_core.base.errors import ParameterError
from ..datablocks import compat, meshes
from ..datablocks.meshes import read_attribute
from .ground import LocalHeights

BEFORE = "terrane_height_before"
"""Name of the attribute; a shape key's name follows after a dot, shortened if necessary."""

_AFTER = "terrane_height_after"
"""Attribute of the eroded heights while the ground before erosion is shown."""

_SHOWN = "terrane_height_shown"
"""Attribute of the heights shown, to detect edits made while they are shown."""

_ALONG = {
    BEFORE: "terrane_height_beside",
    _AFTER: "terrane_height_after_beside",
    _SHOWN: "terrane_height_shown_beside",
}
"""Attributes of the keys that moved with the reference key."""

_LONGEST = 63
"""Most bytes of an attribute's name in Blender 4.2; a shape key's name alone may be as long."""

_OWN = ""
"""Key of the active shape key or the mesh among heights; those of keys that move along have their names."""

Heights = Mapping[str, LocalHeights]


def kept_heights(thing: bpy.types.Object) -> LocalHeights | None:
    """Return the stored heights of the active shape key or the mesh; None if there are none."""
    return read_attribute(meshes.mesh_of(thing), _name(thing, BEFORE))


def is_kept(thing: bpy.types.Object) -> bool:
    """Return whether heights are stored for the active shape key or the mesh; fast, also in Edit Mode."""
    return thing.type == "MESH" and _name(thing, BEFORE) in meshes.mesh_of(thing).attributes


def erode(thing: bpy.types.Object, heights: LocalHeights) -> None:
    """Set new heights of an object's mesh or active shape key; store the former ones unless stored."""
    if not is_kept(thing):
        _keep(thing, BEFORE, _present(thing))
    _set_heights(thing, {_OWN: heights})


def revert(thing: bpy.types.Object) -> None:
    """Restore the stored heights of the mesh or the active shape key, and remove the attributes."""
    mesh, before = meshes.mesh_of(thing), kept_heights(thing)
    if before is None:
        raise ParameterError("{} has no heights from before an erosion", thing.name)
    former = _former(thing, before)
    compared = [name for name in names(mesh) if _is_of(name, _AFTER, _SHOWN)]
    _remove(mesh, [*(_name(thing, BEFORE, part) for part in former), *compared])
    _set_heights(thing, former)


def is_shown(thing: bpy.types.Object) -> bool:
    """Return whether the ground before erosion is shown while the eroded ground is stored."""
    return thing.type == "MESH" and _name(thing, _AFTER) in meshes.mesh_of(thing).attributes


def show(thing: bpy.types.Object, ground: LocalHeights) -> None:
    """Show other heights temporarily: `show_after` restores the present ones exactly.

    The shape keys that move with them are restored as exactly.
    """
    former = _former(thing, ground)
    _keep(thing, _AFTER, _present(thing))
    _keep(thing, _SHOWN, former)
    _set_heights(thing, former)


def show_after(thing: bpy.types.Object) -> bool:
    """Show the eroded ground again; return whether the ground before was edited while shown.

    Such edits are added to both grounds.
    """
    if not is_shown(thing):
        raise ParameterError("{} shows the eroded ground already", thing.name)
    mesh, now, before = meshes.mesh_of(thing), _present(thing), kept_heights(thing)
    heights, is_edited = {}, False
    for part, values in now.items():
        after, shown = (read_attribute(mesh, _name(thing, kind, part)) for kind in (_AFTER, _SHOWN))
        if after is None:  # a shape key that was added meanwhile
            continue
        edits = None if shown is None or np.array_equal(shown, values) else (shown, values)
        heights[part], is_edited = _with_edits(after, edits), is_edited or edits is not None
        if part == _OWN and before is not None and edits is not None:
            _keep(thing, BEFORE, {_OWN: _with_edits(before, edits)})
    _remove(mesh, [_name(thing, kind, part) for part in heights for kind in (_AFTER, _SHOWN)])
    _set_heights(thing, heights)
    return is_edited


def forget(mesh: bpy.types.Mesh) -> None:
    """Remove all stored heights: the present ones are not eroded."""
    _remove(mesh, names(mesh))


def names(mesh: bpy.types.Mesh) -> list[str]:
    """Return the names of all attributes that store heights."""
    return [one.name for one in mesh.attributes if _is_of(one.name, *_ALONG)]


def _is_of(name: str, *kinds: str) -> bool:
    return name.split(".")[0] in (*kinds, *(_ALONG[kind] for kind in kinds))


def _name(thing: bpy.types.Object, kind: str, part: str = _OWN) -> str:
    """Return the name of an attribute: with that of a shape key, or a checksum if that is too long."""
    key = thing.active_shape_key
    if part == _OWN and (key is None or key == meshes.mesh_of(thing).shape_keys.reference_key):
        return kind
    own, kind = (key.name, kind) if part == _OWN else (part, _ALONG[kind])
    encoded = own.encode("utf-8", "surrogateescape")
    if len(kind) + 1 + len(encoded) <= _LONGEST:
        return f"{kind}.{own}"
    return f"{kind}.#{zlib.crc32(encoded):08x}"


def _present(thing: bpy.types.Object) -> dict[str, LocalHeights]:
    """Return the present heights, and those of the shape keys that move along."""
    own = {_OWN: np.ascontiguousarray(meshes.present_positions(thing)[:, 2])}
    active = thing.active_shape_key
    if active is None or _name(thing, BEFORE) != BEFORE:
        return own
    others = [key for key in meshes.mesh_of(thing).shape_keys.key_blocks if key != active]
    return own | {key.name: meshes.key_positions(key)[:, 2] for key in others}


def _former(thing: bpy.types.Object, ground: LocalHeights) -> Heights:
    """Return other heights, with those of the keys that moved along; later edits of keys stay."""
    now, former = _present(thing), {_OWN: ground}
    rise = now.pop(_OWN) - ground
    for part, values in now.items():
        stored = read_attribute(meshes.mesh_of(thing), _name(thing, BEFORE, part))
        former[part] = values - rise
        if stored is not None:
            # Each float32 addition has an error of half a unit in the last place.
            slack = np.float32(1e-6) * (np.abs(stored) + np.abs(values) + np.abs(rise))
            is_untouched = np.abs(stored + rise - values) <= slack
            former[part] = np.where(is_untouched, stored, former[part])
    return former


def _with_edits(
    heights: LocalHeights, edits: tuple[LocalHeights, LocalHeights] | None
) -> LocalHeights:
    """Return heights with the edits made since others were shown: those, and what they are now."""
    if edits is None:
        return heights
    shown, now = edits
    return np.where(shown == now, heights, heights + (now - shown))


def _set_heights(thing: bpy.types.Object, heights: Heights) -> None:
    """Set the heights of the mesh or its active shape key; keys without given heights move along."""
    mesh, now = meshes.mesh_of(thing), _present(thing)
    for part, values in now.items():
        key = mesh.shape_keys.key_blocks[part] if part else thing.active_shape_key
        positions = meshes.positions_of(mesh) if key is None else meshes.key_positions(key)
        is_given = part in heights
        positions[:, 2] = heights[part] if is_given else values + (heights[_OWN] - now[_OWN])
        if key is not None:
            meshes.set_key_positions(key, positions)
        if part == _OWN and _name(thing, BEFORE) == BEFORE:
            meshes.set_positions(mesh, positions)
    compat.update_positions(mesh)


def _keep(thing: bpy.types.Object, kind: str, heights: Heights) -> None:
    mesh = meshes.mesh_of(thing)
    maps = {_name(thing, kind, part): values for part, values in heights.items()}
    if refused := meshes.write_maps(mesh, maps):
        raise ParameterError(
            "{}: the attribute {!r} is in the way: rename it", mesh.name, refused[0]
        )


def _remove(mesh: bpy.types.Mesh, names: list[str]) -> None:
    for name in names:
        attribute = mesh.attributes.get(name)
        if attribute is not None:
            mesh.attributes.remove(attribute)
