# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules of a package that are imported when something of them is first asked for.

``from .erosion import talus`` binds a stand-in for the module then, and whoever imports many modules
but uses few, as Blender does with what it shows at first, waits for those few alone. What is
imported by its own name, ``from .talus import slide``, comes at once as ever.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class LateModule(ModuleType):
    """Stands for a module that may not have been imported yet, and has all that it has.

    Parameters
    ----------
    name : str
        Of the module, with those of its packages.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(importlib.import_module(self.__name__), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(importlib.import_module(self.__name__), name)

    def __dir__(self) -> list[str]:
        return dir(importlib.import_module(self.__name__))


def late_modules(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package whose modules are imported late.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    """

    def find_module(name: str) -> Any:
        full = f"{package}.{name}"
        if name.startswith("_") or importlib.util.find_spec(full) is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # Kept, until the import itself puts the module there.
        return vars(sys.modules[package]).setdefault(name, LateModule(full))

    return find_module
