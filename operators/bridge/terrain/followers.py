# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts made of a terrain's finished heights, after them: its water, its colors.

An operator makes it before it ends. Live update makes it when a gesture ends, as a separate task that
runs after the terrain's: the heights never wait for it. So it does after sculpting and editing, and for what
was not finished when a file was saved.

Each result carries a digest of what it was made of, in the datablock that holds it: undo restores
datablocks one by one, and leaves one as it is that did not change between two of its steps (see `tasks.live`).
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..datablocks import linked, meshes
from ..datablocks.record import Record, forget
from ..datablocks.ref import Ref
from ..interface.registering import Handlers, undo_on_failure
from ..schema import live_switch, state
from ..tasks import live
from ..tasks.jobs import Work, as_work
from ..tasks.steps import Steps
from ..tasks.task import LiveTask, Update
from . import mesh_record, terrains


class Follower(ABC):
    """Something that is made of the heights of a terrain."""

    key: str
    """Its name, in custom properties and tasks."""

    @abstractmethod
    def state(self, terrain: bpy.types.Object) -> object:
        """Return what it is made of besides the heights; None if the terrain does not have it."""

    def work(self, terrain: bpy.types.Object) -> Work:
        """Read what it needs, and return the work for a thread; a TerraneError says why it cannot be done.

        By default there is none: `write` does all.
        """
        return as_work(lambda: None)

    @abstractmethod
    def write(self, terrain: bpy.types.Object, result: Any) -> None:
        """Write the result of the work."""

    def holders(self, terrain: bpy.types.Object) -> Sequence[bpy.types.ID]:
        """Return the datablocks that hold the result, which keep its digest: the terrain's mesh."""
        return (meshes.mesh_of(terrain),)

    def make(self, terrain: bpy.types.Object) -> Steps[Any]:
        """Make it, whether or not it fits already, and return the result of the work; None if it was removed meanwhile."""
        owner = Ref.of(terrain)
        result = yield self.work(terrain)
        if self.state(owner.resolve()) is None:
            return None
        self.finish(owner.resolve(), result)
        return result

    def make_soon(self, terrain: bpy.types.Object) -> Steps[None]:
        """Make it in a separate task, which no operator waits for; at once if there are no such tasks."""
        if bpy.app.background or not live_switch.is_live(terrain):
            yield from self.make(terrain)
        else:
            live.add(FollowerTask(terrain, self))

    def finish(self, terrain: bpy.types.Object, result: Any) -> None:
        """Write the result of the work, and note which heights it fits."""
        self.write(terrain, result)
        self.note(terrain)

    def note(self, terrain: bpy.types.Object) -> None:
        """Note that it fits the present heights."""
        digest = self.digest(terrain)
        for one in self.holders(terrain):
            Record(digest).store(one, self.key)

    def digest(self, terrain: bpy.types.Object) -> str:
        """Return a digest of the heights and of what else it is made of; empty if there is nothing to make."""
        said = self.state(terrain)
        if said is None:
            return ""
        text = f"{self.heights(terrain)} {terrains.built_grid(terrain)!r} {said!r}"
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def heights(self, terrain: bpy.types.Object) -> int:
        """Return a checksum of the heights, for the digest; a constant if it depends on the grid alone."""
        return mesh_record.checksum(meshes.mesh_of(terrain))

    def is_due(self, terrain: bpy.types.Object) -> bool:
        """Return whether the terrain has it, made of other heights; never if its mesh is no grid any more."""
        if not terrains.built_grid(terrain).fits(meshes.mesh_of(terrain)):
            return False
        digest = self.digest(terrain)
        return bool(digest) and any(
            _digest_in(one, self.key) != digest for one in self.holders(terrain)
        )

    def is_made(self, terrain: bpy.types.Object) -> bool:
        """Return whether it was made before, of any heights."""
        return any(_digest_in(one, self.key) for one in self.holders(terrain))

    def undo(self, terrain: bpy.types.Object) -> None:  # noqa: B027 (most have nothing to do)
        """Take note of an undo: what was written between two of Blender's steps it may bring back without evaluating it."""

    def preview(self, terrain: bpy.types.Object) -> None:  # noqa: B027
        """Take note of heights that are a preview: what is slow to evaluate may be hidden until it is due."""

    def before_saving(self, terrain: bpy.types.Object) -> None:  # noqa: B027
        """Show again what `preview` has hidden: it belongs into the file."""

    def forget(self, terrain: bpy.types.Object) -> None:
        """Remove the digest from a terrain that does not have it any more."""
        for one in self.holders(terrain):
            forget(one, self.key)


def _digest_in(holder: bpy.types.ID, key: str) -> str:
    """Return the digest in a follower's record on a datablock; empty without one."""
    record = Record.of(holder, key)
    return "" if record is None else record.digest


followers: list[Callable[[], Follower]] = []
"""Functions that return them, in the order in which they are made; their modules are imported late."""

part_listeners: list[Callable[[bpy.types.Scene], None]] = []
"""Functions that let parts of landscapes know of each other; their modules are imported late."""


