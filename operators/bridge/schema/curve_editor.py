# SPDX-License-Identifier: GPL-3.0-or-later
"""Editor of curves: Blender's own widget, which only some datablocks have.

Settings hold the points (`elements.py`). The curve that a panel shows has an editor: a Float Curve
node in a node group that belongs to no material. Blender sends no notification when the widget is
used. So both are compared some ten times a second while a panel draws the editor, and a change of
one is written to the other. The group stores which curve it shows. After undo the widget takes
precedence: its undo steps hold its own points, and the settings' points from before.
"""

from __future__ import annotations

import time  # noqa: TID251 (how long ago a panel was drawn decides whether to go on)
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ....noise_core.types.noise import noise_types
from ..datablocks.ref import Ref
from ..interface import timer
from ..interface.registering import Handlers, undo_on_failure
from ..nodetree import builder
from . import elements, layer_list, state

GROUP = ".Terrane Curve Editor"
"""Name of the node group; menus leave out names that begin with a dot."""

SHOWS = "terrane_shows"
"""Custom property of the group that stores which curve it shows."""

PAUSE = 0.1
"""Seconds from one comparison to the next."""

LINGER = 2.0
"""Seconds without a drawn panel after which the comparison ends."""

_HANDLES = {"linear": "VECTOR", "smooth": "AUTO_CLAMPED", "automatic": "AUTO"}
"""Blender's handles by the interpolation of the core. It draws automatic curves exactly as the core
does, and smooth ones nearly so."""

CurveValues = tuple[tuple[tuple[float, float], ...], str]
"""Points and interpolation."""

_known: CurveValues | None = None
_drawn = 0.0
_owner: Ref[Any] | None = None
_is_undone = False


def curve_of(group: Any) -> Any | None:
    """Return the parameters of the active element of some settings, if they have a curve."""
    entry = layer_list.active_entry(group)
    element = None if entry is None else elements.active_element(entry)
    cls = None if element is None else elements.element_class(element)
    if element is None or cls is None or name_of(element.type) is None:
        return None
    return elements.own_group(element)


def name_of(key: str) -> str | None:
    """Return the name of the curve parameter of a noise type, None if it has none."""
    parameters = noise_types()[key].parameters()
    return next((one.name for one in parameters if one.kind == "curve"), None)


def follow(group: Any) -> None:
    """Start comparing; panels that draw the curve of some settings call this."""
    global _drawn, _owner
    _drawn = time.perf_counter()
    _owner = Ref.of(group.id_data)
    timer.call(_tick)


def editor_of(curve: Any) -> bpy.types.Node | None:
    """Return the node that shows a curve, None if there is none or it shows another curve."""
    tree = bpy.data.node_groups.get(GROUP)
    if tree is None or tree.get(SHOWS) != _key(curve) or not tree.nodes:
        return None
    return tree.nodes[0]


def synchronize(group: Any) -> bool:
    """Synchronize the active curve with its editor; return whether one of them was written."""
    global _known, _is_undone
    curve, was_undone = curve_of(group), _is_undone
    _is_undone = False
    if curve is None:
        remove()
        return False
    node, wanted = editor_of(curve), _read_settings(curve)
    if node is None:
        _write_node(_new_editor(curve), wanted)
        _known = wanted
        return True
    shown = _read_node(node)
    if _is_same(shown, wanted):
        _known = wanted
        return False
    is_known = _known is not None
    if was_undone or (is_known and _is_same(_known, wanted)):  # the widget was used
        if _is_curve(shown) and state.why_not_change(group) == "":
            _write_settings(curve, shown)
            wanted = _read_settings(curve)
    _write_node(node, wanted)
    _known = wanted
    return True


def remove() -> None:
    """Remove the editor when no curve is shown."""
    global _known
    _known = None
    tree = bpy.data.node_groups.get(GROUP)
    if tree is not None:
        bpy.data.node_groups.remove(tree)


def _key(curve: Any) -> str:
    owner = curve.id_data
    return f"{type(owner).__name__} {owner.name_full} {curve.path_from_id()}"


