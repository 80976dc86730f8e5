# SPDX-License-Identifier: GPL-3.0-or-later
"""Dependency graph of a surface: the fields in order, and those that need the finished height."""

from __future__ import annotations

import copy
import functools
import sys
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import Any

import numpy as np

from ...base.arrays import Field
from ...base.errors import Message, ParameterError, format_value
from .exposed import NAME
from .functions import FUNCTIONS
from .node_parsing import parse_node
from .nodes import FormulaField, MapField, Node, NoiseField, Settings
from .terms import Value
from .texture_set import MAPS

HEIGHT = "height"
"""Name of the finished height in formulas."""

MAX_FIELDS = 1000
"""Fields of a surface; shipped ones have up to 36."""

MAX_CHAIN_LENGTH = 100
"""Fields of which each needs the one before; shipped surfaces have up to 10. Each takes some of the
1000 calls that Python allows inside each other."""

_SHARES = np.array([[0.0, 1.0, 0.5, 0.0, 1.0, 0.28, 0.71, 0.93]], np.float32)
"""Where, between its lowest and its highest value, a field is on the samples of `SurfaceGraph._check`."""

READINGS = ("slope", "cavity", "curvature", "ambient_occlusion")
"""Readings with their defaults that every surface has without asking."""


class SurfaceGraph:
    """A surface's fields and formulas, validated.

    Parameters
    ----------
    fields : mapping of str to plain data
        See `nodes`.
    maps : mapping of str to str
        Formulas of maps; see `texture_set.MAPS`.
    settings : mapping of str to Value
        Values of exposed parameters.
    who : str
        Name that starts error messages.

    Attributes
    ----------
    settings : mapping of str to Value
    nodes : dict of str to Node
        In topological order: each after those that it needs.
    formulas : dict of str to FormulaField
        Of all maps but the normals.
    late : frozenset of str
        Fields that need the finished height, which is one of them.
    colors : frozenset of str
        Fields of three channels.

    Raises
    ------
    ParameterError, RecipeError
    """

    def __init__(
        self,
        fields: Mapping[str, object],
        maps: Mapping[str, object],
        settings: Settings,
        who: str,
    ) -> None:
        self._who = who
        self.settings = settings
        if len(fields) > MAX_FIELDS:
            raise ParameterError(
                "{}.fields must be at most {} fields", who, MAX_FIELDS, got=len(fields)
            )
        plain: dict[str, object] = {name: {"read": name} for name in READINGS}
        plain.update(fields)
        for name in fields:
            if not NAME.fullmatch(name) or name == HEIGHT or name in FUNCTIONS or name in settings:
                raise ParameterError(
                    "{}.fields: a name must be lower_case, and that of nothing else",
                    who,
                    got=format_value(name),
                )
        parsed = {
            name: parse_node(value, settings, f"{who}.fields.{name}")
            for name, value in plain.items()
        }
        self.formulas = {name: self._formula(name, maps) for name in MAPS if name != "normal"}
        unknown = sorted(set(maps) - set(self.formulas))
        if unknown:
            allowed = ", ".join(self.formulas)
            raise ParameterError(
                "{}.maps: must be some of {}", who, allowed, got=format_value(unknown[0])
            )
        self.nodes: dict[str, Node] = {}
        self._chains: dict[str, int] = {}  # how many fields each stands behind, itself included
        for name in parsed:
            self._place(name, parsed, ())
        self.late = self._late()
        self.colors = self._check()

    @functools.cached_property
    def simplify(self) -> SurfaceGraph:
        """The graph simplified for baking: uniform fields are constants, and fields times 0 drop out.

        So a slider at 0 also saves the noises that it would show.
        """
        constants = dict(self.settings)
        nodes: dict[str, Node] = {}
        for name, node in self.nodes.items():
            simple = nodes[name] = node.simplify(constants)
            if not simple.needs and not isinstance(simple, (NoiseField, MapField)):
                constants[name] = simple.value(constants.__getitem__)
        simplified = copy.copy(self)
        simplified.nodes = nodes
        simplified.formulas = {
            name: formula.simplify(constants) for name, formula in self.formulas.items()
        }
        simplified.late = simplified._late()
        return simplified

    def needs(self, names: Iterable[str], available: Container[str] = ()) -> set[str]:
        """Return some fields with all their dependencies.

        Known fields are left out, and so are fields that only they need.
        """
        needed: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in needed or name in available:
                continue
            if name in self.nodes or name == HEIGHT:
                needed.add(name)
                waiting += self.nodes[name].needs if name in self.nodes else ()
        return needed

    def uses(self, maps: Iterable[str], needed: Iterable[str]) -> dict[str, int]:
        """Return the number of uses of each field in some maps and the fields that they need.

        Noises that are moved are left out: they are read once for each move.
        """
        formulas: list[Node] = [self.formulas[name] for name in maps]
        formulas += [self.nodes[name] for name in needed if name in self.nodes]
        counts: Counter[str] = Counter()
        moving: set[str] = set()
        for formula in formulas:
            (moving if isinstance(formula, NoiseField) else counts).update(formula.needs)
        return {name: count for name, count in counts.items() if name not in moving}

    def is_late(self, formula: FormulaField) -> bool:
        """Return whether a formula needs the finished height."""
        return not formula.needs.isdisjoint(self.late)

    def is_uniform(self, name: str) -> bool:
        """Return whether a field is uniform: made of settings and numbers alone."""
        return not any(
            need == HEIGHT or isinstance(self.nodes[need], (NoiseField, MapField))
            for need in self.needs([name])
        )

    def setting(self, name: str) -> Value | None:
        """Return the value of an exposed parameter; None if there is none of that name."""
        return self.settings.get(name)

    def constant(self, name: str) -> tuple[float, ...] | None:
        """Return the value of a uniform map, one number or three; else None."""
        if name not in self.formulas or not all(map(self.is_uniform, self.formulas[name].needs)):
            return None
        constants = dict(self.settings)
        needed = self.needs(self.formulas[name].needs)
        for need, node in self.nodes.items():
            if need in needed and not isinstance(node, (NoiseField, MapField)):
                constants[need] = node.value(constants.__getitem__)
        value = self.formulas[name].value(constants.__getitem__)
        numbers = np.clip(np.ravel(value).astype(np.float64), 0.0, 1.0).tolist()
        return tuple(numbers * 3 if len(numbers) < MAPS[name].channels else numbers)

    def _formula(self, name: str, maps: Mapping[str, object]) -> FormulaField:
        place = f"{self._who}.maps.{name}"
        formula = parse_node(maps.get(name, MAPS[name].formula), self.settings, place)
        if not isinstance(formula, FormulaField):
            raise ParameterError("{} must be a formula", place, got=format_value(maps[name]))
        return formula

    def _place(self, name: str, nodes: Mapping[str, Node], path: tuple[str, ...]) -> None:
        """Insert a field after all those that it needs."""
        if name in path:
            loop = " -> ".join((*path[path.index(name) :], name))
            raise ParameterError("{}.fields: must not need each other", self._who, got=loop)
        if name in self.nodes:
            return
        # The path is counted too: a chain that begins with its end is as deep in calls.
        chain = len(path) + 1
        for need in sorted(nodes[name].needs) if chain <= MAX_CHAIN_LENGTH else ():
            if need in nodes:
                self._place(need, nodes, (*path, name))
                chain = max(chain, self._chains[need] + 1)
            else:
                self._check_name(need, f"{self._who}.fields.{name}", nodes)
        if chain > MAX_CHAIN_LENGTH:
            raise ParameterError(
                "{}.fields: at most {} fields may each need the next",
                self._who,
                MAX_CHAIN_LENGTH,
                got=Message("more, with {}", format_value(name)),
            )
        self.nodes[name] = nodes[name]
        self._chains[name] = (
            max((self._chains.get(need, 0) for need in nodes[name].needs), default=0) + 1
        )

    def _check_name(self, name: str, who: str, nodes: Mapping[str, Node]) -> None:
        if name not in nodes and name not in self.settings and name != HEIGHT:
            allowed = ", ".join((*nodes, *self.settings, HEIGHT))
            raise ParameterError(
                "{}: a name must be one of {}", who, allowed, got=format_value(name)
            )

    def _late(self) -> frozenset[str]:
        late = {HEIGHT}
        for name, node in self.nodes.items():
            if isinstance(node, MapField) or not node.needs.isdisjoint(late):
                late.add(name)
        return frozenset(late)

    def _check(self) -> frozenset[str]:
        """Evaluate everything on a few samples, to detect inconsistent shapes.

        Returns the names of colors.
        """
        samples: dict[str, Any] = {HEIGHT: _samples(0.0, 1.0, 0), **self.settings}
        with np.errstate(all="ignore"):  # what is not finite is refused
            self._check_fields(samples)
            self._check_maps(samples)
        if self.is_late(self.formulas[HEIGHT]):
            raise ParameterError(
                "{}.maps.height must not be made of what is read off the height", self._who
            )
        return frozenset(name for name, value in samples.items() if np.ndim(value) == 3)

    def _check_fields(self, samples: dict[str, Any]) -> None:
        for number, (name, node) in enumerate(self.nodes.items()):
            who = f"{self._who}.fields.{name}"
            if isinstance(node, NoiseField) and node.moves is not None:
                for move in node.moves:
                    self._check_value(move.value(samples.__getitem__), 1, f"{who}.moved")
            if isinstance(node, NoiseField):
                samples[name] = _samples(*node.noise.bounds(), number)
            elif isinstance(node, MapField):
                low, high = (0.0, 1.0) if node.limits else node.map.bounds()
                samples[name] = _samples(max(low, -1e4), min(high, 1e4), number)
            else:
                samples[name] = node.value(samples.__getitem__)
                self._check_value(samples[name], 3, who)

    def _check_maps(self, samples: dict[str, Any]) -> None:
        for name, formula in self.formulas.items():
            who = f"{self._who}.maps.{name}"
            for need in sorted(formula.needs):
                self._check_name(need, who, self.nodes)
            self._check_value(formula.value(samples.__getitem__), MAPS[name].channels, who)

    @staticmethod
    def _check_value(value: Value, channels: int, who: str) -> None:
        if channels == 1 and np.ndim(value) == 3:
            raise ParameterError("{} must be a number everywhere; got colors", who)
        # NumPy 1 goes on in float64 where a number does not fit into float32.
        largest = _MAX_FLOAT if isinstance(value, np.ndarray) else sys.float_info.max
        if not np.all(np.abs(value) <= largest):
            raise ParameterError("{} must be finite; got nan or inf", who)


_MAX_FLOAT = float(np.finfo(np.float32).max)


def _samples(low: float, high: float, number: int) -> Field:
    """Return a few samples of a field: all lowest, all highest, then mixed."""
    shares = _SHARES.copy()
    shares[0, 3:] = np.roll(shares[0, 3:], number)
    return shares * np.float32(high - low) + np.float32(low)
