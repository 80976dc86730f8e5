# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractals: one texture node where it can add the octaves itself, otherwise one group per octave."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ......noise_core.fractals.kinds import KINDS
from ......noise_core.fractals.sums import Mix, amplitudes
from ......noise_core.noises.fractal import Fractal
from ....schema.enum_items import enum_label
from ..noise_graph import SOCKETS, Domain, NoiseGraph
from ..registry import ALIKE, node_writer, writers

AMPLITUDE, NUMBER, SUM, WEIGHT, OFFSET = "Amplitude", "Number", "Sum", "Weight", "Offset"

MOST_OCTAVES = 16.0
"""A texture's detail ends at 15, which is one octave more."""

OctaveInputs = Mapping[str, Any]
"""Inputs of an octave's group, by name."""


@node_writer("fractal", ALIKE, "a texture's octaves share one seed and lattice; no band limit.")
def write(noise: Fractal, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the octaves."""
    title = f"{enum_label(noise.kind)} of {noise.source.label}"
    graph.set_title(title)
    domain = graph.shifted(domain, noise.shift_span, 0)
    source = writers()[noise.source.key]
    texture_sum = source.octaves(noise.source, noise, graph, domain) if source.octaves else None
    if texture_sum is None:
        return _write_octaves(noise, graph, domain)
    graph.note(f"{noise.source.label}: {source.note}")
    graph.set_title(title)
    return texture_sum


# --- octaves that a texture adds ----------------------------------------------------------------


def detail_inputs(fractal: Fractal) -> dict[str, float]:
    """Return the inputs of a texture node that adds a fractal's octaves."""
    return {
        "Detail": fractal.octaves - 1.0,
        "Roughness": fractal.persistence,
        "Lacunarity": fractal.lacunarity,
    }


def fits_detail(fractal: Fractal) -> bool:
    """Return whether octaves are as a texture node adds them: finer and weaker, nothing else."""
    is_plain = fractal.weighted_strength == 0.0 or not KINDS[fractal.kind].has_weighted_strength
    return (
        is_plain
        and fractal.rotation == 0.0
        and not own_shift(fractal)
        and fractal.octaves <= MOST_OCTAVES
        and fractal.persistence <= 1.0
    )


def own_shift(fractal: Fractal) -> float:
    """Return the shift from octave to octave, 0 if the seeds move octaves."""
    return fractal.octave_shift if fractal.shift else 0.0


def finish_sum(graph: NoiseGraph, value: Any, fractal: Fractal) -> Any:
    """Return a sum that is divided by its amplitudes already, clamped if the fractal asks for it."""
    if fractal.normalize != "clamp":
        return value
    return graph.clamp(graph.affine(value, sum_of_amplitudes(fractal), 0.0), -1.0, 1.0)


def sum_of_amplitudes(fractal: Fractal) -> float:
    """Return the largest sum of octaves within [-1, 1]."""
    return sum(amplitudes(fractal.octaves, fractal.persistence))


def raw_bounds(fractal: Fractal) -> tuple[float, float]:
    """Return the interval of a fractal that is no plain sum, before it is moved to [-1, 1]."""
    if fractal.kind == "ridged":
        largest = max(fractal.offset**2, (1.0 - fractal.offset) ** 2)
        return 0.0, largest * sum_of_amplitudes(fractal)
    return KINDS[fractal.kind].raw_bounds(_mix_of(fractal))  # type: ignore[attr-defined,no-any-return]


# --- octaves that are a group each --------------------------------------------------------------


def _mix_of(fractal: Fractal) -> Mix:
    """Return the numbers of a fractal for the core's kinds, with all octaves."""
    parts = amplitudes(fractal.octaves, fractal.persistence)
    scale = 1.0 / max(1.0, *(abs(bound) for bound in fractal.source.bounds()))
    strength, present = fractal.weighted_strength, (1.0,) * len(parts)
    return Mix(parts, present, fractal.offset, fractal.gain, strength, fractal.folds, scale)


def _write_octaves(noise: Fractal, graph: NoiseGraph, domain: Domain) -> Any:
    mix = _mix_of(noise)
    group = _octave_group(noise, graph, domain, mix)
    first = 1.0 if noise.kind in ("multifractal", "heterogeneous_terrain") else 0.0  # a product
    values: dict[str, Any] = {**domain.values(), SUM: first}
    for octave in range(math.ceil(noise.octaves)):
        child = 0 if noise.octave_seeds == "same" else octave  # child 0 keeps the seed
        values |= {NUMBER: child, **_numbers(noise.kind, mix, octave)}
        node = graph.instance(group, f"Octave {octave + 1}", values)
        values = {name: node[name] for name in group.results}
    if noise.kind in _OTHER_SUMS:
        return graph.rescale(node[SUM], *raw_bounds(noise))
    value = graph.affine(node[SUM], 1.0 / sum(mix.amplitudes), 0.0, "To the core's range")
    return finish_sum(graph, value, noise)


def _octave_group(noise: Fractal, graph: NoiseGraph, domain: Domain, mix: Mix) -> NoiseGraph:
    """Return the group of one octave; its outputs are the domain of the next octave and the sum so far."""
    inner = graph.inner("Octave", domain)
    inner.input(NUMBER, "Int", "Number of the octave: gives it another seed")
    inner.input(AMPLITUDE, help="How strong it is", default=1.0)
    inner.input(OFFSET, help="Added to the noise", default=mix.offset)
    inner.input(SUM, help="Of the octaves before")
    inner.input(WEIGHT, help="Of this octave, by the ones before", default=1.0)
    inside = inner.domain(domain.dimension)
    with inner.frame("This octave"):
        octave_domain = inner.child(inside, inner.inputs[NUMBER])
    value = inner.noise(noise.source, octave_domain)
    with inner.frame(enum_label(noise.kind)):
        add = _OTHER_SUMS.get(noise.kind, _add_octave)
        handed = add(inner, value, inner.inputs, noise.kind, mix)
    with inner.frame("The next octave"):
        vector = inside.vector
        if noise.rotation:
            vector = inner.rotate(vector, math.radians(noise.rotation))
        vector = inner.vector_math("SCALE", vector, noise.lacunarity, label="Lacunarity")
        shift = own_shift(noise)
        if shift:
            vector = inner.vector_math("ADD", vector, (shift,) * 3, label="Octave Shift")
        w = None if inside.w is None else inner.affine(inside.w, noise.lacunarity, shift)
    for name, part in inside.but(vector=vector, w=w).values().items():
        kind, text = SOCKETS[name]
        inner.output(name, part, text, kind)
    inner.output(SUM, handed[SUM], "With this octave")
    if WEIGHT in handed:
        inner.output(WEIGHT, handed[WEIGHT], "Of the next octave")
    inner.drop_unused_inputs()
    return inner


def _numbers(kind: str, mix: Mix, octave: int) -> dict[str, float]:
    """Return the amplitude of an octave, or the numbers that make its value a factor."""
    amplitude = mix.amplitudes[octave]
    if kind == "multifractal":
        largest = (mix.offset + amplitude) or 1.0
        return {AMPLITUDE: amplitude * mix.source_scale / largest, OFFSET: mix.offset / largest}
    if kind == "heterogeneous_terrain" and octave == 0:
        return {AMPLITUDE: mix.source_scale, OFFSET: mix.offset}
    if kind == "heterogeneous_terrain":
        largest = 1.0 + amplitude * (mix.offset + 1.0)
        return {
            AMPLITUDE: amplitude * mix.source_scale / largest,
            OFFSET: (1.0 + amplitude * mix.offset) / largest,
        }
    return {AMPLITUDE: amplitude}


def _add_octave(
    graph: NoiseGraph, value: Any, inputs: OctaveInputs, kind: str, mix: Mix
) -> dict[str, Any]:
    """Shape an octave and add it, weighted by the previous ones."""
    if kind == "ping_pong":
        # A triangle wave that is -1 at 0 and 1 at 1, of (n + 1) folds: Blender's own goes from 0 to 1.
        place = graph.math("MULTIPLY_ADD", value, mix.folds, mix.folds)
        value = graph.to_signed_unit(graph.math("PINGPONG", place, 1.0))
    if kind in ("billow", "turbulence"):
        value = graph.math("ABSOLUTE", value)
    if kind == "billow":
        value = graph.affine(value, 2.0, -1.0)
    if not mix.weighted_strength:
        return {SUM: graph.math("MULTIPLY_ADD", value, inputs[AMPLITUDE], inputs[SUM])}
    scaled = inputs[AMPLITUDE] * inputs[WEIGHT]
    total = graph.math("MULTIPLY_ADD", value, scaled, inputs[SUM])
    unit, strength = graph.to_unit(value), mix.weighted_strength
    share = graph.affine(unit, strength, 1.0 - strength, "Less on low ground")
    return {SUM: total, WEIGHT: share * inputs[WEIGHT]}


def _add_ridge(
    graph: NoiseGraph, value: Any, inputs: OctaveInputs, kind: str, mix: Mix
) -> dict[str, Any]:
    folded = graph.math("ABSOLUTE", graph.affine(value, mix.source_scale, 0.0))
    crest = inputs[OFFSET] - folded
    signal = crest * crest * inputs[WEIGHT]
    total = graph.math("MULTIPLY_ADD", signal, inputs[AMPLITUDE], inputs[SUM])
    return {SUM: total, WEIGHT: graph.math("MULTIPLY", signal, mix.gain, clamp=True)}


def _add_hybrid(
    graph: NoiseGraph, value: Any, inputs: OctaveInputs, kind: str, mix: Mix
) -> dict[str, Any]:
    lifted = graph.math("MULTIPLY_ADD", value, mix.source_scale, inputs[OFFSET])
    weighted = lifted * inputs[AMPLITUDE] * inputs[WEIGHT]
    total = inputs[SUM] + weighted
    return {SUM: total, WEIGHT: graph.math("MULTIPLY", weighted, mix.gain, clamp=True)}


def _multiply(
    graph: NoiseGraph, value: Any, inputs: OctaveInputs, kind: str, mix: Mix
) -> dict[str, Any]:
    factor = graph.math("MULTIPLY_ADD", value, inputs[AMPLITUDE], inputs[OFFSET])
    return {SUM: inputs[SUM] * factor}


_OTHER_SUMS = {
    "ridged": _add_ridge,
    "hybrid_multifractal": _add_hybrid,
    "multifractal": _multiply,
    "heterogeneous_terrain": _multiply,
}
"""Functions that return the next sum and weight of the kinds that are no plain sums."""
