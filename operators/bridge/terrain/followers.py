# SPDX-License-Identifier: GPL-3.0-or-later
"""What is made of a terrain's finished heights, after them: its water, its colors.

An operator makes it before it ends. Live update makes it when a gesture ends, as a task of its own that
runs after the terrain's: the heights never wait for it. A digest stored on the terrain tells whether it
fits the heights, so that undo, copies and loaded files need nothing else.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import bpy

from ..datablocks import meshes
from ..datablocks.ref import Ref
from ..schema import live_switch, state
from ..tasks import live
from ..tasks.jobs import Work
from ..tasks.steps import Steps
from ..tasks.task import LiveTask, Update
from . import made, terrains

_RECORD = "terrane_made_"
"""Prefix of the custom properties with digests."""


class Follower(ABC):
    """Something that is made of the heights of a terrain."""

    key: str
    """Its name, in custom properties and tasks."""

    @abstractmethod
    def state(self, terrain: bpy.types.Object) -> object:
        """Return what it is made of besides the heights; None if the terrain does not have it."""

    @abstractmethod
    def work(self, terrain: bpy.types.Object) -> Work:
        """Read what it needs, and return the work for a thread; a TerraneError says why it cannot be done."""

    @abstractmethod
    def write(self, terrain: bpy.types.Object, result: Any) -> None:
        """Write the result of the work."""

    def make(self, terrain: bpy.types.Object) -> Steps[None]:
        """Make it, whether or not it fits already."""
        owner = Ref.of(terrain)
        result = yield self.work(terrain)
        self.finish(owner.resolve(), result)

    def make_soon(self, terrain: bpy.types.Object) -> Steps[None]:
        """Make it in a task of its own, which no operator waits for; at once if there are no such tasks."""
        if bpy.app.background or not live_switch.is_live(terrain):
            yield from self.make(terrain)
        else:
            live.add(FollowerTask(terrain, self))

    def finish(self, terrain: bpy.types.Object, result: Any) -> None:
        """Write the result of the work, and note which heights it fits."""
        self.write(terrain, result)
        terrain[_RECORD + self.key] = self.digest(terrain)

    def digest(self, terrain: bpy.types.Object) -> str:
        """Return a digest of the heights and of what else it is made of; empty if there is nothing to make."""
        said = self.state(terrain)
        if said is None:
            return ""
        text = f"{made.checksum(meshes.mesh_of(terrain))} {said!r}"
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def is_due(self, terrain: bpy.types.Object) -> bool:
        """Return whether the terrain has it, made of other heights."""
        digest = self.digest(terrain)
        return bool(digest) and terrain.get(_RECORD + self.key) != digest

    def is_made(self, terrain: bpy.types.Object) -> bool:
        """Return whether it was made before, of whatever heights."""
        return terrain.get(_RECORD + self.key) is not None

    def forget(self, terrain: bpy.types.Object) -> None:
        """Remove the digest from a terrain that does not have it any more."""
        terrain.pop(_RECORD + self.key, None)


followers: list[Callable[[], Follower]] = []
"""Functions that return them, in the order in which they are made; their modules are imported late."""


class FollowerTask(LiveTask):
    """Live update of a follower of a terrain."""

    collection = "objects"
    is_followed = staticmethod(state.is_terrain)
    is_urgent = False

    def __init__(self, terrain: bpy.types.Object, follower: Follower) -> None:
        super().__init__(terrain)
        self.follower = follower
        self.key = (follower.key, self.ref.uid)

    def must_wait(self, owner: bpy.types.Object) -> bool:
        """Return whether the heights are being edited, or are a preview."""
        record = made.Made.of(meshes.mesh_of(owner))
        return owner.mode != "OBJECT" or (record is not None and record.is_preview)

    def plan(self, owner: bpy.types.Object) -> Update | None:
        """Compare the heights with those that the follower was made of."""
        if not self.follower.is_due(owner):
            return None
        built = terrains.built_grid(owner)
        shape = (built.rows, built.columns)
        return Update(self.follower.digest(owner), (self.follower.key, ()), shape, None)

    def work(self, owner: bpy.types.Object, update: Update, side: int | None) -> Work:
        """Return the work of the follower."""
        return self.follower.work(owner)

    def write(
        self, owner: bpy.types.Object, update: Update, result: Any, *, is_preview: bool
    ) -> str:
        """Write the result, unless the heights have changed since."""
        if self.follower.digest(owner) == update.settings:
            self.follower.finish(owner, result)
        return ""

    def undo(self, owner: bpy.types.Object) -> None:
        """Do nothing: the digest says what is due."""

    def shows_preview(self, owner: bpy.types.Object) -> bool:
        """Return False: a follower has no preview."""
        return False


def follow(terrain: bpy.types.Object) -> Steps[None]:
    """Make what does not fit the heights of a terrain, in the steps of an operator that has changed them."""
    owner = Ref.of(terrain)
    for one in [find() for find in followers]:
        if one.is_due(owner.resolve()):
            yield from one.make(owner.resolve())


def follow_live(terrain: bpy.types.Object) -> None:
    """Make what does not fit the heights of a terrain soon, by tasks."""
    for one in [find() for find in followers]:
        if one.state(terrain) is not None:
            live.add(FollowerTask(terrain, one))
