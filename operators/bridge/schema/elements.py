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

import functools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatVectorProperty,
    PointerProperty,
    StringProperty,
)

from ....noise_core import chains
from ....noise_core.base.errors import RecipeError
from ....noise_core.base.params import Declared, Parameter
from ....noise_core.noises.constant import Constant
from ....noise_core.noises.fractal import Fractal
from ....noise_core.types.noise import Noise, noise_types
from ..interface.icons import noise_icon
from .keywords import noise_label, summary
from .properties import enum_number, group_class, grouped_items
from .values import assign_or_keep, held_values, read_parameters

TYPE = "type"
INNER = "inner"
TEXT = "text"

_PLACEHOLDER = Constant(value=0.0)
"""Source of a filter that is not part of a noise; see `chains.elements`."""

Images = Mapping[str, Any]
"""Images that parameters take their pixels from, by the path of the parameter in a chain."""


def own_parameters(cls: type[Noise]) -> tuple[Parameter, ...]:
    """Return the parameters of a noise type without its source."""
    return _own_parameters(cls.key)


@functools.cache
def _own_parameters(key: str) -> tuple[Parameter, ...]:
    cls = noise_types()[key]
    source = chains.primary_source(cls)
    return tuple(one for one in cls.parameters() if one.name != source)


def inner_parameter(cls: type[Noise]) -> str | None:
    """Return the parameter of a noise type that is an inner chain, None if it has none."""
    return _inner_parameter(cls.key)


@functools.cache
def _inner_parameter(key: str) -> str | None:
    return next((one.name for one in _own_parameters(key) if one.kind == "noise"), None)


def is_basis(cls: type[Noise]) -> bool:
    """Return whether a noise type stands at the beginning of chains."""
    return not chains.is_filter(cls)


def basis_items() -> list[Any]:
    """Return the enum items of the basis types, by family."""
    return _items(chains.basis_types())


def filter_items() -> list[Any]:
    """Return the enum items of the filter types, by family."""
    return _items(chains.filter_types())


def _items(types: Mapping[str, type[Noise]]) -> list[Any]:
    items = [
        (key, noise_label(key), summary(cls), noise_icon(key), enum_number(key))
        for key, cls in types.items()
    ]
    return grouped_items(items, lambda key: types[key].family.title())


def element_class(element: Any) -> type[Noise] | None:
    """Return an element's noise type, None if it is not known."""
    return noise_types().get(element.type)


def own_group(element: Any) -> Any:
    """Return the group with the parameters of an element's type."""
    return getattr(element, element.type)


# Classes


def classes() -> Iterator[type]:
    """Yield the property groups in the order of registration, that of an element last."""
    point = group_class(
        "TERRANE_PG_curve_point",
        (),
        description="A point of a curve",
        extra={
            "position": FloatVectorProperty(
                name="Position", description="The value that comes in, and what it becomes", size=2
            )
        },
    )
    yield point
    groups = {}
    for key, cls in noise_types().items():
        curves = {
            one.name: CollectionProperty(type=point, name=one.title, description=one.help)
            for one in own_parameters(cls)
            if one.kind == "curve"
        }
        groups[key] = group_class(
            f"TERRANE_PG_noise_{key}",
            own_parameters(cls),
            description=f"The parameters of {cls.label}",
            extra=curves,
        )
        yield groups[key]
    inner = _element_group("TERRANE_PG_inner_element", groups, {})
    yield inner
    chain = {
        INNER: CollectionProperty(
            type=inner, name="Displacement", description="The noise that bends another"
        )
    }
    yield _element_group("TERRANE_PG_element", groups, chain)


