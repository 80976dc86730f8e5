# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of operators that are refused while something is against them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from .bridge.datablocks import linked
from .bridge.interface.messages import translate
from .options import UntypedOperator

Find = Callable[[bpy.types.Context], Any]
"""Function that finds a datablock, None if it is not there."""


class GuardedOperator(UntypedOperator):
    """Mix-in of operators that declare the datablocks they write, which must not belong to another file.

    Datablocks named by keywords are checked before the operator writes: see `linked.require_writable`.
    """

    writes: tuple[Find, ...] = ()
    """Functions that find the datablocks that the operator writes to; see `state`."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Allow it unless there is a reason against it, and set that as the message."""
        return allows(cls, cls.refusal(context))

    @classmethod
    def refusal(cls, context: bpy.types.Context) -> str:
        """Return why the operator cannot write, "" if it can: data of another file come first."""
        datablocks = (find(context) for find in cls.writes)
        return linked.why_not_write(*datablocks) or cls.why_not(context)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Return any other reason against the operator, or ""."""
        return ""


def allows(cls: Any, *reasons: str) -> bool:
    """Return whether no reason is against an operator; else set the first one as the poll message."""
    reason = next(filter(None, reasons), "")
    if reason:
        cls.poll_message_set(translate(reason))
    return not reason
