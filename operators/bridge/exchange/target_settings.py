# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of exports: the target with a group for the options of each, the samples, and the range of heights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bpy.props import EnumProperty

from ....noise_core.base.errors import ParameterError
from ....noise_core.io.targets.bases.target import Target, target_types
from ..interface.registering import Classes, Parts, Settings
from ..schema.declared_settings import declare
from ..schema.enum_items import type_items
from ..schema.properties import group_class
from ..schema.type_choice import TypeChoice
from ..schema.values import parse_values, values_of

SOURCES = {
    "auto": "The recipe at the file's resolution; the mesh if sculpted, or without a recipe",
    "recipe": "The recipe at the file's resolution, without sculpting or edits of the mesh",
    "mesh": "The heights of the mesh as they are, smoothly resampled",
}  # fmt: skip
"""Source of the heights."""

RANGES = {
    "as_is": "From the lowest to the highest point of this terrain, for the finest steps",
    "proportional": "From minus to plus the recipe's height: equal for other seeds",
    "meters": "From Low to High: equal for all terrains, so that they fit together",
}
"""Heights of the lowest and the highest number."""

TARGET = ("Target", "Program that reads the file")
"""Label and description of the choice of a target."""

EXPORT = (
    declare("samples", 0, "Samples along the width", (0, 1 << 16), (0, 10240),
            automatic="the mesh's, rounded up to an allowed number"),
    declare("value_range", "as_is", "Heights of the lowest and the highest number", options=RANGES,
            label="Range"),
    declare("low", -500.0, "Meters of the lowest number", unit="length",
            visible_when=("value_range", ("meters",))),
    declare("high", 2500.0, "Meters of the highest number", unit="length",
            visible_when=("value_range", ("meters",))),
)  # fmt: skip
"""Options of all targets that the panel has too."""

TARGETS = TypeChoice(
    "target",
    lambda: {key: (cls.label, cls.parameters()) for key, cls in target_types().items()},
    prefix="target_",
    is_strict=False,
)
"""Groups of the options of all targets, in operators."""


def _panel_groups() -> Iterator[type]:
    """Yield the group of the panel's settings."""
    label, description = TARGET
    target = EnumProperty(name=label, description=description, items=target_items())
    yield group_class(
        "TERRANE_PG_export",
        EXPORT,
        description="How the panel exports land",
        extra={"target": target, **TARGETS.properties()},
    )


PANEL = Settings("terrane_export", "Export", _panel_groups)
"""The settings of scenes."""


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
        raise ParameterError("Range.high must be above Range.low, {:g}", low, got=f"{high:g}")
    return (low, high)


def take_from_panel(operator: Any, stored: Any) -> None:
    """Set the keywords of an operator that are not given to the settings of the panel."""
    names = ("target", *(parameter.name for parameter in EXPORT))
    missing = [name for name in names if not operator.properties.is_property_set(name)]
    for name in missing:
        setattr(operator, name, getattr(stored, name))
    if "target" in missing:
        TARGETS.write(operator, operator.target, TARGETS.read(stored, stored.target))


_own = Parts(Classes(*TARGETS.groups), PANEL)
register, unregister = _own.register, _own.unregister
