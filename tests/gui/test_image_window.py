# SPDX-License-Identifier: GPL-3.0-or-later
"""The Image Editor's tab in a real window. The scenario is in run_image.py."""

from __future__ import annotations

import pytest
from PIL import Image

from tests.gui.launch import ROOT, played

SCREENSHOTS = ROOT / "build" / "gui_image"


@pytest.fixture(scope="module")
def result() -> dict:
    """Return the results of the run in the window."""
    return played("run_image.py", SCREENSHOTS, is_drawn_little=True)


def test_every_step_succeeded(result):
    assert result["error"] is None, result["error"]
    assert result["steps"] and all(step["done"] for step in result["steps"])


def test_the_set_was_written(result):
    names = sorted(path.name for path in (SCREENSHOTS / "textures").iterdir())
    assert "granite_basecolor.png" in names and "granite_normal.png" in names
    for name in names:
        with Image.open(SCREENSHOTS / "textures" / name) as picture:
            assert picture.size == (512, 512)


def test_the_picture_is_seen_and_changes(result):
    """The editor shows the marble, another after the update, and the first after undo."""
    shown = {}
    for name in ("image_coloring", "image_updated", "image_undone"):
        with Image.open(SCREENSHOTS / f"{name}.png") as picture:
            shown[name] = picture.convert("L").crop((10, 100, 290, 800))  # left of the sidebar
    grays = [count for count in shown["image_coloring"].histogram() if count > 50]
    assert len(grays) > 60, "the editor is empty"
    assert shown["image_updated"].tobytes() != shown["image_coloring"].tobytes()
    assert shown["image_undone"].tobytes() == shown["image_coloring"].tobytes()
