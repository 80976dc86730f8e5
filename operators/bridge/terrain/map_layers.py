# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps as attributes of a mesh, and the record of them.

A custom property of the mesh records which maps Terrane made and which are requested. Maps of an
earlier run are refreshed or removed; attributes that Terrane did not make are not changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace

import bpy

from ....noise_core.base.arrays import Field
from ..datablocks import mesh_layers

RECORD = "terrane_maps"
"""Name of the custom property."""

_COVERED = "terrane_map_before."
"""Prefix of the names of maps that an erosion of the finished mesh has replaced."""


@dataclass(frozen=True)
class Record:
    """Record of the maps of a mesh.

    Attributes
    ----------
    written : tuple of str
        Attributes that Terrane made.
    wanted : tuple of str or None
        The requested maps; None if they were never chosen.
    eroded : tuple of str
        Those of `written` that an erosion of the finished mesh made.
    added : tuple of str
        Maps to rebuild in addition to the default ones, while `wanted` is None.
    """

    written: tuple[str, ...] = ()
    wanted: tuple[str, ...] | None = None
    eroded: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    @classmethod
    def of(cls, mesh: bpy.types.Mesh) -> Record:
        """Return the record of a mesh; an empty one if it is missing or not readable."""
        try:
            plain = json.loads(mesh.get(RECORD, "{}"))
            wanted = plain.get("wanted")
            return cls(
                tuple(map(str, plain.get("written", ()))),
                None if wanted is None else tuple(map(str, wanted)),
                tuple(map(str, plain.get("eroded", ()))),
                tuple(map(str, plain.get("added", ()))),
            )
        except (ValueError, TypeError, AttributeError):
            return cls()

    def store(self, mesh: bpy.types.Mesh) -> None:
        """Store the record on a mesh."""
        if self == Record():
            mesh.pop(RECORD, None)
            return
        mesh[RECORD] = json.dumps(asdict(self))


def write(
    mesh: bpy.types.Mesh, maps: Mapping[str, Field], wanted: Iterable[str] | None = None
) -> tuple[str, ...]:
    """Store the maps of a rebuilt mesh; remove all other maps that Terrane made.

    Parameters
    ----------
    mesh : Mesh
        Not in Edit Mode.
    maps : mapping of str to ndarray
        Values of the vertices, in their order, by name.
    wanted : iterable of str, optional
        The requested maps, to be recorded.

    Returns
    -------
    tuple of str
        Names not written because another kind of attribute or a vertex group has them.
    """
    remove(mesh, {*Record.of(mesh).written, *covered_names(mesh)} - set(maps))
    refused = mesh_layers.write_maps(mesh, maps)
    note(mesh, (name for name in maps if name not in refused), wanted)
    return refused


def note(mesh: bpy.types.Mesh, names: Iterable[str], wanted: Iterable[str] | None = None) -> None:
    """Record the maps of a rebuilt mesh and the requested ones."""
    old = Record.of(mesh)
    asked = old.wanted if wanted is None else tuple(sorted(wanted))
    Record(tuple(names), asked, added=old.added).store(mesh)


def reserve(mesh: bpy.types.Mesh, maps: Mapping[str, Field]) -> tuple[str, ...]:
    """Make attributes for maps that are stored later; return the names of the new ones."""
    new = {name: field for name, field in maps.items() if name not in mesh.attributes}
    refused = mesh_layers.write_maps(mesh, new)
    return tuple(name for name in new if name not in refused)


def add(mesh: bpy.types.Mesh, maps: Mapping[str, Field]) -> tuple[str, ...]:
    """Store more maps of a mesh; return as `write` does."""
    old = Record.of(mesh)
    refused = mesh_layers.write_maps(mesh, maps)
    written = [name for name in maps if name not in refused]
    others = [name for name in old.written if name not in maps]
    replace(old, written=(*others, *written)).store(mesh)
    return refused


def write_erosion(
    mesh: bpy.types.Mesh, maps: Mapping[str, Field], *, goes_on: bool
) -> tuple[str, ...]:
    """Store the maps of an erosion of the finished mesh; return as `write` does.

    If it continues an earlier erosion, the other maps of that one stay. Maps of the terrain with the
    same names are stored under other names until the erosion is reverted.
    """
    if not goes_on:
        revert(mesh)
    old = Record.of(mesh)
    for name in maps:
        if name in old.written and name not in old.eroded and name in mesh.attributes:
            mesh_layers.write_maps(
                mesh, {_COVERED + name: mesh_layers.read_values(mesh.attributes[name])}
            )
    refused = add(mesh, maps)
    now = Record.of(mesh)
    eroded = {*now.eroded, *(name for name in maps if name not in refused)}
    replace(now, eroded=tuple(sorted(eroded))).store(mesh)
    return refused


def revert(mesh: bpy.types.Mesh) -> None:
    """Remove the maps that an erosion of the finished mesh made; restore those they replaced."""
    old = Record.of(mesh)
    back = {
        name.removeprefix(_COVERED): mesh_layers.read_values(mesh.attributes[name])
        for name in covered_names(mesh)
    }
    remove(mesh, {*old.eroded, *covered_names(mesh)} - set(back))
    # Overwritten, because Blender refuses new attributes with the names of vertex groups.
    refused = mesh_layers.write_maps(mesh, back)
    rest = [name for name in old.written if name not in {*old.eroded, *back}]
    back = {name: values for name, values in back.items() if name not in refused}
    replace(old, written=(*rest, *back), eroded=()).store(mesh)


def covered_names(mesh: bpy.types.Mesh) -> list[str]:
    """Return the names of the attributes that store the maps replaced by an erosion."""
    return [one.name for one in mesh.attributes if one.name.startswith(_COVERED)]


def want(mesh: bpy.types.Mesh, names: Iterable[str]) -> None:
    """Record the requested maps."""
    replace(Record.of(mesh), wanted=tuple(sorted(names)), added=()).store(mesh)


def want_more(mesh: bpy.types.Mesh, names: Iterable[str]) -> None:
    """Record more requested maps in addition to the existing ones."""
    old = Record.of(mesh)
    if old.wanted is None:
        replace(old, added=tuple(sorted({*old.added, *names}))).store(mesh)
    else:
        want(mesh, {*old.wanted, *names})


def remove(mesh: bpy.types.Mesh, names: Iterable[str]) -> None:
    """Remove the named attributes whose type is that of a map."""
    for name in names:
        attribute = mesh.attributes.get(name)
        if attribute is None or attribute.domain != "POINT":
            continue
        if attribute.data_type in ("FLOAT", "FLOAT_VECTOR"):
            mesh.attributes.remove(attribute)
