# SPDX-License-Identifier: GPL-3.0-or-later
"""Noises of other noises: blends of two, and noises that move the position of their source."""

from __future__ import annotations

import math
from typing import Any

from ......noise_core.base.errors import Message
from ......noise_core.noises.bases.noise import Noise
from ......noise_core.noises.blend import Blend
from ......noise_core.noises.evolution import Evolution
from ......noise_core.noises.transform import Transform
from ......noise_core.noises.warp import Warp
from ....schema.enum_items import enum_label
from ...node_graph import Output
from ..noise_graph import VALUE, Domain, NoiseGraph
from ..registry import EXACT, node_writer

FIRST_COPY = 100
"""Children from here on are the displacement's copies: a fractal's octaves are the first ones."""

_MOVED_PICTURE = "Warp: a seed other than 0 moves the picture elsewhere."
"""Difference of a warp whose copies are one picture at several places."""

SECOND, FACTOR = 200, 201
"""Children's numbers for a seed offset of 1, beyond those of any fractal's octaves."""

_OPERATIONS = {
    "add": "ADD",
    "subtract": "SUBTRACT",
    "multiply": "MULTIPLY",
    "min": "MINIMUM",
    "max": "MAXIMUM",
}
"""Modes of blends that are a Math node."""


@node_writer("blend", EXACT)
def write_blend(noise: Blend, graph: NoiseGraph, domain: Domain) -> Any:
    """Write both layers, Math nodes for the mode, then a mix by the factor."""
    graph.set_title(f"{noise.label}: {enum_label(noise.mode)}")
    first = graph.noise(noise.first, domain)
    second = graph.noise(noise.second, _layer(noise, graph, domain, SECOND))
    blended = _blend(noise.mode, graph, first, second, noise.smoothness)
    factor: Any = noise.factor
    if isinstance(factor, Noise):
        share = graph.noise(factor, _layer(noise, graph, domain, FACTOR))
        factor = graph.to_unit(share)
    elif factor == 1.0:
        return blended
    return graph.mix(factor, first, blended)


def _layer(noise: Blend, graph: NoiseGraph, domain: Domain, child: int) -> Domain:
    if noise.seed_offset == 0:
        return domain
    return graph.child(domain, child + noise.seed_offset - 1)


def _blend(mode: str, graph: NoiseGraph, first: Any, second: Any, smoothness: float) -> Any:
    if mode == "mix":
        return second
    if mode == "screen":
        return graph.affine((1.0 - first) * (1.0 - second), -0.5, 1.0)
    if mode == "difference":
        return graph.math("ABSOLUTE", first - second)
    sharp = graph.math(_OPERATIONS[mode.removeprefix("smooth_")], first, second)
    if not mode.startswith("smooth_") or smoothness == 0.0:
        return sharp
    # Rounded by a parabola: Blender's own smooth minimum is cubic.
    near = graph.math("MAXIMUM", smoothness - graph.math("ABSOLUTE", first - second), 0.0)
    sign = -1.0 if mode == "smooth_min" else 1.0
    return graph.math("MULTIPLY_ADD", near * near, sign * 0.25 / smoothness, sharp, label="Rounded")


@node_writer("transform", EXACT)
def write_transform(noise: Transform, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the transformation of the points, then the source."""
    vector = domain.vector
    if noise.rotation:
        vector = graph.rotate(vector, math.radians(noise.rotation))
    if noise.scale != (1.0, 1.0, 1.0) or any(noise.offset):
        vector = graph.vector_math(
            "MULTIPLY_ADD", vector, noise.scale, noise.offset, label="Scale, then move"
        )
    return graph.noise(noise.source, domain.but(vector=vector))


def _refuse_evolution(noise: Evolution, dimension: int) -> str:
    if dimension < 4:
        return ""
    return Message("textures have four dimensions at most: use fewer Evolutions, or UV mapping")


@node_writer("evolution", EXACT, refusal=_refuse_evolution, further_dimensions=1)
def write_evolution(noise: Evolution, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the source one dimension higher."""
    place: Any = noise.position
    if domain.evolution is not None:
        place = graph.affine(domain.evolution, 1.0, noise.position, "Position")
    if domain.dimension == 2:
        x, y, _ = graph.separate(domain.vector)
        raised = domain.but(vector=graph.combine(x, y, place), dimension=3)
    else:
        if not isinstance(place, Output):
            place = graph.math("ADD", place, 0.0, label="Position")
        raised = domain.but(w=place, dimension=4)
    return graph.noise(noise.source, raised)


@node_writer("warp", EXACT)
def write_warp(noise: Warp, graph: NoiseGraph, domain: Domain) -> Any:
    """Write the displacement, the bent coordinates, then the source."""
    factors = tuple(noise.strength * scale for scale in noise.scale)
    if domain.dimension == 2:
        factors = (*factors[:2], 0.0)
    bent = domain
    if any(factors):
        if noise.copies == "shifts" and noise.displacement.has_picture:
            graph.note(_MOVED_PICTURE)
        group = graph.inner("Displacement", domain)
        value = group.noise(noise.displacement, group.domain(domain.dimension))
        group.output(VALUE, value, "The noise")
        group.drop_unused_inputs()
        for level in range(noise.levels):
            with graph.frame("Bending" if level == 0 else "Bending the bending"):
                push = _displacement(noise, graph, group, bent, factors, level)
                place = graph.vector_math(
                    "MULTIPLY_ADD", push, factors, domain.vector, label="Bend"
                )
            bent = domain.but(vector=place)
    return graph.noise(noise.source, bent)


def _displacement(
    noise: Warp,
    graph: NoiseGraph,
    group: NoiseGraph,
    bent: Domain,
    factors: tuple[float, ...],
    level: int,
) -> Any:
    """Return the vector of the displacement's copies, one for each axis that is moved."""
    copies: list[Any] = [0.0, 0.0, 0.0]
    if noise.copies == "seeds":
        bent = graph.shifted(bent, noise.displacement.seed_span, 1 + level)
    for axis, factor in enumerate(factors):
        if factor:
            copy_domain, copy_vector = bent, bent.vector
            if noise.copies == "seeds":
                copy_domain = graph.child(bent, FIRST_COPY + 3 * level + axis)
            elif noise.displacement.has_picture:
                copy_vector = graph.moved_picture(bent)
            offset = noise.copy_offset(level, axis)
            if any(offset):
                copy_vector = graph.vector_math("ADD", copy_vector, offset, label="Moved Aside")
            copy_domain = copy_domain.but(vector=copy_vector)
            copies[axis] = graph.instance(
                group, f"Displacement {'XYZ'[axis]}", copy_domain.values()
            )
    return graph.combine(*copies)
