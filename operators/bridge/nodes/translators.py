# SPDX-License-Identifier: GPL-3.0-or-later
"""Who writes which noise as nodes, and how true the nodes are to it.

Each noise of the core has a file in `noises/`, which registers the function that writes its nodes
or says why there is none. A new noise has to decide: a test compares this registry with the core's.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ....noise_core.errors import ParameterError
from ....noise_core.noise import Noise, noise_types
from ....noise_core.noises.fractal import Fractal

EXACT, ALIKE, REFUSED = "exact", "alike", "refused"
"""How true nodes are: the same values; the same statistics, but another pattern; not possible."""

Write = Callable[[Any, Any, Any], Any]
"""Called with the noise, the `Graph` and the `Domain`; adds nodes and returns the value's socket."""

Octaves = Callable[[Any, Fractal, Any, Any], Any]
"""Called with the source, its fractal, `Graph` and `Domain`: the fractal in one node, None if that
node cannot do it."""

Refusal = Callable[[Any, int], str]
"""Called with the noise and the number of dimensions; why these parameters cannot be said, or ""."""


@dataclass(frozen=True)
class Translator:
    """What is known about one noise type.

    Attributes
    ----------
    key : str
        Of the noise type.
    faith : {"exact", "alike", "refused"}
    note : str
        What differs, or why there are no nodes and what comes nearest.
    write : callable or None
        See `Write`; None if refused.
    octaves : callable or None
        See `Octaves`; None where no node sums octaves of this noise.
    refusal : callable or None
        See `Refusal`.
    further_dimensions : int
        How many more its children have.
    """

    key: str
    faith: str
    note: str
    write: Write | None = None
    octaves: Octaves | None = None
    refusal: Refusal | None = None
    further_dimensions: int = 0


_REGISTRY: dict[str, Translator] = {}


def translates(
    key: str,
    faith: str,
    note: str,
    *,
    octaves: Octaves | None = None,
    refusal: Refusal | None = None,
    further_dimensions: int = 0,
) -> Callable[[Write], Write]:
    """Register the function that writes a noise; see `Translator`."""

    def register(write: Write) -> Write:
        _REGISTRY[key] = Translator(key, faith, note, write, octaves, refusal, further_dimensions)
        return write

    return register


def refuses(key: str, note: str) -> None:
    """Register that a noise cannot be said with nodes, why, and what comes nearest."""
    _REGISTRY[key] = Translator(key, REFUSED, note)


@functools.cache
def translators() -> Mapping[str, Translator]:
    """Return what is known about each noise type, by its key."""
    folder = importlib.import_module(f"{__package__}.noises")
    for module in pkgutil.iter_modules(folder.__path__):
        importlib.import_module(f"{folder.__name__}.{module.name}")
    return _REGISTRY


def check(noise: Noise, dimension: int) -> None:
    """Look through a whole tree of noises before anything is written.

    Parameters
    ----------
    noise : Noise
        The root.
    dimension : int
        2 for a flat texture, 3 for a solid one.

    Raises
    ------
    ParameterError
        If any noise in it cannot be said with nodes.
    """
    translator = translators().get(noise.key)
    label = noise_types()[noise.key].label
    if translator is None:
        raise ParameterError("{} has no nodes yet; bake it with an image instead", label)
    if translator.write is None:
        raise ParameterError("{} cannot be said with nodes: {}", label, translator.note)
    reason = translator.refusal(noise, dimension) if translator.refusal else ""
    if reason:
        raise ParameterError("{} cannot be said with nodes: {}", label, reason)
    for child in noise.children().values():
        check(child, dimension + translator.further_dimensions)


def all_noises(noise: Noise) -> list[Noise]:
    """Return a noise and all that it is made of."""
    found = [noise]
    for child in noise.children().values():
        found += all_noises(child)
    return found
