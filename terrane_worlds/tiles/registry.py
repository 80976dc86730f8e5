# SPDX-License-Identifier: GPL-3.0-or-later
"""Registries of work in tiles: by the stages of a type, or by a separate file for routed water."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from noise_core.base.errors import ParameterError
from noise_core.base.grid import Grid
from noise_core.base.params import Declared

from ..base.tiling import Tiling
from .cost import Cost

Check = Callable[[Any, Grid, Tiling], object]
"""Takes the declared object, the grid of the whole land and its tiles. Raises a ParameterError if that is
impossible in tiles, with its reason, before a build begins."""

Function = TypeVar("Function")


CostFunction = Callable[[Any, Grid, Tiling], Cost]
"""Takes the declared object, the grid of the whole land and its tiles."""


@dataclasses.dataclass(frozen=True)
class Staged(Generic[Function]):
    """How types are done that describe themselves in stages.

    Attributes
    ----------
    function : callable
        For all of them.
    has_stages : callable
        Returns whether a type does.
    count : callable
        Takes the declared object, the start of messages, the grid and the tiles; returns the cost.
    """

    function: Function
    has_stages: Callable[[type[Declared]], bool]
    count: Callable[[Any, str, Grid, Tiling], Cost]


class TiledRegistry(Generic[Function]):
    """Functions for work in tiles, with the same bits as types of the core in memory.

    Parameters
    ----------
    package : str
        Name of the package whose modules register functions for routed water.
    staged : Staged
        For all other types.
    """

    def __init__(self, package: str, staged: Staged[Function]) -> None:
        self._package, self._staged = package, staged
        self._functions: dict[type[Declared], Function] = {}
        self._costs: dict[type[Declared], Cost | CostFunction] = {}
        self._checks: dict[type[Declared], Check] = {}
        self._is_loaded = False

    def register(
        self,
        cls: type[Declared],
        cost: Cost | CostFunction,
        check: Check | None = None,
    ) -> Callable[[Function], Function]:
        """Return a decorator that makes a function, or any callable, the one of a type.

        Parameters
        ----------
        cls : type
        cost : Cost or callable
            See `CostFunction`; for costs that depend on values, such as how far a sample looks.
        check : callable, optional
            See `Check`; for types that can be done with some of their values alone.

        Raises
        ------
        ValueError
            If the type has one already.
        """

        def decorate(function: Function) -> Function:
            if cls in self._functions:
                raise ValueError(f"{cls.__name__} is done in tiles by {self._functions[cls]!r}")
            self._functions[cls], self._costs[cls] = function, cost
            if check is not None:
                self._checks[cls] = check
            return function

        return decorate

    def all(self) -> Mapping[type[Declared], Function]:
        """Return every function by its type, after importing the package's modules once."""
        if not self._is_loaded:
            package = importlib.import_module(self._package)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self._package}.{module.name}")
            self._is_loaded = True
        return MappingProxyType(self._functions)

    def find(self, item: Declared, who: str) -> Function:
        """Return the function for something, or raise a ParameterError about `who` if there is none."""
        cls, functions = type(item), self.all()
        if cls in functions:
            return functions[cls]
        if self._staged.has_stages(cls):
            return self._staged.function
        raise ParameterError(
            "{} must not depend on the whole land at once; {} does: {}",
            who,
            item.label,
            self.reason(cls),
        )

    def reason(self, cls: type[Declared]) -> str:
        """Return why a type cannot be done in tiles, as it says itself; empty if it can."""
        if cls in self.all() or self._staged.has_stages(cls):
            return ""
        reason: str = getattr(cls, "whole_land", "")
        return reason or "no stages say what it does"

    def check(self, item: Declared, who: str, grid: Grid, tiling: Tiling) -> Cost:
        """Return the cost of a layer or map.

        Raises
        ------
        ParameterError
            If it cannot be done in these tiles; `who` starts the message.
        """
        self.find(item, who)
        for name, reason in getattr(type(item), "whole_land_values", {}).items():
            value = getattr(item, name)
            if value:
                raise ParameterError(
                    "{}: {}.{} must be {} in tiles, since {}",
                    who,
                    type(item).__name__,
                    name,
                    "empty" if isinstance(value, tuple) else 0,
                    reason,
                    got=f"{len(value)} curves" if isinstance(value, tuple) else f"{value:g}",
                )
        if type(item) in self._checks:
            try:
                self._checks[type(item)](item, grid, tiling)
            except ParameterError as error:
                raise ParameterError("{}: {}", who, error) from error
        if type(item) not in self._costs:
            return self._staged.count(item, who, grid, tiling)
        cost = self._costs[type(item)]
        return cost if isinstance(cost, Cost) else cost(item, grid, tiling)
