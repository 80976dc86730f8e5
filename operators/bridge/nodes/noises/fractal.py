# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractals: one texture node where it can add the octaves itself, otherwise one group per octave."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from .....noise_core.noises.fractal import Fractal
from .....noise_core.octaves.kinds import KINDS
from .....noise_core.octaves.sums import Mix
from ...properties import enum_label
from ..domain import VECTOR, Domain, W
from ..graph import Graph, domain_sockets
from ..lattice_gradients import ended, largest_ridge, mix_of, rescaled
from ..sockets import Socket
from ..translators import ALIKE, translates, translators

AMPLITUDE, NUMBER, SUM, WEIGHT, OFFSET = "Amplitude", "Number", "Sum", "Weight", "Offset"

Octave = Callable[[Graph, Any, Mapping[str, Any], Fractal, Mix], dict[str, Any]]
"""Called with the octave's value and what comes in; returns the next sum and weight."""


@translates(
    "fractal",
    ALIKE,
    "a texture's octaves share one seed and lattice; no band limit.",
)
def write(noise: Fractal, graph: Graph, domain: Domain) -> Any:
    """Write the octaves."""
    graph.title(f"{enum_label(noise.kind)} of {noise.source.label}")
    one_node = translators()[noise.source.key].octaves
    found = one_node(noise.source, noise, graph, domain) if one_node else None
    if found is None:
        return _octave_by_octave(noise, graph, domain)
    graph.writing.note(f"{noise.source.label}: {translators()[noise.source.key].note}")
    graph.title(f"{enum_label(noise.kind)} of {noise.source.label}")
    return found


def _octave_by_octave(noise: Fractal, graph: Graph, domain: Domain) -> Any:
    mix = mix_of(noise)
    tree = _octave_group(noise, graph, domain, mix)
    before: Any = None
    for octave in range(math.ceil(noise.octaves)):
        node = graph.instance(tree, f"Octave {octave + 1}", None if before else domain)
        own = 0 if noise.octave_seeds == "same" else octave  # child 0 keeps the seed
        numbers = {NUMBER: own, AMPLITUDE: mix.amplitudes[octave]}
        numbers |= _FACTORS.get(noise.kind, _no_factors)(mix, octave)
        if before is None:
            numbers[SUM] = _FIRST.get(noise.kind, 0.0)
        for name, value in numbers.items():
            if name in node.inputs:  # a source without chance has no use for a number
                node.inputs[name].default_value = value
        for output in before.outputs if before else ():
            graph.put(node.inputs[output.name], output)
        before = node
    return _ENDS.get(noise.kind, _end_of_sum)(noise, graph, before.outputs[SUM], mix)