def tell_parts(scene: bpy.types.Scene) -> None:
    """Call the listeners: a scene has another camera, or a part of a landscape was added or removed."""
    for listen in part_listeners:
        listen(scene)


class FollowerTask(LiveTask):
    """Live update of a follower of a terrain."""

    collection = "objects"
    is_followed = staticmethod(state.is_terrain)
    is_urgent = False
    waits_for_rest = True

    def __init__(self, terrain: bpy.types.Object, follower: Follower) -> None:
        super().__init__(terrain)
        self.follower = follower
        self.key = (follower.key, self.ref.uid)

    def must_wait(self, owner: bpy.types.Object) -> bool:
        """Return whether the heights are being edited, or are a preview."""
        record = mesh_record.of(meshes.mesh_of(owner))
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

    def state(self, owner: bpy.types.Object) -> object:
        """Return the elements of the mesh, since only a grid can be followed, and the follower's state."""
        mesh = meshes.mesh_of(owner)
        counts = (len(mesh.vertices), len(mesh.edges), len(mesh.polygons))
        return (Ref.of(mesh).uid, counts, self.follower.state(owner))

    def write(
        self, owner: bpy.types.Object, update: Update, result: Any, *, is_preview: bool
    ) -> str:
        """Write the result, unless the heights have changed since."""
        if self.follower.digest(owner) == update.settings:
            self.follower.finish(owner, result)
        elif self.follower.state(owner) is not None:
            live.add(self)
        return ""

    def undo(self, owner: bpy.types.Object) -> None:
        """Let the follower look at what undo has brought back; the digest says what is due."""
        self.follower.undo(owner)

    def shows_preview(self, owner: bpy.types.Object) -> bool:
        """Return False: a follower has no preview."""
        return False


def follow(changed: bpy.types.Object) -> Steps[None]:
    """Make what does not fit the heights of a terrain, in the steps of an operator that has changed them.

    Other terrains that share its mesh have changed too.
    """
    owners = [Ref.of(one) for one in _sharing(changed)]
    for owner in owners:
        for one in [find() for find in followers]:
            terrain = owner.find()
            # In another mode the heights are not stored yet: live update follows when it is left.
            if terrain is not None and terrain.mode == "OBJECT" and one.is_due(terrain):
                yield from one.make(terrain)


def follow_live(changed: bpy.types.Object) -> None:
    """Make what does not fit the heights of a terrain soon, by tasks."""
    for terrain in _sharing(changed):
        for one in [find() for find in followers]:
            if one.state(terrain) is not None:
                live.add(FollowerTask(terrain, one))


def has_any(terrain: bpy.types.Object) -> bool:
    """Return whether a terrain has parts, which are its children, or its mesh holds what was made of its heights."""
    mesh: Any = meshes.mesh_of(terrain)
    return bool(terrain.children) or any(_digest_in(mesh, find().key) for find in followers)


def show_preview(changed: bpy.types.Object) -> None:
    """Let what is made of the heights of a terrain know that these are a preview: its parts are its children."""
    if not changed.children:
        return
    for one in [find() for find in followers]:
        one.preview(changed)


def _sharing(changed: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the terrains with the mesh of one that may be written to; itself, in most cases."""
    mesh = meshes.mesh_of(changed)
    users = [changed] if mesh.users == 1 else [one for one in bpy.data.objects if one.data == mesh]
    return [one for one in users if state.is_terrain(one) and linked.is_writable(one)]


# --- events -------------------------------------------------------------------------------------


def _on_setting(owner: bpy.types.ID) -> None:
    """Follow the settings of a part of a terrain."""
    terrain = owner.parent if isinstance(owner, bpy.types.Object) else None
    if terrain is not None and state.is_terrain(terrain):
        follow_live(terrain)


@persistent
def _on_change(_: Any, depsgraph: Any) -> None:
    """Follow heights that the user has changed by sculpting or editing, or a script."""
    if not live.is_listening():
        return
    for one in depsgraph.updates:
        thing = one.id.original if one.is_updated_geometry else None
        if isinstance(thing, bpy.types.Object) and state.is_terrain(thing):
            follow_live(thing)


@persistent
def _on_load(*_: Any) -> None:
    """Follow heights that a file was saved with before what is made of them was ready."""
    for one in bpy.data.objects:
        if state.is_terrain(one):
            follow_live(one)


@persistent
def _on_save(*_: Any) -> None:
    """Save nothing that is hidden for the time of a preview."""
    for terrain in [one for one in bpy.data.objects if state.is_terrain(one)]:
        for one in [find() for find in followers]:
            one.before_saving(terrain)


_handlers = Handlers(
    ("depsgraph_update_post", _on_change), ("load_post", _on_load), ("save_pre", _on_save)
)


def register() -> None:
    """Listen to changes of meshes and settings, and to loaded files."""
    with undo_on_failure(unregister):
        live.others.append(_on_setting)
        _handlers.register()


def unregister() -> None:
    """Stop listening."""
    _handlers.unregister()
    if _on_setting in live.others:
        live.others.remove(_on_setting)
