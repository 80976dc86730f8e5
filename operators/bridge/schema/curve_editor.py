# SPDX-License-Identifier: GPL-3.0-or-later
"""Editor of curves: Blender's own widget, which only some datablocks have.

Settings hold the points (`elements.py`). A curve that a panel shows has an editor: a Float Curve node
in a node group that belongs to no material. Blender sends no notification when the widget is
used. So both are compared some ten times a second while a panel draws the editor, and a change of
one is written to the other. The group stores which curve it shows. After undo the widget takes
precedence: its undo steps hold its own points, and the settings' points from before.
"""

from __future__ import annotations

import time  # noqa: TID251 (how long ago a panel was drawn decides whether to go on)
from typing import Any, TypeGuard

import bpy

from ..datablocks import linked
from ..datablocks.ref import Ref
from ..interface import messages, timer
from ..interface.registering import Handlers
from ..nodetree import builder
from . import elements, layer_list, layers, state

GROUP = ".Terrane Curve Editor"
"""Prefix of the names of the node groups; menus leave out names that begin with a dot."""

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

_known: dict[str, CurveValues] = {}
"""The curves as they were compared last, by the key that `SHOWS` stores."""
_drawn = 0.0
_owner: Ref[Any] | None = None
_is_undone = False


def curves_of(group: Any) -> list[Any]:
    """Return the parameters of the active elements of the active layer's chains that are curves."""
    entry = layer_list.active_entry(group)
    holders = {} if entry is None else layers.chain_holders(entry)
    shown = (elements.active_element(holder) for holder in holders.values())
    active = (
        element
        for element in shown
        if element is not None and elements.NOISES.find_class(element) is not None
    )
    return [
        parameters
        for parameters in map(elements.own_group, active)
        if points_of(parameters) is not None
    ]


def points_of(parameters: Any) -> Any | None:
    """Return the points among the parameters of an element, None if they are no curve."""
    kinds = {
        rna_property.type: rna_property.identifier for rna_property in parameters.bl_rna.properties
    }
    return getattr(parameters, kinds["COLLECTION"]) if "COLLECTION" in kinds else None


def follow(group: Any) -> None:
    """Start comparing; panels that draw a curve of some settings call this."""
    global _drawn, _owner
    _drawn = time.perf_counter()
    _owner = Ref.of(group.id_data)
    timer.call(_tick)


def editor_of(curve: Any) -> bpy.types.Node | None:
    """Return the node that shows a curve, None if there is none or it shows another curve."""
    tree = bpy.data.node_groups.get(_tree_name(curve))
    if tree is None or tree.get(SHOWS) != _key(curve) or not tree.nodes:
        return None
    return tree.nodes[0]


def synchronize(group: Any) -> bool:
    """Synchronize the active curves with their editors; return whether one of them was written."""
    global _known, _is_undone
    curves, was_undone, previous = curves_of(group), _is_undone, _known
    _is_undone, _known = False, {}
    _remove_others({_tree_name(curve) for curve in curves})
    is_written = False
    for curve in curves:
        node, stored = editor_of(curve), _read_settings(curve)
        shown = None if node is None else _read_node(node)
        if not _is_same(shown, stored):
            is_used = was_undone or _is_same(previous.get(_key(curve)), stored)
            if is_used and _is_curve(shown) and linked.is_writable(group.id_data):
                _write_settings(curve, shown)
                stored = _read_settings(curve)
            _write_node(node or _new_editor(curve), stored)
            is_written = True
        _known[_key(curve)] = stored
    return is_written


def remove() -> None:
    """Remove the editors when no curve is shown."""
    _known.clear()
    _remove_others(set())


def _remove_others(names: set[str]) -> None:
    """Remove all editors but those of some names."""
    for tree in [tree for tree in bpy.data.node_groups if tree.name.startswith(GROUP)]:
        if tree.name not in names:
            bpy.data.node_groups.remove(tree)


def _key(curve: Any) -> str:
    owner = curve.id_data
    return f"{type(owner).__name__} {owner.name_full} {curve.path_from_id()}"