def _octave_group(noise: Fractal, graph: Graph, domain: Domain, mix: Mix) -> Any:
    """Write the group of one octave, which hands on what the next one needs and the sum so far."""
    extra = [
        Socket(NUMBER, "INT", help="Which octave: gives it a seed of its own"),
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
    inner, inside = graph.inner("Octave", domain, extra, results)
    with inner.block("This octave"):
        own = inner.child(inside, inner.inputs[NUMBER])
    value = inner.noise(noise.source, own)
    with inner.block(enum_label(noise.kind)):
        handed = _OCTAVES[noise.kind](inner, value, inner.inputs, noise, mix)
    with inner.block("The next octave"):
        vector = inside.vector
        if noise.rotation:
            turn = inner.add("ShaderNodeVectorRotate", rotation_type="Z_AXIS")
            inner.put(turn.inputs["Vector"], vector)
            turn.inputs["Angle"].default_value = math.radians(noise.rotation)
            vector = turn.outputs[0]
        handed |= inside.sockets()
        handed[VECTOR] = inner.scaled(vector, noise.lacunarity, "Lacunarity")
        if inside.w is not None:
            handed[W] = inner.math("MULTIPLY", inside.w, noise.lacunarity)
    return inner.finish_inner(handed)


def _summed(
    graph: Graph, part: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    """Add an octave that is shaped already, weighted by the ones before."""
    weight, factor = inputs[WEIGHT], inputs[AMPLITUDE]
    if not mix.weighted_strength:
        return {SUM: graph.math("MULTIPLY_ADD", part, factor, inputs[SUM])}
    scaled = graph.math("MULTIPLY", factor, weight)
    total = graph.math("MULTIPLY_ADD", part, scaled, inputs[SUM])
    unit = graph.math("MULTIPLY_ADD", part, 0.5, 0.5, clamp=True)
    strength = mix.weighted_strength
    share = graph.affine(unit, strength, 1.0 - strength, "Less on low ground")
    return {SUM: total, WEIGHT: graph.math("MULTIPLY", share, weight)}


def _fbm(graph: Graph, value: Any, *rest: Any) -> dict[str, Any]:
    return _summed(graph, value, *rest)


def _billow(graph: Graph, value: Any, *rest: Any) -> dict[str, Any]:
    folded = graph.math("ABSOLUTE", value)
    return _summed(graph, graph.affine(folded, 2.0, -1.0), *rest)


def _turbulence(graph: Graph, value: Any, *rest: Any) -> dict[str, Any]:
    return _summed(graph, graph.math("ABSOLUTE", value), *rest)


def _ping_pong(
    graph: Graph, value: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    # A triangle wave that is -1 at 0 and 1 at 1, of (n + 1) folds: Blender's own goes from 0 to 1.
    place = graph.math("MULTIPLY_ADD", value, mix.folds, mix.folds)
    wave = graph.math("PINGPONG", place, 1.0)
    return _summed(graph, graph.to_signed(wave), inputs, fractal, mix)


def _ridged(
    graph: Graph, value: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    folded = graph.math("ABSOLUTE", graph.affine(value, mix.source_scale, 0.0))
    crest = graph.math("SUBTRACT", inputs[OFFSET], folded)
    signal = graph.math("MULTIPLY", graph.math("MULTIPLY", crest, crest), inputs[WEIGHT])
    total = graph.math("MULTIPLY_ADD", signal, inputs[AMPLITUDE], inputs[SUM])
    return {SUM: total, WEIGHT: graph.math("MULTIPLY", signal, mix.gain, clamp=True)}


def _hybrid(
    graph: Graph, value: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    lifted = graph.math("MULTIPLY_ADD", value, mix.source_scale, inputs[OFFSET])
    signal = graph.math("MULTIPLY", lifted, inputs[AMPLITUDE])
    weighted = graph.math("MULTIPLY", signal, inputs[WEIGHT])
    total = graph.math("ADD", inputs[SUM], weighted)
    return {SUM: total, WEIGHT: graph.math("MULTIPLY", weighted, mix.gain, clamp=True)}


def _factor(
    graph: Graph, value: Any, inputs: Mapping[str, Any], fractal: Fractal, mix: Mix
) -> dict[str, Any]:
    factor = graph.math("MULTIPLY_ADD", value, inputs[AMPLITUDE], inputs[OFFSET])
    return {SUM: graph.math("MULTIPLY", inputs[SUM], factor)}


_OCTAVES: Mapping[str, Octave] = {
    "fbm": _fbm,
    "billow": _billow,
    "turbulence": _turbulence,
    "ping_pong": _ping_pong,
    "ridged": _ridged,
    "hybrid_multifractal": _hybrid,
    "multifractal": _factor,
    "heterogeneous_terrain": _factor,
}

_FIRST = {"multifractal": 1.0, "heterogeneous_terrain": 1.0}
"""What stands in the place of a sum before the first octave: products begin with 1."""


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
"""What an octave's value is multiplied by and added to, where octaves are factors."""


def _end_of_sum(fractal: Fractal, graph: Graph, total: Any, mix: Mix) -> Any:
    value = graph.affine(total, 1.0 / sum(mix.amplitudes), 0.0, "To the core's range")
    return ended(graph, value, fractal)


def _end_of_ridges(fractal: Fractal, graph: Graph, total: Any, mix: Mix) -> Any:
    return rescaled(graph, total, 0.0, largest_ridge(fractal))


def _end_of_factors(fractal: Fractal, graph: Graph, total: Any, mix: Mix) -> Any:
    low, high = KINDS[fractal.kind].raw_bounds(mix)  # type: ignore[attr-defined]
    return rescaled(graph, total, low, high)


_ENDS: Mapping[str, Callable[[Fractal, Graph, Any, Mix], Any]] = {
    "ridged": _end_of_ridges,
    "hybrid_multifractal": _end_of_factors,
    "multifractal": _end_of_factors,
    "heterogeneous_terrain": _end_of_factors,
}
