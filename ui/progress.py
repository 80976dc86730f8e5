# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of long work, in place of the buttons that would begin other work."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ..operators.bridge.interface.messages import translate
from ..operators.bridge.tasks import jobs


def draw_progress(layout: bpy.types.UILayout) -> bool:
    """Draw a bar, and buttons to finish early and to cancel; return whether there is any work."""
    job = jobs.visible_job()
    if job is None:
        return False
    row: Any = layout.row(align=True)
    text = f"{translate(job.title)}  {int(100.0 * job.share)} %"
    if job.is_stopping:
        text = iface_("Canceling")
    elif job.is_finishing:
        text = iface_("Finishing")
    row.progress(factor=job.share, text=text, type="BAR")
    if job.can_finish:
        row.operator("terrane.job_finish", text="", icon="CHECKMARK")
    row.operator("terrane.job_cancel", text="", icon="X")
    return True


def draw_job_button(layout: bpy.types.UILayout, operator: str, icon: Any, text: str = "") -> None:
    """Draw a button that begins long work with the panel's settings, or the progress of such work.

    Its label is that of the operator, unless there is another text.
    """
    row = layout.row()
    label: Any = {"text": text} if text else {}
    if not draw_progress(row):
        row.operator(operator, icon=icon, **label).from_panel = True
