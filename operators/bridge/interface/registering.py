# SPDX-License-Identifier: GPL-3.0-or-later
"""Registration with Blender: all parts, or none after a failure.

Blender drops an extension whose `register` fails, but not the classes registered by then, which would
prevent it from being enabled again. So a failure undoes all earlier registrations, and unregistering
continues after a failure.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from types import ModuleType
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import PointerProperty

from . import timer
from .taken_names import NameTakenError, check_class, check_property


class Parts:
    """Modules and objects that are registered in order and unregistered in reverse.

    Each has a `register`, which leaves nothing registered if it fails, and an `unregister`.
    """

    def __init__(self, *parts: Any) -> None:
        self._parts = parts

    def register(self) -> None:
        """Register each; if one fails, unregister those before it."""
        with ExitStack() as undo:
            for part in self._parts:
                part.register()
                undo.callback(part.unregister)
            undo.pop_all()

    def unregister(self) -> None:
        """Unregister each, even if one fails."""
        with ExitStack() as undo:
            for part in self._parts:
                undo.callback(part.unregister)


class Registrations:
    """Classes and properties that are registered one by one."""

    def __init__(self) -> None:
        self._undo = ExitStack()

    def add_class(self, cls: type) -> type:
        """Register a class, and return it; raise a `NameTakenError` if another add-on has one of its name."""
        check_class(cls.__name__)
        bpy.utils.register_class(cls)
        self._undo.callback(_unregister_class, cls)
        return cls

    def add_group(self, owner: Any, name: str, group: type, label: str) -> None:
        """Add a property with settings to one of Blender's types; for errors see `add_class`."""
        check_property(owner, name)
        setattr(owner, name, PointerProperty(type=group, name=label))
        _groups[owner, name] = group.__name__
        self._undo.callback(_remove_group, owner, name)

    def unregister(self) -> None:
        """Unregister all of them, the last one first."""
        self._undo.close()


def _unregister_class(cls: Any) -> None:
    """Unregister a class, unless another add-on has replaced it."""
    if cls.is_registered:
        bpy.utils.unregister_class(cls)


_groups: dict[tuple[Any, str], str] = {}
"""Names of the classes of all properties with settings, by their owners and names."""


def _is_present(owner: Any, name: str) -> bool:
    """Return whether a property with settings is there, and not another add-on's."""
    kind = getattr(owner.bl_rna.properties.get(name), "fixed_type", None)
    return kind is not None and kind.identifier == _groups[owner, name]


def _remove_group(owner: Any, name: str) -> None:
    """Remove a property with settings, unless another add-on has replaced or removed it."""
    if _is_present(owner, name):
        delattr(owner, name)
    del _groups[owner, name]


class Classes(Registrations):
    """Blender classes as a part, each after those that it depends on."""

    def __init__(self, *classes: type) -> None:
        super().__init__()
        self._classes = classes

    def register(self) -> None:
        """Register all classes, or none."""
        with undo_on_failure(self.unregister):
            for cls in self._classes:
                self.add_class(cls)


class Settings:
    """Property group of some of Blender's types, with its nested groups, as a part.

    `name` and `label` are those of the owners' property. `groups` yields the groups: each after its
    nested groups, which are registered by then, the owners' last.
    """

    def __init__(
        self,
        name: str,
        label: str,
        groups: Callable[[], Iterable[type]],
        owners: Sequence[type] = (bpy.types.Scene,),
    ) -> None:
        self.name, self._label, self._groups, self._owners = name, label, groups, owners
        self._registered = Registrations()

    def register(self) -> None:
        """Register the groups, and add the last one to the owners."""
        with undo_on_failure(self.unregister):
            for cls in self._groups():
                group = self._registered.add_class(cls)
            for owner in self._owners:
                self._registered.add_group(owner, self.name, group, self._label)

    def unregister(self) -> None:
        """Undo `register`."""
        self._registered.unregister()

    def of(self, context: bpy.types.Context) -> Any:
        """Return the settings of the current scene."""
        return getattr(context.scene, self.name)


