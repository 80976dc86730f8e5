# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes and drivers of settings, which follow the layers that they belong to.

Blender addresses a layer by its place, as in ``terrane.layers[3].opacity``. So entries of lists of settings are
moved and removed here and nowhere else: the paths of F-curves and of drivers' variables are changed with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import bpy

from ..datablocks import compat

_ROOT = "terrane."
"""Beginning of the paths of settings; see `state.PROPERTY`."""

Follow = Callable[[int], "int | None"]
"""Returns the new place of the entry at a place, None if it is gone."""


def move(entries: Any, place: int, target: int) -> None:
    """Move an entry of a list to another place, with its keyframes and drivers."""
    low, high = sorted((place, target))
    step = 1 if target < place else -1

    def follow(current: int) -> int:
        if current == place:
            return target
        return current + step if low <= current <= high else current

    path = _path_of(entries)
    entries.move(place, target)
    _change_places(*path, follow)


def remove(entries: Any, place: int) -> None:
    """Remove an entry of a list, with its keyframes and drivers."""
    path = _path_of(entries)
    entries.remove(place)
    _change_places(*path, lambda current: None if current == place else current - (current > place))


def hand_over(entry: Any, successor: Any, name: str) -> None:
    """Give the keyframes and drivers of a property of an entry to another entry."""
    old, new = (f"{item.path_from_id()}.{name}" for item in (entry, successor))
    _change(entry.id_data, lambda path: new if path == old else path)


def forget_layers(group: Any, layers: str) -> None:
    """Remove the keyframes and drivers of all layers of a group of settings: others take their places."""
    start = f"{group.path_from_id()}.{layers}["
    _change(group.id_data, lambda path: None if path.startswith(start) else path)


def paths(owner: Any) -> list[tuple[str, int]]:
    """Return the paths of settings with keyframes or drivers, each with the place in its vector, in order."""
    return sorted(address for address in _addresses(owner) if is_setting(address[0]))


def has_others(owner: Any) -> bool:
    """Return whether anything else of a datablock than its settings has keyframes or drivers."""
    return not all(is_setting(path) for path, _ in _addresses(owner))


def _addresses(owner: Any) -> set[tuple[str, int]]:
    """Return the paths with keyframes or drivers of a datablock, each with the place in its vector."""
    data = owner.animation_data
    if data is None:
        return set()
    lists = (*compat.action_curves(data), data.drivers)
    strips = [
        strip for track in data.nla_tracks for strip in track.strips if strip.action is not None
    ]
    lists += tuple(curves for strip in strips for curves in compat.action_curves(strip))
    return {(curve.data_path, curve.array_index) for curves in lists for curve in curves}


def is_setting(path: str) -> bool:
    """Return whether a path of an F-curve or a driver is that of a setting."""
    return path.startswith(_ROOT)


def _path_of(entries: Any) -> tuple[bpy.types.ID, str]:
    """Return the datablock of a list that is not empty, and the path of the list in it."""
    first = entries[0]
    return first.id_data, first.path_from_id().rpartition("[")[0]


def _change_places(owner: bpy.types.ID, start: str, follow: Follow) -> None:
    """Change the places in the paths below a list."""
    pattern = re.compile(re.escape(start) + r"\[(\d+)\](.*)", re.DOTALL)

    def change(path: str) -> str | None:
        match = pattern.fullmatch(path)
        if match is None:
            return path
        place = follow(int(match[1]))
        return None if place is None else f"{start}[{place}]{match[2]}"

    _change(owner, change)


def _change(owner: Any, change: Callable[[str], str | None]) -> None:
    """Change the paths of the F-curves and drivers of a datablock; remove those without a new path."""
    data = getattr(owner, "animation_data", None)  # images have none
    if data is None:
        return
    holders = [data, *(strip for track in data.nla_tracks for strip in track.strips)]
    for holder in holders:
        if any(change(curve.data_path) != curve.data_path for curve in _curves(holder)):
            _own_action(holder)
            for curves in compat.action_curves(holder):
                _change_curves(curves, change)
    _change_curves(data.drivers, change)
    for curve in data.drivers:
        for variable in curve.driver.variables:
            for target in variable.targets:
                if target.id == owner and target.data_path:
                    target.data_path = change(target.data_path) or target.data_path


def _curves(holder: Any) -> Iterator[Any]:
    for curves in compat.action_curves(holder):
        yield from curves


def _own_action(holder: Any) -> None:
    """Give a datablock, or a strip, its own action if others use it too, or it is linked."""
    action = holder.action
    if action.users - action.use_fake_user > 1 or not action.is_editable:
        holder.action = action.copy()


def _change_curves(curves: Any, change: Callable[[str], str | None]) -> None:
    for curve in list(curves):
        path = change(curve.data_path)
        if path is None:
            curves.remove(curve)
        elif path != curve.data_path:
            curve.data_path = path
