# SPDX-License-Identifier: GPL-3.0-or-later
"""Property groups of the entries in the layer list, of their chains and masks, from the declarations.

A painted mask is stored by name, and an image by a pointer too. A name alone would be lost when the
image is renamed, and could match an unrelated image in another file; Blender follows a pointer:
appending or linking a terrain brings its image along. Vertex groups and attributes are no datablocks,
so only their names are stored.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ....noise_core.base.declared import Declared
from ....noise_core.maps.bases.map import map_types
from ....noise_core.masks.bases.mask import Mask
from ....noise_core.modifiers.bases.modifier import modifier_types
from ....noise_core.noises.bases.noise import noise_types
from ....noise_core.noises.fractal import Fractal
from ....noise_core.recipes import chains
from ....noise_core.recipes.layers import NoiseLayer
from ..datablocks import compat, meshes
from . import changes, elements, layers, mask_settings, type_choice
from .enum_items import enum_number, noise_label
from .properties import (
    curve_point,
    curve_slot,
    group_class,
    placement_slot,
    places_property,
    slots_property,
)


def classes() -> Iterator[type]:
    """Yield all groups in the order of registration, that of an entry last."""
    yield curve_point()
    yield curve_slot()
    yield placement_slot()
    element = yield from _element_classes()
    mask = yield from _mask_classes(element)
    yield from layers.LAYER_TYPES.groups
    yield group_class(
        "TERRANE_PG_layer",
        layers.shared_parameters(NoiseLayer),
        description="One layer of a recipe",
        animated=None,
        extra={**_entry_properties(element, mask), **layers.LAYER_TYPES.properties()},
    )


def _entry_properties(element: type, mask: type) -> dict[str, Any]:
    """Return the properties of an entry besides the parameters of its layer."""
    help_of_name = next(
        parameter.help for parameter in NoiseLayer.parameters() if parameter.name == "name"
    )
    return {
        "name": StringProperty(name="Name", description=help_of_name, update=_follow_name),
        "known_name": _hidden_text(),
        "is_named": BoolProperty(options={"HIDDEN"}),
        "type": _hidden_text(),
        "text": _hidden_text(),
        "depth": IntProperty(min=0, options={"HIDDEN"}),
        "is_folded": BoolProperty(name="Folded", description="Collapse this group in the list"),
        "painted_mask": compat.proxy_text_property(
            "painted_mask",
            lambda entry, stored: entry.mask_image.name if entry.mask_image else stored,
            _find_mask_image,
            name="Painted Mask",
            description=(
                "Vertex group, float attribute or image that masks the erosion: 0 keeps, 1 erodes"
            ),
        ),
        "mask_image": PointerProperty(
            type=bpy.types.Image,
            name="Image",
            description="The image that is its painted mask, if it is one",
            options={"HIDDEN"},
        ),
        "solo": BoolProperty(
            name="Solo",
            description="Solo: mute all other layers (not saved in the recipe)",
        ),
        "mask": PointerProperty(type=mask),
        **_slots(modifier_types().values()),
        "placements": places_property(),
        "pixels": PointerProperty(
            type=bpy.types.Image,
            name="Heights",
            description="Image with the heights of a stamp: 0.5 is its zero, 1 its height",
        ),
        "chain": CollectionProperty(
            type=element, name="Chain", description="A noise and its filters"
        ),
        "active_element": IntProperty(
            name="Active Element",
            description="The element of the chain whose parameters the panel shows",
            min=0,
            options={"HIDDEN"},
        ),
    }


def _slots(types: Iterable[type[Declared]]) -> dict[str, Any]:
    """Return a list of drawn curves for each name that types have for theirs."""
    named = (parameter for cls in types for parameter in cls.parameters())
    return {
        each.name: slots_property(each.title) for each in named if each.kind == type_choice.CURVES
    }


def _hidden_text() -> Any:
    return StringProperty(options={"HIDDEN"})


def _element_classes() -> Generator[type, None, type]:
    """Yield the groups of the noise types and of elements; return that of an element."""
    yield from elements.NOISES.groups
    shared = {
        "type": _hidden_text(),
        "basis": EnumProperty(
            name="Noise",
            description="First noise of the chain",
            items=elements.basis_items(),
            get=lambda element: enum_number(element.type),
            set=_choose_basis,
            options={"SKIP_SAVE"},
        ),
        "muted": BoolProperty(name="Muted", description="Mute this filter"),
        "text": _hidden_text(),
        **_slots(noise_types().values()),
        **elements.NOISES.properties(),
    }
    text = "One noise of a chain"
    inner = group_class("TERRANE_PG_inner_element", (), description=text, extra=shared)
    yield inner
    shared[type_choice.INNER] = CollectionProperty(
        type=inner, name="Displacement", description="Noise that warps another"
    )
    outer = group_class("TERRANE_PG_element", (), description=text, extra=shared)
    yield outer
    return outer


def _choose_basis(element: Any, number: int) -> None:
    """Change the basis of an element, and the name of a layer that is named after its type.

    A picture is shown unchanged: the fractal around it, which would add smaller copies, is muted.
    """
    key = elements.basis_key(number)
    elements.set_type(element, key)
    path = element.path_from_id()
    holder = element.id_data.path_resolve(path.rpartition(".")[0])
    if not getattr(holder, "is_named", True):
        layers.set_name(holder, noise_label(key))
    if chains.is_picture(key) and path.endswith("[0]") and hasattr(holder, "chain"):
        for filter_element in list(holder.chain)[1:]:
            filter_element.muted = filter_element.muted or filter_element.type == Fractal.key


def _mask_classes(element: type) -> Generator[type, None, type]:
    """Yield the groups of the sources of masks that have parameters, and that of a mask; return it."""
    yield from mask_settings.MASKS.groups
    shared = {
        "source": EnumProperty(
            name="Mask",
            description="Source of the mask, read when the layer acts",
            items=mask_settings.source_items(),
            default=mask_settings.EVERYWHERE,
        ),
        **mask_settings.MASKS.properties(),
        "chain": CollectionProperty(type=element, name="Chain"),
        "active_element": IntProperty(min=0, options={"HIDDEN"}),
        **_slots(map_types().values()),
        "text": _hidden_text(),
        "map_text": _hidden_text(),
    }
    text = "Where a layer acts"
    limits = Mask.parameters()
    half = group_class(
        "TERRANE_PG_half_mask", limits, description=text, extra=shared, animated=None
    )
    yield half
    for source in mask_settings.sources().values():
        for parameter in source.parameters:
            if parameter.kind == "mask":
                shared[parameter.name] = PointerProperty(
                    type=half, name=parameter.title, description=parameter.help
                )
    mask = group_class("TERRANE_PG_mask", limits, description=text, extra=shared, animated=None)
    yield mask
    return mask


def _follow_name(entry: Any, context: Any) -> None:
    """Update masks that refer to a layer by name after it is renamed."""
    old, new = entry.known_name, entry.name
    entry.known_name = new
    entry.is_named = entry.is_named or old != new
    siblings = [
        sibling for sibling in getattr(layers.settings_of(entry), layers.LAYERS) if sibling != entry
    ]
    if old and old != new and all(sibling.name != old for sibling in siblings):
        for held, name in (
            pair for sibling in siblings for pair in mask_settings.layer_references(sibling.mask)
        ):
            if getattr(held, name) == old:
                setattr(held, name, new)
    changes.on_change(entry, context)


def _find_mask_image(entry: Any, name: str) -> None:
    """Point an entry to the image of the name that it was given, if there is one."""
    owner = entry.id_data
    image = bpy.data.images.get(name)
    if image is not None and (image == owner or image.source == "VIEWER" or _has(owner, name)):
        image = None
    if entry.mask_image != image:
        entry.mask_image = image


def _has(owner: bpy.types.ID, name: str) -> bool:
    """Return whether a terrain has a vertex group or an attribute of a name; these take precedence."""
    if not isinstance(owner, bpy.types.Object) or owner.type != "MESH":
        return False
    return name in group_names(owner) or name in attribute_names(meshes.mesh_of(owner))


def group_names(owner: bpy.types.Object | bpy.types.Mesh) -> set[str]:
    """Return the names of a mesh's vertex groups, which only objects list."""
    sharing = [owner] if isinstance(owner, bpy.types.Object) else bpy.data.objects
    owners = (obj for obj in sharing if owner in (obj, obj.data))
    return {group.name for obj in owners for group in obj.vertex_groups}


def attribute_names(mesh: bpy.types.Mesh) -> list[str]:
    """Return the names of a mesh's attributes that can be masks."""
    return [
        attribute.name
        for attribute in mesh.attributes
        if attribute.domain == "POINT"
        and attribute.data_type == "FLOAT"
        and not attribute.name.startswith(".")
    ]
