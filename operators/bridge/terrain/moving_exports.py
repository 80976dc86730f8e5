# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of terrains that move.

The exporters of Alembic and USD write the vertices of a mesh in every frame only where they take the mesh for animated:
where it has shape keys, its object has modifiers, or its animation data have keyframes, a driver or a track of the NLA
editor. A terrain is moved by a handler, of which they cannot know. So while an exporter goes through the frames, the mesh of a
terrain that moves has a track without strips. It is taken away with the next event, and before the file is saved.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..datablocks import scene_sources
from ..datablocks.ref import Ref
from ..interface.registering import Handlers
from ..tasks import live

TRACK = "Terrane Export"
"""Name of the track."""

_marked: list[Ref[bpy.types.Mesh]] = []
_is_rendering = False


def is_export(depsgraph: Any) -> bool:
    """Return whether an exporter goes through the frames: they, and renders, evaluate them on their own."""
    return not (_is_rendering or scene_sources.has_graph(depsgraph))


def mark(mesh: bpy.types.Mesh) -> None:
    """Mark a mesh so that exporters take it for animated."""
    data = mesh.animation_data or mesh.animation_data_create()
    if data is None or TRACK in data.nla_tracks:
        return
    track = data.nla_tracks.new()
    track.name, track.mute = TRACK, True
    mesh.update_tag()
    _marked.append(Ref.of(mesh))


def unmark(*_: Any) -> None:
    """Remove the tracks."""
    while _marked:
        mesh = _marked.pop().find()
        if mesh is not None:
            _clear(mesh)


def _clear(mesh: Any) -> None:
    data = mesh.animation_data
    track = None if data is None else data.nla_tracks.get(TRACK)
    if track is None:
        return
    data.nla_tracks.remove(track)
    if data.action is None and not (data.drivers or data.nla_tracks):
        mesh.animation_data_clear()


def _on_change(*_: Any) -> None:
    if _marked and live.is_main_thread():
        unmark()


def _on_undo(*_: Any) -> None:
    """Look at all meshes: a step of undo may have a track."""
    _marked.clear()
    for mesh in bpy.data.meshes:
        _clear(mesh)


def _on_render(*_: Any) -> None:
    global _is_rendering
    _is_rendering = True


def _after_render(*_: Any) -> None:
    global _is_rendering
    _is_rendering = False


_handlers = Handlers(
    ("save_pre", unmark),
    ("depsgraph_update_post", _on_change),
    ("undo_post", _on_undo),
    ("redo_post", _on_undo),
    ("load_post", _on_undo),
    ("render_init", _on_render),
    ("render_complete", _after_render),
    ("render_cancel", _after_render),
    end=unmark,
)
register, unregister = _handlers.register, _handlers.unregister