def _new_editor(curve: Any) -> bpy.types.Node:
    groups: Any = bpy.data.node_groups
    tree = groups.get(GROUP)
    if tree is None:
        tree = groups.new(GROUP, "ShaderNodeTree")
    tree[SHOWS] = _key(curve)
    return builder.new_single_node(tree, "ShaderNodeFloatCurve")


def _read_settings(curve: Any) -> CurveValues:
    points = getattr(curve, str(_curve_name(curve)))
    return tuple((one.position[0], one.position[1]) for one in points), curve.interpolation


def _curve_name(curve: Any) -> str:
    return next(one.identifier for one in curve.bl_rna.properties if one.type == "COLLECTION")


def _read_node(node: Any) -> CurveValues:
    points = node.mapping.curves[0].points
    kinds = {one.handle_type for one in points}
    found = next((key for key, one in _HANDLES.items() if kinds == {one}), "automatic")
    return tuple((one.location[0], one.location[1]) for one in points), found


def _is_same(first: CurveValues | None, second: CurveValues | None) -> bool:
    """Return whether two curves are equal up to rounding."""
    if first is None or second is None:
        return first is second
    if first[1] != second[1] or len(first[0]) != len(second[0]):
        return False
    pairs = zip(first[0], second[0])
    return all(abs(a[0] - b[0]) < 1e-6 and abs(a[1] - b[1]) < 1e-6 for a, b in pairs)


def _is_curve(wanted: CurveValues) -> bool:
    """Return whether points form a curve: at least two, from left to right."""
    xs = [x for x, _ in wanted[0]]
    return len(xs) > 1 and all(left < right for left, right in zip(xs, xs[1:]))


def _write_node(node: Any, wanted: CurveValues) -> None:
    mapping, (points, interpolation) = node.mapping, wanted
    mapping.use_clip = False
    own = mapping.curves[0].points
    while len(own) > max(2, len(points)):
        own.remove(own[-1])
    while len(own) < len(points):
        own.new(0.0, 0.0)
    for one, (x, y) in zip(own, points):
        one.location = (x, y)
        one.handle_type = _HANDLES[interpolation]
    values = [value for point in points for value in point]
    mapping.clip_min_x = mapping.clip_min_y = min(-1.0, *values)
    mapping.clip_max_x = mapping.clip_max_y = max(1.0, *values)
    mapping.extend = "HORIZONTAL"
    mapping.update()
    mapping.use_clip = True
    mapping.reset_view()


def _write_settings(curve: Any, wanted: CurveValues) -> None:
    points = getattr(curve, _curve_name(curve))
    while len(points) > len(wanted[0]):
        points.remove(len(points) - 1)
    while len(points) < len(wanted[0]):
        points.add()
    for one, position in zip(points, wanted[0]):
        one.position = position
    if curve.interpolation != wanted[1]:
        curve.interpolation = wanted[1]


def _find_settings() -> Any | None:
    """Return the settings whose curve was drawn last, None if they are gone."""
    owner = None if _owner is None else _owner.find()
    return None if owner is None else getattr(owner, state.PROPERTY)


def _tick() -> float | None:
    group = _find_settings()
    if group is None or time.perf_counter() - _drawn > LINGER:
        return None
    if synchronize(group):
        for window in bpy.context.window_manager.windows:
            for area in window.screen.areas:
                if area.type in ("VIEW_3D", "IMAGE_EDITOR"):
                    area.tag_redraw()
    return PAUSE


@persistent
def _on_undo(*_: object) -> None:
    global _is_undone
    _is_undone = True


@persistent
def _on_load(*_: object) -> None:
    global _known, _owner
    _known = _owner = None


_handlers = Handlers(("undo_post", _on_undo), ("redo_post", _on_undo), ("load_post", _on_load))


def register() -> None:
    """Add handlers for undo and loaded files."""
    with undo_on_failure(unregister):
        _handlers.register()


def unregister() -> None:
    """Undo `register`, and remove the editor."""
    _handlers.unregister()
    timer.cancel(_tick)
    if hasattr(bpy.data, "node_groups"):
        remove()
