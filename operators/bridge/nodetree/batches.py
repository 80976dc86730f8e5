# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of node trees after which Blender updates a tree once, not once a change.

Every node, link and value that Python sets lets Blender update the whole tree, so that building one takes
a time that grows with the square of its size. While Blender updates a tree, however, changes of others
only mark these, since no update runs within an update (`BKE_ntree_update` in Blender's
`node_tree_update.cc`). So the changes are made in the callback that Blender offers for updates of a kind
of tree that is defined in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

Changes = Callable[[], None]
"""Makes changes of trees, and may read all of them but the results of an update: sockets of a group
that was just assigned or declared, and whether a socket is enabled."""


class _CallbackTree(bpy.types.NodeTree):
    """Kind of tree whose update calls changes; it is registered while there is one, and no editor offers it."""

    bl_idname = "TERRANE_CallbackTree"
    bl_label = "Terrane Batch"
    bl_icon = "NONE"
    changes: list[Changes] = []

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return that no editor can show it."""
        return False

    def update(self) -> None:
        """Make the changes that wait; Blender calls it."""
        while self.changes:
            self.changes.pop()()


class _Outcome:
    """Context that keeps an error, which Blender would print and drop at the end of a callback."""

    error: BaseException | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.error = error
        return True


class Batches:
    """Changes of node trees in batches."""

    def __init__(self, callback_tree: Any) -> None:
        self._callback_tree = callback_tree

    def change(self, tree: Any, changes: Changes) -> None:
        """Make changes of a tree, and update it; not to be called by changes."""
        outcome = _Outcome()

        def make() -> None:
            with outcome:
                changes()

        _CallbackTree.changes.append(make)
        try:
            self._callback_tree.interface_update(bpy.context)
            if _CallbackTree.changes:  # a Blender that does not call back is slower, no more
                _CallbackTree.changes.pop()()
        finally:
            _CallbackTree.changes.clear()  # if Blender refused: they must not be made in the next batch
            tree.interface_update(bpy.context)
        if outcome.error is not None:
            raise outcome.error


_open: list[Batches] = []


@contextmanager
def batches() -> Iterator[Batches]:
    """Yield `Batches` for the time of this context; a nested context yields those of the outer one.

    It also decorates functions that build many trees: making the kind of tree known takes Blender a
    millisecond, since it looks through all trees that there are.
    """
    if _open:
        yield _open[0]
        return
    bpy.utils.register_class(_CallbackTree)
    try:
        trees: Any = bpy.data.node_groups
        callback_tree = trees.new("Terrane Batch", _CallbackTree.bl_idname)
        try:
            _open.append(Batches(callback_tree))
            yield _open[0]
        finally:
            _open.clear()
            # Nothing uses it: to look for that would take the most time of all.
            trees.remove(callback_tree, do_unlink=False)
    finally:
        bpy.utils.unregister_class(_CallbackTree)
