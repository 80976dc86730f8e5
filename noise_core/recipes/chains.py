# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains: a noise taken apart into its basis, its fractal and its filters, and put together.

In Python a chain is one noise around another, each the *primary source* of the next: the first
parameter of its type that is a noise. The innermost, without such a parameter, is the *basis*.
`elements` lists them from the basis outward; each filter in the list holds a placeholder as its
source. Files and the panel show a chain as this list.

Scripts set a few values of a chain by keyword (`values`, `with_values`):

* ``noise``, ``frequency``: the type and the frequency of the basis;
* ``fractal``, ``octaves``, ``persistence``, ``lacunarity``: those of the outermost `Fractal`;
  ``fractal`` is its kind, ``"none"`` if there is none;
* ``warp``: the strength of the outermost `Warp`, 0 if there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ..base.errors import ParameterError, format_value
from ..noises.bases.noise import Noise, noise_types
from ..noises.constant import Constant
from ..noises.fractal import Fractal

if TYPE_CHECKING:
    from ..noises.warp import Warp

NONE = "none"
"""Value of the keyword ``fractal`` for no fractal."""

KEYWORDS = ("noise", "fractal", "octaves", "frequency", "persistence", "lacunarity", "warp")
"""The keywords that `with_values` takes."""

OF_FRACTALS = ("octaves", "persistence", "lacunarity")
"""The keywords of a fractal besides its kind."""

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


# --- values by keyword ---------------------------------------------------------------------------


def values(noise: Noise) -> dict[str, object]:
    """Return the values of a chain by keyword; those that it does not have are left out.

    Examples
    --------
    >>> from noise_core.noises import Fractal, Perlin
    >>> from noise_core.recipes.chains import values
    >>> chain = values(Fractal(source=Perlin(frequency=3.0), octaves=5.0))
    >>> chain["noise"], chain["frequency"], chain["octaves"]
    ('perlin', 3.0, 5.0)
    """
    chain = elements(noise)
    fractal, warp = _outermost_fractal(chain), _outermost_warp(chain)
    keywords: dict[str, object] = {"noise": chain[0].key}
    frequency = frequency_of(noise)
    if frequency is not None:
        keywords["frequency"] = frequency
    keywords["fractal"] = NONE if fractal is None else fractal.kind
    if fractal is not None:
        keywords.update({name: getattr(fractal, name) for name in OF_FRACTALS})
    keywords["warp"] = 0.0 if warp is None else warp.strength
    return keywords


def with_values(
    source: Noise,
    /,
    *,
    noise: str | None = None,
    frequency: float | None = None,
    fractal: str | None = None,
    octaves: float | None = None,
    persistence: float | None = None,
    lacunarity: float | None = None,
    warp: float | None = None,
) -> Noise:
    """Return a chain with some values set; None leaves a value as it is.

    Octaves and the like bring a plain fractal with them where there is none, unless ``fractal`` is
    ``"none"``. A frequency other than that of the basis scales all frequencies of the chain by the
    same ratio, so that its parts keep their proportions. A picture as ``noise`` has no fractal and
    a frequency of 1, unless the arguments say more; see `is_picture`. A value that the chain has no use for
    is refused.

    Parameters
    ----------
    source : Noise
        The chain.
    noise, frequency, fractal, octaves, persistence, lacunarity, warp
        See the module.

    Raises
    ------
    ParameterError
        If a value is not allowed, or would change nothing: a frequency of a noise that has none, octaves
        without a fractal.

    Examples
    --------
    >>> from noise_core.noises import Fractal
    >>> from noise_core.recipes.chains import with_values
    >>> noise = with_values(Fractal(), octaves=8.0, frequency=3.0)
    >>> noise.octaves, noise.source.frequency
    (8.0, 3.0)
    """
    of_fractal: dict[str, object] = {
        name: value
        for name, value in zip(OF_FRACTALS, (octaves, persistence, lacunarity))
        if value is not None
    }
    given = {"noise": noise, "frequency": frequency, "fractal": fractal, **of_fractal}
    for name, label in unused_values(source, given).items():
        raise ParameterError("{} changes nothing: {} has none; leave it out", name, label)
    chain = list(elements(source))
    if noise is not None and noise != chain[0].key:
        if is_picture(noise):
            fractal = fractal or (None if of_fractal else NONE)
            frequency = 1.0 if frequency is None else frequency
        chain[0] = _new_basis(noise, frequency_of(source))
    chain = _set_fractal(chain, fractal, of_fractal)
    chain = _set_warp(chain, warp)
    return _set_frequency(from_elements(chain), frequency)


def unused_values(source: Noise, given: Mapping[str, object]) -> dict[str, str]:
    """Return the keywords among some values that would change nothing in a chain, and the noise that has no use for them.

    Examples
    --------
    >>> from noise_core.noises import Constant, Perlin
    >>> from noise_core.recipes.chains import unused_values
    >>> unused_values(Constant(), {"frequency": 3.0})
    {'frequency': 'Constant'}
    >>> unused_values(Perlin(), {"fractal": "none", "octaves": 3.0})
    {'octaves': 'Perlin'}
    """
    chain = list(elements(source))
    if (key := given.get("noise")) not in (None, chain[0].key):
        chain[0] = _new_basis(cast(str, key), None)
    label = chain[0].label
    has_fractal = given.get("fractal") != NONE
    unused = {} if has_fractal else {name: label for name in OF_FRACTALS if name in given}
    if given.get("frequency") is not None and frequency_of(from_elements(chain)) is None:
        unused["frequency"] = label
    return unused


