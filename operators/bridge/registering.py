# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender is told when Terrane is enabled: all of it, or nothing.

Blender forgets an extension whose `register` fails, but not what that had told it by then: a class that
stays would be in the way of the next enabling. So whatever fails takes back what went before it, and
taking back goes on past a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

import bpy


class Part(Protocol):
    """What can be registered, as a module with these two functions; a failed `register` leaves nothing."""

    def register(self) -> None:
        """Tell Blender."""

    def unregister(self) -> None:
        """Take it back."""


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


class Registered:
    """What was registered piece by piece, in an order that is known only then; a part's memory."""

    def __init__(self) -> None:
        self._undo = ExitStack()

    def add_class(self, cls: type) -> type:
        """Register a class, and return it."""
        bpy.utils.register_class(cls)
        self._undo.callback(bpy.utils.unregister_class, cls)
        return cls

    def add_property(self, owner: type, name: str, declared: Any) -> None:
        """Hang a property on one of Blender's types."""
        setattr(owner, name, declared)
        self._undo.callback(delattr, owner, name)

    def unregister(self) -> None:
        """Take all pieces back, the last one first."""
        self._undo.close()


class Classes:
    """Classes of Blender's, a part.

    Parameters
    ----------
    *classes : type
        Each after those that it needs.
    """

    def __init__(self, *classes: type) -> None:
        self._classes = classes
        self._registered = Registered()

    def register(self) -> None:
        """Register all classes, or none."""
        with undone_if_failed(self.unregister):
            for cls in self._classes:
                self._registered.add_class(cls)

    def unregister(self) -> None:
        """Unregister them."""
        self._registered.unregister()


class MenuEntry:
    """What is drawn at the end of one of Blender's menus, a part.

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


class AtEnd:
    """A part of which Blender knows nothing: something that is ended when Terrane is disabled.

    Parameters
    ----------
    end : callable
    """

    def __init__(self, end: Callable[[], None]) -> None:
        self.unregister = end

    def register(self) -> None:
        """Do nothing."""


@contextmanager
def undone_if_failed(undo: Callable[[], None]) -> Iterator[None]:
    """Call a function if the block fails: one that takes back as much of its work as was done."""
    with ExitStack() as stack:
        stack.callback(undo)
        yield
        stack.pop_all()
