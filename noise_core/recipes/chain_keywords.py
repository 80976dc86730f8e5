# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of chains by keyword, as scripts set them.

`values` reads them, `with_values` sets them:

* ``noise``, ``frequency``: the type and the frequency of the basis;
* ``fractal``, ``octaves``, ``persistence``, ``lacunarity``: those of the outermost `Fractal`;
  ``fractal`` is its kind, ``"none"`` if there is none;
* ``warp``: the strength of the outermost `Warp`, 0 if there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ..base.errors import ParameterError, format_value
from ..noises.bases.noise import Noise
from ..noises.fractal import Fractal
from .chains import (
    PLACEHOLDER,
    basis_types,
    elements,
    from_elements,
    is_picture,
    own_values,
)

if TYPE_CHECKING:
    from ..noises.warp import Warp

NONE = "none"
"""Value of the keyword ``fractal`` for no fractal."""

KEYWORDS = ("noise", "fractal", "octaves", "frequency", "persistence", "lacunarity", "warp")
"""The keywords that `with_values` takes."""

OF_FRACTALS = ("octaves", "persistence", "lacunarity")
"""The keywords of a fractal besides its kind."""


def values(noise: Noise) -> dict[str, object]:
    """Return the values of a chain by keyword; those that it does not have are left out.

    Examples
    --------
    >>> from noise_core.noises import Fractal, Perlin
    >>> from noise_core.recipes.chain_keywords import values
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
    >>> from noise_core.recipes.chain_keywords import with_values
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
    >>> from noise_core.recipes.chain_keywords import unused_values
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
    >>> from noise_core.recipes.chain_keywords import frequency_of
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
    >>> from noise_core.recipes.chain_keywords import frequency_rank
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
    >>> from noise_core.recipes.chain_keywords import scale_frequencies
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
