# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in a real window. The scenarios are in other files; the assertions on their results stand here."""

from __future__ import annotations

import pytest

from tests.gui.launch import ROOT, played


@pytest.mark.parametrize("scenario", ["pictures", "preview"])
def test_pictures_are_seen_and_clicked(scenario):
    result = played(f"run_{scenario}.py", ROOT / "build" / f"gui_{scenario}", is_drawn_little=True)
    assert result["error"] is None, result["error"]
    assert result["steps"] and all(step["done"] for step in result["steps"])
