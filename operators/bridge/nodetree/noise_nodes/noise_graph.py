# SPDX-License-Identifier: GPL-3.0-or-later
"""A node graph that noises are written into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .....noise_core.types.noise import Noise
from ..node_graph import NodeGraph, Output, Value
from ..sockets import Socket
from . import seed_groups
from .domain import EVOLUTION, SEED, VECTOR, Domain, W
from .registry import writers

MARK = "terrane_nodes"
"""Custom property of node groups made of a noise: the recipe, or `INNER`."""

INNER = "inner"
"""Mark of a group, image or text that belongs to one group only."""

VALUE = "Value"
"""Name of the output of groups that are a noise."""


class NoiseGraph(NodeGraph):
    """Nodes of one group.

    Parameters
    ----------
    notes : list of str
        Differences from the core, each once; shared with the groups within.
    title : str, optional
        See `NodeGraph`; given for a group within another one.
    """

    def __init__(self, notes: list[str], title: str = "") -> None:
        super().__init__(title, {MARK: INNER})
        self.notes = notes

    def note(self, text: str) -> None:
        """Add a difference from the core."""
        if text and text not in self.notes:
            self.notes.append(text)

    def set_title(self, text: str) -> None:
        """Give the current frame another title."""
        self.frame.title = text

    # --- noises ---------------------------------------------------------------------------------

    def noise(self, noise: Noise, domain: Domain) -> Any:
        """Write a noise into a frame and return its value."""
        writer = writers()[noise.key]
        self.note(writer.note and f"{noise.label}: {writer.note}")
        with self.titled_frame(noise.label):
            return writer.write(noise, self, domain)

    def noise_group(self, title: str, noise: Noise, domain: Domain) -> NoiseGraph:
        """Return a group of a noise, to be used several times."""
        group = self.inner(title, domain, (), (Socket(VALUE, help="The noise"),))
        value = group.noise(noise, group.domain(domain.dimension))
        group.finish({VALUE: value}, is_trimmed=True)
        return group

    def inner(
        self, title: str, domain: Domain, extra: Sequence[Socket], results: Sequence[Socket]
    ) -> NoiseGraph:
        """Return the graph of a group within this one with a domain and some numbers as inputs."""
        group = NoiseGraph(self.notes, title)
        group.declare_outputs(*results)
        group.declare_inputs(*domain_sockets(domain), *extra)
        return group

    def instance(
        self,
        group: NodeGraph,
        label: str,
        domain: Domain | None = None,
        numbers: Mapping[str, Value] | None = None,
    ) -> Any:
        """Return a node of a group, with the parts of a domain and the numbers that it takes."""
        given = {**(domain.sockets() if domain else {}), **(numbers or {})}
        inputs = {name: value for name, value in given.items() if name in group.inputs}
        return self.group(group, inputs, label=label)

    # --- domains --------------------------------------------------------------------------------

    def domain(self, dimension: int) -> Domain:
        """Return the domain that the group takes."""
        get = self.inputs.get
        return Domain(self.inputs[VECTOR], dimension, get(W), self.inputs[SEED], get(EVOLUTION))

    def cells(self, domain: Domain, frequency: float) -> Domain:
        """Return a domain in cells instead of tiles, moved by the seed."""
        inputs = {VECTOR: domain.vector, seed_groups.FREQUENCY: frequency, SEED: domain.seed}
        node = self.group(seed_groups.cells(), inputs, label="Cells")
        w = None if domain.w is None else domain.w * frequency
        return Domain(node[VECTOR], domain.dimension, w, domain.seed, domain.evolution)

    def child(self, domain: Domain, number: Value) -> Domain:
        """Return the domain with another seed, as the core's `child_seed` gives one."""
        inputs = {SEED: domain.seed, seed_groups.NUMBER: number}
        return domain.with_seed(
            self.group(seed_groups.child_seed(), inputs, label="Child Seed")[SEED]
        )

    def texture(self, kind: str, domain: Domain, inputs: Mapping[str, float], **more: Any) -> Any:
        """Return a texture node at a domain; inputs that it lacks are left out."""
        inputs = {"Scale": 1.0, **inputs}
        places: dict[Any, Value] = {"Vector": domain.vector}
        if domain.w is not None:
            places["W"] = domain.w
        return self.node(kind, places, optional=dict(inputs), **more)

    # --- values ---------------------------------------------------------------------------------

    def to_signed(self, value: Value) -> Any:
        """Return a number in [0, 1], moved to [-1, 1]."""
        return self.affine(value, 2.0, -1.0, "To -1 … 1")

    def to_unit(self, value: Value) -> Any:
        """Return a number in [-1, 1], moved to [0, 1] and clamped."""
        return self.math("MULTIPLY_ADD", value, 0.5, 0.5, clamp=True)

    def rescale(self, value: Value, low: float, high: float, factor: float = 1.0) -> Any:
        """Return a number, first multiplied, moved from an interval to [-1, 1]."""
        if high <= low:
            return value * 0.0
        slope = 2.0 / (high - low)
        return self.affine(value, slope * factor, -slope * low - 1.0, "To the core's range")

    def clamp(self, value: Value, low: float, high: float) -> Any:
        """Return a number within two limits, of which either may be the lower one."""
        inputs = {"Value": value, "Min": low, "Max": high}
        return self.node("ShaderNodeClamp", dict(inputs), clamp_type="RANGE")["Result"]

    def rotate(self, vector: Value, angle: float) -> Any:
        """Return a vector turned about the Z axis by an angle in radians."""
        inputs = {"Vector": vector, "Angle": angle}
        return self.node("ShaderNodeVectorRotate", dict(inputs), rotation_type="Z_AXIS")["Vector"]

    def random(self, vector: Value, dimensions: str, w: Value = None) -> Any:
        """Return a random number in [0, 1] for a position."""
        inputs = {"Vector": vector} if w is None else {"Vector": vector, "W": w}
        node = self.node("ShaderNodeTexWhiteNoise", dict(inputs), noise_dimensions=dimensions)
        return node["Value"]

    def random_of_cell(self, domain: Domain, cell: Value) -> Any:
        """Return a random number in [0, 1] for whole numbers x and y, by the seed."""
        return self.random(cell, "4D", domain.seed)

    def first_channel(self, color: Output) -> Any:
        """Return the red part of a color."""
        return self.node("ShaderNodeSeparateColor", {0: color})[0]


def domain_sockets(domain: Domain) -> list[Socket]:
    """Return the sockets by which a group takes a domain."""
    sockets = [Socket(VECTOR, "VECTOR", help="Position in tiles")]
    if domain.w is not None:
        sockets.append(Socket(W, help="The fourth coordinate, in tiles"))
    sockets.append(Socket(SEED, "INT", help="Another number gives another pattern"))
    if domain.evolution is not None:
        sockets.append(Socket(EVOLUTION, help="How far the noise has evolved"))
    return sockets
