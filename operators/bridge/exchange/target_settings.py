# SPDX-License-Identifier: GPL-3.0-or-later
"""Export targets as properties of operators: the target, and a group with the options of each."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

import bpy

from ....noise_core.base.errors import ParameterError
from ....noise_core.io.targets.bases.target import Target, target_types
from ..interface.registering import Classes
from ..schema.properties import pointers, type_groups, type_items
from ..schema.values import assign, check_names, json_parameters, read_values

SOURCES = {
    "auto": "The recipe of a terrain, evaluated at the file's own resolution; the mesh if that was sculpted or eroded, or has no recipe",
    "recipe": "The recipe at the file's own resolution, without what was done to the mesh by hand",
    "mesh": "The heights of the mesh as they are, smoothly resampled",
}  # fmt: skip
"""Where the heights come from."""

PREFIX = "target_"
"""Begins the names of the properties that hold a target's options."""


def target_items() -> list[Any]:
    """Return the items of an enum of all targets."""
    return type_items(target_types())


def option_properties(options: frozenset[Any]) -> dict[str, Any]:
    """Return the properties that hold each target's options."""
    return pointers(groups(), PREFIX, options)


@functools.cache
def groups() -> Mapping[str, type[bpy.types.PropertyGroup]]:
    """Return a group for each target that has options, by its key."""
    known = {key: (cls.label, cls.parameters()) for key, cls in target_types().items()}
    return type_groups(
        "target", {key: one for key, one in known.items() if one[1]}, is_strict=False
    )


def options_of(operator: Any) -> Any:
    """Return the group with the options of an operator's target; None if it has none."""
    return getattr(operator, PREFIX + operator.target, None)


def target_of(operator: Any) -> Target:
    """Return the target of an operator, with its options; those in `parameters` win.

    Raises
    ------
    ParameterError
        If an option is not known, or not allowed.
    """
    cls, group = target_types()[operator.target], options_of(operator)
    declared = cls.parameters()
    values: dict[str, Any] = {}
    if group is not None:
        values = read_values(group, declared, {one.name: one.default for one in declared})
    if operator.parameters:
        given = json_parameters(operator.parameters)
        check_names(cls.label, given, [one.name for one in declared] or ["none"])
        values |= given
    made = cls(**values)
    if group is not None:
        assign(group, {one.name: getattr(made, one.name) for one in declared})
    return made


def options_text(operator: Any) -> str:
    """Return the options of an operator's target as JSON, for its own `parameters`."""
    made = target_of(operator)
    return json.dumps({one.name: getattr(made, one.name) for one in made.parameters()})


def propose_samples(target: Target, columns: int) -> int:
    """Return the default number of samples: the given one, or the next larger that the target takes."""
    if not target.sizes:
        return columns
    return next((size for size in target.sizes if size >= columns), target.sizes[-1])


def read_range(kind: str, low: float, high: float) -> Any:
    """Return the range of an export as the core takes it."""
    if kind != "meters":
        return kind
    if not low < high:
        raise ParameterError("high must be above low {:g}; got {:g}", low, high)
    return (low, high)


_own = Classes(*groups().values())
register, unregister = _own.register, _own.unregister
