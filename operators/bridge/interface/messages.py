# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages to the user, in the language of the interface."""

from __future__ import annotations

from typing import Any

from bpy.app.translations import pgettext_rpt

from ....noise_core.base.errors import Message

__all__ = ("Message", "report", "translate")


def report(operator: Any, kind: set[str], template: str, *values: object) -> None:
    """Show a message in the status bar; see `Operator.report` and `Message`."""
    operator.report(kind, translate(Message(template, *values)))


def translate(text: str) -> str:
    """Return a message in the language of the interface, or in English without a translation."""
    if not text:
        return ""
    message = Message(text)
    values = (translate(one) if isinstance(one, Message) else one for one in message.values)
    return message.fill(str(pgettext_rpt(message.template)), *values)
