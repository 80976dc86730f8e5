# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractals: one texture node where it can add the octaves itself, otherwise one group per octave."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ......noise_core.fractals.kinds import KINDS
from ......noise_core.fractals.sums import Mix
from ......noise_core.noises.fractal import Fractal
from ....schema.properties import enum_label
from ...sockets import Socket
from ..domain import VECTOR, Domain, W
from ..noise_graph import NoiseGraph, domain_sockets
from ..noise_textures import finish_sum, largest_ridge, mix_of
from ..registry import ALIKE, node_writer, writers

AMPLITUDE, NUMBER, SUM, WEIGHT, OFFSET = "Amplitude", "Number", "Sum", "Weight", "Offset"

Octave = Callable[[NoiseGraph, Any, Mapping[str, Any], Fractal, Mix], dict[str, Any]]
"""Called with the octave's value and what comes in; returns the next sum and weight."""


@node_writer(
    "fractal",
    ALIKE,
    "a texture's octaves share one seed and lattice; no band limit.",
)
def write(noise: Fractal, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the octaves."""
    graph.set_title(f"{enum_label(noise.kind)} of {noise.source.label}")
    source = writers()[noise.source.key]
    found = source.octaves(noise.source, noise, graph, domain) if source.octaves else None
    if found is None:
        return _write_octaves(noise, graph, domain)
    graph.note(f"{noise.source.label}: {source.note}")
    graph.set_title(f"{enum_label(noise.kind)} of {noise.source.label}")
    return found


def _write_octaves(noise: Fractal, graph: NoiseGraph, domain: Domain) -> Any:
    mix = mix_of(noise)
    group = _octave_group(noise, graph, domain, mix)
    before: Any = None
    for octave in range(math.ceil(noise.octaves)):
        own = 0 if noise.octave_seeds == "same" else octave  # child 0 keeps the seed
        numbers: dict[str, Any] = {NUMBER: own, AMPLITUDE: mix.amplitudes[octave]}
        numbers |= _FACTORS.get(noise.kind, _no_factors)(mix, octave)
        if before is None:
            numbers[SUM] = _FIRST.get(noise.kind, 0.0)
        else:
            numbers |= {name: before[name] for name in group.results}
        label = f"Octave {octave + 1}"
        before = graph.instance(group, label, None if before else domain, numbers)
    return _ENDS.get(noise.kind, _end_of_sum)(noise, graph, before[SUM], mix)


def _octave_group(noise: Fractal, graph: NoiseGraph, domain: Domain, mix: Mix) -> NoiseGraph:
    """Return the group of one octave, which hands on the domain of the next one and the sum so far."""
    extra = [
        Socket(NUMBER, "INT", help="Number of the octave: gives it another seed"),
        Socket(AMPLITUDE, default=1.0, help="How strong it is"),
        Socket(OFFSET, default=mix.offset, help="Added to the noise"),
        Socket(SUM, help="Of the octaves before"),
        Socket(WEIGHT, default=1.0, help="Of this octave, by the ones before"),
    ]
    results = [
        *domain_sockets(domain),
        Socket(SUM, help="With this octave"),
        Socket(WEIGHT, help="Of the next octave"),
    ]
    inner = graph.inner("Octave", domain, extra, results)
    inside = inner.domain(domain.dimension)
    with inner.titled_frame("This octave"):
        own = inner.child(inside, inner.inputs[NUMBER])
    value = inner.noise(noise.source, own)
    with inner.titled_frame(enum_label(noise.kind)):
        handed = _OCTAVES[noise.kind](inner, value, inner.inputs, noise, mix)
    with inner.titled_frame("The next octave"):
        vector = inside.vector
        if noise.rotation:
            vector = inner.rotate(vector, math.radians(noise.rotation))
        handed |= inside.sockets()
        handed[VECTOR] = inner.vector_math("SCALE", vector, noise.lacunarity, label="Lacunarity")
        if inside.w is not None:
            handed[W] = inside.w * noise.lacunarity
    inner.finish(handed, is_trimmed=True)
    return inner


def _add_octave(
    graph: NoiseGraph, part: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    """Add an octave that is shaped already, weighted by the ones before."""
    weight, factor = inputs[WEIGHT], inputs[AMPLITUDE]
    if not mix.weighted_strength:
        return {SUM: graph.math("MULTIPLY_ADD", part, factor, inputs[SUM])}
    scaled = factor * weight
    total = graph.math("MULTIPLY_ADD", part, scaled, inputs[SUM])
    unit = graph.to_unit(part)
    strength = mix.weighted_strength
    share = graph.affine(unit, strength, 1.0 - strength, "Less on low ground")
    return {SUM: total, WEIGHT: share * weight}


def _add_fbm(graph: NoiseGraph, value: Any, *rest: Any) -> dict[str, Any]:
    return _add_octave(graph, value, *rest)


def _add_billow(graph: NoiseGraph, value: Any, *rest: Any) -> dict[str, Any]:
    folded = graph.math("ABSOLUTE", value)
    return _add_octave(graph, graph.affine(folded, 2.0, -1.0), *rest)


def _add_turbulence(graph: NoiseGraph, value: Any, *rest: Any) -> dict[str, Any]:
    return _add_octave(graph, graph.math("ABSOLUTE", value), *rest)


def _add_ping_pong(
    graph: NoiseGraph, value: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    # A triangle wave that is -1 at 0 and 1 at 1, of (n + 1) folds: Blender's own goes from 0 to 1.
    place = graph.math("MULTIPLY_ADD", value, mix.folds, mix.folds)
    wave = graph.math("PINGPONG", place, 1.0)
    return _add_octave(graph, graph.to_signed(wave), inputs, fractal, mix)


def _add_ridge(
    graph: NoiseGraph, value: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    folded = graph.math("ABSOLUTE", graph.affine(value, mix.source_scale, 0.0))
    crest = inputs[OFFSET] - folded
    signal = crest * crest * inputs[WEIGHT]
    total = graph.math("MULTIPLY_ADD", signal, inputs[AMPLITUDE], inputs[SUM])
    return {SUM: total, WEIGHT: graph.math("MULTIPLY", signal, mix.gain, clamp=True)}


def _add_hybrid(
    graph: NoiseGraph, value: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    lifted = graph.math("MULTIPLY_ADD", value, mix.source_scale, inputs[OFFSET])
    signal = lifted * inputs[AMPLITUDE]
    weighted = signal * inputs[WEIGHT]
    total = inputs[SUM] + weighted
    return {SUM: total, WEIGHT: graph.math("MULTIPLY", weighted, mix.gain, clamp=True)}


def _multiply_octave(
    graph: NoiseGraph, value: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    factor = graph.math("MULTIPLY_ADD", value, inputs[AMPLITUDE], inputs[OFFSET])
    return {SUM: inputs[SUM] * factor}


_OCTAVES: Mapping[str, Octave] = {
    "fbm": _add_fbm,
    "billow": _add_billow,
    "turbulence": _add_turbulence,
    "ping_pong": _add_ping_pong,
    "ridged": _add_ridge,
    "hybrid_multifractal": _add_hybrid,
    "multifractal": _multiply_octave,
    "heterogeneous_terrain": _multiply_octave,
}

_FIRST = {"multifractal": 1.0, "heterogeneous_terrain": 1.0}
"""The sum before the first octave: products begin with 1."""


def _no_factors(mix: Mix, octave: int) -> dict[str, float]:
    return {}


def _multifractal_factors(mix: Mix, octave: int) -> dict[str, float]:
    amplitude = mix.amplitudes[octave]
    largest = (mix.offset + amplitude) or 1.0
    return {AMPLITUDE: amplitude * mix.source_scale / largest, OFFSET: mix.offset / largest}


def _terrain_factors(mix: Mix, octave: int) -> dict[str, float]:
    if octave == 0:
        return {AMPLITUDE: mix.source_scale, OFFSET: mix.offset}
    amplitude = mix.amplitudes[octave]
    largest = 1.0 + amplitude * (mix.offset + 1.0)
    return {
        AMPLITUDE: amplitude * mix.source_scale / largest,
        OFFSET: (1.0 + amplitude * mix.offset) / largest,
    }


_FACTORS: Mapping[str, Callable[[Mix, int], dict[str, float]]] = {
    "multifractal": _multifractal_factors,
    "heterogeneous_terrain": _terrain_factors,
}
"""Numbers that make an octave's value a factor."""


def _end_of_sum(fractal: Fractal, graph: NoiseGraph, total: Any, mix: Mix) -> Any:
    value = graph.affine(total, 1.0 / sum(mix.amplitudes), 0.0, "To the core's range")
    return finish_sum(graph, value, fractal)


def _end_of_ridges(fractal: Fractal, graph: NoiseGraph, total: Any, mix: Mix) -> Any:
    return graph.rescale(total, 0.0, largest_ridge(fractal))


def _end_of_factors(fractal: Fractal, graph: NoiseGraph, total: Any, mix: Mix) -> Any:
    low, high = KINDS[fractal.kind].raw_bounds(mix)  # type: ignore[attr-defined]
    return graph.rescale(total, low, high)


_ENDS: Mapping[str, Callable[[Fractal, NoiseGraph, Any, Mix], Any]] = {
    "ridged": _end_of_ridges,
    "hybrid_multifractal": _end_of_factors,
    "multifractal": _end_of_factors,
    "heterogeneous_terrain": _end_of_factors,
}