def _tree_name(curve: Any) -> str:
    """Return the name of a curve's node group: one for each chain of a layer, such as its mask's."""
    return GROUP + str(curve.path_from_id()).rpartition(".chain[")[0].rpartition("]")[2]


def _new_editor(curve: Any) -> bpy.types.Node:
    groups: Any = bpy.data.node_groups
    name = _tree_name(curve)
    tree = groups.get(name) or groups.new(name, "ShaderNodeTree")
    tree[SHOWS] = _key(curve)
    return builder.new_single_node(tree, "ShaderNodeFloatCurve")


def _read_settings(curve: Any) -> CurveValues:
    points: Any = points_of(curve)
    return tuple((point.position[0], point.position[1]) for point in points), curve.interpolation


def _read_node(node: Any) -> CurveValues:
    points = node.mapping.curves[0].points
    kinds = {point.handle_type for point in points}
    interpolation = next(
        (key for key, handle in _HANDLES.items() if kinds == {handle}), "automatic"
    )
    return tuple((point.location[0], point.location[1]) for point in points), interpolation


def _is_same(first: CurveValues | None, second: CurveValues | None) -> bool:
    """Return whether two curves are equal up to rounding."""
    if first is None or second is None:
        return first is second
    if first[1] != second[1] or len(first[0]) != len(second[0]):
        return False
    pairs = zip(first[0], second[0])
    return all(abs(a[0] - b[0]) < 1e-6 and abs(a[1] - b[1]) < 1e-6 for a, b in pairs)


def _is_curve(curve_values: CurveValues | None) -> TypeGuard[CurveValues]:
    """Return whether points form a curve: at least two, from left to right."""
    xs = [x for x, _ in curve_values[0]] if curve_values else []
    return len(xs) > 1 and all(low < high for low, high in zip(xs, xs[1:]))


def _write_node(node: Any, curve_values: CurveValues) -> None:
    mapping, (points, interpolation) = node.mapping, curve_values
    mapping.use_clip = False
    widget_points = mapping.curves[0].points
    while len(widget_points) > max(2, len(points)):
        widget_points.remove(widget_points[-1])
    while len(widget_points) < len(points):
        widget_points.new(0.0, 0.0)
    for widget_point, (x, y) in zip(widget_points, points):
        widget_point.location = (x, y)
        widget_point.handle_type = _HANDLES[interpolation]
    values = [value for point in points for value in point]
    mapping.clip_min_x = mapping.clip_min_y = min(-1.0, *values)
    mapping.clip_max_x = mapping.clip_max_y = max(1.0, *values)
    mapping.extend = "HORIZONTAL"
    mapping.update()
    mapping.use_clip = True
    mapping.reset_view()


def _write_settings(curve: Any, curve_values: CurveValues) -> None:
    points: Any = points_of(curve)
    while len(points) > len(curve_values[0]):
        points.remove(len(points) - 1)
    while len(points) < len(curve_values[0]):
        points.add()
    for point, position in zip(points, curve_values[0]):
        point.position = position
    if curve.interpolation != curve_values[1]:
        curve.interpolation = curve_values[1]


def _tick() -> float | None:
    owner = None if _owner is None else _owner.find()
    if owner is None or time.perf_counter() - _drawn > LINGER:
        return None
    if synchronize(getattr(owner, state.PROPERTY)):
        for _, area in messages.open_areas(bpy.context, *messages.EDITORS):
            area.tag_redraw()
    return PAUSE


def _on_undo(*_: object) -> None:
    global _is_undone
    _is_undone = True


def _on_load(*_: object) -> None:
    global _owner
    _owner = None
    _known.clear()


def _end() -> None:
    timer.cancel(_tick)
    if hasattr(bpy.data, "node_groups"):
        remove()


_handlers = Handlers(
    ("undo_post", _on_undo), ("redo_post", _on_undo), ("load_post", _on_load), end=_end
)
register, unregister = _handlers.register, _handlers.unregister
