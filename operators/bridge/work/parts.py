# SPDX-License-Identifier: GPL-3.0-or-later
"""Large arrays of a mesh, each made by a thread and written in steps of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from ....noise_core.blocks import Cancel, Progress
from . import memory
from .jobs import Work
from .steps import Steps

Found = Callable[[], bpy.types.Mesh]
"""Returns the mesh that is written to, found anew because anything may happen between two steps."""


def _has_room(mesh: bpy.types.Mesh) -> bool:
    return True


@dataclass(frozen=True)
class Part:
    """A large array of a mesh.

    Attributes
    ----------
    make : callable
        Returns it; any thread may call this.
    write : callable
        Gets the mesh and the array.
    add : callable
        Gives a mesh room for it; returns whether Blender lets us.
    size : int
        Bytes that this takes, about.
    """

    make: Callable[[], npt.NDArray[Any]]
    write: Callable[[bpy.types.Mesh, npt.NDArray[Any]], None]
    add: Callable[[bpy.types.Mesh], bool] = _has_room
    size: int = 0


@dataclass(frozen=True)
class Room:
    """Room for some elements of an empty mesh.

    Attributes
    ----------
    make : callable
        Gets the mesh.
    sizes : tuple of int
        Bytes of each array.
    """

    make: Callable[[bpy.types.Mesh], None]
    sizes: tuple[int, ...]


def written(part: Part, found: Found) -> Steps[bool]:
    """Take the steps that add a part to a mesh; return whether there was a place for it."""
    yield from memory.warmed((part.size,))
    if not part.add(found()):
        return False
    yield None
    values = yield making(part.make)
    part.write(found(), values)
    del values
    yield None
    return True


def making(make: Callable[[], Any]) -> Work:
    """Return the work that makes something; it is too short to be stopped."""

    def made(progress: Progress, cancel: Cancel) -> Any:
        return make()

    return made


def flat(array: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return an array as Blender's fast way in wants it: one axis, contiguous, float32."""
    return np.ascontiguousarray(array, np.float32).reshape(-1)
