# SPDX-License-Identifier: GPL-3.0-or-later
"""Registries of layers and maps that work in tiles: a file for each type, found by listing a folder."""

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

from .tiling import Tiling

Check = Callable[[Any, Grid, Tiling], object]
"""Takes what is to be done, the grid of the whole land and its tiles. Raises a ParameterError if that is
impossible in tiles, with its reason, before a build begins."""

Function = TypeVar("Function")


@dataclasses.dataclass(frozen=True)
class Cost:
    """Memory and disk that work on a land needs at most, so that a build without them is refused beforehand.

    Attributes
    ----------
    worker : float
        Bytes of memory for each sample of a tile.
    caller : float
        Bytes of memory for each sample along the edges of all tiles, where their graphs are joined.
    disk : float
        Bytes of files for each sample of the land, beside its heights before and after.
    """

    worker: float = 64.0
    caller: float = 0.0
    disk: float = 16.0


CostFunction = Callable[[Any, Grid, Tiling], Cost]
"""Takes what is to be done, the grid of the whole land and its tiles."""


class TiledRegistry(Generic[Function]):
    """Functions for work in tiles, with the same bits as types of the core in memory.

    Parameters
    ----------
    package : str
        Name of the package whose modules register the functions.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._functions: dict[type[Declared], Function] = {}
        self._costs: dict[type[Declared], Cost | CostFunction] = {}
        self._checks: dict[type[Declared], Check] = {}
        self._is_loaded = False

    def register(
        self,
        cls: type[Declared],
        cost: Cost | CostFunction = Cost(),
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
        functions = self.all()
        if type(item) not in functions:
            labels = ", ".join(sorted(cls.label for cls in functions)) or "none"
            raise ParameterError(
                "{} must be of what is exact in tiles ({}); got {}", who, labels, item.label
            )
        return functions[type(item)]

    def check(self, item: Declared, who: str, grid: Grid, tiling: Tiling) -> Cost:
        """Return the cost of a layer or map.

        Raises
        ------
        ParameterError
            If it cannot be done in these tiles; `who` starts the message.
        """
        self.find(item, who)
        if type(item) in self._checks:
            try:
                self._checks[type(item)](item, grid, tiling)
            except ParameterError as error:
                raise ParameterError("{}: {}", who, error) from error
        cost = self._costs[type(item)]
        return cost if isinstance(cost, Cost) else cost(item, grid, tiling)
