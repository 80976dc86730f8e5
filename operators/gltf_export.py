# SPDX-License-Identifier: GPL-3.0-or-later
"""Hint of Blender's glTF exporter, which cannot carry the motion of a terrain before it is baked."""

from __future__ import annotations

from typing import Any

from .bridge.interface.messages import Message, translate
from .bridge.terrain import animated_values, motion, partial_lands


class MotionHint:
    """Extension of the exporter, which makes one for each file and calls it by the names of its methods."""

    def gather_node_hook(self, node: Any, obj: Any, settings: Any) -> None:
        """Tell of a terrain whose keyframes are not baked to shape keys."""
        if obj is None or obj.type != "MESH":
            return
        if text := partial_lands.note(obj):
            settings["log"].warning(translate(text), popup=True)
        is_kept = obj.data.shape_keys is not None and motion.is_baked(obj)
        if animated_values.is_animated(obj) and not is_kept:
            text = translate(
                Message("{} stands still in glTF: Bake Motion to shape keys first", obj.name)
            )
            settings["log"].warning(text, popup=True)
