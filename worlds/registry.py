# SPDX-License-Identifier: GPL-3.0-or-later
"""Registries of what is done in tiles: a file for each type, found by listing a folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from noise_core.base.params import Declared

Function = TypeVar("Function")


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
        self._is_loaded = False

    def register(self, cls: type[Declared]) -> Callable[[Function], Function]:
        """Return a decorator that makes a function, or any callable, the one of a type.

        Raises
        ------
        ValueError
            If the type has one already.
        """

        def decorate(function: Function) -> Function:
            if cls in self._functions:
                raise ValueError(f"{cls.__name__} is done in tiles by {self._functions[cls]!r}")
            self._functions[cls] = function
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