def _element_group(name: str, groups: Mapping[str, type], extra: Mapping[str, Any]) -> type:
    return group_class(
        name,
        (),
        description="One noise of a chain",
        extra={
            TYPE: StringProperty(options={"HIDDEN"}),
            "basis": EnumProperty(
                name="Noise",
                description="The noise that the layer begins with",
                items=basis_items(),
                get=_shown_basis,
                set=_choose_basis,
                options={"SKIP_SAVE"},
            ),
            "muted": BoolProperty(name="Muted", description="Leave this filter out"),
            TEXT: StringProperty(options={"HIDDEN"}),
            **{key: PointerProperty(type=cls) for key, cls in groups.items()},
            **extra,
        },
    )


@functools.cache
def _numbers() -> Mapping[int, str]:
    return {enum_number(key): key for key in chains.basis_types()}


def _shown_basis(element: Any) -> int:
    return enum_number(element.type)


def _choose_basis(element: Any, number: int) -> None:
    """Change the basis of an element, and the name of a layer that is named after its type.

    A picture is shown unchanged: the fractal around it, which would add smaller copies, is muted.
    """
    key = _numbers()[number]
    set_type(element, key)
    owner, path = element.id_data, element.path_from_id()
    holder = owner.path_resolve(path.rpartition(".")[0])
    if not getattr(holder, "is_named", True):
        holder.known_name = noise_label(key)
        holder.name = noise_label(key)
    if chains.is_picture(key) and path.endswith("[0]") and hasattr(holder, "chain"):
        for one in list(holder.chain)[1:]:
            one.muted = one.muted or one.type == Fractal.key


def set_type(element: Any, key: str) -> None:
    """Change the type of an element; it keeps its frequency if both types have one."""
    old = element_class(element)
    if key == element.type:
        return
    frequency = getattr(own_group(element), "frequency", None) if old is not None else None
    element.type, element.text = key, ""
    own = own_group(element)
    if frequency is not None and hasattr(own, "frequency"):
        own.frequency = frequency
    inner = inner_parameter(noise_types()[key])
    if inner is not None:
        noise = getattr(noise_types()[key](), inner)
        write_chain(element.inner, chains.elements(noise), {})


# Reading


def read_chain(elements: Iterable[Any]) -> Noise:
    """Return the noise of a chain that begins with a basis.

    An unchanged chain returns the same object: dragging a slider of another layer costs no more
    than reading the properties.

    Raises
    ------
    TerraneError
        If a type is not known, or a setting is not allowed.
    """
    return _noise(_chain_values(elements))


def read_filters(elements: Iterable[Any], *, is_muted: bool = False) -> tuple[Noise, ...]:
    """Return the filters of a chain without a basis, each with a placeholder as its source.

    Only the muted ones are returned, or only the others.
    """
    read = [_element_values(one) for one in elements if one.muted == is_muted]
    return tuple(_filter(one) for one in read)


ElementValues = tuple[type[Noise], tuple[tuple[str, object], ...]]
"""The type of an element and its values without its source; a chain in it is a `_ChainValues`."""


class _ChainValues(tuple[ElementValues, ...]):
    """Values of the elements of a chain; also the value of a parameter that is an inner chain."""


def _chain_values(elements: Iterable[Any]) -> _ChainValues:
    return _ChainValues(
        _element_values(one) for place, one in enumerate(elements) if not (one.muted and place)
    )


def _element_values(element: Any) -> ElementValues:
    cls = element_class(element)
    if cls is None:
        raise RecipeError(
            "the noise type {!r} is not known to this Terrane; update Terrane, or remove "
            "the element",
            element.type,
        )
    values = read_parameters(own_group(element), cls, element.text, own_parameters(cls))
    if (name := inner_parameter(cls)) is not None and getattr(element, INNER, None):
        values[name] = _chain_values(getattr(element, INNER))
    return cls, tuple(values.items())


def _noise(chain: _ChainValues) -> Noise:
    """Return the noise of a chain, from the cache if possible."""
    try:
        return _kept_noise(chain)
    except TypeError:  # pixels cannot be compared quickly
        return _new_noise(chain)


