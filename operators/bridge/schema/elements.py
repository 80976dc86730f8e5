# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of a chain: their types, their conversion to noises, and their editing.

An element is one noise of a chain: a basis such as Perlin, or a filter around the elements before it. A noise
that is a second source of an element, such as the displacement of a warp, is a separate chain, `INNER`. Its elements
have no inner chains; deeper ones are kept as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....noise_core.base.params import Parameter
from ....noise_core.noises.bases.noise import Noise, noise_types
from ....noise_core.noises.curve import Curve
from ....noise_core.noises.elevation import ElevationRaster
from ....noise_core.recipes import chains
from ....noise_core.recipes.layers import Group
from ..interface.icons import noise_icon
from . import animation, curve_slots
from .enum_items import enum_number, grouped_items, type_items
from .type_choice import INNER, TreeChoice


def own_parameters(cls: type[Noise]) -> tuple[Parameter, ...]:
    """Return the parameters of a noise type without its source."""
    source = chains.primary_source(cls)
    return tuple(parameter for parameter in cls.parameters() if parameter.name != source)


def inner_parameter(cls: type[Noise]) -> str | None:
    """Return the parameter of a noise type that is an inner chain, None if it has none."""
    return next(
        (parameter.name for parameter in own_parameters(cls) if parameter.kind == "noise"), None
    )


def is_basis(cls: type[Noise]) -> bool:
    """Return whether a noise type stands at the beginning of chains."""
    return not chains.is_filter(cls)


def basis_items() -> list[Any]:
    """Return the enum items of the basis types, by family."""
    return _items(chains.basis_types())


def basis_key(number: int) -> str:
    """Return the key of the basis type that an enum stores under a number."""
    return next(key for key in chains.basis_types() if enum_number(key) == number)


def filter_items() -> list[Any]:
    """Return the enum items of the filter types, by family."""
    return _items(chains.filter_types())


def _items(types: Mapping[str, type[Noise]]) -> list[Any]:
    return grouped_items(type_items(types, noise_icon), lambda key: types[key].family.title())


MEASURED = ElevationRaster.key
"""Type of the noise that measured land is."""

NOISES = TreeChoice(
    "noise",
    lambda: {key: (cls.label, own_parameters(cls)) for key, cls in noise_types().items()},
    noise_types,
    (
        "Update Terrane or remove the element: the noise type {!r} is unknown",
        "type",
    ),
)
"""Elements, with groups of the parameters of all noise types."""

NOISES.nested["noise"] = NOISES


def own_group(element: Any) -> Any:
    """Return the group with the parameters of an element's type."""
    return NOISES.group(element, element.type)


def set_type(element: Any, key: str) -> None:
    """Change the type of an element; it keeps its frequency if both types have one."""
    if key == element.type:
        return
    frequency = getattr(own_group(element), "frequency", None)
    element.type, element.text = key, ""
    group = own_group(element)
    if frequency is not None and hasattr(group, "frequency"):
        group.frequency = frequency
    _write_default_curves(element)
    write_default_inner(element)


def _write_default_curves(element: Any) -> None:
    """Write the default curves into an element that follows none."""
    lists = NOISES.own_slots(element)
    if not any(len(slots) for slots in lists.values()):
        noise = noise_types()[element.type]()
        for name, slots in lists.items():
            curve_slots.write(slots, getattr(noise, name))


def write_default_inner(element: Any) -> None:
    """Write the default inner chain into an element whose type has one."""
    cls = noise_types()[element.type]
    name = inner_parameter(cls)
    if name is not None and hasattr(element, INNER):
        NOISES.write_chain(element.inner, chains.elements(getattr(cls(), name)))


# Editing: `holder` is an entry or a mask, which have a chain and an active element


def active_element(holder: Any) -> Any | None:
    """Return the element of a chain whose parameters the panel shows, None if there is none."""
    chain = holder.chain
    return chain[min(holder.active_element, len(chain) - 1)] if len(chain) else None


def least_element(holder: Any) -> int:
    """Return the first place in a chain whose element can be moved, muted and removed.

    All chains but those of groups begin with a basis, which stays.
    """
    return 0 if getattr(holder, "type", "") == Group.key else 1


def bypassed_filters(holder: Any) -> tuple[tuple[int, Noise], ...]:
    """Return the muted elements of a chain that are known, by their place."""
    return tuple(
        (place, NOISES.read_element(element))
        for place, element in enumerate(holder.chain)
        if element.muted
        and place >= least_element(holder)
        and NOISES.find_class(element) is not None
    )


def add_filter(holder: Any, key: str) -> None:
    """Insert a filter of a type after the active element of a chain; it becomes active."""
    place = min(holder.active_element + 1, len(holder.chain))
    insert_filter(holder, key, place)
    holder.active_element = place


def insert_filter(holder: Any, key: str, place: int) -> None:
    """Insert a filter of a type at a place of a chain."""
    chain = holder.chain
    new = chains.filter_types()[key]()
    if isinstance(new, Curve):
        new = Curve(interpolation="automatic")  # as its editor draws it
    NOISES.write_tree(chain.add(), new)
    animation.move(chain, len(chain) - 1, place)


def remove_element(holder: Any, place: int) -> None:
    """Remove an element of a chain; the one before it becomes active."""
    animation.remove(holder.chain, place)
    holder.active_element = max(0, place - 1)


def move_element(holder: Any, place: int, by: int) -> bool:
    """Move an element of a chain; return whether it could move."""
    if not least_element(holder) <= place + by < len(holder.chain):
        return False
    animation.move(holder.chain, place, place + by)
    holder.active_element = place + by
    return True
