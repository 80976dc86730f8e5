# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in a real window. The scenario, with all that must be true in it, is in run_jobs.py."""

from __future__ import annotations

from tests.gui.launch import ROOT, played


def test_long_work_can_be_watched_cancelled_and_disturbed():
    result = played("run_jobs.py", ROOT / "build" / "gui_long_work", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) >= 14
    assert all(step["done"] for step in result["steps"])
