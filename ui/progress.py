# SPDX-License-Identifier: GPL-3.0-or-later
"""How far long work is, in the place of the buttons that would begin other work."""

from __future__ import annotations

from typing import Any

import bpy

from ..operators.bridge import jobs


def draw_progress(layout: bpy.types.UILayout) -> bool:
    """Draw a bar and a button to cancel; return whether there is any work."""
    job = jobs.running()
    if job is None:
        return False
    row: Any = layout.row(align=True)
    text = "Cancelling" if job.is_stopping else f"{job.title}  {int(100.0 * job.share)} %"
    row.progress(factor=job.share, text=text, type="BAR")
    row.operator("terrane.job_cancel", text="", icon="X")
    return True