class MenuEntry:
    """Entry at the end of one of Blender's menus, given by the name of its class, as a part."""

    def __init__(self, menu: str, draw: Callable[[Any, bpy.types.Context], None]) -> None:
        self._menu, self._draw = menu, draw

    def register(self) -> None:
        """Append the entry to the menu."""
        getattr(bpy.types, self._menu).append(self._draw)

    def unregister(self) -> None:
        """Remove the entry, unless another add-on has."""
        with suppress(ValueError):
            getattr(bpy.types, self._menu).remove(self._draw)


class Tool:
    """Tool in the toolbar of an editor, as a part; `separated` draws a line above it."""

    def __init__(self, tool: type, *, separated: bool = False) -> None:
        self._tool, self._separated = tool, separated

    def register(self) -> None:
        """Add the tool at the end of the toolbar."""
        bpy.utils.register_tool(self._tool, separator=self._separated)

    def unregister(self) -> None:
        """Remove it; Blender chooses another one where it is active."""
        bpy.utils.unregister_tool(self._tool)


class ConsoleCommand:
    """Command of ``blender --command``, as a part; `execute` gets its arguments and returns the exit status.

    Blender refuses a command that is registered twice.
    """

    def __init__(self, name: str, execute: Callable[[list[str]], int]) -> None:
        self._name, self._execute = name, execute
        self._handle: Any = None

    def register(self) -> None:
        """Register the command; raise a `NameTakenError` if there is one."""
        try:
            self._handle = bpy.utils.register_cli_command(self._name, self._execute)
        except ValueError:
            raise NameTakenError(f"--command {self._name}", "another add-on") from None

    def unregister(self) -> None:
        """Remove the command."""
        bpy.utils.unregister_cli_command(self._handle)


class Handlers:
    """Functions in lists of ``bpy.app.handlers``, given by their names, as a part; loaded files keep them.

    `begin` and `end` are called after the functions were added, and after they were removed. An add-on that
    empties a list takes our functions along: each of them that is still called adds the others again, and so
    does `restore_handlers`.
    """

    def __init__(
        self,
        *pairs: tuple[str, Callable[..., None]],
        begin: Callable[[], None] = lambda: None,
        end: Callable[[], None] = lambda: None,
    ) -> None:
        self.pairs = [(name, persistent(_restoring(function))) for name, function in pairs]
        self._begin, self._end = begin, end

    def register(self) -> None:
        """Append each function to its list."""
        with undo_on_failure(self.unregister):
            _registered.append(self)
            restore_handlers()
            timer.call(_look_after_handlers)
            self._begin()

    def unregister(self) -> None:
        """Remove each function from its list."""
        if self in _registered:
            _registered.remove(self)
        if not _registered:
            timer.cancel(_look_after_handlers)
        for name, function in self.pairs:
            functions = getattr(bpy.app.handlers, name)
            if function in functions:
                functions.remove(function)
        self._end()


_registered: list[Handlers] = []

_LOOK = 1.0
"""Seconds between two looks at the lists of handlers."""


def restore_handlers() -> None:
    """Append all functions to their lists again that another add-on has removed."""
    for handlers in _registered:
        for name, function in handlers.pairs:
            functions = getattr(bpy.app.handlers, name)
            if function not in functions:
                functions.append(function)


def _look_after_handlers() -> float:
    """Restore handlers in a window, where there is a timer."""
    restore_handlers()
    return _LOOK


def _restoring(function: Callable[..., None]) -> Callable[..., None]:
    """Return a handler that restores the others before it runs, and does nothing if another add-on took our settings."""

    @functools.wraps(function)
    def call(*arguments: Any) -> None:
        restore_handlers()
        if all(_is_present(*group) for group in _groups):
            function(*arguments)

    return call


def modules(package: str, names: Iterable[str]) -> Parts:
    """Return modules of a package as parts, in their order."""
    return Parts(*(importlib.import_module(f"{package}.{name}") for name in names))


def defined_classes(module: ModuleType, base: type) -> Iterator[type]:
    """Yield the public subclasses of a class that a module defines, in the order of definition."""
    for name, member in vars(module).items():
        is_class = isinstance(member, type) and issubclass(member, base)
        if is_class and member.__module__ == module.__name__ and not name.startswith("_"):
            yield member


@contextmanager
def undo_on_failure(undo: Callable[[], None]) -> Iterator[None]:
    """Call a function if the block fails, to undo the part of its work that was done."""
    with ExitStack() as stack:
        stack.callback(undo)
        yield
        stack.pop_all()