def frequency_of(noise: Noise) -> float | None:
    """Return the frequency of a chain's basis, or else the first in the tree; None if there is none.

    Examples
    --------
    >>> from noise_core.noises import Constant, Fractal, Perlin
    >>> from noise_core.recipes.chains import frequency_of
    >>> frequency_of(Fractal(source=Perlin(frequency=3.0))), frequency_of(Constant())
    (3.0, None)
    """
    for element in (elements(noise)[0], *_all(noise)):
        if _has_frequency(type(element)):
            return cast(float, own_values(element)["frequency"])
    return None


def frequency_rank(noise: Noise) -> int:
    """Return 0 if a chain's basis has a frequency, 1 if another of its noises has one, 2 if none has.

    Examples
    --------
    >>> from noise_core.noises import Constant, Perlin, Warp
    >>> from noise_core.recipes.chains import frequency_rank
    >>> frequency_rank(Perlin()), frequency_rank(Warp(source=Constant())), frequency_rank(Constant())
    (0, 1, 2)
    """
    if _has_frequency(type(elements(noise)[0])):
        return 0
    return 1 if frequency_of(noise) is not None else 2


def scale_frequencies(noise: Noise, old: float, new: float) -> Noise:
    """Return the tree with all frequencies multiply by new / old, and `old` itself exactly `new`.

    Examples
    --------
    >>> from noise_core.noises import Perlin
    >>> from noise_core.recipes.chains import scale_frequencies
    >>> scale_frequencies(Perlin(frequency=4.0), 1.0, 2.0).frequency
    8.0
    """
    scaled: dict[str, object] = {}
    for parameter in noise.parameters():
        value = getattr(noise, parameter.name)
        if isinstance(value, Noise):
            scaled[parameter.name] = scale_frequencies(value, old, new)
        elif parameter.unit == "frequency" and isinstance(value, float):
            scaled[parameter.name] = new if value == old else value * (new / old)
    return cast(Noise, noise.with_values(**scaled)) if scaled else noise


def _new_basis(key: str, frequency: float | None) -> Noise:
    types = basis_types()
    if key not in types:
        raise ParameterError("noise must be one of {}", ", ".join(types), got=format_value(key))
    if _has_frequency(types[key]) and frequency is not None:
        return types[key](**{"frequency": frequency})
    return types[key]()


def _set_fractal(
    chain: list[Noise], kind: str | None, changes: Mapping[str, object]
) -> list[Noise]:
    """Return the chain with its outermost fractal changed, put around the basis, or taken out."""
    old = _outermost_fractal(chain)
    if kind == NONE:
        return [element for element in chain if element is not old]
    changed = dict(changes) if kind is None else {**changes, "kind": kind}
    if not changed:
        return chain
    if old is None:
        return [chain[0], Fractal(source=PLACEHOLDER, **changed), *chain[1:]]  # type: ignore[arg-type]
    return [
        cast(Noise, element.with_values(**changed)) if element is old else element
        for element in chain
    ]


def _set_warp(chain: list[Noise], strength: float | None) -> list[Noise]:
    """Return the chain with its outermost warp changed, put around the fractal, or taken out."""
    if strength is None:
        return chain
    old = _outermost_warp(chain)
    if strength == 0.0:
        return [element for element in chain if element is not old]
    if old is not None:
        return [
            cast(Noise, element.with_values(strength=strength)) if element is old else element
            for element in chain
        ]
    from ..noises.warp import Warp

    fractal = _outermost_fractal(chain)
    position = (
        1
        if fractal is None
        else 1 + next(i for i, element in enumerate(chain) if element is fractal)
    )
    return [*chain[:position], Warp(source=PLACEHOLDER, strength=strength), *chain[position:]]


def _set_frequency(noise: Noise, frequency: float | None) -> Noise:
    old = frequency_of(noise)
    if frequency is None or old is None or frequency == old:
        return noise
    return scale_frequencies(noise, old, frequency)


def _outermost_fractal(chain: Sequence[Noise]) -> Fractal | None:
    return next((element for element in reversed(chain) if isinstance(element, Fractal)), None)


def _outermost_warp(chain: Sequence[Noise]) -> Warp | None:
    from ..noises.warp import Warp

    return next((element for element in reversed(chain) if isinstance(element, Warp)), None)


def _has_frequency(cls: type[Noise]) -> bool:
    return any(
        parameter.name == "frequency" and parameter.kind == "number"
        for parameter in cls.parameters()
    )


def _all(noise: Noise) -> list[Noise]:
    """Return the noises of a tree, each before its children."""
    return [noise, *(inner for child in noise.children().values() for inner in _all(child))]
