# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions that write noises as nodes, by the noises' keys, and how faithful the nodes are.

A file in `writers/` registers a function for each noise. Noises without one are refused, some on purpose.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .....noise_core.base.errors import Message, ParameterError
from .....noise_core.noises.bases.noise import Noise, noise_types
from .....noise_core.noises.fractal import Fractal

EXACT, ALIKE, REFUSED = "exact", "alike", "refused"
"""Fidelity of nodes: the same values; the same statistics, but another pattern; not possible."""

Write = Callable[[Any, Any, Any], Any]
"""Called with the noise, the `NoiseGraph` and the `Domain`; adds nodes and returns the value."""

Octaves = Callable[[Any, Fractal, Any, Any], Any]
"""Called with the source, its fractal, `NoiseGraph` and `Domain`; returns the value of the fractal in
one node, None if that node cannot do it."""

Refusal = Callable[[Any, int], str]
"""Called with the noise and the number of dimensions; returns why these parameters have no nodes, or ""."""


@dataclass(frozen=True)
class NodeWriter:
    """One noise type as nodes."""

    key: str
    fidelity: str  # one of "exact", "alike", "refused"
    note: str  # the differences, or why there are no nodes and which noise comes nearest
    write: Write | None = None  # None if refused
    octaves: Octaves | None = None  # None where no node sums octaves of this noise
    refusal: Refusal | None = None
    further_dimensions: int = 0  # how many more its children have


_NOT_POSSIBLE: Mapping[str, str] = {
    "blue": Message("its values come from a table: use White Noise, or bake an image."),
    "craters": Message("each crater lies on older ones: use Cellular, or bake an image."),
    "feature_curves": Message("it is solved as a whole: use a baked image."),
    "gabor": Message("its waves cross many cells: use Wave, or bake an image."),
    "gullies": Message("it follows the slopes of its source: use a ridged fractal, or bake an image."),
    "scatter": Message("its shapes cross many cells: use Cellular, or bake an image."),
    "sparse_convolution": Message("its blobs cross many cells: use Perlin, or bake an image."),
    "wavelet": Message("each coefficient sums many cells: use Perlin, or bake an image."),
    "weave": Message("a table decides which thread lies on top: use Bricks, or bake an image."),
}  # fmt: skip
"""Why some noises cannot be written as nodes, and which noise comes nearest."""

_REGISTRY = {key: NodeWriter(key, REFUSED, note) for key, note in _NOT_POSSIBLE.items()}


def node_writer(key: str, fidelity: str, note: str = "", **more: Any) -> Callable[[Write], Write]:
    """Register the function that writes a noise; see `NodeWriter`."""

    def register(write: Write) -> Write:
        _REGISTRY[key] = NodeWriter(key, fidelity, note, write, **more)
        return write

    return register


def filter_writer(key: str, note: str = "") -> Callable[[Write], Write]:
    """Register a function that is called with the noise, the graph and the value of its source."""

    def register(change: Write) -> Write:
        @node_writer(key, EXACT, note)
        def write(noise: Any, graph: Any, domain: Any) -> Any:
            return change(noise, graph, graph.noise(noise.source, domain))

        return change

    return register


@functools.cache
def _load_writers() -> Mapping[str, NodeWriter]:
    folder = importlib.import_module(f"{__package__}.writers")
    for module in pkgutil.iter_modules(folder.__path__):
        importlib.import_module(f"{folder.__name__}.{module.name}")
    return _REGISTRY


def writers() -> Mapping[str, NodeWriter]:
    """Return the writers of all noise types, by their keys; types without a file have no note."""
    loaded = _load_writers()
    return {key: loaded.get(key) or NodeWriter(key, REFUSED, "") for key in noise_types()}


def check(noise: Noise, dimension: int) -> None:
    """Raise an error unless a noise and all its sources can be written in a number of dimensions."""
    writer, label = writers()[noise.key], noise.label
    reason = writer.refusal(noise, dimension) if writer.refusal else ""
    if writer.write is None and not writer.note:
        raise ParameterError("{} has no nodes yet; bake it with an image instead", label)
    if writer.write is None or reason:
        raise ParameterError("{} cannot be converted to nodes: {}", label, reason or writer.note)
    for child in noise.children().values():
        check(child, dimension + writer.further_dimensions)


def all_noises(noise: Noise) -> list[Noise]:
    """Return a noise and all its sources."""
    noises = [noise]
    for child in noise.children().values():
        noises += all_noises(child)
    return noises
