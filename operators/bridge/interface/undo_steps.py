# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo steps after operators that Python calls.

Blender ends an operator that a user starts with an undo step. An operator that a timer, a handler or a script
calls gets none. Undo then takes back more than the last change, and Blender may crash in it once the nodes of a
material were rebuilt. So such an operator makes its step here, and counts the operators that it calls as part
of itself.

Python does not see whether the caller asks for a step, as ``bpy.ops.terrane.nodes_add("EXEC_DEFAULT", True)``
does: then there are two. In background mode a script that undoes makes its steps itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import bpy

_STEPS = frozenset({"UNDO", "UNDO_GROUPED"})
"""Options of operators that end with an undo step if a user starts them."""

_depth = 0
"""Number of Terrane's operators that are running, each called by the one before."""


def add_undo_step(operator: Any) -> Any:
    """Let an operator class with the option ``UNDO`` make its step when Python calls it; return the class."""
    if "UNDO" not in getattr(operator, "bl_options", ()):
        return operator
    # Blender counts the arguments, so that one wrapper cannot serve both.
    if hasattr(operator, "execute"):
        execute = _method_of(operator, "execute")
        operator.execute = lambda self, context: _run(self, execute, context)
    if hasattr(operator, "invoke"):
        invoke = _method_of(operator, "invoke")
        operator.invoke = lambda self, context, event: _run(self, invoke, context, event)
    return operator


def _method_of(operator: Any, name: str) -> Callable[..., set[str]]:
    """Return the present method of a class; one that it inherits is looked up with each call."""
    method: Callable[..., set[str]] | None = vars(operator).get(name)
    return method or (lambda self, *arguments: getattr(super(operator, self), name)(*arguments))


def _run(operator: Any, function: Callable[..., set[str]], *arguments: Any) -> set[str]:
    """Call a function of an operator, and make the undo step if nothing else does."""
    global _depth
    _depth += 1
    try:
        status = function(operator, *arguments)
    finally:
        _depth -= 1
    is_over = _depth == 0 and "FINISHED" in status
    if is_over and not bpy.app.background and not _is_started_by_user(sys._getframe()):
        bpy.ops.ed.undo_push(message=operator.bl_label)
    return status


def _is_started_by_user(frame: FrameType) -> bool:
    """Return whether all calls up to a frame come from an operator that the user has started and that ends with a step."""
    while frame.f_back is not None:
        frame = frame.f_back
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount]
    caller = frame.f_locals.get(names[0]) if names else None
    if isinstance(caller, bpy.types.Operator):
        return not _STEPS.isdisjoint(getattr(type(caller), "bl_options", ()))
    # Blender's operator that runs a text of the Text Editor, and ends with a step, is not written in Python.
    texts = (os.sep.join((bpy.data.filepath, text.name)) for text in bpy.data.texts)
    return code.co_filename in texts
