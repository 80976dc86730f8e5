# SPDX-License-Identifier: GPL-3.0-or-later
"""Types register themselves; asking for them imports their folder, so one file adds a type."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from .params import Declared

DeclaredType = TypeVar("DeclaredType", bound=Declared)

_KEY = re.compile(r"[a-z][a-z0-9_]*")


def class_named(types: Mapping[str, type[Declared]], name: str, module: str) -> type[Declared]:
    """Return the type whose class has this name; for the `__getattr__` of a folder of types.

    Raises
    ------
    AttributeError
        If there is none.
    """
    for cls in types.values():
        if cls.__name__ == name:
            return cls
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


class Registry(Generic[DeclaredType]):
    """All types of one sort, by key; the keys stand in saved files and are for ever.

    Parameters
    ----------
    folder : str
        Name of the package whose modules each hold one type.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._types: dict[str, type[DeclaredType]] = {}
        self._is_loaded = False

    def add(self, cls: type[DeclaredType]) -> None:
        """Take a type in.

        Raises
        ------
        ValueError
            If its key is taken or malformed, or if a parameter has no help text.
        """
        if not _KEY.fullmatch(cls.key):
            raise ValueError(f"{cls.__name__}: key must be lower_case; got {cls.key!r}")
        if cls.key in self._types:
            raise ValueError(
                f"{cls.__name__}: key {cls.key!r} is {self._types[cls.key].__name__}'s"
            )
        for parameter in cls.parameters():
            if not parameter.help:
                raise ValueError(f"{cls.__name__}.{parameter.name} has no help text")
        self._types[cls.key] = cls

    def all(self) -> Mapping[str, type[DeclaredType]]:
        """Return every type by key, sorted, after importing the folder once."""
        if not self._is_loaded:
            package = importlib.import_module(self._folder)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self._folder}.{module.name}")
            self._is_loaded = True
        return MappingProxyType(dict(sorted(self._types.items())))
