# SPDX-License-Identifier: GPL-3.0-or-later
"""The property groups of noises and of entries in the list of layers, made from the declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import bpy
from bpy.props import BoolProperty, PointerProperty, StringProperty

from ....noise_core import spine
from ....noise_core.modifier import Modifier, modifier_types
from ....noise_core.noise import Noise, noise_types
from .. import changes
from ..icons import noise_icon
from ..keywords import keywords, noise_label
from ..properties import blender_property, enum_number, group_class, grouped_items
from . import layer_list, mask_images, noise_knobs, stack

Groups = dict[str, type]
"""Property groups by the name of the property that holds them."""

KNOBS = ("frequency", "fractal", "warp")
"""Declared keywords that a noise has as properties of its own, besides its type."""


def noise_items() -> list[Any]:
    """Return the enum items of all leaf types, grouped by family."""
    types = noise_types()
    items = [
        (key, noise_label(key), text, noise_icon(key), enum_number(key))
        for key, text in keywords()["noise"].options.items()
    ]
    return grouped_items(items, lambda key: types[key].family.title())


def part_groups(defaults: Mapping[str, Any]) -> Groups:
    """Return the groups of the leaf types, the fractal and the warp, which all noises share."""
    groups = {
        noise_knobs.leaf_group(key): group_class(
            f"TERRANE_PG_noise_{key}",
            noise_knobs.leaf_parameters(cls),
            description=f"The parameters of {cls.label} noise",
            defaults=defaults.get(noise_knobs.leaf_group(key)),
        )
        for key, cls in spine.leaf_types().items()
    }
    groups[noise_knobs.FRACTAL_GROUP] = group_class(
        "TERRANE_PG_fractal",
        noise_knobs.fractal_parameters(),
        description="The parameters of the fractal",
        defaults=defaults.get(noise_knobs.FRACTAL_GROUP),
    )
    groups[noise_knobs.WARP_GROUP] = group_class(
        "TERRANE_PG_warp",
        noise_knobs.warp_parameters(),
        description="The parameters of the warp",
        defaults=defaults.get(noise_knobs.WARP_GROUP),
    )
    return groups


def pointers(groups: Mapping[str, type]) -> dict[str, Any]:
    """Return properties that hold registered groups."""
    return {name: PointerProperty(type=cls) for name, cls in groups.items()}


def knob_properties(defaults: Mapping[str, Any], parts: Mapping[str, type]) -> dict[str, Any]:
    """Return the properties of one noise: its type, its knobs, and the groups of its parts.

    Parameters
    ----------
    defaults : mapping
        See `noise_knobs.values`.
    parts : mapping of str to type
        The registered `part_groups`.
    """
    declared = keywords()
    knobs = {name: blender_property(declared[name], default=defaults.get(name)) for name in KNOBS}
    noise = blender_property(declared["noise"], default=defaults["noise"], items=noise_items())
    return {**knobs, "noise": _followed(noise, _noise_chosen), **pointers(parts)}


def _followed(declared: Any, update: Callable[[Any, Any], None]) -> Any:
    """Return the same property, one that calls a function when it is set."""
    return declared.function(**{**declared.keywords, "update": update})


def _noise_chosen(group: Any, context: Any) -> None:
    """Show a picture as it is when it is chosen: with neither octaves nor smaller tiles."""
    if spine.is_picture(group.noise):
        group.fractal, group.frequency = spine.NONE, 1.0
    changes.changed(group, context)


def layer_noise_group(parts: Mapping[str, type]) -> type:
    """Return the group of the noise of a layer, which has the knobs of the recipe's own."""
    defaults = noise_knobs.values(_default_layer_noise())
    return group_class(
        "TERRANE_PG_layer_noise",
        (),
        description="The noise of a layer",
        extra=knob_properties(defaults, parts),
    )


def modifier_groups(layer_noise: type) -> Groups:
    """Return the groups of the modifier types."""
    return {
        stack.modifier_group(key): group_class(
            f"TERRANE_PG_modifier_{key}",
            stack.own_parameters(cls),
            description=f"The parameters of {cls.label}",
            is_metric=True,
            extra=pointers({one.name: layer_noise for one in stack.noise_parameters(cls)}),
        )
        for key, cls in modifier_types().items()
    }


def entry_group(modifiers: Mapping[str, type], mask: type) -> type:
    """Return the group of one entry in the list of layers.

    Parameters
    ----------
    modifiers : mapping of str to type
        The registered `modifier_groups`.
    mask : type
        The registered `mask_settings.group`.
    """
    name = next(one for one in Modifier.parameters() if one.name == "name")
    return group_class(
        "TERRANE_PG_modifier",
        Modifier.parameters(),
        description="One layer or modifier of a terrain",
        extra={
            "name": StringProperty(name="Name", description=name.help, update=_renamed),
            "known_name": StringProperty(options={"HIDDEN"}),
            "type": StringProperty(options={"HIDDEN"}),
            "text": StringProperty(options={"HIDDEN"}),
            "mask": mask_images.name_property(
                name="Painted Mask",
                description=(
                    "Where it acts: a vertex group, a float attribute or an image; "
                    "0 stays as it was, 1 changes"
                ),
            ),
            mask_images.IMAGE: PointerProperty(
                type=bpy.types.Image,
                name="Image",
                description="The image that is its painted mask, if it is one",
                options={"HIDDEN"},
            ),
            "solo": BoolProperty(
                name="Solo",
                description="Leave out all others that are not solo too; not part of the recipe",
            ),
            stack.WHERE: PointerProperty(type=mask),
            **pointers(modifiers),
        },
    )


def _renamed(entry: Any, context: Any) -> None:
    """Keep masks that stand for the entry, after somebody has renamed it."""
    layer_list.follow_name(entry, getattr(_settings_of(entry), stack.ENTRIES))
    changes.changed(entry, context)


def _settings_of(entry: Any) -> Any:
    """Return the group of settings that an entry is part of."""
    owner, path = entry.id_data, entry.path_from_id()
    return owner.path_resolve(path.rpartition(f".{stack.ENTRIES}[")[0])


def _default_layer_noise() -> Noise:
    """Return the noise that a new layer has, from the declaration of the first type with one."""
    for cls in modifier_types().values():
        for one in stack.noise_parameters(cls):
            noise: Noise = getattr(cls(), one.name)
            return noise
    raise LookupError("no modifier type has a noise")
