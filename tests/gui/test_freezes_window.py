# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a window stands still while Terrane computes. The scenario is in run_freezes.py.

The measurements are printed (``nox -s gui -- tests/gui/test_freezes_window.py -s``) and kept in
build/gui_freezes/freezes.txt.
"""

from __future__ import annotations

from tests.gui.launch import LOW_SCREEN, ROOT, played


def test_a_window_goes_on_while_terrane_computes():
    folder = ROOT / "build" / "gui_freezes"
    result = played("run_freezes.py", folder, screen=LOW_SCREEN)
    print((folder / "freezes.txt").read_text(encoding="utf-8"))
    assert result["error"] is None, result["error"]
    assert len(result["steps"]) == 9 and all(step["done"] for step in result["steps"])