def _new_noise(chain: _ChainValues) -> Noise:
    noise: Noise | None = None
    for cls, values in chain:
        source = {} if noise is None else {str(chains.primary_source(cls)): noise}
        noise = _element(cls, values, source)
    if noise is None:
        raise RecipeError("a chain must begin with a noise; got no element")
    return noise


_kept_noise = functools.lru_cache(maxsize=256)(_new_noise)


def _filter(element: ElementValues) -> Noise:
    try:
        return _kept_filter(element)
    except TypeError:
        return _new_filter(element)


def _new_filter(element: ElementValues) -> Noise:
    cls, values = element
    return _element(cls, values, {str(chains.primary_source(cls)): _PLACEHOLDER})


_kept_filter = functools.lru_cache(maxsize=256)(_new_filter)


def _element(
    cls: type[Noise], values: Iterable[tuple[str, object]], source: Mapping[str, Noise]
) -> Noise:
    plain: dict[str, Any] = {
        name: _noise(one) if isinstance(one, _ChainValues) else one for name, one in values
    }
    return cls(**plain, **source)


# Writing


def write_chain(elements: Any, noises: Sequence[Noise], images: Images, path: str = "") -> None:
    """Write the noises of a chain into a collection of elements, from the basis outward.

    Parameters
    ----------
    elements : collection of elements
    noises : sequence of Noise
        Their sources are ignored.
    images : mapping of str to Image
        Images that hold pixels, by path: "0.pixels" is a parameter of the first element.
    path : str
        Prefix of the paths in this chain.
    """
    elements.clear()
    for place, noise in enumerate(noises):
        write_element(elements.add(), noise, images, f"{path}{place}.")


def write_element(element: Any, noise: Noise, images: Images, path: str = "") -> None:
    """Write a noise into one element; see `write_chain`."""
    cls = type(noise)
    element.type = cls.key
    element.text = ""
    names = [one.name for one in own_parameters(cls)]
    inner = inner_parameter(cls)
    if inner is not None and hasattr(element, INNER) and _is_chain(getattr(noise, inner)):
        names.remove(inner)
        noises = chains.elements(getattr(noise, inner))
        write_chain(element.inner, noises, images, f"{path}{INNER}.")
    for one in own_parameters(cls):
        if one.kind == "pixels":
            image = images.get(f"{path}{one.name}")
            setattr(own_group(element), one.name, image)
            if image is not None:
                names.remove(one.name)
    element.text = assign_or_keep(own_group(element), noise, names)


def _is_chain(noise: Noise) -> bool:
    """Return whether a noise has no joint on the way from its basis outward."""
    return not any(chains.is_joint(type(one)) for one in chains.elements(noise))


def reset_value(holder: Any, name: str) -> bool:
    """Replace a value that is kept as text by a property; return whether there was one."""
    plain = json.loads(holder.text) if holder.text else {}
    if name not in plain:
        return False
    del plain[name]
    holder.text = json.dumps(plain) if plain else ""
    cls = noise_types().get(holder.type)
    if cls is not None and name == inner_parameter(cls) and hasattr(holder, INNER):
        write_chain(holder.inner, chains.elements(getattr(cls(), name)), {})
    return True


def kept_values(holder: Any, cls: type[Declared]) -> Mapping[str, object]:
    """Return the values of an element or a layer that no property can hold, by parameter."""
    if not holder.text:
        return {}
    return {
        name: value
        for name, value in held_values(cls, holder.text).items()
        if isinstance(value, (Declared, np.ndarray))
    }


def image_paths(elements: Iterable[Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the images that a chain takes pixels from, each with the path of its parameter."""
    for place, element in enumerate(elements):
        cls = element_class(element)
        for one in () if cls is None else own_parameters(cls):
            if one.kind == "pixels":
                image = getattr(own_group(element), one.name)
                if image is not None:
                    yield f"{path}{place}.{one.name}", image
        yield from image_paths(getattr(element, INNER, ()), f"{path}{place}.{INNER}.")
