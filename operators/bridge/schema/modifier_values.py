# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of a modifier as properties, as keywords and as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any

from ....noise_core.base.params import Parameter
from ....noise_core.modifiers.bases.modifier import Modifier, modifier_types
from . import layers, values
from .properties import blender_property
from .values import check_names, parse_values, read_values, write_object

DEFAULT_TYPE = "stream_erosion"
"""Key of the default modifier type: the usual meaning of erosion."""

_HIDDEN = frozenset({"HIDDEN", "SKIP_SAVE"})


def own_parameters(key: str) -> tuple[Parameter, ...]:
    """Return the parameters that belong to a modifier type alone."""
    return layers.own_parameters(modifier_types()[key])


def opacity_parameter() -> Parameter:
    """Return the declaration of the opacity, which all modifiers have."""
    return next(one for one in Modifier.parameters() if one.name == "opacity")


def plain_properties(taken: Collection[str]) -> dict[str, Any]:
    """Return one property per name of a parameter that any modifier type has.

    A name whose kind differs between types, or that is taken, gets none; such parameters can be
    given as JSON.
    """
    by_name: dict[str, list[Parameter]] = {}
    for key in modifier_types():
        for one in own_parameters(key):
            by_name.setdefault(one.name, []).append(one)
    made = {}
    for name, alike in by_name.items():
        kinds = {(one.kind.removesuffix("_or_noise"), one.size) for one in alike}
        if name in taken or len(kinds) > 1:
            continue
        first = alike[0]  # its default is unused: only given values count
        text = first.help if len(alike) == 1 else f"The modifier's {first.title.lower()}"
        options = {key: label for one in alike for key, label in one.options.items()}
        common = dataclasses.replace(first, help=text, options=options)
        made[name] = blender_property(common, is_strict=False, options=_HIDDEN)
    return {name: one for name, one in made.items() if one is not None}


def plain_values(operator: Any, key: str) -> dict[str, object]:
    """Return the parameters of a modifier type given as plain keywords, and unset them.

    Raises a ParameterError if a given one belongs to other types only.
    """
    properties = operator.properties
    known = properties.bl_rna.properties
    # Plain keywords are hidden; an option of the operator itself may have the same name.
    plain = {one.name for other in modifier_types() for one in own_parameters(other)}
    plain = {name for name in plain if name in known and known[name].is_hidden}
    given_names = sorted(name for name in plain if properties.is_property_set(name))
    check_names(key, given_names, [one.name for one in modifier_types()[key].parameters()])
    given = tuple(
        one
        for one in own_parameters(key)
        if one.name in known and properties.is_property_set(one.name)
    )
    values = read_values(properties, given, defaults(key))
    for one in given:
        properties.property_unset(one.name)
    return values


def write_values(group: Any, modifier: Modifier) -> str:
    """Write a modifier into a group of properties; return what has no property as JSON, or ""."""
    parameters = [one for one in modifier.parameters() if one.name != "opacity"]
    own = (getattr(group, modifier.key), parameters)
    return write_object(modifier, own, (group, (opacity_parameter(),)))


def defaults(key: str) -> dict[str, object]:
    """Return the default parameters of a modifier type."""
    return dict(values.defaults(modifier_types()[key]))


def new_modifier(key: str, values: Mapping[str, object]) -> Modifier:
    """Return a modifier of a type; raises a ParameterError if a value is not allowed."""
    cls: Any = modifier_types()[key]
    modifier: Modifier = cls(**values)
    return modifier


def parse_parameters(key: str, text: str) -> dict[str, object]:
    """Return the parameters in JSON text.

    Raises a TerraneError if it is no JSON object, or the modifier type has no such parameter.
    """
    return parse_values(text, key, modifier_types()[key].parameters())
