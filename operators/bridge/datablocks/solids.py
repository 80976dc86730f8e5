# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of objects from above: evaluated meshes, those of children, and instances, in the space of another object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.base.errors import TerraneError
from ....noise_core.curves import outlines as curve_outlines
from . import scene_sources
from .ref import uid_of

if TYPE_CHECKING:
    from ....noise_core.curves.outlines import Outline

Table = npt.NDArray[np.float64]

Source = bpy.types.Object | bpy.types.Collection
"""Object with its children, or a collection."""

Refuse = Callable[[bpy.types.Object], str]
"""Returns why an object may be no part of a solid, "" if it may."""

_UPRIGHT = 1e-9
"""Share of lengths that an axis may lean without being tilted."""

_DIGITS = 5
"""Of meters: rounding of products of matrices is no movement."""

_KEPT = 256
"""Outlines of meshes that are kept."""

_outlines: dict[tuple[object, ...], list[Outline]] = {}
"""By the bytes of a mesh, and of the matrix if the mesh is tilted."""

_sources: dict[int, set[int]] = {}
"""UIDs of the sources whose outlines were read from an object or a collection, by the UID of the latter."""

_instancers: set[int] = set()
"""UIDs of the sources with instances, which may be of any collection."""

_seen: set[int] = set()
"""UIDs of the objects that could be seen when outlines were read from them."""


def outlines(
    source: Source, space: bpy.types.Object, refuse: Refuse, depsgraph: Any = None
) -> list[Outline]:
    """Return the outlines of an object or collection from above, in another object's space.

    Without a dependency graph they are those of the view layer.
    Raises a TerraneError if a part of it is refused, or nothing of it can be seen.
    """
    to_space = np.array(space.matrix_world.inverted_safe(), np.float64)
    found: list[Outline] = []
    for obj, placed in _visible_parts(source, refuse, depsgraph):
        matrix = np.einsum("ij,jk->ik", to_space, np.array(placed, np.float64))
        found.extend(_object_outlines(obj, matrix))
    if not found:
        raise TerraneError("{} must be visible and have faces that are not upright", source.name)
    return [
        curve_outlines.Outline(np.round(each.ring, _DIGITS), round(each.base, _DIGITS))
        for each in curve_outlines.join(found)
    ]


def sources_of(changed: bpy.types.ID) -> set[int]:
    """Return the UIDs of the sources whose outlines may change with an object or a collection."""
    if isinstance(changed, bpy.types.Collection):
        return _instancers | _sources.get(uid_of(changed), set())
    obj: Any = changed
    while obj is not None and uid_of(obj) not in _sources:
        obj = obj.parent
    return set() if obj is None else _sources[uid_of(obj)]


def sources_hidden_or_shown() -> set[int]:
    """Return the UIDs of the sources of which an object was hidden or shown since this was asked last."""
    visible = {
        uid_of(obj)
        for obj in bpy.context.view_layer.objects
        if uid_of(obj) in _sources and obj.visible_get()
    }
    changed = visible ^ _seen
    _seen.clear()
    _seen.update(visible)
    return set().union(*(_sources[uid] for uid in changed))


def members(source: Source) -> list[bpy.types.Object]:
    """Return an object with all its children, or the objects of a collection."""
    if isinstance(source, bpy.types.Collection):
        return list(source.all_objects)
    return [source, *source.children_recursive]


