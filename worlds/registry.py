# SPDX-License-Identifier: GPL-3.0-or-later
"""Registries of what is done in tiles: a file for each type, found by listing a folder."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from noise_core.base.params import Declared

Function = TypeVar("Function")


@dataclasses.dataclass(frozen=True)
class Cost:
    """What work on a land needs at most, so that a build that cannot have it is refused beforehand.

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


class TiledRegistry(Generic[Function]):
    """Functions that do in tiles what types of the core do in memory, with the same bits.

    Parameters
    ----------
    package : str
        Name of the package whose modules register the functions.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._functions: dict[type[Declared], Function] = {}
        self._costs: dict[type[Declared], Cost] = {}
        self._is_loaded = False

    def register(self, cls: type[Declared], cost: Cost = Cost()) -> Callable[[Function], Function]:
        """Return a decorator that makes a function, or any callable, the one of a type.

        Raises
        ------
        ValueError
            If the type has one already.
        """

        def decorate(function: Function) -> Function:
            if cls in self._functions:
                raise ValueError(f"{cls.__name__} is done in tiles by {self._functions[cls]!r}")
            self._functions[cls], self._costs[cls] = function, cost
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

    def cost(self, cls: type[Declared]) -> Cost:
        """Return what the work of a registered type needs."""
        self.all()
        return self._costs[cls]
