# SPDX-License-Identifier: GPL-3.0-or-later
"""Declarations of options that no type of the core has, and settings with a property for each declared parameter."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import bpy

from ....noise_core.base.params import Parameter
from ..interface.registering import Settings
from .properties import group_class
from .values import read_values, write_values

_KINDS: Mapping[type, Any] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    tuple: "vector",
    str: "choice",
}


def declare(
    name: str,
    default: Any,
    help: str,
    limits: tuple[float, float] = (-math.inf, math.inf),
    slider: tuple[float, float] | None = None,
    **more: Any,
) -> Parameter:
    """Return the declaration of an option that no type of the core has; its default tells the kind.

    The ends of the slider are the limits unless given; for the rest see `Parameter`.
    """
    (least, most), (low, high) = limits, slider or limits
    size = len(default) if isinstance(default, tuple) else 1
    return Parameter(
        _KINDS[type(default)], default, help, name=name, size=size,
        minimum=least, maximum=most, soft_minimum=low, soft_maximum=high, **more,
    )  # fmt: skip


class DeclaredSettings(Settings):
    """Settings whose group of properties is made from declared parameters, as a part.

    Parameters
    ----------
    name, label : str
        Of the property of the owners that holds the group.
    group, description : str
        Name and docstring of the group's class.
    parameters : iterable of Parameter
    owner : type
        Blender's type of the datablocks that have the settings.
    """

    def __init__(
        self,
        name: str,
        label: str,
        group: str,
        description: str,
        parameters: Iterable[Parameter],
        owner: type = bpy.types.Scene,
    ) -> None:
        self.parameters = tuple(parameters)
        self._class, self._description = group, description
        super().__init__(name, label, self._classes, (owner,))

    def _classes(self) -> Iterable[type]:
        yield group_class(self._class, self.parameters, description=self._description)

    def group(self, owner: bpy.types.ID) -> Any:
        """Return the settings of a datablock."""
        return getattr(owner, self.name)

    def read(self, owner: bpy.types.ID) -> dict[str, Any]:
        """Return the values in the settings of a datablock by the names of their parameters."""
        return read_values(self.group(owner), self.parameters)

    def write(self, owner: bpy.types.ID, values: Mapping[str, Any]) -> None:
        """Write values into the settings of a datablock."""
        write_values(self.group(owner), values)
