# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the operators' declarations without Blender: the real modules, with a stand-in for `bpy`.

Functions make the keywords of an operator from the declarations in the core, so that its source text does
not show them. Here `bpy.props` records its arguments. Operators need no other part of Blender before they are
registered, and none is.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "terrane_without_blender"
"""The package's name here: another than `noise_core` imported plainly, which stays as it is."""


@dataclass(frozen=True)
class Declared:
    """One property: the function that declared it, and its keywords."""

    function: Callable[..., Any]
    keywords: dict[str, Any]

    @property
    def kind(self) -> str:
        """The function's name: "IntProperty"."""
        return self.function.__name__


class _Types(ModuleType):
    """Gives a class for every name, always the same."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("_"):
            raise AttributeError(name)
        cls = type(name, (), {})
        setattr(self, name, cls)
        return cls


class _Properties(ModuleType):
    """Gives a function for every name that ends in Property; it keeps its keywords."""

    def __getattr__(self, name: str) -> Callable[..., Declared]:
        if not name.endswith("Property"):
            raise AttributeError(name)

        def declare(**keywords: Any) -> Declared:
            return Declared(declare, keywords)

        declare.__name__ = name
        setattr(self, name, declare)
        return declare


class _Anything(ModuleType):
    """Any other module of Blender's: functions can be imported from it that nobody calls here."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return _unused


def _unused(*arguments: Any, **keywords: Any) -> Any:
    """Stand for a function; as a decorator it changes nothing."""
    return arguments[0] if arguments else None


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module of Blender's."""

    def find_spec(self, name: str, *_: Any) -> importlib.machinery.ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        if name.partition(".")[0] not in _BLENDERS:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """See `importlib.abc.Loader`."""
        stand_in = {"bpy.types": _Types, "bpy.props": _Properties}.get(spec.name, _Anything)(
            spec.name
        )
        if spec.name == "bpy.app":
            stand_in.version = (4, 2, 0)  # type: ignore[attr-defined]
        return stand_in

    def exec_module(self, module: ModuleType) -> None:
        """See `importlib.abc.Loader`."""
        for part in _PARTS.get(module.__name__, ()):
            setattr(module, part, importlib.import_module(f"{module.__name__}.{part}"))


_BLENDERS = {"bpy", "bpy_extras", "bl_math", "blf", "gpu", "gpu_extras", "mathutils"}
_PARTS = {"bpy": ("types", "props", "app"), "bpy.app": ("handlers", "timers", "translations")}
"""Modules that are there without being imported."""


def operator_classes() -> list[type]:
    """Return the classes of all operators, by name."""
    operators = module("operators")
    for info in pkgutil.walk_packages(operators.__path__, f"{operators.__name__}."):
        if ".bridge" not in info.name:
            importlib.import_module(info.name)
    base = importlib.import_module("bpy.types").Operator
    named = {cls.bl_idname: cls for cls in _subclasses(base) if "bl_idname" in vars(cls)}
    return [named[name] for name in sorted(named)]


def _subclasses(cls: Any) -> Iterator[Any]:
    """Yield all classes below one."""
    for below in cls.__subclasses__():
        yield below
        yield from _subclasses(below)


def module(name: str) -> ModuleType:
    """Return a module of the extension, imported with the stand-in."""
    if PACKAGE not in sys.modules:
        _import_package()
    return importlib.import_module(f"{PACKAGE}.{name}")


def _import_package() -> None:
    _stand_in()
    location = ROOT / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        PACKAGE, location, submodule_search_locations=[str(ROOT)]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)


def _stand_in() -> None:
    """Put the stand-in where `import bpy` finds it.

    Raises
    ------
    RuntimeError
        If the true one is there: then there is no need of another.
    """
    if "bpy" in sys.modules:
        raise RuntimeError("bpy is imported already: read the operators from it")
    sys.meta_path.insert(0, _Finder())