def _visible_parts(
    source: Source, refuse: Refuse, depsgraph: Any = None
) -> Iterator[tuple[bpy.types.Object, Any]]:
    """Yield evaluated objects that can be seen, instances included, and their matrices in the world."""
    if depsgraph is None:
        depsgraph = bpy.context.view_layer.depsgraph
    drawn = scene_sources.SceneSources(depsgraph)
    instancers = set()
    if isinstance(source, bpy.types.Collection):
        for collection in (source, *source.children_recursive):
            _note(collection, source)
    for obj in members(source):
        _note(obj, source)
        _check(obj, refuse)
        evaluated = obj.evaluated_get(depsgraph)
        if not evaluated.is_evaluated or not drawn.is_visible(obj):
            continue
        _seen.add(uid_of(obj))
        if obj.is_instancer or any(modifier.type == "NODES" for modifier in obj.modifiers):
            instancers.add(obj)
        yield evaluated, evaluated.matrix_world.copy()
    if not instancers:
        return
    _instancers.add(uid_of(source))
    for instance in depsgraph.object_instances:
        if instance.is_instance and instance.parent.original in instancers:
            original = instance.object.original
            _note(original, source)
            _check(original, refuse)
            yield instance.object, instance.matrix_world.copy()


def _note(part: Source, source: Source) -> None:
    """Note that the outlines of a source were read from a part of it."""
    _sources.setdefault(uid_of(part), set()).add(uid_of(source))


def world_places(source: Source) -> Iterator[Table]:
    """Yield the vertices in the world of an object with its children, or of a collection, part by part."""
    for obj, placed in _visible_parts(source, lambda _: ""):
        places, _ = _triangles(obj)
        if len(places):
            matrix = np.array(placed, np.float64)
            yield np.einsum("ij,kj->ik", places, matrix[:3, :3]) + matrix[:3, 3]


def _check(obj: bpy.types.Object, refuse: Refuse) -> None:
    if reason := refuse(obj):
        raise TerraneError(reason)


def _object_outlines(obj: bpy.types.Object, matrix: Table) -> list[Outline]:
    """Return the outlines of an evaluated object, moved by a matrix."""
    places, triangles = _triangles(obj)
    if not len(triangles):
        return []
    turned, moved = matrix[:3, :3], matrix[:3, 3]
    key: tuple[object, ...] = (places.tobytes(), triangles.tobytes())
    if not _is_upright(turned):
        places = np.einsum("ij,kj->ik", places, turned)
        key, turned = (*key, np.round(turned, 9).tobytes()), np.eye(3)
    kept = _outlines.get(key)
    if kept is None:
        kept = _outlines[key] = curve_outlines.outlines_of(places, triangles)
        if len(_outlines) > _KEPT:
            del _outlines[next(iter(_outlines))]
    flat = turned[:2, :2]
    is_mirrored = flat[0, 0] * flat[1, 1] < flat[0, 1] * flat[1, 0]
    placed = []
    for each in kept:
        ring = np.einsum("ij,kj->ik", each.ring, flat) + moved[:2]
        base = each.base * float(turned[2, 2]) + float(moved[2])
        placed.append(curve_outlines.Outline(ring[::-1] if is_mirrored else ring, base))
    return placed


def _is_upright(turned: Table) -> bool:
    """Return whether a matrix keeps vertical lines vertical, and level ground level, and turns nothing over."""
    size = _UPRIGHT * float(np.abs(turned).max())
    leans = np.abs(np.concatenate((turned[:2, 2], turned[2, :2])))
    return bool((leans <= size).all() and turned[2, 2] > 0.0)


def _triangles(obj: bpy.types.Object) -> tuple[Table, npt.NDArray[np.intp]]:
    """Return the vertices and triangles of an evaluated object; none of one without faces."""
    mesh: Any = obj.data if obj.type == "MESH" else None
    is_temporary = mesh is None and obj.type in ("CURVE", "SURFACE", "FONT", "META")
    if is_temporary:
        mesh = obj.to_mesh()
    if mesh is None or not mesh.polygons:
        return np.empty((0, 3)), np.empty((0, 3), np.intp)
    mesh.calc_loop_triangles()
    places = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", places)
    triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    if is_temporary:
        obj.to_mesh_clear()
    return (
        places.reshape(-1, 3).astype(np.float64),
        triangles.reshape(-1, 3).astype(np.intp),
    )
