# SPDX-License-Identifier: GPL-3.0-or-later
"""Property groups of the entries in the layer list, made from the declarations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, PointerProperty, StringProperty

from ....noise_core.layers import NoiseLayer
from ....noise_core.types.modifier import modifier_types
from . import changes, layers, mask_images, mask_settings
from .properties import group_class


def classes(element: type, mask: type) -> Iterator[type]:
    """Yield the groups of the modifier types and that of an entry, in the order of registration.

    Parameters
    ----------
    element : type
        The registered group of an element; see `elements.classes`.
    mask : type
        The registered group of a mask; see `mask_settings.group`.
    """
    modifiers = {
        key: group_class(
            f"TERRANE_PG_modifier_{key}",
            layers.own_parameters(cls),
            description=f"The parameters of {cls.label}",
        )
        for key, cls in modifier_types().items()
    }
    yield from modifiers.values()
    shared = {one.name: one for one in layers.shared_parameters(NoiseLayer)}
    help_of_name = next(one.help for one in NoiseLayer.parameters() if one.name == "name")
    yield group_class(
        "TERRANE_PG_layer",
        shared.values(),
        description="One layer of a recipe",
        extra={
            "name": StringProperty(name="Name", description=help_of_name, update=_follow_name),
            "known_name": StringProperty(options={"HIDDEN"}),
            "is_named": BoolProperty(options={"HIDDEN"}),
            "type": StringProperty(options={"HIDDEN"}),
            "text": StringProperty(options={"HIDDEN"}),
            "depth": IntProperty(min=0, options={"HIDDEN"}),
            "is_folded": BoolProperty(
                name="Folded", description="Hide the layers in this group in the list"
            ),
            layers.PAINTED: mask_images.name_property(
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
            layers.MASK: PointerProperty(type=mask),
            layers.CHAIN: CollectionProperty(
                type=element, name="Chain", description="A noise, and what changes it"
            ),
            "active_element": IntProperty(
                name="Active Element",
                description="The element of the chain whose parameters the panel shows",
                min=0,
                options={"HIDDEN"},
            ),
            **{key: PointerProperty(type=cls) for key, cls in modifiers.items()},
        },
    )


def _follow_name(entry: Any, context: Any) -> None:
    """Update masks that refer to a layer by name after it is renamed."""
    old, new = entry.known_name, entry.name
    entry.known_name = new
    entry.is_named = entry.is_named or old != new
    others = [one for one in getattr(layers.settings_of(entry), layers.LAYERS) if one != entry]
    if old and old != new and all(one.name != old for one in others):
        for one in others:
            mask_settings.rename_layer(one.mask, old, new)
    changes.on_change(entry, context)
