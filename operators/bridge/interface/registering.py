# SPDX-License-Identifier: GPL-3.0-or-later
"""Registration with Blender: of everything, or of nothing after a failure.

Blender forgets an extension whose `register` fails, but not what that has registered by then: a class
that stays would stop the next enabling. So a failure undoes all that went before it, and undoing goes
on past a failure.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any, Protocol, cast

import bpy


class Part(Protocol):
    """Something to register, such as a module with these functions; a failed `register` leaves nothing."""

    def register(self) -> None:
        """Register it."""

    def unregister(self) -> None:
        """Undo `register`."""


class Parts:
    """Parts that are registered in their order and unregistered in reverse.

    Parameters
    ----------
    *parts : Part
    """

    def __init__(self, *parts: Part) -> None:
        self._parts = parts

    def register(self) -> None:
        """Register each; if one fails, those before it are unregistered again."""
        with ExitStack() as undo:
            for part in self._parts:
                part.register()
                undo.callback(part.unregister)
            undo.pop_all()

    def unregister(self) -> None:
        """Unregister each, the others too if one fails."""
        with ExitStack() as undo:
            for part in self._parts:
                undo.callback(part.unregister)


class Registrations:
    """Classes and properties registered one by one, in an order that is known only then."""

    def __init__(self) -> None:
        self._undo = ExitStack()

    def add_class(self, cls: type) -> type:
        """Register a class, and return it."""
        bpy.utils.register_class(cls)
        self._undo.callback(bpy.utils.unregister_class, cls)
        return cls

    def add_property(self, owner: type, name: str, declared: Any) -> None:
        """Add a property to one of Blender's types."""
        setattr(owner, name, declared)
        self._undo.callback(delattr, owner, name)

    def unregister(self) -> None:
        """Unregister all of them, the last one first."""
        self._undo.close()


class Classes:
    """Classes of Blender's as a part.

    Parameters
    ----------
    *classes : type
        Each after those that it needs.
    """

    def __init__(self, *classes: type) -> None:
        self._classes = classes
        self._registered = Registrations()

    def register(self) -> None:
        """Register all classes, or none."""
        with undo_on_failure(self.unregister):
            for cls in self._classes:
                self._registered.add_class(cls)

    def unregister(self) -> None:
        """Unregister them."""
        self._registered.unregister()


class MenuEntry:
    """Entry at the end of one of Blender's menus, as a part.

    Parameters
    ----------
    menu : str
        Name of the menu's class.
    draw : callable
    """

    def __init__(self, menu: str, draw: Callable[[Any, bpy.types.Context], None]) -> None:
        self._menu, self._draw = menu, draw

    def register(self) -> None:
        """Put it there."""
        menu: Any = getattr(bpy.types, self._menu)
        menu.append(self._draw)

    def unregister(self) -> None:
        """Take it out again."""
        menu: Any = getattr(bpy.types, self._menu)
        menu.remove(self._draw)


class Handlers:
    """Functions that Blender calls when something happens, a part.

    Parameters
    ----------
    *pairs : tuple of str and callable
        Name of a list in ``bpy.app.handlers``, and a function that is persistent.
    """

    def __init__(self, *pairs: tuple[str, Callable[..., None]]) -> None:
        self._pairs = pairs

    def register(self) -> None:
        """Append each function to its list."""
        for name, function in self._pairs:
            getattr(bpy.app.handlers, name).append(function)

    def unregister(self) -> None:
        """Remove them."""
        for name, function in self._pairs:
            functions = getattr(bpy.app.handlers, name)
            if function in functions:
                functions.remove(function)


def modules(package: str, names: Iterable[str]) -> Parts:
    """Return modules of a package as parts, in their order."""
    found = (importlib.import_module(f"{package}.{name}") for name in names)
    return Parts(*(cast(Part, one) for one in found))


def defined_classes(module: ModuleType, base: type) -> Iterator[type]:
    """Yield the public subclasses of a class that a module defines, in the order of definition."""
    for name, one in vars(module).items():
        is_class = isinstance(one, type) and issubclass(one, base)
        if is_class and one.__module__ == module.__name__ and not name.startswith("_"):
            yield one


@contextmanager
def undo_on_failure(undo: Callable[[], None]) -> Iterator[None]:
    """Call a function if the block fails: one that undoes as much of its work as was done."""
    with ExitStack() as stack:
        stack.callback(undo)
        yield
        stack.pop_all()
