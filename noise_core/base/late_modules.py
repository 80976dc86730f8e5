# SPDX-License-Identifier: GPL-3.0-or-later
"""Lazy imports: modules of a package that are imported on first use.

``from .erosion import pipes`` then binds a placeholder for the module, so that a program that imports
many modules but uses few, as Blender does at startup, waits for those few alone.
``from .pipes import simulate`` imports at once, as usual.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

_MODULE = "_module"
"""Where a placeholder keeps what it stands for."""


class LateModule(ModuleType):
    """Stands for a module that may not have been imported yet, and has all that it has.

    Parameters
    ----------
    name : str
        Of the module, with those of its packages.
    """

    def __getattr__(self, name: str) -> Any:
        module = vars(self).get(_MODULE) or self._import()
        return getattr(module, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._import(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._import(), name)

    def __dir__(self) -> list[str]:
        return dir(self._import())

    def _import(self) -> ModuleType:
        """Return the module, which is kept: to ask the import system takes 7 us each time."""
        module = vars(self)[_MODULE] = importlib.import_module(self.__name__)
        return module


def late_modules(
    package: str, homes: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose modules are imported late.

    Type checkers are not to see it: they would take any name for one that exists.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str
        Names that the package offers, each with the module that defines it, as seen from the package:
        the module is imported when the name is first asked for.
    """

    def find(name: str) -> Any:
        if name in homes:
            value = getattr(importlib.import_module(homes[name], package), name)
            return vars(sys.modules[package]).setdefault(name, value)
        full = f"{package}.{name}"
        if name.startswith("_") or importlib.util.find_spec(full) is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Kept, until the import itself puts the module there.
        return vars(sys.modules[package]).setdefault(name, LateModule(full))

    return find
