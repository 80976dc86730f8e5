# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of a modifier as properties, as keywords and as JSON."""

from __future__ import annotations

from collections.abc import Collection
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
    return next(parameter for parameter in Modifier.parameters() if parameter.name == "opacity")


def plain_properties(taken: Collection[str]) -> dict[str, Any]:
    """Return one property per name of a parameter that any modifier type has.

    A name whose kind differs between types, or that is taken, gets none, nor does an image, which Blender's
    operators cannot take; such parameters can be given as JSON.
    """
    by_name: dict[str, list[Parameter]] = {}
    for key in modifier_types():
        for parameter in own_parameters(key):
            by_name.setdefault(parameter.name, []).append(parameter)
    properties = {}
    for name, alike in by_name.items():
        kinds = {(parameter.kind.removesuffix("_or_noise"), parameter.size) for parameter in alike}
        if name in taken or len(kinds) > 1 or alike[0].kind == "pixels":
            continue
        first = alike[0]  # its default is unused: only given values count
        text = first.help if len(alike) == 1 else f"The modifier's {first.title.lower()}"
        options = {key: label for parameter in alike for key, label in parameter.options.items()}
        common = first._replace(help=text, options=options)
        properties[name] = blender_property(common, is_strict=False, options=_HIDDEN)
    return {name: definition for name, definition in properties.items() if definition is not None}


def plain_values(operator: Any, key: str) -> dict[str, object]:
    """Return the parameters of a modifier type given as plain keywords, and unset them.

    Raises a ParameterError if a given one belongs to other types only.
    """
    properties = operator.properties
    declared = properties.bl_rna.properties
    # Plain keywords are hidden; an option of the operator itself may have the same name.
    plain = {parameter.name for kind in modifier_types() for parameter in own_parameters(kind)}
    plain = {name for name in plain if name in declared and declared[name].is_hidden}
    given_names = sorted(name for name in plain if properties.is_property_set(name))
    check_names(
        key, given_names, [parameter.name for parameter in modifier_types()[key].parameters()]
    )
    parameters = tuple(
        parameter
        for parameter in own_parameters(key)
        if parameter.name in declared and properties.is_property_set(parameter.name)
    )
    values = read_values(properties, parameters, defaults(key))
    for parameter in parameters:
        properties.property_unset(parameter.name)
    return values


def write_values(group: Any, modifier: Modifier) -> str:
    """Write a modifier into a group of properties; return values without a property as JSON, or ""."""
    parameters = [parameter for parameter in modifier.parameters() if parameter.name != "opacity"]
    held = getattr(group, modifier.key, None)  # operators have none of modifiers with images
    parts = [] if held is None else [(held, parameters)]
    return write_object(modifier, *parts, (group, (opacity_parameter(),)))


def defaults(key: str) -> dict[str, object]:
    """Return the default parameters of a modifier type."""
    return dict(values.defaults(modifier_types()[key]))


def parse_parameters(key: str, text: str) -> dict[str, object]:
    """Return the parameters in JSON text.

    Raises a TerraneError if it is no JSON object, or the modifier type has no such parameter.
    """
    return parse_values(text, key, modifier_types()[key].parameters())
