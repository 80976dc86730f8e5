# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of a chain: conversion between a collection of properties and noises.

An element is one noise of a chain: a basis such as Perlin, or a filter around the elements before
it. Each noise type has a group of properties made from its declaration, under the type's key.
Values that no property can hold (pixels without an image, a noise within a noise) are kept as JSON
text.

A noise that is a second source of an element, such as the displacement of a warp, is a separate
chain, `INNER`. Its elements have no inner chains; deeper ones are kept as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ....noise_core.base.errors import RecipeError
from ....noise_core.base.params import Parameter
from ....noise_core.noises.bases.noise import Noise, noise_types
from ....noise_core.noises.curve import Curve
from ....noise_core.recipes import chains
from ....noise_core.recipes.layers import Group
from ..interface.icons import noise_icon
from . import animation
from .enum_items import enum_number, grouped_items, type_items
from .type_choice import TypeChoice
from .values import make_object, read_object, write_object

INNER = "inner"

Images = Mapping[str, Any]
"""Images that parameters take their pixels from, by the path of the parameter in a chain."""

Bypassed = Sequence[tuple[int, Noise]]
"""The muted elements of a chain, by their place."""


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


NOISES = TypeChoice(
    "noise",
    lambda: {key: (cls.label, own_parameters(cls)) for key, cls in noise_types().items()},
    animated=None,
)
"""Groups of the parameters of all noise types, in elements."""


def element_class(element: Any) -> type[Noise] | None:
    """Return an element's noise type, None if it is not known."""
    return noise_types().get(element.type)


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
    write_default_inner(element)


# Reading


def read_chain(elements: Iterable[Any]) -> Noise:
    """Return the noise of a chain that begins with a basis, without its muted elements.

    Raises a TerraneError if a type is not known, or a setting is not allowed.
    """
    noise: Noise | None = None
    for place, element in enumerate(elements):
        if not (element.muted and place):
            noise = _read_element(element, noise)
    if noise is None:
        raise RecipeError("a chain must begin with a noise; got no element")
    return noise


def read_filters(elements: Iterable[Any], *, is_muted: bool = False) -> tuple[Noise, ...]:
    """Return the filters of a chain without a basis, each with a placeholder as its source.

    Only the muted ones are returned, or only the others.
    """
    return tuple(
        _read_element(element, chains.PLACEHOLDER)
        for element in elements
        if element.muted == is_muted
    )


def _read_element(element: Any, source: Noise | None) -> Noise:
    cls = element_class(element)
    if cls is None:
        raise RecipeError(
            "Update Terrane or remove the element: the noise type {!r} is unknown",
            element.type,
        )
    values = read_object(cls, element.text, (own_group(element), own_parameters(cls)))
    if (name := inner_parameter(cls)) is not None and getattr(element, INNER, None):
        values[name] = read_chain(getattr(element, INNER))
    if source is not None:
        values[str(chains.primary_source(cls))] = source
    noise: Noise = make_object(cls, values)
    return noise


# Writing


def write_chain(
    elements: Any,
    noises: Iterable[Noise],
    images: Images = MappingProxyType({}),
    path: str = "",
    bypassed: Bypassed = (),
) -> None:
    """Write the noises of a chain into a collection of elements, from the basis outward, without their sources.

    Images hold pixels of parameters, by path: "0.pixels" is a parameter of the first element; `path`
    begins the paths in this chain. Bypassed are muted elements, by their place among all.
    """
    noises, muted = list(noises), {place for place, _ in bypassed}
    for place, noise in bypassed:
        noises.insert(place, noise)
    if [element.type for element in elements] != [type(noise).key for noise in noises]:
        elements.clear()
    for place, noise in enumerate(noises):
        element = elements[place] if place < len(elements) else elements.add()
        element.muted = place in muted
        write_element(element, noise, images, f"{path}{place}.")


def write_element(
    element: Any, noise: Noise, images: Images = MappingProxyType({}), path: str = ""
) -> None:
    """Write a noise into one element; see `write_chain`."""
    cls = type(noise)
    element.type = cls.key
    element.text = ""
    apart: set[str] = set()
    inner = inner_parameter(cls)
    if inner is not None and hasattr(element, INNER):
        noises = chains.elements(getattr(noise, inner))
        if any(chains.is_joint(type(member)) for member in noises):
            element.inner.clear()
        else:
            apart.add(inner)
            write_chain(element.inner, noises, images, f"{path}{INNER}.")
    for parameter in own_parameters(cls):
        if parameter.kind == "pixels":
            image = images.get(f"{path}{parameter.name}")
            setattr(own_group(element), parameter.name, image)
            if image is not None:
                apart.add(parameter.name)
    kept = [parameter for parameter in own_parameters(cls) if parameter.name not in apart]
    element.text = write_object(noise, (own_group(element), kept))


def write_default_inner(element: Any) -> None:
    """Write the default inner chain into an element whose type has one."""
    cls = noise_types()[element.type]
    name = inner_parameter(cls)
    if name is not None and hasattr(element, INNER):
        write_chain(element.inner, chains.elements(getattr(cls(), name)))


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
        (place, read_filters([element], is_muted=True)[0])
        for place, element in enumerate(holder.chain)
        if element.muted and place >= least_element(holder) and element_class(element) is not None
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
    write_element(chain.add(), new)
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


def image_paths(elements: Iterable[Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the images that a chain takes pixels from, each with the path of its parameter."""
    for place, element in enumerate(elements):
        cls = element_class(element)
        for parameter in () if cls is None else own_parameters(cls):
            if parameter.kind == "pixels" and (
                image := getattr(own_group(element), parameter.name)
            ):
                yield f"{path}{place}.{parameter.name}", image
        yield from image_paths(getattr(element, INNER, ()), f"{path}{place}.{INNER}.")
