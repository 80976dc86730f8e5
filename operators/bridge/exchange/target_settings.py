# SPDX-License-Identifier: GPL-3.0-or-later
"""Export targets as properties of operators: the target, and a group with the options of each."""

from __future__ import annotations

import json
from typing import Any

from ....noise_core.base.errors import ParameterError
from ....noise_core.io.targets.bases.target import Target, target_types
from ..interface.registering import Classes
from ..schema.enum_items import type_items
from ..schema.type_choice import TypeChoice
from ..schema.values import parse_values, values_of

SOURCES = {
    "auto": "The recipe at the file's resolution; the mesh if sculpted, or without a recipe",
    "recipe": "The recipe at the file's resolution, without sculpting or edits of the mesh",
    "mesh": "The heights of the mesh as they are, smoothly resampled",
}  # fmt: skip
"""Source of the heights."""

TARGETS = TypeChoice(
    "target",
    lambda: {key: (cls.label, cls.parameters()) for key, cls in target_types().items()},
    prefix="target_",
    is_strict=False,
)
"""Groups of the options of all targets, in operators."""


def target_items() -> list[Any]:
    """Return the items of an enum of all targets."""
    return type_items(target_types())


def target_of(operator: Any) -> Target:
    """Return the target of an operator, with its options; those in `parameters` win.

    Raises
    ------
    ParameterError
        If an option is not known, or not allowed.
    """
    key, cls = operator.target, target_types()[operator.target]
    values = TARGETS.read(operator, key)
    target = cls(**values | parse_values(operator.parameters, cls.label, cls.parameters()))
    TARGETS.write(operator, key, values_of(target))
    return target


def options_text(operator: Any) -> str:
    """Return the options of an operator's target as JSON, for its own `parameters`."""
    return json.dumps(values_of(target_of(operator)))


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
        raise ParameterError("high must be above low {:g}", low, got=f"{high:g}")
    return (low, high)


_own = Classes(*TARGETS.groups)
register, unregister = _own.register, _own.unregister
