# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be updated live: it finds its datablock, says what is due, and writes what comes of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy

from ..work.jobs import Work
from ..work.steps import Steps
from .live_pace import Structure

Key = tuple[str, int]
"""The kind of datablock, and Blender's number of it for as long as it runs."""


@dataclass(frozen=True)
class Plan:
    """What is due for one target, as its settings are at this moment.

    Attributes
    ----------
    settings : str
        Digest of what is asked for.
    structure : Structure
        For how long it will take.
    shape : tuple of two ints
        Rows and columns of the whole.
    is_shown : bool
        Whether a preview of just this is there already.
    can_preview : bool
        Whether a preview could be written into what is there now.
    order : Any
        The rest, for the target's own use; nothing of Blender's that may go away.
    is_costly : bool
        Whether the whole takes long to write, however quickly it is made.
    is_light : bool
        Whether nothing but values will change, and nothing of Blender's has to be evaluated for it.
    """

    settings: str
    structure: Structure
    shape: tuple[int, int]
    is_shown: bool
    can_preview: bool
    order: Any
    is_costly: bool = False
    is_light: bool = False


class Target(ABC):
    """One datablock whose settings have changed.

    It is found anew each time, by its number: Python must not keep it over an undo.
    """

    kind = ""

    def __init__(self, owner: bpy.types.ID) -> None:
        self.name = owner.name
        self.number = owner.session_uid

    @property
    def key(self) -> Key:
        """What tells targets apart."""
        return (self.kind, self.number)

    @property
    def title(self) -> str:
        """What is being done, for the progress bar."""
        return f"Updating {self.name}"

    def _among(self, owners: Any) -> Any | None:
        """Return the datablock of this number; by its name first, which is quick."""
        named = owners.get(self.name)
        if named is not None and named.session_uid == self.number:
            return named
        return _numbered(owners, self.number)

    @abstractmethod
    def found(self) -> Any | None:
        """Return the datablock, None if it is gone or is no longer ours."""

    @abstractmethod
    def must_wait(self, owner: Any) -> bool:
        """Return whether this is a bad moment, but a better one will come."""

    @abstractmethod
    def why_waiting(self, owner: Any) -> str:
        """Return what to say while it has to wait; nothing if that goes without saying."""

    @abstractmethod
    def refusal(self, owner: Any) -> str:
        """Return why it is not updated live, whenever; nothing if it is."""

    @abstractmethod
    def state(self, owner: Any) -> object:
        """Return what a refusal may depend on besides the settings, for comparing; it is read often."""

    @abstractmethod
    def plan(self, owner: Any, *, is_thorough: bool = False) -> Plan | None:
        """Return what is due, None if nothing is.

        Parameters
        ----------
        owner : Object or Image
            Of this target.
        is_thorough : bool
            Compare what was painted too.

        Raises
        ------
        TerraneError
            If the settings cannot be read.
        """

    @abstractmethod
    def work(self, owner: Any, plan: Plan, side: int | None) -> Work:
        """Return the work on the whole, or on a preview with so many samples along its longer side.

        Raises
        ------
        TerraneError
            If it cannot be done.
        """

    @abstractmethod
    def write(self, owner: Any, plan: Plan, result: Any, *, is_preview: bool) -> str | Steps[str]:
        """Write what came of the work; return what the user should know about it, if anything.

        What takes long is a generator of steps, which leaves nothing behind when it is closed.

        Raises
        ------
        TerraneError
            If there is no place for it.
        """

    @abstractmethod
    def undone(self, owner: Any) -> None:
        """Put right what undo or redo has left inconsistent besides the settings themselves."""


def _numbered(owners: Iterable[Any], number: int) -> Any | None:
    return next((one for one in owners if one.session_uid == number), None)
