# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains: a noise taken apart into its basis, its fractal and its filters, and put together.

In Python a chain is one noise around another, each the *primary source* of the next: the first
parameter of its type that is a noise. The innermost, without such a parameter, is the *basis*.
`elements` lists them from the basis outward; each filter in the list holds a placeholder as its
source. Files and the panel show a chain as this list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ..base.errors import ParameterError
from ..noises.bases.noise import Noise, noise_types
from ..noises.constant import Constant

PLACEHOLDER = Constant(value=0.0)
"""Primary source of a filter that is not part of a chain."""

Elements = tuple[Noise, ...]
"""A basis and filters in the order in which they are applied, or filters alone."""


# --- types -------------------------------------------------------------------------------------


def primary_source(cls: type[Noise]) -> str | None:
    """Return the name of the parameter that holds a type's primary source; None for a basis."""
    return cls.name_of("noise")


def is_filter(cls: type[Noise]) -> bool:
    """Return whether a type changes another noise; otherwise it is a basis.

    Examples
    --------
    >>> from noise_core.noises import Clamp, Perlin
    >>> from noise_core.recipes.chains import is_filter
    >>> is_filter(Clamp), is_filter(Perlin)
    (True, False)
    """
    return primary_source(cls) is not None


def is_joint(cls: type[Noise]) -> bool:
    """Return whether a type joins two noises, for which recipes have layers and groups."""
    from ..noises.blend import Blend

    return issubclass(cls, Blend)


def has_joint(noise: Noise) -> bool:
    """Return whether an element of a noise's chain joins two noises.

    Examples
    --------
    >>> from noise_core.noises import Blend, Perlin
    >>> from noise_core.recipes.chains import has_joint
    >>> has_joint(Blend()), has_joint(Perlin())
    (True, False)
    """
    while (source := primary_source(type(noise))) is not None:
        if is_joint(type(noise)):
            return True
        noise = getattr(noise, source)
    return False


def basis_types() -> Mapping[str, type[Noise]]:
    """Return the types that a chain can begin with, by key.

    Examples
    --------
    >>> from noise_core.recipes.chains import basis_types
    >>> "perlin" in basis_types(), "clamp" in basis_types()
    (True, False)
    """
    return {key: cls for key, cls in noise_types().items() if not is_filter(cls)}


def filter_types() -> Mapping[str, type[Noise]]:
    """Return the types that can follow in the chain of a layer, by key.

    Examples
    --------
    >>> from noise_core.recipes.chains import filter_types
    >>> "clamp" in filter_types(), "perlin" in filter_types()
    (True, False)
    """
    return {key: cls for key, cls in noise_types().items() if is_filter(cls) and not is_joint(cls)}


def is_picture(key: str) -> bool:
    """Return whether a basis type shows a stored picture; False for an unknown key.

    A picture is format_value as it is when it is chosen: octaves would lay smaller copies of it over it.
    """
    cls = basis_types().get(key)
    return cls is not None and any(parameter.kind == "pixels" for parameter in cls.parameters())


# --- taking apart and putting together -----------------------------------------------------------


def elements(noise: Noise) -> Elements:
    """Return the basis of a noise and the filters on it, from the basis outward.

    Examples
    --------
    >>> from noise_core.noises import Absolute, Fractal, Perlin
    >>> from noise_core.recipes.chains import elements
    >>> [element.key for element in elements(Absolute(source=Fractal(source=Perlin())))]
    ['perlin', 'fractal', 'abs']
    """
    filters = []
    while (source := primary_source(type(noise))) is not None:
        filters.append(unplug(noise))
        noise = getattr(noise, source)
    return (noise, *reversed(filters))


def from_elements(chain: Sequence[Noise]) -> Noise:
    """Return the noise that elements make, from the basis outward.

    The first may be a filter, which then keeps the source that it has.

    Raises
    ------
    ParameterError
        If there are none, or one after the first takes no source.

    Examples
    --------
    >>> from noise_core.noises import Fractal, Perlin
    >>> from noise_core.recipes.chains import elements, from_elements
    >>> noise = Fractal(source=Perlin(frequency=3.0))
    >>> from_elements(elements(noise)) == noise
    True
    """
    if not chain:
        raise ParameterError("a chain must have at least one noise; got none")
    return add_filters(chain[0], chain[1:])


def add_filters(noise: Noise, filters: Sequence[Noise]) -> Noise:
    """Return a noise with filters on it, in the order in which they are applied.

    Raises
    ------
    ParameterError
        If one of them takes no source.

    Examples
    --------
    >>> from noise_core.noises import Clamp, Perlin
    >>> from noise_core.recipes.chains import add_filters
    >>> add_filters(Perlin(), (Clamp(maximum=0.2),)).bounds()
    (-0.5, 0.2)
    """
    for item in filters:
        noise = with_source(item, noise)
    return noise


def with_source(element: Noise, source: Noise) -> Noise:
    """Return a filter with another primary source.

    Raises
    ------
    ParameterError
        If it takes none.
    """
    name = primary_source(type(element))
    if name is None:
        raise ParameterError(
            "{} takes no source, so it can only stand first in a chain", type(element).label
        )
    if getattr(element, name) == source:
        return element
    return cast(Noise, element.with_values(**{name: source}))


def unplug(element: Noise) -> Noise:
    """Return a filter with a placeholder as its primary source."""
    return with_source(element, PLACEHOLDER)


def replace_element(noise: Noise, place: int, element: Noise) -> Noise:
    """Return a chain with another element at a place, counted from the basis, 0."""
    chain = list(elements(noise))
    chain[place] = element
    return from_elements(chain)


def own_values(noise: Noise) -> Mapping[str, object]:
    """Return the parameters of a noise by name, without its primary source."""
    source = primary_source(type(noise))
    return {
        parameter.name: getattr(noise, parameter.name)
        for parameter in noise.parameters()
        if parameter.name != source
    }
