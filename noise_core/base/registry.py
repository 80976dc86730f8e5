# SPDX-License-Identifier: GPL-3.0-or-later
"""Registries of types: one file adds a type, and a lookup imports the folder of types."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar, cast

from . import outside_types
from .declared import Declared, declared_type

DeclaredType = TypeVar("DeclaredType", bound=Declared)
ClassType = TypeVar("ClassType", bound=type[Declared])

ROOT = str(__package__).rpartition(".")[0]
"""Name of the core's package: within the extension it is longer than ``noise_core``."""

_KEY = re.compile(r"[a-z][a-z0-9_]*")
_WORD = re.compile(r"(?<!^)(?=[A-Z])")
"""Beginning of a word within the name of a class."""


def find_class(
    types: Callable[[], Mapping[str, type[Declared]]], name: str, module: str
) -> type[Declared]:
    """Return the type whose class has this name; for the `__getattr__` of a folder of types.

    Its own file is enough, if that is called as the class is; otherwise all are imported.

    Parameters
    ----------
    types : callable
        Returns all types.
    name, module : str
        Of the class and of the folder.

    Raises
    ------
    AttributeError
        If there is none.
    """
    if not name.startswith("_"):
        file = f"{module}.{_WORD.sub('_', name).lower()}"
        if importlib.util.find_spec(file) is not None:
            cls = getattr(importlib.import_module(file), name, None)
            if isinstance(cls, type) and issubclass(cls, Declared):
                return cls
        for cls in types().values():
            if cls.__name__ == name:
                return cls
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


class Registry(Generic[DeclaredType]):
    """All types of one sort, by key. Saved files contain the keys, so they never change.

    Parameters
    ----------
    folder : str
        Folder of the core, such as "noises", whose modules each hold one type.
    """

    def __init__(self, folder: str) -> None:
        self._folder = f"{ROOT}.{folder}"
        self._types: dict[str, type[DeclaredType]] = {}
        self._is_sorted = False
        self._is_loaded = False

    def add(self, cls: type[DeclaredType]) -> None:
        """Register a type; one that is defined anew, as by a notebook's cell that runs twice, replaces itself.

        Raises
        ------
        ValueError
            If its key is another type's or malformed, or if a parameter has no help text.
        """
        if not _KEY.fullmatch(cls.key):
            raise ValueError(f"{cls.__name__}: key must be lower_case; got {cls.key!r}")
        known = self._types.get(cls.key)
        if known is not None and _place(known) != _place(cls):
            raise ValueError(
                f"{cls.__name__}: key {cls.key!r} is {self._types[cls.key].__name__}'s"
            )
        for parameter in cls.parameters():
            if not parameter.help:
                raise ValueError(f"{cls.__name__}.{parameter.name} has no help text")
        # Another dict: somebody may go through the types at this moment.
        self._types, self._is_sorted = {**self._types, cls.key: cls}, False

    def declare(self, key: str, label: str, **more: object) -> Callable[[ClassType], ClassType]:
        """Return a decorator that makes a class a type: a frozen keyword-only dataclass, registered under `key`.

        Parameters
        ----------
        key, label : str
        more
            Further attributes of the class.
        """

        def decorate(cls: ClassType) -> ClassType:
            for name, value in {"key": key, "label": label, **more}.items():
                setattr(cls, name, value)
            declared_type(cls)
            self.add(cast("type[DeclaredType]", cls))
            return cls

        return decorate

    def get(self, key: str) -> type[DeclaredType]:
        """Return the type of a key, importing the file of that name alone if there is one."""
        file = f"{self._folder}.{key}"
        if key not in self._types and importlib.util.find_spec(file) is not None:
            importlib.import_module(file)
        return self._types[key] if key in self._types else self.all()[key]

    def all(self) -> Mapping[str, type[DeclaredType]]:
        """Return every type by key, sorted, after importing the folder and types of other distributions once."""
        if not self._is_loaded:
            package = importlib.import_module(self._folder)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self._folder}.{module.name}")
            outside_types.load(ROOT)
            self._is_loaded = True
        if not self._is_sorted:  # once: each look at a setting asks for the types
            self._types, self._is_sorted = dict(sorted(self._types.items())), True
        return MappingProxyType(self._types)


def _place(cls: type) -> tuple[str, str]:
    """Return where a class is defined."""
    return (cls.__module__, cls.__qualname__)
